"""A replacement for importlib.abc: the two base classes that Pyodide needs to import JavaScript modules."""


class MetaPathFinder:
    """Base class of finders."""


class Loader:
    """Base class of loaders."""

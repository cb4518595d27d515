"""Stands in for importlib.abc: the two bases of what imports modules of JavaScript. The original registers many more."""


class MetaPathFinder:
    """Finds modules."""


class Loader:
    """Loads one."""

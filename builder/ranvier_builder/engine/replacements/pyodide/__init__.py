"""A replacement for Pyodide's package, of which a start uses little."""

__version__ = "314.0.7"

"""Stands in for Pyodide's package loader: nothing is ever installed, and `zipfile`, `tempfile` and `shutil` stay out."""

# For its place among the objects of a memory snapshot: see `webloop`.
from pyodide_js import loadedPackages  # type: ignore[import-not-found]  # noqa: F401


class Place:
    """A path. Pyodide's boot asks for `__str__` from outside, where a plain string has no such method."""

    def __init__(self, path: str) -> None:
        self.path = path

    def __str__(self) -> str:
        return self.path


SITE_PACKAGES = Place("/lib/python3.14/site-packages")
DSO_DIR = Place("/usr/lib")


def init_loaded_packages() -> None:
    """Note that no package is loaded."""

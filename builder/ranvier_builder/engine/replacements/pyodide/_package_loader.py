"""A replacement for Pyodide's package loader, without `zipfile`, `tempfile` and `shutil`: no package is ever installed."""


class Folder:
    """A path. Pyodide's boot calls `__str__` from JavaScript, where a Python string has no such method."""

    def __init__(self, path: str) -> None:
        self.path = path

    def __str__(self) -> str:
        return self.path


SITE_PACKAGES = Folder("/lib/python3.14/site-packages")
DSO_DIR = Folder("/usr/lib")


def init_loaded_packages() -> None:
    """Do nothing: no package is loaded."""

"""The relative path from a page to the root of its site, which templates have as `root`."""

from __future__ import annotations


class Root(str):
    """The path to the root, such as `../../`; `to` returns the shortest path to another address."""

    __slots__ = ("_above",)
    _above: list[tuple[str, str]]

    @classmethod
    def of(cls, folder: str) -> Root:
        """Return the root for the pages in a folder, `guide/themes/`; the folder is quoted, and empty for the root itself."""
        names = folder.split("/")[:-1]
        root = cls("../" * len(names))
        # The page's own folder first, then the folders above it.
        root._above = [("../" * up, "".join(f"{name}/" for name in names[: len(names) - up])) for up in range(len(names) + 1)]
        return root

    @classmethod
    def absolute(cls, path: str) -> Root:
        """Return the root for a page that is shown at any address."""
        root = cls(path)
        root._above = [(path, "")]
        return root

    def to(self, url: str) -> str:
        """Return the path to an address that is relative to the root; `./` for the page's own folder."""
        up, folder = next((up, folder) for up, folder in self._above if url.startswith(folder))
        return up + url[len(folder) :] or "./"

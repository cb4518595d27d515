"""Files that pages show: where they lie, and under which names they are published (N7)."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from ranvier_builder.paths import MEDIA, fold, suffix

_SEAL = 6  # bytes of the content's digest that stand before a published name
_LONGEST = 150  # bytes of a published name; file systems take 255
# What a file's name may not hold on some system that a site is copied to.
_FORBIDDEN = re.compile(r'[\x00-\x1f\x7f<>:"/\\|?*]+')
_LIVELY = re.compile(
    r"<[\w.-]*:?(?:script|foreignobject|iframe|handler|listener|set|animate)|\bon[a-z]+\s*=|javascript:|<!entity|<\?xml-stylesheet"
    r"""|href\s*=\s*["']?\s*(?!["']?#|data:image/(?:png|jpe?g|gif|webp)[;,])[^\s"'#]|\0""",
    re.IGNORECASE,
)


class Media:
    """The files of a content folder that pages may show. `refused` ones are as good as missing."""

    def __init__(self, root: Path, files: Iterable[str], refused: frozenset[str] = frozenset()) -> None:
        self._root = root
        self._by_name: dict[str, list[str]] = {}
        for path in files:
            if suffix(path) in MEDIA and path not in refused:
                self._by_name.setdefault(fold(PurePosixPath(path).name), []).append(path)
        self._published: dict[str, str | None] = {}  # a picture may be on every page: it is read once

    def at(self, path: str) -> str | None:
        """Find a file by its path from the content's root: as it is spelt, else whatever its case and accents."""
        some = self._by_name.get(fold(PurePosixPath(path).name), ())
        wanted = fold(path)
        return next((one for one in some if one == path), None) or next((one for one in some if fold(one) == wanted), None)

    def named(self, here: str, name: str) -> str | None:
        """Find a file anywhere by its name, or by the end of its path: the nearest folder first, then by path."""
        wanted = fold(name).strip("/")
        some = [one for one in self._by_name.get(wanted.rpartition("/")[2], ()) if f"/{fold(one)}".endswith(f"/{wanted}")]
        return min(some, key=lambda one: (_steps(here, one), one), default=None)

    def published(self, path: str) -> str | None:
        """Name a file as it is published: by its content, and without its folders, which may be nobody's business.

        `None` where it cannot be read, or is an SVG that could do more than be looked at.
        """
        if path not in self._published:
            self._published[path] = self._name(path)
        return self._published[path]

    def _name(self, path: str) -> str | None:
        file = self._root / path
        try:
            if suffix(path) == ".svg" and not is_still(file.read_bytes()):
                return None
            with file.open("rb") as opened:
                seal = hashlib.file_digest(opened, "sha256").digest()[:_SEAL].hex()
        except OSError:
            return None
        return f"{seal}-{_plain(PurePosixPath(path))}"


def _plain(path: PurePosixPath) -> str:
    stem = _FORBIDDEN.sub("-", unicodedata.normalize("NFC", path.stem))
    return stem.encode()[:_LONGEST].decode("utf-8", "ignore") + _FORBIDDEN.sub("-", path.suffix)


def _steps(here: str, there: str) -> int:
    """Count the steps between two files' folders."""
    a, b = here.split("/")[:-1], there.split("/")[:-1]
    shared = next((at for at, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    return len(a) + len(b) - 2 * shared


def is_still(svg: bytes) -> bool:
    """Tell whether an SVG is a picture and nothing more. Opened by itself it would run as a page of the site."""
    try:
        text = svg.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return _LIVELY.search(text) is None

"""Files that pages show: their paths and published names (N7)."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

import imagesize

from ranvier_builder.errors import ReadError
from ranvier_builder.markdown.claims import strip_claims
from ranvier_builder.media.publish import published_bytes, published_ending
from ranvier_builder.media.refused import RefusedError
from ranvier_builder.paths import IMAGES, MEDIA, fold, identity, suffix

_DIGEST_BYTES = 6  # of the published file's digest, the prefix of its name
_MAX_NAME_BYTES = 150  # file systems allow 255
# Characters that file names must not contain on some systems, and invisible characters. Some of these reverse the following
# text: `photo<U+202E>gpj.zip` is shown as `photopiz.jpg`.
_FORBIDDEN = re.compile(
    r'[<>:"/\\|?*\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]+|[\U000e0000-\U000e0fff]+'
)


class Media:
    """The files of a content folder that pages may show. Files of withheld Neurons (`refused`) count as missing."""

    def __init__(
        self, root: Path, files: Iterable[str], refused: frozenset[str] = frozenset(), *, strip_metadata: bool = True
    ) -> None:
        self._root = root
        self._refused = refused
        self._strip_metadata = strip_metadata
        self._by_name: dict[str, list[str]] = {}
        for path in files:
            if suffix(path) in MEDIA and path not in refused:
                self._by_name.setdefault(fold(PurePosixPath(path).name), []).append(path)
        self._names: dict[str, tuple[str, str]] = {}  # cache: a picture may be on every page
        self._sizes: dict[str, str] = {}

    def at(self, path: str) -> str | None:
        """Find a file by its path from the content's root. An exact match has priority; else case and accents are folded."""
        candidates = self._by_name.get(fold(PurePosixPath(path).name), ())
        key = fold(path)
        return next((candidate for candidate in candidates if candidate == path), None) or next(
            (candidate for candidate in candidates if fold(candidate) == key), None
        )

    def is_refused(self, path: str) -> bool:
        """Return whether a file, in the content or elsewhere, is one of the withheld files, under any of its names."""
        file = identity(self._root / path)
        return file is not None and any(identity(self._root / name) == file for name in self._refused)

    def find(self, source: str, name: str) -> str | None:
        """Find a file in any folder by its name or path suffix: the nearest folder first, then by path."""
        key = fold(name).strip("/")
        candidates = [
            candidate
            for candidate in self._by_name.get(key.rpartition("/")[2], ())
            if f"/{fold(candidate)}".endswith(f"/{key}")
        ]
        return min(candidates, key=lambda candidate: (_distance(source, candidate), candidate), default=None)

    def name(self, path: str) -> tuple[str, str]:
        """Return a file's published name and an empty string; or an empty string and the reason why it is not published.

        The name consists of a digest of the published bytes and the file's name, without folders, which may be private.
        """
        if path not in self._names:
            self._names[path] = self._name(path)
        return self._names[path]

    def size(self, path: str) -> str:
        """Return the size of a picture as it is shown, such as `640x480`, so that a page does not move while it loads.

        Empty for other files, and for pictures without a size, such as some SVG files.
        """
        if path not in self._sizes:
            self._sizes[path] = _size(self._root / path) if suffix(path) in IMAGES else ""
        return self._sizes[path]

    def write(self, path: str, folder: Path) -> None:
        """Write the published form of a file into a folder; raise `ReadError` if it changed after it was named."""
        name, _ = self.name(path)
        hasher = hashlib.sha256()
        try:
            with (folder / name).open("wb") as out:
                for part in self._parts(path):
                    hasher.update(part)
                    out.write(part)
        except RefusedError:
            hasher = hashlib.sha256()
        if _published_name(hasher.digest(), path, PurePosixPath(name).suffix) != name:
            raise ReadError("changed while the site was built", file=self._root / path, cure="build again")

    def _name(self, path: str) -> tuple[str, str]:
        hasher = hashlib.sha256()
        try:
            ending = published_ending(self._root / path)
            for part in self._parts(path):
                hasher.update(part)
        except RefusedError as refused:
            return "", str(refused)
        except OSError:
            return "", "it cannot be read"
        return _published_name(hasher.digest(), path, ending), ""

    def _parts(self, path: str) -> Iterator[bytes | memoryview]:
        return published_bytes(self._root / path, strip_metadata=self._strip_metadata)


def _size(file: Path) -> str:
    try:
        width, height = imagesize.get(file)
    except Exception:  # of a damaged file, any error of the library
        return ""
    return f"{round(width)}x{round(height)}" if width >= 1 and height >= 1 else ""


def _published_name(digest: bytes, path: str, ending: str) -> str:
    stem = _FORBIDDEN.sub("-", unicodedata.normalize("NFC", strip_claims(PurePosixPath(path).stem)))
    return f"{digest[:_DIGEST_BYTES].hex()}-{stem.encode()[:_MAX_NAME_BYTES].decode('utf-8', 'ignore')}{ending}"


def _distance(source: str, target: str) -> int:
    """Return the distance between two files' folders."""
    a, b = source.split("/")[:-1], target.split("/")[:-1]
    common_length = next((at for at, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    return len(a) + len(b) - 2 * common_length

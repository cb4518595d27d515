"""The only entry point: a content file → the bytes that are published under its ending."""

from __future__ import annotations

import os
import re
from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

from ranvier_builder.media import avif, gif, ico, jpeg, png, webp
from ranvier_builder.media.kinds import HEAD, check_beginning, kind_of
from ranvier_builder.media.refused import RefusedError
from ranvier_builder.media.svg import clean_svg

Part = bytes | memoryview
_BLOCK = 1 << 20
_NOTE = re.compile(rb"NOTE(?=\s|\Z)")
_MAX_BYTES = 128 << 20  # bytes of a picture, which is loaded completely
# BMP has no place for metadata.
_PARTS: dict[str, Callable[[bytes], Iterable[Part]]] = {
    **dict.fromkeys((".jpg", ".jpeg"), jpeg.parts),
    ".png": png.parts,
    ".gif": gif.parts,
    ".webp": webp.parts,
    ".avif": avif.parts,
    ".ico": ico.parts,
}


def published_ending(file: Path) -> str:
    """Return the ending of the published file: that of its format if it is a picture with the ending of another picture."""
    ending = file.suffix.lower()
    if ending not in _PARTS:
        return file.suffix
    with file.open("rb") as stream:
        detected = kind_of(stream.read(HEAD))
    is_same = detected == ending.replace("jpeg", "jpg")
    return file.suffix if is_same or detected not in _PARTS else detected


def published_bytes(file: Path, *, strip_metadata: bool = True) -> Iterator[Part]:
    """Yield the published bytes of a file.

    An SVG is rewritten, other pictures lose their metadata, transcripts lose their notes, other files are unchanged.

    The same file gives the same bytes on every machine and with every version of every library. Without `strip_metadata`, only
    SVG is rewritten. At any point, `RefusedError` is raised for a file that must not be published.
    """
    ending = published_ending(file).lower()
    if ending == ".svg":
        yield clean_svg(_read(file), partial(inner_picture, strip_metadata=strip_metadata))
    elif strip_metadata and ending in _PARTS:
        yield from without_metadata(ending, _read(file))
    elif ending in (".vtt", ".srt") and b"NOTE" in (data := _read(file)):
        check_beginning(ending, data[:HEAD])
        yield from _without_notes(data)
    else:
        yield from _unchanged(ending, file)


def without_metadata(ending: str, data: bytes) -> Iterable[Part]:
    """Yield the visible parts of a picture; raise `RefusedError` as `published_bytes` does."""
    check_beginning(ending, data[:HEAD])
    return _PARTS[ending](data)


def inner_picture(data: bytes, *, strip_metadata: bool = True) -> tuple[str, bytes]:
    """Return the ending and the published bytes of a picture in an SVG; raise `RefusedError` as `published_bytes` does."""
    ending = kind_of(data[:HEAD])
    if ending not in (".png", ".jpg", ".gif", ".webp"):
        raise RefusedError("a picture in it is not PNG, JPEG, GIF or WebP")
    return ending, b"".join(without_metadata(ending, data)) if strip_metadata else data


def _without_notes(data: bytes) -> Iterator[bytes]:
    """Yield the lines of a transcript without its notes, which are comments: blocks of lines that begin with `NOTE`.

    All lines end in the same way, because the leak check's copy of a file with notes has no others.
    """
    is_note, is_blank = False, True
    for line in data.removeprefix(BOM_UTF8).splitlines():
        is_note = _NOTE.match(line) is not None if is_blank else is_note
        is_blank = not line.strip()
        if not is_note or is_blank:
            yield line + b"\n"


def _unchanged(ending: str, file: Path) -> Iterator[bytes]:
    with file.open("rb") as stream:
        block = stream.read(_BLOCK)
        check_beginning(ending, block[:HEAD])
        while block:
            yield block
            block = stream.read(_BLOCK)


def _read(file: Path) -> bytes:
    with file.open("rb") as stream:
        if os.fstat(stream.fileno()).st_size > _MAX_BYTES:
            raise RefusedError(f"it is larger than {_MAX_BYTES >> 20} MB")
        return stream.read()

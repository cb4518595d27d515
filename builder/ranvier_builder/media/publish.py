"""The only entry point: a content file → the bytes that are published under its ending."""

from __future__ import annotations

import os
import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE, BOM_UTF32_BE, BOM_UTF32_LE
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

from ranvier_builder.markdown.claims import strip_claims
from ranvier_builder.media import avif, gif, ico, jpeg, png, webp
from ranvier_builder.media.kinds import HEAD, check_beginning, kind_of
from ranvier_builder.media.refused import RefusedError
from ranvier_builder.media.svg import clean_svg

Part = bytes | memoryview
_BLOCK = 1 << 20
_NOTE = re.compile(r"NOTE(?=\s|\Z)")
# The longer marks first: that of UTF-32 begins with that of UTF-16.
_MARKS = ((BOM_UTF32_LE, "utf-32"), (BOM_UTF32_BE, "utf-32"), (BOM_UTF16_LE, "utf-16"), (BOM_UTF16_BE, "utf-16"))
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

    An SVG is rewritten, other pictures lose their metadata, transcripts lose their notes and claim anchors. Other files are
    unchanged.

    The same file gives the same bytes on every machine and with every version of every library. Without `strip_metadata`, only
    SVG is rewritten. At any point, `RefusedError` is raised for a file that must not be published.
    """
    ending = published_ending(file).lower()
    if ending == ".svg":
        yield clean_svg(_read(file), partial(inner_picture, strip_metadata=strip_metadata))
    elif strip_metadata and ending in _PARTS:
        yield from without_metadata(ending, _read(file))
    elif ending in (".vtt", ".srt"):
        yield _transcript(ending, _read(file))
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


def _transcript(ending: str, data: bytes) -> bytes:
    """Return a transcript without its notes and claim anchors (A6); one that has none is unchanged.

    A changed one is in UTF-8, and its lines end in the same way, because the leak check's copy has no others.
    """
    encoding = next((name for mark, name in _MARKS if data.startswith(mark)), "utf-8-sig")
    text = data.decode(encoding, "surrogateescape" if encoding == "utf-8-sig" else "replace")
    if "NOTE" in text or "claim" in text.casefold():
        lines = _without_notes(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"))
        data = strip_claims("\n".join(lines)).encode("utf-8", "surrogateescape")
    check_beginning(ending, data[:HEAD])
    return data


def _without_notes(lines: Iterable[str]) -> Iterator[str]:
    """Yield the lines that are not in a note, which is a comment: a block of lines that begins with `NOTE`."""
    is_note, is_blank = False, True
    for line in lines:
        is_note = _NOTE.match(line) is not None if is_blank else is_note
        is_blank = not line.strip()
        if not is_note or is_blank:
            yield line


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

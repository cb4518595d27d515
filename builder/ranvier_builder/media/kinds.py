"""The first bytes of files, by ending. If a host sends a file without a type, browsers guess it from the first bytes."""

from __future__ import annotations

import re

from ranvier_builder.media.refused import RefusedError

HEAD = 4096  # bytes that are checked; browsers guess from at most 1,445
_OGG = rb"OggS"
_MP4 = rb"(?!<).{4}(?:ftyp|moov|mdat|wide|free|skip|pnot)"  # old QuickTime files, before 2000, have no ftyp
# A byte order mark and blanks can precede the text; browsers skip them too when they guess.
_TEXT = rb"(?:\xef\xbb\xbf)?+[\x00\t\n\x0b\f\r ]*+(?!<)"
_BEGINNINGS = {
    ".png": rb"\x89PNG\r\n\x1a\n",
    ".jpg": rb"\xff\xd8\xff",
    ".jpeg": rb"\xff\xd8\xff",
    ".gif": rb"GIF8[79]a",
    ".webp": rb"RIFF.{4}WEBP",
    ".avif": rb"(?!<).{4}ftyp(?:avi[fs]|mi[fa]1)",
    ".bmp": rb"BM.{12}[\x0c\x28\x34\x38\x40\x6c\x7c]\x00\x00\x00",  # the size of the header, for all versions
    ".ico": rb"\x00\x00\x01\x00",
    ".mp3": rb"ID3|\xff[\xe0-\xff]|TAG|RIFF.{4}WAVE|\x00+\xff[\xe0-\xff]",
    ".ogg": _OGG,
    ".oga": _OGG,
    ".opus": _OGG,
    ".ogv": _OGG,
    ".wav": rb"RI(?:FF|FX).{4}WAVE|RF64.{4}WAVE",
    ".flac": rb"fLaC|ID3",
    ".m4a": _MP4,
    ".mp4": _MP4,
    ".m4v": _MP4,
    ".mov": _MP4,
    ".webm": rb"\x1aE\xdf\xa3",
    ".pdf": rb"(?:\xef\xbb\xbf)?\s*%PDF-",
    ".zip": rb"PK(?:\x03\x04|\x05\x06|\x07\x08)",
    ".txt": _TEXT,
    ".csv": _TEXT,
    ".vtt": _TEXT,
    ".srt": _TEXT,
}
_KINDS = {ending: re.compile(pattern, re.DOTALL) for ending, pattern in _BEGINNINGS.items()}


def check_beginning(ending: str, head: bytes) -> None:
    """Raise `RefusedError` if the first `HEAD` bytes of a file do not fit its ending, `.png`, or it is not published."""
    if ending not in _KINDS:
        raise RefusedError("files of this type are not published")
    if _KINDS[ending].match(head):
        return
    if _BEGINNINGS[ending] is _TEXT:
        raise RefusedError('its text begins with "<", and a browser may take it for a page')
    detected_ending = kind_of(head)
    raise RefusedError(f"its format is not {_name(ending)}" + (f" but {_name(detected_ending)}" if detected_ending else ""))


def kind_of(head: bytes) -> str:
    """Return the ending for the first bytes of a file if it is certain; else an empty string."""
    endings = (ending for ending in _KINDS if ending not in (".mp3", ".ico") and _BEGINNINGS[ending] is not _TEXT)
    return next((ending for ending in endings if _KINDS[ending].match(head)), "")


def _name(ending: str) -> str:
    return ending.removeprefix(".").upper().replace("JPEG", "JPG")

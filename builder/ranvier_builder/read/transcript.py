"""`.vtt` and `.srt` → the spoken text, in parts of about a minute (N7)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from pathlib import Path

from ranvier_builder.model import Warn
from ranvier_builder.read.files import limited_bytes
from ranvier_builder.read.neuron import BYTE_ORDER_MARKS, decode

PARAGRAPH = 60  # seconds
BYTES_MAX = 20_000_000
_TIMES = re.compile(r"\s*((?:\d{1,3}:)?\d{1,2}:\d{1,2}(?:[.,]\d{1,3})?)\s*-->\s*((?:\d{1,3}:)?\d{1,2}:\d{1,2}(?:[.,]\d{1,3})?)")
_VOICE = re.compile(r"<v(?:\.[^\s<>]*)?[ \t]+([^<>]*)>")
_TAG = re.compile(r"</?[a-zA-Z0-9][^<>]*>|\{\\[^{}]*\}")  # `<i>`, `<00:01.000>`, `<font color=…>`, `{\an8}`
_NO_CUE = re.compile(r"(?:NOTE|STYLE|REGION)(?:\s|\Z)")

Transcript = tuple[tuple[int, tuple[str, ...]], ...]  # the start of a part in seconds, its paragraphs


@dataclass(frozen=True, slots=True)
class _Cue:
    start: float
    end: float
    lines: tuple[tuple[str, str], ...]  # speaker, words


def read_transcript(root: Path, path: str) -> tuple[Transcript, list[Warn]]:
    """Read a transcript; return a warning if nothing can be read."""
    raw, warnings = limited_bytes(root, path, BYTES_MAX)
    if raw is None:
        return (), warnings
    text, warnings = _decode(raw, path)
    parts = _parts(_without_repeats(_cues(text)))
    if not parts:
        warnings.append(Warn(path, "media", "has no cues: not a transcript that can be read"))
    return parts, warnings


def _decode(raw: bytes, path: str) -> tuple[str, list[Warn]]:
    try:
        return raw.decode("utf-8-sig"), []
    except UnicodeDecodeError as error:
        if raw.startswith(BYTE_ORDER_MARKS):
            return decode(raw, path)
        line = raw[: error.start].count(b"\n") + 1
        # Old subtitles mostly use a Windows code page.
        return raw.decode("cp1252", "replace"), [Warn(path, "encoding", "not UTF-8: read as Windows-1252", line)]


def _cues(text: str) -> Iterator[_Cue]:
    """Yield the blocks with a line of times; notes, styles and regions are skipped.

    Some files have no blank lines: another line of times ends a cue, too, and a number before it belongs to the next cue.
    """
    block: list[str] = []
    for line in [*text.replace("\0", "").splitlines(), ""]:
        is_blank = not line.strip()
        if is_blank or _TIMES.match(line):
            if not is_blank and len(block) > 1 and block[-1].strip().isdecimal():
                del block[-1]
            cue = _cue(block)
            if cue is not None:
                yield cue
            if cue is not None or is_blank:
                block = []
        if not is_blank:
            block.append(line)


def _cue(block: list[str]) -> _Cue | None:
    # The times are on the first line, or on the second line after the name of the cue.
    for at, line in enumerate(block[:2]):
        times = _TIMES.match(line) if "-->" in line else None
        if times:
            return _Cue(_seconds(times[1]), _seconds(times[2]), tuple(_lines(block[at + 1 :])))
        if _NO_CUE.match(line):
            return None
    return None


def _lines(lines: list[str]) -> Iterator[tuple[str, str]]:
    """Split the lines of a cue by speaker, without tags; a voice continues until the next one."""
    speaker = ""
    for line in lines:
        pieces = _VOICE.split(line)
        for at, piece in enumerate(pieces):
            if at % 2:
                speaker = _plain(piece)
            elif words := _plain(piece):
                yield speaker, words


def _plain(text: str) -> str:
    return " ".join(unescape(_TAG.sub("", text)).split())


def _seconds(clock: str) -> float:
    total = 0.0
    for part in clock.replace(",", ".").split(":"):
        total = total * 60 + float(part)
    return total


def _without_repeats(cues: Iterator[_Cue]) -> Iterator[_Cue]:
    """Remove the repetitions of rolling captions, in which a cue repeats the previous one and adds words."""
    previous: tuple[str, ...] = ()
    end = -1.0
    for cue in cues:
        previous_lines = previous if cue.start <= end + 0.1 else ()
        new_lines = []
        for speaker, words in cue.lines:
            if words in previous_lines:
                continue
            repeated = previous_lines[-1] if previous_lines and words.startswith(f"{previous_lines[-1]} ") else ""
            new_lines.append((speaker, words[len(repeated) :].strip()))
        previous, end = tuple(words for _, words in cue.lines), cue.end
        yield _Cue(cue.start, cue.end, tuple(new_lines))


def _parts(cues: Iterator[_Cue]) -> Transcript:
    parts: list[tuple[int, list[list[str]]]] = []
    speaker = ""
    for cue in cues:
        if cue.lines and not (parts and 0 <= cue.start - parts[-1][0] < PARAGRAPH):
            parts.append((int(cue.start), []))
            speaker = ""
        for voice, words in cue.lines:
            paragraphs = parts[-1][1]
            if paragraphs and voice == speaker:
                paragraphs[-1].append(words)
            else:
                paragraphs.append([f"{voice}: {words}" if voice else words])
            speaker = voice
    return tuple((start, tuple(" ".join(words) for words in paragraphs)) for start, paragraphs in parts)

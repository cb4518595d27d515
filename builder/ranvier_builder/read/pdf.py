"""A PDF → the text of its pages (N7). The content is untrusted: all work is limited, and errors become warnings."""

from __future__ import annotations

import logging
import re
import sys
import unicodedata
import warnings as python_warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

from ranvier_builder.composed import composed
from ranvier_builder.model import Warn
from ranvier_builder.read.files import limited_bytes

if TYPE_CHECKING:
    from pypdf import PdfReader

PAGES_MAX = 1000
CHARACTERS_MAX = 2_000_000  # of all pages together
BYTES_MAX = 200_000_000
# Limits for the function calls for a file: 200 million take half a minute. Real PDFs of text need 20 to 30 per byte.
CALLS_MIN, CALLS_A_BYTE, CALLS_MAX = 20_000_000, 100, 200_000_000
_NO_TITLE = re.compile(
    r"untitled|unbenannt|title|microsoft \w+ - |.*\.(docx?|odt|rtf|tex|dvi|indd|qxd|pptx?|xlsx?|pdf|md|html?)\Z|"
    r"(document|slide|presentation|page)\s*\d*\Z|\W*\Z|\(?anonymous\)?\Z",
    re.IGNORECASE,
)
_LIGATURES = {code: unicodedata.normalize("NFKC", chr(code)) for code in range(0xFB00, 0xFB07)}
_BROKEN_WORD = re.compile(r"(?<=[^\W\d_])[-\u00ad]\Z")


@dataclass(frozen=True, slots=True)
class Pdf:
    """The text of a PDF; `pages` has the number, from 1, and the paragraphs of each page with text."""

    title: str = ""
    pages: tuple[tuple[int, tuple[str, ...]], ...] = ()


class _TooMuchWork(BaseException):
    """A file takes too much work. Not an `Exception`, because pypdf would catch it and continue."""


def read_pdf(root: Path, path: str) -> tuple[Pdf, list[Warn]]:
    """Read the title and the text of a file; errors become warnings."""
    raw, warnings = limited_bytes(root, path, BYTES_MAX)
    if raw is None:
        return Pdf(), warnings
    return _read(raw, lambda message: warnings.append(Warn(path, "media", message))), warnings


def _read(raw: bytes, warn: Callable[[str], None]) -> Pdf:
    title, pages = "", list[tuple[int, tuple[str, ...]]]()
    try:
        with _limit_calls(min(CALLS_MIN + CALLS_A_BYTE * len(raw), CALLS_MAX)):
            from pypdf import PdfReader  # takes 0.1 s, so only for PDFs

            reader = PdfReader(BytesIO(raw), strict=False)
            if reader.is_encrypted and not reader.decrypt(""):
                warn("is encrypted: its text is left out")
                return Pdf()
            title = _title(reader)
            _read_pages(reader, pages, warn)
    except _TooMuchWork:
        warn(f"takes too much work to read: its text is left out after page {pages[-1][0] if pages else 0}")
    except Exception as error:  # a broken file can raise anything: KeyError, RecursionError, zlib.error
        warn(f"cannot be read as a PDF: {type(error).__name__}: {error}")
    else:
        if not pages:
            warn("has no text: words in pictures cannot be found")
    return Pdf(title, tuple(pages))


def _read_pages(reader: PdfReader, pages: list[tuple[int, tuple[str, ...]]], warn: Callable[[str], None]) -> None:
    from pypdf.errors import DependencyError

    remaining, unreadable_pages = CHARACTERS_MAX, list[int]()
    count = len(reader.pages)
    for number in range(1, min(count, PAGES_MAX) + 1):
        try:
            text = reader.pages[number - 1].extract_text()
        except DependencyError:  # no package for the encryption: no page can be read, and its message names the package
            raise
        except Exception:  # as above; the other pages may be valid
            unreadable_pages.append(number)
            continue
        if len(text) > remaining:
            warn(f"has more than {CHARACTERS_MAX:,} characters of text: the rest is left out, from page {number} on")
            text = text[:remaining]
        remaining -= len(text)
        if paragraphs := tuple(_paragraphs(text)):
            pages.append((number, paragraphs))
        if remaining <= 0:
            return
    if unreadable_pages:
        more = f" and {len(unreadable_pages) - 1} more" if len(unreadable_pages) > 1 else ""
        warn(f"page {unreadable_pages[0]}{more} cannot be read: left out")
    if count > PAGES_MAX:
        warn(f"has {count:,} pages: the text of the first {PAGES_MAX:,} is read")


def _title(reader: PdfReader) -> str:
    """Return the title in the metadata of a file, unless a program generated it."""
    try:
        raw = str((reader.metadata.title if reader.metadata else "") or "")
    except Exception:  # as above
        return ""
    title = " ".join(composed(raw.encode("utf-8", "ignore").decode()).split())
    return "" if len(title) > 200 or not title.isprintable() or _NO_TITLE.match(title) else title


def _paragraphs(text: str) -> Iterator[str]:
    """Join the lines of a page. A blank line ends a paragraph, and so does a short line at the end of a sentence."""
    lines = [" ".join(line.split()) for line in text.translate(_LIGATURES).splitlines()]
    longest = max(map(len, lines), default=0)
    words: list[str] = []
    for line in [*lines, ""]:
        if words and line[:1].islower() and _BROKEN_WORD.search(words[-1].rstrip()):
            words[-1] = words[-1].rstrip()[:-1]
        words.append(f"{line} ")
        if not line or (line.endswith((".", "!", "?")) and len(line) < 0.75 * longest):
            if paragraph := "".join(words).strip():
                yield paragraph
            words = []


@contextmanager
def _limit_calls(max_calls: int) -> Iterator[None]:
    """Limit the number of function calls, and silence pypdf.

    pypdf can loop endlessly on a broken file. A limit of calls stops it at the same place on every machine; a timeout does not.
    The profiler of the process and the log level of pypdf are restored.
    """
    calls, profiler = 0, sys.getprofile()
    log = logging.getLogger("pypdf")
    level = log.level

    def count(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal calls
        calls += 1
        if calls > max_calls:
            raise _TooMuchWork

    log.setLevel(logging.CRITICAL + 1)
    with python_warnings.catch_warnings():
        python_warnings.simplefilter("ignore")
        sys.setprofile(count)
        try:
            yield
        finally:
            sys.setprofile(profiler)
            log.setLevel(level)

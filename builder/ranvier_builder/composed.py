"""Unicode's composed form, in linear time for any text."""

from __future__ import annotations

import re
import unicodedata
from typing import Literal

_MAX_MARKS = 30  # marks on one letter, as in Unicode's stream-safe format (UAX #15, section 13)
_JOINER = "\u034f"  # COMBINING GRAPHEME JOINER: invisible; marks are not sorted across it
_MARKS = re.compile(rf"[^\w\x00-\x7f]{{{_MAX_MARKS + 1},}}")


def composed(text: str, form: Literal["NFC", "NFKC", "NFKD"] = "NFC") -> str:
    """Convert a text to a composed form. Runs of combining marks are split after every 30 marks."""
    return unicodedata.normalize(form, stream_safe(text))


def stream_safe(text: str) -> str:
    """Split long runs of combining marks: `unicodedata.normalize` needs quadratic time to sort them."""
    return text if text.isascii() else _MARKS.sub(_split_run, text)


def _split_run(run: re.Match[str]) -> str:
    out, count = list[str](), 0
    for character in run.group():
        count = count + 1 if unicodedata.combining(character) else 0
        if count > _MAX_MARKS:
            out.append(_JOINER)
            count = 1
        out.append(character)
    return "".join(out)

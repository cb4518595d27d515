"""Lines `Key: value` that begin a file, for the proof: those that withhold the page, whether they are metadata or prose."""

from __future__ import annotations

import re
import unicodedata
from itertools import takewhile
from typing import Any

_SEARCHED = 8000  # characters of a file
_LINE = re.compile(r""" {0,3}["']?(?P<name>[^\W\d_][\w-]*+)["']?[ \t]*+[:\uff1a](?!:)(?P<value>.*)""")
_QUOTED = re.compile(r"""\A(["'])((?:(?!\1).)*)\1\Z""")
_HELD = frozenset(("draft", "skip", "private"))  # words of the field `status`


def unfenced_fields(text: str, start: int) -> dict[str, Any]:
    """Return the fields of the lines from `start`, up to a `---` if all lines above it are fields, else to an empty line.

    A field that occurs twice has a list of values. A status that withholds the page is a field `draft`.
    """
    rows = text[start : start + _SEARCHED].split("\n")
    if not _LINE.match(rows[0]) or re.search(r"(?: {4}|\t)\Z", text[:start]):
        return {}
    above = list(takewhile(lambda row: not re.fullmatch(r"(?:-{3,}|\.\.\.)\s*", row), rows))
    is_fenced = len(above) < len(rows) and all(_LINE.match(row) or re.match(r"[ \t#-]|\s*\Z", row) for row in above)
    values, value = dict[str, list[str]](), list[str]()
    for row in above if is_fenced else takewhile(str.strip, rows):
        if line := _LINE.match(row):
            value = values.setdefault(unicodedata.normalize("NFKC", line["name"]).lower(), [])
            value.append(line["value"].strip())
        elif re.match(r"[ \t-]", row):
            value.append(f"{value.pop()} {row.strip()}".strip())
    values.pop("password", None)  # of a manual: the build decides whether it is metadata
    fields: dict[str, Any] = {name: texts if len(texts) > 1 else _QUOTED.sub(r"\2", texts[0]) for name, texts in values.items()}
    is_held = not _HELD.isdisjoint(re.findall(r"\w+", " ".join(values.get("status", ())).lower()))
    return fields | ({"draft": "status"} if is_held else {})

"""Lines `Title: x` that begin a file without a `---` above them: metadata or prose.

Metadata ends with an empty line (Pelican, MultiMarkdown, MkDocs) or with a `---` (old posts of Hexo). A field that withholds
its page counts in prose, too.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from ranvier_builder.composed import composed
from ranvier_builder.read.lenient import PUBLISHING, WITHHOLDING

_BLANK = re.compile(r"[\s\ufeff\ufffd\u200b]*")
_SEARCHED = 8000  # characters of a file, as for other lines that name an audience
# The indentation of Python-Markdown: with four blanks, a line continues a value. `name::` is a property of Logseq.
_KEY = re.compile(r""" {0,3}["']?(?P<key>[^\W\d_][\w-]*+)["']?[ \t]*+[:\uff1a](?!:)(?P<value>.*)""")
_QUOTED = re.compile(r"""\A(["'])((?:(?!\1).)*)\1\Z""")
_FENCE = re.compile(r"(?:-{3,}|\.{3})\s*")
# Fields that only metadata has; and fields that begin letters, minutes and decisions, too.
_SIGNS = frozenset(
    "title tags tag category categories slug layout template permalink save_as lang hidden noindex".split()
).union(("password", "unlisted", *WITHHOLDING, *PUBLISHING))
_KNOWN = _SIGNS.union("date modified updated author authors summary description keywords subtitle status language".split())
# Links and tags of notes, which are shown; marks of comments, which may end in the text below; other line breaks of YAML.
_UNSAFE = re.compile(r"\[\[|^tags?:.*#|<!--|%%|\{#claim|[\x85\u2028\u2029]", re.IGNORECASE | re.MULTILINE)
_DRAFT = ("draft", "skip", "private")  # words for the status of a page in Pelican and Nikola


@dataclass(frozen=True, slots=True)
class Head:
    """The lines that begin a file. `fields` have lower keys, and lists for keys that occur twice."""

    text: str
    end: int  # offset of the text below them
    fields: dict[str, Any]
    is_yaml: bool  # a `---` ends them
    is_metadata: bool


def unfenced(text: str) -> Head | None:
    """Return the lines that begin a file, if the first one is `Key: value`."""
    start = match.end() if (match := _BLANK.match(text)) else 0
    lines = text[start : start + _SEARCHED].split("\n")
    if not _KEY.match(lines[0]) or text[:start].endswith(("    ", "\t")):
        return None
    fence = next((at for at, line in enumerate(lines) if _FENCE.fullmatch(line)), 0)
    is_yaml = bool(fence) and all(not line.strip() or line[0] in " \t-#" or _KEY.match(line) for line in lines[:fence])
    stop = fence if is_yaml else next((at for at, line in enumerate(lines) if not line.strip()), len(lines))
    end = start + sum(len(line) + 1 for line in lines[: stop + 1])
    head, fields = "\n".join(lines[:stop]), _fields(lines[:stop])
    is_whole = stop < len(lines) and (is_yaml or all(line[0] in " \t" or _KEY.match(line) for line in lines[:stop]))
    is_metadata = is_whole and bool(text[end:].strip()) and not _UNSAFE.search(head) and _is_metadata(fields, head)
    return Head(text[:start] + head, end, fields, is_yaml, is_metadata)


def _fields(lines: list[str]) -> dict[str, Any]:
    fields, items = dict[str, list[str]](), list[str]()
    for line in lines:
        if match := _KEY.match(line):
            items = fields.setdefault(composed(match["key"], "NFKC").lower(), [])
            items.append(match["value"].strip())
        elif line[:1] in (" ", "\t", "-"):
            items[-1] = f"{items[-1]} {line.strip()}".strip()
    return {name: items if len(items) > 1 else _QUOTED.sub(r"\2", items[0]) for name, items in fields.items()}


def _is_metadata(fields: dict[str, Any], head: str) -> bool:
    names, signs = {*fields}, _SIGNS.intersection(fields)
    is_clear = bool(signs) if names <= _KNOWN else "title" in names and len(signs) > 1
    is_lower = (names <= _KNOWN or "title" in names) and not re.search(r"^[^a-z\s#-]", head, re.MULTILINE)
    is_single = all(isinstance(value, str) for value in fields.values())
    return next(iter(fields)) in _KNOWN and is_single and (is_clear or is_lower)


def status_of(hints: dict[str, Any]) -> str:
    """Return "draft" or "hidden" if the field `status` says so in one of its words."""
    status = hints.get("status", "")
    words = re.findall(r"\w+", (" ".join(status) if isinstance(status, list) else status).lower())
    return "draft" if any(word in _DRAFT for word in words) else "hidden" if "hidden" in words else ""

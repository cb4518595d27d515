"""One Markdown file → one Neuron (N1, N2). Reads anything; what is odd is reported, never fatal."""

from __future__ import annotations

import codecs
import datetime
import math
import re
import unicodedata
from pathlib import Path, PurePosixPath
from typing import Any

from markdown_it import MarkdownIt
from ranvier.text import CLAIM

from ranvier_builder.errors import ReadError
from ranvier_builder.model import Neuron, Warn
from ranvier_builder.read.code import code, fences, outside, without
from ranvier_builder.read.frontmatter import Split, split

_CLAIM = re.compile(r"[ \t]?" + CLAIM.pattern)  # with the blank before it
_MARKUP = re.compile(r"<!--.*?(?:-->|\Z)|<[^<>]*>", re.DOTALL)
_COMMENT = re.compile(r"%%.*?%%", re.DOTALL)
_INLINE_TAG = re.compile(r"""(?<![\w&/#\[({"'=])#(?P<tag>[^\W\d_][\w/-]*)""")  # `#a/b`, not `&#x27;`, `/#x`, `# Title`, `{#id}`
_LINE = MarkdownIt("commonmark")
# Byte order marks; the longer ones first, for UTF-32's begins as UTF-16's does.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_TRUE = {"true", "yes", "on", "1"}


def read_neuron(root: Path, path: str) -> tuple[Neuron, list[Warn]]:
    """Read a file.

    Raises:
        ReadError: the file cannot be opened at all.

    """
    try:
        raw = (root / path).read_bytes()
    except OSError as error:
        raise ReadError(
            f"cannot be read: {error.strerror}", file=path, cure="make it readable, or list it under `exclude`"
        ) from None
    text, warnings = _decode(raw, path)
    parts = split(text)
    if parts.problem:
        warnings.append(Warn(path, f"frontmatter cannot be read: {parts.problem}", parts.line))
    body = _seen(parts.body)
    return _neuron(path, parts, body), warnings


def _seen(body: str) -> str:
    """Leave out what is not meant for readers: claim anchors, and Obsidian's `%%comments%%` outside of code."""
    return _unclaimed(outside(body, code(body), _COMMENT, ""))


def _unclaimed(text: str) -> str:
    """Strip claim anchors (A6), also those that come of stripping: `{#cl{#claim-1}aim-2}` must not leave one behind."""
    for _ in range(4):
        stripped = _CLAIM.sub("", text)
        if stripped == text:
            return text
        text = stripped
    return text.replace("#claim-", "# claim ")  # deeper ones are nobody's anchors: a blank breaks them, and joins nothing


def _decode(raw: bytes, path: str) -> tuple[str, list[Warn]]:
    warnings = []
    encoding = next((name for mark, name in _MARKS if raw.startswith(mark)), "utf-8-sig")
    try:
        text = raw.decode(encoding)
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        warnings.append(Warn(path, f"not {encoding.removesuffix('-sig').upper()}: some characters were replaced", line))
        text = raw.decode(encoding, "replace")
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", ""), warnings


def _neuron(path: str, parts: Split, body: str) -> Neuron:
    get = parts.fields.get
    title = _text(get("title")) or _first_h1(body) or PurePosixPath(path).stem
    return Neuron(
        path=path,
        title=unicodedata.normalize("NFC", title),
        body=body,
        id=_text(get("id")) or path,
        kind=_text(get("kind")) or "page",
        tags=_tags(get("tags"), body),
        audience=_audience(parts),
        aliases=_texts(get("aliases", get("alias"))),
        summary=unicodedata.normalize("NFC", _text(get("summary", get("description")))),
        confidence=_number(get("confidence")),
        source_type=_text(get("source_type")),
        derived_from=_texts(get("derived_from")),
        user_note=_text(get("user_note")),
        user_note_shared=get("user_note_shared") is True,
        created=_date(get("created", get("date"))),
        updated=_date(get("updated", get("lastmod"))),
        parent=_text(get("parent")),
        role=_text(get("role")),
        lang=_text(get("lang")),
        weight=1.0 if _number(get("weight")) is None else float(_number(get("weight")) or 0.0),
        noindex=_text(get("noindex")).lower() in _TRUE,
    )


def _audience(parts: Split) -> tuple[str, ...] | None:
    """`None` where the file does not say; `()` where it tries to and nobody is named: then nobody sees it."""
    if parts.problem:
        return ()  # it may have said "curator": what cannot be read is not published
    if "audience" not in parts.fields:
        return None
    return tuple(word.lower() for word in _texts(parts.fields["audience"]))


def _tags(declared: Any, body: str) -> tuple[str, ...]:
    prose = _MARKUP.sub(" ", without(body, code(body)))
    inline = [match["tag"].rstrip("/-") for match in _INLINE_TAG.finditer(prose)]
    seen: dict[str, None] = {}
    for tag in (*(tag.lstrip("#") for tag in _texts(declared)), *inline):
        if tag:
            seen.setdefault(unicodedata.normalize("NFC", tag))
    return tuple(seen)


def _first_h1(body: str) -> str:
    """Find the first `# Heading`, or a line underlined by `===`, outside of code."""
    before = ""
    for line in without(body, fences(body)).splitlines():
        bare = line.rstrip()
        if bare.startswith(("# ", "#\t")):
            return _inline_text(re.sub(r"\s#+$", "", bare[1:]).strip())
        if before and bare and not bare.strip("="):
            return _inline_text(before.strip())
        before = bare
    return ""


def _inline_text(markdown: str) -> str:
    """Read a line of Markdown as a reader sees it: `Use *the* [CLI](cli.md)` → `Use the CLI`."""
    (line,) = _LINE.parseInline(markdown)
    return "".join(token.content for token in line.children or []).strip()


def _text(value: Any) -> str:
    """Read a scalar as a YAML author means it: `0.88` → "0.88", `true` → "true"; maps and lists are not text."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (datetime.date, datetime.datetime)):
        return value.isoformat()
    try:
        # YAML can spell half of a surrogate pair, which no file can hold.
        plain = str(value).encode("utf-8", "replace").decode() if isinstance(value, (str, int, float)) else ""
        return _unclaimed(plain).strip()
    except ValueError:  # a whole number of thousands of digits
        return ""


def _texts(value: Any) -> tuple[str, ...]:
    """Read a list, or a comma string, as texts; empty ones are left out."""
    if isinstance(value, str):
        value = value.split(",")
    items = value if isinstance(value, (list, tuple)) else [value]
    return tuple(text for item in items if (text := _text(item)))


def _number(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def _date(value: Any) -> str:
    if isinstance(value, datetime.datetime):
        return value.date().isoformat()
    found = re.match(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", _text(value))
    return found.group() if found else ""

"""One Markdown file → one Neuron (N1, N2). Reads anything; what is odd is reported, never fatal."""

from __future__ import annotations

import datetime
import re
import unicodedata
from pathlib import Path, PurePosixPath
from typing import Any

from markdown_it import MarkdownIt

from ranvier_builder.errors import ReadError
from ranvier_builder.model import Neuron, Warn
from ranvier_builder.read.frontmatter import Split, split

_CLAIM = re.compile(r"[ \t]?\{#claim-[0-9A-Za-z]+\}")  # A6
_H1 = re.compile(r"^(?:#[ \t]+(?P<atx>.+?)(?:[ \t]+#+)?[ \t]*$|(?P<setext>\S.*)\n=+[ \t]*$)", re.MULTILINE)
_FENCE = re.compile(r"^(?P<fence>`{3,}|~{3,}).*?(?:^(?P=fence)[`~]*[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"(?P<ticks>`+)(?!`)[^\n]*?(?<!`)(?P=ticks)(?!`)")
_COMMENT = re.compile(rf"(?P<code>{_FENCE.pattern}|{_CODE.pattern})|%%.*?%%", re.MULTILINE | re.DOTALL)
_INLINE_TAG = re.compile(r"""(?<![\w&/#\[({"'=])#(?P<tag>[^\W\d_][\w/-]*)""")  # `#a/b`, not `&#x27;`, `/#x`, `# Title`, `{#id}`
_LINE = MarkdownIt("commonmark")
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
    return _CLAIM.sub("", _COMMENT.sub(lambda found: found["code"] or "", body))


def _decode(raw: bytes, path: str) -> tuple[str, list[Warn]]:
    warnings = []
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        warnings.append(Warn(path, "not UTF-8: some characters were replaced", line))
        text = raw.decode("utf-8-sig", "replace")
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
    prose = _CODE.sub(" ", _FENCE.sub(" ", body))
    inline = [match["tag"].rstrip("/-") for match in _INLINE_TAG.finditer(prose)]
    seen: dict[str, None] = {}
    for tag in (*(tag.lstrip("#") for tag in _texts(declared)), *inline):
        if tag:
            seen.setdefault(unicodedata.normalize("NFC", tag))
    return tuple(seen)


def _first_h1(body: str) -> str:
    match = _H1.search(_FENCE.sub(lambda found: "\n" * found.group().count("\n"), body))
    return _inline_text(match["atx"] or match["setext"]) if match else ""


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
    return str(value).strip() if isinstance(value, (str, int, float)) else ""


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
        return float(value)
    except ValueError:
        return None


def _date(value: Any) -> str:
    if isinstance(value, datetime.datetime):
        return value.date().isoformat()
    found = re.match(r"\d{4}-\d{2}-\d{2}", _text(value))
    return found.group() if found else ""

"""One Markdown file → one Neuron (N1, N2, N3, N6). Reads anything; what is odd is reported, never fatal."""

from __future__ import annotations

import codecs
import re
import unicodedata
from pathlib import Path, PurePosixPath

from markdown_it import MarkdownIt

from ranvier_builder.config import Config
from ranvier_builder.errors import ReadError
from ranvier_builder.model import Neuron, Warn
from ranvier_builder.read.code import code, fences, without
from ranvier_builder.read.dialects import is_drawing, to_markdown
from ranvier_builder.read.dialects.attributes import without_attributes
from ranvier_builder.read.frontmatter import Split, said, split
from ranvier_builder.read.values import Fields, date_of, plain, unclaimed

_MARKUP = re.compile(r"<[^<>]*>")
_INLINE_TAG = re.compile(r"""(?<![\w&/#\[({"'=])#(?P<tag>[^\W\d_][\w/-]*)""")  # `#a/b`, not `&#x27;`, `/#x`, `# Title`, `{#id}`
_LINE = MarkdownIt("commonmark")
# Byte order marks; the longer ones first, for UTF-32's begins as UTF-16's does.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def read_neuron(root: Path, path: str, config: Config = Config()) -> tuple[Neuron, list[Warn]]:  # noqa: B008 (it is frozen)
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
    parts = split(text, config.audience_fields)
    if parts.problem:
        message = parts.problem if parts.kind == "audience" else f"frontmatter cannot be read: {parts.problem}"
        warnings.append(Warn(path, parts.kind, message, parts.line))
    if not text.strip():
        warnings.append(Warn(path, "empty", "the file is empty"))
    body, problems = to_markdown(parts.body.replace("\ufeff", ""), path, drawing=is_drawing(path, parts.fields))
    warnings += [Warn(path, "markup", message, parts.at + line - 1) for line, message in problems]
    fields = Fields(path, parts)
    neuron = _neuron(path, parts, fields, unclaimed(body), config)
    return neuron, warnings + fields.warnings


def _decode(raw: bytes, path: str) -> tuple[str, list[Warn]]:
    warnings = []
    encoding = next((name for mark, name in _MARKS if raw.startswith(mark)), "utf-8-sig")
    try:
        text = raw.decode(encoding)
    except UnicodeDecodeError as error:
        before = raw[: error.start].decode(encoding, "replace").replace("\r\n", "\n").replace("\r", "\n")
        name = encoding.removesuffix("-sig").upper()
        warnings.append(Warn(path, "encoding", f"not {name}: some characters were replaced", before.count("\n") + 1))
        text = raw.decode(encoding, "replace")
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", ""), warnings


def _neuron(path: str, parts: Split, fields: Fields, body: str, config: Config) -> Neuron:
    stem = PurePosixPath(path).stem
    title = fields.text("title") or _first_h1(body) or stem
    day = date_of(title) if _is_day(title) else date_of(stem) if _is_day(stem) else ""
    weight = fields.number("weight")
    return Neuron(
        path=path,
        title=unicodedata.normalize("NFC", title),
        body=body,
        line=parts.at,
        id=fields.text("id") or path,
        kind=fields.text("kind") or ("daily" if day else "page"),
        tags=_tags(fields.texts("tags", "tag"), body),
        audience=_audience(parts, fields, config),
        aliases=fields.texts("aliases", "alias"),
        summary=fields.text("summary", "description"),
        confidence=fields.number("confidence", 0, 1),
        source_type=fields.text("source_type"),
        derived_from=fields.texts("derived_from"),
        user_note=fields.text("user_note"),
        user_note_shared=fields.only_true("user_note_shared"),
        created=fields.date("created", "date") or day,
        updated=fields.date("updated", "lastmod"),
        parent=fields.text("parent"),
        role=fields.text("role"),
        lang=fields.text("lang"),
        weight=1.0 if weight is None else weight,
        noindex=fields.switch("noindex"),
        extra=fields.extra(config.search_fields, config.audience_fields),
    )


def _is_day(name: str) -> bool:
    """Tell a daily note's name (N6)."""
    return bool(re.fullmatch(r"\d{4}-\d{2}-\d{2}", name) and date_of(name))


def _audience(parts: Split, fields: Fields, config: Config) -> tuple[str, ...] | None:
    """`None` where the file does not say; `()` where it tries to and nobody is named: then nobody sees it."""
    if parts.problem:
        return ()  # it may have said "curator": what cannot be read is not published
    names = [name for name in ("audience", *config.audience_fields) if said(parts.fields, name) is not None]
    readings = {name: _words(value[0]) for name in names if (value := said(parts.fields, name)) is not None}
    if len({frozenset(words) for words in readings.values()}) > 1:
        both = " and ".join(f"`{name}`" for name in names)
        fields.warn(names[-1], f"{both} name different audiences: nobody is taken to be named", "audience")
        return ()
    return next(iter(readings.values()), None)


def _words(value: object) -> tuple[str, ...]:
    """Read an audience. Unlike tags, it is not looked for in lists within a list: its author may have meant something else."""
    items = value.split(",") if isinstance(value, str) else value if isinstance(value, (list, tuple)) else [value]
    return tuple(word.lower() for item in items if (word := plain(item)))


def _tags(declared: tuple[str, ...], body: str) -> tuple[str, ...]:
    prose = _MARKUP.sub(" ", without(body, code(body))) if "#" in body else ""
    inline = [match["tag"].rstrip("/-") for match in _INLINE_TAG.finditer(prose)]
    seen: dict[str, None] = {}
    for tag in (*(tag.lstrip("#") for tag in declared), *inline):
        if tag:
            seen.setdefault(unicodedata.normalize("NFC", tag))
    return tuple(seen)


def _first_h1(body: str) -> str:
    """Find the first `# Heading`, or a line underlined by `===`, outside of code."""
    before = ""
    for line in without(body, fences(body)).splitlines():
        bare = line.rstrip()
        if bare.startswith(("# ", "#\t")):
            return _inline_text(re.sub(r"\s#+$", "", without_attributes(bare[1:])[0]).strip())
        if before and bare and not bare.strip("="):
            return _inline_text(without_attributes(before)[0].strip())
        before = bare
    return ""


def _inline_text(markdown: str) -> str:
    """Read a line of Markdown as a reader sees it: `Use *the* [CLI](cli.md)` → `Use the CLI`."""
    (line,) = _LINE.parseInline(markdown)
    return "".join(token.content for token in line.children or []).strip()

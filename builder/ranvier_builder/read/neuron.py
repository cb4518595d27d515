"""One Markdown file → one Neuron (N1, N2, N3, N6). Accepts any content; problems become warnings, never errors."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from ranvier_builder.composed import composed
from ranvier_builder.config import Config
from ranvier_builder.errors import ReadError
from ranvier_builder.markdown.claims import SIGN, mark_claims, strip_claims
from ranvier_builder.markdown.code import code, without
from ranvier_builder.markdown.dialects import is_drawing, to_markdown
from ranvier_builder.markdown.dialects.attributes import LIST
from ranvier_builder.markdown.dialects.comments import without_comments
from ranvier_builder.markdown.dialects.includes import MARK, mark_of_source
from ranvier_builder.markdown.dialects.logseq import SYSTEM_PROPERTY
from ranvier_builder.markdown.dialects.toctree import without_marks
from ranvier_builder.markdown.wikilink import REDACTED, replace_wikilinks
from ranvier_builder.model import Neuron, Warn
from ranvier_builder.paths import CANVAS, INDEXES, folder_label, suffix, without_export_id
from ranvier_builder.read.canvas import canvas_to_markdown
from ranvier_builder.read.frontmatter import Split, split
from ranvier_builder.read.home import home_page
from ranvier_builder.read.language import tag_of
from ranvier_builder.read.myst import page_substitutions
from ranvier_builder.read.snippets import has_snippets_below, is_out_of_menus, is_snippet, is_unlisted, is_unsearched
from ranvier_builder.read.titles import Title, title_of
from ranvier_builder.read.unfenced import status_of
from ranvier_builder.read.values import Fields, date_of, text_of
from ranvier_builder.read.withholding import audience, properties_of, withholds_below
from ranvier_builder.syntax import Syntax
from ranvier_builder.withheld import READ_LINE_BY_LINE

BYTES_MAX = 16_000_000  # a page of this size takes half a minute and 1.2 GB, and is too large for browsers
# Parts of Markdown without tags: HTML with scripts and pictures, link definitions (code in their names is a line break here),
# destinations of links, attribute lists of headings, ids of Docusaurus.
_NOT_PROSE = re.compile(
    r"<(?P<raw>script|style|svg)(?=[\s>])[^<]*+(?:<(?!/(?P=raw))[^<]*+)*+|<[^<>]*>"
    r"|^[> \t]*\[(?!\^)[^\]]{0,200}\]:[ \t]*+\n?[ \t]*(?:<[^<>\n]*>|\S+)"
    r"""[ \t]*+(?:"[^"\n]*"|'[^'\n]*'|\([^()\n]*\))?[ \t]*$"""
    rf"|\]\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)|{LIST}|\{{/\*[^{{}}\n]*\*/\}}",
    re.MULTILINE,
)
# `code`, not the apostrophes of O`zbekiston
_CODE_SPAN = re.compile(r"(?<![`\w\\])`(?!\s)([^`\n]+)(?<!\s)`(?!`)")
_NOTE_ID = re.compile(r"\A\d{12}(?:\d\d)?[ _-]+(?=\S)")  # of a Zettelkasten: `202401011200 Title`
_NUMBER = re.compile(r"\A\d{1,3}(?:[-_.]\d{1,3})?[-_.]+(?=[^\W\d])")  # `01-` of `01-introduction.md` and `01-guide/index.md`
# `#a/b`, not `&#x27;`, `/#x`, `# Title`, `{#id}`
_INLINE_TAG = re.compile(r"""(?<![\w&/#?\[({"'=])#(?P<tag>[^\W\d_][\w/-]*)""")
_CONFIDENCE_WORDS = {"high": 1.0, "medium": 0.8, "low": 0.5}  # words for a confidence, from [002]
_LOGSEQ_FIELDS = ("title", "alias", "tags")
# The properties that begin a page of Logseq, and those that are not shown. `- title:: x` is none: it also begins a list.
_PROPERTY_LINES = re.compile(r"\s*+(?:[ \t]*[\w-]+[ \t]*::[^\n]*(?:\n|\Z))+")
_HIDDEN_PROPERTY = re.compile(
    rf"^[ \t]*(?:(?:title|alias|tags|public|icon|filters|template)[ \t]*::[^\n]*|{SYSTEM_PROPERTY})", re.MULTILINE | re.I
)
# On a line of its own, with one colon. `std::move` is none.
_SHOWN_PROPERTY = re.compile(r"^([ \t]*[\w-]+)[ \t]*::(?!\S)([^\n]*)", re.MULTILINE)
# Words in a message of the YAML library → what to do, if quotes are not the cure or the message does not suggest them.
_CURES = (
    ("unhashable key", "a value that begins with `{` must be in quotes"),
    (r"'\t'", "use spaces, not tabs"),
    ("unexpected end of stream", "close the quote"),
    ("unknown escape", "write each backslash twice, or use single quotes"),
)
# Byte order marks; the longer ones first, because that of UTF-32 has that of UTF-16 as a prefix.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
BYTE_ORDER_MARKS = tuple(mark for mark, _ in _MARKS)


def read_neuron(root: Path, path: str, config: Config = Config()) -> tuple[Neuron, list[Warn]]:  # noqa: B008 (it is frozen)
    """Read a file. A file larger than `BYTES_MAX` is not read, and has no audience.

    Raises:
        ReadError: the file cannot be opened.

    """
    try:
        if (root / path).stat().st_size > BYTES_MAX:
            message = f"is larger than {BYTES_MAX // 1_000_000} MB: left out; split it, or list it under `exclude`"
            return _withheld(path), [Warn(path, "limit", message)]
        raw = (root / path).read_bytes()
    except OSError as error:
        is_gone = isinstance(error, FileNotFoundError)
        cure = "it was removed during the build: build again" if is_gone else "make it readable, or list it under `exclude`"
        raise ReadError(f"cannot be read: {error.strerror}", file=path, cure=cure) from None
    text, warnings = decode(raw, path)
    if suffix(path) == CANVAS:
        try:
            text = canvas_to_markdown(text)
        except ValueError as error:
            return _withheld(path), [*warnings, Warn(path, "frontmatter", f"is not a canvas that can be read: {error}")]
    plain = text.replace("\0", "")
    parts = split(plain, config.audience_fields)
    if 0 <= text.find("\0") < len(text) - len(parts.body):
        parts = replace(parts, problem="it contains a NUL character", line=1)
    warnings += _warnings_of(path, parts)
    if not plain.strip():
        warnings.append(Warn(path, "empty", "the file is empty"))
    clean = _Cleaner(config)
    parts, body = _with_properties(parts, clean)
    body = body.replace("\ufeff", "")
    body = mark_claims(body) if config.publish_for == "curator" else body
    syntax = _syntax(path, parts, clean)
    fields = Fields(path, parts)
    declared = clean(fields.text("title"))
    names = {"title": declared, "description": clean(text_of(parts.fields.get("description")) or "")} | _extra(fields, clean)
    body, problems = to_markdown(body, path, drawing=is_drawing(path, parts.fields), syntax=syntax, fields=names)
    warnings += [Warn(path, "markup", message, parts.body_line + line - 1) for line, message in problems]
    body = _or_source(body, parts)
    home = home_page(parts.fields, clean)  # its lines have the numbers of the lines above the text
    body, parts = home + body, replace(parts, body_line=parts.body_line - home.count("\n"))
    neuron = _neuron(root, path, parts, fields, strip_claims(body), declared, clean)
    return neuron, warnings + fields.warnings


def _warnings_of(path: str, parts: Split) -> Iterator[Warn]:
    """Yield the warning about a front matter, if it cannot be read or is read line by line."""
    if parts.problem:
        hint = f"; {cure}" if (cure := _cure(parts.problem)) else ""
        message = parts.problem if parts.kind == "audience" else f"frontmatter cannot be read: {parts.problem}{hint}"
        yield Warn(path, parts.kind, message, parts.line)
    elif parts.yaml_error:
        message = f"{READ_LINE_BY_LINE}; {_cure(parts.yaml_error) or 'put the value in quotes'}: {parts.yaml_error}"
        yield Warn(path, "frontmatter", message, parts.line)


def _syntax(path: str, parts: Split, clean: _Cleaner) -> Syntax:
    """Return the syntax of a page, with the substitutions of its own, and without variables that it does not use."""
    syntax = clean.config.syntax.of(path)
    if parts.fields.get("render_macros") is False or parts.fields.get("ignore_macros") is True:
        syntax = replace(syntax, variables=())
    values = {name: clean(text) for name, text in page_substitutions(parts.fields).items()}
    return replace(syntax, substitutions=(*syntax.substitutions, *values.items())) if values else syntax


def _or_source(body: str, parts: Split) -> str:
    """Return the text, or if it is empty, the mark of the page that the field `source` names."""
    return body if body.strip() else mark_of_source(text_of(parts.fields.get("source")) or "") or body


def _cure(message: str) -> str:
    return next((cure for words, cure in _CURES if words in message), "")


def _withheld(path: str) -> Neuron:
    return Neuron(path, PurePosixPath(path).stem, "", id=path, audience=())


def decode(raw: bytes, path: str) -> tuple[str, list[Warn]]:
    """Return the text of a file by its byte order mark, or in UTF-8; wrong bytes are replaced, with a warning."""
    warnings = []
    encoding = next((name for mark, name in _MARKS if raw.startswith(mark)), "utf-8-sig")
    try:
        text = raw.decode(encoding)
    except UnicodeDecodeError as error:
        valid_text = raw[: error.start].decode(encoding, "replace").replace("\r\n", "\n").replace("\r", "\n")
        name = encoding.removesuffix("-sig").upper()
        warnings.append(Warn(path, "encoding", f"not {name}: some characters were replaced", valid_text.count("\n") + 1))
        text = raw.decode(encoding, "replace")
    return text.replace("\r\n", "\n").replace("\r", "\n"), warnings


def _neuron(root: Path, path: str, parts: Split, fields: Fields, body: str, declared: str, clean: _Cleaner) -> Neuron:
    stem, config, heading = PurePosixPath(path).stem, clean.config, Title()
    body, contents = without_marks(body)
    if suffix(path) != CANVAS:  # headings of a canvas are those of its cards
        visible = MARK.sub("", clean.redact_links(body)).replace(SIGN, "")
        heading = title_of(visible, deep=not _is_name(stem), extensions=config.syntax.of(path).extensions)
    title = declared or clean(heading.words) or strip_claims(_title_from_path(root, path)).strip() or "page"
    day = date_of(title) if _is_day(title) else date_of(stem) if _is_day(stem) else ""
    weight, is_error_page = fields.number("weight"), path.rpartition(".")[0] == "404"  # of many systems
    all_fields = parts.hints | parts.fields
    unlisted = fields.switch("unlisted") or is_unlisted(all_fields) or is_error_page or status_of(parts.hints) == "hidden"
    is_index = stem.lower().partition(".")[0] in ("index", "_index")  # with a language in Hugo: `_index.de.md`
    return Neuron(
        path=path,
        title=composed(title),
        markdown=body,
        line=parts.body_line,
        id=clean(fields.text("id")) or strip_claims(path),
        kind=clean(fields.text("kind")) or ("daily" if day else "page"),
        tags=_tags(tuple(map(clean, fields.texts("tags", "tag"))), body),
        audience=audience(parts, fields, config),
        aliases=tuple(filter(None, map(clean, fields.texts("aliases", "alias")))),
        summary=_CODE_SPAN.sub(r"\1", clean(fields.text("summary", "description"))),  # shown as plain text
        confidence=fields.number("confidence", 0, 1, _CONFIDENCE_WORDS),
        source_type=clean(fields.text("source_type")),
        derived_from=fields.texts("derived_from"),
        user_note=clean(fields.text("user_note")),
        user_note_shared=fields.only_true("user_note_shared"),
        created=fields.date("created", "date") or day,
        updated=fields.date("updated", "lastmod"),
        parent=fields.text("parent"),
        role=clean(fields.text("role")),
        lang=_lang(clean(fields.text("lang")), fields),
        weight=1.0 if weight is None else weight,
        order=fields.order(),
        label=clean(fields.label()),
        has_title=bool(declared or heading.is_h1),
        heading_below="" if declared else composed(clean(heading.heading_below)),
        contents=tuple((strip_claims(label), target) for label, target in contents),
        addresses=fields.addresses(),
        translation=clean(fields.text("translationkey", "translation_key", "page_id")),  # of Hugo, others, and Polyglot
        noindex=fields.switch("noindex") or unlisted or is_unsearched(all_fields),
        unlisted=unlisted or is_out_of_menus(all_fields),
        is_snippet=is_snippet(path, parts.fields),
        snippets_below=has_snippets_below(parts.fields) if is_index else None,
        withholds_below=is_index and withholds_below(fields, parts.fields, config),
        extra=tuple(_extra(fields, clean).items()),
    )


def _extra(fields: Fields, clean: _Cleaner) -> dict[str, str]:
    """Return the other fields that the settings publish."""
    texts = fields.extra(clean.config.search_fields, clean.config.audience_fields)
    return {name: value for name, text in texts if (value := clean(text))}


def _lang(lang: str, fields: Fields) -> str:
    tag = tag_of(lang)
    if lang and not tag:
        fields.warn("lang", "lang must be a language tag such as de or pt-BR: ignored")
    return tag


@dataclass(frozen=True, slots=True)
class _Cleaner:
    """Filters the text of published fields: removes comments, and redacts names."""

    config: Config

    def __call__(self, text: str) -> str:
        if any(mark in text for mark in ("<!--", "%%", "<%--", "{")):
            text = without_comments(text).strip()
        return self.redact_links(text)

    def redact_links(self, text: str) -> str:
        """Redact the names of other pages if private links are redacted: the set of published pages is not known yet."""
        if "[[" in text and self.config.redact_private_links:
            return replace_wikilinks(text, lambda link: link.label or REDACTED)
        return text


def _title_from_path(root: Path, path: str) -> str:
    """Return a title from the name of the file, or of the folder for an index file: `index` is never a title."""
    stem = _NOTE_ID.sub("", PurePosixPath(path).stem).removesuffix(".excalidraw")
    name = without_export_id(stem).replace("___", "/")  # of Notion; of a namespace in Logseq
    name = day if _is_day(day := name.replace("_", "-")) else name  # of a journal in Logseq
    if name.lower() not in INDEXES:
        return name if _is_name(name) else _NUMBER.sub("", name)
    folder = PurePosixPath(path).parent.name or root.resolve().name
    return folder_label(_NUMBER.sub("", folder)) if folder == folder.lower() else folder


def _is_name(stem: str) -> bool:
    """Return whether a stem is a title, as `Project plan`, unlike `ch04-01-what-is-ownership`, `index` and `README`."""
    return (stem != stem.lower() and stem.lower() not in INDEXES) or " " in stem.strip() or _is_day(stem)


def _is_day(name: str) -> bool:
    """Return whether a name is that of a daily note (N6)."""
    return bool(re.fullmatch(r"\d{4}-\d{2}-\d{2}", name) and date_of(name))


def _with_properties(parts: Split, clean: _Cleaner) -> tuple[Split, str]:
    """Add the properties of a page in Logseq that are also fields, without the brackets of links that are not redacted.

    Return the other text, too.
    """
    if parts.fields or parts.problem or not _PROPERTY_LINES.match(parts.body):
        return parts, parts.body
    body = without_comments(parts.body)  # one that begins in a hidden property may end below it
    lines = _PROPERTY_LINES.match(body)
    if lines is None:
        return parts, body
    properties = properties_of(lines.group())
    values = {name: clean(properties[name]) for name in _LOGSEQ_FIELDS if name in properties}
    fields = {name: re.sub(r"\[\[|\]\]|#", "", value).strip() for name, value in values.items()}
    shown = _SHOWN_PROPERTY.sub(r"\1:\2  ", _HIDDEN_PROPERTY.sub("", lines.group()))
    return replace(parts, fields=fields), shown + body[lines.end() :]


def _tags(declared: tuple[str, ...], body: str) -> tuple[str, ...]:
    prose = _NOT_PROSE.sub(" ", without(body, code(body))) if "#" in body else ""
    inline = [match["tag"].rstrip("/-") for match in _INLINE_TAG.finditer(prose)]
    unique: dict[str, None] = {}
    for tag in (*(tag.lstrip("#") for tag in declared), *inline):
        if tag:
            unique.setdefault(composed(tag))
    return tuple(unique)

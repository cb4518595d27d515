"""A file's text → its frontmatter and its body. YAML between `---`, TOML between `+++`, or JSON that begins the file.

Behind the first `---` may be a language, as gray-matter and Eleventy read it: `---json`.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Collection, Hashable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import Any

import yaml
from frontmatter.default_handlers import YAMLHandler
from yaml.parser import ParserError
from yaml.reader import ReaderError
from yaml.scanner import ScannerError

from ranvier_builder.composed import composed
from ranvier_builder.read import bounds, scalars
from ranvier_builder.read.lenient import PUBLISHING, WITHHOLDING, UnclearError, read_entries, resembles_audience
from ranvier_builder.read.settings import folded
from ranvier_builder.read.unfenced import unfenced

_YAML = re.compile(
    r"\A[\s\ufeff\ufffd\u200b]*---[ \t]*(?:ya?ml\b|(?P<language>json|js|javascript)\b)?[^\S\n]*(?:#[^\n]*)?\n"
    r"(?P<head>.*?)^(?:---|\.\.\.)[^\S\n]*(?:\n|\Z)",
    re.DOTALL | re.MULTILINE,
)
_TOML = re.compile(
    r"\A[\s\ufeff\ufffd\u200b]*(?:\+\+\+|(?P<language>---[ \t]*toml))[ \t]*\n"
    r"(?P<head>.*?)^(?(language)---|\+\+\+)[ \t]*(?:\n|\Z)",
    re.DOTALL | re.MULTILINE,
)
_SCRIPT_KEY = re.compile(r"[\w$@][\w$@.: -]*")
_JSON = re.compile(r"\A[\s\ufeff\u200b]*(?=\{\s*\")")
# The opening line of a frontmatter without an end, and a possible first key.
_UNCLOSED = re.compile(r"\A[\s\ufeff\ufffd\u200b]*(?:---[^\S\n]*(?:#[^\n]*)?|\+\+\+[^\S\n]*)\n\s*[\w-]+[ \t]*[:=]")
# An audience in an unsupported place: on a line of its own, or in the export of a script. Such a file does not get the default
# audience. A list of parameters has the word as code, - `audience`: words.
_AUDIENCE_LINE = re.compile(
    r"^(?![ \t]*[-*+][ \t]+`audiences?`)[^\w\n]*+audiences?[^\w\n]{0,20}[:=]|"
    r"^export\b[^\n]*\baudiences?\b[\"']?\s*[:=]",
    re.IGNORECASE | re.MULTILINE,
)
# A field for the audience or for withholding, anywhere in a text that begins like a frontmatter but is not one.
_AUDIENCE_HINT = re.compile(
    r"audience\w{0,20}[\"']?\s*[:=]|(?:^|[{,])[ \t\"']*(?:draft|private|(?:dg-)?publi(?:c|sh|shed)|visibility)[\"']?[ \t]*[:=]",
    re.IGNORECASE | re.MULTILINE,
)
_OPENING = re.compile(r"\A[\s\ufeff\ufffd\u200b]*(?:---|\+\+\+|;;;|\{(?![{%#:<]))")
_SEARCHED = 8000  # characters of a body that are searched for it
_FENCE = re.compile(r"(?P<margin>[ \t>]*)(?P<run>`{3,}|~{3,})(?P<tail>.*)")
# A fence behind the marker of a list item, which may end with the item.
_FENCE_IN_ITEM = re.compile(r"[ \t>]*(?:(?:[-+*]|\d{1,9}[.)])[ \t]+)+(?:`{3}|~{3})")


@dataclass(frozen=True, slots=True)
class Split:
    """A frontmatter and a body. `problem` is the reason why a frontmatter is invalid or not trusted. Keys are in lower case."""

    fields: dict[str, Any]
    body: str
    problem: str = ""
    line: int = 0  # of the problem
    kind: str = "frontmatter"  # of the problem: or "audience"
    body_line: int = 1
    lines: dict[str, int] = field(default_factory=dict)  # field → line
    is_read: bool = False  # there is a frontmatter, and it was read
    yaml_error: str = ""  # the message of the YAML library, if invalid YAML was read entry by entry; `line` is its line
    hints: dict[str, Any] = field(default_factory=dict)  # fields on lines that begin the file, without a `---` above them


def split(text: str, audience_fields: Collection[str] = ()) -> Split:
    """Split a text into frontmatter and body; an invalid frontmatter is not part of the body either.

    `audience_fields` are other names of the field `audience`. A field with a similar name is a problem: its meaning is unknown,
    so the file gets no audience.
    """
    split = _split(text, audience_fields)
    names = ("audience", *audience_fields)
    if name := next((name for name in names if name.lower().partition(".")[0] in split.hints), ""):
        message = f"the file names an audience in `{name}`: put a line of `---` above and below its fields"
        return Split({}, text, message, split.lines.get(name.lower().partition(".")[0], 1), "audience")
    if split.problem or any(field_value(split.fields, name) is not None for name in names):
        return split
    if similar := _similar_field(split.hints | split.fields):
        cure = f'set audience_fields = ["{similar}"] in ranvier.toml, or write `audience:`'
        message = f"the field `{similar}` may be an audience, but is not read as one: {cure}"
        line = split.lines.get(similar) or split.lines.get(similar.partition(".")[0], 1)
        return replace(split, problem=message, line=line, kind="audience")
    head = text[: len(text) - len(split.body)]
    for part, line in ((head, 1), (split.body[:_SEARCHED], split.body_line)):
        plain = composed(part, "NFKC")
        if match := _audience_line(plain, "" if part is head else split.body, is_read=split.is_read) or (
            not split.is_read and _OPENING.match(text) and _AUDIENCE_HINT.search(plain)
        ):
            message = "the file names an audience, but its frontmatter is not closed or cannot be read"
            if split.is_read and part is not head:
                message = "a line of the text names an audience: move it into the frontmatter, or put another word before it"
            return Split({}, split.body, message, line + plain.count("\n", 0, match.end()), "audience", split.body_line)
    return split


def head_of(text: str) -> str:
    """Return a front matter, with the lines around it. JSON is data if nothing follows it, or only more JSON."""
    if block := _YAML.match(text) or _TOML.match(text):
        return block.group()
    parts = _json(text)
    is_data = parts is None or not parts.body.strip() or _JSON.match(parts.body)
    return "" if parts is None or is_data else text[: len(text) - len(parts.body)]


def field_value(fields: dict[str, Any], name: str) -> tuple[Any] | None:
    """Return the value of a field by its name, or by a path of nested fields, `ms.audience`; `None` if it is missing."""
    name = name.lower()
    if name in fields:
        return (fields[name],)
    parent, dot, subpath = name.partition(".")
    inner = fields.get(parent) if dot else None
    return field_value(folded(inner), subpath) if isinstance(inner, dict) else None


def _similar_field(fields: dict[str, Any]) -> str:
    """Find a field that could mean an audience: misspelt, as part of a longer name, or nested in another field."""
    plain = {composed(name, "NFKC"): name for name in fields}
    misspelt = filter(resembles_audience, plain)
    parts = [name for name in plain if "audience" in name]
    similar = next(iter((*parts, *get_close_matches("audience", plain, 1, 0.8), *misspelt)), "")
    return plain[similar] if similar else next((".".join(keys) for keys in _nested_keys(fields) if "audience" in keys[-1]), "")


def _audience_line(plain: str, body: str, *, is_read: bool) -> re.Match[str] | None:
    """Find a line that names an audience, outside of the code blocks of a body."""
    matches = list(_AUDIENCE_LINE.finditer(plain))
    code = code_lines(body, is_read=is_read) if matches else ()
    return next((match for match in matches if plain.count("\n", 0, match.start()) not in code), None)


def code_lines(body: str, *, is_read: bool) -> set[int]:
    """Return the numbers of the lines in fenced code blocks, from 0; none if the blocks are unclear.

    They are unclear if a block is not closed, or if a line in it does not begin as its fence does: a quote or a list may end
    there. Without frontmatter, a block that begins the file or with a header may be the whole file.
    """
    code, fence, has_text, is_first = set[int](), None, is_read, False
    for number, line in enumerate(body.split("\n")):
        run = _FENCE.match(line)
        if fence is not None:
            margin = fence["margin"]
            if line.strip() and not line.startswith(margin) and line.rstrip() != margin.rstrip():
                return set()
            if is_first and not is_read and _OPENING.match(line[len(margin) :]):
                return set()
            is_first = is_first and not line.strip(" \t>")
            code.add(number)
            if run and run["run"].startswith(fence["run"]) and not run["tail"].strip(" \t"):
                if run["margin"] != margin:
                    return set()
                fence = None
        elif run and not (run["run"][0] == "`" and "`" in run["tail"]):
            if not has_text:
                return set()
            fence, is_first = run, True
        elif _FENCE_IN_ITEM.match(line):
            return set()
        else:
            has_text = has_text or any(map(str.isalpha, line))
    return set() if fence is not None else code


def _nested_keys(value: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield the path of each key, those of a map before those in it; `bounds` limits their number and depth."""
    if isinstance(value, dict):
        inner = [((*path, composed(str(key), "NFKC").lower()), item) for key, item in value.items()]
        yield from (keys for keys, _ in inner)
    else:
        inner = [(path, item) for item in value] if isinstance(value, (list, tuple)) else []
    for keys, item in inner:
        yield from _nested_keys(item, keys)


def _split(text: str, audience_fields: Collection[str]) -> Split:
    block = _YAML.match(text) or _TOML.match(text)
    if block is None:
        problem = "frontmatter is not closed by a line of `---`" if _UNCLOSED.match(text) else ""
        return _json(text) or (Split({}, text, problem, 1) if problem else _unfenced(text))
    body, body_line = text[block.end() :], text.count("\n", 0, block.end()) + 1
    lines_above = text.count("\n", 0, block.start("head"))
    try:
        fields = (_script if block["language"] else _yaml)(block["head"]) if block.re is _YAML else _toml(block["head"])
    except bounds.TooLarge as error:
        return Split({}, body, str(error), lines_above + error.line if error.line else 1, body_line=body_line)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        reason, line = getattr(error, "problem", None) or str(error), lines_above + mark.line + 1 if mark else 1
        if block["language"] or not isinstance(error, (ScannerError, ParserError, ReaderError)):
            return Split({}, body, reason, line, body_line=body_line)
        return _entries(Split({}, body, reason, line, body_line=body_line), block["head"], lines_above, audience_fields)
    except Exception as error:  # the YAML library raises ValueError, KeyError, IndexError and others for invalid scalars
        reason, *at = re.split(r" \(at line (\d+), column \d+\)$", str(error) or type(error).__name__)
        return Split({}, body, reason, lines_above + int(at[0]) if at else 1, body_line=body_line)
    return _fields(fields, body, body_line, block["head"], lines_above)


def _unfenced(text: str) -> Split:
    head, fields = unfenced(text), None
    if head is None:
        return Split({}, text)
    # A line `Password: x` of a manual encrypts no page.
    hints = {name: value for name, value in head.fields.items() if name != "password"}
    if not head.is_metadata:
        return Split({}, text, lines=_lines(head.text, 0), hints=hints)
    with suppress(Exception):  # see `_split`
        fields = _yaml(head.text) if head.is_yaml else None
    fields = fields if isinstance(fields, dict) else head.fields
    split = _fields(fields, text[head.end :], text.count("\n", 0, head.end) + 1, head.text, 0)
    return replace(split, is_read=False, hints=hints)


def _entries(split: Split, head: str, lines_above: int, audience_fields: Collection[str]) -> Split:
    """Read a front matter that is invalid YAML entry by entry, if the audience of the file is clear."""
    try:
        fields, line = read_entries(head, ("audience", *audience_fields, *WITHHOLDING, *PUBLISHING), _yaml)
    except UnclearError as error:
        return replace(split, problem=f"{split.problem}; and {error}", line=lines_above + error.line)
    return replace(
        _fields(fields, split.body, split.body_line, head, lines_above),
        yaml_error=split.problem,
        line=lines_above + line if line else split.line,
    )


def _fields(fields: Any, body: str, body_line: int, head: str, lines_above: int) -> Split:
    if not isinstance(fields, dict):
        return Split({}, body, "frontmatter is not a set of `key: value` lines", 1, body_line=body_line)
    lower = {str(key).strip().lower(): value for key, value in fields.items()}
    if len(lower) < len(fields):  # in TOML `audience` and `Audience` are different keys; for an author they are not
        return Split({}, body, "a key appears twice", 1, body_line=body_line)
    return Split(lower, body, body_line=body_line, lines=_lines(head, lines_above), is_read=True)


def _lines(head: str, lines_above: int) -> dict[str, int]:
    """Find the line of each field that begins a line."""
    lines: dict[str, int] = {}
    for number, line in enumerate(head.split("\n"), lines_above + 1):
        key = re.match(r"""\s{0,2}["'\[]?([^\s"':=\[\]#][^"':=\[\]]{0,80}?)["'\]]?\s*(?:[:=]|$)""", line)
        if key:
            lines.setdefault(key[1].strip().lower(), number)
    return lines


def _json(text: str) -> Split | None:
    """Read JSON at the beginning of a file that ends at the end of a line; anything else in braces is text."""
    begin = _JSON.match(text)
    if begin is None:
        return None
    first = begin.end() + bounds.CHARACTERS_MAX
    try:
        fields, end = json.JSONDecoder(object_pairs_hook=unique_keys).raw_decode(text[:first], begin.end())
        bounds.check_values(fields)
    except json.JSONDecodeError:
        return Split({}, text, bounds.TOO_LONG, 1) if len(text) > first else None
    except RecursionError:
        return Split({}, text, bounds.TOO_DEEP, 1)
    except ValueError as error:
        return Split({}, text, str(error), 1)
    stop = text.find("\n", end)
    stop = len(text) if stop < 0 else stop + 1
    if text[end:stop].strip():
        return None
    lines_above = text.count("\n", 0, begin.end())
    return _fields(fields, text[stop:], text.count("\n", 0, stop) + 1, text[begin.end() : end], lines_above)


def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of JSON; raise `ValueError` if a key occurs twice, also in another case."""
    if len({key.strip().lower() for key, _ in pairs}) < len(pairs):
        raise ValueError("a key appears twice")
    return dict(pairs)


class _Loader(bounds.BoundedLoader):
    """YAML according to its standard: a duplicate key is an error."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        names = set()
        for key, _ in node.value:
            name = str(key.value).strip().lower()
            if name in names and name != "<<":
                raise yaml.constructor.ConstructorError(None, None, f"the key {name!r} appears twice", key.start_mark)
            names.add(name)
        return super().construct_mapping(node, deep)

    def construct_yaml_timestamp(self, node: yaml.ScalarNode) -> Any:
        """Read an invalid date, `2024-13-45`, as text, so that only this field is wrong."""
        try:
            return super().construct_yaml_timestamp(node)
        except (ValueError, OverflowError):
            return self.construct_scalar(node)


_Loader.add_constructor("tag:yaml.org,2002:timestamp", _Loader.construct_yaml_timestamp)
scalars.keep_spellings(_Loader)


def _yaml(head: str) -> Any:
    bounds.check_length(head)
    return YAMLHandler().load(head, Loader=_Loader) or {}


def _script(head: str) -> Any:
    """Read an object of JSON or JavaScript as YAML, in which `draft:true` and `/* x */ draft: true` have other meanings."""
    fields = _yaml(head.expandtabs(1))  # YAML has no tabs between values
    is_object = head.lstrip().startswith("{") and isinstance(fields, dict) and all(map(_SCRIPT_KEY.fullmatch, map(str, fields)))
    if not is_object or any(value is None and f'"{key}":' not in head for key, value in fields.items()):
        raise ValueError("only an object of names and values is read, with a blank behind each `:`")
    return fields


def _toml(head: str) -> dict[str, Any]:
    bounds.check_length(head)
    bounds.check_toml_keys(head)
    try:
        fields = tomllib.loads(head)
    except RecursionError:
        raise bounds.TooLarge(bounds.TOO_DEEP) from None
    bounds.check_values(fields)
    return fields

"""The directives of MyST in a text: where they are, their arguments and options, and which of them no reader sees."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from ranvier_builder.markdown.code import fences
from ranvier_builder.markdown.dialects.containers import matching_fences
from ranvier_builder.markdown.dialects.kinds import NAMES
from ranvier_builder.markdown.dialects.source import MarkdownSource

OPENER = re.compile(
    r"^(?P<before>[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*)(?P<fence>`{3,}|~{3,}|:{3,})[ \t]*"
    r"(?:\{(?P<name>[A-Za-z][\w:+.-]*)\}|admonish(?![^\s.\"])(?:[ \t]+(?P<kind>\w+)(?![\w=]))?|ad-(?P<ad>[\w-]+))"
    r"(?P<argument>[^\n]*)$",
    re.MULTILINE,
)
_ADMONISH_TITLE = re.compile(r"\"(?P<title>[^\"]*)\"")
_COLONS = re.compile(r"^[ \t>]*(?P<fence>:{3,})[ \t]*$", re.MULTILINE)
_LAST_LINE = re.compile(r"\n[ \t>]*(?P<fence>`{3,}|~{3,})[ \t]*\Z")
_YAML = re.compile(r"[ \t>]*---[ \t]*\n(?:(?![ \t>]*---)[^\n]*\n){0,50}[ \t>]*---[ \t]*$", re.MULTILINE)
# A value may continue on the next line, behind another colon: `:alt: A nerve`, `: and its cell`.
_OPTIONS = re.compile(r"(?:[ \t>]*:[\w-]+:(?:[ \t][^\n]*)?\n(?:[ \t>]*:[ \t][^\n]*\n)*)*")
_AD_OPTIONS = re.compile(r"(?:[ \t>]*(?:title|collapse|icon|color):[^\n]*\n)*")  # of Obsidian's plugin Admonition
_CONTINUED = re.compile(r"\n[ \t>]*:[ \t]+")
_OPTION = re.compile(r"^[ \t>]*:?(?P<name>[\w-]+):[ \t]*(?P<quote>[\"']?)(?P<value>[^\n]*?)(?P=quote)[ \t]*$", re.MULTILINE)
_LINES = re.compile(r"[\d, -]+")
_NUMBER = re.compile(r"[0-9]{1,5}")
RAW = "raw"  # its contents are HTML
_HIDDEN = frozenset(
    """contents currentmodule default-domain default-role highlight ifconfig index meta module py:currentmodule py:module
    sectnum tableofcontents tabularcolumns testcleanup testsetup toctree todo todolist""".split()
)
LISTINGS = {"doctest": "pycon", "testcode": "python", "testoutput": "text", "parsed-literal": "text", "mermaid": "mermaid"}
_CODE = frozenset("code code-block code-cell sourcecode".split())
PICTURES = frozenset(("image", "figure"))
LITERAL = _CODE | LISTINGS.keys() | _HIDDEN | {"math"}  # their contents are not Markdown
# Each kind of include, and its options that are read or that change only the look.
INCLUDES = {
    "include": frozenset(
        """class encoding end-at end-before end-line heading-offset lines name parser relative-docs relative-images start-after
        start-at start-line tab-width""".split()
    ),
    "literalinclude": frozenset(
        """caption class dedent emphasize-lines encoding end-at end-before end-line force language lineno-match lineno-start
        linenos lines name start-after start-at start-line tab-width""".split()
    ),
}
CUTS = (("start-at", "start-after"), ("end-at", "end-before"))  # choose a part of a file by words; of a pair, the first counts
LINE_NUMBERS = ("start-line", "end-line")  # from 0
_HTML_TAGS = ("html", "format_html", "builder_html", "builder_dirhtml")  # of Sphinx, if it makes HTML
MAX_CAPTION = 200  # characters


@dataclass(slots=True)
class Directive:
    """A closed directive; `start` is its fence, `body` the line below its options, and `last` its closing fence."""

    start: int
    first_end: int
    body: int
    last: int
    end: int
    before: str
    fence: str
    name: str
    argument: str
    options: dict[str, str]

    @property
    def is_partial(self) -> bool:
        """Whether it includes a part of a file, by options that are not read."""
        has_other_lines = _LINES.fullmatch(self.options.get("lines", "1")) is None
        has_other_lines |= not all(_NUMBER.fullmatch(self.options.get(name, "0")) for name in LINE_NUMBERS)
        has_other_lines |= any(not 0 < len(self.options.get(name, "x")) <= MAX_CAPTION for cut in CUTS for name in cut)
        return self.name in INCLUDES and (has_other_lines or not self.options.keys() <= INCLUDES[self.name])

    @property
    def is_hidden(self) -> bool:
        """Whether no reader of a site sees it."""
        return is_hidden(self.name, self.argument)

    @property
    def moves(self) -> bool:
        """Whether a listing or a picture may begin on a line of its options; then no blank lines become part of it."""
        return self.body > self.first_end + 1 and not self.before.strip(" \t>")


def is_hidden(name: str, argument: str) -> bool:
    """Return whether no reader sees a directive: Sphinx hides a `todo`; `only` and `raw` may be for another format."""
    if name == RAW:
        return "html" not in argument.lower().split()
    return name in _HIDDEN or (name == "only" and not _is_for_html(argument))


def _is_for_html(tags: str) -> bool:
    """Return whether Sphinx shows an `only` with such tags, `(html or latex) and not draft`; one with an error is."""

    def value(node: ast.AST) -> bool:
        if isinstance(node, ast.BoolOp):
            return (all if isinstance(node.op, ast.And) else any)(map(value, node.values))
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return not value(node.operand)
        return not isinstance(node, ast.Name) or node.id.lower() in _HTML_TAGS

    try:
        return value(ast.parse(tags.strip(), mode="eval").body)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return bool(tags.strip())


def read_directives(source: MarkdownSource) -> Iterator[Directive]:
    """Yield the directives that are closed, in order, without those in listings of colons."""
    openers = [*_between_colons(source.text), *_between_ticks(source.text)]
    end_of_listing = end_of_glossary = -1
    for opener, last, end in sorted(openers, key=lambda entry: entry[0].start()):
        name, fence = (opener["name"] or opener["kind"] or opener["ad"] or "note").lower(), opener["fence"]
        if opener.start() < (end_of_glossary if name == "glossary" else end_of_listing):
            continue
        end_of_glossary = end if name == "glossary" else end_of_glossary
        end_of_listing = end if name in LITERAL else end_of_listing
        body, options = _options(source.text, opener.end() + 1, last, _AD_OPTIONS if opener["ad"] else _OPTIONS)
        argument = opener["argument"].strip()
        if opener["name"] is None:
            title = _ADMONISH_TITLE.search(argument)
            name, argument = name if name in NAMES else "note", title["title"] if title else options.get("title", "")
        yield Directive(opener.start("fence"), opener.end(), body, last, end, opener["before"], fence, name, argument, options)


def _between_ticks(text: str) -> Iterator[tuple[re.Match[str], int, int]]:
    """Yield opening lines, with the offsets of the closing fence and of its end."""
    for start, end in fences(text):
        opener = OPENER.match(text, start, end)
        closer = _LAST_LINE.search(text, max(start, text.rfind("\n", start, end - 1)), end - text.endswith("\n", start, end))
        if opener and closer and closer["fence"].startswith(opener["fence"]):
            yield opener, closer.start("fence"), closer.end()


def _between_colons(text: str) -> Iterator[tuple[re.Match[str], int, int]]:
    """Yield the same for colons."""
    pairs = matching_fences(text)[0] if ":::" in text else {}
    starts = [0, *(newline.end() for newline in re.finditer("\n", text))] if pairs else []
    for first, last in pairs.items():
        opener = OPENER.match(text, starts[first])
        closer = _COLONS.match(text, starts[last])
        if opener and closer:
            yield opener, closer.start("fence"), closer.end()


def _options(text: str, at: int, last: int, syntax: re.Pattern[str]) -> tuple[int, dict[str, str]]:
    """Return where the options from an offset on end, including a blank line, and the options."""
    yaml = _YAML.match(text, at, last)
    end = yaml.end() + 1 if yaml else at
    options = syntax.match(text, end, last)
    end = options.end() if options else end
    values = {option["name"]: option["value"] for option in _OPTION.finditer(_CONTINUED.sub(" ", text[at:end]))}
    if end > at and not text[end : (blank := text.find("\n", end))].strip(" \t>") and blank < last:
        end = blank + 1
    return end, values

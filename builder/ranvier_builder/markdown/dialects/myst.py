"""MyST's directives, ```` ```{note} Title ```` and `:::{note} Title`, become boxes, listings, pictures, formulas and terms.

The lines of options below the first line, `:class: wide` or YAML between `---`, are removed. Between backticks, an unknown
directive stays a listing. Boxes of mdbook-admonish, ```` ```admonish note "Title" ````, are read in the same way.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace

from ranvier_builder.markdown.code import code, escaped_signs, fences, longer_fence
from ranvier_builder.markdown.dialects import list_tables, rst, toctree
from ranvier_builder.markdown.dialects.containers import matching_fences
from ranvier_builder.markdown.dialects.includes import include_mark, listing_mark
from ranvier_builder.markdown.dialects.kinds import FOLDED, NAMES, TABS
from ranvier_builder.markdown.dialects.roles import NAMES as NAMES_OF_ROLES
from ranvier_builder.markdown.dialects.source import Edit, MarkdownSource

_OPENER = re.compile(
    r"^(?P<before>[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*)(?P<fence>`{3,}|~{3,}|:{3,})[ \t]*"
    r"(?:\{(?P<name>[A-Za-z][\w:+.-]*)\}|admonish(?![^\s.\"])(?:[ \t]+(?P<kind>\w+)(?![\w=]))?)(?P<argument>[^\n]*)$",
    re.MULTILINE,
)
_ADMONISH_TITLE = re.compile(r"\"(?P<title>[^\"]*)\"")
_ROLE_OR_LABEL = re.compile(r"(?<![$\w])\{(?P<name>[A-Za-z][\w+:.-]*)\}`|^\([\w .:/-]+\)=[ \t]*$", re.MULTILINE)
# A comment; the border of a notebook's cells or of a card's foot, `+++`; and that of a card's head, `^^^`.
_LINE_COMMENT = re.compile(r"^ {0,3}(?:%(?!%)[^\n]*|\+{3,}(?:[ \t][^\n]*)?|\^{3,}[ \t]*)$", re.MULTILINE)
# Metadata of a page in Sphinx, as a list of fields.
_METADATA = re.compile(r"\A\s*(?::(?:orphan|tocdepth|nosearch|nocomments|no-search|html_theme[\w.]*):[^\n]*(?:\n|\Z))+")
_COLONS = re.compile(r"^[ \t>]*(?P<fence>:{3,})[ \t]*$", re.MULTILINE)
_LAST_LINE = re.compile(r"\n[ \t>]*(?P<fence>`{3,}|~{3,})[ \t]*\Z")
_YAML = re.compile(r"[ \t>]*---[ \t]*\n(?:(?![ \t>]*---)[^\n]*\n){0,50}[ \t>]*---[ \t]*$", re.MULTILINE)
# A value may continue on the next line, behind another colon: `:alt: A nerve`, `: and its cell`.
_OPTIONS = re.compile(r"(?:[ \t>]*:[\w-]+:(?:[ \t][^\n]*)?\n(?:[ \t>]*:[ \t][^\n]*\n)*)*")
_CONTINUED = re.compile(r"\n[ \t>]*:[ \t]+")
_OPTION = re.compile(r"^[ \t>]*:?(?P<name>[\w-]+):[ \t]*(?P<quote>[\"']?)(?P<value>[^\n]*?)(?P=quote)[ \t]*$", re.MULTILINE)
_MARGIN = re.compile(r"[ \t>]*")
_LINES = re.compile(r"[\d, -]+")
_NUMBER = re.compile(r"[0-9]{1,5}")
_LANGUAGE = re.compile(r"[\w+#.-]+")
_FILE = re.compile(r"[^\s{}:]+")
_GLOB = re.compile(r"[*?\[]")
_NOT_NEWLINE = re.compile(r"[^\n]")
_PRIVATE = re.compile(r"<!--|%%|\[\[|\{[#/:{%]|<%")  # begin comments and names

_CONTENTS = "toctree"
_RAW = "raw"  # its contents are HTML
_HIDDEN = frozenset(
    """contents currentmodule default-domain default-role highlight ifconfig index meta module py:currentmodule py:module
    sectnum tableofcontents tabularcolumns testcleanup testsetup toctree todo todolist""".split()
)
_LISTINGS = {"doctest": "pycon", "testcode": "python", "testoutput": "text", "parsed-literal": "text", "mermaid": "mermaid"}
_CODE = frozenset("code code-block code-cell sourcecode".split())
_PICTURES = frozenset(("image", "figure"))
_LITERAL = _CODE | _LISTINGS.keys() | _HIDDEN | {"math"}  # their contents are not Markdown
_VERSIONS = {
    "versionadded": ("tip", "Added in version"),
    "versionchanged": ("note", "Changed in version"),
    "deprecated": ("warning", "Deprecated since version"),
    "versionremoved": ("warning", "Removed in version"),
}
_TITLED = frozenset("card dropdown grid-item-card list-table margin rubric sidebar table topic".split())
# Their argument is a number of columns, or a class.
_UNTITLED = frozenset("container div epigraph figure-md grid grid-item highlights hlist only pull-quote tab-set".split())
# Each kind of include, and its options that are read or that change only the look.
_INCLUDES = {
    "include": frozenset(
        """class encoding end-at end-before end-line heading-offset lines name parser relative-docs relative-images start-after
        start-at start-line tab-width""".split()
    ),
    "literalinclude": frozenset(
        """caption class dedent emphasize-lines encoding end-at end-before end-line force language lineno-match lineno-start
        linenos lines name start-after start-at start-line tab-width""".split()
    ),
}
_CUTS = (("start-at", "start-after"), ("end-at", "end-before"))  # choose a part of a file by words; of a pair, the first counts
_LINE_NUMBERS = ("start-line", "end-line")  # from 0
_HTML_TAGS = ("html", "format_html", "builder_html", "builder_dirhtml")  # of Sphinx, if it makes HTML
_BOXES = NAMES | FOLDED | TABS | _VERSIONS.keys() | _TITLED | _UNTITLED | {"admonition"}
_NAMES = _BOXES | _LITERAL | _PICTURES | _INCLUDES.keys() | {_RAW, rst.NAME}
_MAX_CAPTION = 200  # characters
_BOX_COLONS = 9  # more than in fences of authors, so that colons in the contents close nothing
_BOX_END = re.compile(rf"^[ \t>]*:{{{_BOX_COLONS}}}$", re.MULTILINE)
_MAX_ROUNDS = 10  # levels of directives in directives


@dataclass(slots=True)
class _Directive:
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
        has_other_lines |= not all(_NUMBER.fullmatch(self.options.get(name, "0")) for name in _LINE_NUMBERS)
        has_other_lines |= any(not 0 < len(self.options.get(name, "x")) <= _MAX_CAPTION for cut in _CUTS for name in cut)
        return self.name in _INCLUDES and (has_other_lines or not self.options.keys() <= _INCLUDES[self.name])

    @property
    def is_hidden(self) -> bool:
        """Whether no reader of a site sees it."""
        return _is_hidden(self.name, self.argument)

    @property
    def moves(self) -> bool:
        """Whether a listing or a picture may begin on a line of its options; then no blank lines become part of it."""
        return self.body > self.first_end + 1 and not self.before.strip(" \t>")


def _is_hidden(name: str, argument: str) -> bool:
    """Return whether no reader sees a directive: Sphinx hides a `todo`; `only` and `raw` may be for another format."""
    if name == _RAW:
        return "html" not in argument.lower().split()
    return name in _HIDDEN or (name == "only" and not _is_for_html(argument))


_RST = rst.Rst(_BOXES | _PICTURES | {"include"}, _LITERAL | {_RAW}, _is_hidden)


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


def myst(source: MarkdownSource) -> None:
    """Convert the directives, from the outer ones to the inner ones."""
    if ":" in source:
        source.drop(_METADATA)
    for _ in range(_MAX_ROUNDS):
        if not ("{" in source or "admonish" in source) or not _OPENER.search(source.text):
            return
        directives = list(_directives(source))
        original, around = source.text, _lines_around(source.text, directives)
        visible = [line for line, is_around in zip(_without_code(original), around, strict=True) if is_around]
        for directive in directives:
            if directive.is_partial:
                source.report(directive.start, f"an include with options is not read, and left out: {directive.argument}")
        source.apply(edit for directive in directives for edit in _edits(original, directive))
        if source.text == original:
            return
        visible_now = [line for line, is_around in zip(_without_code(source.text), around, strict=True) if is_around]
        if visible != visible_now or any(source.in_code(line.end() - 1) for line in _BOX_END.finditer(source.text)):
            # A comment below the directive would become code, and would be shown.
            source.apply([(0, len(source.text), original)])
            source.report(directives[0].start, "code in a directive is not closed: the directives are shown as they are")
            return


def is_myst(source: MarkdownSource) -> bool:
    """Return whether a page has a directive, a role or a label: only there, `% words` is a comment, and `+++` a border."""
    names = (match["name"] for match in _ROLE_OR_LABEL.finditer(source.text))
    has_role_or_label = any(name is None or name.rpartition(":")[2] in NAMES_OF_ROLES for name in names)
    return has_role_or_label or any(opener["name"] in _NAMES for opener in _OPENER.finditer(source.text))


def drop_line_comments(source: MarkdownSource) -> None:
    """Remove the comments of a page, `% words`, and the borders of cells and cards, outside of code and mathematics."""
    source.drop(_LINE_COMMENT, tex=True)


def _lines_around(text: str, directives: list[_Directive]) -> list[bool]:
    """Return for each line of a text whether it is in no directive."""
    starts = [0, *(newline.end() for newline in re.finditer("\n", text))]
    is_around, end = [True] * len(starts), -1
    for directive in directives:
        if directive.end > end:  # it is not in the one before
            end = directive.end
            first, last = bisect_right(starts, directive.start) - 1, bisect_right(starts, end)
            is_around[first:last] = [False] * (last - first)
    return is_around


def _without_code(text: str) -> list[str]:
    """Return the lines of a text with a sign for each character of code."""
    parts, at = list[str](), 0
    for start, end in code(text):
        parts += [text[at:start], _NOT_NEWLINE.sub("\0", text[start:end])]
        at = end
    return "".join((*parts, text[at:])).split("\n")


def _directives(source: MarkdownSource) -> Iterator[_Directive]:
    """Yield the directives that are closed, in order, without those in listings of colons."""
    openers = [*_between_colons(source.text), *_between_ticks(source.text)]
    end_of_listing = end_of_glossary = -1
    for opener, last, end in sorted(openers, key=lambda entry: entry[0].start()):
        name, fence = (opener["name"] or opener["kind"] or "note").lower(), opener["fence"]
        if opener.start() < (end_of_glossary if name == "glossary" else end_of_listing):
            continue
        end_of_glossary = end if name == "glossary" else end_of_glossary
        end_of_listing = end if name in _LITERAL else end_of_listing
        body, options = _options(source.text, opener.end() + 1, last)
        argument = opener["argument"].strip()
        if opener["name"] is None:
            title = _ADMONISH_TITLE.search(argument)
            name, argument = name if name in NAMES else "note", title["title"] if title else ""
        yield _Directive(opener.start("fence"), opener.end(), body, last, end, opener["before"], fence, name, argument, options)


def _between_ticks(text: str) -> Iterator[tuple[re.Match[str], int, int]]:
    """Yield opening lines, with the offsets of the closing fence and of its end."""
    for start, end in fences(text):
        opener = _OPENER.match(text, start, end)
        closer = _LAST_LINE.search(text, max(start, text.rfind("\n", start, end - 1)), end - text.endswith("\n", start, end))
        if opener and closer and closer["fence"].startswith(opener["fence"]):
            yield opener, closer.start("fence"), closer.end()


def _between_colons(text: str) -> Iterator[tuple[re.Match[str], int, int]]:
    """Yield the same for colons."""
    pairs = matching_fences(text)[0] if ":::" in text else {}
    starts = [0, *(newline.end() for newline in re.finditer("\n", text))] if pairs else []
    for first, last in pairs.items():
        opener = _OPENER.match(text, starts[first])
        closer = _COLONS.match(text, starts[last])
        if opener and closer:
            yield opener, closer.start("fence"), closer.end()


def _options(text: str, at: int, last: int) -> tuple[int, dict[str, str]]:
    """Return where the options from an offset on end, including a blank line, and the options."""
    yaml = _YAML.match(text, at, last)
    end = yaml.end() + 1 if yaml else at
    options = _OPTIONS.match(text, end, last)
    end = options.end() if options else end
    values = {option["name"]: option["value"] for option in _OPTION.finditer(_CONTINUED.sub(" ", text[at:end]))}
    if end > at and not text[end : (blank := text.find("\n", end))].strip(" \t>") and blank < last:
        end = blank + 1
    return end, values


def _edits(text: str, directive: _Directive) -> Iterator[Edit]:
    if _has_comments(text, directive):
        return
    if directive.name == rst.NAME:
        if not directive.before and not _PRIVATE.search(text, directive.start, directive.end):
            yield directive.start, directive.end, _RST.markdown(text[directive.first_end + 1 : directive.last])
        return
    if directive.is_hidden or directive.is_partial:
        yield directive.start, directive.end, _contents(text, directive) if directive.name == _CONTENTS else ""
        return
    if directive.name == "literalinclude":
        yield directive.start, directive.end, _listing(directive)
        return
    if (lines := _first_and_last(text, directive)) is None:
        return
    option_lines = list(_lines(text, directive.first_end + 1, directive.body))
    if directive.moves and (directive.name in _PICTURES or lines[1].startswith(("`", "~"))):
        yield directive.start, directive.first_end, ""
        start, _, end = option_lines.pop(0 if directive.name in _PICTURES else -1)
        yield start, end, directive.before + lines[0]
    else:
        yield directive.start, directive.first_end, lines[0]
    yield from ((start, end, "") for _, start, end in option_lines)
    if directive.name == "glossary":
        yield from _terms(text, directive)
    yield directive.last, directive.end, lines[1]


def _has_comments(text: str, directive: _Directive) -> bool:
    """Return whether a comment or a name of prose would become code, or a sign of code the end of a comment in prose."""
    is_literal = directive.name in _LITERAL
    if directive.fence[0] != ":":
        return not is_literal and "%%" in text[directive.start : directive.last]
    last = directive.last if is_literal or directive.name in _PICTURES else directive.body
    return _PRIVATE.search(text, directive.start, last) is not None


def _lines(text: str, at: int, last: int) -> Iterator[tuple[int, int, int]]:
    """Yield the lines of a part: where they start, where their text starts, and where they end."""
    while at < last:
        end = text.index("\n", at)
        margin = _MARGIN.match(text, at, end)
        yield at, margin.end() if margin else at, end
        at = end + 1


def _first_and_last(text: str, directive: _Directive) -> tuple[str, str] | None:
    """Return the Markdown for the two lines of a directive's fences; `None` if the directive stays unchanged."""
    name, argument, is_prose = directive.name, directive.argument, directive.fence[0] == ":"
    if name in _LITERAL and not (name == "math" and argument):
        fence = longer_fence(text[directive.body : directive.last]) if is_prose else directive.fence
        return f"{fence}{_info(directive)}", fence
    if name in _PICTURES:
        return _picture(text, directive), ""
    if name in ("glossary", _RAW):
        return "", ""
    if name == "include":
        return (include_mark(*_part(directive)), "") if _FILE.fullmatch(argument) else None
    if is_prose or name in _BOXES:
        fence = directive.fence if is_prose else ":" * _BOX_COLONS
        return fence + _box(directive), fence
    return None


def _info(directive: _Directive) -> str:
    """Return the language and the title of a listing."""
    if directive.name == "math":
        return "math"
    language = _LISTINGS.get(directive.name, directive.argument.partition(" ")[0])
    caption = escaped_signs(directive.options.get("caption", "").replace("`", ""))
    return f'{language or "text"} title="{caption}"' if caption else language


def _listing(directive: _Directive) -> str:
    """Return the mark of an included listing."""
    language = _LANGUAGE.match(directive.options.get("language", ""))
    options = {"caption": directive.options.get("caption", "")[:_MAX_CAPTION]}
    info = _info(replace(directive, argument=language.group() if language else "", options=options))
    reference, cuts = _part(directive)
    return listing_mark(reference, info, cuts)


def _part(directive: _Directive) -> tuple[str, list[str]]:
    """Return the file of an include, with its lines: `file:1:3,7` for `:lines: 1-3,7`; and the words that choose a part."""
    options = directive.options
    lines = options.get("lines", "").replace(" ", "").replace("-", ":")
    if not lines and options.keys() & {*_LINE_NUMBERS}:
        lines = f"{int(options.get('start-line', '0')) + 1}:{options.get('end-line', '')}"
    names = [next((name for name in cut if name in options), "") for cut in _CUTS]
    reference = f"{directive.argument}:{lines}" if lines else directive.argument
    return reference, [f"{name} {options[name]}" for name in names if name]


def _picture(text: str, directive: _Directive) -> str:
    """Return the picture; a text directly below it begins a new line."""
    alt = escaped_signs(directive.options.get("alt", ""))
    address = re.sub(r"[<>]", "", directive.argument)
    has_blank = text.count("\n", directive.first_end + 1, directive.body) > directive.moves
    is_text_below = not has_blank and text[directive.body : directive.last].partition("\n")[0].strip(" \t>")
    return f"![{alt}](<{address}>)" + ("\\" if is_text_below else "")


def _box(directive: _Directive) -> str:
    """Return the type and the title of a container; behind a bar, a title may have any characters."""
    name, title = directive.name, directive.argument
    if name == list_tables.NAME and (headers := directive.options.get("header-rows", "")).isdecimal():
        name += f"-{headers}"
    elif name == "admonition":
        name = next((kind for kind in directive.options.get("class", "").split() if kind in NAMES), "note")
    elif name in _VERSIONS:
        version, _, words = title.partition(" ")
        name, begin = _VERSIONS[name]
        title = f"{begin} {version}" + (f": {words.strip()}" if words else "")
    elif name == "seealso":
        title = title or "See also"
    elif name in _UNTITLED:
        title = ""
    elif (link := re.sub(r"[<>]", "", directive.options.get("link", ""))) and "[" not in title:
        is_url = directive.options.get("link-type", "url") == "url"
        title = f"[{title or (link if is_url else '')}](<{link}>)"  # without words, a link shows the title of its page
    return name.replace(":", "-") + (f" | {title}" if title else "")


def _contents(text: str, directive: _Directive) -> str:
    """Return the mark of a table of contents; none for one with a comment, which could become a label in the menu."""
    if _PRIVATE.search(text, directive.start, directive.last):
        return ""
    caption = directive.options.get("caption", "")
    lines = (text[at:end].rstrip() for _, at, end in _lines(text, directive.body, text.rfind("\n", 0, directive.last) + 1))
    entries = [_entry(line) for line in lines if line]
    is_glob = "glob" in directive.options
    rows = [(label, target) for label, target in entries if is_glob or not _GLOB.search(target)]
    return toctree.mark([(caption, ""), *rows])


def _entry(line: str) -> tuple[str, str]:
    """Split a line of a table of contents into the label, if any, and the target: `Label <target>`, or `target`."""
    label, _, target = line.removesuffix(">").rpartition("<") if line.endswith(">") else ("", "", line)
    return label.strip(), target.strip()


def _terms(text: str, directive: _Directive) -> Iterator[Edit]:
    """Mark the first line of each definition of a glossary: it is indented below its term, which is one line."""
    margin = " " * len(directive.before)
    term = re.compile(rf"^{margin}[^\s>][^\n]*\n\n?{margin}(?P<sign> )(?= +\S)", re.MULTILINE)
    for match in term.finditer(text, directive.body, directive.last):
        line_before = text[text.rfind("\n", 0, match.start() - 1) + 1 : match.start()]
        if match.start() == directive.body or line_before.startswith((f"{margin} ", "\n")):
            yield match.start("sign"), match.end("sign"), ":"

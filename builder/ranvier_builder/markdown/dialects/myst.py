"""MyST's directives, ```` ```{note} Title ```` and `:::{note} Title`, become boxes, listings, pictures, formulas and terms.

The lines of options below the first line, `:class: wide` or YAML between `---`, are removed. Between backticks, an unknown
directive stays a listing; without text, it is its argument. Boxes of mdbook-admonish, ```` ```admonish note "Title" ````,
and of the plugin Admonition of Obsidian, ```` ```ad-note ````, are read in the same way.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from ranvier_builder.markdown.code import escaped_signs, longer_fence
from ranvier_builder.markdown.dialects import list_tables, rst, toctree
from ranvier_builder.markdown.dialects.comments import EMPTY
from ranvier_builder.markdown.dialects.directives import (
    CUTS,
    INCLUDES,
    LINE_NUMBERS,
    LISTINGS,
    LITERAL,
    MAX_CAPTION,
    OPENER,
    PICTURES,
    RAW,
    Directive,
    is_hidden,
    read_directives,
)
from ranvier_builder.markdown.dialects.includes import include_mark, listing_mark
from ranvier_builder.markdown.dialects.kinds import FOLDED, NAMES, TABS
from ranvier_builder.markdown.dialects.roles import NAMES as NAMES_OF_ROLES
from ranvier_builder.markdown.dialects.source import Edit, MarkdownSource

_ROLE_OR_LABEL = re.compile(r"(?<![$\w])\{(?P<name>[A-Za-z][\w+:.-]*)\}`|^\([\w .:/-]+\)=[ \t]*$", re.MULTILINE)
# A comment; the border of a notebook's cells or of a card's foot, `+++`; and that of a card's head, `^^^`.
_LINE_COMMENT = re.compile(
    r"^(?P<before>[ \t>]*+(?:(?:[-+*:]|\d{1,9}[.)]|\[\^[^\]\n]++\]:)[ \t>]{1,4}+)*+)%(?!%)[^\n]*$"
    r"|^ {0,3}(?:\+{3,}(?:[ \t][^\n]*)?|\^{3,}[ \t]*)$",
    re.MULTILINE,
)
# Metadata of a page in Sphinx, as a list of fields.
_METADATA = re.compile(r"\A\s*(?::(?:orphan|tocdepth|nosearch|nocomments|no-search|html_theme[\w.]*):[^\n]*(?:\n|\Z))+")
_MARGIN = re.compile(r"[ \t>]*")
_LANGUAGE = re.compile(r"[\w+#.-]+")
_FILE = re.compile(r"[^\s{}:]+")
_LINK = re.compile(r"(?<!\\)\[(?P<words>[^\[\]\n]+)\]\([^()\s]+\)")
_GLOB = re.compile(r"[*?\[]")
_PRIVATE = re.compile(r"<!--|%%|\[\[|\{[#/:{%]|<%")  # begin comments and names

_CONTENTS = "toctree"
_VERSIONS = {
    "versionadded": ("tip", "Added in version"),
    "versionchanged": ("note", "Changed in version"),
    "deprecated": ("warning", "Deprecated since version"),
    "versionremoved": ("warning", "Removed in version"),
}
_TITLED = frozenset("card dropdown grid-item-card list-table margin rubric sidebar table topic".split())
# Their argument is a number of columns, or a class.
_UNTITLED = frozenset("container div epigraph figure-md grid grid-item highlights hlist only pull-quote tab-set".split())
_BOXES = NAMES | FOLDED | TABS | _VERSIONS.keys() | _TITLED | _UNTITLED | {"admonition"}
_NAMES = _BOXES | LITERAL | PICTURES | INCLUDES.keys() | {RAW, rst.NAME}
_BOX_COLONS = 9  # more than in fences of authors, so that colons in the contents close nothing
_BOX_END = re.compile(rf"^[ \t>]*:{{{_BOX_COLONS}}}$", re.MULTILINE)
_MAX_ROUNDS = 10  # levels of directives in directives
_RST = rst.Rst(
    _BOXES | PICTURES | {"include"}, LITERAL | {RAW}, is_hidden, {name: title for name, (_, title) in _VERSIONS.items()}
)


def myst(source: MarkdownSource) -> None:
    """Convert the directives, from the outer ones to the inner ones."""
    if ":" in source:
        source.drop(_METADATA)
    for _ in range(_MAX_ROUNDS):
        if not any(sign in source for sign in ("{", "admonish", "ad-")) or not OPENER.search(source.text):
            return
        directives = list(read_directives(source))
        original = source.text
        for directive in directives:
            if directive.is_partial:
                source.report(directive.start, f"an include with options is not read, and left out: {directive.argument}")
        spans = [(directive.start, directive.end) for directive in directives]
        is_applied = source.apply_blocks(spans, (edit for directive in directives for edit in _edits(original, directive)))
        if is_applied and source.text == original:
            return
        if not is_applied or any(source.in_code(line.end() - 1) for line in _BOX_END.finditer(source.text)):
            source.apply([(0, len(source.text), original)])
            source.report(directives[0].start, "code in a directive is not closed: the directives are shown as they are")
            return


def is_myst(source: MarkdownSource) -> bool:
    """Return whether a page has a directive, a role or a label: only there, `% words` is a comment, and `+++` a border."""
    names = (match["name"] for match in _ROLE_OR_LABEL.finditer(source.text))
    has_role_or_label = any(name is None or name.rpartition(":")[2] in NAMES_OF_ROLES for name in names)
    return has_role_or_label or any(opener["name"] in _NAMES for opener in OPENER.finditer(source.text))


def drop_line_comments(source: MarkdownSource) -> None:
    """Remove the comments of a page, `% words`, and the borders of cells and cards, outside of code and mathematics."""
    source.replace(_LINE_COMMENT, _margin, tex=True)


def _margin(comment: re.Match[str]) -> str:
    """Return what is before a comment; an item that has only the comment would be a line of the text above it."""
    before = comment["before"] or ""
    return before + EMPTY if before.strip(" \t>") else before


def _edits(text: str, directive: Directive) -> Iterator[Edit]:
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
    if directive.moves and (directive.name in PICTURES or lines[1].startswith(("`", "~"))):
        yield directive.start, directive.first_end, ""
        start, _, end = option_lines.pop(0 if directive.name in PICTURES else -1)
        yield start, end, directive.before + lines[0]
    else:
        yield directive.start, directive.first_end, lines[0]
    yield from ((start, end, "") for _, start, end in option_lines)
    if directive.name == "glossary":
        yield from _terms(text, directive)
    if directive.name == "parsed-literal":
        links = _LINK.finditer(text, directive.body, directive.last)
        yield from ((*link.span(), link["words"]) for link in links)
    yield directive.last, directive.end, lines[1]


def _has_comments(text: str, directive: Directive) -> bool:
    """Return whether a comment or a name of prose would become code, or a sign of code the end of a comment in prose."""
    is_literal = directive.name in LITERAL
    if directive.fence[0] != ":":
        return not is_literal and "%%" in text[directive.start : directive.last]
    last = directive.last if is_literal or directive.name in PICTURES else directive.body
    return _PRIVATE.search(text, directive.start, last) is not None


def _lines(text: str, at: int, last: int) -> Iterator[tuple[int, int, int]]:
    """Yield the lines of a part: where they start, where their text starts, and where they end."""
    while at < last:
        end = text.index("\n", at)
        margin = _MARGIN.match(text, at, end)
        yield at, margin.end() if margin else at, end
        at = end + 1


def _first_and_last(text: str, directive: Directive) -> tuple[str, str] | None:
    """Return the Markdown for the two lines of a directive's fences; `None` if the directive stays unchanged."""
    name, argument, is_prose = directive.name, directive.argument, directive.fence[0] == ":"
    if name in LITERAL and not (name == "math" and argument):
        fence = longer_fence(text[directive.body : directive.last]) if is_prose else directive.fence
        return f"{fence}{_info(directive)}", fence
    if name in PICTURES:
        return _picture(text, directive), ""
    if name in ("glossary", RAW):
        return "", ""
    if name == "include":
        return (include_mark(*_part(directive)), "") if _FILE.fullmatch(argument) else None
    if is_prose or name in _BOXES:
        fence = directive.fence if is_prose else ":" * _BOX_COLONS
        return fence + _box(directive), fence
    if name not in INCLUDES and "`" not in argument and not text[directive.body : directive.last].strip(" \t\n>"):
        return f"`{argument}`" if argument else "", ""  # a program makes its text
    return None


def _info(directive: Directive) -> str:
    """Return the language and the title of a listing."""
    if directive.name == "math":
        return "math"
    language = LISTINGS.get(directive.name, directive.argument.partition(" ")[0])
    caption = escaped_signs(directive.options.get("caption", "").replace("`", ""))
    return f'{language or "text"} title="{caption}"' if caption else language


def _listing(directive: Directive) -> str:
    """Return the mark of an included listing."""
    language = _LANGUAGE.match(directive.options.get("language", ""))
    options = {"caption": directive.options.get("caption", "")[:MAX_CAPTION]}
    info = _info(replace(directive, argument=language.group() if language else "", options=options))
    reference, cuts = _part(directive)
    return listing_mark(reference, info, cuts)


def _part(directive: Directive) -> tuple[str, list[str]]:
    """Return the file of an include, with its lines: `file:1:3,7` for `:lines: 1-3,7`; and the words that choose a part."""
    options = directive.options
    lines = options.get("lines", "").replace(" ", "").replace("-", ":")
    if not lines and options.keys() & {*LINE_NUMBERS}:
        lines = f"{int(options.get('start-line', '0')) + 1}:{options.get('end-line', '')}"
    names = [next((name for name in cut if name in options), "") for cut in CUTS]
    reference = f"{directive.argument}:{lines}" if lines else directive.argument
    return reference, [f"{name} {options[name]}" for name in names if name]


def _picture(text: str, directive: Directive) -> str:
    """Return the picture; a text directly below it begins a new line."""
    alt = escaped_signs(directive.options.get("alt", ""))
    address = re.sub(r"[<>]", "", directive.argument)
    has_blank = text.count("\n", directive.first_end + 1, directive.body) > directive.moves
    is_text_below = not has_blank and text[directive.body : directive.last].partition("\n")[0].strip(" \t>")
    return f"![{alt}](<{address}>)" + ("\\" if is_text_below else "")


def _box(directive: Directive) -> str:
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


def _contents(text: str, directive: Directive) -> str:
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


def _terms(text: str, directive: Directive) -> Iterator[Edit]:
    """Mark the first line of each definition of a glossary: it is indented below its term, which is one line."""
    margin = " " * len(directive.before)
    term = re.compile(rf"^{margin}[^\s>][^\n]*\n\n?{margin}(?P<sign> )(?= +\S)", re.MULTILINE)
    for match in term.finditer(text, directive.body, directive.last):
        line_before = text[text.rfind("\n", 0, match.start() - 1) + 1 : match.start()]
        if match.start() == directive.body or line_before.startswith((f"{margin} ", "\n")):
            yield match.start("sign"), match.end("sign"), ":"

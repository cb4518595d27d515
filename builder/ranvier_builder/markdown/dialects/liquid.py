"""Liquid and similar languages (Jekyll, GitBook, Nunjucks, Markdoc, Zola): tags and variables → their visible words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ranvier_builder.markdown.code import Inside, blocks, code
from ranvier_builder.markdown.dialects.includes import mark
from ranvier_builder.markdown.dialects.kinds import CLOSING, NAMES, opening
from ranvier_builder.markdown.dialects.parameters import LINE_BREAK, escaped, link
from ranvier_builder.markdown.dialects.source import Edit, MarkdownSource

# Markdoc closes a tag by `{% /name %}`, and has ids and classes, `{% #name .wide %}`; arguments of Zola are in brackets.
_NAME = re.compile(r"\{%-?\s*(?P<name>[/#.]?[a-zA-Z_][\w-]*)(?=[\s%-]|\([^{}]*\)\s*-?%\})")
_ARGUMENT = re.compile(r"""(?P<name>\w+)\s*[=:]\s*(?:"(?P<a>[^"]*)"|'(?P<b>[^']*)')""")
_TARGETS = {"link", "post_url", "asset_path"}
_OF_TARGETS = {"embed": "url", "file": "src"}  # of GitBook: tags of a page elsewhere and of a file, and the argument
_PICTURES = {"asset_img", "image", "img", "picture", "figure"}  # of Hexo, Eleventy and Jekyll
_PICTURE = re.compile(
    r"""(?<![^\s"',()<>=])(?P<path>[^\s"',()<>=]+\.(?:png|jpe?g|gif|svg|webp|avif))["']?(?=[\s,)]|\Z)""", re.IGNORECASE
)
_QUOTED = re.compile(r"""(["'])(?P<words>(?:(?!\1).)*)\1""")
_POST = re.compile(r"(?P<name>[^\s()<>\"']+)\s*(?P<words>.*)")
_INCLUDES = {"include", "include_relative"}
_PATH = re.compile(r"""(?P<quote>["']?)(?P<path>[^\s"'{}:]+\.(?:md|markdown))(?P=quote)""")  # without further arguments
_PARTIAL = re.compile(r"""\bfile=(["'])(?P<path>[^\s"'{}:]+\.(?:md|markdown))\1""")
_CALLOUTS = {"hint", "callout", "admonition"}
_BOXES = {*_CALLOUTS, *NAMES, "tab", "details"}
_STATEMENTS = {"set", "macro", "call", "block", "for", "if", "include", "render", "cache"}  # their arguments are no words
# Of Markdoc: a variable, and attributes of the text before them.
_ANNOTATION = re.compile(
    r"""\{%\s*(?:\$[\w.]+(?:\[[^\[\]{}\n]*\][\w.]*)*|(?:[\w-]++=(?:"[^"\n]*"|[\w.$-]+)\s*(?:[#.][\w-]+\s*)*)+)\s*%\}"""
)
_HIDDEN = {"comment", "capture", "schema", "style", "javascript", "css", "js"}  # their contents are not visible
# Known template variables; others count as words if the file has no other Liquid.
_KNOWN_VARIABLE = re.compile(r"\{\{-?\s*(?:(?:site|page|layout|include|content|jekyll|paginator|post)\b(?=\s*[.}|\[]))")
# Of Zola, with named arguments.
_CALL = re.compile(r"""\{\{\s*[\w:]+\(\s*\w+\s*=\s*(?:[^{}"'`]|"[^"]*"|'[^']*'|`[^`]*`)+\)\s*\}\}""")
_STRING = re.compile(r"""\{\{-?\s*(?:"([^"{}]*)"|'([^'{}]*)')\s*(?:\|[^{}]*)?-?\}\}""")
_VARIABLE = re.compile(r"""\{\{-?\s*[\w.\[\]"'-]+\s*(?:\|[^{}]*)?-?\}\}""")
_RAW = re.compile(r"\{%-?[ \t]*(?P<end>end)?raw[ \t]*-?%\}")
# What may be around `{% raw %}` and `{% endraw %}` that enclose the whole code: ticks, or a fence that names no language of
# templates, which would show the tags as an example.
_ABOVE_RAW = re.compile(
    r"(?P<margin>[ \t>]*)(?P<fence>[`~]{3,}(?![ \t]*(?:liquid|jinja|django|twig|njk|nunjucks))[^\n]*)\n[ \t>]*|[ \t\n>`]*",
    re.IGNORECASE,
)
_BELOW_RAW = re.compile(r"[ \t]*(?P<fence>\n[ \t>]*[`~]{3,}\s*)|[\s`>]*")


@dataclass(frozen=True, slots=True)
class _Tag:
    start: int
    end: int
    name: str
    options: str


def liquid(source: MarkdownSource) -> None:
    """Remove tags and variables outside of code; the contents of `{% raw %}` stay unchanged."""
    if "{%" in source:
        source.drop(_ANNOTATION)
    tags, blocks = _without_raw(source, _tags(source) if "{%" in source else [])
    protected = Inside(blocks)
    edits = _edits(source, tags, protected)
    if "endraw" in source:
        edits += _raw_in_code(source.text, bool(tags))  # tags are those outside of code
    if "{{" in source:
        edits += _variables(source, bool(tags), protected)
    source.apply(edits)


def _tags(source: MarkdownSource) -> list[_Tag]:
    tags = []
    for start, end in source.spans("{%", "%}"):
        name = _NAME.match(source.text, start, end)
        if name and source.text[start - 1 : start] != "{":
            arguments = source.text[name.end() : end - 2].strip().removesuffix("-").rstrip()
            tags.append(_Tag(start, end, name["name"].replace("/", "end"), arguments))
    return tags


def _without_raw(source: MarkdownSource, tags: list[_Tag]) -> tuple[list[_Tag], list[tuple[int, int]]]:
    """Return the tags that count, and the contents of `{% raw %}`. One that is not closed is text, and is reported."""
    blocks, opener = list[tuple[int, int]](), None
    for tag in tags:
        if tag.name == "raw" and opener is None:
            opener = tag
        elif tag.name == "endraw" and opener is not None:
            blocks.append((opener.end, tag.start))
            opener = None
    if opener is None:
        return tags, blocks
    source.report(opener.start, "{% raw %} is not closed by {% endraw %}; shown as it is")
    return [tag for tag in tags if tag.name != "raw" or tag.start < opener.start], blocks


def _raw_in_code(text: str, is_liquid: bool) -> Iterator[Edit]:
    """Remove the tags of raw text in code: all pairs if the page has tags elsewhere, and otherwise a pair around the whole
    code. Tags stay if without them the code could end elsewhere.
    """
    in_block = Inside(blocks(text))
    for start, end in code(text):
        tags = [*_RAW.finditer(text, start, end)]
        is_paired = tags and all(bool(tag["end"]) == at % 2 for at, tag in enumerate(tags)) and tags[-1]["end"]
        if not is_paired or not (in_block(start) or "\n" not in text[start:end]):
            continue
        first, last = tags[0], tags[-1]
        above, below = _ABOVE_RAW.fullmatch(text, start, first.start()), _BELOW_RAW.fullmatch(text, last.end(), end)
        is_whole = above and below and len(tags) == 2
        if not (is_liquid or is_whole) or not text[first.end() : last.start()].strip() or any(map(_holds_ticks, tags)):
            continue
        line = text.rfind("\n", 0, last.start()) + 1
        is_line = text[first.end()] == "\n" and not text[line : last.start()].strip(" \t>")
        if above and below and above["fence"] and below["fence"] and is_line:  # blank lines are around the code, not in it
            yield start, first.end(), f"{above['margin']}\n{above['margin']}{above['fence']}"
            yield line, end, below["fence"][1:]
        else:
            yield from ((*tag.span(), "") for tag in tags)


def _holds_ticks(tag: re.Match[str]) -> bool:
    """Return whether ticks beside a tag could open or close code without it."""
    text, (at, end) = tag.string, tag.span()
    while text[at - 1 : at] in (" ", "\t", ">"):
        at -= 1
    while text[end : end + 1] in (" ", "\t"):
        end += 1
    before, after = text[at - 1 : at], text[end : end + 1]
    return after in "`~" if not tag["end"] else before in "`~" or (before in "\n" and after in "`~")


def _edits(source: MarkdownSource, tags: list[_Tag], protected: Inside) -> list[Edit]:
    edits: list[Edit] = []
    # The last closing tag of each name: a later opening tag is not closed.
    ends = {tag.name: tag.start for tag in tags if tag.name.startswith("end")}
    hidden_tag: _Tag | None = None
    for tag in tags:
        if protected(tag.start):
            continue
        is_closed = ends.get(f"end{tag.name}", -1) > tag.start
        if hidden_tag is None and tag.name in _HIDDEN and is_closed:
            hidden_tag = tag
        elif hidden_tag is None:
            edits.append((tag.start, tag.end, _replacement(source, tag, is_closed)))
        elif tag.name == f"end{hidden_tag.name}":
            edits.append((hidden_tag.start, tag.end, ""))
            hidden_tag = None
    return edits


def _replacement(source: MarkdownSource, tag: _Tag, is_closed: bool) -> str:
    if tag.name.startswith("#"):  # the anchor of a heading; elsewhere it may be a remark in Liquid
        return f"{{{tag.name}}}" if source.text.startswith("#", source.text.rfind("\n", 0, tag.start) + 1) else ""
    if tag.name in _TARGETS and "=" not in tag.options:
        return tag.options.strip("\"'")
    if tag.name in _PICTURES:
        return _picture(tag.options)
    if tag.name == "post_link" and (post := _POST.match(tag.options)):  # of Hexo
        return f"[{_plain(post['words'])}]({post['name']}.md)"
    if tag.name in _INCLUDES and (path := _PATH.fullmatch(tag.options)):
        return mark(f"{{{{#include {path['path']}}}}}")
    if tag.name == "partial" and (path := _PARTIAL.search(tag.options)):  # of Markdoc
        return mark(f"{{{{#include {path['path']}}}}}")
    if not source.is_alone(tag.start, tag.end):
        return ""
    if tag.name == "endhighlight" or (tag.name == "highlight" and is_closed):
        return "```" + tag.options.partition(" ")[0]
    return _block(tag, is_closed)


def _block(tag: _Tag, is_closed: bool) -> str:
    """Return the fence of a box or a tab, or the title of another tag that encloses lines, or is closed as in Markdoc."""
    if tag.name.startswith("end"):
        return CLOSING if tag.name[3:] in _BOXES else ""
    arguments = {argument["name"]: argument["a"] or argument["b"] or "" for argument in _ARGUMENT.finditer(tag.options[:4000])}
    title = next(filter(None, map(arguments.get, ("title", "label", "summary"))), "")
    if target := arguments.get(_OF_TARGETS.get(tag.name, "")):
        return link(escaped(target.rpartition("/")[2] if tag.name == "file" else target), target) + LINE_BREAK
    if is_closed and tag.name in _BOXES:
        kind = arguments.get("style") or arguments.get("type") or "note" if tag.name in _CALLOUTS else tag.name
        return opening(kind if kind in (*NAMES, "tab", "details") else "note", title)
    if not title or tag.name in _STATEMENTS or not (is_closed or tag.options.endswith("/")):
        return ""
    heading, description = link(escaped(title), arguments.get("href", "")), escaped(arguments.get("description", ""))
    return f"{heading}{': ' * bool(description)}{description}{LINE_BREAK}"


def _picture(options: str) -> str:
    """Return the picture of a tag's arguments, with its description: `a.png "words"`, `src="a.png", alt="words"`."""
    picture = _PICTURE.search(options)
    if picture is None:
        return ""
    rest = options[picture.end() :].strip(" ,")
    named = next((argument["a"] or argument["b"] for argument in _ARGUMENT.finditer(options) if argument["name"] == "alt"), "")
    quoted = _QUOTED.match(rest)
    words = quoted["words"] if quoted else "" if {*rest} & {*"=-:()"} else rest
    return f"![{_plain(named or words)}]({picture['path']})"


def _plain(words: str) -> str:
    return words.strip(" \"'").translate(str.maketrans("", "", "[]<>\\"))


def _variables(source: MarkdownSource, is_liquid: bool, protected: Inside) -> list[Edit]:
    edits = []
    for start, end in source.spans("{{", "}}", quiet=True):
        string = _STRING.fullmatch(source.text, start, end)
        if protected(start):
            continue
        if string:
            edits.append((start, end, string[1] or string[2] or ""))
        elif _CALL.match(source.text, start, end):
            edits.append((start, end, _picture(source.text[start:end])))
        elif _KNOWN_VARIABLE.match(source.text, start, end) or (is_liquid and _VARIABLE.fullmatch(source.text, start, end)):
            edits.append((start, end, ""))
    return edits

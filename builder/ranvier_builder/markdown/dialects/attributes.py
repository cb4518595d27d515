"""Attribute lists, `{#id .class}`, `{: .class }`, `{:toc}`, are not shown; ids of headings and titles of listings are kept."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape

from markdown_it import MarkdownIt
from markdown_it.common.utils import unescapeAll
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from ranvier_builder.markdown.dialects.source import MarkdownSource

# Possessive: a list such as `{.a.a.a`, which can be divided in many ways and is not closed, would take exponential time.
_ATTRIBUTE = r"""(?:[#.](?:\\(?=\d))?[\w:.-]++|[\w:-]++=(?:"[^"{}\n]*"|'[^'{}\n]*'|[^\s{}"'=]++))"""
# After `{:`, a name without a value, as in `{: #use toc }`, is an attribute too, if the list also has another one.
_ATTRIBUTE_OR_NAME = rf"(?:{_ATTRIBUTE}|[\w-]++(?=[ \t}}]))"
LIST = rf"\{{(?::(?=[^{{}}\n]*[#.=])[ \t]*(?:{_ATTRIBUTE_OR_NAME}[ \t]*)+|[ \t]*(?:{_ATTRIBUTE}[ \t]*)+)\}}"
_LINE = re.compile(rf"^[ \t]*(?:{LIST}|\{{::?(?:toc|nomarkdown|comment|options|/)?[^{{}}\n]*\}})[ \t]*$", re.MULTILINE)
# The place of a table of contents.
_CONTENTS = re.compile(r"^[ \t]*\[(?:toc|\[_?to(?:c|sp)_?\])\][ \t]*$", re.MULTILINE | re.IGNORECASE)
# The list that kramdown replaces by a table of contents, and its heading.
_CONTENTS_LIST = re.compile(
    r"^(?:#{2,6}[ \t][^\n]*\n\{:(?>[^{}\n]*\bno_toc\b)[^{}\n]*+\}[ \t]*\n\s*)?"
    r"(?:[-*+]|\d{1,3}\.)[ \t][^\n]*\n\{:\s*toc(?=[\s}])[^{}\n]*\}[ \t]*$",
    re.MULTILINE,
)
_AFTER_INLINE = re.compile(rf"(?<=[)\]`*]){LIST}")
_BUTTON = re.compile(r"\.md-button(?:--primary)?(?=[\s.#}])")
_LINK = re.compile(r"(?<!!)\[[^\[\]\n]*\]\([^()\s]+\)\Z")
_SIZED_PICTURE = re.compile(
    rf"""!\[[^\[\]\n|]*(?P<end>)\]\([^()\n]*\)(?={LIST})\{{[^{{}}\n]*?(?<![\w-])width=(?P<sign>["']?)(?P<width>[1-9]\d{{0,3}})(?:px)?(?P=sign)[\s}}]"""
)
# The anchor of mkdocs-autorefs: `[](){#id}`.
_ANCHOR = re.compile(rf"\[\]\(\)(?P<list>{LIST})")
_HEADING = re.compile(rf"[ \t]*(?:\\(?=\{{#))?(?P<list>{LIST})[ \t]*\Z")  # in MDX `\{{#id}}`
_CUSTOM_ID = re.compile(r"[ \t]*\\?\{/\*\s*#(?P<id>[\w:.-]+)\s*\*/\}[ \t]*\Z")  # Docusaurus: `{/* #id */}`
# Of Nextra and Fumadocs: an id that is no number of an issue, and marks for the table of contents.
_BRACKETS = re.compile(r"(?:[ \t]+\[(?:#(?P<id>[A-Za-z][\w.:-]*)|!?toc)\])+[ \t]*\Z")
_ID = re.compile(r"#\\?([\w:.-]+)")  # a digit may be escaped: `{: #\7.0 }`
_LANGUAGE = re.compile(r"\{\s*code[\w-]*\s*\}\s*(\w+)|([A-Za-z][\w+#-]*)")  # of a fence: `{ .python .x }`, `{code-block} sh`
# Of a listing: `js title="src/main.js"` of Docusaurus, Starlight and Material, `filename=`, and `{file="hugo.toml"}` of Hugo.
_CODE_TITLE = re.compile(r"""(?<![\w.-])(?:title|filename|file)=(?:"((?:\\.|[^"\\\n])+)"|'((?:\\.|[^'\\\n])+)'|([^\s"'}]+))""")
# In code: comments of Shiki at the end of a line, and lines of Docusaurus; both only choose the look of lines.
_LINE_MARK = re.compile(
    r"(?<![ \t])[ \t]*+(?://|#|--|;|%|<!--|/\*|\{/\*)[ \t]*\[!code[ \t][^\]\n]*\][ \t]*+(?:(?:-->|\*/\}?)[ \t]*+)?$"
    r"|^[ \t]*(?://|#|--|<!--|/\*|\{/\*)[ \t]*highlight-(?:next-line|start|end)[ \t]*(?:-->|\*/\}?)?[ \t]*\n",
    re.MULTILINE,
)
# An annotation of Material at the end of a line of code: its `!` only removes the comment sign.
_ANNOTATION = re.compile(r"((?:#|//|--|;|%|<!--|/\*)[ \t]*\(\d{1,2}\))!(?=[ \t]*+(?:(?:-->|\*/)[ \t]*+)?$)", re.MULTILINE)
_MODIFIERS = re.compile(r"(?<=\w)[,{:][^\s]*")  # behind a language: `rust,ignore`, `js{1,3}`
_HIDDEN_LINE = re.compile(r"^[ \t]*#(?:[ \t][^\n]*)?\n", re.MULTILINE)  # of Rust in mdBook and rustdoc: it is only compiled
_HIDDEN_CODE = re.compile(r"^[ \t]*#[ \t]++(?://|#!?\[|[^\n]*[;{}][ \t]*$)", re.MULTILINE)  # not a line of a text, `# Title`
_MAX_TAIL = 300  # characters at the end of a heading that are searched for a list


def drop_attributes(source: MarkdownSource, *, with_buttons: bool) -> None:
    """Remove, outside of code, lists on a line of their own, or directly after a link, an image, code or emphasis.

    An empty link with an id becomes an anchor, and the width of a picture its size, as in `![words|300](map.png)`.
    `[TOC]` is removed too: the theme makes the table of contents of a page. The classes of
    buttons of Material stay `with_buttons`.
    """
    if "[" in source:
        source.drop(_CONTENTS)
    if "{" not in source:
        return
    source.drop(_CONTENTS_LIST)
    source.drop(_LINE, tex=True)
    if "[](){" in source:
        ids = dict[str, tuple[int, int]]()
        for anchor in source.matches(_ANCHOR):
            if explicit := _ID.search(anchor["list"]):
                ids.setdefault(explicit[1], anchor.span())
        source.apply((start, end, f'<a id="{name}"></a>') for name, (start, end) in ids.items())
    pictures = source.matches(_SIZED_PICTURE) if "width=" in source else ()
    source.apply((picture.end("end"), picture.end("end"), rf"\|{picture['width']}") for picture in pictures)
    source.replace(_AFTER_INLINE, _button if with_buttons else lambda _: "", tex=True)


def _button(attributes: re.Match[str]) -> str:
    """Return the classes of a button of Material, which the parser reads after a link."""
    classes = _BUTTON.findall(attributes.group())
    is_link = classes and _LINK.search(attributes.string, max(0, attributes.start() - _MAX_TAIL), attributes.start())
    return f"{{{' '.join(classes)}}}" if is_link else ""


def plugin(md: MarkdownIt) -> None:
    """Set the ids of headings from their attribute lists, and the languages and the titles of fences."""
    md.core.ruler.after("block", "heading_ids", _rule)
    md.core.ruler.before("inline", "code_titles", _title_rule)  # after a title became the label of a tab


def without_attributes(heading: str) -> tuple[str, str]:
    """Split a heading into its words and its id: `Usage {#use .x}` → `("Usage", "use")`."""
    tail = heading[-_MAX_TAIL:]
    if tail.rstrip().endswith("]") and (match := _BRACKETS.search(tail)):
        return heading[: len(heading) - len(tail) + match.start()], match["id"] or ""
    match = _CUSTOM_ID.search(tail) or _HEADING.search(tail) if tail.rstrip().endswith("}") else None
    if match is None:
        return heading, ""
    words = heading[: len(heading) - len(tail) + match.start()]
    if match.re is _CUSTOM_ID:
        return words, match["id"]
    words = words.rstrip(" \t")
    name = words.rstrip("#")  # without the signs at the end of `## Usage ## {: #use }`
    explicit = _ID.search(match["list"])
    return name.rstrip(" \t") if name[-1:] in (" ", "\t") else words, explicit[1] if explicit else ""


def _rule(state: StateCore) -> None:
    for at, token in enumerate(state.tokens):
        if token.type == "heading_open":
            line = state.tokens[at + 1]
            line.content, explicit = without_attributes(line.content)
            if explicit:
                token.attrSet("id", explicit)


def _title_rule(state: StateCore) -> None:
    state.tokens = [part for token in state.tokens for part in (_titled(token) if token.type == "fence" else (token,))]


def _titled(fence: Token) -> Iterator[Token]:
    """Yield a listing's title, if it has one, and the listing with its language."""
    if "[!code" in fence.content or "highlight-" in fence.content:
        fence.content = _LINE_MARK.sub("", fence.content)
    if ")!" in fence.content:
        fence.content = _ANNOTATION.sub(r"\1", fence.content)
    if fence.info.startswith("rust,") or (fence.info == "rust" and _HIDDEN_CODE.search(fence.content)):
        fence.content = _HIDDEN_LINE.sub("", fence.content)
    if title := _CODE_TITLE.search(fence.info):
        text = escape(unescapeAll(next(filter(None, title.groups()))))
        yield Token("html_block", "", 0, map=fence.map, content=f'<p class="code-title">{text}</p>\n', block=True)
    if fence.info.lstrip().startswith("{"):
        language = _LANGUAGE.search(fence.info)
        fence.info = (language[1] or language[2]) if language else ""
    else:
        fence.info = _MODIFIERS.sub("", fence.info, count=1)
    yield fence

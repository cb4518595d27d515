"""MyST's roles, ``{ref}`words <target>` ``, are shown as their words, and its labels, `(label)=`, are anchors."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from urllib.parse import quote, unquote

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from ranvier_builder.composed import composed
from ranvier_builder.markdown.code import Inside, code
from ranvier_builder.markdown.dialects.attributes import without_attributes
from ranvier_builder.markdown.dialects.source import MarkdownSource
from ranvier_builder.markdown.wikilink import Wikilink

_ROLE = re.compile(
    r"\{(?P<name>[A-Za-z][\w+:.-]*)\}(?P<ticks>`+)(?!`)(?P<text>(?:(?!\n\s*\n).){1,1000}?)(?<!`)(?P=ticks)(?!`)", re.DOTALL
)
_NAME = re.compile(r"(?<![$\w\\%#{])\{(?P<name>[A-Za-z][\w+:.-]*)\}(?=`)")
_WORDS_AND_TARGET = re.compile(r"(?P<words>.+?)\s*(?<!\\)<(?P<target>[^<>]+)>\Z")
_LABEL = re.compile(r"\((?P<label>[A-Za-z_][\w .:/-]{0,200})\)=[ \t]*$", re.MULTILINE)
_LABEL_LINE = re.compile(rf"^[ \t>]*{_LABEL.pattern}", re.MULTILINE)
_HEADING = re.compile(r"[ \t>]*#{1,6}[ \t]+(?P<words>[^\n]*)")
# A heading with these is not shown as the words of a link: they need a parser, or may name a page that must not be named.
_MARKUP = re.compile(r"<(?=[\w/!])|&(?=[#\w])|[\[$\\]|~~")
# Tags whose contents may be removed from the page.
_HIDING = re.compile(r"<(?:template|script|style|iframe|object)\b|<\w[^<>]*(?:\shidden\b|display:\s*none)", re.IGNORECASE)
_BLANK_LINES = re.compile(r"(?:[ \t>]*\n)*")
_SIGNS = re.compile(r"(?<![\w/}])\{[\w+:.-]+\}(?=`)|[`*]")  # of roles and of emphasis
_NOT_IN_ID = re.compile(r"[^a-z0-9]+")
_LABELS = "labels"  # key in the environment of a parse: the labels of the page, with the words of their headings
_OBJECTS = frozenset("attr class const data decorator exc func function macro meth method mod module obj type var".split())
_VERBATIM = frozenset("code command envvar file kbd literal makevar program samp".split())  # no target in `<>`
_CODE = _OBJECTS | _VERBATIM - {"kbd"} | {"any", "confval", "keyword", "option", "token"}
_TAGS = {"abbr": "abbr", "kbd": "kbd", "sub": "sub", "subscript": "sub", "sup": "sup", "superscript": "sup"}
_TAGS |= {"emphasis": "em", "strong": "strong"}
LISTS = {"genindex": "Index", "modindex": "Module Index", "search": "Search Page"}  # pages that Sphinx makes, and their titles
_PREFIXES = {"pep": "PEP ", "rfc": "RFC "}
_OTHERS = frozenset(
    """cite dfn doc download eq footcite guilabel index manpage math menuselection numref ref source sub-ref term
    title-reference user issue""".split()
)
NAMES = _CODE | _TAGS.keys() | _PREFIXES.keys() | _OTHERS
_ICONS = re.compile(r"octicon|iconify|fa[bsr]?|material-\w+")
LABEL = "label"  # key in the `meta` of a link to a label that is not on its page


def simplify_roles(source: MarkdownSource) -> None:
    """Turn the roles that extensions add to a page of MyST, ``{pypi}`words <target>` ``, into one that shows its words."""
    source.replace(_NAME, lambda role: role.group() if _is_known(_last_part(role["name"])) else "{source}")


def _last_part(name: str) -> str:
    return name.rpartition(":")[2].lower()


def _is_known(name: str) -> bool:
    return name in NAMES or _ICONS.fullmatch(name) is not None


def labels(body: str) -> Iterator[tuple[str, str, str]]:
    """Yield the labels of a page: the name for `key`, the fragment of a URL, and the words of a heading below it."""
    if ")=" not in body:
        return
    in_code, hidden_from = Inside(code(body)), hiding_start(body)
    for label in _LABEL_LINE.finditer(body):
        if not in_code(label.start("label")):
            blank_lines = _BLANK_LINES.match(body, label.end() + 1)
            heading = _HEADING.match(body, blank_lines.end()) if blank_lines and label.start() < hidden_from else None
            yield key(label["label"]), quote(_id(label["label"])), heading_words(heading["words"]) if heading else ""


def key(label: str) -> str:
    """Return the name by which a label is found: its letters may be small or capital."""
    return " ".join(label.casefold().split())


def plugin(md: MarkdownIt) -> None:
    """Add the rules."""
    md.inline.ruler.before("escape", "role", _role)
    md.block.ruler.before("blockquote", "label", _label, {"alt": ["paragraph", "reference", "blockquote", "list"]})
    md.core.ruler.after("block", "labels", _anchors)
    md.core.ruler.after("inline", "label_links", _links)


def _role(state: StateInline, silent: bool) -> bool:
    at = state.pos
    role = _ROLE.match(state.src, at, state.posMax) if state.src[at] == "{" else None
    if role is None or (at and state.src[at - 1] in "${#%\\"):
        return False
    name = _last_part(role["name"])
    if not _is_known(name):
        return False  # a piece of another language
    if not silent:
        _show(state, name, " ".join(role["text"].split()))
    state.pos = role.end()
    return True


def _show(state: StateInline, name: str, text: str) -> None:
    """Push the tokens for what a reader sees of a role."""
    match = None if name in _VERBATIM else _WORDS_AND_TARGET.match(text)
    words, target = (match["words"], match["target"]) if match else (text, text)
    if name in _OBJECTS and not match:
        words = words.lstrip("!.").rpartition(".")[2] if words.startswith("~") else words.lstrip("!.")
    if name == "doc":
        link = Wikilink(f"[[{target}]]", target, label=words if match else "", name=target.rpartition("/")[2])
        token = state.push("wikilink", "", 0)
        token.content, token.meta = link.words, {"link": link}
    elif name == "math":
        state.push("math", "code", 0).content = text
    elif name in _CODE:
        state.push("code_inline", "code", 0).content = words
    elif name in _TAGS:
        _push_element(state, _TAGS[name], words.partition(" (")[0] if name == "abbr" else words)
    elif name in ("download", "ref", "numref") and (href := _address(state, name, target)):
        local = state.env.get(_LABELS, {})
        _push_element(state, "a", words if match else local.get(target) or words, href)
    elif name in ("ref", "numref") and not state.linkLevel:
        _push_element(state, "a", words if match else "", "#", {LABEL: target})
    elif not _ICONS.fullmatch(name):
        words = words.replace("&", "") if name == "guilabel" else words
        state.push("text", "", 0).content = _PREFIXES.get(name, "") + words


def _address(state: StateInline, name: str, target: str) -> str:
    if state.linkLevel:
        return ""  # a link cannot be in a link
    if name == "download":
        return state.md.normalizeLink(target)
    return f"#{quote(_id(target))}" if target in state.env.get(_LABELS, {}) else ""


def _push_element(state: StateInline, tag: str, words: str, href: str = "", meta: dict[str, str] | None = None) -> None:
    name = "link" if href else tag
    opening = state.push(f"{name}_open", tag, 1)
    opening.attrs, opening.meta = {"href": href} if href else {}, meta or {}
    if words:
        state.push("text", "", 0).content = words
    state.push(f"{name}_close", tag, -1)


def _label(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    at = state.bMarks[start] + state.tShift[start]
    label = _LABEL.match(state.src[at : state.eMarks[start]]) if state.src[at : at + 1] == "(" else None
    next_line = next((line for line in range(start + 1, end) if not state.isEmpty(line)), end)
    if label is None or next_line == end or state.is_code_block(start):
        return False
    if not silent:
        heading = _HEADING.match(state.getLines(next_line, next_line + 1, state.blkIndent, False).rstrip("\n"))
        state.env.setdefault(_LABELS, {}).setdefault(label["label"], heading_words(heading["words"]) if heading else "")
        token = state.push("label", "", 0)
        token.content, token.map, token.hidden = label["label"], [start, start + 1], True
        state.line = start + 1
    return True


def _anchors(state: StateCore) -> None:
    """Make a label an anchor above its block: a heading keeps its own, as in Sphinx; the title of a page has only the label."""
    out: list[Token] = []
    labels: list[str] = []
    for at, token in enumerate(state.tokens):
        if token.type == "label":
            labels.append(_id(token.content))
            continue
        is_title = not out and token.type == "heading_open" and "id" not in token.attrs
        if labels and is_title and not without_attributes(state.tokens[at + 1].content)[1]:
            token.attrSet("id", labels.pop())
        out += [Token("html_block", "", 0, content=f'<div id="{escape(label)}"></div>\n', block=True) for label in labels]
        labels = []
        out.append(token)
    state.tokens = out


def _links(state: StateCore) -> None:
    """Lead `[words](label)` to the label, if it is on this page."""
    labels = state.env.get(_LABELS, {})
    for token in state.tokens if labels else ():
        for child in token.children or ():
            if child.type == "link_open" and (label := unquote(str(child.attrs.get("href", ""))).removeprefix("#")) in labels:
                child.attrs["href"] = f"#{quote(_id(label))}"


def hiding_start(body: str) -> int:
    """Return where the first element that may be hidden starts: headings behind it are not shown as the words of links."""
    hiding = _HIDING.search(body)
    return hiding.start() if hiding else len(body)


def heading_words(heading: str) -> str:
    """Return the words of a heading; empty for one with more than code and emphasis."""
    words = without_attributes(heading.rstrip(" \t#"))[0]
    return "" if _MARKUP.search(words) else _SIGNS.sub("", words)


def _id(label: str) -> str:
    """Return the anchor that a label has in Sphinx, because other sites link to it: `howto:a_b` → `howto-a-b`."""
    letters = composed(label.lower(), "NFKD").encode("ascii", "ignore").decode()
    return _NOT_IN_ID.sub("-", letters).lstrip("-0123456789").rstrip("-") or "label"

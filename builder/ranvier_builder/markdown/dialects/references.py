"""References of mkdocs-autorefs, `[words][name]` and `[name][]`: to a heading or an anchor of any page, by its name.

Often the name is that of an object whose page a program makes: then the words stay.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from urllib.parse import quote

from markdown_it import MarkdownIt
from markdown_it.common.utils import normalizeReference
from markdown_it.rules_inline import StateInline

from ranvier_builder.markdown.code import Inside, code
from ranvier_builder.markdown.dialects.attributes import without_attributes
from ranvier_builder.markdown.dialects.extensions import AUTOREFS, is_on
from ranvier_builder.markdown.dialects.inline import parse_part
from ranvier_builder.markdown.dialects.roles import LABEL, heading_words, hiding_start

# The pieces of the words are few and possessive: a line of brackets and signs of code would take quadratic time.
_REFERENCE = re.compile(
    r"(?<![\w\])\\!])\[(?![\^\]])(?P<words>(?:`[^`]++`|[^\[\]`]++){1,20}+)(?<!\\)\]\[(?P<name>\w+(?:[.:-]\w+)*+|)\](?![\[(])"
)
_WORDLESS = re.compile(r"\[\]\(<?[^()<>\s#]+#(?P<fragment>[^()<>\s]+)>?\)")
_DEFINITION = re.compile(r"^[ \t>]*\[(?P<name>[^\]\n]+)\]:", re.MULTILINE)
_ANCHOR = re.compile(r"^[ \t>]*#{1,6}[ \t]+(?P<heading>\S[^\n]*)|<a id=\"(?P<id>[^\"\n]+)\"></a>", re.MULTILINE)
_NOT_IN_NAME = re.compile(r"[\W_]+")  # MkDocs omits some of these signs in an anchor, and GitHub others
_WORD = re.compile(r"\w+")
_PREFIX = "autoref:"
IS_KNOWN = "is known"  # key in the environment of a parse: a function that tells whether the site has a label


def references(body: str) -> set[str]:
    """Return the labels of the references whose names the page does not define, also of those in code."""
    if "][" not in body:
        return set()
    names = {normalizeReference(match["name"]) for match in _DEFINITION.finditer(body)}
    matches = (match["name"] or match["words"] for match in _REFERENCE.finditer(body))
    return {label_of(name) for name in matches if normalizeReference(name) not in names}


def fragments(body: str) -> set[str]:
    """Return the fragments of the links without words to other pages, `[](a.md#part)`, as labels."""
    return {label_of(match["fragment"]) for match in _WORDLESS.finditer(body)} if "[](" in body else set()


def targets(body: str, labels: Collection[str]) -> Iterator[tuple[str, str, str]]:
    """Yield those of the labels that lead to headings and anchors of a page, the fragments of their URLs, and the words."""
    in_code, hidden_from = None, hiding_start(body)
    for match in _ANCHOR.finditer(body):
        words, explicit = without_attributes(match["heading"].rstrip(" \t#")) if match["heading"] else ("", match["id"])
        if (label := label_of(explicit or words)) in labels:
            in_code = in_code or Inside(code(body))
            if not in_code(match.start()):
                yield (
                    label,
                    quote(explicit or words),
                    heading_words(match["heading"] or "") if match.start() < hidden_from else "",
                )


def plugin(md: MarkdownIt) -> None:
    """Add the rule; definitions of the page have priority."""
    md.inline.ruler.before("link", "reference", _rule)


def _rule(state: StateInline, silent: bool) -> bool:
    match = _REFERENCE.match(state.src, state.pos, state.posMax)
    if match is None or state.linkLevel or not any(map(str.isalpha, match["words"])):
        return False
    name = match["name"] or match["words"]
    if normalizeReference(name) in state.env.get("references", {}):
        return False
    is_known = state.env.get(IS_KNOWN, lambda _: None)(label_of(name)) is not None
    is_index = _WORD.fullmatch(match["name"]) and _WORD.fullmatch(match["words"])  # or a reference: `[a][b]`
    if (not is_known and _WORD.fullmatch(match["name"])) or (is_index and not is_on(AUTOREFS, state.env)):
        return False
    if not silent:
        if is_known:
            state.push("link_open", "a", 1).meta = {LABEL: label_of(name)}
        state.linkLevel += 1
        parse_part(state, match.span("words"))
        state.linkLevel -= 1
        if is_known:
            state.push("link_close", "a", -1)
    state.pos = match.end()
    return True


def label_of(name: str) -> str:
    """Return the label for a name: systems differ in all signs but letters and digits."""
    return _PREFIX + _NOT_IN_NAME.sub("", name.casefold())

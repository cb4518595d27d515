"""`[[target#heading|label]]` and `![[embed]]` as a markdown-it rule. `rewrite` resolves their targets later."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from markdown_it import MarkdownIt
from markdown_it.common.utils import normalizeReference
from markdown_it.rules_inline import StateInline

REDACTED = "private note"
REDACTS = "redacts"  # key in the environment of a parse: whether names of withheld pages are redacted
_WIKILINK = re.compile(r"(?P<embed>!?)\[\[(?P<target>[^\[\]|#\n]*)(?P<heading>#[^\[\]|\n]*)?(?:\|(?P<label>[^\[\]\n]*))?\]\]")
# `[[ -f x ]]`, `[[:alpha:]]`, `[[1, 2]]`: a shell test, a character class, a matrix; or characters not allowed in file names.
_NOT_A_TARGET = re.compile(r"[-$!]|.*==|:\w+:\Z|[\d\s.+-]+,[\d\s,.+-]*\Z")
_NOT_A_NAME = re.compile(rf"""\s.*\s\Z|.*["<>*?`{{]|{_NOT_A_TARGET.pattern}""")
# The rest of a Markdown link whose text is in brackets, `[[1]](#note)` or `[[1]][name]`: an address, or a name.
_REST_OF_LINK = re.compile(
    r"""\((?=\#|[./]|https?:|mailto:|[^\s()]*\.[a-z]{2,5}(?:[#?][^\s()]*)?[\s)])[^\s()]+(?:\([^\s()]*\)[^\s()]*)*"""
    r"""(?:\s+(?:"[^"\n]*"|'[^'\n]*'))?\s*\)|\[(?P<name>[^\[\]\n]+)\]"""
)


@dataclass(frozen=True, slots=True)
class Wikilink:
    """The parts of a wikilink; `label` is empty if there is none. `name` are the words of a target that is a path."""

    source: str
    target: str
    heading: str = ""
    label: str = ""
    embed: bool = False
    name: str = ""

    @property
    def reference(self) -> str:
        """The target and the heading, as the author wrote them."""
        return f"{self.target}#{self.heading}" if self.heading else self.target

    @property
    def words(self) -> str:
        """The visible words: the label, or else the target in words."""
        heading = self.heading.lstrip("^").split("#")
        return self.label or self.name or " > ".join(part for part in (self.target, *heading) if part.strip())

    @property
    def is_name(self) -> bool:
        """Whether the target could be the name of a note; the brackets may be another language's syntax."""
        if self.label:  # the label already has the visible words
            return _NOT_A_TARGET.match(self.target) is None
        return _NOT_A_NAME.match(self.source.lstrip("!")[2:-2].partition("#")[0]) is None

    @property
    def reversed(self) -> Wikilink:
        """The same link in Dendron's order: the label first."""
        target, _, heading = self.label.partition("#")
        return Wikilink(self.source, target.strip(), heading.strip(), self.target, self.embed)


def replace_wikilinks(text: str, words: Callable[[Wikilink], str]) -> str:
    """Replace each wikilink by words in a text that is not Markdown: a title, an attribute."""
    return _WIKILINK.sub(lambda match: words(_link(match)) if match["target"].strip() or match["heading"] else match[0], text)


def embedded_targets(text: str) -> Iterator[str]:
    """Yield the targets of the embeds in a Markdown text, also of those in code; the target of `![[#heading]]` is empty."""
    for match in _WIKILINK.finditer(text) if "![[" in text else ():
        if match["embed"]:
            yield _link(match).target


def wikilink_plugin(md: MarkdownIt) -> None:
    """Parse wikilinks outside of code into `wikilink` tokens; `meta["link"]` is a `Wikilink`."""
    md.inline.ruler.before("link", "wikilink", _rule)


def _rule(state: StateInline, silent: bool) -> bool:
    match = _WIKILINK.match(state.src, state.pos)
    if match is None or not (match["target"].strip() or match["heading"]) or _is_text_of_link(state, match):
        return False
    if not silent:
        link = _link(match)
        token = state.push("wikilink", "", 0)
        token.content, token.meta = link.words, {"link": link}
    state.pos = match.end()
    return True


def _is_text_of_link(state: StateInline, match: re.Match[str]) -> bool:
    """Return whether the brackets are the text of a Markdown link, which follows: `[[1]](#note)`."""
    target = _REST_OF_LINK.match(state.src, match.end())
    if target is None or match["embed"] or match["label"] is not None or state.env.get(REDACTS):
        return False
    return not target["name"] or normalizeReference(target["name"]) in state.env.get("references", {})


def _link(match: re.Match[str]) -> Wikilink:
    target, heading = match["target"], (match["heading"] or "").lstrip("#")
    if match["label"] is not None:  # some editors escape the bar outside of tables too: `[[target\|label]]`
        target, heading = target.rstrip("\\"), heading.rstrip("\\")
    return Wikilink(match.group(), target.strip(), heading.strip(), (match["label"] or "").strip(), bool(match["embed"]))

"""`[[target#heading|label]]` and `![[embed]]` as a markdown-it rule. Where they lead is decided later, by `rewrite`."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline

REDACTED = "private note"
_WIKILINK = re.compile(r"(?P<embed>!?)\[\[(?P<target>[^\[\]|#\n]*)(?P<heading>#[^\[\]|\n]*)?(?:\|(?P<label>[^\[\]\n]*))?\]\]")
# `[[ -f x ]]`, `[[:alpha:]]`, `[[1, 2]]`: a shell's test, a class of letters, a matrix; or signs that no file's name may have.
_NO_NAME = re.compile(r"""\s.*\s\Z|[-$!]|.*["<>*?`{]|.*==|:\w+:\Z|[\d\s.+-]+,[\d\s,.+-]*\Z""")

_NO_TARGET = re.compile(r"""[-$!]|.*==|:\w+:\Z|[\d\s.+-]+,[\d\s,.+-]*\Z""")


@dataclass(frozen=True, slots=True)
class Wikilink:
    """The parts of a wikilink; `label` is empty where there is none."""

    source: str
    target: str
    heading: str = ""
    label: str = ""
    embed: bool = False

    @property
    def written(self) -> str:
        """What the author pointed at: target and heading."""
        return f"{self.target}#{self.heading}" if self.heading else self.target

    @property
    def words(self) -> str:
        """What a reader sees: the label, else the target in words."""
        return self.label or " > ".join(part for part in (self.target, *self.heading.lstrip("^").split("#")) if part.strip())

    @property
    def is_name(self) -> bool:
        """Whether the target could be a note's name at all, and these are not another language's brackets."""
        if self.label:  # who gave a label gave the words that are to be seen
            return _NO_TARGET.match(self.target) is None
        return _NO_NAME.match(self.source.lstrip("!")[2:-2].partition("#")[0]) is None

    @property
    def turned(self) -> Wikilink:
        """The same link read as Dendron writes it: the label first."""
        target, _, heading = self.label.partition("#")
        return Wikilink(self.source, target.strip(), heading.strip(), self.target, self.embed)


def replaced(text: str, words: Callable[[Wikilink], str]) -> str:
    """Put words in the place of each wikilink of a text that is no Markdown: a title, an attribute."""
    return _WIKILINK.sub(lambda match: words(_link(match)) if match["target"].strip() or match["heading"] else match[0], text)


def wikilink_plugin(md: MarkdownIt) -> None:
    """Parse wikilinks outside of code into `wikilink` tokens; `meta["link"]` is a `Wikilink`."""
    md.inline.ruler.before("link", "wikilink", _rule)


def _rule(state: StateInline, silent: bool) -> bool:
    match = _WIKILINK.match(state.src, state.pos)
    if match is None or not (match["target"].strip() or match["heading"]):
        return False
    if not silent:
        link = _link(match)
        token = state.push("wikilink", "", 0)
        token.content, token.meta = link.words, {"link": link}
    state.pos = match.end()
    return True


def _link(match: re.Match[str]) -> Wikilink:
    target, heading = match["target"], (match["heading"] or "").lstrip("#")
    if match["label"] is not None:  # outside of tables, too, some editors escape the bar: `[[target\|label]]`
        target, heading = target.rstrip("\\"), heading.rstrip("\\")
    return Wikilink(match.group(), target.strip(), heading.strip(), (match["label"] or "").strip(), bool(match["embed"]))

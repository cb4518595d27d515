"""`[[target#heading|label]]` and `![[embed]]` as a markdown-it rule. Where they lead is decided later, by `rewrite`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline

_WIKILINK = re.compile(r"(?P<embed>!?)\[\[(?P<target>[^\[\]|#\n]*)(?P<heading>#[^\[\]|\n]*)?(?:\|(?P<label>[^\[\]\n]*))?\]\]")
# `[[ -f x ]]`, `[[:alpha:]]`, `[[1, 2]]`: a shell's test, a class of letters, a matrix; or signs that no file's name may have.
_NO_NAME = re.compile(r"""\s.*\s\Z|[-$!]|.*["<>*?`{]|.*==|:\w+:\Z|[\d\s.+-]+,[\d\s,.+-]*\Z""")


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
        inner = self.source.lstrip("!")[2:-2]
        return _NO_NAME.match(inner.partition("|")[0].partition("#")[0]) is None

    @property
    def turned(self) -> Wikilink:
        """The same link read as Dendron writes it: the label first."""
        target, _, heading = self.label.partition("#")
        return Wikilink(self.source, target.strip(), heading.strip(), self.target, self.embed)


def wikilink_plugin(md: MarkdownIt) -> None:
    """Parse wikilinks outside of code into `wikilink` tokens; `meta["link"]` is a `Wikilink`."""
    md.inline.ruler.before("link", "wikilink", _rule)


def _rule(state: StateInline, silent: bool) -> bool:
    match = _WIKILINK.match(state.src, state.pos)
    if match is None or not (match["target"].strip() or match["heading"]):
        return False
    if not silent:
        target, heading = match["target"], (match["heading"] or "").lstrip("#")
        if match["label"] is not None:  # outside of tables, too, some editors escape the bar: `[[target\|label]]`
            target, heading = target.rstrip("\\"), heading.rstrip("\\")
        label = (match["label"] or "").strip()
        link = Wikilink(match.group(), target.strip(), heading.strip(), label, bool(match["embed"]))
        token = state.push("wikilink", "", 0)
        token.content, token.meta = link.words, {"link": link}
    state.pos = match.end()
    return True

"""Every word before some of the words, exact names before everything (the default's answer to FACTS §7: 3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ranvier import text
from ranvier.query.understand import ParsedQuery
from ranvier.rank.candidate import Candidate
from ranvier.rank.stage import Facts, Question, Stage
from ranvier.store.snapshot import Sought
from ranvier.store.tables import CHUNKS, NEURONS
from ranvier.types import PREFIX, WHOLE

MIN_BEGUN = 3  # characters from which a name that is being typed is known by its beginning

_KINDS = (
    *("title", "heading", "title, but for endings", "heading, but for endings"),
    *("title that begins so", "heading that begins so"),
)
_SQL = " UNION ALL ".join(
    f"SELECT '{kind}', rowid FROM {table} WHERE {table} MATCH ?"
    for kind, table in zip(_KINDS, (NEURONS, CHUNKS) * 3, strict=True)
)


@dataclass(frozen=True, slots=True)
class Coverage(Stage):
    """What a hit gains for having every word (`whole`), or every word with one of them begun (`begun`).

    Only in queries of up to `few` words, those that say nothing counted: a page that answers a question seldom has all of its
    words.
    """

    whole: float = 1.0
    begun: float = 1.0
    few: int = 3
    name: str = "coverage"

    def apply(self, hits: list[Candidate], rows: list[Any], query: ParsedQuery, facts: Facts) -> None:
        """Add it."""
        term_count = len({term.forms for term in query.terms})
        typing = any(term.start for term in query.terms)
        if len(query.words.split()) > self.few or (term_count < 2 and not typing):
            return  # of one word there is no half, but a beginning
        for hit in hits:
            gain = {WHOLE: self.whole, PREFIX: self.begun}.get(hit.tier, 0.0)
            if gain:
                hit.add(self.name, gain, "every word")


@dataclass(frozen=True, slots=True)
class Exact(Stage):
    """What a hit gains whose title or alias, or one of whose headings, is the query.

    Letter for letter, but for endings, or, while it is being typed, as far as it goes.
    """

    title: float = 1.0
    heading: float = 0.5
    ending: float = 0.0  # what less it gains where endings differ: `module` for `Modules`
    begun: float = 0.5  # how much of it what only begins so gains
    name: str = "exact"

    def planned_reads(self, query: ParsedQuery) -> tuple[list[Sought], tuple[str, ...]]:
        """The names that the query would be: each sorts right behind its first word."""
        lookups = [Sought(name, table=table) for name in names(query) for table in (NEURONS, CHUNKS)]
        if begun := beginning(query):
            lookups += [Sought(begun, prefix=True, table=table) for table in (NEURONS, CHUNKS)]
        return lookups, ()

    def question(self, hits: list[Candidate], query: ParsedQuery) -> Question | None:
        """Ask for Neurons, and chunks, of that name."""
        called = names(query)
        if not called or not hits:
            return None
        begun = beginning(query)
        matches = (f'"{called[0]}"', " OR ".join(f'"{name}"' for name in called), f'"{begun}"*' if begun else f'"{called[0]}"')
        return Question(_SQL, tuple(f"{{name}} : ({match})" for match in matches for _ in (NEURONS, CHUNKS)))

    def apply(self, hits: list[Candidate], rows: list[Any], query: ParsedQuery, facts: Facts) -> None:
        """Add the most that a hit has a claim to; `rows` are of a kind and the number of a Neuron, or of a chunk."""
        named: dict[str, set[int]] = {kind: set() for kind in _KINDS}
        for kind, number in rows:
            named[kind].add(number)
        gains = self._gains()
        for hit in hits:
            numbers = ({hit.neuron}, {*hit.chunks})
            for at, kind in enumerate(_KINDS):
                if named[kind] & numbers[at % 2]:
                    hit.add(self.name, gains[kind], kind)
                    break

    def _gains(self) -> dict[str, float]:
        whole = (self.title, self.heading)
        parts = (*whole, *(gain - self.ending for gain in whole), *(gain * self.begun for gain in whole))
        return dict(zip(_KINDS, parts, strict=True))


def names(query: ParsedQuery) -> list[str]:
    """Return the terms as which a title or heading that is the query would be indexed: as written, then by its stems."""
    spellings = [text.name(query.words, text.AS_WRITTEN), *(text.name(query.words, lang) for lang in query.langs)]
    return list(dict.fromkeys(name for name in spellings if name))


def beginning(query: ParsedQuery) -> str:
    """Return what the name begins with: `search bo` → `search=bo` while it is being typed; empty where too little is.

    A query that is done is the beginning in whole words, `search=bo=`, so that a blank or Enter behind it changes no order.
    """
    begun = text.name(query.words, text.AS_WRITTEN)
    if query.prefix and not query.words[-1:].isspace():
        begun = begun.removesuffix("=")
    return begun if len(begun.removesuffix("=")) >= MIN_BEGUN else ""

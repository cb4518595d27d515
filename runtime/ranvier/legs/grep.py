"""The grep leg (L5, [004]): Neurons that have a term in their path or their text. It recalls Neurons and does not rank them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from ranvier import text
from ranvier.legs import LEXICAL, Leg, Recall
from ranvier.query.expansion import MIN_TERM
from ranvier.query.scope import ScopeFilter
from ranvier.query.tree import Node, join
from ranvier.query.understand import ParsedQuery
from ranvier.store.snapshot import Steps, TermLookup
from ranvier.store.tables import NEURONS, SUBSTRINGS
from ranvier.types import PARTIAL, Match, Ranking

LIMIT = 200
MIN_ASCII, MIN_CJK = 3, 2  # characters of a term

_CONTENT = f"SELECT rowid FROM {SUBSTRINGS} WHERE {SUBSTRINGS} MATCH ? ORDER BY rowid"
_PAIR = f"SELECT rowid FROM {NEURONS} WHERE {NEURONS} MATCH ? ORDER BY rowid"
_TAGGED = "SELECT DISTINCT n FROM tag WHERE instr(tag, ?) ORDER BY n"  # [004] searches tags as text


@dataclass(frozen=True, slots=True)
class GrepLeg(Leg):
    """Two passes: Neurons by the number of terms in their path, then other Neurons with a term in their text, in site order."""

    name: str = "grep"
    limit: int = LIMIT
    weight: float = 1.0
    kind: str = LEXICAL
    match: str = ""

    def planned_reads(self, query: ParsedQuery) -> tuple[list[TermLookup], tuple[str, ...]]:
        """Return the table of paths, and the trigrams of every term (a term of two characters is a pair in the text index)."""
        terms = recall_terms(query)
        lookups = [TermLookup(unit, table=SUBSTRINGS) for term in terms for unit in text.trigrams(term).split()]
        lookups += [unit for term in terms if not text.trigrams(term) for unit in _pair(query, term)]
        return lookups, ("neuron", "substring", "tag")

    def recall(self, context: Recall) -> Steps[Ranking]:
        """Return each Neuron once; its score is the number of terms in its path."""
        terms = recall_terms(context.query)
        rows = yield from context.snapshot.query("SELECT n, path FROM neuron ORDER BY n", (), (), ("neuron",))
        path_counts = [(n, sum(term in path.casefold() for term in terms)) for n, path in rows if n in context.scope_filter]
        limit = min(self.limit, context.candidates)
        by_path = sorted(((-count, n) for n, count in path_counts if count))[:limit]
        matches = {n: Match(n, -count * 1_000_000, PARTIAL) for count, n in by_path}
        for term in terms:
            if len(matches) >= limit:
                break
            for n in (yield from self._with(context, term)):
                if n in context.scope_filter and len(matches) < limit:
                    matches.setdefault(n, Match(n, 0, PARTIAL))
        return Ranking(self.name, tuple(matches.values()), False, self.weight, len(matches) >= limit)

    def _with(self, context: Recall, term: str) -> Steps[list[int]]:
        """Return the Neurons whose text has a term, or which have a tag with it; words of one or two letters are ignored."""
        row = text.trigrams(term)
        tagged = yield from context.snapshot.query(_TAGGED, (term,), (), ("tag",))
        if not row:  # a pair of characters of a script without blanks is a term of the text index
            pair = _pair(context.query, term)
            match = f'"{" ".join(unit.term for unit in pair)}"'
            rows = (yield from context.snapshot.query(_PAIR, (match,), pair)) if pair else []
            return sorted({n for (n,) in (*rows, *tagged)})
        lookups = [TermLookup(unit, table=SUBSTRINGS) for unit in row.split()]
        chunks = yield from context.snapshot.query(_CONTENT, (f'"{row}"',), lookups, ("substring",))
        return sorted({context.snapshot.manifest.neuron_of(chunk) for (chunk,) in chunks} | {n for (n,) in tagged})


@dataclass(frozen=True, slots=True)
class RankedAmong(Leg):
    """A leg that ranks the Neurons that another leg recalled ([004]: grep finds the candidates, BM25 ranks them).

    It ranks by the salient terms of the query; query variants only add candidates.
    """

    name: str
    recalled: Leg
    ranked: Leg
    weight: float = 1.0
    kind: str = LEXICAL
    match: str = ""

    @property
    def requires_all(self) -> bool:  # type: ignore[override] # as the one that ranks
        """Tell whether the ranking leg requires every word first."""
        return self.ranked.requires_all

    def planned_reads(self, query: ParsedQuery) -> tuple[list[TermLookup], tuple[str, ...]]:
        """Return the reads of both legs."""
        (first, packs), (second, more_packs) = self.recalled.planned_reads(query), self.ranked.planned_reads(salient(query))
        return [*first, *second], (*packs, *more_packs)

    def recall(self, context: Recall) -> Steps[Ranking]:
        """Recall, then rank."""
        recalled = yield from self.recalled.recall(context)
        scope_filter = ScopeFilter(match.row for match in recalled.matches)
        narrowed = replace(context, query=salient(context.query), scope_filter=scope_filter)
        ranking = yield from self.ranked.recall(narrowed)
        return Ranking(self.name, ranking.matches, ranking.chunks, self.weight, recalled.truncated or ranking.truncated)


def salient(query: ParsedQuery) -> ParsedQuery:
    """Return a query with only the salient terms of two characters or more; the same query if it has none ([004])."""
    terms: list[Node] = [term for term in query.terms if max(len("".join(form)) for form in term.forms) >= MIN_TERM]
    return replace(query, query=replace(query.query, tree=join("AND", terms))) if terms else query


def _pair(query: ParsedQuery, term: str) -> list[TermLookup]:
    return [TermLookup(token, table=NEURONS) for token in text.row(term, query.langs[0])]


def recall_terms(query: ParsedQuery) -> list[str]:
    """Return the terms to search: the query and its variants, then its words; in lower case, unique, and long enough."""
    texts = [*query.expansion.queries, *query.expansion.salient_terms]
    terms = dict.fromkeys(" ".join(query_text.split()).casefold() for query_text in texts)
    return long_enough(terms)


def long_enough(terms: Iterable[str]) -> list[str]:
    """Drop terms that are on nearly every page: fewer than three letters, or two characters of other scripts ([004])."""
    return [term for term in terms if len(term) >= (MIN_ASCII if term.isascii() else MIN_CJK)]

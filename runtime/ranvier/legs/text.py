"""The text leg (L1): BM25 by FTS5, over chunks or over whole Neurons."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from ranvier import text
from ranvier.legs import LEXICAL, Leg, Recall
from ranvier.query.fts import expression, term_lookups
from ranvier.query.tree import Node, Term, ends_a_pair, join, leaves
from ranvier.query.understand import ParsedQuery
from ranvier.store.snapshot import Steps, TermLookup
from ranvier.store.tables import CHUNKS, NEURONS
from ranvier.types import PARTIAL, PREFIX, WHOLE, Match, Ranking

COMPLETED = 0.6  # factor for completions if the unfinished word is a word of the site, as in the instant lists
COLUMNS = ("title", "tags", "heading", "path", "body")  # the columns of `weights`
Weights = tuple[float, float, float, float, float]

# The last bit of `rank` may differ between C libraries (the logarithm in idf). It is rounded to millionths before rows are
# sorted, and ties are sorted by row number, so the order is the same everywhere.
_SQL = """
SELECT rowid, CAST(-1000000 * rank AS INTEGER) AS micro FROM {table}
WHERE {table} MATCH ? AND rank MATCH ?{condition} ORDER BY micro DESC, rowid LIMIT ?
"""


@dataclass(frozen=True, slots=True)
class TextLeg(Leg):
    """`weights` are the column weights of bm25: title, tags, heading, path, body."""

    name: str
    table: str = CHUNKS
    weights: Weights = (10.0, 5.0, 5.0, 1.0, 1.0)
    weight: float = 1.0
    by_length: float = 0.0  # weight × log2(chunks / Neurons): sections count more on a site of long pages
    candidates: int = 0  # rows; 0: the number of the preset
    min_full_matches: int = 10  # if so many Neurons have every word, those with some words are left out; 0: always
    short_query_words: int = 0  # apply `min_full_matches` to queries of up to so many words; 0: to all queries
    any_word: bool = False  # plain words are joined by OR from the start ([004]: combineWith "OR")
    prefixes: bool = False  # each word also matches as a prefix ([004]: prefix)
    kind: str = LEXICAL
    match: str = "text"

    @property
    def requires_all(self) -> bool:  # type: ignore[override] # it follows from another number
        """Tell whether it requires every word first."""
        return not self.any_word

    def planned_reads(self, query: ParsedQuery) -> tuple[list[TermLookup], tuple[str, ...]]:
        """Return every term that any of its tiers looks up."""
        trees = [tree for tree, _ in self._tiers(query)]
        return [lookup for tree in dict.fromkeys(trees) for lookup in term_lookups(tree, self.table)], ()

    def recall(self, context: Recall) -> Steps[Ranking]:
        """Return rows, tier by tier.

        Prefix matches are a separate tier: in bm25 one term would count as two rare terms, and a page with half of the word
        would rank above the page about the word. If the site has the unfinished word as a word, its completions count less.
        """
        matches: dict[int, Match] = {}
        truncated = False
        is_word = not self.prefixes and (yield from self._has_unfinished_word(context))
        for tree, tier in self._tiers(context.query):
            if tier == PARTIAL and self._is_enough(context, matches):
                break
            as_prefixes = tier == PREFIX or (tier == PARTIAL and not is_word)
            rows = yield from self.match_rows(context, tree, tier, as_prefixes=as_prefixes)
            truncated |= len(rows) >= (self.candidates or context.candidates)
            factor = COMPLETED if tier == PREFIX and is_word and tree not in context.query.variants else 1
            for row in rows:
                matches.setdefault(row.row, row._replace(micro=int(row.micro * factor)))
        return Ranking(self.name, tuple(matches.values()), self.table == CHUNKS, self._weight(context), truncated)

    def _tiers(self, query: ParsedQuery) -> list[tuple[Node, int]]:
        tree = query.tree
        if tree is None:
            return []
        terms: list[Node] = [_as_prefix(term, query.langs) if self.prefixes else term for term in leaves(tree)]
        any_word = join("OR", [part for term in terms for part in parts(term)]) if query.query.plain else None
        has_prefix = any(term.start for term in leaves(tree, positive_only=False))
        if self.any_word and any_word is not None:  # a single word has no partial match
            return [(any_word, PARTIAL)] if any_word != tree else [(any_word, WHOLE), (any_word, PREFIX)][: 1 + has_prefix]
        variants = [(variant, PREFIX) for variant in query.variants]
        partial = [(any_word, PARTIAL)] if any_word is not None and any_word != tree and self.min_full_matches else []
        return [(tree, WHOLE), *([(tree, PREFIX)] if has_prefix else []), *variants, *partial]

    def _is_enough(self, context: Recall, matches: dict[int, Match]) -> bool:
        if self.any_word or (self.short_query_words and len(context.query.words.split()) > self.short_query_words):
            return False
        return self._neurons(context, matches) >= self.min_full_matches

    def _weight(self, context: Recall) -> float:
        manifest = context.snapshot.manifest
        if not self.by_length or not manifest.neuron_count:
            return self.weight
        # Cut to six decimals: the logarithm's last bit may differ between C libraries.
        return round(self.by_length * math.log2(max(1.0, manifest.chunk_count / manifest.neuron_count)), 6)

    def _neurons(self, context: Recall, matches: dict[int, Match]) -> int:
        if self.table == NEURONS:
            return len(matches)
        return len({context.snapshot.manifest.neuron_of(row) for row in matches})

    def match_expression(self, tree: Node, *, as_prefixes: bool) -> str:
        """Write a tree for FTS5; a column without weight is not searched ([000], [001]: it is not in their index)."""
        match = expression(tree, as_prefixes=as_prefixes)
        searched = [name for name, weight in zip(COLUMNS, self.weights, strict=True) if weight]
        return match if len(searched) == len(COLUMNS) else f"{{{' '.join(searched)}}} : ({match})"

    def _has_unfinished_word(self, context: Recall) -> Steps[bool]:
        """Tell whether a row in the scope has the unfinished word as a whole word."""
        unfinished = [term for term in leaves(context.query.tree) if term.start]
        condition, values = context.scope_filter.condition(self.table, context.snapshot.manifest.chunks_of)
        sql = f"SELECT rowid FROM {self.table} WHERE {self.table} MATCH ?{condition} LIMIT 1"
        for term in unfinished:
            parameters = (self.match_expression(term, as_prefixes=False), *values)
            if (yield from context.snapshot.query(sql, parameters, term_lookups(term, self.table))):
                return True
        return False

    def match_rows(self, context: Recall, tree: Node, tier: int, *, as_prefixes: bool = False) -> Steps[list[Match]]:
        """Return the rows that a tree matches, best first; with `as_prefixes`, an unfinished word is a prefix."""
        condition, values = context.scope_filter.condition(self.table, context.snapshot.manifest.chunks_of)
        bm25 = f"bm25(0.0, {', '.join(map(str, self.weights))})"
        limit, translations = self.candidates or context.candidates, context.snapshot.translations
        most = limit * len(translations.langs) if translations else limit
        parameters = (self.match_expression(tree, as_prefixes=as_prefixes), bm25, *values, most)
        rows = yield from context.snapshot.query(
            _SQL.format(table=self.table, condition=condition), parameters, term_lookups(tree, self.table)
        )
        if translations and len(rows) > limit:
            from ranvier.rank.versions import with_own_language  # most sites have one language

            neuron_of = context.snapshot.manifest.neuron_of if self.table == CHUNKS else int
            rows = with_own_language(rows, limit, neuron_of, translations, context.query)
        return [Match(row, micro, tier) for row, micro in rows]


def parts(term: Node) -> list[Node]:
    """Return the parts of a term for a partial match: each term of a row, and the whole identifier as well.

    `free-stream` is two words, `getUser` is one or two, a sentence in Chinese is its pairs of characters. A phrase in quotes
    is not split, nor is `v0.120.0`: a page with a 0 on it is not about it.
    """
    if not isinstance(term, Term) or term.quoted or all(len(form) == 1 for form in term.forms):
        return [term]
    if all(word.lstrip("v").replace(".", "").isdigit() for form in term.forms for word in form):
        return [term]
    wholes = [] if term.hyphenated else [form[0] for form in term.forms if len(form) == 1]
    words = dict.fromkeys((*wholes, *(word for form in term.forms if len(form) > 1 for word in form)))
    return [Term(((word,),), columns=term.columns) for word in words if not ends_a_pair(word, words)]


def _as_prefix(term: Term, langs: tuple[str, ...]) -> Term:
    """Return the term as a prefix."""
    start = text.unfinished(term.spelling, langs) or ""
    return replace(term, start=start, stems=text.completions(start, langs, term.spelling)) if term.spelling else term

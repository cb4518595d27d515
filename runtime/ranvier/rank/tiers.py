"""Gains of pages with every word, and of exact names, which come first."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from ranvier import text
from ranvier.query.fts import expression, term_lookups
from ranvier.query.tree import Near, Node, leaves
from ranvier.query.understand import ParsedQuery, address_names, name_terms
from ranvier.rank.candidate import Candidate
from ranvier.rank.stage import Facts, SqlQuery, Stage
from ranvier.store.snapshot import TermLookup
from ranvier.store.tables import CHUNKS, NEURONS
from ranvier.types import PREFIX, WHOLE

COMPLETED = 0.3  # share of a title's gain for a longer word if the unfinished word is on the site
_OPTION = re.compile(r'\s*"?--([^\W\d_][\w-]*)"?\s*\Z')
_MAX_WORDS = 4  # of a query with a title in it
MIN_PASSAGE = 4  # words of a copied text, without stop words
MIN_PREFIX = 3  # characters of an unfinished name that are enough to match by prefix


class Claim(NamedTuple):
    """A reason to gain: rows of a table that match an expression of FTS5."""

    kind: str
    table: str
    match: str
    gain: float
    shared: bool = False  # less if several hits have the same claim


@dataclass(frozen=True, slots=True)
class Coverage(Stage):
    """The gain of a hit with every word (`whole`), or with every word, the last one as a prefix (`prefix`).

    It applies to queries of up to `max_words` words, stop words included: a page that answers a longer query seldom has all.
    """

    whole: float
    prefix: float
    max_words: int = 3
    name: str = "coverage"

    def apply(self, hits: list[Candidate], rows: list[Any], query: ParsedQuery, facts: Facts) -> None:
        """Add the gain."""
        term_count = len({term.forms for term in query.terms})
        typing = any(term.start for term in query.terms)
        if len(query.words.split()) > self.max_words or (term_count < 2 and not typing):
            return  # a single word has no partial match, but a prefix
        for hit in hits:
            gain = {WHOLE: self.whole, PREFIX: self.prefix}.get(hit.tier, 0.0)
            if gain:
                hit.add(self.name, gain, "every word")


@dataclass(frozen=True, slots=True)
class Exact(Stage):
    """The gain of a hit if its title, an alias or a heading equals the query: exactly, in another form, or as a prefix.

    A title with every word of the query gains less. The gain of a heading is divided by the number of pages that have it. A
    heading may also equal the query without its stop words. A title within the query gains a little; the words of a longer
    query in a row, less.
    """

    title: float = 1.0
    heading: float = 0.5
    ending: float = 0.0  # deduction for another form: `module` for `Modules`
    prefix: float = 0.5  # share of the gain for a prefix match
    part: float = 0.0  # gain of a longer title with every word
    within: float = 0.0  # gain of a title that is half of the query or more
    step: float = 0.0  # shared gains are cut to multiples of it, as in the instant lists; 0: not cut
    name: str = "exact"

    def planned_reads(self, query: ParsedQuery) -> tuple[list[TermLookup], tuple[str, ...]]:
        """Return the names that equal the query. In the index, each name is next to its first word."""
        lookups = [TermLookup(name, table=table) for name in _all_names(query) for table in (NEURONS, CHUNKS)]
        lookups += map(TermLookup, _names_without_stops(query))
        lookups += [TermLookup(name, table=NEURONS) for name in _names_within(query) if self.within]
        if option := option_name(query.words):
            lookups.append(TermLookup(option))
        lookups += [TermLookup(name, table=NEURONS) for name in address_names(query.words)]
        if prefix := name_prefix(query):
            lookups += [TermLookup(prefix, prefix=True, table=table) for table in (NEURONS, CHUNKS)]
        if (tree := self._every_word(query)) is not None:
            lookups += term_lookups(tree, NEURONS)
        return lookups, ()

    def sql_query(self, hits: list[Candidate], query: ParsedQuery) -> SqlQuery | None:
        """Return the query for Neurons and chunks with that name."""
        if not hits or not (claims := self._claims(hits, query)):
            return None
        # sorted: SQLite caches 128 statements
        numbered = sorted(enumerate(claims), key=lambda pair: pair[1].table)
        sql = (f"SELECT ?, rowid FROM {claim.table} WHERE {claim.table} MATCH ?" for _, claim in numbered)
        return SqlQuery(" UNION ALL ".join(sql), tuple(value for at, claim in numbered for value in (at, claim.match)))

    def apply(self, hits: list[Candidate], rows: list[Any], query: ParsedQuery, facts: Facts) -> None:
        """Add the largest gain of each hit; `rows` are pairs of a claim's index and the number of a Neuron or a chunk."""
        claims = self._claims(hits, query)
        named = [set[int]() for _ in claims]
        for at, number in rows:
            named[at].add(number)
        best = dict[int, tuple[float, str]]()
        for claim, numbers in reversed([*zip(claims, named, strict=True)]):  # the best last: its section stays first
            pages = [hit for hit in hits if claim.gain or hit.key in best]
            holders = [hit for hit in pages if numbers.intersection(hit.chunks if claim.table == CHUNKS else (hit.neuron,))]
            gain = self.shared(claim.gain, len({hit.neuron for hit in holders})) if claim.shared else claim.gain
            for hit in holders:
                if claim.table == CHUNKS:  # show the section with this heading
                    hit.chunks.sort(key=lambda chunk: chunk not in numbers)
                elif claim.gain > self.part:  # show the start of the page with this title
                    hit.chunks.sort(key=min(hit.chunks, default=0).__ne__)
                if gain >= best.get(hit.key, (0.0, ""))[0]:
                    best[hit.key] = gain, claim.kind
        for hit in hits:
            if hit.key in best:
                hit.add(self.name, *best[hit.key])

    def _claims(self, hits: list[Candidate], query: ParsedQuery) -> list[Claim]:
        names, prefix, tree = _all_names(query), name_prefix(query), self._every_word(query)
        if not names:
            return []
        spellings = [("", _any(names[:1]), 1.0, 0.0), (", in another form", _any(names), 1.0, self.ending)]
        if prefix:
            spellings.append((", as a prefix", f'{{name}} : "{prefix.removesuffix("=")}="*', self.prefix, 0.0))
        claims = []
        if option := option_name(query.words):
            claims.append(Claim("heading with this option", CHUNKS, f'{{name}} : "{option}"', self.title))
        for name, deduction in zip(address_names(query.words), (0.0, self.ending), strict=False):
            claims.append(Claim("address", NEURONS, f'{{name}} : "{name}"', self.title - deduction))
        for kind, match, factor, deduction in spellings:
            claims.append(Claim(f"heading{kind}", CHUNKS, match, self.heading * factor - deduction, shared=True))
            claims.append(Claim(f"title{kind}", NEURONS, match, self.title * factor - deduction))
        if prefix and not prefix.endswith("="):
            match, kind = f'{{name}} : "{prefix}"*', "that begins with these letters"
            title = self.title * (COMPLETED if any(hit.tier == WHOLE for hit in hits) else self.prefix)
            claims.append(Claim(f"title {kind}", NEURONS, match, title))
            claims.append(Claim(f"heading {kind}", CHUNKS, match, self.heading * self.prefix, shared=True))
        if without_stops := _names_without_stops(query):
            match = _any(without_stops)
            claims.append(Claim("heading without stop words", CHUNKS, match, self.heading - self.ending, shared=True))
        for words in (tree, *query.rewrites.values()) if tree is not None else ():
            for as_prefixes, factor in ((False, 1.0), (True, self.prefix))[: 1 + query.prefix]:
                match = f"{{title}} : ({expression(words, as_prefixes=as_prefixes)})"
                claims.append(Claim("title with every word", NEURONS, match, self.stepped(self.part * factor)))
        return [*claims, *self._partial_claims(query)]

    def _partial_claims(self, query: ParsedQuery) -> Iterator[Claim]:
        if query.section:
            *_, last = leaves(query.section)
            yield Claim("", CHUNKS, expression(last), 0.0)  # sorts the sections of the next claim's pages
            yield Claim("title, and heading with the rest", NEURONS, expression(query.section), self.stepped(self.part * 0.75))
        if self.within and (names := _names_within(query)):
            yield Claim("title within the query", NEURONS, _any(names), self.within)
        if self.within and (passage := _passage(query)):
            yield Claim("", CHUNKS, passage, 0.0)
            yield Claim("the words in a row", NEURONS, passage, self.within * 0.75)

    def shared(self, gain: float, pages: int) -> float:
        """Return the gain of a heading that some pages have: a third if two pages have it, a fifth if three have it."""
        return self.stepped(gain / max(1, 2 * pages - 1))

    def stepped(self, gain: float) -> float:
        """Cut a gain to a multiple of the step."""
        return gain // self.step * self.step if self.step else gain

    def _every_word(self, query: ParsedQuery) -> Node | None:
        return query.tree if self.part and query.query.plain and not any(term.columns for term in query.terms) else None


def name_words(query: ParsedQuery) -> str:
    """Return the words that may be a name: `title:caching` → `caching`."""
    return query.words.removeprefix("title:")


def _all_names(query: ParsedQuery) -> tuple[str, ...]:
    all_words = (name_words(query), *query.rewrites)
    return tuple(dict.fromkeys(name for words in all_words for name in name_terms(words, query.langs)))


def option_name(words: str) -> str:
    """Return the index term of a heading with an option, `--dry-run` → `#dry=run=`; empty for other words."""
    option = _OPTION.match(words)
    return f"#{text.name(option[1], text.AS_WRITTEN)}" if option else ""


def _content_words(query: ParsedQuery) -> list[str]:
    return [word for word, *_ in text.words(name_words(query)) if not text.is_stop(word, query.langs)]


def _names_without_stops(query: ParsedQuery) -> tuple[str, ...]:
    return name_terms(" ".join(_content_words(query)), query.langs)


def _names_within(query: ParsedQuery) -> list[str]:
    """Return the names of parts of a query: `fetch example` → `fetch`, `example`."""
    words = _content_words(query)
    if not query.query.plain or len(words) > _MAX_WORDS:
        return []
    sizes = range((len(words) + 1) // 2, len(words) + 1)
    parts = (" ".join(words[start : start + size]) for size in sizes for start in range(len(words) - size + 1))
    return [name for part in parts for name in name_terms(part, ())]


def _passage(query: ParsedQuery) -> str:
    """Match the words of a longer query in a row, as in a copied sentence."""
    terms = query.terms
    # The pairs of a run without blanks have one position.
    if not query.query.plain or len({term.at for term in terms}) < MIN_PASSAGE:
        return ""
    # Stop words have positions, too; a word may have parts.
    distance = terms[-1].at - terms[0].at - 1 + sum(max(map(len, term.forms)) - 1 for term in terms)
    return expression(Near(tuple(terms), distance), as_prefixes=False)


def _any(names: Iterable[str]) -> str:
    any_name = " OR ".join(f'"{name}"' for name in names)
    return f"{{name}} : ({any_name})"


def name_prefix(query: ParsedQuery) -> str:
    """Return the first letters of a name: `search bo` → `search=bo` while the query is typed; empty if it is too short.

    A finished query ends with a whole word, `search=bo=`.
    """
    prefix = text.name(name_words(query), text.AS_WRITTEN)
    if query.prefix and not query.words[-1:].isspace():
        prefix = prefix.removesuffix("=")
    return prefix if len(prefix.removesuffix("=")) >= MIN_PREFIX else ""

"""Terms of all pages → what each term alone gives each page, in bulk: the sums of the default preset without one search.

The numbers are those of the preset's legs (`ranvier.legs.text`), the formula is FTS5's bm25: k1 1.2, b 0.75, and
idf = log((rows - rows with it + .5) / (rows with it + .5)), where that is above 0, else a millionth.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from ranvier.legs.text import TextLeg
from ranvier.presets import laid_over, preset
from ranvier.rank.prior import UNIT, Linked
from ranvier.rank.tiers import Exact
from ranvier.store.tables import CHUNKS, NEURONS

from ranvier_builder.model import Row, Terms
from ranvier_builder.write.analyse import whole_body

K1, B = 1.2, 0.75
LEAST_IDF = 1e-6  # FTS5's, of a term that more than half of the rows have
MICRO = 1_000_000
_BLOCK = 2000  # rows that are counted at once: some million terms
_SHOWN = (0, 0, 0, 1, 0, 1)  # heading and body: what a section itself says

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Numbers:
    """What the default preset, with the site's own numbers laid over it, says of one word."""

    page: tuple[float, ...]  # weights of name, title, tags, heading, path, body
    section: tuple[float, ...]
    page_weight: float
    section_weight: float
    linked: float
    exact: Exact

    @classmethod
    def of(cls, tuning: Mapping[str, Any], chunks: int, pages: int) -> Numbers:
        """Read them; `tuning` is the site's."""
        stages = laid_over(preset("default"), tuning["preset"]) if tuning.get("preset") else preset("default")
        page, section = (_leg(stages.legs, table) for table in (NEURONS, CHUNKS))
        linked = next((stage.strength for stage in stages.adjust if isinstance(stage, Linked)), 0.0)
        exact = next((stage for stage in stages.adjust if isinstance(stage, Exact)), Exact(0.0, 0.0))
        by_length = round(section.by_length * math.log2(max(1.0, chunks / pages)), 6) if section.by_length else section.weight
        return cls((0.0, *page.weights), (0.0, *section.weights), page.weight, by_length, linked, exact)


@dataclass(frozen=True, slots=True)
class Postings:
    """For each term and row: how often, by the columns' weights; whether a section itself says it. Sorted by term, then row."""

    term: Ints
    row: Ints  # from 0
    often: Floats
    shown: NDArray[np.bool_]
    lengths: Ints  # of each row, in terms


@dataclass(frozen=True, slots=True)
class Impacts:
    """What each term gives each page, sorted by term, then page."""

    term: Ints
    page: Ints  # from 0
    score: Floats
    chunk: Ints  # the best chunk that says it itself; -1: the page as a whole
    starts: Ints  # of each term, its first row here; one more at the end
    idf: Floats  # of each term, over pages

    def of(self, term: int) -> slice:
        """Return where a term's rows are."""
        return slice(int(self.starts[term]), int(self.starts[term + 1]))


class Vocabulary(defaultdict[str, int]):
    """Term → its number, in the order in which terms were first asked for."""

    def __missing__(self, term: str) -> int:
        self[term] = number = len(self)
        return number


def postings(rows: Iterable[Row], weights: Sequence[float], vocabulary: Vocabulary) -> Postings:
    """Count the terms of rows. Names count for the length only: no word is a term of theirs."""
    parts, block = [], list[Row]()
    at = 0
    for row in rows:
        block.append(row)
        if len(block) == _BLOCK:
            parts.append(_counted(block, at, weights, vocabulary))
            at += len(block)
            block = []
    parts.append(_counted(block, at, weights, vocabulary))
    term, row_numbers, often, shown, lengths = (np.concatenate(column) for column in zip(*parts, strict=True))
    order = np.argsort(term, kind="stable")  # blocks follow each other: rows rise within a term
    return Postings(term[order], row_numbers[order], often[order], shown[order], lengths)


def wholes(pages: Iterable[Terms]) -> Iterable[Row]:
    """Yield what is searched of each page as a whole, its text included."""
    for terms in pages:
        whole = terms.whole
        yield Row(whole.name, whole.title, whole.tags, whole.heading, whole.path, whole_body(terms.rows))


def with_beginnings(postings: Postings, members: Sequence[Sequence[int]], first: int) -> Postings:
    """Add terms, numbered from `first`, each of which stands for some others, as `語*` does."""
    starts = np.searchsorted(postings.term, np.arange(first + 1))
    rows = [np.concatenate([np.arange(starts[term], starts[term + 1]) for term in some]) for some in members]
    if not rows:
        return postings
    every = np.concatenate(rows)
    term = np.repeat(np.arange(first, first + len(rows)), [len(row) for row in rows])
    many = len(postings.lengths)
    keys, place = np.unique(term * many + postings.row[every], return_inverse=True)
    often = np.bincount(place, weights=postings.often[every])
    shown = np.bincount(place, weights=postings.shown[every]) > 0
    return Postings(
        np.concatenate((postings.term, keys // many)),
        np.concatenate((postings.row, keys % many)),
        np.concatenate((postings.often, often)),
        np.concatenate((postings.shown, shown)),
        postings.lengths,
    )


def impacts(pages: Postings, chunks: Postings, page_of: Ints, numbers: Numbers, priors: Floats, terms: int) -> Impacts:
    """Add up what the legs of pages and of sections give; of a page's chunks the best one counts.

    Args:
        pages: the terms of whole pages.
        chunks: the terms of chunks, of the same vocabulary.
        page_of: the page of each chunk.
        numbers: the preset's.
        priors: what each page's score is multiplied by.
        terms: how many terms there are.

    """
    idf = _idf(pages.term, len(pages.lengths), terms)
    best, shown = _best(chunks, _micro(chunks, _idf(chunks.term, len(chunks.lengths), terms)), page_of)
    many = len(pages.lengths)
    of_pages = np.rint(_micro(pages, idf) * numbers.page_weight)
    of_chunks = np.rint(best[2] * numbers.section_weight)
    keys, place = np.unique(np.concatenate([pages.term * many + pages.row, best[0] * many + best[1]]), return_inverse=True)
    score = np.bincount(place, weights=np.concatenate([of_pages, of_chunks])) / MICRO
    chunk = np.full(len(keys), -1, np.int64)
    chunk[place[len(pages.term) :]] = shown
    term, page = keys // many, keys % many
    starts = np.searchsorted(term, np.arange(terms + 1))
    return Impacts(term, page, np.round(score * priors[page], 9), chunk, starts, idf)


def priors(weights: bytes, linked: bytes, numbers: Numbers) -> Floats:
    """Return what each page's score is multiplied by: its author's weight, and the links to it."""
    factors = np.array([round(1 + numbers.linked * math.log2(1 + count) / 8, 9) for count in range(256)])
    out: Floats = np.frombuffer(weights, np.uint8) / UNIT * factors[np.frombuffer(linked, np.uint8)]
    return out


def _leg(legs: Iterable[object], table: str) -> TextLeg:
    return next((leg for leg in legs if isinstance(leg, TextLeg) and leg.table == table), TextLeg("none", table, weight=0.0))


def _counted(rows: Sequence[Row], first: int, weights: Sequence[float], vocabulary: Vocabulary) -> tuple[Any, ...]:
    terms: list[int] = []
    counts, columns = [], []
    for row in rows:
        for column, text in enumerate((row.title, row.tags, row.heading, row.path, row.body), 1):
            tokens = text.split(" ") if text else []
            terms += map(vocabulary.__getitem__, tokens)
            counts.append(len(tokens))
            columns.append(column)
    column_of = np.repeat(np.array(columns, np.int64), counts)
    row_of = np.repeat(np.arange(len(rows)).repeat(5), counts)
    names = np.array([row.name.count(" ") + 1 if row.name else 0 for row in rows], np.int64)
    lengths = np.bincount(row_of, minlength=len(rows)) + names
    many = max(len(rows), 1)
    keys, place = np.unique(np.array(terms, np.int64) * many + row_of, return_inverse=True)
    often = np.bincount(place, weights=np.array(weights)[column_of], minlength=len(keys))
    shown = np.bincount(place, weights=np.array(_SHOWN)[column_of], minlength=len(keys)) > 0
    return keys // many, keys % many + first, often, shown, lengths


def _idf(term: Ints, rows: int, terms: int) -> Floats:
    """Return each term's, rounded: the logarithm's last bit may differ between C libraries."""
    counts = np.bincount(term, minlength=terms)
    rarity = {count: round(math.log((rows - count + 0.5) / (count + 0.5)), 9) for count in map(int, np.unique(counts))}
    return np.array([max(rarity[count], LEAST_IDF) for count in counts.tolist()])


def _micro(postings: Postings, idf: Floats) -> Floats:
    average = float(postings.lengths.sum()) / len(postings.lengths)
    longer = K1 * (1 - B + B * postings.lengths[postings.row] / average)
    return np.floor(idf[postings.term] * (postings.often * (K1 + 1) / (postings.often + longer)) * MICRO)


def _best(postings: Postings, micro: Floats, page_of: Ints) -> tuple[tuple[Ints, Ints, Floats], Ints]:
    """Return for each term and page the best chunk's score, and the best chunk that says it itself, or -1."""
    page = page_of[postings.row]
    order = np.lexsort((postings.row, -micro, page, postings.term))
    new = _firsts(postings.term[order], page[order])
    shown = np.flatnonzero(postings.shown[order])
    place = np.cumsum(new) - 1
    groups, first = np.unique(place[shown], return_index=True)
    chunk = np.full(int(new.sum()), -1, np.int64)
    chunk[groups] = postings.row[order][shown[first]]
    first_rows = order[new]
    return (postings.term[first_rows], page[first_rows], micro[first_rows]), chunk


def _firsts(term: Ints, page: Ints) -> NDArray[np.bool_]:
    new = np.ones(len(term), np.bool_)
    new[1:] = (term[1:] != term[:-1]) | (page[1:] != page[:-1])
    return new

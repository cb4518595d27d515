"""Terms of all pages → the score of each page for each single term, in bulk: the default preset's sums without a search.

The numbers are those of the preset's legs (`ranvier.legs.text`); the formula is FTS5's bm25: k1 1.2, b 0.75, and
idf = log((rows - rows with it + .5) / (rows with it + .5)) if that is above 0, else a millionth.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from ranvier.legs.text import TextLeg
from ranvier.presets import overlay, preset
from ranvier.rank.prior import UNIT, Linked
from ranvier.rank.tiers import Exact
from ranvier.store.tables import CHUNKS, NEURONS

from ranvier_builder.array_files import ArrayFile
from ranvier_builder.rounding import significant
from ranvier_builder.write.postings import K1, MEAN_BITS, Floats, Ints, Ints32, Postings

MIN_IDF = 1e-6  # FTS5's minimum, for a term in more than half of the rows
MICRO = 1_000_000
_ROWS_BITS = 8  # significant bits of a number of rows, as `MEAN_BITS`: rounding changes scores by less than a thousandth
_ROWS = 250_000  # rows of chunks added up in one step


@dataclass(frozen=True, slots=True)
class Numbers:
    """The numbers of the default preset for one word, with the site's own numbers applied."""

    page: tuple[float, ...]  # weights of name, title, tags, heading, path, body
    section: tuple[float, ...]
    page_weight: float
    section_weight: float
    linked: float
    exact: Exact
    collapse_repeats: bool  # a repeated passage counts for one page

    @classmethod
    def of(cls, tuning: Mapping[str, Any], chunks: int, pages: int) -> Numbers:
        """Read them; `tuning` is the site's."""
        stages = overlay(preset("default"), tuning["preset"]) if tuning.get("preset") else preset("default")
        page, section = (_leg(stages.legs, table) for table in (NEURONS, CHUNKS))
        linked = next((stage.strength for stage in stages.adjust if isinstance(stage, Linked)), 0.0)
        exact = next((stage for stage in stages.adjust if isinstance(stage, Exact)), Exact(0.0, 0.0))
        per_page = significant(max(1.0, chunks / pages), MEAN_BITS)
        by_length = round(section.by_length * math.log2(per_page), 6) if section.by_length else section.weight
        columns = (0.0, *page.weights), (0.0, *section.weights)
        return cls(*columns, page.weight, by_length, linked, exact, stages.fuse.collapse_repeats)


@dataclass(frozen=True, slots=True)
class Impacts:
    """The score of each page for each term, sorted by term, then page."""

    page: Ints32  # from 0
    score: Ints32  # in hundredths, at least 1
    chunk: Ints32  # the best chunk whose own text has the term; -1: the page as a whole
    starts: Ints  # first row of each term, and the end
    idf: Floats  # of each term, over pages


def impacts(
    pages: Postings,
    chunks: Postings,
    members: Sequence[Sequence[int]],
    page_of: Ints,
    passage_of: Ints,
    numbers: Numbers,
    priors: Floats,
    folder: Path | None = None,
) -> Impacts:
    """Add up the scores of the page leg and the section leg; the best chunk of a page counts.

    Works on ranges of terms: sorting needs several times the memory of the result.

    Args:
        pages: the terms of whole pages.
        chunks: the terms of chunks, with the same vocabulary.
        members: further terms, numbered after those: each stands for several terms, as `語*` does.
        page_of: the page of each chunk.
        passage_of: for each chunk of a repeated passage the first one with it; -1 for other chunks.
        numbers: of the preset.
        priors: a factor for each page's score.
        folder: for temporary files.

    """
    size = max(len(pages.starts), len(chunks.starts))
    pages, chunks = (
        replace(ranking, starts=np.pad(ranking.starts, (0, size - len(ranking.starts)), "edge")) for ranking in (pages, chunks)
    )
    files = [ArrayFile(kind, folder) for kind in (np.int32, np.int32, np.int32, np.int64, np.float64)]
    for pair in _blocks(pages, chunks, members):
        columns: Iterable[NDArray[Any]] = _add_up(*pair, page_of, passage_of, numbers, priors)
        for file, column in zip(files, columns, strict=True):
            file.append(column)
    page, score, chunk, counts, idf = (file.array() for file in files)
    return Impacts(page, score, chunk, np.concatenate(([0], np.cumsum(counts))), idf)


def ranges(starts: Ints) -> Iterator[tuple[int, int]]:
    """Yield ranges of terms with about `_ROWS` rows together, or of a single term; at least one range."""
    low, last = 0, len(starts) - 1
    while not low or low < last:
        high = min(max(int(np.searchsorted(starts, starts[low] + _ROWS, "right")) - 1, low + 1), last)
        yield low, high
        low = high or 1


def _blocks(pages: Postings, chunks: Postings, members: Sequence[Sequence[int]]) -> Iterator[tuple[Postings, Postings]]:
    for low, high in ranges(chunks.starts):
        yield pages.between(low, high), chunks.between(low, high)
    rows = np.cumsum([0, *(sum(int(chunks.starts[term + 1] - chunks.starts[term]) for term in some) for some in members)])
    for low, high in ranges(rows) if members else ():
        yield _join(pages, members[low:high]), _join(chunks, members[low:high])


def _join(postings: Postings, members: Sequence[Sequence[int]]) -> Postings:
    """Return the postings of terms that stand for several others each."""
    rows = [
        np.concatenate([np.arange(postings.starts[term], postings.starts[term + 1]) for term in group]) for group in members
    ]
    all_rows = np.concatenate(rows)
    term = np.repeat(np.arange(len(rows)), [len(row) for row in rows])
    row_count = len(postings.penalties)
    keys, place = np.unique(term * row_count + postings.row[all_rows], return_inverse=True)
    frequency: Floats = np.bincount(place, weights=postings.frequency[all_rows]).astype(np.float64)
    in_text = np.bincount(place, weights=postings.in_text[all_rows]) > 0
    starts = np.searchsorted(keys, np.arange(len(rows) + 1) * row_count)
    return Postings(starts, (keys % row_count).astype(np.int32), frequency, in_text, postings.penalties)


def _add_up(
    pages: Postings, chunks: Postings, page_of: Ints, passage_of: Ints, numbers: Numbers, priors: Floats
) -> tuple[Ints32, Ints32, Ints32, Ints, Floats]:
    """Return page, score and chunk of each row; the number of rows of each term, and its idf over pages."""
    idf = _idf(pages)
    micro = _micro(chunks, _idf(chunks))
    micro[_later_repeats(chunks, micro, passage_of)] = 0
    best, text_chunks = _best(chunks, micro, page_of)
    row_count, terms = len(pages.penalties), len(pages.starts) - 1
    page_scores = np.rint(_micro(pages, idf) * numbers.page_weight)
    chunk_scores = np.rint(best[2] * numbers.section_weight)
    keys, place = np.unique(
        np.concatenate([pages.term * row_count + pages.row, best[0] * row_count + best[1]]), return_inverse=True
    )
    score = np.bincount(place, weights=np.concatenate([page_scores, chunk_scores]), minlength=len(keys)) / MICRO
    chunk = np.full(len(keys), -1, np.int32)
    chunk[place[len(pages.row) :]] = text_chunks
    page = (keys % row_count).astype(np.int32)
    score = np.maximum(np.floor(np.round(score * priors[page], 9) * 100 + 0.5), 1)
    return page, score.astype(np.int32), chunk, np.bincount(keys // row_count, minlength=terms), idf


def priors(weights: bytes, linked: bytes, numbers: Numbers) -> Floats:
    """Return the factor of each page's score, from its author's weight and the links to it."""
    factors = np.array([round(1 + numbers.linked * math.log2(1 + count) / 8, 9) for count in range(256)])
    out: Floats = np.frombuffer(weights, np.uint8) / UNIT * factors[np.frombuffer(linked, np.uint8)]
    return out


def _leg(legs: Iterable[object], table: str) -> TextLeg:
    return next((leg for leg in legs if isinstance(leg, TextLeg) and leg.table == table), TextLeg("none", table, weight=0.0))


def _idf(postings: Postings) -> Floats:
    """Return the idf of each term, rounded: the last bit of a logarithm may differ between C libraries."""
    rows, counts = significant(len(postings.penalties), _ROWS_BITS), np.diff(postings.starts)
    rarity = {count: round(math.log((max(rows - count, 0) + 0.5) / (count + 0.5)), 9) for count in map(int, np.unique(counts))}
    return np.array([max(rarity[count], MIN_IDF) for count in counts.tolist()], np.float64)


def _micro(postings: Postings, idf: Floats) -> Floats:
    weighted = postings.frequency * (K1 + 1) / (postings.frequency + postings.penalties[postings.row])
    micro: Floats = np.floor(idf[postings.term] * weighted * MICRO)
    return micro


def _later_repeats(postings: Postings, micro: Floats, passage_of: Ints) -> Ints:
    """Return the postings of repeated passages, except the best one of each term and passage, as in `ranvier.rank.fuse`."""
    repeated = np.flatnonzero(passage_of[postings.row] >= 0)
    row, term = postings.row[repeated], postings.term[repeated]
    order = np.lexsort((row, -micro[repeated], passage_of[row], term))
    return repeated[order[~_firsts(term[order], passage_of[row][order])]]


def _best(postings: Postings, micro: Floats, page_of: Ints) -> tuple[tuple[Ints, Ints, Floats], Ints]:
    """Return for each term and page the best chunk's score, and the best chunk whose own text has the term, or -1."""
    page, term = page_of[postings.row], postings.term
    order = np.lexsort((postings.row, -micro, page, term))
    new = _firsts(term[order], page[order])
    positions = np.flatnonzero(postings.in_text[order])
    place = np.cumsum(new) - 1
    groups, first = np.unique(place[positions], return_index=True)
    chunk = np.full(int(new.sum()), -1, np.int64)
    chunk[groups] = postings.row[order][positions[first]]
    first_rows = order[new]
    return (term[first_rows], page[first_rows], micro[first_rows]), chunk


def _firsts(term: Ints, group: Ints) -> NDArray[np.bool_]:
    new = np.ones(len(term), np.bool_)
    new[1:] = (term[1:] != term[:-1]) | (group[1:] != group[:-1])
    return new

"""Terms of all pages → for each term the rows that contain it, in temporary files."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from ranvier.store.compact import total_of

from ranvier_builder.array_files import ArrayFile, empty_array
from ranvier_builder.model import Row
from ranvier_builder.rounding import significant
from ranvier_builder.write.compact import encode

K1, B = 1.2, 0.75
MEAN_BITS = 10  # significant bits of means over the whole site, so that an edit of one page changes no scores of other words
_BLOCK = 500  # rows counted in one step: about a quarter of a million terms
_IN_TEXT = (0, 0, 0, 1, 0, 1)  # heading and body: the section's own text
_COLUMNS = np.int32, np.int32, np.float32, np.bool_  # term, row, frequency, in_text

Ints = NDArray[np.int64]
Ints32 = NDArray[np.int32]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Postings:
    """For each term and row: weighted frequency, and whether the section's own text has it. Sorted by term, then row."""

    starts: Ints  # first position of each term in the columns, and the end
    row: Ints32  # from 0
    # In 32 bits, because it needs most of the memory. It is exact for multiples of .5, such as the default weights.
    frequency: NDArray[np.floating]
    in_text: NDArray[np.bool_]
    penalties: Floats  # of each row: what BM25 adds to a frequency for the row's length

    @property
    def term(self) -> Ints:
        """The term's number, for each row."""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))

    def between(self, low: int, high: int) -> Postings:
        """Return the postings of a range of terms; their numbers start at 0."""
        start, end = int(self.starts[low]), int(self.starts[high])
        some = slice(start, end)
        return Postings(
            self.starts[low : high + 1] - start,
            self.row[some],
            self.frequency[some].astype(np.float64),
            self.in_text[some],
            self.penalties,
        )


class Vocabulary(defaultdict[str, int]):
    """Term → its number, in the order of first access."""

    def __missing__(self, term: str) -> int:
        self[term] = number = len(self)
        return number


def postings(rows: Iterable[Row], weights: Sequence[float], vocabulary: Vocabulary, folder: Path | None = None) -> Postings:
    """Count the terms of rows. Names count only for the length: they are not matched by words.

    `folder` is for temporary files.
    """
    files = [ArrayFile(kind, folder) for kind in _COLUMNS]
    counts = np.zeros(0, np.int64)
    ends, lengths = [0], [counts]
    remaining, at = iter(rows), 0
    while block := [*islice(remaining, _BLOCK)]:
        *columns, block_lengths = _count_terms(block, at, weights, vocabulary)
        for file, column in zip(files, columns, strict=True):
            file.append(column)
        earlier_counts, counts = counts, np.bincount(columns[0], minlength=len(vocabulary))
        counts[: len(earlier_counts)] += earlier_counts
        ends.append(ends[-1] + len(columns[0]))
        lengths.append(block_lengths)
        at += len(block)
    starts = np.concatenate(([0], np.cumsum(counts)))
    row, frequency, in_text = _sort_by_term(*(file.array() for file in files), starts=starts, ends=ends, folder=folder)
    return Postings(starts, row, frequency, in_text, _penalties(np.concatenate(lengths)))


def _sort_by_term(
    term: Ints32, *columns: NDArray[Any], starts: Ints, ends: Sequence[int], folder: Path | None
) -> list[NDArray[Any]]:
    """Return columns in the order of terms. In each block between two ends, rows are in this order already."""
    results = [empty_array(ends[-1], kind, folder) for kind in _COLUMNS[1:]]
    free = starts[:-1].copy()
    for start, end in pairwise(ends):  # blocks are in order: rows rise within a term
        distinct, first, repeats = np.unique(term[start:end], return_index=True, return_counts=True)
        place = np.arange(end - start) + np.repeat(free[distinct] - first, repeats)
        free[distinct] += repeats
        for result, column in zip(results, columns, strict=True):
            result[place] = column[start:end]
    return results


def _count_terms(rows: Sequence[Row], first: int, weights: Sequence[float], vocabulary: Vocabulary) -> tuple[Any, ...]:
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
    row_count = len(rows)
    keys, place = np.unique(np.array(terms, np.int64) * row_count + row_of, return_inverse=True)
    frequency = np.bincount(place, weights=np.array(weights)[column_of], minlength=len(keys))
    in_text = np.bincount(place, weights=np.array(_IN_TEXT)[column_of], minlength=len(keys)) > 0
    return keys // row_count, keys % row_count + first, frequency, in_text, lengths


def _penalties(lengths: Ints) -> Floats:
    """Return what BM25 adds to a frequency, for the length of each row as the index stores it."""
    average = significant(max(float(lengths.sum()), 1.0) / max(len(lengths), 1), MEAN_BITS)  # pages may have no words
    stored = np.array([total_of(code) for code in range(256)])[np.frombuffer(encode(lengths.tolist()), np.uint8)]
    penalties: Floats = K1 * (1 - B + B * stored / average)
    return penalties

"""The best pages of each word, ranked at build time → the files that answer queries before Python has started.

Lists are sorted by impact and cut (Anh and Moffat, SIGIR 2006). An impact is the default preset's score of a page for a word.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any

import numpy as np
from ranvier import text
from ranvier.store.titles import utf16
from ranvier.text.keys import fold
from ranvier.text.languages import stop_words

from ranvier_builder.heap import trim_heap
from ranvier_builder.model import Rendered
from ranvier_builder.write.analyse import menu_names, terms_of, whole_pages
from ranvier_builder.write.facts import Facts
from ranvier_builder.write.files import put
from ranvier_builder.write.gains import NO_CHUNK, Gains, beginning
from ranvier_builder.write.impacts import Numbers, impacts, priors, ranges
from ranvier_builder.write.list_files import Place, RankedPages, files
from ranvier_builder.write.postings import Ints, Ints32, Vocabulary, postings
from ranvier_builder.write.readings import Readings
from ranvier_builder.write.surface import is_letter, surface_words
from ranvier_builder.write.versions import lead_by_newest

MAX_PAGES = 50  # pages of a list
MAX_SECTIONS = 20  # places of a list that name a section: later ones are rarely shown
PAIR_LIMITS = 20, 5  # both limits for a pair of letters (scripts without blanks): sites and queries have many
UNIT = 10_000  # impact = gain in hundreds * UNIT + score in hundredths, which is below UNIT


def write_lists(
    base: Path,
    pages: Sequence[Rendered],
    facts: Facts,
    tuning: Mapping[str, Any],
    newest: Mapping[int, int],
    repeats: Mapping[int, int],
    folder: Path | None = None,
) -> list[Any]:
    """Write the files below `base / "lists"`; return their concatenated digests, and their sizes, the root first.

    Args:
        base: the `_ranvier` folder.
        pages: the searched pages.
        facts: of the same pages.
        tuning: the site's own preset numbers.
        newest: for each page that has a newer version, its newest one; both are numbered from 1.
        repeats: for each chunk that repeats an earlier one, the first such chunk; both are numbered from 1.
        folder: for temporary files.

    """
    lists = Ranker(pages, facts, tuning, newest, repeats, folder).lists() if pages else {}
    if not lists:
        return [b"", []]
    langs = tuple(facts.langs())
    stop = {fold(word) for lang in langs for word in stop_words(lang) if text.is_stop(word, langs)}
    return put(base / "lists", files(lists, pages, sorted(stop, key=utf16)))


class Ranker:
    """Ranks the pages of a site for each of its words."""

    def __init__(
        self,
        pages: Sequence[Rendered],
        facts: Facts,
        tuning: Mapping[str, Any],
        newest: Mapping[int, int],
        repeats: Mapping[int, int],
        folder: Path | None,
    ) -> None:
        chunks = [len(terms.rows) for terms in map(terms_of, pages)]
        numbers = Numbers.of(tuning, sum(chunks), len(pages))
        self._readings = Readings(facts.langs())
        self._vocabulary = Vocabulary()
        by_page = postings(whole_pages(map(terms_of, pages)), numbers.page, self._vocabulary, folder)
        rows = (row for terms in map(terms_of, pages) for row in terms.rows)
        by_chunk = postings(rows, numbers.section, self._vocabulary, folder)
        trim_heap()
        self._name_forms: dict[str, tuple[str, ...]] = {}  # each word in the forms of `name_terms`
        self._words, members = self._read(pages)
        page_of = np.repeat(np.arange(len(pages)), chunks)
        passage_of = np.full(len(page_of), -1)
        for chunk, first in repeats.items() if numbers.collapse_repeats else ():
            passage_of[[chunk - 1, first - 1]] = first - 1
        weights = priors(facts.weights(), facts.linked(), numbers)
        scores = impacts(by_page, by_chunk, members, page_of, passage_of, numbers, weights, folder)
        self._impacts = lead_by_newest(scores, newest, len(pages))
        self._newest = {page - 1: lead - 1 for page, lead in newest.items()}
        del by_page, by_chunk  # larger than all later data
        trim_heap()
        self._gains = Gains(map(terms_of, pages), numbers.exact)
        self._names = [*self._vocabulary]  # terms by number
        self._members = members  # for each number after the last term: the terms with its prefix
        self._order = np.argsort(sorted(range(len(pages)), key=lambda page: utf16(pages[page].page.url)))
        self._best, self._starts = self._best_rows()

    def lists(self) -> dict[str, RankedPages]:
        """Return the list of each word, in UTF-16 order of the words."""
        return {word: self._ranked_pages(word, self._words[word]) for word in sorted(self._words, key=utf16)}

    def _read(self, pages: Iterable[Rendered]) -> tuple[dict[str, list[int]], list[list[int]]]:
        """Parse each word as a query: return the numbers of its terms, and the terms of each number of a prefix."""
        vocabulary, prefixes = sorted(self._vocabulary), dict[str, int]()
        words, members = dict[str, list[int]](), list[list[int]]()
        for word, written in surface_words(_texts(pages)).items():
            numbers = set[int]()
            for term, prefix in chain.from_iterable(self._readings.lookups(form) for form in (word, *written)):
                if not prefix and term in self._vocabulary:
                    numbers.add(self._vocabulary[term])
                elif prefix and (completions := [self._vocabulary[word] for word in beginning(vocabulary, term)]):
                    if term not in prefixes:
                        prefixes[term] = len(vocabulary) + len(members)
                        members.append(completions)
                    numbers.add(prefixes[term])
            if numbers:
                words[word] = sorted(numbers)
                # here, because the analyser has just processed the word
                self._name_forms[word] = self._readings.names(word)
        return words, members

    def _best_rows(self) -> tuple[Ints, Ints]:
        """Return the best rows of each term, best first, and the start of each term."""
        starts, kept = self._impacts.starts, []
        for low, high in ranges(starts):
            rows = slice(int(starts[low]), int(starts[high]))
            term = np.repeat(np.arange(low, high), np.diff(starts[low : high + 1]))
            order = np.lexsort((self._order[self._impacts.page[rows]], -self._impacts.score[rows], term))
            kept.append(rows.start + order[np.arange(rows.start, rows.stop) - starts[term] < MAX_PAGES])
        return np.concatenate(kept), np.concatenate(([0], np.cumsum(np.minimum(np.diff(starts), MAX_PAGES))))

    def _ranked_pages(self, word: str, numbers: list[int]) -> RankedPages:
        gains = self._without_old_versions(self._gains.of(self._name_forms[word], self._terms(numbers)))
        rarity = max(1, *(int(self._impacts.idf[number] * 100 + 0.5) for number in numbers))
        if len(numbers) > 1 or gains:
            return RankedPages.of(_shorten(self._rank_sums(numbers, gains), word), rarity)
        rows = self._best[self._starts[numbers[0]] : self._starts[numbers[0] + 1]]
        columns = zip(*(column.tolist() for column in self._columns(rows)), strict=True)
        ranked = (((page, chunk), min(score, UNIT - 1)) for page, chunk, score in columns)
        return RankedPages.of(_shorten(ranked, word), rarity)

    def _without_old_versions(self, gains: dict[int, tuple[float, int]]) -> dict[int, tuple[float, int]]:
        """Drop the gains of pages whose newest version has a gain, too."""
        if not self._newest:
            return gains
        return {page: gain for page, gain in gains.items() if self._newest.get(page) not in gains}

    def _terms(self, numbers: Iterable[int]) -> Iterator[str]:
        for number in numbers:
            prefix = number - len(self._names)
            yield from (self._names[member] for member in (self._members[prefix] if prefix >= 0 else (number,)))

    def _rank_sums(self, numbers: Sequence[int], gains: Mapping[int, tuple[float, int]]) -> Iterator[tuple[Place, int]]:
        """Rank by the summed scores of several terms and by gains of names; the best pages by words alone are included."""
        pages, chunks, scores = self._merge(numbers)
        gained = np.zeros(len(pages), np.int64)
        for at, (page, (gain, chunk)) in zip(np.searchsorted(pages, [*gains]).tolist(), gains.items(), strict=True):
            if at < len(pages) and pages[at] == page:
                gained[at], chunks[at] = round(gain / 100), chunk
        order = self._order[pages]
        by_words = np.lexsort((order, -scores))[:MAX_PAGES]
        best = np.lexsort((order, -scores, -gained))
        kept = best[(np.arange(len(best)) < MAX_PAGES) | np.isin(best, by_words)]
        impact = gained[kept] * UNIT + np.minimum(scores[kept], UNIT - 1)
        return zip(zip(pages[kept].tolist(), chunks[kept].tolist(), strict=True), impact.tolist(), strict=True)

    def _merge(self, numbers: Sequence[int]) -> tuple[Ints, Ints, Ints]:
        """Return the pages of several terms, rising; the best chunk of each, and its summed score."""
        starts = self._impacts.starts
        rows = np.concatenate([np.arange(starts[number], starts[number + 1]) for number in numbers])
        page, chunk, score = self._columns(rows)
        order = np.lexsort((chunk, score, page))
        page = page[order]
        last = np.append(page[1:] != page[:-1], True)  # the row with the best chunk of each page
        scores = np.bincount(np.cumsum(last) - last, weights=score[order])
        return page[last], chunk[order][last], scores.astype(np.int64)

    def _columns(self, rows: Ints) -> Iterator[Ints32]:
        """Return page, chunk and score of some rows."""
        return (column[rows] for column in (self._impacts.page, self._impacts.chunk, self._impacts.score))


def _shorten(ranked: Iterable[tuple[Place, int]], word: str) -> Iterator[tuple[Place, int]]:
    """Drop sections after the first places; for a pair of letters also cut the list."""
    max_pages, max_sections = PAIR_LIMITS if is_letter(word) else (None, MAX_SECTIONS)
    kept = islice(ranked, max_pages)
    return ((place if at < max_sections else (place[0], NO_CHUNK), impact) for at, (place, impact) in enumerate(kept))


def _texts(pages: Iterable[Rendered]) -> Iterator[str]:
    for rendered in pages:
        neuron = rendered.page.neuron
        yield from (neuron.title, *neuron.aliases, *menu_names(neuron), *neuron.tags)
        yield from (heading for headings in dict.fromkeys(chunk.headings for chunk in rendered.chunks) for heading in headings)
        yield from (text.CLAIM.sub("", chunk.body) for chunk in rendered.chunks)

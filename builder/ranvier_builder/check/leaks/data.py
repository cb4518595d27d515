"""What the search data say, against what withheld files say: terms, names, rows, substrings, facts, words.

Everything is compared as the data have it: folded and stemmed in each of the site's languages. What a published text, or its
rendering, explains is no leak; that is asked last, for it takes time.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from itertools import pairwise
from typing import Any

from ranvier.store.texts import Passage
from ranvier.text import AS_WRITTEN, fold, name, substring, terms

from ranvier_builder.check.leaks.files import Found
from ranvier_builder.check.leaks.gather import Gathered
from ranvier_builder.check.leaks.needles import Gram, Hit, How, Mark
from ranvier_builder.check.leaks.snapshot import CHUNKS, NEURONS, SUBSTRINGS, Row, Snapshot
from ranvier_builder.check.leaks.words import GRAM, address, grams, words

_LEVELS = ("public", "tool", "curator")
_SAID = (
    "title",
    "kind",
    "lang",
    "role",
    "source_type",
    "text",
    "tag",
)  # facts that say something; others are names and numbers
_NUMBERS = {"name": ("n",), "tag": ("n",), "link": ("source", "target"), "derived": ("n", "source"), "note": ("n",)}
_WINDOW, _STEP = 16, 8  # characters of a folded text that are told from any other by themselves
_LONGEST_NAME = 300  # characters; what is longer is nobody's title


class Data:
    """One site's search data. `about` names the file that finds are reported of."""

    def __init__(self, snapshot: Snapshot, gathered: Gathered, audience: str, about: str) -> None:
        self._snapshot = snapshot
        self._gathered = gathered
        self._level = _LEVELS.index(audience)
        self._about = about
        self._langs = snapshot.manifest.langs or ("en",)
        self._forms = (*self._langs, AS_WRITTEN)  # a name stands there by its stems and as it is written

    def finds(self) -> Iterator[Found]:
        """Yield what is in the data and only withheld files say."""
        for find in (self._terms, self._names, self._rows, self._substrings, self._numbers, self._words):
            yield from ((self._about, *one) for one in find())

    def facts(self) -> Iterator[Found]:
        """Yield needles in the strings of the fact tables; a published page may still explain them."""
        needles = self._gathered.needles
        for table, row in self._snapshot.facts():
            for column, value in row.items():
                if isinstance(value, str) and value:
                    hits = [*needles.find(value, How.TEXT if column in _SAID else How.RAW)]
                    hits += needles.at(address(value)) if column in ("slug", "url", "path", "folder") else ()
                    yield from ((self._about, f"table {table}, {column}", hit) for hit in hits)

    @cached_property
    def shown(self) -> dict[int, Passage]:
        """What hits show of each chunk."""
        return self._snapshot.shown()

    @cached_property
    def _indexed(self) -> set[str]:
        return {term for table in (CHUNKS, NEURONS) for term in self._snapshot.vocabulary(table)}

    def _named(self) -> set[str]:
        """Return every name that stands as one term, in an index or in the table of names."""
        return {term for term in self._indexed if term.endswith("=")} | {
            str(row["name"]) for table, row in self._snapshot.facts() if table == "name"
        }

    def _seen(self) -> Iterator[str]:
        yield from self._gathered.seen
        yield from self._gathered.renderings()

    def _terms(self) -> Iterator[tuple[str, Hit]]:
        """Find terms that only withheld files have."""
        every = {
            part for term in self._indexed | self._named() for part in (term.split("=") if term.endswith("=") else (term,))
        }
        yield from self._only_withheld(every, "vocabulary", terms)

    def _words(self) -> Iterator[tuple[str, Hit]]:
        """Find words that only withheld files have, among those that misspelt ones are compared with."""

        def folded(text: str, lang: str) -> list[str]:
            return [fold(word, lang) for word in {*words(text), *text.split()}]

        yield from self._only_withheld(self._snapshot.words(), "words", folded)

    def _only_withheld(
        self, every: set[str], where: str, analyse: Callable[[str, str], list[str]]
    ) -> Iterator[tuple[str, Hit]]:
        strange = {term for term in every if len(term) > 2 and not term.isdecimal()}
        secret: dict[str, str] = {}
        for path, text in self._gathered.withheld:
            for found in strange & self._every(f"{path} {text}", analyse):
                secret.setdefault(found, path)
        strange &= secret.keys()
        if strange:  # every word of the site is stemmed for this
            strange -= {found for word in self._gathered.needles.heard for found in self._every(word, analyse)}
        for text in self._seen():
            if not strange:
                return
            strange -= self._every(text, analyse)
        for found in sorted(strange):
            yield where, Hit(Mark("text", secret[found]), found)

    def _every(self, text: str, analyse: Callable[[str, str], list[str]]) -> set[str]:
        return {found for lang in self._forms for found in analyse(text, lang)}

    def _names(self) -> Iterator[tuple[str, Hit]]:
        """Find what withheld files are called, or a run of it, inside of names that no published title or heading gives."""
        secret = self._secret_names()
        hits = {}
        for one in self._named():
            parts = one.rstrip("=").split("=")
            found = (secret[gram] for size in range(2, GRAM + 1) for gram in grams(parts, size) if gram in secret)
            if mark := next(found, None):
                hits[one] = mark
        if hits:
            called = {one for passage in self.shown.values() for one in (passage.neuron.title, *passage.headings)}
            called |= {text for text in self._gathered.seen if len(text) < _LONGEST_NAME}
            called |= {one for passage in self.shown.values() for one in (passage.neuron.path, passage.neuron.slug)}
            allowed = {name(text, lang) for text in called for lang in self._forms}
            hits = {one: mark for one, mark in hits.items() if one not in allowed}
        yield from (("names", Hit(mark, one)) for one, mark in sorted(hits.items()))

    def _secret_names(self) -> dict[Gram, Mark]:
        out: dict[Gram, Mark] = {}
        for table in self._gathered.needles.phrases.values():
            for gram, mark in table.items():
                if mark.kind in ("title", "alias", "tag"):
                    for lang in self._forms:
                        out.setdefault(tuple(name(" ".join(gram), lang).rstrip("=").split("=")), mark)
        return out

    def _rows(self) -> Iterator[tuple[str, Hit]]:
        """Find runs of terms that withheld files have, in rows that say more than what is shown of their chunk or Neuron."""
        secret: dict[Gram, str] = {}
        for path, text in self._gathered.withheld:
            for lang in self._langs:
                for gram in grams(terms(text, lang), GRAM):
                    secret.setdefault(gram, path)
        suspects = list(self._suspects(secret.keys())) if secret else []
        left = [(row, rest) for row, found in suspects if (rest := self._not_own(row, found))]
        seen = self._allowed_runs({gram for _, found in left for gram in found})
        for row, found in left:
            for gram in sorted(found - seen):
                yield f"row {row.number} of {row.table}, {row.column}", Hit(Mark("text", secret[gram]), " ".join(gram))

    def _suspects(self, secret: Any) -> Iterator[tuple[Row, set[Gram]]]:
        known: dict[str, set[Gram]] = {}  # a title is said in each row of its page
        for table in (CHUNKS, NEURONS):
            for row in self._snapshot.rows(table):
                if row.terms not in known:
                    known[row.terms] = secret & grams(row.terms.split(" "), GRAM)
                if known[row.terms]:
                    yield row, known[row.terms]

    def _not_own(self, row: Row, found: set[Gram]) -> set[Gram]:
        """Leave out the runs of what is shown of a row's chunk, or of the chunks of its Neuron, from one into the next too."""
        numbers = [row.number] if row.table == CHUNKS else list(self._snapshot.manifest.chunks_of(row.number))
        texts = [text for number in numbers if number in self.shown for text in _column(self.shown[number], row.column)]
        said = [terms(text, lang) for lang in self._langs for text in texts]
        found = found.difference(*(grams(one, GRAM) for one in said))
        for before, after in pairwise(said) if found and row.table == NEURONS else ():
            for start in range(min(len(after), 2 * _WINDOW)):  # what overlaps is said once
                found = found.difference(grams([*before[1 - GRAM :], *after[start : start + GRAM - 1]], GRAM))
        return found

    def _allowed_runs(self, runs: set[Gram]) -> set[Gram]:
        left = runs
        for text in (*self._gathered.joined, *self._gathered.seen):
            left = left.difference(*(grams(terms(text, lang), GRAM) for lang in self._langs)) if left else left
        for text in self._gathered.renderings() if left else ():
            left = left.difference(*(grams(terms(text, lang), GRAM) for lang in self._langs))
        return runs - left

    def _substrings(self) -> Iterator[tuple[str, Hit]]:
        """Compare how often each run of three signs stands in the index with how often it is shown: more is something else."""
        index = self._snapshot.vocabulary(SUBSTRINGS)
        if not index:
            return
        shown = Counter[str]()
        repeated = Counter(
            text for passage in self.shown.values() for text in (passage.neuron.title, " ".join(passage.headings))
        )
        for text, times in repeated.items():
            for run in substring(text):
                shown[run] += times
        for passage in self.shown.values():
            shown.update(substring(passage.body))
        over = [run for run, count in index.items() if count > shown[run]]
        if over:
            yield from self._substrings_of(self._snapshot.rows_with(SUBSTRINGS, sorted(over)))

    def _substrings_of(self, rows: Iterable[Row]) -> Iterator[tuple[str, Hit]]:
        """Find what withheld files say in rows that say something else than their chunk, and is said nowhere else."""
        more: dict[str, str] = {}  # a piece of text → where
        for row in rows:
            passage = self.shown.get(row.number)
            shown = [_flat(text) for text in _column(passage, row.column)] if passage else []
            said = _joined(row.terms.split(" "))
            rest = said.replace(shown[0], "\n") if shown and shown[0] else said
            for piece in rest.split("\n"):
                for at in range(0, max(1, len(piece) - _WINDOW + 1), _STEP):
                    if len(piece[at : at + _WINDOW].strip()) > 2:
                        more.setdefault(piece[at : at + _WINDOW], f"row {row.number} of {row.table}, {row.column}")
        found: dict[str, str] = defaultdict(str)
        for path, text in self._gathered.withheld if more else ():
            flat = _flat(f"{path} {text}")
            for piece in more:
                if piece not in found and piece in flat:
                    found[piece] = path
        for text in self._seen() if found else ():
            flat = _flat(text)
            for piece in [piece for piece in found if piece in flat]:
                del found[piece]
        yield from ((more[piece], Hit(Mark("text", path), piece)) for piece, path in sorted(found.items()))

    def _numbers(self) -> Iterator[tuple[str, Hit]]:
        """Find rows about Neurons that are not there, or that this audience may not see."""
        count = self._snapshot.manifest.neuron_count
        for table, row in self._snapshot.facts():
            strange = [row[column] for column in _NUMBERS.get(table, ()) if row[column] not in range(1, count + 1)]
            if table == "neuron":
                above = row["parent"]
                strange = [one for one in (row["n"], above) if one is not None and one not in range(1, count + 1)]
                strange += [f"level {row['level']}"] if row["level"] not in range(self._level + 1) else []
            if strange:
                yield f"table {table}", Hit(Mark("path", ""), f"{row} tells of {strange[0]}")


def _column(passage: Passage, column: str) -> tuple[str, ...]:
    """Return what is shown of a chunk in one column of the indexes."""
    neuron = passage.neuron
    if column == "heading":
        return (" ".join(passage.headings), *passage.headings)
    shown = {"title": neuron.title, "tags": " ".join(neuron.tags), "path": neuron.path, "body": passage.body}
    return (shown.get(column, ""),)


def _joined(runs: list[str]) -> str:
    """Put overlapping runs of three signs together again."""
    return runs[0] + "".join(run[-1] for run in runs[1:]) if runs else ""


def _flat(text: str) -> str:
    return _joined([*substring(text)])

"""Needles against everything that was written."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from pathlib import Path

from ranvier.text import terms

from ranvier_builder.check.leaks.files import FileSearch, Found, Searched, batches
from ranvier_builder.check.leaks.found import KINDS, Leak
from ranvier_builder.check.leaks.gather import Gathered
from ranvier_builder.check.leaks.needles import Gram, Hit, Mark, Needles
from ranvier_builder.check.leaks.own import own_digests
from ranvier_builder.check.leaks.proofs import Proofs
from ranvier_builder.check.leaks.snapshot import Row, Snapshot
from ranvier_builder.check.leaks.words import GRAM, grams, words
from ranvier_builder.config import Config

BASE = "_ranvier"
_GAP = 12  # words that a renderer may leave out of a published sentence: an address, a shortcode
_EXCERPT = 80
_WORTH_IT = 64  # files; below that, starting processes costs more than they save


class Search:
    """One search through one site, and what to make of its finds."""

    def __init__(self, out: Path, config: Config, gathered: Gathered, good: set[str]) -> None:
        self._out = out
        self._config = config
        self._gathered = gathered
        self._needles = gathered.needles
        self._good = good

    def leaks(self, tell: Callable[[str, int], None], executor: Executor | None, proofs: Proofs) -> list[Leak]:
        """Search every file, then strike out what a published file explains after all."""
        files = sorted(path.relative_to(self._out).as_posix() for path in self._out.rglob("*") if path.is_file())
        tell("Looking for leaks", len(files))
        passed = frozenset(self._good), own_digests(self._config.theme)
        one = FileSearch(self._out, self._config.url, self._needles, passed, proofs.known)
        found: list[Found] = []
        for batch, searched in zip(batches(files), _searched(one, files, executor), strict=True):
            for hits, proof in searched:
                found += hits
                proofs.keep(proof)
            tell("", len(batch))
        return [*self._explained(found), *self._snapshot()]

    def _explained(self, found: list[Found]) -> list[Leak]:
        """Drop finds that a published page explains when it is rendered, or read with something left out."""
        if not found:
            return []
        left = Needles()
        for _, _, hit in found:
            if len(hit.gram) == 1:
                left.singles[hit.gram[0]] = hit.mark
            elif hit.gram:
                left.phrases[len(hit.gram)][hit.gram] = hit.mark
            elif hit.names:
                (left.paths if hit.names in self._needles.paths else left.folders)[hit.names] = hit.mark
        runs = {
            gram for table in left.phrases.values() for gram, mark in table.items() if len(gram) == GRAM or mark.kind == "text"
        }
        for gram in _with_gaps(runs, self._gathered.seen) if runs else ():
            del left.phrases[len(gram)][gram]
        if left:
            left.allow(self._gathered.renderings())

        def stays(hit: Hit) -> bool:
            if hit.names:
                return hit.names in left.paths or hit.names in left.folders
            gram = hit.gram
            return not gram or (gram[0] in left.singles if len(gram) == 1 else gram in left.phrases[len(gram)])

        return _leaks(one for one in found if stays(one[2]))

    def _snapshot(self) -> list[Leak]:
        base = self._out / BASE
        if not (base / "entry.json").is_file():
            return []
        entry = f"{BASE}/entry.json"
        try:
            snapshot = Snapshot(base)
            return _leaks([*self._terms(snapshot), *self._rows(snapshot)])
        except Exception as error:  # whatever a damaged file makes a reader raise: what cannot be opened is not proved
            return [Leak(entry, "search data", "text", "", f"cannot be opened: {error!r}"[:_EXCERPT])]

    def _terms(self, snapshot: Snapshot) -> Iterator[Found]:
        """Find terms of the vocabulary that only withheld files have."""
        strange = {term for term in snapshot.vocabulary() if len(term) > 2 and not term.isdecimal()}
        secret = _first_with(strange, self._gathered.withheld)
        strange &= secret.keys()
        if strange:  # every word of the site is stemmed for this
            strange -= {found for word in self._needles.heard for found in terms(word)}
        for text in (*self._gathered.seen, *self._gathered.renderings()) if strange else ():
            strange -= set(terms(text))
        for found in sorted(strange):
            yield f"{BASE}/{snapshot.hot}", "vocabulary", Hit(Mark("text", secret[found]), found)

    def _rows(self, snapshot: Snapshot) -> Iterator[Found]:
        """Find runs of terms that withheld files have, in rows that say more than what is shown of their chunk."""
        secret: dict[Gram, str] = {}
        for path, text in self._gathered.withheld:
            for gram in grams(terms(text), GRAM):
                secret.setdefault(gram, path)
        if not secret:
            return
        suspects: list[tuple[Row, set[Gram]]] = []
        known: dict[str, set[Gram]] = {}  # a title is said in each row of its page
        for row in snapshot.rows():
            if row.terms not in known:
                known[row.terms] = secret.keys() & grams(row.terms.split(" "), GRAM)
            if known[row.terms]:
                suspects.append((row, known[row.terms]))
        shown = snapshot.shown() if suspects else {}
        left = []
        for row, found in suspects:
            said = terms(shown.get(row.number, {}).get(row.column, ""))
            left.append((row, found - set(grams(said, GRAM))))
        seen = self._allowed_runs({gram for _, found in left for gram in found})
        for row, found in left:
            for gram in sorted(found - seen):
                where = f"row {row.number} of the snapshot, {row.column}"
                yield f"{BASE}/{snapshot.hot}", where, Hit(Mark("text", secret[gram]), " ".join(gram))

    def _allowed_runs(self, runs: set[Gram]) -> set[Gram]:
        gathered = self._gathered
        texts = (*gathered.joined, *gathered.seen, *gathered.renderings()) if runs else ()
        return {gram for text in texts for gram in runs & set(grams(terms(text), GRAM))}


def _searched(one: FileSearch, files: list[str], executor: Executor | None) -> Iterator[list[Searched]]:
    run = map if executor is None or len(files) < _WORTH_IT else executor.map
    return iter(run(one.search, batches(files)))


def _first_with(strange: set[str], withheld: list[tuple[str, str]]) -> dict[str, str]:
    """Return each of some terms with the first withheld file that has it."""
    found: dict[str, str] = {}
    for path, text in withheld:
        for one in strange & set(terms(f"{path} {text}")):
            found.setdefault(one, path)
    return found


def _with_gaps(runs: set[Gram], texts: Iterable[str]) -> set[Gram]:
    """Return the runs that stand in a text in their order, with no more than a few words in between."""
    often = Counter(word for gram in runs for word in gram)
    by_rarest: dict[str, list[Gram]] = defaultdict(list)  # so that few runs are looked at for each text
    for gram in runs:
        by_rarest[min(gram, key=often.__getitem__)].append(gram)
    found: set[Gram] = set()
    for text in texts:
        places: dict[str, list[int]] = defaultdict(list)
        for at, word in enumerate(words(text)):
            if word in often:
                places[word].append(at)
        for gram in [gram for word in places.keys() & by_rarest.keys() for gram in by_rarest[word] if gram not in found]:
            if all(word in places for word in gram) and any(_follows(gram, at, places) for at in places[gram[0]]):
                found.add(gram)
    return found


def _follows(gram: Gram, start: int, places: dict[str, list[int]]) -> bool:
    at = start
    for word in gram[1:]:
        after = bisect_right(places[word], at)
        if after == len(places[word]) or places[word][after] - start > GRAM + _GAP:
            return False
        at = places[word][after]
    return True


def _leaks(found: Iterable[Found]) -> list[Leak]:
    """Keep one find for each written file, withheld file and kind."""
    kept: dict[tuple[str, str, str], Leak] = {}
    for file, where, hit in found:
        key = (file, hit.mark.of, hit.mark.kind)
        if key not in kept:
            kept[key] = Leak(file, where, hit.mark.kind, hit.mark.of, hit.said[:_EXCERPT])
    return sorted(kept.values(), key=lambda leak: (leak.file, KINDS.index(leak.kind), leak.of))

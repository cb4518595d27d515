"""Needles against everything that was written."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path

from ranvier_builder.check.leaks.data import Data
from ranvier_builder.check.leaks.files import FileSearch, Found, Searched, batches
from ranvier_builder.check.leaks.found import KINDS, Leak
from ranvier_builder.check.leaks.gather import Gathered
from ranvier_builder.check.leaks.needles import Gram, Hit, Needles
from ranvier_builder.check.leaks.own import own_digests
from ranvier_builder.check.leaks.proofs import Proofs, proof
from ranvier_builder.check.leaks.snapshot import Snapshot
from ranvier_builder.check.leaks.vectors import Vectors, vector_digests
from ranvier_builder.check.leaks.words import GRAM, words
from ranvier_builder.config import Config
from ranvier_builder.embed.models import Embedder, embedder
from ranvier_builder.errors import ConfigError

BASE = "_ranvier"
_GAP = 12  # words that a renderer may leave out of a published sentence: an address, a shortcode
_EXCERPT = 80
_WORTH_IT = 64  # files; below that, starting processes costs more than they save


@dataclass(frozen=True, slots=True)
class _Build:
    """One build whose files are in the base: this one, or an earlier one."""

    about: str  # the file that finds in its data are reported of; empty: the one that it is
    entry: dict[str, str] | None  # its manifest and hot pack; None: what the entry file says
    elsewhere: frozenset[str]  # names below the base that others have to answer for


class Search:
    """One search through one site, and what to make of its finds."""

    def __init__(
        self, out: Path, config: Config, gathered: Gathered, good: set[str], earlier: Mapping[str, frozenset[str]]
    ) -> None:
        self._out = out
        self._config = config
        self._gathered = gathered
        self._needles = gathered.needles
        self._good = good
        self._earlier = earlier
        self._proved: set[str] = set()  # SHA-256 of files of vectors, which are no text
        self._langs: set[tuple[str, ...]] = set()  # of each build, once its data are open: what the packed core carries

    def leaks(
        self,
        tell: Callable[[str, int], None],
        executor: Executor | None,
        proofs: Proofs,
        *,
        again: bool = False,
        unproved: list[str] | None = None,
    ) -> list[Leak]:
        """Search every file, then strike out what a published file explains after all. For the arguments see `find_leaks`."""
        files = sorted(path.relative_to(self._out).as_posix() for path in self._out.rglob("*") if path.is_file())
        tell("Looking for leaks", len(files))
        refused, told, postings = self._data(proofs, again, unproved)
        own = (own_digests(self._config.theme, langs) for langs in sorted(self._langs or {()}))
        passed = frozenset(self._good), frozenset(self._proved).union(*own)
        one = FileSearch(self._out, self._config.url, self._needles, passed, postings, proofs.known)
        found: list[Found] = []
        for batch, searched in zip(batches(files), _searched(one, files, executor), strict=True):
            for hits, made in searched:
                found += hits
                proofs.keep(made)
            tell("", len(batch))
        return [*self._explained([*found, *told]), *refused]

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

    def _data(self, proofs: Proofs, again: bool, unproved: list[str] | None) -> tuple[list[Leak], list[Found], frozenset[str]]:
        """Open the search data: what is found in them, what a page may explain, and the files whose postings are proved so."""
        refused, told, postings = list[Leak](), list[Found](), set[str]()
        for build in self._builds():
            try:
                more = self._data_of(build, proofs, again, unproved)
            except Exception as error:  # whatever a damaged file makes a reader raise: what cannot be opened is not proved
                said = f"cannot be opened: {error!r}"[:_EXCERPT]
                refused.append(Leak(build.about or f"{BASE}/entry.json", "search data", "text", "", said))
                continue
            refused += more[0]
            told += more[1]
            postings |= more[2]
        return refused, told, frozenset(postings)

    def _builds(self) -> Iterator[_Build]:
        """Yield this build and the earlier ones. Of each file among the vectors at least one of them is asked."""
        base = self._out / BASE
        if (base / "entry.json").is_file():
            yield _Build("", None, frozenset[str]().union(*self._earlier.values()))
        there = frozenset(path.relative_to(base).as_posix() for path in base.rglob("*")) if self._earlier else frozenset()
        for name, files in sorted(self._earlier.items()):
            entry = {kind: _only(kind, files) for kind in ("manifest", "hot")}
            yield _Build(f"{BASE}/{name}", entry, there - files)

    def _data_of(
        self, build: _Build, proofs: Proofs, again: bool, unproved: list[str] | None
    ) -> tuple[list[Leak], list[Found], set[str]]:
        """Do the same with one build."""
        base = self._out / BASE
        with Snapshot(base, build.entry) as snapshot:
            self._langs.add(snapshot.manifest.langs)
            postings = {f"{BASE}/{name}" for name in snapshot.postings}
            question = self._gathered.digest() + self._config.publish_for.encode()
            proved = proof(question, BASE, snapshot.digest(build.elsewhere))
            if proved in proofs.known:
                proofs.keep(proved)
                self._proved |= vector_digests(base, build.elsewhere)
                return [], [], postings
            data = Data(snapshot, self._gathered, self._config.publish_for, f"{BASE}/{snapshot.hot}")
            model = self._model(snapshot, unproved)
            vectors = Vectors(base, snapshot.manifest, data.shown, self._gathered, model, build.elsewhere)
            refused = _leaks(_about(build, data.finds()))
            told = [*_about(build, data.facts()), *_about(build, self._vectors(vectors, again))]
            proofs.keep(b"" if refused or told else proved)
            return refused, told, postings

    def _vectors(self, vectors: Vectors, again: bool) -> Iterator[Found]:
        for name, where, hit in vectors.finds(self._config.lang, again=again):
            yield f"{BASE}/{name}", where, hit
        self._proved |= vectors.good

    def _model(self, snapshot: Snapshot, unproved: list[str] | None) -> Embedder | None:
        """Return what a site's vectors were made with; `None` where there are none, or where it is not installed here."""
        if snapshot.manifest.vectors is None:
            return None
        try:
            return embedder(self._config.search.model, self._config.search.model_langs)
        except ConfigError as error:
            if unproved is None:
                raise
            unproved.append(f"the vectors were not compared with their model: {error.message}")
            return None


def _only(kind: str, files: Iterable[str]) -> str:
    """Return the one file of a kind among a build's; where there is none, or there are several, nothing that can be opened."""
    found = [name for name in files if name.startswith(f"{kind}-")]
    return found[0] if len(found) == 1 else ""


def _about(build: _Build, found: Iterable[Found]) -> Iterator[Found]:
    """Report what is found in an earlier build's data of its list: other builds may have the file itself, too."""
    for file, where, hit in found:
        yield (build.about, f"{where} of {file}", hit) if build.about else (file, where, hit)


def _searched(one: FileSearch, files: list[str], executor: Executor | None) -> Iterator[list[Searched]]:
    run = map if executor is None or len(files) < _WORTH_IT else executor.map
    return iter(run(one.search, batches(files)))


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

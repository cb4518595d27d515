"""The pipeline: understand → recall → group → present.

A search is a generator: it yields what it `Need`s next and is sent the bytes. `run` answers from a `Source`; a browser answers
each need with one round of parallel fetches. There is one code path, and nothing in it knows which of the two it serves.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import TypeVar

from ranvier.legs.text import TextLeg
from ranvier.present.highlight import Marker
from ranvier.present.retrieve import CANDIDATE_FACTOR, retrieve_result
from ranvier.present.search import HitMaker, considered
from ranvier.query.fts import words
from ranvier.query.syntax import Query, parse
from ranvier.rank.group import by_neuron, order
from ranvier.store.format import checked_by_name
from ranvier.store.manifest import read_manifest
from ranvier.store.snapshot import PageFile, Snapshot, Steps
from ranvier.store.texts import Texts
from ranvier.types import Notice, RetrieveRequest, RetrieveResult, SearchRequest, SearchResult

R = TypeVar("R", SearchResult, RetrieveResult)

# bm25's weights for title, tags, heading, body: 10, 5 and 1 are [001]'s; a heading weighs more than [004]'s 2.5, because on
# real documentation (994 pages, 200 queries that are headings) MRR@10 rises from .877 to .913 with it.
DEFAULT_WEIGHTS = (10.0, 5.0, 5.0, 1.0)


class Engine:
    """The search core over one snapshot. Not for several threads at once."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self.texts = Texts(snapshot.manifest)
        self.leg = TextLeg(DEFAULT_WEIGHTS)

    @classmethod
    def open(cls, files: Mapping[str, bytes], pages: PageFile) -> Engine:
        """Start from the manifest and the hot pack, by their names as the entry file gives them, and a file to keep pages in.

        Raises:
            IntegrityError: one of them is not what its name says.
            FormatError: the snapshot is of another format.

        """
        inner = {name.partition("-")[0]: checked_by_name(name, data) for name, data in files.items()}
        return cls(Snapshot(read_manifest(inner["manifest"]), inner["hot"], pages))

    def close(self) -> None:
        """Let go of the database."""
        self.snapshot.close()

    @property
    def rounds(self) -> int:
        """How many rounds of files were asked for so far."""
        return self.snapshot.rounds + self.texts.rounds

    def search(self, request: SearchRequest) -> Steps[SearchResult]:
        """Find Neurons (P1)."""
        query = parse(request.query, prefix=request.prefix)
        last = request.offset + request.limit
        found, cut = yield from self.leg.recall(self.snapshot, query)
        groups = by_neuron(found, self.snapshot.manifest.neuron_of)
        page = groups[request.offset : last]
        passages = yield from self.texts.passages(one.chunk for group in page for one in considered(group))
        maker = HitMaker(Marker(*words(query.tree)), passages)
        hits = tuple(maker.hit(group, rank) for rank, group in enumerate(page, request.offset + 1))
        return SearchResult(
            hits=hits,
            total_hits=len(groups),
            next_offset=last if last < len(groups) else None,
            truncated=cut,
            strategy="bm25",
            notices=_notices(query, bool(groups) and all(group.best.coverage == "some" for group in groups)),
        )

    def retrieve(self, request: RetrieveRequest) -> Steps[RetrieveResult]:
        """Find passages for a language model (P2)."""
        query = parse(request.query)
        found, _ = yield from self.leg.recall(self.snapshot, query)
        ranked = sorted(found, key=order)[: request.top_k * CANDIDATE_FACTOR]
        passages = yield from self.texts.passages(one.chunk for one in ranked)
        return retrieve_result(ranked, passages, request.top_k, request.max_chars, query.notices)


def _notices(query: Query, only_some: bool) -> tuple[Notice, ...]:
    if not only_some:
        return query.notices
    return (*query.notices, Notice("some-words", "No section has all of these words; these have some of them."))


class Library:
    """An `Engine` over a folder: what the CLI, a server and scripts use.

    >>> with open_snapshot("public") as library:
    ...     library.search("how to install").hits[0].title
    """

    def __init__(self, folder: Path) -> None:
        # Imported here: a browser has no folder, and is not given this module.
        from ranvier.store.source import FolderSource, SparseFile

        self.source = FolderSource(folder)
        entry = self.source.entry()
        self._pages = SparseFile()
        self.engine = Engine.open({name: self.source.read(name) for name in (entry["manifest"], entry["hot"])}, self._pages)

    def __enter__(self) -> Library:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the database and remove its temporary file."""
        self.engine.close()
        self._pages.close()

    def search(self, query: str, *, limit: int | None = None, offset: int = 0, prefix: bool = False) -> SearchResult:
        """Search; raise `FetchError` where a file of the snapshot is missing or damaged, `RequestError` for a bad value."""
        limits = {} if limit is None else {"limit": limit}
        return self.run(self.engine.search(SearchRequest(query, offset=offset, prefix=prefix, **limits)))

    def retrieve(self, query: str, *, top_k: int = 8, max_chars: int = 4000) -> RetrieveResult:
        """Retrieve passages, `max_chars` characters at most; raises as `search` does."""
        return self.run(self.engine.retrieve(RetrieveRequest(query, top_k, max_chars)))

    def run(self, steps: Steps[R]) -> R:
        """Answer a search's needs from the folder until it is done, and say how long that took."""
        from ranvier.store.source import answer

        started = time.perf_counter()
        try:
            need = next(steps)
            while True:
                need = steps.send(answer(self.source, need))
        except StopIteration as done:
            result: R = done.value
            return replace(result, timing={"total_ms": round((time.perf_counter() - started) * 1000, 3)})


def open_snapshot(folder: str | Path) -> Library:
    """Open a built site's folder for searching; raise `FetchError` or `FormatError` where there is none in it."""
    return Library(Path(folder))

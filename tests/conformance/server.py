"""Legs with scripted results, and answers as a browser gets them."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ranvier.bridge import Bridge
from ranvier.legs import SEMANTIC, Leg, Recall
from ranvier.query.understand import ParsedQuery
from ranvier.store.snapshot import Steps, TermLookup
from ranvier.store.source import FolderSource, SparseFile
from ranvier.types import BY_MEANING, Match, Ranking

MakeSite = Callable[[Mapping[str, str]], Path]  # the fixture `make_site`


@dataclass(frozen=True)
class ScriptedLeg(Leg):
    """A leg with scripted results, best first, or an error; `requests` records the requested numbers of candidates."""

    rows: tuple[int, ...] = ()
    name: str = "vector"
    kind: str = SEMANTIC
    match: str = ""
    weight: float = 1.0
    chunks: bool = False  # `rows` are chunks, not Neurons
    error: Exception | None = None
    requests: list[int] = field(default_factory=list)

    def planned_reads(self, query: ParsedQuery) -> tuple[list[TermLookup], tuple[str, ...]]:
        """Plan no reads."""
        return [], ()

    def recall(self, context: Recall) -> Steps[Ranking]:
        """Return as many rows as requested."""
        self.requests.append(context.candidates)
        if self.error:
            raise self.error
        yield from context.snapshot.fetch_terms()
        results = [Match(row, 900_000 - at, BY_MEANING) for at, row in enumerate(self.rows)]
        return Ranking(self.name, tuple(results[: context.candidates]), self.chunks, self.weight, semantic=True)


@dataclass(frozen=True)
class RecordingLeg:
    """A leg that records the requested numbers of candidates of another leg."""

    leg: Leg
    requests: list[int] = field(default_factory=list)

    def __getattr__(self, name: str) -> Any:
        """Delegate to the other leg."""
        return getattr(self.leg, name)

    def recall(self, context: Recall) -> Steps[Ranking]:
        """Recall as the other leg does."""
        self.requests.append(context.candidates)
        return (yield from self.leg.recall(context))


def as_json(site: Path, kind: str, query: str, **options: Any) -> Any:
    """Search as the worker of a browser does; return the JSON object that JavaScript gets."""
    source, pages = FolderSource(site), SparseFile()
    entry = source.entry()
    names = [entry["manifest"], entry["hot"]]
    bridge = Bridge(names, [source.read(name) for name in names], pages)
    try:
        message = bridge.start(1, kind, json.dumps({"query": query} | options))
        while "need" in (reply := json.loads(message)):
            message = bridge.feed(1, reply["need"], [source.read(name) for name in reply["need"]])
        return reply["done"]
    finally:
        bridge.engine.close()
        pages.close()

"""A built site that is opened once and runs the same queries with several variants."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from ranvier import Engine, SearchRequest, open_snapshot
from ranvier.presets import Preset, overlay

from ranvier_builder.evaluate.measures import Query
from ranvier_builder.model import Progress, silent

# Notices of a reduced search: the results of such a run do not measure the ranking.
_REDUCED = ("no-vectors", "no-substring", "scanned")


@dataclass(frozen=True, slots=True)
class Variant:
    """One way to rank. `changes` override the preset's numbers: `{"fuse": {"k": 10}}`."""

    preset: str = "default"
    strategy: str = "auto"
    changes: Mapping[str, Any] = field(default_factory=dict)


class Run(NamedTuple):
    """Search results: for each query its hits' paths, best first. `reduced`: a notice of a reduced search → number of queries.

    `answered`: for each query whether at least one hit is above the level "noise", so that it looks like an answer.
    """

    pages: tuple[tuple[str, ...], ...]
    reduced: Mapping[str, int]
    answered: tuple[bool, ...]


class Site:
    """A site's folder, or its `_ranvier` folder, opened for measuring.

    Raises:
        FetchError, FormatError: it has no index that can be read.

    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._library = open_snapshot(folder)
        self._engine = _TuningEngine(self._library.engine.snapshot)

    def __enter__(self) -> Site:
        return self

    def __exit__(self, *_: object) -> None:
        self._library.close()

    @property
    def preset_overrides(self) -> Mapping[str, Any]:
        """The site's own preset numbers, which differ from the default's."""
        preset: Mapping[str, Any] = self._engine.snapshot.tuning.get("preset", {})
        return preset

    @property
    def has_vectors(self) -> bool:
        """Tell whether it supports search by meaning."""
        return self._engine.snapshot.manifest.vectors is not None

    def stages(self, variant: Variant) -> Preset:
        """Return the stages of a variant; raise `RequestError` if the preset or a number does not exist."""
        self._engine.override = None
        stages = self._engine.preset(variant.preset)
        return overlay(stages, variant.changes) if variant.changes else stages

    def run(self, queries: Sequence[Query], variant: Variant, limit: int = 100, progress: Progress = silent) -> Run:
        """Run all queries, with `limit` hits of each."""
        self._engine.override = self.stages(variant)
        rankings, answered, reduced = [], list[bool](), Counter[str]()
        for query in queries:
            request = SearchRequest(query.text, limit=limit, preset=variant.preset, strategy=variant.strategy)
            result = self._library.run(self._engine.search(request))
            rankings.append(tuple(dict.fromkeys(hit.path for hit in result.hits))[:limit])
            answered.append(any(hit.level != "noise" for hit in result.hits))
            reduced.update({notice.text for notice in result.notices if notice.code in _REDUCED})
            progress("", 1)
        return Run(tuple(rankings), dict(sorted(reduced.items())), tuple(answered))

    def facts(self, sql: str) -> list[Any]:
        """Query the tables of facts about Neurons."""
        return self._library.run(self._engine.snapshot.query(sql, (), (), ("neuron",)))


class _TuningEngine(Engine):
    """The same engine with the same snapshot for all tried numbers: nothing is opened or fetched again."""

    override: Preset | None = None

    def preset(self, name: str) -> Preset:
        return super().preset(name) if self.override is None else self.override

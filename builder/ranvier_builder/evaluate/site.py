"""A built site that is asked the same queries in several ways, and opened once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

from ranvier import Engine, SearchRequest, open_snapshot
from ranvier.presets import Preset, laid_over

from ranvier_builder.evaluate.queries import Query
from ranvier_builder.model import Progress

# Notices that say that less was searched than was asked for: figures of such a run are not those of the ranking.
_LESS = ("no-vectors", "no-substring", "scanned")


@dataclass(frozen=True, slots=True)
class Variant:
    """One way to rank. `changes` are laid over the preset's numbers: `{"fuse": {"k": 10}}`."""

    preset: str = "default"
    strategy: str = "auto"
    changes: Mapping[str, Any] = field(default_factory=dict)


class Run(NamedTuple):
    """What was found: for each query its hits' paths, best first. `less`: what was not searched → for how many queries.

    `answered`: for each query whether any hit was shown as more than noise, so that a reader takes it for an answer.
    """

    pages: tuple[tuple[str, ...], ...]
    less: Mapping[str, int]
    answered: tuple[bool, ...]


class Site:
    """A site's folder, or its `_ranvier` folder, opened for measuring.

    Raises:
        FetchError, FormatError: there is no index in it that can be read.

    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._library = open_snapshot(folder)
        self._engine = _Trial(self._library.engine.snapshot)

    def __enter__(self) -> Site:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._library.close()

    @property
    def own(self) -> Mapping[str, Any]:
        """The numbers that the site was built with, besides the default's."""
        preset: Mapping[str, Any] = self._engine.snapshot.tuning.get("preset", {})
        return preset

    @property
    def has_vectors(self) -> bool:
        """Tell whether it can be searched by meaning."""
        return self._engine.snapshot.manifest.vectors is not None

    def stages(self, variant: Variant) -> Preset:
        """Return the stages of a variant; raise `RequestError` where it has no such preset, or no such number."""
        self._engine.tried = None
        stages = self._engine.preset(variant.preset)
        return laid_over(stages, variant.changes) if variant.changes else stages

    def run(self, queries: Sequence[Query], variant: Variant, limit: int = 100, tell: Progress | None = None) -> Run:
        """Ask every query, and look at `limit` hits of each."""
        self._engine.tried = self.stages(variant)
        rankings, answered, less = [], list[bool](), Counter[str]()
        for query in queries:
            request = SearchRequest(query.text, limit=limit, preset=variant.preset, strategy=variant.strategy)
            result = self._library.run(self._engine.search(request))
            rankings.append(tuple(dict.fromkeys(hit.path for hit in result.hits))[:limit])
            answered.append(any(hit.level != "noise" for hit in result.hits))
            less.update({notice.text for notice in result.notices if notice.code in _LESS})
            if tell is not None:
                tell("", 1)
        return Run(tuple(rankings), dict(sorted(less.items())), tuple(answered))

    def facts(self, sql: str) -> list[Any]:
        """Ask the tables of facts about Neurons."""
        return self._library.run(self._engine.snapshot.query(sql, (), (), ("neuron",)))


class _Trial(Engine):
    """The same engine over the same snapshot, whatever the numbers that are tried: nothing is opened or fetched again."""

    tried: Preset | None = None

    def preset(self, name: str) -> Preset:
        return super().preset(name) if self.tried is None else self.tried

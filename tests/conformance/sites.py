"""Small sites, and legs with scripted results, for three of the described systems."""

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

from ranvier import Engine, Library, SearchRequest, open_snapshot
from ranvier.legs import SEMANTIC, Leg, Recall
from ranvier.presets import Preset, preset
from ranvier.query.expansion import Expander
from ranvier.query.understand import ParsedQuery, QueryReader
from ranvier.rank.candidate import Candidate, order
from ranvier.rank.stage import Facts, Stage
from ranvier.requests import parse_request
from ranvier.store.snapshot import Snapshot, Steps, TermLookup
from ranvier.types import BY_MEANING, Hit, LegRank, Match, Ranking, SearchResult
from ranvier_builder import Config
from support.content import build_tree
from support.shared import library_fixture

NO_FACTS = Facts((), ())
CONFIG = Config(title="Site", name="site", default_audience="public")


@contextmanager
def library_of(files: Mapping[str, str | bytes], expander: Expander | None = None) -> Iterator[Library]:
    """Build a site of some files, and open it."""
    with tempfile.TemporaryDirectory() as folder:
        with open_snapshot(build_tree(Path(folder), files, CONFIG), expander) as library:
            yield library


def site_fixture(files: Mapping[str, str | bytes]) -> Any:
    """Return a fixture: a site of some files, built once for a module, and opened."""
    return library_fixture(build_tree, files, CONFIG)


def neuron(title: str, body: str, **fields: Any) -> str:
    """Write a Neuron: its frontmatter, its title, its text."""
    text = "".join(f"{name}: {value}\n" for name, value in fields.items())
    return f"---\n{text}---\n# {title}\n\n{body}\n" if text else f"# {title}\n\n{body}\n"


def tuned(library: Library, tuning: Mapping[str, Any]) -> Library:
    """Change the search settings of a library, as the configuration of a site does."""
    library.engine.snapshot.tuning = dict(tuning)
    library.engine = Engine(library.engine.snapshot)
    return library


@contextmanager
def using(library: Library, replacement: Preset) -> Iterator[Library]:
    """Replace a preset of a library within the context."""
    before = library.engine.preset
    library.engine.preset = lambda name: replacement if name == replacement.name else before(name)  # type: ignore[method-assign]
    try:
        yield library
    finally:
        library.engine.preset = before  # type: ignore[method-assign]


@contextmanager
def failing_queries(fails: Callable[[str], bool], error: Exception) -> Iterator[list[str]]:
    """Let each SQL query that meets a condition fail within the context; yield these queries."""
    plain, failed = Snapshot.query, list[str]()

    def query(self: Snapshot, sql: str, *arguments: Any) -> Steps[list[Any]]:
        if fails(sql):
            failed.append(sql)
            raise error
        return (yield from plain(self, sql, *arguments))

    with patch.object(Snapshot, "query", query):
        yield failed


def with_vectors(name: str, *results: tuple[str, float], failure: Exception | None = None, **options: Any) -> Preset:
    """Return a preset whose vector leg finds these paths with these cosines."""
    base = preset(name)
    leg: Leg = FakeVectors(results, failure=failure, **options)
    legs, retrieve = (
        tuple(item for item in legs_of_preset if item.kind != SEMANTIC) for legs_of_preset in (base.legs, base.retrieve)
    )
    return replace(base, legs=(*legs, leg), retrieve=(*retrieve, leg) if retrieve else ())


@dataclass(frozen=True, slots=True)
class FakeVectors(Leg):
    """A semantic leg with scripted results: paths with their cosines, best first."""

    cosines: tuple[tuple[str, float], ...]
    name: str = "vector"
    weight: float = 1.0
    failure: Exception | None = None
    chunks: bool = False  # the results are the first chunks
    kind: str = SEMANTIC
    match: str = ""

    def planned_reads(self, query: ParsedQuery) -> tuple[list[TermLookup], tuple[str, ...]]:
        """Read the table of Neurons."""
        return [], ("neuron",)

    def recall(self, context: Recall) -> Steps[Ranking]:
        """Return the scripted results in the scope."""
        if self.failure is not None:
            raise self.failure
        rows = yield from context.snapshot.query("SELECT path, n FROM neuron", (), (), ("neuron",))
        number = dict(rows)
        first: Callable[[int], int] = (lambda n: context.snapshot.manifest.chunks_of(n)[0]) if self.chunks else (lambda n: n)
        scores = [(number[path], round(cosine * 1e6)) for path, cosine in self.cosines if number[path] in context.scope_filter]
        hits = [Match(first(neuron), micro, BY_MEANING) for neuron, micro in scores]
        return Ranking(self.name, tuple(hits), self.chunks, self.weight, semantic=True)


def understood(query: str, preset_name: str, tuning: Mapping[str, Any] | None = None, **options: Any) -> ParsedQuery:
    """Understand a query as a preset does, without a snapshot."""
    reader = QueryReader(("en",), tuning or {})
    return reader.understand(
        parse_request(SearchRequest, query, options | {"preset": preset_name}), preset(preset_name).understand
    )


def ranked(*scores: float, leg: str = "text") -> list[Candidate]:
    """Make candidates of Neurons 1, 2, … with these scores, best first, all found by one leg."""
    candidates = [
        Candidate(n, n, [n], [LegRank(leg, 1, score, score)], score=score, base=score) for n, score in enumerate(scores, 1)
    ]
    return sorted(candidates, key=order)


def applied(stage: Stage, hits: Sequence[Candidate], rows: Sequence[tuple[Any, ...]], query: str = "q") -> dict[int, float]:
    """Apply a stage to hits; return the scores by Neuron."""
    stage.apply(list(hits), list(rows), understood(query, "vault"), NO_FACTS)
    return {hit.neuron: hit.score for hit in hits}


def ranking(leg: str, *rows: int, chunks: bool = False, weight: float = 1.0) -> Ranking:
    """Make a ranked list, best first; raw scores 1, 1/2, 1/3, …"""
    return Ranking(leg, tuple(Match(row, 1_000_000 // at) for at, row in enumerate(rows, 1)), chunks, weight)


def by_path(result: SearchResult) -> dict[str, Hit]:
    """Return the hits by their paths."""
    return {hit.path: hit for hit in result.hits}


def steps(hit: Hit) -> list[str]:
    """Return the stages that changed a hit, in order."""
    assert hit.explain is not None
    return [step.stage for step in hit.explain.steps]

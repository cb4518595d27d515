"""How many rounds of fetches a question takes, one after the other, after the start: three at most (B2).

A round is one `Need`: all of its files are fetched in parallel. What was fetched ahead, and nobody waited for, is no round.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import ranvier
from ranvier import Library
from ranvier.errors import FetchError, RequestError
from ranvier.presets import NAMES
from ranvier.requests import STRATEGIES, RetrieveRequest, SearchRequest, asked
from ranvier.store.fetch import Steps, ahead, begun, counting, fetch, gather, hinting
from ranvier.store.format import deflate, digest
from ranvier.store.source import answer
from ranvier.types import Need
from ranvier_builder import Config
from support.content import build_without_engine
from support.queries import Question, by_hand, made, retrievals, searches
from support.sites import EXAMPLE

MOST = 3
# What cannot be done in three: reason → (rounds, of how many of the questions at most: asked of an engine that has just begun,
# of one that has answered others, and in the search box).
MORE: Mapping[str, tuple[int, int, int, int]] = {
    # The model's tokens tell where the query's rows lie, those which shards are near, and those which texts are shown: four
    # files in a row; of words that the model must spell (see below) five. The search box asks while the reader types, and
    # fetches the first of them ahead.
    "the first search by meaning, with no typing before it": (5, 40, 0, 0),
    # Words that may be gibberish are looked for before anything of their meaning but the tokens is fetched, and a slip is
    # mended first.
    "a search by meaning of slips, or of words that the model must spell": (4, 0, 5, 3),
}


@dataclass
class Asker:
    """Asks an engine, and counts the rounds that somebody waits for."""

    library: Library
    ahead: set[str] = field(default_factory=set)
    names: list[str] = field(default_factory=list)

    def rounds(self, steps: Steps[Any]) -> int:
        """Answer whatever is asked for; return how often anything was fetched that was not ahead."""
        count, self.names = 0, []
        try:
            need = next(steps)
            while True:
                count += not self.ahead.issuperset(need.files)
                self.names += need.files
                self.ahead.update(need.soon)
                need = steps.send(answer(self.library.source, need))
        except (StopIteration, RequestError):
            return count

    def ask(self, question: Question) -> int:
        """Ask a question of any kind."""
        engine = self.library.engine
        if question.what == "backlinks":
            return self.rounds(engine.backlinks(question.query))
        if question.what == "retrieve":
            return self.rounds(engine.retrieve(asked(RetrieveRequest, question.query, question.options)))
        return self.rounds(engine.search(asked(SearchRequest, question.query, question.options)))


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The manual, with vectors: too large to be fetched at once."""
    out = tmp_path_factory.mktemp("rounds") / "out"
    report = build_without_engine(EXAMPLE / "content", out, Config(default_audience="public"), vectors=True)
    assert report.vectors == report.chunks
    return out


@pytest.fixture(scope="module")
def questions(built: Path) -> list[Question]:
    """Some hundred questions of all kinds."""
    content = EXAMPLE / "content"
    queries = [query for query in by_hand() if len(query) < 300][::3] + made(content, 40)
    with ranvier.open_snapshot(built) as library:
        found = [*searches(queries, library, 3), *retrievals(queries[::4], library, 4), *_backlinks(library)]
    return [*found, *_of_every_preset(), *_slips(made(content, 40))]


def _backlinks(library: Library) -> Iterator[Question]:
    for hit in library.search("", return_all=True).hits[:10]:
        yield Question("backlinks", hit.title, {})


def _of_every_preset() -> Iterator[Question]:
    for query in (
        "static host",
        "how does the browser read sqlite",
        "serch core",
        "nifes",
        "xyzzyplugh",
        "#reference hot pack",
    ):
        for preset in NAMES:
            for strategy in STRATEGIES:
                yield Question("search", query, {"preset": preset, "strategy": strategy})
                yield Question("retrieve", query, {"preset": preset, "strategy": strategy})


def _slips(queries: list[str]) -> Iterator[Question]:
    """Leave a letter out of each query's longest word; ask for a piece of it; and narrow what is asked."""
    for at, query in enumerate(queries):
        word = max(query.split(), key=len)
        slip = query.replace(word, word[:2] + word[3:])
        yield Question("search", slip, {})
        yield Question("search", slip, {"path": ["guide"], "tags": ["guide"][: at % 2], "prefix": at % 3 == 0})
        yield Question("search", f"#nosuch {slip}", {"facets": ("tags", "kind"), "sort": "title"})
        yield Question("search", word[1:-1], {"match": ("auto", "substring")[at % 2], "facets": ("tags",)})


def _reason(asker: Asker, question: Question, rounds: int) -> str:
    """Say why a question took more rounds than three; empty where nothing excuses it."""
    manifest = asker.library.engine.snapshot.manifest
    assert manifest.vectors is not None
    first = {*manifest.vectors.head.seals([0]), *manifest.vectors.tokens.seals([0, 1])}
    if first & {*asker.names}:
        return "the first search by meaning, with no typing before it"
    if any(name.startswith("vectors/") for name in asker.names):
        return "a search by meaning of slips, or of words that the model must spell"
    return f"{rounds} rounds"


def _counted(asked_of: Iterator[tuple[Asker, Question]]) -> tuple[Counter[str], list[Any]]:
    reasons: Counter[str] = Counter()
    wrong = []
    for asker, question in asked_of:
        if (rounds := asker.ask(question)) > MOST:
            reason = _reason(asker, question, rounds)
            reasons[reason] += 1
            if rounds > MORE.get(reason, (MOST,))[0]:
                wrong.append((question, rounds, reason))
    return reasons, wrong


def test_three_rounds_from_the_start(built: Path, questions: list[Question]) -> None:
    """B2: of an engine that has answered nothing yet; each of some of the questions has one of its own."""

    def fresh() -> Iterator[tuple[Asker, Question]]:
        for question in questions[::4]:
            with ranvier.open_snapshot(built) as library:
                yield Asker(library), question

    reasons, wrong = _counted(fresh())
    assert wrong == []
    assert all(count <= MORE[reason][1] for reason, count in reasons.items()), reasons


def test_three_rounds_later(built: Path, questions: list[Question]) -> None:
    """B2: of an engine that has answered other questions, and so has some of the files."""
    with ranvier.open_snapshot(built) as library:
        asker = Asker(library)
        reasons, wrong = _counted((asker, question) for question in questions[1::2])
    assert wrong == []
    assert all(count <= MORE[reason][2] for reason, count in reasons.items()), reasons


def test_three_rounds_in_the_box(built: Path, questions: list[Question]) -> None:
    """B2: a reader types, and pauses; neither question of the two takes more, from the very first on."""
    more = Counter[int]()
    queries = [*dict.fromkeys(question.query for question in questions if question.what == "search")]
    for query in queries[::3]:
        with ranvier.open_snapshot(built) as library:
            asker = Asker(library)
            assert asker.ask(Question("search", query, {"prefix": True, "typing": True})) <= MOST, query
            more[asker.ask(Question("search", query, {"prefix": True}))] += 1
    rounds, *_, most = MORE["a search by meaning of slips, or of words that the model must spell"]
    assert max(more) <= rounds
    assert sum(count for number, count in more.items() if number > MOST) <= most


SEALED = {name: deflate(name.encode()) for name in ("a", "b", "c")}


def _one(*names: str) -> Steps[list[bytes]]:
    """Fetch files one after the other."""
    out: list[bytes] = []
    for name in names:
        out += (yield from fetch({name: digest(SEALED[name])})).values()
    return out


def _answered(steps: Steps[Any], without: str = "", *, throws: bool = False) -> tuple[Any, list[Need]]:
    """Answer all needs; of one file, either nothing or an error, as a browser and a folder tell it."""
    needs = []
    try:
        need = next(steps)
        while True:
            needs.append(need)
            if throws and without in need.files:
                need = steps.throw(FetchError(without, "is not there"))
            else:
                need = steps.send({name: SEALED[name] for name in need.files if name != without})
    except StopIteration as done:
        return done.value, needs


def test_several_are_one_round() -> None:
    """B2: what all need next is asked for at once, and each file once."""
    results, needs = _answered(gather(_one("a", "b"), _one("a"), _one("c", "a", "b"), _one()))
    assert results == [[b"a", b"b"], [b"a"], [b"c", b"a", b"b"], []]
    assert [need.files for need in needs] == [("a", "c"), ("b", "a"), ("b",)]


@pytest.mark.parametrize("throws", [True, False], ids=["folder", "browser"])
def test_a_file_that_cannot_be_had_is_told_to_who_asked_for_it(*, throws: bool) -> None:
    """X1, X3: the others go on; an error that nobody takes ends all of them."""
    results, _ = _answered(gather(ahead(_one("b", "a")), _one("a", "c")), "b", throws=throws)
    assert results == [None, [b"a", b"c"]]
    with pytest.raises(FetchError, match="b"):
        _answered(gather(_one("a", "c"), _one("b")), "b", throws=throws)


def test_hints_and_counts() -> None:
    """A hint goes with the first round alone, through whatever runs beside it."""
    counted: list[int] = []
    steps = counting(gather(_one("a"), hinting(_one("b", "c"), ("x",))), partial(counted.append, 1))
    results, needs = _answered(steps)
    assert (results, [need.soon for need in needs], len(counted)) == ([[b"a"], [b"b", b"c"]], [("x",), ()], 2)
    again = _one("a", "b")
    assert _answered(begun(next(again), again))[0] == [b"a", b"b"]


def test_a_small_site_comes_at_once(meant: Path) -> None:
    """B2: one round for everything but meaning and substrings; what nobody asks for costs nothing."""
    with ranvier.open_snapshot(meant) as library:
        asker = Asker(library)
        assert asker.ask(Question("search", "", {})) == 0
        assert asker.ask(Question("search", "ship", {"strategy": "bm25"})) == 1
        for query in ("harbour", "docker container", "loafe", "#garage motor"):
            assert asker.ask(Question("search", query, {"strategy": "bm25", "facets": ("tags", "kind")})) == 0, query

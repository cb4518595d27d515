"""A search takes at most three rounds of fetches after the start (B2).

A round is one `Need`: its files are fetched in parallel. A prefetch without waiting is no round.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import ranvier
from ranvier import Library
from ranvier.errors import FetchError, RequestError
from ranvier.presets import NAMES
from ranvier.requests import STRATEGIES, RetrieveRequest, SearchRequest, parse_request
from ranvier.store.fetch import Steps, fetch, gather, hinting, prefetch, resume
from ranvier.store.format import deflate, digest
from ranvier.types import Need
from ranvier_builder.write import split, store
from support.content import build_without_engine
from support.queries import Question, by_hand, retrievals, searches
from support.sites import EXAMPLE

MAX_ROUNDS = 3
# A misspelt query is corrected first. Then its rows, their near shards and the shown texts follow. The search box has fetched
# the words while the reader typed.
MAX_WITH_CORRECTION = 4
# The likeliest word may be on no page of the scope; the tokens of the next word then take one more round.
MAX_WITH_CORRECTION_IN_SCOPE = 5
# As `generated_queries` makes them, but constant: after an edit of the manual, a test asks the same questions.
QUERIES = [
    "NEAR(the that, 2)", "no OR for", '"So new word on"', "NEAR(downloads file, 25)", "NEAR(and ranvier, 9)",
    '"changed Build systems"', "links NOT large", "Hot them the", "files", '"the text"', "(all OR are) AND src",
    "(in OR packages) AND phones", "inside so", "not oth", "NEAR(in uri, 30)", "files NOT compress", "at", "md inclu",
    "NEAR(want without, 27)", "the", "all parts of the", "(and OR build) AND combine", "(box OR md) AND is", "the core And",
    "warning callout type warning around", "(lines OR waits) AND next", "it*", "summary NOT below", "first kbd level", "ta*",
    "Folder", "sum OR to", "NEAR(two RANVIER, 6)", "three words", '"the search md abbreviations"', "(code OR Of) AND box",
    "(settings OR Meaning) AND as", "total OR whoever", "Neuron no of", "th*",
]  # fmt: skip


@dataclass
class BrowserSession:
    """Sends requests to an engine as a browser does, and counts rounds. `save_data`: nothing is prefetched."""

    library: Library
    save_data: bool = False
    prefetch: set[str] = field(default_factory=set)
    names: list[str] = field(default_factory=list)
    answer: Any = None

    def __post_init__(self) -> None:
        source = self.library.source
        self.library.engine.snapshot.take({name: source.read(name) for name in source.entry()["vectors"] if not self.save_data})

    def rounds(self, steps: Steps[Any]) -> int:
        """Answer all needs; return the number of rounds without prefetches."""
        count, self.names, self.answer = 0, [], None
        try:
            need = next(steps)
            while True:
                count += not self.prefetch.issuperset(need.files)
                self.names += need.files
                self.prefetch.update(() if self.save_data else need.hints)
                need = steps.send(self.library.source.answer(need))
        except StopIteration as done:
            self.answer = done.value
            return count
        except RequestError:
            return count

    def ask(self, question: Question) -> int:
        """Ask a question of any kind."""
        engine = self.library.engine
        if question.method == "backlinks":
            return self.rounds(engine.backlinks(question.query))
        if question.method == "retrieve":
            return self.rounds(engine.retrieve(parse_request(RetrieveRequest, question.query, question.options)))
        return self.rounds(engine.search(parse_request(SearchRequest, question.query, question.options)))


@pytest.fixture(scope="module")
def questions(manual_index: Path) -> list[Question]:
    """Some hundred questions of all kinds."""
    queries = [query for query in by_hand() if len(query) < 300][::3] + QUERIES
    with ranvier.open_snapshot(manual_index) as library:
        requests = [*searches(queries, library, 3), *retrievals(queries[::4], library, 4), *_backlinks(library)]
    return [*requests, *_of_every_preset(), *_misspelt_questions()]


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


@cache
def misspelt() -> frozenset[str]:
    """Return the queries with a misspelt word; some words have no better correction."""
    return frozenset(question.query for question in _misspelt_questions())


def _misspelt_questions() -> Iterator[Question]:
    """Yield searches for each query with a misspelt word, for a part of that word, and with filters."""
    for at, query in enumerate(QUERIES):
        word = max(query.split(), key=len)
        slip = query.replace(word, word[:2] + word[3:])
        yield Question("search", slip, {})
        yield Question("search", slip, {"path": ["guide"], "tags": ["guide"][: at % 2], "prefix": at % 3 == 0})
        yield Question("search", f"#nosuch {slip}", {"facets": ("tags", "kind"), "sort": "title"})
        yield Question("search", word[1:-1], {"match": ("auto", "substring")[at % 2], "facets": ("tags",)})


def _allowed_rounds(session: BrowserSession, question: Question) -> int:
    """Return the maximum of rounds for a question: more for a misspelt one that uses vectors."""
    notices = {notice.code for notice in getattr(session.answer, "notices", ())}
    # A correction without an answer is withdrawn: then only the notice of a weak answer shows that it was tried.
    is_corrected = notices & {"corrected", "little", "near", "some-words"} or question.query in misspelt()
    has_vectors = any(name.startswith("vectors/") for name in session.names)
    # A filter that no page matches is searched as a word afterwards.
    extra = "unknown-filter" in notices
    if not (has_vectors and is_corrected):
        has_other_tokens = has_vectors and not question.query.isascii()
        # The query as typed is also searched in parts of words, or its tokens are in a second file, or a piece of a word may be
        # two words.
        has_more = "little" in notices or has_other_tokens or question.query in misspelt()
        return extra + (MAX_WITH_CORRECTION if has_more else MAX_ROUNDS)
    narrowed = {"path", "tags", "item"} & question.options.keys() or extra
    # If the scope has no page with the corrected words, parts of them are searched for afterwards.
    return extra + (MAX_WITH_CORRECTION_IN_SCOPE + ("little" in notices) if narrowed else MAX_WITH_CORRECTION)


def _exceeding(pairs: Iterable[tuple[BrowserSession, Question]]) -> list[Any]:
    return [
        (question, rounds)
        for session, question in pairs
        if (rounds := session.ask(question)) > _allowed_rounds(session, question)
    ]


@pytest.mark.parametrize("part", range(4))
def test_first_search_takes_at_most_three_rounds(manual_index: Path, questions: list[Question], part: int) -> None:
    """B2: each of several questions on a new engine."""

    def fresh() -> Iterator[tuple[BrowserSession, Question]]:
        for question in questions[part::19]:
            with ranvier.open_snapshot(manual_index) as library:
                yield BrowserSession(library), question

    assert _exceeding(fresh()) == []


@pytest.mark.parametrize("query", ["deploy", "how does the browser read sqlite"])
def test_first_search_of_a_large_site_waits_for_lists_once(query: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """B2: lists and row sizes are one round, postings and vectors another."""
    monkeypatch.setattr(store, "split_snapshot", lambda file: split.split_snapshot(file, 2, 5, 0))
    build_without_engine(EXAMPLE / "content" / "decisions", tmp_path, vectors=True)
    with ranvier.open_snapshot(tmp_path) as library:
        assert not library.engine.snapshot.names_all_files
        assert library.engine.snapshot.manifest.sizes["chunk_fts"].first
        assert BrowserSession(library).ask(Question("search", query, {})) == MAX_ROUNDS


def test_empty_scope_takes_one_round(manual_index: Path) -> None:
    """No page can have other words or their parts, so they are not searched for; in a scope with pages they are."""
    scope = {"item": "decisions/hot-pack"}
    with ranvier.open_snapshot(manual_index) as library:
        session = BrowserSession(library)
        assert session.ask(Question("search", "serch xyzzyplugh", {**scope, "tags": ["llms"]})) == 1
        assert session.answer.total_hits == 0
        assert not any(name.startswith("words/") for name in session.names)
        assert session.ask(Question("search", "serch xyzzyplugh", scope)) > 1
        assert any(name.startswith("words/") for name in session.names)


def test_later_searches_take_at_most_three_rounds(manual_index: Path, questions: list[Question]) -> None:
    """B2: some files are already present."""
    with ranvier.open_snapshot(manual_index) as library:
        session = BrowserSession(library)
        assert _exceeding((session, question) for question in questions[1::5]) == []


@pytest.mark.parametrize("save_data", [True, False])
def test_search_box_takes_at_most_three_rounds(manual_index: Path, questions: list[Question], save_data: bool) -> None:
    """B2: while typing and after the pause; one with Save-Data."""
    queries = [*dict.fromkeys(question.query for question in questions if question.method == "search")]
    for query in queries[save_data::10]:
        with ranvier.open_snapshot(manual_index) as library:
            session = BrowserSession(library, save_data)
            rounds = session.ask(Question("search", query, {"prefix": True, "typing": True}))
            # If the hits of a correction have little of the query, the query as typed is also searched in parts of words.
            # A piece of a word may be two words: one more round, too.
            codes = {notice.code for notice in session.answer.notices}
            limit = MAX_WITH_CORRECTION if query in misspelt() or "little" in codes else MAX_ROUNDS
            assert rounds <= limit + save_data + ("unknown-filter" in codes), query
            question = Question("search", query, {"prefix": True})
            rounds = session.ask(question)
            assert rounds <= _allowed_rounds(session, question) + save_data, query


@pytest.mark.parametrize("query", ["how does the browser read sqlite", "serch core"])
def test_save_data_costs_more_rounds(manual_index: Path, query: str) -> None:
    """B2: neither the vector head nor the words for spelling were prefetched."""
    rounds = []
    for save_data in (False, True):
        with ranvier.open_snapshot(manual_index) as library:
            strategy = "bm25" if query == "serch core" else "rag"
            rounds.append(BrowserSession(library, save_data).ask(Question("search", query, {"strategy": strategy})))
    assert rounds[0] <= MAX_ROUNDS
    assert rounds[1] == rounds[0] + 1


DEFLATED = {name: deflate(name.encode()) for name in ("a", "b", "c")}


def _single(*names: str) -> Steps[list[bytes]]:
    """Fetch files one after the other."""
    out: list[bytes] = []
    for name in names:
        out += (yield from fetch({name: digest(DEFLATED[name])})).values()
    return out


def _drive(steps: Steps[Any], without: str = "", *, throws: bool = False) -> tuple[Any, list[Need]]:
    """Answer all needs, except one file: it is missing in the answer, or an error is raised."""
    needs = []
    try:
        need = next(steps)
        while True:
            needs.append(need)
            if throws and without in need.files:
                need = steps.throw(FetchError(without, "is not there"))
            else:
                need = steps.send({name: DEFLATED[name] for name in need.files if name != without})
    except StopIteration as stop:
        return stop.value, needs


def test_parallel_needs_are_one_round() -> None:
    """B2: each file is requested once."""
    results, needs = _drive(gather(_single("a", "b"), _single("a"), _single("c", "a", "b"), _single()))
    assert results == [[b"a", b"b"], [b"a"], [b"c", b"a", b"b"], []]
    assert [need.files for need in needs] == [("a", "c"), ("b", "a"), ("b",)]


@pytest.mark.parametrize("throws", [True, False], ids=["folder", "browser"])
def test_missing_file_raises_in_the_step_that_needs_it(*, throws: bool) -> None:
    """X1, X3: the other steps continue if the error is handled."""
    results, _ = _drive(gather(prefetch(_single("b", "a")), _single("a", "c")), "b", throws=throws)
    assert results == [None, [b"a", b"c"]]
    with pytest.raises(FetchError, match="b"):
        _drive(gather(_single("a", "c"), _single("b")), "b", throws=throws)


def test_hints_are_part_of_the_first_round() -> None:
    """Also of steps that run in parallel."""
    results, needs = _drive(gather(_single("a"), hinting(_single("b", "c"), ("x",))))
    assert (results, [need.hints for need in needs]) == ([[b"a"], [b"b", b"c"]], [("x",), ()])
    steps_of_two = _single("a", "b")
    assert _drive(resume(next(steps_of_two), steps_of_two))[0] == [b"a", b"b"]


def test_small_site_is_fetched_in_one_round(semantic_site: Path) -> None:
    """B2: except vectors and substrings."""
    with ranvier.open_snapshot(semantic_site) as library:
        session = BrowserSession(library)
        assert session.ask(Question("search", "", {})) == 0
        assert session.ask(Question("search", "ship", {"strategy": "bm25"})) == 1
        for query in ("harbour", "docker container", "loafe", "#garage motor"):
            assert session.ask(Question("search", query, {"strategy": "bm25", "facets": ("tags", "kind")})) == 0, query

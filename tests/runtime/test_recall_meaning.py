"""Vector search within a whole search (Q3, L3, A5): when it runs, what it adds, and who sees the results."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import ranvier
from ranvier import Caller, Library, SearchRequest
from ranvier.legs.vector import VectorLeg
from ranvier.presets import preset
from ranvier.types import Need
from support.content import build_tree, drive
from support.results import BY_MEANING, codes, legs, paths


@pytest.fixture
def library(semantic_site: Path) -> Iterator[Library]:
    with ranvier.open_snapshot(semantic_site) as library:
        yield library


PRIVATE_QUERY = "pastry chef makes sugary dessert"


def ask(library: Library, query: str, **options: Any) -> tuple[Any, list[str]]:
    """Search; return the answer, and the files of vectors that it took."""
    result, needs = drive(library.engine.search(SearchRequest(query, **options)), library.source)
    return result, [name for need in needs for name in need.files if name.startswith("vectors/")]


@pytest.mark.parametrize(
    ("query", "options", "strategy"),
    [
        ("ship", {}, "bm25"),
        ("ship ocean", {}, "bm25"),
        ('"sails over the ocean"', {}, "bm25"),
        ("ship OR bread here", {}, "bm25"),
        ("ship over the ocean", {}, "rag"),
        (BY_MEANING, {}, "rag"),
        ("ship", {"strategy": "rag"}, "rag"),
        ("ship", {"strategy": "vector"}, "vector"),
        (BY_MEANING, {"strategy": "vector"}, "vector"),
        (BY_MEANING, {"strategy": "bm25"}, "bm25"),
        (BY_MEANING, {"exact": True}, "bm25"),
        (BY_MEANING, {"exact": True, "strategy": "vector"}, "vector"),
        (BY_MEANING, {"match": "text"}, "bm25"),
        (BY_MEANING, {"match": "substring"}, "bm25"),
        (BY_MEANING, {"typing": True}, "bm25"),
        (BY_MEANING, {"prefix": True}, "rag"),
        ("repair the motor - of an automobile", {}, "rag"),  # a hyphen by itself excludes nothing
        (BY_MEANING, {"preset": "desktop"}, "rag"),
        (BY_MEANING, {"preset": "brain"}, "rag"),
        (BY_MEANING, {"preset": "vault"}, "rag"),
        ("ship", {"preset": "vault"}, "rag"),  # [004]: the leg runs in every preset that has it
        ("#garage motor of a vehicle", {"preset": "vault"}, "bm25"),  # … but a tag forces words
        (BY_MEANING, {"preset": "wiki"}, "bm25"),
        (BY_MEANING, {"preset": "tasks"}, "bm25"),
    ],
)
def test_strategies_that_use_vectors(library: Library, query: str, options: dict[str, Any], strategy: str) -> None:
    """Q2, Q3, Q4, L3: by intent, by option and by preset; otherwise no vector file is fetched."""
    result, files = ask(library, query, **options)
    assert result.strategy == strategy
    assert bool(files) is (strategy in ("rag", "vector"))
    assert ("vector" in legs(result)) <= (strategy in ("rag", "vector"))
    if strategy == "vector":
        assert legs(result) == {"vector"}
    assert "no-vectors" not in codes(result)


@pytest.mark.parametrize(
    "signs", ["- {}", "## {}", "> * {}", "`{}", "\n{}\u200b?", "\ufeff{}", "\xad{}", "({})", "**{}", "{};", "[{}]"]
)
@pytest.mark.parametrize("query", ["ship ocean", "pastry chef, makes sugary dessert"])
def test_signs_of_copied_text_change_nothing(library: Library, query: str, signs: str) -> None:
    """Q1, Q2, I4: of Markdown, brackets, and characters that nobody sees; the model has other tokens for `(ship` and `ship`."""
    plain, signed = library.search(query, explain=True), library.search(signs.format(query), explain=True)
    assert plain.strategy == signed.strategy
    assert [(hit.path, hit.score) for hit in signed.hits] == [(hit.path, hit.score) for hit in plain.hits]


def test_dots_and_signs_of_names_count_for_meaning(library: Library) -> None:
    """I4: `.NET`, `C++`, `C#` and `well-known` are words of their own."""
    for name, word in ((".ship", "ship"), ("ship#", "ship"), ("ship+", "ship"), ("ship-ocean", "ship ocean")):
        results = [library.search(query, strategy="vector", explain=True) for query in (f"a {name}, sea", f"a {word} sea")]
        assert results[0].hits[0].score != results[1].hits[0].score


@pytest.mark.parametrize("match", ["text", "substring"])
def test_match_modes_exclude_vectors(library: Library, match: str) -> None:
    """Q4: with a notice if both are requested."""
    result = library.search("ship", match=match, strategy="vector")
    assert (paths(result), codes(result), result.strategy) == (["sea.md"], ["no-vectors"], "bm25")


def test_vector_hits_have_low_confidence_and_a_notice(library: Library) -> None:
    """L3, P1, R6."""
    result = library.search(BY_MEANING)
    assert codes(result) == ["near"]
    hit = result.hits[0]
    assert (hit.path, hit.coverage, hit.matched_in) == ("sea.md", "none", ("vector",))
    assert {hit.level for hit in result.hits} == {"noise"}
    assert "<mark>" not in hit.title_highlight
    assert {other.coverage for other in result.hits} == {"none"}
    assert not result.unsettled
    assert not result.truncated


@pytest.mark.parametrize(("query", "notices"), [("ship over the ocean", []), ("ship with a purple giraffe", ["little"])])
def test_word_hits_rank_above_vector_hits(library: Library, query: str, notices: list[str]) -> None:
    """P1: and have no notice that they are only near."""
    result = library.search(query)
    assert (paths(result)[0], codes(result)) == ("sea.md", notices)
    assert result.hits[0].coverage == ("some" if notices else "all")
    assert {"page", "vector"} <= {*result.hits[0].matched_in}
    order = ["all", "some", "none"]
    results = [order.index(hit.coverage) for hit in result.hits]
    assert results[0] == min(results)


def test_vector_search_without_a_near_chunk_is_empty(library: Library) -> None:
    """L3: without a notice."""
    result = library.search("zzyzx qwrtp xkcdq", preset="brain", min_confidence=0)
    assert (result.hits, codes(result)) == ((), [])


@pytest.mark.parametrize(("cosine", "result"), [(0.0, True), (1.0, False)])
def test_unknown_words_need_a_higher_cosine(library: Library, cosine: float, result: bool) -> None:
    """L3: gibberish is near to some chunk; if no word is found, the threshold is `threshold_without_words`."""
    stages = preset("default")
    legs = tuple(replace(leg, threshold_without_words=cosine) if isinstance(leg, VectorLeg) else leg for leg in stages.legs)
    library.engine._presets["default"] = replace(stages, legs=legs)
    assert bool(library.search(BY_MEANING, min_confidence=0).hits) is result
    assert library.search(BY_MEANING, min_confidence=0, strategy="vector").hits  # strategy vector has one threshold


@pytest.mark.parametrize("query", ["xyzzyplugh frobnicate quux", "asdf qwer zxcv", "hjkl vbnm poiu"])
def test_gibberish_finds_nothing(library: Library, query: str) -> None:
    """Although some chunk is near."""
    stages = preset("default")
    for threshold in (0.2, 1e-6):  # the model spells these words in pieces, so no cosine is enough
        legs = tuple(
            replace(leg, threshold=-1.0, threshold_without_words=threshold) if isinstance(leg, VectorLeg) else leg
            for leg in stages.legs
        )
        library.engine._presets["default"] = replace(stages, legs=legs)
        result = library.search(query, min_confidence=0)
        assert (result.hits, codes(result)) == ((), [])
    assert library.search(BY_MEANING, min_confidence=0).hits


def vector_share(library: Library, query: str, **numbers: float) -> float:
    """Return the best hit's share of the score by meaning, with other numbers of the leg."""
    stages = preset("default")
    legs = tuple(replace(leg, **numbers) if isinstance(leg, VectorLeg) else leg for leg in stages.legs)
    library.engine._presets["default"] = replace(stages, legs=legs)
    result = library.search(query, explain=True, strategy="rag").hits[0].explain
    assert result is not None
    return next(leg.rrf for leg in result.legs if leg.leg == "vector")


def sentence(library: Library) -> str:
    return library.retrieve("ship", strategy="bm25").chunks[0].content.split(".")[0]


def test_sentence_of_a_page_reduces_the_vector_weight(library: Library) -> None:
    """F1: if a chunk has all of four words or more, the weight of the cosine is multiplied by `quotation_factor`."""
    body = sentence(library)
    assert len(body.split()) > 4
    half, whole = (vector_share(library, body, quotation_factor=factor) for factor in (0.5, 1.0))
    assert half == pytest.approx(whole / 2)


def test_words_of_several_sections_are_no_quotation(tmp_path: Path) -> None:
    """F1: a long page has the words of any question."""
    sections = ("## Sails\n\nThe ship sails.", "## Bread\n\nThe baker makes bread.", "## Garage\n\nThey repair the motor.")
    site = build_tree(tmp_path, {"everything.md": "# Everything\n\n" + "\n\n".join(sections)}, vectors=True)
    with ranvier.open_snapshot(site) as library:
        shares = [vector_share(library, "ship baker bread motor", quotation_factor=factor) for factor in (0.5, 1.0)]
        assert shares[0] == shares[1]


@pytest.mark.parametrize(
    ("query", "gains"),
    [
        ("how does the ship travel", True),
        ("how does the ship_travel", False),  # an identifier
        ("how does the shipTravel over the ocean", False),
        ("ship one two three four five six seven eight nine", False),  # a long query
    ],
)
def test_lead_counts_in_short_questions(library: Library, query: str, gains: bool) -> None:
    """F1: the additional weight of the nearest pages."""
    for numbers in ({}, {"lead": 0.5}):  # without numbers, those of the preset
        assert (vector_share(library, query, **numbers) > vector_share(library, query, lead=0.0)) == gains


def test_lead_does_not_count_if_a_chunk_has_three_words(library: Library) -> None:
    """F1: it answers by its words."""
    body = sentence(library)
    assert vector_share(library, body, lead=0.5) == vector_share(library, body, lead=0.0)


@pytest.mark.parametrize("quoted", ['"ship over the ocean"', "“ship over the ocean”", "„ship over the ocean“"])
def test_quoted_query_is_searched_by_words(library: Library, quoted: str) -> None:
    """Q2: with typographic quotes, too."""
    result = library.search(quoted)
    assert (result.intent, result.strategy) == ("keyword", "bm25")


def test_strategy_vector_has_no_notice(library: Library) -> None:
    """Q3."""
    assert codes(library.search(BY_MEANING, strategy="vector")) == []
    assert codes(library.search("ship", strategy="vector")) == []


@pytest.mark.parametrize(
    ("query", "options", "unsettled"),
    [
        (BY_MEANING, {}, True),
        ("ship over the ocean", {}, True),
        ("ship over the ocean", {"prefix": True}, True),
        ("ship", {"strategy": "rag"}, True),
        ("ship", {}, False),
        ("ship oce", {"prefix": True}, False),
        (BY_MEANING, {"exact": True}, False),
        (BY_MEANING, {"match": "text"}, False),
        (BY_MEANING, {"match": "substring"}, False),
        (BY_MEANING, {"strategy": "bm25"}, False),
        (BY_MEANING, {"strategy": "vector"}, False),  # the only leg does not wait
        (BY_MEANING, {"preset": "wiki"}, False),
        ("", {}, False),
        ("?!", {}, False),
    ],
)
def test_typing_uses_words_and_marks_unsettled_results(
    library: Library, query: str, options: dict[str, Any], unsettled: bool
) -> None:
    """Q3: `unsettled` is true if vectors would be used after a pause."""
    result, files = ask(library, query, typing=True, **options)
    assert result.unsettled is unsettled
    settled, more = ask(library, query, **options)
    assert not settled.unsettled
    if unsettled:
        assert files == []
        assert more
        assert (result.strategy, settled.strategy) == ("bm25", "rag")
        assert result.hits == library.search(query, **options | {"strategy": "bm25"}).hits
        assert "near" not in codes(result)
    else:
        assert result.hits == settled.hits
        assert codes(result) == codes(settled)


def test_typing_without_vectors_is_settled(library: Library) -> None:
    """Q3."""
    library.engine.snapshot.manifest = library.engine.snapshot.manifest.__class__(
        **{name: getattr(library.engine.snapshot.manifest, name) for name in library.engine.snapshot.manifest.__slots__}
        | {"vectors": None}
    )
    result = library.search("ship over the ocean", typing=True)
    assert (result.unsettled, result.strategy, codes(result)) == (False, "bm25", [])


@pytest.mark.parametrize("preset", ["default", "desktop", "brain", "vault"])
def test_vector_search_shows_visible_pages_only(library: Library, preset: str) -> None:
    """A5."""
    stages = library.engine.preset(preset)
    low, retrieve = (
        tuple(replace(leg, threshold=0.05, threshold_without_words=0.0) if isinstance(leg, VectorLeg) else leg for leg in legs)
        for legs in (stages.legs, stages.retrieve)
    )
    library.engine._presets[preset] = replace(stages, legs=low, retrieve=retrieve)
    for strategy in ("rag", "vector"):
        options: dict[str, Any] = {"preset": preset, "strategy": strategy}
        visible = library.search(PRIVATE_QUERY, caller=Caller("curator"), min_confidence=0, **options)
        assert "secret.md" in paths(visible), strategy
        chunks = library.retrieve(PRIVATE_QUERY, caller=Caller("curator"), **options).chunks
        assert "secret.md" in {chunk.neuron_path for chunk in chunks}
        for audience in ("public", "tool"):
            result_for_audience = library.search(PRIVATE_QUERY, caller=Caller(audience), min_confidence=0, **options)
            assert "secret.md" not in paths(result_for_audience)
            assert {*paths(result_for_audience)} == {*paths(visible)} - {"secret.md"}
            passages = library.retrieve(PRIVATE_QUERY, caller=Caller(audience), **options)
            assert "secret.md" not in {chunk.neuron_path for chunk in passages.chunks}
            assert "confectioner" not in passages.formatted_context


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"path": "music"}, {"music/piano.md", "music/drum.md"}),
        ({"tags": ["garage"]}, {"car.md"}),
        ({"ancestor": "music/piano.md"}, {"music/piano.md"}),
        ({"item": "law.md"}, {"law.md"}),
        ({"item": "nowhere"}, set()),
    ],
)
def test_scope_limits_vector_search(library: Library, options: dict[str, Any], expected: set[str]) -> None:
    """S1, L3."""
    result = library.search("a melody for the orchestra", strategy="vector", **options)
    assert {*paths(result)} <= expected
    if "music/piano.md" in expected:
        assert paths(result)[0] == "music/piano.md"


@pytest.mark.parametrize("preset", ["default", "desktop", "brain", "vault"])
def test_retrieve_by_vectors(library: Library, preset: str) -> None:
    """P2, L3: the chunk itself, with its heading."""
    result = library.retrieve("hurricane and thunder weather", preset=preset, strategy="vector", top_k=1)
    assert [(chunk.neuron_path, chunk.anchor) for chunk in result.chunks] == [("sea.md", "storm")]
    assert "Strong wind" in result.formatted_context


def test_vector_hit_has_the_snippet_of_its_nearest_chunk(library: Library) -> None:
    """F1, P1: without marks."""
    hit = library.search("hurricane and thunder weather", strategy="vector").hits[0]
    assert (hit.path, hit.anchor, hit.snippet) == ("sea.md", "storm", "Strong wind and rain on the coast.")


def test_explain_of_a_vector_hit(library: Library) -> None:
    """P3: the cosine, its rank, and its share."""
    hit = library.search(BY_MEANING, explain=True).hits[0]
    assert hit.explain is not None
    (leg,) = hit.explain.legs
    assert (leg.leg, leg.rank) == ("vector", 1)
    assert 0.1 < leg.raw < 1
    assert leg.rrf == hit.explain.base_score


def test_vector_search_does_not_depend_on_earlier_fetches(library: Library, semantic_site: Path) -> None:
    """B1."""
    results = [library.search(query, explain=True) for query in (BY_MEANING, PRIVATE_QUERY, "ship over the ocean")]
    with ranvier.open_snapshot(semantic_site) as other:
        for query, result in zip(("ship over the ocean", PRIVATE_QUERY, BY_MEANING), reversed(results), strict=True):
            assert other.search(query, explain=True).hits == result.hits


@pytest.mark.parametrize(
    ("query", "strategy"),
    [
        ("repair the motor of a car -automobile", "rag"),
        ("repair the motor of a car -automobile", "vector"),
        ("repair NOT automobile", "rag"),
        ("repair NOT automobile", "vector"),
        ("fix OR (motor NOT automobile)", "rag"),
        ("fix OR (motor NOT automobile)", "vector"),
        ('fix the motor of a vehicle -"an automobile" now', "auto"),
    ],
)
def test_excluded_words_exclude_vector_hits(library: Library, query: str, strategy: str) -> None:
    """Q5, L3."""
    assert "car.md" not in paths(library.search(query, strategy=strategy))


def test_query_with_exclusions_is_searched_by_words(library: Library) -> None:
    """Q2, Q5: unless a strategy is set."""
    for query in ("repair the motor of a car -automobile", "repair the motor NOT automobile"):
        result = library.search(query)
        assert (result.strategy, paths(result)) == ("bm25", [])


def test_rounds_of_vector_searches(semantic_site: Path) -> None:
    """B2: three the first time, two at most later, in addition to those of words."""
    with ranvier.open_snapshot(semantic_site) as fresh:
        for query, max_rounds in ((BY_MEANING, 3), ("a melody for the orchestra", 1), ("hurricane and thunder weather", 1)):
            words = drive(fresh.engine.search(SearchRequest(query, typing=True)), fresh.source)[1]
            both: list[Need] = drive(fresh.engine.search(SearchRequest(query)), fresh.source)[1]
            rounds = [need for need in both if need.files[0].startswith("vectors/")]
            assert len(rounds) <= max_rounds, query
            assert all(name.startswith("vectors/") for need in rounds for name in need.files)
            assert len(both) - len(rounds) <= len(words) + 2


def test_vector_hits_of_the_vault_have_no_notice_about_words(library: Library) -> None:
    """L3, [004]."""
    words = library.search("ship over the ocean", preset="vault", strategy="bm25")
    assert codes(library.search("ship over the ocean", preset="vault")) == codes(words) == []


def test_corrected_query_is_used_for_vectors(library: Library) -> None:
    """Q7, L3."""
    result = library.search("a pianst plays a sonata")
    assert codes(result) == ["corrected"]
    assert result.hits == library.search("a pianist plays a sonata").hits


def test_word_of_the_model_is_corrected_only_if_a_page_then_has_every_word(tmp_path: Path) -> None:
    """Q7: `data` is a word, also on a site that has only `date`; so the answer does not depend on whether the reader types."""
    files = {"year.md": "# Calendar\n\nThe calendar of a year has every date.\n", "ice.md": "# Ice\n\nA glacier.\n"}
    site = build_tree(tmp_path, files, vectors=True)
    with ranvier.open_snapshot(site) as library:
        for typing in (False, True):
            assert "corrected" not in codes(library.search("is data of glaciers in the calendar", typing=typing))
        assert "corrected" in codes(library.search("is dste of glaciers in the calendar"))
        assert "corrected" in codes(library.search("is data of a year in the calendar"))

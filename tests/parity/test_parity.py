"""B1: the browser and the server give the same hits, order, highlights and scores, on real sites in a real browser."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from parity.compare import Sides, compare, in_browser, open_both_sides, plain
from parity.harbour import TEXTS
from playwright.sync_api import Browser
from ranvier.bridge import camel
from ranvier.presets import NAMES
from ranvier.requests import FACETS, MATCHES, SORTS, STRATEGIES
from support.engine_parts import LINKED
from support.queries import Question, by_hand, generated_queries, retrievals, searches
from support.sites import EXAMPLE

pytestmark = pytest.mark.timeout(600)  # thousands of queries: minutes on a busy machine
MIN_COUNT = 36


@pytest.fixture(scope="module")
def manual(full_chromium: Browser, example_site: Path) -> Iterator[Sides]:
    """The manual, open on both sides."""
    with open_both_sides(full_chromium, example_site, EXAMPLE / "content") as sides:
        yield sides


@pytest.fixture(scope="module")
def languages(full_chromium: Browser, harbour_site: Path) -> Iterator[Sides]:
    """A site in ten languages, open on both sides."""
    with open_both_sides(full_chromium, harbour_site, harbour_site.parent / "content") as sides:
        yield sides


def manual_searches(manual: Sides) -> list[Question]:
    """Return every query by hand without options, half of them as prefixes; then these and more, with options."""
    simple = [Question("search", query, {"limit": 20, "prefix": bool(at % 2)}) for at, query in enumerate(by_hand())]
    return [*simple, *searches([*by_hand(), *generated_queries(manual.content, 250)], manual.library, 1)]


def language_searches(languages: Sides) -> list[Question]:
    """Return every query by hand and more, with options; and filters in the preset that guarantees their pages (L6)."""
    queries = [*by_hand(), *generated_queries(languages.content, 200, overlapping=True)]
    guaranteed = ("#sea tides", "[[Lighthouse]] boats", "#sea/harbour", "time:2026-02-01..2026-05-30 ship", "[[港]] #light 船")
    filters = [Question("search", query, {"preset": "vault", "explain": True}) for query in guaranteed]
    return [*filters, *searches(queries, languages.library, 2)]


def test_same_answers_on_the_manual(manual: Sides) -> None:
    """Ids, order, highlights, scores, notices, totals, facets, confidence, explanations and errors."""
    assert manual.differences(manual_searches(manual)) == {}
    assert manual.tab.page.workers[-1].evaluate(LINKED) == 0


def test_same_answers_in_ten_languages(languages: Sides) -> None:
    """The same with stemmers, scripts, dates, shared notes, pins, synonyms and segments."""
    assert languages.differences(language_searches(languages)) == {}
    assert languages.tab.page.workers[-1].evaluate(LINKED) == 0


def test_text_of_a_page_finds_it_in_each_language(languages: Sides) -> None:
    """I2, X2: also a long text without blanks; a scan of the texts would hide an error."""
    texts = {title: text for pages in TEXTS.values() for title, text in pages.items()}
    questions = [Question("search", text, {"limit": 4}) for text in texts.values()]
    for title, answer in zip(texts, languages.expected(questions), strict=True):
        assert title in [hit["title"] for hit in answer["done"]["hits"]]  # some have half the weight of others
        assert "scanned" not in [notice["code"] for notice in answer["done"]["notices"]]
    assert languages.differences(questions) == {}


SEMANTIC_QUERIES = (
    *("how do I keep a page off the web", "what does it cost a visitor to download", "where does the text of a hit come from"),
    *("a reader without a mouse", "my notes in the folder of an app", "can it be used with no connection at all"),
    *(
        "who may see what",
        "make the colours of the page my own",
        "why is this page ranked before that one",
        "café zum ersten Mal",
    ),
    *("find a picture by the words in it", "stop the machine when something is wrong", "naïve ☕ 東京 сколько стоит поиск"),
)


def test_same_vector_hits(manual: Sides) -> None:
    """B1: cosines, order and fused scores are equal in every preset with vectors."""
    presets = ("default", "desktop", "brain", "vault")
    kinds = [*(("default", strategy) for strategy in ("auto", "rag", "vector")), *((preset, "auto") for preset in presets[1:])]
    options = [{"preset": preset, "strategy": strategy, "explain": True} for preset, strategy in kinds]
    questions = [Question("search", query, {"limit": 50} | option) for query in SEMANTIC_QUERIES for option in options]
    questions += [Question("retrieve", query, {"preset": preset}) for query in SEMANTIC_QUERIES for preset in presets]
    assert manual.differences(questions) == {}
    assert manual.tab.page.workers[-1].evaluate(LINKED) == 0
    for question, answer in zip(questions, manual.expected(questions), strict=True):
        if question.method == "search" and question.query.isascii():
            legs = {leg for hit in answer["done"]["hits"] for leg in hit["matchedIn"]}
            assert "vector" in legs, question


def test_same_context_for_a_language_model(manual: Sides) -> None:
    """P2: within the limit on both sides."""
    questions = list(retrievals([*by_hand()[::2], *generated_queries(manual.content, 60)], manual.library, 3))
    assert manual.differences(questions) == {}
    done = [
        (question, answer["done"])
        for question, answer in zip(questions, manual.expected(questions), strict=True)
        if "done" in answer
    ]
    assert len(done) > 100
    assert all(answer["totalChars"] <= question.options["max_chars"] for question, answer in done)


def test_same_context_in_ten_languages(languages: Sides) -> None:
    """P2: with filters that guarantee pages, notes, and languages."""
    queries = [*by_hand()[1::2], *generated_queries(languages.content, 60, overlapping=True)]
    assert languages.differences(list(retrievals(queries, languages.library, 4))) == {}


@pytest.mark.parametrize("site", ["manual", "languages"])
def test_same_backlinks(site: str, request: pytest.FixtureRequest) -> None:
    """S2: by id, path, address and title, and of unknown pages."""
    sides: Sides = request.getfixturevalue(site)
    pages = sides.library.search("", return_all=True).hits
    names = [name for hit in pages for name in (hit.id, hit.path, hit.slug, hit.title)]
    questions = [Question("backlinks", name, {}) for name in dict.fromkeys([*names, "", "nowhere", "[[x]]", "\x00"])]
    assert sides.differences(questions) == {}
    assert any(answer["done"] for answer in sides.expected(questions))


def test_same_pages(manual: Sides) -> None:
    """P4: pages of any size join to the whole list on both sides."""
    whole = plain(manual.library.search("search", limit=100))["hits"]
    assert len(whole) > 10
    offset, pages = 0, []
    while offset is not None:
        answer = manual.tab.ask("search", "search", limit=7, offset=offset)["done"]
        pages += answer["hits"]
        offset = answer["nextOffset"]
    assert compare(whole, pages) == []


REFUSED: list[dict[str, object]] = [
    *({"limit": value} for value in (0, -1, 1.5, "many", True)),
    *({name: value} for name in ("offset", "candidates") for value in (-1, "x")),
    *({name: "yes"} for name in ("prefix", "exact", "explain", "return_all", "strategy", "match", "sort", "facets", "preset")),
    *({"min_confidence": value} for value in (-0.1, 1.1, "high", True)),
    *({name: [1]} for name in ("tags", "role", "kind", "modality", "lang", "path", "titles", "ancestor", "item", "time")),
    *({name: 1} for name in ("limt", "minConfidnce", "snippet", "top_k", "")),
    *({"preset": name} for name in ("vaults", "Default")),
]


def test_same_errors_for_invalid_requests(manual: Sides) -> None:
    """With the same text and the same suggested name, in the naming style of each language."""
    questions = [Question("search", "search", options) for options in REFUSED]
    answers = in_browser(manual.tab, questions)
    for question, expected, answer in zip(questions, manual.expected(questions), answers, strict=True):
        assert answer["code"] == expected["code"] == "request", question
        if "top_k" not in question.options:
            assert answer["message"] == in_camel(expected["message"]).replace(" caller,", ""), question


def in_camel(message: str) -> str:
    return re.sub(r"\b[a-z]+_[a-z]+\b", lambda name: camel(name[0]), message)


def test_enough_queries_are_compared(manual: Sides, languages: Sides) -> None:
    """More than a thousand queries, and every value of every option often."""
    requests = [*manual_searches(manual), *language_searches(languages)]
    assert len(requests) >= 1000
    assert len({question.query for question in requests}) >= 700
    counts = _options(requests)
    for name, values in {"preset": NAMES, "strategy": STRATEGIES, "match": MATCHES, "sort": SORTS, "facets": FACETS}.items():
        assert all(counts[name, value] >= MIN_COUNT for value in values), (name, counts)
    flags = ("prefix", "return_all", "exact", "explain", "offset", "candidates", "min_confidence", "page_lang")
    scope = ("ancestor", "item", "tags", "role", "kind", "modality", "lang", "path", "titles", "time")
    assert all(counts[name, None] >= MIN_COUNT for name in (*flags, *scope)), counts


def test_compared_answers_are_not_empty(manual: Sides, languages: Sides) -> None:
    """Every leg, level and notice is among them, and errors."""
    answers = [*manual.expected(manual_searches(manual)), *languages.expected(language_searches(languages))]
    results = [answer["done"] for answer in answers if "done" in answer]
    assert len(results) < len(answers), "a substring search for a word that is too short is refused"
    hits = [hit for done in results for hit in done["hits"]]
    assert len(hits) > 5000
    codes = {notice["code"] for done in results for notice in done["notices"]}
    assert codes >= {"corrected", "some-words", "unknown-filter", "no-vectors", "literal", "only-not", "clamped", "bad-time"}
    legs = {leg for hit in hits for leg in hit["matchedIn"]}
    assert legs >= {"page", "section", "pairs", "substring", "text", "bm25", "trigram", "lexical", "note"}, legs
    assert {hit["level"] for hit in hits} >= {"high", "medium", "low"}
    assert {hit["matchType"] for hit in hits} >= {"", "title", "tag", "time", "filter"}


def _options(questions: Sequence[Question]) -> Counter[tuple[str, object]]:
    counts: Counter[tuple[str, object]] = Counter()
    for question in questions:
        for name, value in question.options.items():
            counts[name, None] += bool(value)
            counts.update((name, item) for item in (value if isinstance(value, list) else [value]))
        counts["preset", "default"] += "preset" not in question.options
    return counts


def test_comparison_finds_differences() -> None:
    """The comparison itself works."""
    first = {"hits": [{"id": "a", "score": 1.0, "snippet": "x"}], "timing": 1}
    assert compare(first, {"hits": [{"id": "a", "score": 1.0 + 1e-12, "snippet": "x"}], "timing": 2}) == []
    assert compare(first, {"hits": [{"id": "a", "score": 1.0 + 1e-6, "snippet": "x"}], "timing": 1})
    assert compare(first, {"hits": [{"id": "b", "score": 1.0, "snippet": "x"}], "timing": 1})
    assert compare(first, {"hits": [], "timing": 1})
    assert compare(first, {"name": "RanvierError"})

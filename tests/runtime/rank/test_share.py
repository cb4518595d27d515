"""Whether the best hits are likely to be an answer: words must stand together (R6)."""

import pytest
from ranvier import Library
from ranvier.query.scope import ScopeFilter
from ranvier.query.syntax import Understanding
from ranvier.query.understand import QueryReader
from ranvier.rank.candidate import Candidate
from ranvier.rank.share import lacks_answer, typical_sum
from ranvier.requests import SearchRequest
from ranvier.types import Ranking
from support.content import build_tree, drive
from support.shared import library_fixture

TABLE = "\n".join(f"| {word} | a picture of something that is called {word} |" for word in (
    "cook", "apple", "bicycle", "candle", "donkey", "engine", "feather", "guitar", "hammer", "island", "jacket", "kettle",
    "lantern", "mirror", "needle", "orange", "pencil", "rocket", "saddle", "rice",
))  # fmt: skip
LONG = "\n\n".join("It is a bird that lives in many places of the world, near water. " * 5 for _ in range(5))
PAGES: dict[str, str | bytes] = {
    "table.md": f"# Pictures\n\n| word | picture |\n| --- | --- |\n{TABLE}\n",
    "heron.md": "# Heron\n\nA bird with long legs.\n\n## Food\n\nIt eats fish in the morning.\n",
    "stork.md": f"# Stork\n\n## Flight\n\nOn the wind.\n\n## Range\n\n{LONG}\n\n## Nesting\n\nIt lays eggs.\n",
    "settings.md": "# Settings\n\nThe environment of a nest.\n",
    "note.md": "---\nuser_note: walrus tusk\nuser_note_shared: true\n---\n# Seals\n\nThey bark.\n",
}
library = library_fixture(build_tree, PAGES)


@pytest.mark.parametrize(
    ("query", "is_weak"),
    [
        ("cook rice", True),  # in distant rows of the table
        ("kettle lantern", False),  # in rows beside each other
        ("heron fish", False),  # in the title, and in a section
        ("heron food", False),  # in the title, and in a heading
        ("flight nesting", False),  # in two headings, far from each other
        ("wind eggs", True),  # in the texts of these sections
        ("env nest", False),  # by a synonym
        ("walrus tusk", False),  # in a note
        ("cook", False),
        ("cook OR rice", False),
    ],
)
def test_two_words_must_stand_in_one_chunk(library: Library, query: str, is_weak: bool) -> None:
    result = library.search(query)
    assert result.hits
    assert ("little" in [notice.code for notice in result.notices]) is is_weak
    assert all((hit.level == "noise") is is_weak for hit in result.hits)


def test_two_words_need_not_stand_together_while_the_second_one_begins(library: Library) -> None:
    """The notice does not come with the first letters of a word."""
    assert not library.search("cook ri", prefix=True).notices
    assert [notice.code for notice in library.search("cook rice", prefix=True).notices] == ["little"]


@pytest.mark.parametrize(("cosine", "is_weak"), [(None, False), (0.1, True), (0.34, True), (0.4, False), (0.5, False)])
def test_three_distant_words_are_little_if_meaning_is_far(library: Library, cosine: float | None, is_weak: bool) -> None:
    query = QueryReader(("en",), {}).understand(SearchRequest("bicycle pencil rice"), Understanding())
    hits = [Candidate(neuron, neuron, tier=0) for neuron in range(1, library.engine.snapshot.manifest.neuron_count + 1)]
    steps = lacks_answer(library.engine.snapshot, query, ScopeFilter(), hits, cosine)
    assert drive(steps, library.source)[0] is is_weak


def test_near_meaning_is_an_answer_although_words_are_missing(library: Library) -> None:
    query = QueryReader(("en",), {}).understand(SearchRequest("zebras quaggas rice"), Understanding())
    hits = [Candidate(1, 1, tier=2)]
    answers = [
        drive(lacks_answer(library.engine.snapshot, query, ScopeFilter(), hits, cosine), library.source)[0]
        for cosine in (None, 0.4, 0.5)
    ]
    assert answers == [True, True, False]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("heron", 1.386294),  # on one of five pages: log(1 + 4.5 / 1.5)
        ("about the heron", 1.386294),  # stop words add nothing
        ("heron quagga", 3.871201),  # a word of no page: log(1 + 5.5 / 0.5)
        (" ".join(f"quagga{number}" for number in range(9)), 1.0),  # a page seldom has all words of a long question
    ],
)
def test_typical_sum_is_that_of_a_page_with_each_word(library: Library, query: str, expected: float) -> None:
    """F1."""
    parsed = QueryReader(("en",), {}).understand(SearchRequest(query), Understanding())
    lists = Ranking("page", (), False), Ranking("section", (), True, 0.5), Ranking("vector", (), True, semantic=True)
    sums = [drive(typical_sum(library.engine.snapshot, parsed, rankings), library.source)[0] for rankings in (lists[:1], lists)]
    assert sums == pytest.approx([expected, expected * 1.5 if expected > 1 else 1.0], abs=1e-5)

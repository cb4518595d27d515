"""B4, B7: suggestions in their order, from checked files."""

import subprocess
import sys
from collections.abc import Callable, Mapping

import pytest
from ranvier import FetchError, FormatError, IntegrityError
from ranvier.store.format import deflate, digest, inflate
from ranvier.store.titles import ALIAS, HEADING, TAG, TITLE, Name, TitleNames, slug
from ranvier.suggest import MAX_LIMIT, Suggester, Suggestion, ranked, select
from ranvier.text.keys import keys, units
from ranvier.types import Need
from ranvier_builder.write.titles import files
from support.content import drive


def names(*result: Name, numbers: tuple[int, ...] = ()) -> TitleNames:
    pages = sum(name.kind == TITLE for name in result)
    urls = tuple(f"p{page}/" for page in range(pages))
    return TitleNames(numbers or tuple(range(pages)), urls, result, tuple(keys([name.text for name in result])))


def titled(*titles: str) -> tuple[Name, ...]:
    return tuple(Name(TITLE, page, title) for page, title in enumerate(titles))


def texts_of(result: TitleNames, query: str) -> list[str]:
    return [result.names[row].text for row in ranked(result, units(query))]


class Files:
    """Files by their names, as a host has them; requests are recorded."""

    def __init__(self, contents: list[bytes]) -> None:
        self.files = {f"titles/{digest(data).hex()}.bin": data for data in contents}
        self.root = digest(contents[0])
        self.requests: list[str] = []
        self.suggester = Suggester(self.root)

    def answer(self, need: Need) -> dict[str, bytes]:
        self.requests += need.files
        return {name: self.files[name] for name in need.files if name in self.files}

    def suggest(self, query: str, limit: int = 8) -> tuple[Suggestion, ...]:
        results: tuple[Suggestion, ...] = drive(self.suggester.suggest(query, limit), self)[0]
        return results


EVERY_TIER = names(
    *titled("Zebra", "Sea map", "Sea", "The sea", "Sea and shore", "Options", "Deep"),
    *(Name(ALIAS, 0, "Sea"), Name(ALIAS, 0, "Sea chart"), Name(ALIAS, 5, "Old sea")),
    *(Name(HEADING, 5, "A sea"), Name(HEADING, 5, "Sea level"), Name(HEADING, 6, "Sea")),
    *(Name(TAG, 6, "sea"), Name(TAG, 6, "seaside"), Name(TAG, 4, "deep sea")),
)


def test_order_of_suggestions() -> None:
    result = ranked(EVERY_TIER, ["sea"])
    assert [(EVERY_TIER.names[row].kind, EVERY_TIER.names[row].text) for row in result] == [
        (TITLE, "Sea"),
        (ALIAS, "Sea"),
        (TITLE, "Sea map"),
        (TITLE, "Sea and shore"),
        (TITLE, "The sea"),
        (ALIAS, "Sea chart"),
        (ALIAS, "Old sea"),
        (HEADING, "Sea"),
        (HEADING, "Sea level"),
        (HEADING, "A sea"),
        (TAG, "sea"),
        (TAG, "deep sea"),
        (TAG, "seaside"),
    ]


def test_names_with_the_whole_word_come_before_names_with_a_longer_word() -> None:
    """B4: of each kind; a part that begins at a hump is a whole word."""
    result = names(
        *titled("Markdown", "How to mark", "Markup", "userMark", "Marks and more"),
        *(Name(HEADING, 4, "Markers"), Name(HEADING, 4, "A mark"), Name(HEADING, 1, "Mark of a page")),
    )
    whole, longer = ["userMark", "How to mark"], ["Markup", "Markdown", "Marks and more"]
    assert texts_of(result, "mark") == [*whole, *longer, "Mark of a page", "A mark", "Markers"]
    assert texts_of(result, "to mark") == ["How to mark", "Mark of a page"]


def test_shorter_names_then_earlier_pages_come_first() -> None:
    result = names(*titled("Port b", "Port a", "Port", "Port aa"), numbers=(7, 3, 9, 1))
    assert texts_of(result, "po") == ["Port", "Port a", "Port b", "Port aa"]
    same = names(*titled("Port", "Port"), numbers=(7, 3))
    assert ranked(same, ["port"]) == [1, 0]


@pytest.mark.parametrize(
    ("query", "results"),
    [
        ("hu se", ["hugo server", "hugo.IsServer", "Server of hugo"]),
        ("server of", ["Server of hugo"]),
        ("server hugo", ["hugo server", "hugo.IsServer", "Server of hugo"]),  # no name begins with it: shorter names first
        ("SERVER, hugo!", ["hugo server", "hugo.IsServer", "Server of hugo"]),
        ("ugo", []),
        ("hugo xyz", []),
        ("is", ["hugo.IsServer"]),
    ],
)
def test_every_typed_word_begins_a_word_of_the_name(query: str, results: list[str]) -> None:
    assert texts_of(names(*titled("Server of hugo", "hugo server", "hugo.IsServer", "Zoo")), query) == results


def test_heading_matches_with_words_of_its_page_title() -> None:
    result = names(*titled("hugo server", "hugo new"), Name(HEADING, 0, "Options", "o"), Name(HEADING, 1, "Options", "o"))
    assert [result.names[row].page for row in ranked(result, units("server options"))] == [0]
    assert texts_of(result, "hugo opt") == ["Options", "Options"]
    assert texts_of(result, "hugo server") == ["hugo server"], "one word must be in the heading itself"


def test_at_most_three_suggestions_of_a_page() -> None:
    result = names(*titled("Sea", "Sea far away"), *(Name(HEADING, 0, f"Sea {n}") for n in range(6)))
    rows = ranked(result, ["sea"])
    assert [result.names[row].text for row in select(result, rows, 8)] == ["Sea", "Sea far away", "Sea 0", "Sea 1"]
    assert len(select(result, rows, 2)) == 2


def test_limits_are_clamped() -> None:
    large = Files(files(names(*titled(*(f"Sea {n}" for n in range(MAX_LIMIT + 30))))))
    assert [len(large.suggest("sea", limit)) for limit in (-1, 0, 1, 8, 10**9)] == [1, 1, 1, 8, MAX_LIMIT]


def test_fields_of_a_suggestion() -> None:
    host = Files(
        files(
            names(*titled("Home", "Sea map"), Name(HEADING, 1, "Low tide", "ebb"), Name(HEADING, 1, "High Tide", "high-tide"))
        )
    )
    assert host.suggest("tide") == (
        Suggestion("heading", ("Low ", "tide"), "Sea map", "p1/", "ebb"),
        Suggestion("heading", ("High ", "Tide"), "Sea map", "p1/", "high-tide"),
    )
    assert host.suggest("m") == (Suggestion("title", ("Sea ", "m", "ap"), "Sea map", "p1/"),)


@pytest.mark.parametrize(
    ("heading", "anchor"),
    [
        ("High Tide", "high-tide"),
        ("C++ & more!", "c-more"),
        ("Größe", "gr-e"),
        ("...", ""),
        ("\u212aelvin", "kelvin"),
        ("日本", ""),
    ],
)
def test_usual_anchor_of_a_heading(heading: str, anchor: str) -> None:
    assert slug(heading) == anchor


@pytest.mark.parametrize("anchor", ["", "x", "high-tide"])
def test_anchors_round_trip(anchor: str) -> None:
    for heading in ("High tide", "日本"):
        host = Files(files(names(*titled("A"), Name(HEADING, 0, heading, anchor))))
        assert [item.anchor for item in host.suggest(heading)] == [anchor]


@pytest.mark.parametrize("query", ["", "  ", "…", "+", "\ud800", "💥"])
def test_query_without_words_fetches_no_names(query: str) -> None:
    host = Files(files(names(*titled("A"))))
    assert (host.suggest(query), host.requests) == ((), [])


def test_site_without_names_has_no_suggestions() -> None:
    assert list(Suggester(b"").suggest("a")) == []


def test_names_file_is_fetched_once() -> None:
    host = Files(files(names(*titled("A", "B"))))
    for query in ("a", "b", "c"):
        host.suggest(query)
    assert len(host.requests) == 1


def damaged(data: bytes) -> bytes:
    return deflate(inflate("names", data).replace(b"Port", b"Fort"))


DAMAGES: dict[str, tuple[Callable[[Mapping[str, bytes]], dict[str, bytes]], type[Exception]]] = {
    "it does not come": (lambda files: {}, FetchError),
    "it is another": (lambda files: {name: damaged(data) for name, data in files.items()}, IntegrityError),
    "it is cut short": (lambda files: {name: data[:-1] for name, data in files.items()}, IntegrityError),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_names_file_is_an_error_and_is_fetched_again(damage: str) -> None:
    """X3."""
    harm, error = DAMAGES[damage]
    host = Files(files(names(*titled("Port"))))
    true, host.files = host.files, harm(host.files)
    with pytest.raises(error):
        host.suggest("port")
    host.files = true
    assert [item.title for item in host.suggest("port")] == ["Port"]


@pytest.mark.parametrize(
    "data", [b"", b"[]", b"{}", b"5", b'{"files": 1}', b'{"titles": ["a"]}', b"\xff", b'{"heads":[],"runs":[]}']
)
def test_invalid_names_file_is_an_error(data: bytes) -> None:
    with pytest.raises(FormatError):
        Files([deflate(data)]).suggest("a")


def test_root_that_names_a_root_is_an_error() -> None:
    inner = deflate(b'{"files":[],"heads":[],"runs":[]}')
    root = deflate(b'{"files":["%s"],"heads":[],"runs":["a"]}' % digest(inner).hex().encode())
    with pytest.raises(FormatError):
        Files([root, inner]).suggest("abc")
    assert Files([inner]).suggest("abc") == ()


def test_search_does_not_import_suggestions() -> None:
    modules = (
        "import ranvier.bridge, sys; print([name for name in sys.modules if name in {'ranvier.suggest', 'ranvier.text.keys'}])"
    )
    ran = subprocess.run([sys.executable, "-c", modules], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"

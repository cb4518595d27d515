"""B2, B4: the files of names for suggestions: few bytes, few requests, and the same bytes for the same pages."""

from pathlib import Path
from random import Random
from typing import Any

import pytest
from ranvier.store.format import DIGEST, digest, inflate
from ranvier.store.source import FolderSource
from ranvier.store.titles import ALIAS, HEADING, TAG, TITLE, Guide, TitleNames, read_titles
from ranvier.suggest import Suggester, Suggestion, lookup_prefix
from ranvier.text.keys import units
from ranvier_builder.model import Neuron, Page, Rendered, Section
from ranvier_builder.write import titles as titles_module
from ranvier_builder.write.titles import LONGEST, RUN, files, page_names, write_titles
from support.content import drive
from support.names import site

PAGES = site(3000)


def render_stub(number: int, title: str, *headings: tuple[int, str], **fields: Any) -> Rendered:
    page = Page(Neuron(f"p{number}.md", title, "", **fields), number, "", f"p{number}", f"p{number}/", False)
    sections = tuple(Section(f"s{at}", (text,), (level,), ()) for at, (level, text) in enumerate(headings))
    return Rendered(page, "", sections, ())


def names_of(*pages: Rendered) -> list[tuple[int, int, str]]:
    return [(name.kind, name.page, name.text) for name in page_names(pages).names]


def test_titles_aliases_headings_and_tags_are_names() -> None:
    page = render_stub(1, "Tides", (1, "One"), (2, "Two"), (3, "Three"), (4, "Four"), aliases=("Ebb",), tags=("sea/low", "Sea"))
    assert names_of(page) == [
        *((TITLE, 0, "Tides"), (ALIAS, 0, "Ebb"), (HEADING, 0, "Two"), (HEADING, 0, "Three")),
        *((TAG, 0, "Sea"), (TAG, 0, "sea/low")),
    ]


def test_label_in_menus_is_suggested_like_an_alias() -> None:
    page = render_stub(1, "Frequently asked questions", aliases=("Help",), label="FAQs")
    assert names_of(page) == [(TITLE, 0, "Frequently asked questions"), (ALIAS, 0, "Help"), (ALIAS, 0, "FAQs")]


@pytest.mark.parametrize(
    "page",
    [
        render_stub(1, "Tides", aliases=("tides", "TIDES!", "/old/tides/", "", "…")),
        render_stub(1, "Tides", label="tides"),
        render_stub(1, "Tides", (2, "Tides"), (2, "…"), (2, "")),
        render_stub(1, "Tides", tags=(" ",)),
        render_stub(1, " Tides\n {#claim-ab12cd34}"),
    ],
)
def test_repeated_and_empty_names_are_left_out(page: Rendered) -> None:
    """Former addresses are left out, too."""
    assert names_of(page) == [(TITLE, 0, "Tides")]


def test_repeated_heading_leads_to_its_first_anchor() -> None:
    result = page_names([render_stub(1, "Tides", (2, "Example"), (2, "Other"), (3, "example"))])
    assert [(name.text, name.anchor) for name in result.names] == [("Tides", ""), ("Example", "s0"), ("Other", "s1")]


@pytest.mark.parametrize(
    ("long", "cut"), [("word " * 99, f"{('word ' * 32).strip()}…"), ("x" * 999, f"{'x' * (LONGEST - 1)}…")]
)
def test_long_names_are_cut_between_words(long: str, cut: str) -> None:
    """Half a word could be the beginning of another word."""
    assert names_of(render_stub(1, long)) == [(TITLE, 0, cut)]


def test_names_file_is_deflated_json_named_by_its_digest(tmp_path: Path) -> None:
    digests, sizes = write_titles(tmp_path, [render_stub(2, "Größe", (2, "A b"), (3, "S2"))])
    (file,) = (tmp_path / "titles").iterdir()
    data = file.read_bytes()
    assert (digests, sizes, file.name) == (digest(data), [len(data)], f"{digest(data).hex()}.bin")
    assert inflate(file.name, data).decode() == (
        '{"alias_pages":[],"aliases":[],"anchors":["s0","s1"],"heading_counts":[2],"headings":["A b","S2"],"tag_pages":[],'
        '"tags":[],"titles":["Größe"],"urls":["p2/"]}'
    )


def test_no_names_file_without_pages(tmp_path: Path) -> None:
    assert write_titles(tmp_path, []) == [b"", []]
    assert not (tmp_path / "titles").exists()


def test_names_file_is_read_back() -> None:
    result = page_names(site(300))
    assert read_titles("x", inflate("x", files(result)[0])) == result


def test_names_of_a_thousand_pages_are_one_small_file() -> None:
    """B4: at most 30 kB. The generated words compress worse than real text."""
    (data,) = files(page_names(site(1000)))
    assert len(data) <= 30_000


class Host:
    """The files of names of a site."""

    def __init__(self, base: Path, pages: list[Rendered]) -> None:
        digests, self.sizes = write_titles(base, pages)
        self.base = base
        self.root = digests[:DIGEST]
        self.suggester = Suggester(self.root)
        self.guide = read_titles("root", inflate("root", (base / "titles" / f"{self.root.hex()}.bin").read_bytes()))

    def suggest(self, query: str, limit: int = 8) -> tuple[tuple[Suggestion, ...], list[str]]:
        """Answer a query; return the suggestions and the requested files."""
        result, needs = drive(self.suggester.suggest(query, limit), FolderSource(self.base))
        return result, [name for need in needs for name in need.files]


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Host:
    return Host(tmp_path_factory.mktemp("large"), PAGES)


def queries(names: TitleNames, count: int = 150) -> list[str]:
    """What readers could type: beginnings of words, one or two, of one name."""
    random, out = Random(3), []
    for _ in range(count):
        words = random.choice(names.names).text.split()
        sample = random.sample(words, min(len(words), random.randint(1, 2)))
        out.append(" ".join(word[: random.randint(1, len(word))] for word in sample))
    return out


def test_names_of_a_large_site_need_the_root_and_one_file(large: Host) -> None:
    """B2: two requests of bounded size for any query."""
    assert isinstance(large.guide, Guide)
    assert len(large.sizes) > 15
    assert large.sizes[0] < 12_000
    assert max(large.sizes) <= RUN * 1.1
    for query in queries(page_names(PAGES), 60):
        large.suggester = Suggester(large.root)  # no file is in memory
        _, request = large.suggest(query)
        assert len(request) <= 2
        bytes_of_request = sum((large.base / name).stat().st_size for name in request)
        assert bytes_of_request < 25_000


def test_suggestions_do_not_depend_on_the_number_of_files(large: Host, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For one word; for several words, if one of them is rare enough."""
    monkeypatch.setattr(titles_module, "WHOLE", 1 << 30)
    one_file = Host(tmp_path, PAGES)
    assert isinstance(large.guide, Guide)
    compared = 0
    for query in queries(page_names(PAGES)):
        query_units = units(query)
        if len(query_units) == 1 or not large.guide.is_head(lookup_prefix(large.guide, query_units)):
            split, whole = (
                [result for result in host.suggest(query)[0] if result.kind != "heading" or len(query_units) == 1]
                for host in (large, one_file)
            )
            assert split[: len(whole)] == whole
            compared += bool(whole)
    assert compared > 70


@pytest.mark.parametrize("query", ["zzzz", "qx", "\U0001f600", "𠀀", "﷐", "~", "0"])
def test_no_suggestions_for_an_unknown_beginning(query: str, large: Host) -> None:
    assert large.suggest(query)[0] == ()


def test_names_with_one_long_common_beginning_stay_bounded() -> None:
    """The best of them are kept."""
    pages = [
        render_stub(number, f"Internationalisation {number:05}", (2, f"Internationalisation {number}"))
        for number in range(4000)
    ]
    contents = files(page_names(pages))
    assert len(contents) > 3
    assert len(contents[0]) < 12_000
    assert max(map(len, contents[1:])) <= RUN * 1.1

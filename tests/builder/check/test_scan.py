"""A3: the scan finds a forbidden term in each of its spellings."""

from pathlib import Path
from urllib.parse import quote

import pytest
from ranvier_builder.check import scan
from ranvier_builder.check.copy import ReducedCopy, Secret
from ranvier_builder.check.reader import Content, StrictSource
from ranvier_builder.check.scan import ForbiddenTerms

SENTENCE = "Nobody may hear before May that Ångström buys the café of our neighbour"
JAPANESE = "合併の計画は五月まで誰にも話さないこと"
PATH = "plans/Größe & mehr/merger-2031.md"


@pytest.fixture
def forbidden(tmp_path: Path) -> ForbiddenTerms:
    source = StrictSource(PATH, "audience: curator", ("0198-merger-plan",))
    secrets = [Secret("a.md", 1, SENTENCE), Secret("b.md", 3, JAPANESE)]
    return ForbiddenTerms(Content(tmp_path, pages=[source]), ReducedCopy(tmp_path, secrets=secrets))


@pytest.mark.parametrize(
    "text",
    [
        SENTENCE,
        SENTENCE.upper(),
        SENTENCE.replace("é", "e\u0301").replace("Å", "\u212b"),
        f"<p>{SENTENCE.replace('é', '&eacute;').replace('Å', '&#197;')}</p>",
        f"<p>{SENTENCE.replace(' ', '</b>“<b>')}</p>",
        SENTENCE.replace(" ", "_"),
        "".join(chr(ord(sign) + 0xFEE0) if sign.isascii() and sign.isalpha() else sign for sign in SENTENCE),
        f"x{JAPANESE}x",
        JAPANESE.replace("の", "の<wbr>"),
        f"see {PATH.removesuffix('.md').replace(' ', '-')} and",
        f"see https://a.example/{quote(PATH)}#x",
        '<a href="../merger-2031/">',
        "0198-MERGER-PLAN",
    ],
)
def test_forbidden_term_is_found_in_each_spelling(text: str, forbidden: ForbiddenTerms) -> None:
    assert [*forbidden.terms_in("plans/größe-&-mehr/x/index.html", text, suspect=False)]


def test_address_of_the_home_page_is_not_forbidden(tmp_path: Path) -> None:
    """It is empty, and every page links to it. With the settings of another site, the check may withhold all pages."""
    (tmp_path / "index.md").write_text("---\naudience: curator\n---\n", "utf-8")
    content = Content(tmp_path, pages=[StrictSource("index.md", "audience: curator", ())])
    (tmp_path / "copy").mkdir()
    forbidden = ForbiddenTerms(content, ReducedCopy(tmp_path / "copy"))
    assert not [*forbidden.terms_in("a/index.html", '<a href="../">Home</a>', suspect=True)]


@pytest.mark.parametrize("folders", [("a", "plans"), ("plans", "a")])
def test_same_link_in_two_folders_is_scanned_in_both(tmp_path: Path, folders: tuple[str, str]) -> None:
    """The order of the files is that of free processes."""
    source = StrictSource("plans/merger.md", "audience: curator", ())
    for folder in folders:
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "x.html").write_text('<a href="merger">next</a>', "utf-8")
    (tmp_path / "plans" / "merger.md").write_text("---\naudience: curator\n---\n", "utf-8")
    (tmp_path / "copy").mkdir()
    terms = ForbiddenTerms(Content(tmp_path, pages=[source]), ReducedCopy(tmp_path / "copy"))
    scan_file = scan.FileScan(tmp_path, terms, frozenset(), frozenset())
    assert [folder for folder in folders if scan_file(f"{folder}/x.html")[1]] == ["plans"]


def test_ascii_is_split_like_any_other_text() -> None:
    ascii_text = "".join(f"{chr(first)}B{chr(second)}" for first in range(128) for second in range(128))
    assert scan._words(ascii_text) == scan._words(f"{ascii_text} é")[:-1]
    assert scan._tokens(ascii_text) == scan._tokens(f"{ascii_text} é")[:-1]


def test_forbidden_name_is_found_in_each_text_that_has_it(forbidden: ForbiddenTerms) -> None:
    texts = ["a.md b/c.md plain", "b/c.md 0198-merger-plan", "0198-merger-plan a.md", "plain"]
    assert [bool([*forbidden.terms_in("x", text, suspect=False)]) for text in texts * 2] == [False, True, True, False] * 2

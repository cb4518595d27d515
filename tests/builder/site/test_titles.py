"""G1, I1: titles in another language than the page around them."""

from pathlib import Path
from typing import Any

import pytest
from ranvier_builder import Config
from ranvier_builder.site.titles import language
from support.content import build_tree, html_of
from support.shared import site_fixture

ARABIC, ENGLISH = "مقدمة", "C++ (intro)"
FILES: dict[str, str | bytes] = {
    "index.md": f"---\ntitle: {ENGLISH}\nlang: en\n---\n[[a/x]] [[a/y]]\n",
    "a/index.md": f"---\ntitle: {ARABIC}\nlang: ar\n---\n[[a/x]] [[a/y]]\n",
    "a/x.md": f"---\ntitle: {ENGLISH} 2\nlang: en\nsummary: Short.\ntags: [t]\n---\n[[a/y]]\n",
    "a/y.md": f"---\ntitle: {ARABIC} 2\nlang: ar\ntags: [t]\n---\n[[a/x]]\n",
    "2026-01-01.md": f"---\ntitle: {ENGLISH} 3\nlang: en\n---\n",
}
PLACES = {
    "a/y": [".menu a", ".crumbs a", ".backlinks a", ".steps a"],
    "a/x": [".menu a", ".crumbs a", ".backlinks a", ".steps a"],
    "a": [".menu a", ".crumbs a"],
    "calendar": [".month li a"],
}


# An Arabic site with English pages.
site = site_fixture(build_tree, FILES, Config(default_audience="public", lang="ar", title=ENGLISH, description="Text."))


@pytest.mark.parametrize(("slug", "place"), [(slug, place) for slug, places in PLACES.items() for place in places])
def test_link_names_the_language_of_a_title_in_another_one(site: Path, slug: str, place: str) -> None:
    """A screen reader needs the language; brackets have the wrong order without the direction."""
    tree = html_of(site, slug)
    is_english = slug == "a/x"
    links = [link for link in tree.css(place) if ENGLISH in link.text() or ARABIC in link.text()]
    assert links
    for link in links:
        elements = link.css("bdi")
        if (ENGLISH in link.text()) is is_english:
            assert elements == []
        else:
            expected = {"lang": "ar", "dir": "rtl"} if is_english else {"lang": "en", "dir": "ltr"}
            assert [element.attributes for element in elements] == [expected]
            assert elements[0].text().startswith(ARABIC if is_english else ENGLISH)


@pytest.mark.parametrize("slug", ["a", "tags/t"])
def test_list_names_the_language_of_a_page_with_its_summary(site: Path, slug: str) -> None:
    attributes = {item.css_first("a").text(): item.attributes for item in html_of(site, slug).css(".children li")}  # type: ignore[union-attr]
    assert attributes == {f"{ENGLISH} 2": {"lang": "en", "dir": "ltr"}, f"{ARABIC} 2": {}}


def test_page_in_another_language_names_that_of_the_site(site: Path) -> None:
    for slug, expected in (("a/x", {"lang": "ar", "dir": "rtl"}), ("a/y", {})):
        tree = html_of(site, slug)
        (title,), (line, *_) = tree.css(".site-title span"), tree.css(".bottom p")
        assert (title.attributes, line.attributes) == (expected, expected)


def test_pages_in_one_language_are_not_longer(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {"index.md": "# Home\n", "a/b.md": "# B\n[[c]]\n", "c.md": "# C\n[[b]]\n"}
    out = build_tree(tmp_path, files, Config(default_audience="public"))
    pages = [file.read_text("utf-8") for file in out.rglob("*.html")]
    assert pages
    assert not any("<bdi" in page or page.count("lang=") != 1 for page in pages)


@pytest.mark.parametrize(
    ("lang", "page_lang", "expected"),
    [
        ("en", "en", {}),
        ("de", "en", {"lang": "de"}),
        ("fa-IR", "ar", {"lang": "fa-IR"}),
        ("he", "en", {"lang": "he", "dir": "rtl"}),
        ("en", "ur", {"lang": "en", "dir": "ltr"}),
    ],
)
def test_direction_is_named_only_if_it_differs(lang: str, page_lang: str, expected: dict[str, Any]) -> None:
    assert language(lang, page_lang) == expected

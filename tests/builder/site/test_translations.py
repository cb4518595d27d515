"""G1: a page links to its translations, and the sitemap names them."""

from pathlib import Path

import pytest
from ranvier_builder import Config
from ranvier_builder.language_names import language_name
from selectolax.lexbor import LexborHTMLParser
from support.content import build_tree, html_of
from support.shared import site_fixture

FILES: dict[str, str | bytes] = {
    "en/a.md": "# One\n",
    "de/a.md": "# Eins\n",
    "ar/a.md": "# واحد\n",
    "fr/a.md": "---\naudience: curator\n---\n# Un\n",
    "ja/a.md": "---\nunlisted: true\n---\n# 一\n",
    "pt-br/a.md": "---\nlang: pt-BR\nnoindex: true\n---\n# Um\n",
    "en/b.md": "# Two\n",
    "notes/c.md": "# Three\n",
}


def _with_language(path: str, text: str | bytes) -> str:
    lang = path.split("/")[0]
    head = f"lang: {lang}\n" if lang in ("de", "ar", "fr", "ja") else ""
    return str(text).replace("---\n", f"---\n{head}", 1) if str(text).startswith("---") else f"---\n{head}---\n{text}"


TREE = {path: _with_language(path, text) for path, text in FILES.items()}
site = site_fixture(build_tree, TREE, Config(default_audience="public", url="https://x.org/docs/"))


def links(tree: LexborHTMLParser) -> list[tuple[str | None, str | None, str]]:
    """Return the address, the language and the text of each link to a translation."""
    return [(a.attributes["href"], a.attributes["hreflang"], a.text().strip()) for a in tree.css(".languages a")]


def test_page_links_to_its_published_and_listed_translations(site: Path) -> None:
    """The site's language comes first; each language has its own name in its own direction."""
    expected = [
        ("../../en/a/", "en", "English"),
        ("../../ar/a/", "ar", "العربية"),
        ("../../pt-br/a/", "pt-BR", "Português (Brasil)"),
    ]
    assert links(html_of(site, "de/a")) == expected
    names = [node.attributes for node in html_of(site, "de/a").css(".languages bdi")]
    assert names == [{"lang": "en"}, {"lang": "ar", "dir": "rtl"}, {"lang": "pt-BR"}]


@pytest.mark.parametrize("slug", ["en/b", "notes/c", "ja/a", ""])
def test_page_without_translations_has_no_list_of_them(site: Path, slug: str) -> None:
    assert html_of(site, slug).css(".languages") == []


def test_sitemap_names_the_translations_of_each_page(site: Path) -> None:
    """All of them, itself included, except those with `noindex`; the others are in the namespace of the standard."""
    sitemap = (site / "sitemap.xml").read_text("utf-8")
    assert 'xmlns:xhtml="http://www.w3.org/1999/xhtml"' in sitemap
    for lang in ("en", "de", "ar"):
        assert sitemap.count(f'<xhtml:link rel="alternate" hreflang="{lang}" href="https://x.org/docs/{lang}/a/"/>') == 3
    assert "hreflang" not in sitemap.partition("/en/b/</loc>")[2].partition("</url>")[0]
    assert not any(word in sitemap for word in ("pt-BR", 'hreflang="fr', 'hreflang="ja'))


def test_folder_of_a_language_has_the_name_of_the_language(site: Path) -> None:
    menu = {link.text().strip() for link in html_of(site, "en/b").css(".menu a")}
    assert {"Deutsch", "العربية", "Português (Brasil)", "English", "Notes"} <= menu


@pytest.mark.parametrize(
    ("lang", "name"),
    [("de", "Deutsch"), ("de-AT", "Deutsch (AT)"), ("zh-Hant", "繁體中文"), ("PT-br", "Português (Brasil)"), ("tlh", "tlh")],
)
def test_name_of_a_language(lang: str, name: str) -> None:
    assert language_name(lang) == name

"""The pages of an HTML site together (N8): repeated texts, duplicates, languages, and the fields of a Neuron."""

import pytest
from ranvier_builder.config import Config
from ranvier_builder.web.canonical import duplicates
from ranvier_builder.withheld import Reason
from support.html_pages import page_of, read, site


def test_text_on_most_pages_is_removed() -> None:
    """Boilerplate is recognised in any language."""
    frame = "<p>Was this page helpful?</p><pre>pip install x</pre><h2>Feedback</h2><p>Ja oder nein?</p>"
    out = site({f"{at}.html": page_of(f"Page {at}", f"<p>own text {at}</p>{frame}") for at in range(8)})
    words = [[block.text for part in page.sections for block in part.blocks] for page in out.rendered]
    assert words == [[f"own text {at}", "pip install x"] for at in range(8)]
    assert [part.headings for part in out.rendered[0].sections] == [()]
    small_site = site({f"{at}.html": page_of(f"Page {at}", f"<p>own text {at}</p>{frame}") for at in range(3)})
    assert "Was this page helpful?" in small_site.rendered[0].chunks[0].body


def test_heading_without_text_on_most_pages_is_no_section() -> None:
    """HonKit writes one for its search results, Javadoc one above the methods."""
    body = "<p>Text {0}</p><h2>Methods</h2><h3>{0}</h3>text<h1>No results</h1>"
    result = site({f"{name}.html": page_of(f"T {name}", body.format(name)) for name in "abcdef"})
    assert [part.headings for part in result.rendered[0].sections] == [(), ("Methods", "a")]


def test_text_on_most_pages_in_one_language_is_removed() -> None:
    """A translated site has few pages in each language."""
    frames = {
        "en": ("Was this page helpful?", 12),
        "de": ("War diese Seite hilfreich?", 7),
        "fr": ("Cette page est-elle utile ?", 3),
    }
    pages = {
        f"{lang}/{at}.html": f"<html lang={lang}>{page_of(f'{lang} {at}', f'<p>own text {at}</p><p>{frame}</p>')}"
        for lang, (frame, count) in frames.items()
        for at in range(count)
    }
    words = {page.page.neuron.path: page.sections[0].blocks[-1].text for page in site(pages).rendered}
    assert (words["en/1.html"], words["de/1.html"]) == ("own text 1", "own text 1")
    assert words["fr/1.html"] == frames["fr"][0]


def canonical(**pages: str) -> dict[str, str]:
    links = {name: f"<link rel=canonical href='{href}'>" if href else "" for name, href in pages.items()}
    return {f"{name.replace('__', '/')}.html": page_of(name, f"text of {name}", link) for name, link in links.items()}


@pytest.mark.parametrize(
    ("pages", "out"),
    [
        (canonical(a="https://x.org/docs/a.html", b="https://x.org/docs/a.html", c="https://x.org/docs/c/"), {"b.html"}),
        (canonical(a="a.html", b="a.html"), {"b.html"}),
        (canonical(guide__index="https://x.org/guide/", guide__old="https://x.org/guide"), {"guide/old.html"}),
        (canonical(a="https://x.org/latest/a.html", b="https://x.org/latest/b.html"), set()),
        (canonical(a="https://x.org/b.html", b="https://x.org/a.html", c="https://x.org/c.html"), set()),
        (canonical(a="https://x.org/gone.html", c="https://x.org/c.html"), set()),
        (canonical(a="", b="//[", c=""), set()),
    ],
)
def test_page_with_another_canonical_url_is_not_indexed(pages: dict[str, str], out: set[str]) -> None:
    """The address of the site need not be configured."""
    result, disbelieved = duplicates([read(html, path) for path, html in sorted(pages.items())], "")
    assert (result, disbelieved) == (out, "")


def test_one_canonical_url_on_all_pages_is_ignored() -> None:
    """It is a common mistake of templates; only the home page would remain."""
    pages = {f"{name}.html": page_of(name, f"text {name}", "<link rel=canonical href='https://x.org/'>") for name in "abcd"}
    out = site({**pages, "index.html": page_of("Home", "home")})
    assert len(out.rendered) == 5
    assert [(warning.kind, warning.file) for warning in out.warnings] == [("duplicate", "index.html")]


def test_duplicate_page_is_indexed_once() -> None:
    same = page_of("T", "<h1>T</h1>the very same")
    out = site({"index.html": same, "home/copy.html": same, "z.html": page_of("Z", "z")})
    assert [page.page.neuron.path for page in out.rendered] == ["index.html", "z.html"]
    assert [(warning.kind, warning.file) for warning in out.warnings] == [("duplicate", "home/copy.html")]
    assert out.withheld == {Reason.DUPLICATE: 1}


def test_duplicate_page_in_the_folder_of_its_language_is_indexed() -> None:
    """A site may have a page in each of its languages before it is translated."""
    same = f"<html lang=en>{page_of('T', '<h1>T</h1>the very same')}"
    out = site({f"{lang}/t/a.html": same for lang in ("de", "en", "fr")})
    assert [page.page.neuron.path for page in out.rendered] == ["en/t/a.html"]
    same_in_each = {
        f"{lang}/a.html": f"<html lang={lang}>{page_of('T', '<h1>T</h1>the very same')}" for lang in ("cs", "en", "fr")
    }
    assert [page.page.neuron.path for page in site(same_in_each).rendered] == ["en/a.html"]
    assert [page.page.neuron.path for page in site(same_in_each, Config(lang="fr")).rendered] == ["fr/a.html"]


def test_empty_page_is_found_by_its_title() -> None:
    out = site({"app.html": "<title>Try it</title><div id=root></div><script>start()</script>"})
    assert [(warning.kind, warning.file) for warning in out.warnings] == [("empty", "app.html")]
    assert [(page.page.neuron.title, page.chunks[0].body) for page in out.rendered] == [("Try it", "")]


def test_description_is_used_if_it_is_specific_to_the_page() -> None:
    """It is not the description of the site, nor the first words of the page."""
    head = "<meta name=description content='{}'>"
    pages = {
        "a.html": page_of("A", "text a", head.format("The site.")),
        "b.html": page_of("B", "text b", head.format("The site.")),
        "c.html": page_of("C", "First words of c, and more.", head.format("First words of c…")),
        "d.html": page_of("D", "text d", head.format("About d.")),
    }
    assert [page.page.neuron.summary for page in site(pages).rendered] == ["", "", "", "About d."]


def test_neuron_fields_of_an_html_page() -> None:
    """N1: a stable id and number, tags from filters and keywords, the language."""
    html = page_of("A", "<i data-pagefind-filter='author:Ada'></i>text", "<meta name=keywords content='x, y'>")
    (first,) = site({"g/index.html": html.replace("<html>", "<html lang=fr>")}, Config(name="docs")).rendered
    page, neuron = first.page, first.page.neuron
    assert (page.seq, page.slug, page.url, page.is_index) == (1, "g", "g/", True)
    assert page.seq_id.startswith("docs_")
    assert (neuron.id, neuron.path) == ("g/index.html", "g/index.html")
    assert (neuron.tags, neuron.lang) == (("author/Ada", "x", "y"), "fr")


def test_language_of_a_page_without_one_is_detected() -> None:
    """By its folder and its prose, as in a build; a declared language has priority, and code has none."""
    german = "Das ist ein Satz, der mit anderen Worten sagt, was die Seite ist und warum sie nicht auf Englisch ist. " * 3
    pages = {
        "de-DE/a.html": page_of("A", f"<p>{german}</p>"),
        "b.html": page_of("B", f"<p>{german}</p>"),
        "c.html": f"<html xml:lang=en>{page_of('C', f'<p>{german}</p>')}",
        "d.html": page_of("D", f"<p>Short.</p><pre>{german}</pre>"),
    }
    assert [page.page.neuron.lang for page in site(pages).rendered] == ["de", "en", "en", "de-DE"]
    types = "<p>val on : elt -> le tas</p><p>type un = le t les des en est</p><p>val un : le t</p>"
    for signatures in ("<p>size :: Bundle v a -> Size</p>", types):
        assert not read(page_of("Haskell and OCaml", signatures * 20), "h.html").lang
    assert read(page_of("C++", f"<p>std::vector: {german}</p>"), "c.html").lang == "de"
    many = {f"{at:03}.html": page_of(f"P {at}", "<p>Short.</p>") for at in range(250)}
    assert {page.page.neuron.lang for page in site(many | {"b.html": pages["b.html"]}).rendered} == {"en"}


def test_site_name_and_language_come_from_the_pages() -> None:
    pages = {f"{name}.html": page_of(f"{name} · My Docs").replace("<html>", "<html lang=de>") for name in "abc"}
    out = site({**pages, "d.html": page_of("d · My Docs")})
    assert (out.title, out.lang) == ("My Docs", "de")
    assert site(pages, Config(title="Set")).title == "Set"
    translated = {f"{lang}.html": f"<html lang={lang}>{page_of(lang)}" for lang in ("cs", "en", "fr")}
    assert (site(translated).lang, site(translated, Config(lang="fr")).lang) == ("en", "fr")

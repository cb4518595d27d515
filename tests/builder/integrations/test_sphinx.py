"""The Sphinx extension (G1, N8): sites of four themes, built by Sphinx itself; a warning is an error."""

import json
from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser
from support.content import write_tree
from support.generators import RST, run_sphinx, sphinx_site, urls

pytestmark = pytest.mark.filterwarnings("ignore")  # those of the generator and its themes

# What opens the box in each theme: a field, or the dialog of its buttons.
THEMES = {
    "furo": 'form[action$="search.html"] input[name="q"]',
    "pydata_sphinx_theme": "dialog#pst-search-dialog",
    "sphinx_rtd_theme": 'form[action$="search.html"] input[name="q"]',
    "alabaster": 'form[action$="search.html"] input[name="q"]',
}


@pytest.mark.parametrize("theme", THEMES)
def test_theme_gets_the_box_and_hits_lead_to_headings(tmp_path: Path, theme: str) -> None:
    site = sphinx_site(tmp_path, f"html_theme = {theme!r}\nhtml_baseurl = 'https://example.org/docs/'")
    assert urls(site, "bowline jams")[0] == "knots.html#the-bowline"
    assert urls(site, "tie")[0] == "knots.html#tie"
    assert json.loads((site / "_ranvier" / "entry.json").read_text())["site"] == {"title": "Harbour", "lang": "en"}
    ketch = LexborHTMLParser((site / "boats" / "ketch.html").read_text())
    scripts = [script.attributes for script in ketch.css("script[src]")]
    (script,) = [script for script in scripts if "ranvier" in str(script["src"])]
    assert str(script["src"]).startswith("../_static/ranvier.js")
    assert script["type"] == "module"
    assert ketch.css_first('link[href*="_static/ranvier.css"]') is not None
    assert ketch.css_first(THEMES[theme]) is not None
    assert (site / "_static" / "ranvier.js").is_file()
    assert "searchtools.js" in (site / "search.html").read_text()
    assert (site / "searchindex.js").is_file()


def test_pages_with_their_own_folder_are_found(tmp_path: Path) -> None:
    site = sphinx_site(tmp_path, "html_theme = 'furo'", "dirhtml")
    assert urls(site, "bowline jams")[0] == "knots/#the-bowline"
    ketch = LexborHTMLParser((site / "boats" / "ketch" / "index.html").read_text())
    assert ketch.css_first('form[action$="search/"] input[name="q"]') is not None
    assert ketch.css_first('script[src^="../../_static/ranvier.js"]') is not None


def test_second_build_replaces_the_index(tmp_path: Path) -> None:
    """Sphinx reads only the changed file."""
    sphinx_site(tmp_path, "")
    site = sphinx_site(tmp_path, "", pages={**RST, "boats/ketch.rst": "Ketch\n=====\n\nQuetzal.\n"})
    assert urls(site, "quetzal") == ["boats/ketch.html"]
    assert urls(site, "masts") == []


@pytest.mark.parametrize(("builder", "file"), [("text", "knots.txt"), ("singlehtml", "_static/basic.css")])
def test_other_builders_are_left_alone(tmp_path: Path, builder: str, file: str) -> None:
    site = sphinx_site(tmp_path, "", builder)
    assert (site / file).is_file()
    assert [path.name for path in site.rglob("*ranvier*")] == []


def test_settings_beside_conf_py_are_used(tmp_path: Path) -> None:
    write_tree(tmp_path / "docs", {"ranvier.toml": '[synonyms]\nlariat = ["bowline"]\n', "_static/ranvier.css": "/* mine */"})
    settings = "ranvier_exclude = ['boats/*']\nhtml_static_path = ['_static']"
    site = sphinx_site(tmp_path, settings)
    assert "knots.html" in urls(site, "lariat")
    assert urls(site, "masts") == []
    assert (site / "_static" / "ranvier.css").read_text() == "/* mine */"


@pytest.mark.parametrize(("builder", "field"), [("html", "nosearch"), ("dirhtml", "no-search")])
def test_documents_without_search_are_not_indexed(tmp_path: Path, builder: str, field: str) -> None:
    pages = {**RST, "boats/[x].rst": f":orphan:\n:{field}:\n\nQuetzal\n=======\n\nPlumage.\n"}
    site = sphinx_site(tmp_path, "", builder, pages=pages)
    assert urls(site, "quetzal") == []
    assert urls(site, "masts") != []


def test_listings_can_be_indexed(tmp_path: Path) -> None:
    pages = {**RST, "tags/sea.rst": ":orphan:\n\nQuetzal\n=======\n\n- :doc:`/knots`\n"}
    assert urls(sphinx_site(tmp_path / "a", "", pages=pages), "quetzal") == []
    assert urls(sphinx_site(tmp_path / "b", "ranvier_listings = True", pages=pages), "quetzal") == ["tags/sea.html"]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ("ranvier_exclude = 'boats/*'", "ranvier_exclude must be a list of strings"),
        ("ranvier_exclude = [1]", "ranvier_exclude must be a list of strings"),
        ("ranvier_config = 'missing.toml'", "missing.toml"),
        ("html_baseurl = 'example.org'", "cannot be 'example.org'"),
    ],
)
def test_bad_setting_stops_the_build(tmp_path: Path, settings: str, message: str) -> None:
    code, output = run_sphinx(tmp_path, settings)
    assert code != 0
    assert message in output

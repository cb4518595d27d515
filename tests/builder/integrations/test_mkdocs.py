"""The MkDocs plugin (G1, N8): sites of three themes, built by MkDocs itself in strict mode."""

import json
import re
from pathlib import Path

import pytest
from support.content import write_tree
from support.generators import PAGES, THEMES, mkdocs_site, run_mkdocs, urls

pytestmark = pytest.mark.filterwarnings("ignore")  # those of the generator and its plugins


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("folders", [True, False])
def test_theme_gets_the_box_and_hits_lead_to_headings(tmp_path: Path, theme: str, folders: bool) -> None:
    site = mkdocs_site(tmp_path, {"theme": THEMES[theme], "use_directory_urls": folders})
    assert urls(site, "bowline jams")[0] == ("knots/" if folders else "knots.html") + "#the-bowline"
    assert json.loads((site / "_ranvier" / "entry.json").read_text())["site"] == {"title": "Harbour", "lang": "en"}
    ketch = (site / ("boats/ketch/index.html" if folders else "boats/ketch.html")).read_text()
    up = "../../" if folders else "../"
    assert f'<script src="{up}assets/ranvier.js" type="module"></script>' in ketch
    assert f'href="{up}assets/ranvier.css"' in ketch
    assert (site / "assets" / "ranvier.js").read_text().count('"../_ranvier/search.js"') == 1
    assert (site / "assets" / "ranvier.css").is_file()
    assert not (site / "search").exists()
    place = {"material": "<ranvier-search", "mkdocs": "#mkdocs_search_modal", "readthedocs": 'id ="rtd-search-form"'}
    assert place[theme] in ketch
    assert "md-search__input" not in ketch


@pytest.mark.parametrize("theme", THEMES)
def test_search_plugin_of_the_theme_may_stay_in_the_settings(tmp_path: Path, theme: str) -> None:
    code, output = run_mkdocs(tmp_path, {"theme": THEMES[theme], "plugins": ["search", "ranvier"]})
    assert (code, "remove `search` from the plugins" in output) == (0, True), output
    page = (tmp_path / "site" / "knots" / "index.html").read_text()
    assert "assets/ranvier.js" in page
    assert "search/main.js" not in page
    assert "md-search__input" not in page


def test_templates_and_files_of_the_site_replace_those_of_the_plugin(tmp_path: Path) -> None:
    write_tree(tmp_path / "overrides", {"partials/search.html": "<ranvier-search placeholder='Ahoy'></ranvier-search>"})
    theme = {**THEMES["material"], "custom_dir": "overrides"}
    site = mkdocs_site(tmp_path, {"theme": theme}, {**PAGES, "assets/ranvier.css": "/* mine */"})
    assert "placeholder='Ahoy'" in (site / "index.html").read_text()
    assert (site / "assets" / "ranvier.css").read_text() == "/* mine */"


def test_other_theme_opens_the_box_by_keys(tmp_path: Path) -> None:
    scripts = "{% for script in config.extra_javascript %}{{ script | script_tag }}{% endfor %}"
    page = f"<html><head><title>{{{{ page.title }}}}</title></head><body>{{{{ page.content }}}}{scripts}</body></html>"
    write_tree(tmp_path / "theme", {"main.html": page})
    code, output = run_mkdocs(tmp_path, {"theme": {"name": None, "custom_dir": "theme"}})
    assert (code, "write <ranvier-search></ranvier-search> into a template" in output) == (0, True), output
    assert "assets/ranvier.js" in (tmp_path / "site" / "index.html").read_text()


def test_excluded_pages_and_listings_are_not_indexed(tmp_path: Path) -> None:
    """By an option, by `search: exclude` as in Material, and the lists of Material's plugins for tags and blogs."""
    pages = {
        **PAGES,
        "hidden [1].md": "---\nsearch:\n  exclude: true\n---\n# Hidden\n\nwolverine\n",
        "drafts/a.md": "# Draft\n\nwolverine\n",
        "tagged.md": "---\ntags: [quetzal]\n---\n# Tagged\n\nThe quetzal is a bird.\n",
        "all-words.md": "# All words\n\nquetzal\n\n<!-- material/tags -->\n",
        "blog/index.md": "# Blog\n\nNews.\n",
    }
    for day in "123":
        pages[f"blog/posts/{day}.md"] = f"---\ndate: 2024-01-0{day}\ncategories: [Sea]\n---\n# Post {day}\n\nostrich\n"
    blog = {"blog": {"pagination_per_page": 2}}
    plugins = ["tags", blog, {"ranvier": {"exclude": ["drafts/*"]}}]
    site = mkdocs_site(tmp_path / "a", {"theme": THEMES["material"], "plugins": plugins}, pages)
    assert (site / "blog" / "page" / "2" / "index.html").is_file()
    assert (site / "hidden [1]" / "index.html").is_file()
    assert urls(site, "wolverine") == []
    assert urls(site, "quetzal") == ["tagged/"]
    posts = {f"blog/2024/01/0{day}/post-{day}/" for day in "123"}
    assert {url.partition("#")[0] for url in urls(site, "ostrich")} == {"blog/", *posts}
    plugins[2] = {"ranvier": {"listings": True}}
    site = mkdocs_site(tmp_path / "b", {"theme": THEMES["material"], "plugins": plugins}, pages)
    assert "all-words/" in {url.partition("#")[0] for url in urls(site, "quetzal")}
    assert urls(site, "wolverine") == ["drafts/a/"]


# As mkdocs-static-i18n: after the build, another one with the same settings, and a merge of the entries of the theme's search.
_SECOND_LANGUAGE = """
from mkdocs.commands.build import build
from mkdocs.utils import clean_directory

is_second = False

def on_files(files, config):
    for file in files.documentation_pages() if is_second else ():
        file.dest_uri = f"de/{file.dest_uri}"
    return files

def on_post_build(config):
    global is_second
    if is_second:
        return
    is_second = True
    search = config.plugins["material/search"]
    search.config.lang = [*(search.config.lang or []), "de"]
    from mkdocs import utils
    utils.clean_directory = lambda folder: None
    build(config)
    utils.clean_directory = clean_directory
    search.search_index.entries.clear()
    search.on_post_build(config=config)
"""


def test_excluded_pages_of_every_language_are_not_indexed(tmp_path: Path) -> None:
    """Each language is a build of its own, with the same settings and the same site."""
    write_tree(tmp_path, {"hook.py": _SECOND_LANGUAGE})
    pages = {**PAGES, "hidden.md": "---\nsearch:\n  exclude: true\n---\n# Hidden\n\nwolverine\n"}
    site = mkdocs_site(tmp_path, {"theme": THEMES["material"], "hooks": ["hook.py"]}, pages)
    assert (site / "hidden" / "index.html").is_file()
    assert (site / "de" / "hidden" / "index.html").is_file()
    assert urls(site, "wolverine") == []
    assert (site / "de" / "index.html").read_text().count("assets/ranvier.js") == 1


def test_warning_about_an_option_names_the_plugin(tmp_path: Path) -> None:
    _, output = run_mkdocs(tmp_path, {"theme": THEMES["mkdocs"], "plugins": [{"ranvier": {"exclude": ["nosuch/*"]}}]})
    assert "settings of the plugin: exclude: 'nosuch/*' matches no HTML file" in output


def test_settings_beside_mkdocs_yml_are_used(tmp_path: Path) -> None:
    tmp_path.joinpath("ranvier.toml").write_text('exclude = ["boats/*"]\n[synonyms]\nlariat = ["bowline"]\n')
    site = mkdocs_site(tmp_path, {"theme": THEMES["mkdocs"], "plugins": [{"ranvier": {"exclude": ["index.html"]}}]})
    assert urls(site, "lariat") == ["knots/"]
    assert urls(site, "masts") == []
    assert urls(site, "handbook") == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"exclude": "drafts/*"}, "Plugin 'ranvier' option 'exclude'"),
        ({"listings": "yes"}, "Plugin 'ranvier' option 'listings'"),
        ({"config": "missing.toml"}, "Plugin 'ranvier' option 'config'"),
        ({"exclud": []}, "Plugin 'ranvier' option 'exclud': Unrecognised configuration name"),
    ],
)
def test_bad_option_is_a_config_error_of_mkdocs(tmp_path: Path, options: dict[str, object], message: str) -> None:
    code, output = run_mkdocs(tmp_path, {"plugins": [{"ranvier": options}]})
    assert code == 1
    assert message in output
    assert not (tmp_path / "site").exists()


def test_disabled_plugin_changes_nothing(tmp_path: Path) -> None:
    site = mkdocs_site(tmp_path, {"theme": THEMES["material"], "plugins": [{"ranvier": {"enabled": False}}]})
    assert not (site / "_ranvier").exists()
    assert "ranvier" not in (site / "index.html").read_text()


def test_error_of_the_index_stops_the_build_with_its_cure(tmp_path: Path) -> None:
    tmp_path.joinpath("ranvier.toml").write_text("excludes = []\n")
    code, output = run_mkdocs(tmp_path, {})
    assert code == 1
    assert re.search(r"ranvier\.toml:1: there is no setting 'excludes'", output), output
    assert "did you mean 'exclude'?" in output
    assert "Traceback" not in output

"""G1: an author's folder replaces templates and static files of a theme one by one; the plain theme has no script."""

import re
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from jinja2.sandbox import ImmutableSandboxedEnvironment
from ranvier_builder import Config, build, publish
from ranvier_builder.config import load_config
from ranvier_builder.errors import ConfigError
from ranvier_builder.site import theme
from ranvier_builder.work.database import Memory
from selectolax.lexbor import LexborHTMLParser
from support.content import build_without_engine, stub_assets, write_tree
from support.sites import EXAMPLE

PAGES: dict[str, str | bytes] = {
    "docs/index.md": "# Home\n\n[a](a.md)\n",
    "docs/a.md": "---\ntags: [x]\ncreated: 2026-01-02\n---\n# Alpha\n\n## One\n\n## Two\n\n$x^2$\n\n> [!tip]- Box\n> words\n",
    "docs/part/b.md": "# Beta\n\n[[a]]\n\n![[a#One]]\n",
}


def config(folder: Path, files: dict[str, str | bytes], **settings: str) -> Config:
    """Write a site whose own theme has some files; return its config."""
    write_tree(folder, PAGES | {f"theme/{name}": data for name, data in files.items()})
    (folder / "theme").mkdir(exist_ok=True)
    settings = {"theme_dir": "theme", "default_audience": "public"} | settings
    (folder / "ranvier.toml").write_text("".join(f'{name} = "{value}"\n' for name, value in settings.items()))
    return load_config(folder / "ranvier.toml")


def build_page(folder: Path, settings: Config, page: str = "a/index.html", memory: Memory | None = None) -> str:
    with patch.object(publish, "write_assets", stub_assets):
        build(folder / "docs", folder / "out", settings, memory=memory)
    return (folder / "out" / page).read_text("utf-8")


def test_own_template_replaces_that_of_the_theme(tmp_path: Path) -> None:
    """G1: and may extend it; all other templates stay."""
    template = "{% extends 'default/page.html' %}{% block footer %}<p>By {{ page.title }} &amp; co</p>{% endblock %}"
    settings = config(tmp_path, {"templates/page.html": template})
    html = build_page(tmp_path, settings)
    assert "<p>By Alpha &amp; co</p>" in html
    assert '<h2 id="one">One</h2>' in html
    assert "By " not in (tmp_path / "out" / "404.html").read_text()
    home = (tmp_path / "out" / "index.html").read_text("utf-8")
    assert "<p>By Home &amp; co</p>" in home, "a page with pages below it is a page, too"
    assert '<ul class="children">' in home


def test_variables_of_templates_are_in_the_manual(tmp_path: Path) -> None:
    """G1: each variable, and each name in `site`, `page`, `section` and the lists."""
    manual = (EXAMPLE / "content" / "guide" / "themes.md").read_text("utf-8").partition("## Template variables")[2]
    rows = [line.split(" | ", 1) for line in manual.splitlines() if line.startswith("| `")]
    names = {name: {*re.findall(r"`(\w+)`", text)} for first, text in rows for name in re.findall(r"`(\w+)`", first)}
    names["section"] |= names["page"]
    names["children"] = names["section"]
    settings = config(tmp_path, {"../docs/2026-01-02.md": "Day"}, url="https://example.org/")
    with patch.object(theme.Theme, "render", autospec=True, side_effect=theme.Theme.render) as render:
        build_page(tmp_path, settings)
    values = {(call.args[1], name): value for call in render.call_args_list for name, value in call.args[2].items()}
    assert {template for template, _ in values} >= {"calendar.html", "feed.xml", "section.html", "sitemap.xml", "tag.html"}
    for (template, name), value in values.items():
        assert name in names, (template, name)
        for fields in value if isinstance(value, list) else [value] if isinstance(value, dict) else []:
            assert fields.keys() <= names[name], (template, name)


def test_own_part_is_used_by_templates_of_the_theme(tmp_path: Path) -> None:
    """G1."""
    base = "<title>{% block title %}{% endblock %}</title>{% block main %}{% endblock %}"
    assert build_page(tmp_path, config(tmp_path, {"templates/base.html": base})).startswith("<title>Alpha · Home</title>")


def test_own_static_files_replace_and_add(tmp_path: Path) -> None:
    """G1: a page loads `extra.css` after the style sheet of the theme."""
    settings = config(
        tmp_path, {"static/extra.css": "p { color: red }", "static/fonts/x.woff2": b"font", "static/.hidden": "no"}
    )
    html = build_page(tmp_path, settings)
    base = tmp_path / "out" / "_ranvier" / "theme-0"
    assert (base / "extra.css").read_text() == "p { color: red }"
    assert (base / "fonts" / "x.woff2").read_bytes() == b"font"
    assert "--accent" in (base / "style.css").read_text()
    assert not (base / ".hidden").exists()
    sheets = [str(node.attributes["href"]).rpartition("/")[2] for node in LexborHTMLParser(html).css("link[rel=stylesheet]")]
    assert sheets == ["style.css", "extra.css"]
    build_page(tmp_path, config(tmp_path, {"static/style.css": "b {}"}))
    assert (base / "style.css").read_text() == "b {}"


@pytest.mark.parametrize(
    ("template", "line", "message"),
    [
        ("<p>\n{% if %}\n", 2, "Expected an expression"),
        ("\n\n{{ page.nothing.at_all }}", 3, "has no attribute 'nothing'"),
        ("{% extends 'no.html' %}", 1, "there is no template 'no.html'"),
        ("\n{% include '../../docs/a.md' %}", 2, "there is no template '../../docs/a.md'"),
        ("\n{{ ''.__class__.__mro__ }}{{ ''.__class__.__mro__[1].__subclasses__() }}", 2, "unsafe"),
        ("{{ 1 / 0 }}", 1, "division by zero"),
    ],
)
def test_error_of_a_template_names_its_file_and_line(tmp_path: Path, template: str, line: int, message: str) -> None:
    """N9: the old site stays."""
    settings = config(tmp_path, {"templates/page.html": template})
    with pytest.raises(ConfigError, match=message) as caught:
        build_page(tmp_path, settings)
    assert (Path(str(caught.value.file)).name, caught.value.line) == ("page.html", line)
    assert caught.value.cure
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("name", "message"),
    [("static/notes.md", "is Markdown"), ("templates/page.html", "is not UTF-8"), ("static/link.css", "leads out")],
)
def test_unfit_files_of_an_own_theme_are_errors(tmp_path: Path, name: str, message: str) -> None:
    """A2: nothing outside of the folder is published, and no text without a check of its audience."""
    settings = config(tmp_path, {name: b"a\nb\xff"} if "link" not in name else {})
    if "link" in name:
        (tmp_path / "secret").write_text("SECRET")
        (tmp_path / "theme" / "static").mkdir()
        (tmp_path / "theme" / name).symlink_to(tmp_path / "secret")
    with pytest.raises(ConfigError, match=message):
        build_page(tmp_path, settings)


def test_missing_folder_is_an_error(tmp_path: Path) -> None:
    """N9."""
    file = write_tree(tmp_path, {"ranvier.toml": '\ntheme_dir = "them"\n'}) / "ranvier.toml"
    with pytest.raises(ConfigError, match="theme_dir cannot be") as caught:
        load_config(file)
    assert caught.value.line == 2


def test_changed_template_is_noticed_by_the_next_build(tmp_path: Path) -> None:
    """I3: also a file that other templates include. The cache of pages is stored with a proof, so a page is withheld."""
    write_tree(tmp_path, {"docs/x.md": "---\naudience: curator\n---\n# X\n"})
    memory = Memory(tmp_path / "cache")
    page = "{% include 'line.html' %}"
    build_page(tmp_path, config(tmp_path, {"templates/page.html": page, "templates/line.html": "old"}), memory=memory)
    assert build_page(tmp_path, config(tmp_path, {"templates/line.html": "new"}), memory=memory) == "new"


def test_template_is_compiled_once(tmp_path: Path) -> None:
    """For the site and its reduced copy, for two languages, and for the next build."""
    write_tree(tmp_path, {"docs/x.md": "---\naudience: curator\n---\n# X\n", "docs/de.md": "---\nlang: de\n---\n# Beta\n"})
    settings = config(tmp_path, {"templates/page.html": "{{ strings.on_this_page }}"})
    compiled, compile_source = list[str](), ImmutableSandboxedEnvironment.compile

    def count(self: ImmutableSandboxedEnvironment, source: str, name: str | None = None, *args: Any, **options: Any) -> Any:
        compiled.append(name or "")
        return compile_source(self, source, name, *args, **options)

    with (
        patch.object(ImmutableSandboxedEnvironment, "compile", count),
        patch.object(theme, "_COMPILED", theme.CompiledTemplates()),
    ):
        assert build_page(tmp_path, settings) == "On this page"
        assert build_page(tmp_path, settings, "de/index.html") == "Auf dieser Seite"
    assert "page.html" in compiled
    assert len(compiled) == len({*compiled})


def test_pages_draw_diagrams_with_a_script_of_the_author(tmp_path: Path) -> None:
    """G1: without it, no page names a script for diagrams."""
    assert "mermaid" not in build_page(tmp_path, config(tmp_path, {}))
    html = LexborHTMLParser(build_page(tmp_path, config(tmp_path, {"static/mermaid.min.js": "/* own copy */"})))
    (script,) = html.css("script[data-mermaid]")
    for name in ("src", "data-mermaid"):
        assert (tmp_path / "out" / "a" / str(script.attributes[name])).is_file()


SITES = 'sites = ["/_ranvier/", "/blog/_ranvier/=0.8"]'


@pytest.mark.parametrize(
    ("setting", "attributes"),
    [
        ("recent = true", {"recent": None, "sites": None}),
        ("recent = false", {"recent": "off", "sites": None}),
        (SITES, {"recent": None, "sites": "/_ranvier/ /blog/_ranvier/=0.8"}),
    ],
)
def test_settings_are_attributes_of_each_box(tmp_path: Path, setting: str, attributes: dict[str, str | None]) -> None:
    """B6, B8: whether recent searches are kept, and which sites are searched; on each page with a box."""
    config(tmp_path, {})
    file = tmp_path / "ranvier.toml"
    file.write_text(f"{file.read_text()}{setting}\n")
    build_page(tmp_path, load_config(file))
    pages = sorted((tmp_path / "out").rglob("*.html"))
    boxes = [box for page in pages for box in LexborHTMLParser(page.read_text()).css("ranvier-search")]
    assert len(boxes) == len(pages) > 5
    assert all({name: box.attributes.get(name) for name in attributes} == attributes for box in boxes)


def test_plain_theme_has_no_script(tmp_path: Path) -> None:
    """G1: on no page; each link to a file of the site has a target."""
    site = tmp_path / "out"
    build_without_engine(write_tree(tmp_path, PAGES) / "docs", site, Config(theme="plain", default_audience="public"))
    pages = sorted(site.rglob("*.html"))
    assert len(pages) == 8  # two of them list tags
    for file in pages:
        tree = LexborHTMLParser(file.read_text())
        assert not tree.css("script, ranvier-search, noscript, link[rel=modulepreload], [onclick]")
        assert len(tree.css("main")) == len(tree.css("h1")) == 1
        for node in tree.css("a[href], link[href]"):
            target = str(node.attributes["href"]).partition("#")[0].partition("?")[0]
            if file.name != "404.html" and not target.startswith("http"):
                place = file.parent / target
                assert (place / "index.html" if not target or target.endswith("/") else place).is_file(), target


def test_plain_theme_can_have_own_files_too(tmp_path: Path) -> None:
    """G1."""
    html = build_page(tmp_path, config(tmp_path, {"static/extra.css": "p {}"}, theme="plain"))
    assert "extra.css" in html
    assert "<script" not in html

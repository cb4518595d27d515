"""The syntax that the settings of MkDocs turn on (N9)."""

import re
from pathlib import Path

import pytest
from ranvier_builder import build, load_config
from ranvier_builder.markdown.dialects.extensions import ATTRIBUTES, CARET, OPTIONS, TILDE
from ranvier_builder.read.mkdocs import read_syntax
from ranvier_builder.syntax import NO_SYNTAX, Syntax
from support.content import html_of, write_tree


@pytest.mark.parametrize(
    ("file", "settings", "extensions"),
    [
        ("mkdocs.yml", "markdown_extensions: [pymdownx.tilde, toc, pymdownx.caret]", (CARET, TILDE)),
        ("mkdocs.yml", "markdown_extensions:\n  - pymdownx.tilde: {smart_delete: false}\n  - toc:", (TILDE,)),
        ("mkdocs.yml", "markdown_extensions: {pymdownx.tilde: {}, markdown.extensions.attr_list: null}", (ATTRIBUTES, TILDE)),
        ("mkdocs.yml", "markdown_extensions:\n  - pymdownx.tilde: {subscript: false}\n  - pymdownx.extra", (ATTRIBUTES,)),
        ("mkdocs.yml", "markdown_extensions: pymdownx.tilde", (TILDE,)),
        ("mkdocs.yml", "markdown_extensions: [1, [pymdownx.tilde], null, {2: 3}]", ()),
        ("mkdocs.yml", "INHERIT: base.yml", (CARET,)),
        ("mkdocs.yml", "INHERIT: base.yml\nmarkdown_extensions: {pymdownx.tilde: null}", (CARET, TILDE)),
        ("zensical.toml", '[project]\nsite_name = "Kestrel"', tuple(sorted(OPTIONS))),
        ("zensical.toml", "[project.markdown_extensions]", ()),
        (
            "zensical.toml",
            "[project.markdown_extensions.pymdownx.tilde]\n[project.markdown_extensions.attr_list]",
            (ATTRIBUTES, TILDE),
        ),
        ("zensical.toml", "[project.markdown_extensions.pymdownx.tilde]\nsubscript = false", ()),
        ("zensical.toml", '[project]\nmarkdown_extensions = ["pymdownx.caret"]', (CARET,)),
    ],
)
def test_settings_turn_extensions_on(tmp_path: Path, file: str, settings: str, extensions: tuple[str, ...]) -> None:
    """Of MkDocs and Zensical."""
    write_tree(tmp_path, {file: settings, "base.yml": "markdown_extensions: {pymdownx.caret: null}"})
    assert read_syntax(tmp_path) == Syntax("docs", extensions)
    assert read_syntax(tmp_path / "docs") == Syntax(".", extensions)


@pytest.mark.parametrize("settings", ["project = 1", "[project"])
def test_broken_settings_of_zensical_turn_nothing_on(tmp_path: Path, settings: str) -> None:
    write_tree(tmp_path, {"zensical.toml": settings})
    assert read_syntax(tmp_path).extensions == ()


def test_settings_of_another_folder_turn_nothing_on(tmp_path: Path) -> None:
    write_tree(tmp_path, {"mkdocs.yml": "docs_dir: ../other\nmarkdown_extensions: [pymdownx.tilde]"})
    assert read_syntax(tmp_path) == read_syntax(tmp_path / "docs") == NO_SYNTAX


EXTRA = """
extra:
  version: 1.2
  beta: true
  product: {name: Kestrel, tags: [a], deep: {er: 7}}
  day: 2024-02-30
  comment: "{% endcomment %}"
  environment: !ENV [A, b]
  lines: "a\\nb"
  2: [x]
"""


@pytest.mark.parametrize("plugins", ["[search, macros]", "{macros: {}}", "[macros: {module_name: main}]"])
def test_variables_are_the_scalars_of_extra(tmp_path: Path, plugins: str) -> None:
    write_tree(tmp_path, {"mkdocs.yml": f"plugins: {plugins}{EXTRA}"})
    values = {"version": "1.2", "day": "2024-02-30", "beta": "True", "product.name": "Kestrel", "product.deep.er": "7"}
    assert dict(read_syntax(tmp_path).variables) == values


@pytest.mark.parametrize(
    "plugins", ["[search]", "[macros: {render_by_default: false}]", "[macros: {j2_variable_start_string: '[['}]"]
)
def test_without_the_plugin_there_are_no_variables(tmp_path: Path, plugins: str) -> None:
    write_tree(tmp_path, {"mkdocs.yml": f"plugins: {plugins}{EXTRA}"})
    assert read_syntax(tmp_path).variables == ()


@pytest.mark.parametrize(
    ("options", "addresses"),
    [
        ("{base_path: docs/.parts, auto_append: [links.txt, terms.md]}", ["#std", "#term"]),
        ("{base_path: [none, docs/.parts], auto_append: links.txt}", ["#std"]),
        ("{auto_append: [docs/.parts/links.txt]}", ["#std"]),
        (
            "{auto_append: [docs/page.md, ../links.txt, docs/.parts/fields.txt, docs/.parts]}",
            [],
        ),  # pages, elsewhere, with fields
        ("{base_path: docs/.parts, auto_append: [refs.md]}", ["#std", "#term"]),  # it includes the others, and itself
        ("{base_path: docs/.parts}", []),
    ],
)
def test_definitions_of_appended_snippets_are_in_each_page_that_names_them(
    tmp_path: Path, options: str, addresses: list[str]
) -> None:
    links = "[The  Standard]: #std 'Title'\n[^note]: Note.\n*[PEP]: Proposal\n<!-- [term]: /no -->\n"
    files = {
        "links.txt": "[term]: /no",
        "site/mkdocs.yml": f"markdown_extensions: [pymdownx.snippets: {options}]",
        "site/docs/.parts/links.txt": links,
        "site/docs/.parts/terms.md": "[term]: #term",
        "site/docs/.parts/refs.md": '--8<--\nlinks.txt\nrefs.md\n--8<--\n\n--8<-- "terms.md"\n\n--8<-- "fields.txt"\n',
        "site/docs/.parts/fields.txt": "---\naudience: curator\n---\n[term]: /no",
        "site/docs/page.md": "See [it][the standard] and a [term].\n\n[term]: /own",
        "site/docs/use.md": "# Use\n\nSee [it][the standard] and a [term]",
    }
    syntax = read_syntax(write_tree(tmp_path, files) / "site/docs")
    assert [re.search(r"#\w+", line)[0] for _, line in syntax.definitions] == addresses[::-1]
    build(tmp_path / "site/docs", tmp_path / "out", load_config(None, default_audience="public"))
    hrefs = [link.attributes["href"] for link in html_of(tmp_path / "out", "use").css("article p a")]
    assert hrefs == addresses
    assert syntax.definitions_for("# Use") == ""


def test_build_uses_the_settings_for_the_pages_of_their_folder(tmp_path: Path) -> None:
    """The reduced copy of the proof uses them too: it has no `mkdocs.yml` above it."""
    settings = f"markdown_extensions: [pymdownx.tilde]\nplugins: [macros]{EXTRA}"
    words = "H~2~O {{ version }}\n\n![[docs/b]]"
    write_tree(tmp_path / "c", {"mkdocs.yml": settings, "docs/a.md": words, "docs/b.md": "CO~2~", "other.md": words})
    build(tmp_path / "c", tmp_path / "out", load_config(None, default_audience="public"))
    assert [node.text() for node in html_of(tmp_path / "out", "docs/a").css("sub")] == ["2", "2"]
    assert "1.2" in (tmp_path / "out/docs/a/index.html").read_text("utf-8")
    assert [node.text() for node in html_of(tmp_path / "out", "other").css("sub")] == ["2"]
    assert "{{ version }}" in (tmp_path / "out/other/index.html").read_text("utf-8")

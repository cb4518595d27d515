"""Substitutions of MyST come from the settings of a site and from the front matter of a page (N9, A3)."""

from pathlib import Path

import pytest
from ranvier_builder import Config
from ranvier_builder.read.mkdocs import read_syntax
from ranvier_builder.syntax import NO_SYNTAX
from support.content import build_tree, write_tree
from support.rendered import RenderFile, render_file

__all__ = ["render_file"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("conf.py", "myst_substitutions = {'version': '1.2', 'other': release, **more}"),
        ("_config.yml", "parse: {myst_substitutions: {version: '1.2'}}"),
        ("_config.yml", "sphinx: {config: {myst_substitutions: {version: '1.2', other: '{{ a }}'}}}"),
        ("myst.yml", "project: {substitutions: {version: '1.2'}}"),
        ("substitutions.yaml", "{version: '1.2'}"),
        ("reuse/substitutions.yaml", "# Of all pages\nversion: '1.2'\nlong: |\n  a\n  b\n"),
    ],
)
def test_settings_have_substitutions(tmp_path: Path, name: str, text: str) -> None:
    syntax = read_syntax(write_tree(tmp_path, {name: text}))
    assert syntax.of("a/b.md").substitutions == (("version", "1.2"),)
    assert read_syntax(write_tree(tmp_path, {name: "- a"})) == NO_SYNTAX


@pytest.mark.parametrize(
    ("files", "shows"),
    [
        ({"conf.py": "extensions = ['sphinx.ext.doctest', 'myst_parser']"}, False),
        ({"_config.yml": "title: x", "_toc.yml": "root: a"}, False),
        ({"myst.yml": "version: 1"}, False),
        ({"conf.py": "extensions = []", "_config.yml": "title: x"}, True),
    ],
)
def test_line_with_percent_is_a_comment_on_each_page_of_a_site_of_myst(
    tmp_path: Path, files: dict[str, str], shows: bool
) -> None:
    """A2: also on a page without other signs of MyST."""
    site = build_tree(tmp_path, {"a.md": "# A\n\nwords\n\n% remark\n", **files}, Config(default_audience="public"))
    assert ("remark" in (site / "a/index.html").read_text()) is shows


@pytest.mark.parametrize("fields", ["substitutions: {a.b: '*x*'}", "myst: {substitutions: {a: {b: '*x*'}}}"])
def test_substitutions_of_a_page_are_replaced_outside_of_code(render_file: RenderFile, fields: str) -> None:
    page = render_file(f"---\n{fields}\n---\n{{{{ a.b }}}} {{{{a.b}}}} {{{{ c }}}} `{{{{ a.b }}}}`")
    assert page.html.strip() == "<p><em>x</em> <em>x</em> {{ c }} <code>{{ a.b }}</code></p>"


def test_substitution_shows_no_comment_and_no_redacted_name(render_file: RenderFile) -> None:
    text = '---\nsubstitutions: {a: "x <!-- secret --> [[Secret]] y"}\n---\n{{ a }}'
    assert "ecret" not in render_file(text, config=Config(redact_private_links=True)).html


def test_proof_has_the_substitutions_of_a_page(tmp_path: Path) -> None:
    files = {"a.md": "---\nmyst: {substitutions: {a: kestrel}}\nnote: private\n---\n# A\n\n{{ a }}\n"}
    site = build_tree(tmp_path, files, Config(default_audience="public"))
    assert "kestrel" in (site / "a/index.html").read_text()


def test_values_on_a_page_have_a_limit(render_file: RenderFile) -> None:
    """N9: names behind it stay."""
    text = f"---\nsubstitutions: {{a: {'b' * 1000}}}\n---\n" + "{{ a }}\n\n" * 300
    page = render_file(text)
    assert (page.html.count("bbb</p>"), page.html.count("{{ a }}")) == (200, 100)

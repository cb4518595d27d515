"""Titles of pages that depend on other pages or on the table of contents (N1)."""

from __future__ import annotations

from pathlib import Path

import pytest
from ranvier_builder import Config
from ranvier_builder.pipeline import survey
from support.content import write_tree

OPEN = Config(default_audience="public")


def titles(folder: Path) -> dict[str, str]:
    return {page.page.neuron.path: page.page.neuron.title for page in survey(folder, OPEN).rendered}


def test_page_without_a_title_has_that_of_the_table_of_contents(tmp_path: Path) -> None:
    nav = "nav:\n- Home: index.md\n- Release notes: release-notes.md\n- Other: own.md\n- Third: said.md\n- plain.md\n"
    files = {
        "mkdocs.yml": f"site_name: S\ndocs_dir: .\n{nav}",
        "index.md": "text\n",
        "release-notes.md": "## 0.26.1\n\ntext\n\n## 0.26.0\n",
        "own.md": "# Own title\n",
        "said.md": "---\ntitle: Said title\n---\n## Part\n",
        "plain.md": "## Plain\n",
    }
    assert titles(write_tree(tmp_path, files)) == {
        "index.md": "Home",
        "release-notes.md": "Release notes",
        "own.md": "Own title",
        "said.md": "Said title",
        "plain.md": "Plain",
    }


@pytest.mark.parametrize("banner", ["# Acme\n", '<h1 align="center">Acme</h1>\n', "Acme\n====\n"])
def test_heading_below_a_banner_is_the_title(tmp_path: Path, banner: str) -> None:
    files = {f"{name.lower()}.md": f"{banner}\n## {name}\n\ntext\n" for name in ("Hooks", "Logging", "Testing")}
    files |= {"intro.md": f"{banner}\nWords.\n\n## Part\n", "declared.md": f"---\ntitle: Acme\n---\n{banner}\n## Part\n"}
    expected = {
        "hooks.md": "Hooks",
        "logging.md": "Logging",
        "testing.md": "Testing",
        "intro.md": "Acme",
        "declared.md": "Acme",
    }
    assert titles(write_tree(tmp_path, files)) == expected


@pytest.mark.parametrize(("same", "others"), [(2, 0), (3, 13)])
def test_title_of_few_pages_is_no_banner(tmp_path: Path, same: int, others: int) -> None:
    files = {f"{at}/index.md": f"# Overview\n\n## Part {at}\n" for at in range(same)}
    files |= {f"other{at}.md": f"# Other {at}\n" for at in range(others)}
    assert [title for title in titles(write_tree(tmp_path, files)).values() if title.startswith("Part")] == []

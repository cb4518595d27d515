"""Titles of pages that depend on other pages or on the table of contents (N1)."""

from pathlib import Path

import pytest
from ranvier_builder.pipeline import survey
from support.content import OPEN, write_tree


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
    expected = ("Home", "Release notes", "Own title", "Said title", "Plain")
    assert titles(write_tree(tmp_path, files)) == dict(zip([*files][1:], expected, strict=True))


@pytest.mark.parametrize("folder", ["a.wiki", "with .order", "with _Sidebar.md"])
def test_hyphens_in_names_of_a_wiki_are_blanks(tmp_path: Path, folder: str) -> None:
    """N1: as in wikis of GitHub and Azure DevOps. A heading and a title stay."""
    files = {"Set-Up.md": "a\n", "X%2DY-or-Z%3F.md": "b\n", "Own.md": "# X-Ray\n", "a/The-Day.md": "---\ntitle: E-Mail\n---\n"}
    sign = folder.partition("with ")[2]
    content = write_tree(tmp_path / folder, files | ({sign: "- [Own](Own)\n"} if sign else {}))
    assert titles(content) == dict(zip(files, ("Set Up", "X-Y or Z?", "X-Ray", "E-Mail"), strict=True))


def test_hyphens_in_names_of_other_pages_stay(tmp_path: Path) -> None:
    files = {"Home.md": "a\n", "Spider-Man.md": "a\n"}
    assert titles(write_tree(tmp_path, files)) == {"Home.md": "Home", "Spider-Man.md": "Spider-Man"}


@pytest.mark.parametrize("banner", ["# Acme\n", '<h1 align="center">Acme</h1>\n', "Acme\n====\n"])
def test_heading_below_a_banner_is_the_title(tmp_path: Path, banner: str) -> None:
    expected = {f"{name.lower()}.md": name for name in ("Hooks", "Logging", "Testing")}
    files = {path: f"{banner}\n## {name}\n\ntext\n" for path, name in expected.items()}
    files |= {
        "index.md": "# Acme\n\nWelcome.\n",
        "intro.md": f"{banner}\nWords.\n\n## Part\n",
        "declared.md": f"---\ntitle: Acme\n---\n{banner}\n## Part\n",
    }
    expected |= dict.fromkeys(("index.md", "intro.md", "declared.md"), "Acme")
    assert titles(write_tree(tmp_path, files)) == expected


@pytest.mark.parametrize(
    ("home", "heading", "below", "number_of_pages"),
    [
        ("Acme", "Acme", "Part {}", 13),  # few pages have it
        ("Acme", "Overview", "Part {}", 0),  # not the name of the site
        ("Acme", "Acme", "Usage", 0),  # a template
    ],
)
def test_same_heading_of_pages_is_no_banner(tmp_path: Path, home: str, heading: str, below: str, number_of_pages: int) -> None:
    files = {f"{at}/page.md": f"# {heading}\n\n## {below.format(at)}\n" for at in range(3)}
    files |= {f"other{at}.md": f"# Other {at}\n" for at in range(number_of_pages)}
    by_path = titles(write_tree(tmp_path, files | {"index.md": f"# {home}\n"}))
    assert {by_path[f"{at}/page.md"] for at in range(3)} == {heading}


def test_banner_of_a_fifth_of_the_pages_is_no_title(tmp_path: Path) -> None:
    files = {f"{at}.md": f"# Acme\n\n## Part {at}\n" for at in range(4)}
    files |= {f"other{at}.md": f"# Other {at}\n" for at in range(15)}
    by_path = titles(write_tree(tmp_path, files | {"index.md": "# Acme\n"}))
    assert [by_path[f"{at}.md"] for at in range(4)] == [f"Part {at}" for at in range(4)]


def test_label_of_a_section_is_no_title(tmp_path: Path) -> None:
    files = {"SUMMARY.md": "- [Section](x.md#part)\n- [Real](x.md)\n- [Other](y.md)\n", "x.md": "## X\n", "y.md": "## Y\n"}
    assert titles(write_tree(tmp_path, files)) == {"x.md": "X", "y.md": "Other"}


def test_language_in_the_name_of_a_file_is_not_in_the_title(tmp_path: Path) -> None:
    """N1: as in Hugo and Nextra. A name that is no language stays."""
    files = {"setup.de.md": "de", "setup.en.md": "en", "use-case/index.de.md": "de", "node.js.md": "en", "x.fr.md": "de"}
    content = write_tree(tmp_path, {path: f"---\nlang: {lang}\n---\ntext\n" for path, lang in files.items()})
    assert [*titles(content).items()] == [
        ("node.js.md", "node.js"),
        ("setup.en.md", "setup"),
        ("setup.de.md", "setup"),
        ("use-case/index.de.md", "Use case"),
        ("x.fr.md", "x.fr"),
    ]

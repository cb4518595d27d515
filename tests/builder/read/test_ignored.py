"""Files that `exclude_docs` and `draft_docs` in `mkdocs.yml` exclude."""

from pathlib import Path

import pytest
from ranvier_builder.read.ignored import is_ignored, patterns
from support.content import write_tree
from support.rendered import surveyed


@pytest.mark.parametrize(
    ("lines", "path", "expected"),
    [
        ("drafts/", "a/drafts/b.md", True),
        ("drafts/", "drafts.md", False),
        ("/drafts/", "a/drafts/b.md", False),
        ("notes", "notes/a.md", True),
        ("*.int.md", "a/b.int.md", True),
        ("/*.md", "a/b.md", False),
        ("a/**/b.md", "a/x/y/b.md", True),
        ("a/**", "a/b.md", True),
        ("*.md\n!index.md", "a/index.md", False),
        ("# a.md\n\n/", "a.md", False),
        ("a/**/b/**/*.md", "a/b/x/c.md", True),
        ("a/**/b/**/*.md", "a/x/c.md", False),
        ("[ab]?.md", "b1.md", True),
        ("\\!a.md", "!a.md", True),
        ("\\*.md", "a.md", False),
        ("\\*.md", "*.md", True),
        ("[^b]*.md", "a.md", True),
        ("[^b]*.md", "b.md", False),
        ("x/**/", "x/a.md", False),
        ("x/**/", "x/y/a.md", True),
        ("*a" * 20 + "b", "a" * 200, False),  # in linear time
        ("**/a/" * 20 + "b", "a/" * 100 + "c", False),
    ],
)
def test_patterns_match_as_in_gitignore(lines: str, path: str, expected: bool) -> None:
    """A1."""
    assert is_ignored(path, patterns([lines], ".")) == expected
    assert is_ignored(f"docs/{path}", patterns([lines], "docs")) == expected


def test_excluded_file_is_no_page_but_may_be_included(tmp_path: Path) -> None:
    """A1: a page that names an audience is a page."""
    settings = "docs_dir: .\nexclude_docs: |\n  parts/\ndraft_docs: '*.int.md'\nnav: [index.md, {Label: a.int.md}]\n"
    files = {"mkdocs.yml": settings, "index.md": '# Home\n\n--8<-- "parts/b.md"\n', "a.int.md": "# A\n", "parts/b.md": "Part\n"}
    pages = surveyed(tmp_path / "c", {**files, "parts/c.md": "---\naudience: public\n---\n# C\n"})
    assert [*pages] == ["index.md", "parts/c.md"]
    assert "Part" in pages["index.md"].html


@pytest.mark.parametrize(
    "settings",
    [
        {"mkdocs.yml": "docs_dir: .\nexclude_docs: a.md\ndraft_docs: |\n  *.md\n  !a.md\n  !index.md\n"},
        {"mkdocs.yml": "INHERIT: more/base.yml\ndocs_dir: .\n", "more/base.yml": "exclude_docs: a.md\n"},
        {"../mkdocs.yml": "INHERIT: ../base.yml\ndocs_dir: c\n", "../../base.yml": "exclude_docs: a.md\n"},
    ],
    ids=["each setting for itself", "inherited", "inherited from above"],
)
def test_excluded_file_stays_excluded(tmp_path: Path, settings: dict[str, str]) -> None:
    """A1."""
    assert [*surveyed(tmp_path / "a" / "b" / "c", {**settings, "index.md": "# Home\n", "a.md": "# A\n"})] == ["index.md"]


def test_settings_are_inherited_only_from_files_near_the_content(tmp_path: Path) -> None:
    """A1: a path that leads elsewhere, to itself or nowhere has no effect."""
    write_tree(tmp_path, {"base.yml": "exclude_docs: a.md\n"})
    for number, path in enumerate(("../../../../base.yml", "mkdocs.yml", "missing.yml", "a\\0b", "/")):
        files = {"mkdocs.yml": f'INHERIT: "{path}"\ndocs_dir: .\n', "a.md": "# A\n"}
        assert len(surveyed(tmp_path / str(number) / "a" / "b" / "c", files)) == 1

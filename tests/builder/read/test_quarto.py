"""Pages that settings of Quarto and bookdown leave out."""

from pathlib import Path

import pytest
from support.excluded import assert_excluded

_SITE = "project: {type: website}\n"
_DRAFTS = "website: {drafts: [a.qmd]}\n"


@pytest.mark.parametrize(
    ("settings", "excluded", "pages"),
    [
        ({"_quarto.yaml": _SITE + _DRAFTS}, ["a.qmd", "_b.md"], ["b.md"]),
        ({"_quarto.yaml": "project: {render: ['*.md', '!a/']}\n"}, ["a/b.md"], ["b.md"]),
        ({"_quarto.yaml": "project: {render: ['!a/', '*.md']}\n"}, ["a/b.md"], ["b.md"]),
        ({"_quarto.yml": _SITE}, ["README.qmd", "a/CLAUDE.md", "AGENTS.md"], ["a.md"]),
        ({"_quarto.yml": _SITE, ".gitignore": "/a/\n"}, ["a/b.md"], ["b/a/c.md"]),
        ({"_quarto.yml": f"{_SITE}metadata-files: [x/y.yml]\n", "x/y.yml": _DRAFTS}, ["a.qmd"], ["b.md"]),
        ({"_quarto.yml": f"{_SITE}metadata-file: y.yml\n{_DRAFTS}", "y.yml": "website: {drafts: [c.md]}\n"}, ["a.qmd", "c.md"],
         ["b.md"]),
        ({"_quarto.yml": f"{_SITE}profile: {{default: prod}}\n", "_quarto-prod.yml": _DRAFTS}, ["a.qmd"], ["b.md"]),
        ({"_quarto.yml": "project: {type: book}\nmetadata-files: y.yml\n", "y.yml": "book: {chapters: [index.md]}\n"}, ["a.md"],
         ["index.md"]),
        ({"_quarto.yml": f"{_SITE}metadata-files: [../y.yml, /y.yml]\n", "../y.yml": _DRAFTS}, [], ["a.qmd"]),
        ({"_bookdown.yml": "title: x\n"}, ["_a.Rmd"], ["a.Rmd", "b.md"]),
        ({"_bookdown.yml": "rmd_files: {html: [index.Rmd, a/b.Rmd]}\n"}, ["c.Rmd"], ["index.Rmd", "a/b.Rmd", "d.md"]),
        ({"_bookdown.yml": "rmd_files: [index.Rmd]\nrmd_subdir: true\n"}, ["c.Rmd"], ["index.Rmd", "a/b.Rmd"]),
    ],
)  # fmt: skip
def test_settings_of_quarto_and_bookdown_exclude_pages(
    tmp_path: Path, settings: dict[str, str], excluded: list[str], pages: list[str]
) -> None:
    """A1."""
    assert_excluded(tmp_path / "b" / "c", settings, ".", excluded, pages)

"""Pages that another system leaves out because of other files, or of fields that its settings require."""

from pathlib import Path

import pytest
from support.excluded import assert_excluded

_SUMMARY = "# Summary\n\n* [A](a.md)\n  * [B](b/c.md)\n"
_GARDEN = ".obsidian/plugins/digitalgarden/data.json"
_V5 = "plugins: [{source: 'github:quartz-community/explicit-publish', enabled: %s}]\n"


@pytest.mark.parametrize(
    ("settings", "folder", "excluded", "pages"),
    [
        ({".gitbook.yaml": "root: ./docs/\n", "docs/SUMMARY.md": _SUMMARY}, "docs", ["docs/d.md", "docs/b/README.md"],
         ["docs/a.md", "docs/b/c.md", "docs/README.md", "d.md"]),
        ({"book.json": "{}", "SUMMARY.md": _SUMMARY}, ".", ["d.md"], ["a.md", "b/c.md", "README.md"]),
        ({"SUMMARY.md": _SUMMARY}, ".", [], ["d.md"]),
        ({"quartz.config.yaml": _V5 % "true", "content/b.md": "---\npublish: true\n---\n"}, "content", ["content/a.md"], []),
        ({"quartz.config.yaml": _V5 % "false"}, "content", [], ["content/a.md"]),
        ({"logseq/config.edn": "{:publishing/all-pages-public? false}", "b.md": "public:: true\n\n- B\n"}, ".", ["a.md"], []),
        ({"logseq/config.edn": "{;; :publishing/all-pages-public? false\n}"}, ".", [], ["a.md"]),
        ({_GARDEN: "{}", "b.md": "---\ndg-publish: true\n---\n"}, ".", ["a.md"], []),
        ({_GARDEN: "{}"}, ".", [], ["a.md", "b.md"]),
        ({".obsidian/plugins/obsidian-mkdocs-publisher/data.json": "{}", "b.md": "---\nshare: true\n---\n"}, ".", ["a.md"], []),
        ({"pelicanconf.py": "", "content/a.md": "Title: A\nStatus: Draft\n\nText\n", "content/b.md": "---\nstatus: skip\n---\n",
          "content/c.md": "Title: C\n\nstatus: draft\n"}, "content", ["content/a.md", "content/b.md"], []),
        ({"conf.py": "POSTS = ()\n", "a.md": "<!--\n.. title: A\n.. status: draft\n-->\n", "b.meta": ".. status: draft\n"}, ".",
         ["a.md", "b.md"], ["c.md"]),
        ({"conf.py": "x = 1\n", "a.md": "---\nstatus: draft\n---\n"}, ".", [], []),
    ],
)  # fmt: skip
def test_other_files_and_required_fields_exclude_pages(
    tmp_path: Path, settings: dict[str, str], folder: str, excluded: list[str], pages: list[str]
) -> None:
    """A1."""
    assert_excluded(tmp_path / "c", settings, folder, excluded, pages)

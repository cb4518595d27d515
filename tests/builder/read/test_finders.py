"""Pages that another system leaves out because of other files, or of fields that its settings require."""

from pathlib import Path

import pytest
from ranvier_builder.read.finders import script
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
        ({".gitbook.yaml": "root: docs\nstructure: {readme: ./start.md, summary: toc/all.md}\n", "docs/toc/all.md": _SUMMARY},
         "docs", ["docs/d.md"], ["docs/a.md", "docs/toc/b/c.md", "docs/start.md"]),
        ({"SUMMARY.md": _SUMMARY}, ".", [], ["d.md"]),
        ({"quartz.config.yaml": _V5 % "true", "content/b.md": "---\npublish: true\n---\n"}, "content", ["content/a.md"], []),
        ({"quartz.config.yaml": _V5 % "false"}, "content", [], ["content/a.md"]),
        ({"logseq/config.edn": "{:publishing/all-pages-public? false}", "b.md": "public:: true\n\n- B\n"}, ".", ["a.md"], []),
        ({"quartz.config.yaml": _V5 % "true", "content/b.md": "title: B\npublish: true\n---\nText\n"}, "content",
         ["content/b.md"], []),
        ({"logseq/config.edn": "{;; :publishing/all-pages-public? false\n}"}, ".", [], ["a.md"]),
        ({_GARDEN: "{}", "b.md": "---\ndg-publish: true\n---\n"}, ".", ["a.md"], []),
        ({_GARDEN: "{}"}, ".", [], ["a.md", "b.md"]),
        ({".obsidian/plugins/obsidian-mkdocs-publisher/data.json": "{}", "b.md": "---\nshare: true\n---\n"}, ".", ["a.md"], []),
        ({"pelicanconf.py": "", "content/a.md": "Title: A\nStatus: Draft\n\nText\n", "content/b.md": "---\nstatus: skip\n---\n",
          "content/c.md": "Title: C\n\nstatus: draft\n", "content/d.md": "The\nstatus: draft of a standard\n"}, "content",
         ["content/a.md", "content/b.md"], []),
        ({"docs.json": '{"navigation": {"pages": ["a"]}}', "a.md": "---\ngroups: [admin]\n---\n",
          "b.md": "---\ngroups: []\n---\n"}, ".", ["a.md"], ["c.md"]),
        ({"docs.json": '{"navigation": null}', "a.md": "---\ngroups: [admin]\n---\n"}, ".", ["a.md"], []),
        ({"docs.json": "{}", "a.md": "---\ngroups: [admin]\n---\n"}, ".", [], []),
        ({"pelicanconf.py": "PATH = 'posts'\n", "docs/a.md": "---\nstatus: draft\n---\n",
          "posts/a.md": "Status: draft\n"}, "posts", ["posts/a.md"], ["docs/b.md"]),
        ({"pelicanconf.py": "PATH = '/srv/content'\n", "a.md": "Status: draft\n"}, ".", ["a.md"], ["b.md"]),
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


@pytest.mark.parametrize("text", ["/* " * 300_000, '"' + '\\"' * 400_000])
@pytest.mark.timeout(20)
def test_comments_and_strings_without_an_end_take_linear_time(tmp_path: Path, text: str) -> None:
    """A1: the timeout of the test is the limit."""
    (tmp_path / "a.js").write_text(text)
    assert script(tmp_path / "a.js") == text

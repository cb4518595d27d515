"""Pages that `_config.yml` leaves out: that of Jekyll, Hexo and a Jupyter Book."""

from pathlib import Path

import pytest
from support.excluded import assert_excluded

_TOML = "exclude = ['a']\n[[defaults]]\n[defaults.scope]\npath = 'b'\n[defaults.values]\npublished = false\n"
_HEXO = "source_dir: source\nexclude: ['a/*']\nignore: ['**/b/**']\n"
_TOC = "root: index\nparts: [{chapters: [{file: b/c, sections: [{glob: d/*}]}]}]\n"


@pytest.mark.parametrize(
    ("settings", "folder", "excluded", "pages"),
    [
        ({"_config.yaml": "exclude: [a]\n"}, ".", ["a/b.md", "_c.md", "#c.md", "~c/d.md", "_posts/b.md", "d/_posts/12-tips.md"],
         ["_posts/2024-01-02-a.md", "d/_posts/e/24-1-2-a.md", "my_posts/a.md", "b.md"]),
        ({"_config.toml": _TOML}, ".", ["a/b.md", "b/c.md", "_c.md"], ["_posts/2024-01-02-a.md", "c.md"]),
        ({"_config.yml": "source: ./src\nexclude: [a]\n"}, "src", ["src/a/b.md"], ["src/b.md", "src/c/a/b.md"]),
        ({"_config.yml": "source: https://a.example\n"}, ".", ["_a.md"], ["a.md"]),
        ({"_config.yml": f"source: {'x' * 5000}\n"}, ".", ["_a.md"], ["a.md"]),
        ({"_config.yml": _HEXO}, "source", ["source/a/c.md", "source/c/b/d.md", "source/_a.md"], ["source/_posts/a.md"]),
        ({"_config.yml": "only_build_toc_files: true\n", "_toc.yml": _TOC}, ".", ["a.md", "b.md"],
         ["index.md", "b/c.md", "d/e.md"]),
        ({"_config.yml": "only_build_toc_files: false\n", "_toc.yml": _TOC}, ".", [], ["a.md", "_b.md"]),
    ],
)  # fmt: skip
def test_settings_of_jekyll_and_others_exclude_pages(
    tmp_path: Path, settings: dict[str, str], folder: str, excluded: list[str], pages: list[str]
) -> None:
    """A1."""
    assert_excluded(tmp_path / "c", settings, folder, excluded, pages)

"""Which files are content (N8, N9): in one order, and never out of the folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from ranvier_builder.errors import ReadError
from ranvier_builder.read.files import content_files

Tree = Callable[[dict[str, str | bytes]], Path]


def test_markdown_sorted(tree: Tree) -> None:
    names = ["b.md", "a/z.md", "a/B.MD", "ü.markdown", "a b/#c?.md", "A.md"]
    folder = tree({name: "x" for name in [*names, "page.html", "md", "notes.md.bak", "pic.png"]})
    assert list(content_files(folder)) == sorted(names)


def test_dot_names_are_not_content(tree: Tree) -> None:
    folder = tree({".obsidian/a.md": "", ".trash/b.md": "", ".hidden.md": "", "a/.git/c.md": "", "a/d.md": ""})
    assert list(content_files(folder)) == ["a/d.md"]


@pytest.mark.parametrize(
    ("globs", "left"),
    [
        ((), ["a.md", "drafts/b.md", "drafts/deep/c.md"]),
        (("drafts/*",), ["a.md"]),
        (("*/b.md",), ["a.md", "drafts/deep/c.md"]),
        (("a.md", "*c.md"), ["drafts/b.md"]),
        (("*",), []),
    ],
)
def test_exclude(tree: Tree, globs: tuple[str, ...], left: list[str]) -> None:
    folder = tree({"a.md": "", "drafts/b.md": "", "drafts/deep/c.md": ""})
    assert list(content_files(folder, globs)) == left


def test_links_out_of_the_folder_are_not_followed(tree: Tree, tmp_path: Path) -> None:
    """A2: a link is no way to publish what lies elsewhere."""
    folder = tree({"a.md": "inside", "sub/b.md": "inside"})
    (tmp_path / "outside.md").write_text("outside")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "x.md").write_text("outside")
    (folder / "out.md").symlink_to(tmp_path / "outside.md")
    (folder / "dir").symlink_to(tmp_path / "elsewhere")
    (folder / "up.md").symlink_to("../outside.md")
    (folder / "in.md").symlink_to("sub/b.md")
    (folder / "gone.md").symlink_to("nowhere.md")
    (folder / "me.md").symlink_to("me.md")
    (folder / "loop").symlink_to(folder)
    assert list(content_files(folder)) == ["a.md", "in.md", "sub/b.md"]


def test_a_folder_whose_name_only_begins_alike_is_outside(tree: Tree, tmp_path: Path) -> None:
    folder = tree({"a.md": ""})
    (tmp_path / "content-private").mkdir()
    (tmp_path / "content-private" / "x.md").write_text("outside")
    (folder / "x.md").symlink_to(tmp_path / "content-private" / "x.md")
    assert list(content_files(folder)) == ["a.md"]


def test_a_link_to_the_content_itself(tree: Tree, tmp_path: Path) -> None:
    folder = tree({"a.md": ""})
    (tmp_path / "link").symlink_to(folder)
    assert list(content_files(tmp_path / "link")) == ["a.md"]


def test_a_folder_named_like_a_page(tree: Tree) -> None:
    assert list(content_files(tree({"x.md/y.md": ""}))) == ["x.md/y.md"]


@pytest.mark.parametrize("name", ["nothing", "file.md"])
def test_no_folder(tmp_path: Path, name: str) -> None:
    (tmp_path / "file.md").write_text("")
    with pytest.raises(ReadError, match=rf"{name}: is not a folder\n  cure: "):
        list(content_files(tmp_path / name))

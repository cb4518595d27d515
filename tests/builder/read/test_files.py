"""The files of a content folder (N8, N9): in a fixed order, and never from outside the folder."""

import os
import pickle
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from ranvier_builder.check.reader import read_content
from ranvier_builder.config import Config, load_config
from ranvier_builder.errors import ReadError
from ranvier_builder.read.files import walk
from support.content import Tree


def warnings_of(folder: Path, include: tuple[str, ...] = (), exclude: tuple[str, ...] = ()) -> list[str]:
    """What is odd about a folder."""
    warnings = walk(folder, include, exclude).warnings
    assert {warning.kind for warning in warnings} <= {"name"}
    return [str(warning) for warning in warnings]


def test_files_are_sorted_by_path(tree: Tree) -> None:
    names = ["b.md", "a/z.md", "a/B.MD", "ü.markdown", "a b/#c?.mdx", "A.md", "notes.md.bak", "pic.png", "a%20b.pdf"]
    assert list(walk(tree({name: "x" for name in names})).files) == sorted(names)


@pytest.mark.parametrize(
    ("include", "exclude", "expected"),
    [
        ((), (), ["a.md", "drafts/b.md", "drafts/deep/c.md"]),
        ((), ("drafts/*",), ["a.md"]),
        ((), ("drafts/",), ["a.md"]),
        ((), ("*/b.md",), ["a.md", "drafts/deep/c.md"]),
        ((), ("a.md", "*c.md"), ["drafts/b.md"]),
        ((), ("*",), []),
        (("..md",), (), ["..md", "a.md", "drafts/b.md", "drafts/deep/c.md"]),
        ((".generated/*",), (), [".generated/d.md", ".generated/sub/e.md", "a.md", "drafts/b.md", "drafts/deep/c.md"]),
        ((".generated/*",), ("*/sub/*", "drafts/*"), [".generated/d.md", "a.md"]),  # `exclude` wins
        ((".trash/old.md",), ("drafts/*",), [".trash/old.md", "a.md"]),
        (("node_modules/*",), ("drafts/*",), ["a.md", "node_modules/x/README.md"]),
    ],
)
def test_include_and_exclude_globs(tree: Tree, include: tuple[str, ...], exclude: tuple[str, ...], expected: list[str]) -> None:
    hidden_paths = ["..md", ".generated/d.md", ".generated/sub/e.md", ".trash/old.md", ".git/x.md", "node_modules/x/README.md"]
    folder = tree({name: "" for name in ["a.md", "drafts/b.md", "drafts/deep/c.md", *hidden_paths]})
    assert list(walk(folder, include, exclude).files) == expected


@pytest.mark.parametrize(
    "glob",
    ["drafts", "drafts/", "./drafts/*", "/drafts/*", "drafts\\*", "**/drafts/**", "drafts/**", "./drafts", "**/drafts", "dr*"],
)
def test_folder_globs_exclude_in_every_spelling(tree: Tree, glob: str) -> None:
    folder = tree({"a.md": "", "drafts/b.md": "", "drafts/deep/c.md": "", "my drafts/d.md": ""})
    assert list(walk(folder, exclude=(glob,)).files) == ["a.md", "my drafts/d.md"]
    assert warnings_of(folder, exclude=(glob,)) == []


def test_globs_match_accents_in_any_normal_form(tree: Tree) -> None:
    folder = tree({"a.md": "", "cafe\u0301/b.md": "", "x/y/c.md": ""})
    assert list(walk(folder, exclude=("caf\u00e9/*", "**/c.md")).files) == ["a.md"]


def test_exclude_glob_without_a_match_is_reported(tree: Tree) -> None:
    """A2: a misspelt exclude would publish the folder."""
    assert warnings_of(tree({"a.md": "", "drafts/b.md": ""}), exclude=("draft/*", "drafts", "")) == [
        "ranvier.toml: exclude: '' matches no file or folder",
        "ranvier.toml: exclude: 'draft/*' matches no file or folder",
    ]


def test_exclude_glob_is_reported_with_the_line_of_its_file(tree: Tree, tmp_path: Path) -> None:
    """A2: the file may have another name."""
    (tmp_path / "other.toml").write_text('title = "x"\nexclude = ["draft/*"]\n')
    exclude = pickle.loads(pickle.dumps(load_config(tmp_path / "other.toml"))).exclude
    assert warnings_of(tree({"a.md": ""}), exclude=exclude) == ["other.toml:2: exclude: 'draft/*' matches no file or folder"]


def test_hidden_markdown_is_reported_per_folder(tree: Tree) -> None:
    """N9: with the cure. Folders of tools are not reported."""
    names = [".generated/a.md", ".generated/deep/b.md", ".one/c.md", "x/.two/d.md", "..md", ".obsidian/e.md", "x/.git/f.md"]
    folder = tree({name: "" for name in [*names, ".empty/pic.png", ".venv/lib/g.md", "node_modules/h.md", "y.md"]})
    assert warnings_of(folder) == [
        '..md: is not read, because its name begins with a dot; to read it, put "..md" in `include`',
        '.generated: 2 Markdown files are not read in this hidden folder; to read it, put ".generated/*" in `include`',
        '.one: 1 Markdown file is not read in this hidden folder; to read it, put ".one/*" in `include`',
        'x/.two: 1 Markdown file is not read in this hidden folder; to read it, put "x/.two/*" in `include`',
    ]
    assert warnings_of(folder, include=(".generated/*", "..md", "x/.two/*"), exclude=(".one/*",)) == []


def test_hidden_attachments_of_a_wiki_are_files_and_no_pages(tree: Tree) -> None:
    """A2: a picture is published only if a page shows it, a Markdown file or a PDF would be a page."""
    names = ["a.md", ".attachments/x.png", ".attachments/notes.md", ".attachments/plan.pdf", "b/.attachments/deep/y.mp4"]
    names += [".attachments/.z.png", ".attachments/.old/z.png", ".attachments-old/z.png", ".gitbook/assets/x.png"]
    folder = tree(dict.fromkeys(names, ""))
    assert list(walk(folder).files) == [".attachments/x.png", ".gitbook/assets/x.png", "a.md", "b/.attachments/deep/y.mp4"]


def test_symlinks_out_of_the_folder_are_not_followed(tree: Tree, tmp_path: Path) -> None:
    """A2: a symlink does not publish files that lie elsewhere, are hidden, or are excluded."""
    folder = tree({"a.md": "inside", "sub/b.md": "inside", ".private/c.md": "", "drafts/d.md": ""})
    (tmp_path / "outside.md").write_text("outside")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "x.md").write_text("outside")
    outside = {"out.md": tmp_path / "outside.md", "dir": tmp_path / "elsewhere", "pic.png": tmp_path / "outside.md"}
    inside = {"in.md": "sub/b.md", "hidden.md": ".private/c.md", "excluded.md": "drafts/d.md", "folder.md": "sub"}
    nowhere = {"gone.md": "nowhere.md", "me.md": "me.md", "loop": folder, "up.md": "../outside.md"}
    for name, target in (outside | inside | nowhere).items():
        (folder / name).symlink_to(target)
    assert list(walk(folder, exclude=("drafts/*",)).files) == ["a.md", "in.md", "sub/b.md"]
    link, cure = "is a symbolic link", "copy the file to this place, or build a folder that contains both"
    reasons = {
        "to a folder: not followed": ("dir", "loop"),
        "to a file that is not read: left out": ("excluded.md", "folder.md", "hidden.md"),
        "without a target: left out": ("gone.md", "me.md"),
        f"out of the content folder, to ../outside.md: left out; {cure}": ("out.md", "up.md"),
    }
    expected = sorted(f"{name}: {link} {reason}" for reason, names in reasons.items() for name in names)
    assert warnings_of(folder, exclude=("drafts/*", ".private/*")) == expected


def test_sibling_folder_with_the_same_prefix_is_outside(tree: Tree, tmp_path: Path) -> None:
    folder = tree({"a.md": ""})
    (tmp_path / "content-private").mkdir()
    (tmp_path / "content-private" / "x.md").write_text("outside")
    (folder / "x.md").symlink_to(tmp_path / "content-private" / "x.md")
    assert list(walk(folder).files) == ["a.md"]


def test_symlink_to_the_content_folder_works(tree: Tree, tmp_path: Path) -> None:
    folder = tree({"a.md": ""})
    (tmp_path / "link").symlink_to(folder)
    assert list(walk(tmp_path / "link").files) == ["a.md"]


def test_folder_named_like_a_page_is_no_file(tree: Tree) -> None:
    assert list(walk(tree({"x.md/y.md": ""})).files) == ["x.md/y.md"]


def test_pipes_and_devices_are_never_opened(tree: Tree) -> None:
    """N9: opening a pipe would block."""
    folder = tree({"a.md": ""})
    os.mkfifo(folder / "pipe.md")
    os.mkfifo(folder / "pipe.png")
    with socket.socket(socket.AF_UNIX) as unix_socket:
        before = Path.cwd()
        os.chdir(folder)  # a socket's path must be short
        try:
            unix_socket.bind("socket.md")
        finally:
            os.chdir(before)
        assert list(walk(folder).files) == ["a.md"]
        assert warnings_of(folder) == [
            f"{name}.md: is neither a file nor a folder: left out, and not opened" for name in ("pipe", "socket")
        ]


def test_file_names_that_are_not_utf8_are_skipped_with_a_warning(tree: Tree) -> None:
    """N9: the other files are read."""
    folder = tree({"a.md": "", "ä.md": ""})
    (folder / os.fsdecode(b"caf\xe9.md")).write_text("x")
    (folder / os.fsdecode(b"d\xe9")).mkdir()
    (folder / os.fsdecode(b"d\xe9") / "x.md").write_text("x")
    assert list(walk(folder).files) == ["a.md", "ä.md"]
    assert warnings_of(folder) == [
        r"caf\udce9.md: has a name that is not UTF-8: left out; rename it",
        r"d\udce9: has a name that is not UTF-8: left out; rename it",
    ]


def test_unreadable_folder_is_reported(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    """N9. Root may read every folder, so the test simulates the answer of the system."""
    folder = tree({"a.md": "", "shut/b.md": ""})

    def refusing(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(path: Any, *arguments: Any) -> Any:
            if Path(path).is_relative_to(folder / "shut"):
                raise PermissionError(13, "Permission denied")
            return function(path, *arguments)

        return call

    monkeypatch.setattr(os, "scandir", refusing(os.scandir))
    monkeypatch.setattr(Path, "is_file", refusing(Path.is_file))
    assert list(walk(folder).files) == ["a.md"]
    assert [page.path for page in read_content(folder, Config()).pages] == ["a.md"]
    assert warnings_of(folder) == ["shut: cannot be read: Permission denied"]


@pytest.mark.parametrize("name", ["nothing", "file.md"])
def test_missing_content_folder_is_an_error(tmp_path: Path, name: str) -> None:
    (tmp_path / "file.md").write_text("")
    with pytest.raises(ReadError, match=rf"{name}: is not a folder\n  cure: "):
        walk(tmp_path / name)

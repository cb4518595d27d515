"""The output folder (G1): it has the whole new site or the whole old one, and foreign files stay."""

import os
import shutil
import sqlite3
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from ranvier_builder import BuildError, output, pipeline, publish
from ranvier_builder.errors import OutputError, ReadError
from ranvier_builder.output import BASE, _locked, list_written, replace_output
from support.content import Tree, build_without_engine, read_tree, write_tree
from support.pdf import pdf

ENTRY, LIST_OF_FILES = "_ranvier/entry.json", "_ranvier/written.txt"


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A site that was built before."""
    return with_list(write_tree(tmp_path / "public", {"index.html": "old", ENTRY: "{}", "deep/x/index.html": "old"}))


def with_list(site: Path) -> Path:
    list_written(site, site / BASE)
    return site


@pytest.fixture
def content(tree: Tree) -> Path:
    return tree({"a.md": "text"})


def names(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


def write_new(out: Path, content: Path, files: dict[str, str | bytes] | None = None) -> None:
    with replace_output(out, content) as work:
        with_list(write_tree(work.site, {"index.html": "new", ENTRY: "{}", **(files or {})}))
        write_tree(work.scratch, {"index.sqlite": "not published"})


def new(**more: bytes) -> dict[str, bytes]:
    """The files of a folder after `write_new`, with other files."""
    return {"index.html": b"new", ENTRY: b"{}", LIST_OF_FILES: f"{ENTRY}\n{LIST_OF_FILES}\nindex.html\n".encode(), **more}


def test_new_site_replaces_the_old_one(old: Path, content: Path) -> None:
    write_new(old, content)
    assert read_tree(old) == new()
    assert names(old.parent) == ["content", "public"]


@pytest.mark.parametrize("out", ["fresh", "deep/er/fresh"])
def test_first_site_is_written(tmp_path: Path, content: Path, out: str) -> None:
    write_new(tmp_path / out, content)
    assert read_tree(tmp_path / out)["index.html"] == b"new"
    assert (tmp_path / out).stat().st_mode & 0o777 == 0o755


def test_empty_output_folder_is_used(tmp_path: Path, content: Path) -> None:
    (tmp_path / "empty").mkdir()
    write_new(tmp_path / "empty", content)
    assert (tmp_path / "empty" / "index.html").is_file()


def fail_in(out: Path, content: Path, error: BaseException) -> None:
    with replace_output(out, content) as work:
        write_tree(work.site, {"index.html": "new"})
        raise error


FULL = (OSError("disk full"), sqlite3.OperationalError("database or disk is full"))


@pytest.mark.parametrize("error", [*FULL, BuildError("no"), KeyboardInterrupt(), SystemExit(1)])
def test_failed_build_keeps_the_old_site(old: Path, content: Path, error: BaseException) -> None:
    before = read_tree(old)
    with pytest.raises(OutputError if error in FULL else type(error)) as caught:
        fail_in(old, content, error)
    assert error not in FULL or "cure: check whether the disk is full" in str(caught.value)
    assert read_tree(old) == before
    assert names(old.parent) == ["content", "public"]


@pytest.mark.parametrize("stage", ["read_items", "render_pages", "write_entry", "Proof"])
def test_build_that_fails_at_any_stage_keeps_the_old_site(
    tmp_path: Path, content: Path, monkeypatch: pytest.MonkeyPatch, stage: str
) -> None:
    out = tmp_path / "public"
    build_without_engine(content, out)
    before = read_tree(out)
    content.joinpath("a.md").write_text("changed")

    def fail(*_: object, **__: object) -> None:
        raise ReadError("broke", file="a.md")

    monkeypatch.setattr(publish if hasattr(publish, stage) else pipeline, stage, fail)
    with pytest.raises(ReadError):
        build_without_engine(content, out)
    assert read_tree(out) == before
    assert names(tmp_path) == ["content", "public"]


@pytest.mark.parametrize(
    ("files", "out", "message"),
    [
        ({"mine/thesis.doc": "mine"}, "mine", r"not built by ranvier\n  cure: "),
        ({"mine/index.html": "another generator's"}, "mine", r"not built by ranvier\n  cure: "),
        ({"mine/.git/config": "x"}, "mine", r"not built by ranvier\n  cure: "),
        ({"mine/_ranvier/x": "no entry"}, "mine", r"not built by ranvier\n  cure: "),
        ({"out": "mine"}, "out", "is a file"),
        *(({}, out, "content") for out in ("content", "content/../content", "link", ".")),
    ],
)
def test_folder_of_other_files_is_refused(
    tmp_path: Path, content: Path, files: dict[str, str | bytes], out: str, message: str
) -> None:
    (tmp_path / "link").symlink_to(content)
    before = read_tree(write_tree(tmp_path, files))
    with pytest.raises(OutputError, match=message):
        write_new(tmp_path / out, content)
    assert read_tree(tmp_path) == before


def test_output_folder_above_the_content_is_refused(old: Path) -> None:
    """The swap would remove the Markdown."""
    content = write_tree(old / "source", {"a.md": "precious"})
    with pytest.raises(OutputError, match="content"):
        write_new(old, content)
    assert content.joinpath("a.md").read_text() == "precious"


def test_interrupted_swap_restores_the_old_site(old: Path, content: Path) -> None:
    """The old site was moved away, and the new one was not there yet."""
    before = read_tree(old)
    old.rename(old.with_name(".public.ranvier-old"))
    with pytest.raises(RuntimeError), replace_output(old, content):
        raise RuntimeError
    assert read_tree(old) == before
    assert names(old.parent) == ["content", "public"]


def test_leftovers_of_a_killed_swap_are_removed(old: Path, content: Path) -> None:
    with_list(write_tree(old.parent / ".public.ranvier-old", {"index.html": "older", ENTRY: "{}"}))
    write_new(old, content)
    assert read_tree(old)["index.html"] == b"new"
    assert names(old.parent) == ["content", "public"]


@pytest.mark.parametrize("at", ["scan", "removal"])
def test_backup_that_another_build_removes_is_no_error(
    old: Path, content: Path, monkeypatch: pytest.MonkeyPatch, at: str
) -> None:
    """A build starts while another one has swapped in its site and cleans up."""
    older = {"index.html": "older", ENTRY: "{}", "deep/x/index.html": "older"}
    backup = with_list(write_tree(old.parent / ".public.ranvier-old", dict(older)))
    scandir, rmtree = os.scandir, shutil.rmtree

    def scan(folder: Any) -> Any:
        if at == "scan" and folder == backup / "deep":
            rmtree(folder, ignore_errors=True)
        return scandir(folder)

    def remove(folder: Path, **options: bool) -> None:
        if at == "removal" and folder == backup:
            rmtree(folder, ignore_errors=True)
        rmtree(folder, **options)

    monkeypatch.setattr(output.os, "scandir", scan)
    monkeypatch.setattr(output.shutil, "rmtree", remove)
    write_new(old, content)
    assert read_tree(old) == new()
    assert names(old.parent) == ["content", "public"]


def test_output_folder_inside_the_content(content: Path) -> None:
    """`ranvier build . -o public`: the old site is not read as content."""
    for _ in range(2):
        assert build_without_engine(content, content / "public").read == 1
    assert content.joinpath("a.md").read_text() == "text"
    assert (content / "public" / "a" / "index.html").is_file()


def test_symlinked_output_folder_is_reused(tmp_path: Path, content: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "public").symlink_to(tmp_path / "real")
    for _ in range(3):
        write_new(tmp_path / "public", content)
        assert read_tree(tmp_path / "public")["index.html"] == b"new"


def test_failed_swap_restores_the_old_site(old: Path, content: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = read_tree(old)
    rename = Path.rename

    def refuse(self: Path, target: Path) -> Path:
        if self.name == "site" and Path(target) == old:
            raise OSError(16, "Device or resource busy")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", refuse)
    with pytest.raises(OutputError, match="cannot be swapped in: Device or resource busy"):
        write_new(old, content)
    assert read_tree(old) == before
    assert names(old.parent) == ["content", "public"]


def test_mounted_folder_is_an_error_before_the_build(old: Path, content: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A container often mounts the output folder; to rename it is an error of the system."""
    monkeypatch.setattr(os.path, "ismount", lambda path: Path(path) == old)
    with pytest.raises(OutputError, match="public: is mounted, so it cannot be replaced\n  cure: name a folder inside of it"):
        write_new(old, content)
    assert (old / "index.html").is_file()


def test_swap_after_another_build_names_it(old: Path, content: Path) -> None:
    stack = ExitStack()
    write_tree(stack.enter_context(replace_output(old, content)).site, {"index.html": "new"})
    write_tree(old.with_name(f".{old.name}.ranvier-old"), {"index.html": "of the other build"})
    with pytest.raises(OutputError, match=r"another build wrote the folder at the same time\n  cure: build again"):
        stack.close()
    assert (old / "index.html").is_file()


def test_unwritable_output_folder_is_an_error(content: Path) -> None:
    """Root can write nearly everywhere, but not below a file."""
    with pytest.raises(
        OutputError, match=r"cannot be written: .*\n  cure: check the permissions of the folder, or name another"
    ):
        write_new(Path("/dev/null/public") if os.name == "posix" else content / "a.md" / "x", content)


FOREIGN: dict[str, str | bytes] = {
    ".git/HEAD": "ref",
    "CNAME": "example.org",
    "robots.txt": "mine",
    "downloads/a.zip": "mine",
    "_ranvier/mine.txt": "mine",
    "photos/a.jpg": "mine",
    "deep/x/mine.txt": "mine",
    "index.html.bak": "mine",
}


def test_foreign_files_stay_and_stale_pages_are_removed(old: Path, content: Path) -> None:
    """The list of the last build names its files, also where a page has the name of a foreign folder."""
    write_tree(old, FOREIGN)
    (old / "empty").mkdir()
    for _ in range(2):
        write_new(old, content, {"photos/index.html": "a page"})
        foreign_files = {name: data for name, data in read_tree(old).items() if name in FOREIGN}
        assert foreign_files == {name: str(data).encode() for name, data in FOREIGN.items()}
        assert (old / "empty").is_dir()
        assert read_tree(old).keys() == {*FOREIGN, *new(), "photos/index.html"}


@pytest.mark.parametrize(
    ("mine", "page"),
    [
        ("photos/index.html", "photos/index.html"),
        ("photos", "photos/index.html"),
        ("photos/a.jpg", "photos"),
        ("robots.txt", "robots.txt"),
    ],
)
def test_collision_with_a_foreign_file_stops_the_build(old: Path, content: Path, mine: str, page: str) -> None:
    """A build never removes or overwrites a foreign file."""
    before = read_tree(write_tree(old, {mine: "mine"}))
    with pytest.raises(OutputError, match=rf"public/{mine}: was not written by ranvier, and the new site has .*\n  cure: "):
        write_new(old, content, {page: "a page"})
    assert read_tree(old) == before
    assert names(old.parent) == ["content", "public"]


def test_foreign_file_with_equal_bytes_is_no_collision(old: Path, content: Path) -> None:
    """Hosts want an empty `.nojekyll`, which a build also writes."""
    write_tree(old, {".nojekyll": ""})
    write_new(old, content, {".nojekyll": ""})
    assert read_tree(old)[".nojekyll"] == b""


def test_foreign_symlink_is_kept(old: Path, content: Path, tmp_path: Path) -> None:
    write_tree(tmp_path / "elsewhere", {"a.txt": "mine"})
    (old / "linked").symlink_to(tmp_path / "elsewhere")
    write_new(old, content)
    assert (old / "linked").is_symlink()
    assert (tmp_path / "elsewhere" / "a.txt").read_text() == "mine"
    with pytest.raises(OutputError, match="linked: was not written by ranvier"):
        write_new(old, content, {"linked/index.html": "a page"})


def test_nothing_is_removed_without_the_file_list(old: Path, content: Path) -> None:
    """Without the list, the build cannot know its old files."""
    (old / LIST_OF_FILES).unlink()
    before = read_tree(old)
    with pytest.raises(OutputError, match=r"written.txt: does not list .*\n  cure: empty the folder, or name another"):
        write_new(old, content)
    assert read_tree(old) == before


def test_circular_symlink_as_output_is_refused(tmp_path: Path, content: Path) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    for out in (tmp_path / "a", tmp_path / "a" / "public"):
        with pytest.raises(OutputError, match=r"\n  cure: .*name another folder"):
            write_new(out, content)


def test_temporary_folder_of_a_killed_build_is_removed(old: Path, content: Path) -> None:
    """A running build holds a lock on its folder."""
    stale_folder, running_folder = old.with_name(".public.ranvier-new-a"), old.with_name(".public.ranvier-new-b")
    stale_folder.mkdir()
    running_folder.mkdir()
    with _locked(running_folder) as free:
        assert free
        write_new(old, content)
    assert not stale_folder.exists()
    assert running_folder.exists()


@pytest.mark.parametrize("out_path", ["content/public", "content/sub/site"])
def test_published_site_inside_the_content_is_not_read(tmp_path: Path, out_path: str) -> None:
    """A2: a page that was published once and is withheld now must not return."""
    talk = {
        "a.md": "---\naudience: public\n---\n# A\n\n[talk](talk.pdf)\n",
        "talk.pdf": pdf(["Quillfeather said so."], title="Talk"),
    }
    content = write_tree(tmp_path / "content", {**talk, "link.pdf": b""})
    (content / "link.pdf").unlink()
    out = tmp_path / out_path
    build_without_engine(content, out)
    first = {name: data for name, data in read_tree(out).items() if "pdf" in name}
    assert first
    seal = next((out / "_media").iterdir())
    (content / "link.pdf").symlink_to(seal)
    assert build_without_engine(content, out).published == 2
    write_tree(content, {"talk.md": "---\naudience: curator\n---\n# Talk\n"})
    assert build_without_engine(content, out).published == 1
    assert not [name for name in read_tree(out) if "pdf" in name or "talk" in name]


def test_unproved_site_is_private_to_the_user(tmp_path: Path, content: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counts: list[int] = []
    prove = pipeline.Stages.prove

    def look(self: pipeline.Stages, proof: Any, site: Path) -> Any:
        counts.append(site.parent.stat().st_mode & 0o777)
        assert not [path for path in site.rglob("*") if path.name.endswith(".sqlite")]
        return prove(self, proof, site)

    monkeypatch.setattr(pipeline.Stages, "prove", look)
    build_without_engine(content, tmp_path / "public")
    assert counts == [0o700]
    assert (tmp_path / "public").stat().st_mode & 0o777 == 0o755

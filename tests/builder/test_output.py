"""The output folder: all of the new site, or all of the old one, and nobody else's files (G1)."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from ranvier_builder import BuildError, Config, pipeline
from ranvier_builder.errors import OutputError, ReadError
from ranvier_builder.output import ENTRY, _locked, list_written, swapped_in
from support.content import build_without_engine, write_tree
from support.pdf import pdf

Tree = Callable[[dict[str, str | bytes]], Path]


def snapshot(folder: Path) -> dict[str, bytes]:
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file()}


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A site that was built before."""
    return write_tree(tmp_path / "public", {"index.html": "old", ENTRY: "{}", "deep/x/index.html": "old"})


@pytest.fixture
def content(tree: Tree) -> Path:
    return tree({"a.md": "text"})


def names(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


def write_new(out: Path, content: Path) -> None:
    with swapped_in(out, content) as fresh:
        write_tree(fresh, {"index.html": "new", ENTRY: "{}"})


def test_a_new_site_takes_the_old_ones_place(old: Path, content: Path) -> None:
    write_new(old, content)
    assert snapshot(old) == {"index.html": b"new", ENTRY: b"{}"}
    assert names(old.parent) == ["content", "public"]


@pytest.mark.parametrize("out", ["fresh", "deep/er/fresh"])
def test_a_first_site(tmp_path: Path, content: Path, out: str) -> None:
    write_new(tmp_path / out, content)
    assert snapshot(tmp_path / out)["index.html"] == b"new"
    assert (tmp_path / out).stat().st_mode & 0o777 == 0o755


def test_an_empty_folder_may_be_used(tmp_path: Path, content: Path) -> None:
    (tmp_path / "empty").mkdir()
    write_new(tmp_path / "empty", content)
    assert (tmp_path / "empty" / "index.html").is_file()


def fail_in(out: Path, content: Path, error: BaseException) -> None:
    with swapped_in(out, content) as fresh:
        write_tree(fresh, {"index.html": "new"})
        raise error


@pytest.mark.parametrize("error", [OSError("disk full"), BuildError("no"), KeyboardInterrupt(), SystemExit(1)])
def test_a_failed_build_leaves_the_old_site(old: Path, content: Path, error: BaseException) -> None:
    before = snapshot(old)
    with pytest.raises(OutputError if isinstance(error, OSError) else type(error)):
        fail_in(old, content, error)
    assert snapshot(old) == before
    assert names(old.parent) == ["content", "public"]


@pytest.mark.parametrize(
    "stage",
    ["content_items", "read_items", "Gate", "place", "render_pages", "write_store", "copy_media", "write_entry", "find_leaks"],
)
def test_a_build_that_fails_at_any_stage_leaves_the_old_site(
    tmp_path: Path, content: Path, monkeypatch: pytest.MonkeyPatch, stage: str
) -> None:
    out = tmp_path / "public"
    build_without_engine(content, out)
    before = snapshot(out)
    content.joinpath("a.md").write_text("changed")

    def fail(*_: object, **__: object) -> None:
        raise ReadError("broke", file="a.md")

    monkeypatch.setattr(pipeline, stage, fail)
    with pytest.raises(ReadError):
        build_without_engine(content, out)
    assert snapshot(out) == before
    assert names(tmp_path) == ["content", "public"]


def test_built_twice_is_the_same_bytes(tmp_path: Path, content: Path) -> None:
    for name in ("one", "two"):
        build_without_engine(content, tmp_path / name, Config(title="T", default_audience="public"))
    assert snapshot(tmp_path / "one") == snapshot(tmp_path / "two")
    assert len(snapshot(tmp_path / "one")) > 10


@pytest.mark.parametrize(
    "files", [{"thesis.doc": "mine"}, {"index.html": "another generator's"}, {".git/config": "x"}, {"_ranvier/x": "no entry"}]
)
def test_a_folder_of_somebody_elses_is_refused(tmp_path: Path, content: Path, files: dict[str, str | bytes]) -> None:
    out = write_tree(tmp_path / "mine", files)
    before = snapshot(out)
    with pytest.raises(OutputError, match=r"not built by ranvier\n  cure: "):
        write_new(out, content)
    assert snapshot(out) == before


def test_a_file_is_refused(tmp_path: Path, content: Path) -> None:
    (tmp_path / "out").write_text("mine")
    with pytest.raises(OutputError, match="is a file"):
        write_new(tmp_path / "out", content)
    assert (tmp_path / "out").read_text() == "mine"


@pytest.mark.parametrize("out", ["content", "content/../content", "link", "."])
def test_the_content_itself_is_refused(tmp_path: Path, content: Path, out: str) -> None:
    (tmp_path / "link").symlink_to(content)
    with pytest.raises(OutputError, match="content"):
        write_new(tmp_path / out, content)
    assert snapshot(content) == {"a.md": b"text"}


def test_a_site_that_holds_the_content_is_refused(old: Path) -> None:
    """A swap would take the Markdown with it."""
    content = write_tree(old / "source", {"a.md": "precious"})
    with pytest.raises(OutputError, match="content"):
        write_new(old, content)
    assert content.joinpath("a.md").read_text() == "precious"


def test_a_swap_that_was_killed_halfway_is_undone(old: Path, content: Path) -> None:
    """The old site was moved away, and the new one was not yet there."""
    before = snapshot(old)
    old.rename(old.with_name(".public.ranvier-old"))
    with pytest.raises(RuntimeError), swapped_in(old, content):
        raise RuntimeError
    assert snapshot(old) == before
    assert names(old.parent) == ["content", "public"]


def test_a_swap_that_was_killed_after_it_is_tidied(old: Path, content: Path) -> None:
    write_tree(old.parent / ".public.ranvier-old", {"index.html": "older", ENTRY: "{}"})
    write_new(old, content)
    assert snapshot(old)["index.html"] == b"new"
    assert names(old.parent) == ["content", "public"]


def test_a_site_inside_the_content(content: Path) -> None:
    """`ranvier build . -o public` is common: the old site is no content of the new one."""
    for _ in range(2):
        assert build_without_engine(content, content / "public").read == 1
    assert content.joinpath("a.md").read_text() == "text"
    assert (content / "public" / "a" / "index.html").is_file()


def test_a_link_to_a_folder_can_be_built_to_again_and_again(tmp_path: Path, content: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "public").symlink_to(tmp_path / "real")
    for _ in range(3):
        write_new(tmp_path / "public", content)
        assert snapshot(tmp_path / "public")["index.html"] == b"new"


def test_a_failed_swap_puts_the_old_site_back(old: Path, content: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = snapshot(old)
    rename = Path.rename

    def refuse(self: Path, target: Path) -> Path:
        if self.name.startswith(".public.ranvier-") and Path(target) == old and not self.name.endswith("-old"):
            raise OSError(16, "Device or resource busy")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", refuse)
    with pytest.raises(OutputError, match="cannot be swapped in: Device or resource busy"):
        write_new(old, content)
    assert snapshot(old) == before
    assert names(old.parent) == ["content", "public"]


def test_a_folder_that_cannot_be_written(content: Path) -> None:
    """Root may write nearly everywhere, but not below a file that is no folder."""
    with pytest.raises(OutputError, match=r"cannot be written: .*\n  cure: "):
        write_new(Path("/dev/null/public") if os.name == "posix" else content / "a.md" / "x", content)


def test_no_content(tmp_path: Path, old: Path) -> None:
    before = snapshot(old)
    with pytest.raises(ReadError, match="is not a folder"):
        build_without_engine(tmp_path / "nothing", old)
    assert snapshot(old) == before


def test_what_hosts_and_version_control_put_there_stays(old: Path, content: Path) -> None:
    """A site's folder may be a checkout of its own; a build replaces pages, not history."""
    write_tree(old, {".git/HEAD": "ref", "CNAME": "example.org", ".nojekyll": "", "stale.html": "old"})
    write_new(old, content)
    assert snapshot(old) == {
        "index.html": b"new",
        ENTRY: b"{}",
        ".git/HEAD": b"ref",
        "CNAME": b"example.org",
        ".nojekyll": b"",
    }


def test_a_killed_builds_folder_is_cleared_and_a_living_ones_is_not(old: Path, content: Path) -> None:
    """A build holds a lock on its folder, which ends with it, however it ends."""
    gone, living = old.with_name(".public.ranvier-new-a"), old.with_name(".public.ranvier-new-b")
    gone.mkdir()
    living.mkdir()
    with _locked(living) as free:
        assert free
        write_new(old, content)
    assert not gone.exists()
    assert living.exists()


def test_files_that_no_build_wrote_stay_and_stale_pages_go(old: Path, content: Path) -> None:
    """The last build's own list tells the two apart."""
    list_written(old)
    write_tree(old, {"robots.txt": "mine", "_headers": "mine", "downloads/a.zip": "mine"})
    with swapped_in(old, content) as fresh:
        write_tree(fresh, {"index.html": "new", ENTRY: "{}"})
    assert snapshot(old) == {
        "index.html": b"new",
        ENTRY: b"{}",
        "robots.txt": b"mine",
        "_headers": b"mine",
        "downloads/a.zip": b"mine",
    }


@pytest.mark.parametrize("where", ["content/public", "content/sub/site"])
def test_a_site_inside_its_content_is_not_read_as_content(tmp_path: Path, where: str) -> None:
    """A2: what was published once and then withheld must not come back through the old output; nor does a site grow."""
    talk = {
        "a.md": "---\naudience: public\n---\n# A\n\n[talk](talk.pdf)\n",
        "talk.pdf": pdf(["Quillfeather said so."], title="Talk"),
    }
    content = write_tree(tmp_path / "content", {**talk, "link.pdf": b""})
    (content / "link.pdf").unlink()
    out = tmp_path / where
    build_without_engine(content, out)
    first = {name: data for name, data in snapshot(out).items() if "pdf" in name}
    assert first
    seal = next((out / "_media").iterdir())
    (content / "link.pdf").symlink_to(seal)
    assert build_without_engine(content, out).published == 2
    write_tree(content, {"talk.md": "---\naudience: curator\n---\n# Talk\n"})
    assert build_without_engine(content, out).published == 1
    assert not [name for name in snapshot(out) if "pdf" in name or "talk" in name]


def test_an_unproved_site_can_be_read_by_nobody_else(tmp_path: Path, content: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    prove = pipeline.find_leaks

    def look(fresh: Path, *rest: Any, **more: Any) -> Any:
        seen.append(fresh.stat().st_mode & 0o777)
        assert not [path for path in fresh.rglob("*") if path.name.endswith(".sqlite")]
        return prove(fresh, *rest, **more)

    monkeypatch.setattr(pipeline, "find_leaks", look)
    build_without_engine(content, tmp_path / "public")
    assert seen == [0o700]
    assert (tmp_path / "public").stat().st_mode & 0o777 == 0o755

"""I3: an incremental build writes the bytes of a full build, and repeats only what changed."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from ranvier_builder import Config, build, pipeline, publish, reuse
from ranvier_builder.errors import BuildError
from ranvier_builder.model import Page, Rendered
from ranvier_builder.work import Memory, pool
from ranvier_builder.work import read as reading
from ranvier_builder.work import render as rendering
from ranvier_builder.work.pool import Processes
from ranvier_builder.write.store import StoreResult
from support.content import stub_assets, write_tree
from support.pictures import another

CONFIG = Config(default_audience="public", url="https://x.example/")
PUBLIC = {
    "index.md": "# Home\n\nSee [[Axon]], [the node](node.md), [gone](gone.md) and ![a map](map.png).\n",
    "axon.md": "---\naliases: [Nerve fibre]\ntags: [cell]\n---\n# Axon\n\nIt is long. [[Myelin|The sheath]] is around it.\n",
    "node.md": "# Node\n\n## Of Ranvier\n\nA gap. [[Nerve fibre]] and [[later]].\n",
    "sub/myelin.md": "# Myelin\n\nFat. Back [home](../index.md).\n",
    "map.png": another(1),
}
Watched = dict[str, list[str]]


@pytest.fixture(autouse=True)
def _without_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(publish, "write_assets", stub_assets)
    monkeypatch.setattr(reading, "_SETTLE_TIME", 0)  # the files of a test are a moment old


@pytest.fixture
def content(tmp_path: Path) -> Path:
    return write_tree(tmp_path / "content", PUBLIC)


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> Watched:
    """What was read, and what was rendered, since the last look."""
    seen: Watched = {"read": [], "rendered": []}
    read, draw = reading._read, rendering.render_page

    def watched_read(root: Path, config: Config, job: reading._Job) -> reading._Result:
        result = read(root, config, job)
        if result.content is not None or "scratch" not in root.parts:  # the same bytes in the copy are not read again
            seen["read"].append(job.item.path)
        return result

    def watched_draw(page: Page, *rest: Any) -> rendering.RenderedPage:
        seen["rendered"].append(page.neuron.path)
        return draw(page, *rest)

    monkeypatch.setattr(reading, "_read", watched_read)
    monkeypatch.setattr(rendering, "render_page", watched_draw)
    return seen


def tree(folder: Path) -> dict[str, bytes]:
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file()}


def taken(done: Watched) -> tuple[list[str], list[str]]:
    read, rendered = sorted(done["read"]), sorted(done["rendered"])
    done["read"], done["rendered"] = [], []
    return read, rendered


@pytest.fixture
def rebuilt(tmp_path: Path, content: Path) -> Callable[[Config], dict[str, bytes]]:
    """Build with a memory, and assert that a build without one writes the same."""

    def both(config: Config = CONFIG) -> dict[str, bytes]:
        report = build(content, tmp_path / "public", config, memory=Memory(tmp_path / "cache"))
        clean = build(content, tmp_path / "clean", config)
        assert [str(warning) for warning in report.warnings] == [str(warning) for warning in clean.warnings]
        assert (report.links, report.unresolved, report.withheld) == (clean.links, clean.unresolved, clean.withheld)
        written = tree(tmp_path / "public")
        assert written == tree(tmp_path / "clean")
        return written

    return both


def remembered(tmp_path: Path, content: Path, done: Watched) -> tuple[list[str], list[str]]:
    taken(done)
    build(content, tmp_path / "public", CONFIG, memory=Memory(tmp_path / "cache"))
    return taken(done)


def test_unchanged_content_is_not_read_again(
    tmp_path: Path, content: Path, done: Watched, rebuilt: Callable[[], object]
) -> None:
    rebuilt()
    assert remembered(tmp_path, content, done) == ([], [])
    rebuilt()


@pytest.fixture
def stored(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The number of pages of each search index that was written."""
    written: list[int] = []
    write = reuse.write_store

    def watched(base: Path, work: Path, rendered: Sequence[Rendered], *rest: Any) -> StoreResult:
        written.append(len(rendered))
        return write(base, work, rendered, *rest)

    monkeypatch.setattr(reuse, "write_store", watched)
    return written


def test_search_files_are_written_only_if_their_input_changed(
    tmp_path: Path, content: Path, stored: list[int], rebuilt: Callable[..., object]
) -> None:
    def changed(files: dict[str, str], config: Config = CONFIG) -> list[int]:
        write_tree(content, files)
        stored.clear()
        build(content, tmp_path / "public", config, memory=Memory(tmp_path / "cache"))
        again = [*stored]
        rebuilt(config)
        return again

    assert changed({}) == [4]
    assert changed({}) == []
    assert changed({"secret.md": "---\naudience: curator\n---\n# Merger\n"}) == []
    assert changed({"secret.md": "---\naudience: curator\n---\n# Another merger\n"}) == []
    assert changed({"node.md": "# Node\n\n## Of Ranvier\n\nA gap. <!-- or two --> [[Nerve fibre]] and [[later]].\n"}) == []
    assert changed({"node.md": "# Node\n\nA quagga.\n"}) == [4]
    assert changed({"new.md": "# New\n"}) == [5]
    assert changed({}, replace(CONFIG, search=replace(CONFIG.search, substring=False))) == [5]


@pytest.mark.parametrize("harm", [lambda file: file.write_bytes(b"[]"), Path.unlink], ids=["changed", "missing"])
def test_changed_search_file_is_written_again(
    tmp_path: Path, stored: list[int], harm: Callable[[Path], object], rebuilt: Callable[[], object]
) -> None:
    rebuilt()
    harm(next((tmp_path / "public" / "_ranvier" / "lists").iterdir()))
    stored.clear()
    rebuilt()
    assert stored == [4, 4], "with and without a memory"


def test_edited_file_alone_is_read_and_rendered(
    tmp_path: Path, content: Path, done: Watched, rebuilt: Callable[[], object]
) -> None:
    before = rebuilt()
    (content / "axon.md").write_text("# Axon\n\nIt is short now.\n")
    assert remembered(tmp_path, content, done)[0] == ["axon.md"]
    assert rebuilt() != before


def test_touched_file_is_not_parsed_again(tmp_path: Path, content: Path, done: Watched, rebuilt: Callable[[], object]) -> None:
    """As after a fresh checkout: files are compared by content."""
    rebuilt()
    for file in content.rglob("*.md"):
        os.utime(file, (1, 1))
    read, rendered = remembered(tmp_path, content, done)
    assert len(read) == 4
    assert rendered == []
    assert remembered(tmp_path, content, done) == ([], [])


def test_file_with_equal_size_and_mtime_is_noticed(
    tmp_path: Path, content: Path, done: Watched, rebuilt: Callable[[], object]
) -> None:
    """By its inode or change time."""
    rebuilt()
    old = (content / "node.md").stat()
    (content / "node.md").write_text((content / "node.md").read_text().replace("A gap", "A map"))
    os.utime(content / "node.md", ns=(old.st_atime_ns, old.st_mtime_ns))
    assert remembered(tmp_path, content, done) == (["node.md"], ["node.md"])


@pytest.mark.parametrize(
    ("change", "rendered"),
    [
        ({"gone.md": "# Gone\n\nHere again.\n"}, ["gone.md", "index.md"]),
        ({"later.md": "# Later\n"}, ["later.md", "node.md"]),
        ({"axon.md": None}, ["index.md", "node.md"]),
        ({"axon.md": "---\naudience: curator\n---\n# Axon\n"}, ["index.md", "node.md"]),
        ({"axon.md": "# Axon\n"}, ["axon.md", "node.md"]),  # the alias went
        ({"map.png": another(2)}, ["index.md"]),
        ({"map.png": None}, ["index.md"]),
        ({"sub/axon.md": "# Axon\n\nAnother.\n"}, ["sub/axon.md"]),  # the nearer one is the old one
        ({"sub/myelin.md": "# Sheath\n\nFat.\n"}, ["sub/myelin.md"]),
        ({"node/index.md": "# Node too\n"}, None),  # two files for one address
    ],
)
def test_change_renders_the_pages_that_depend_on_it(
    tmp_path: Path,
    content: Path,
    done: Watched,
    rebuilt: Callable[[], object],
    change: dict[str, str | bytes | None],
    rendered: list[str] | None,
) -> None:
    rebuilt()
    for path, text in change.items():
        if text is None:
            (content / path).unlink()
        else:
            write_tree(content, {path: text})
    read, drawn = remembered(tmp_path, content, done)
    assert read == sorted(path for path, text in change.items() if text is not None and path.endswith(".md"))
    assert drawn == rendered or rendered is None
    rebuilt()


def test_other_config_reads_everything_again(
    tmp_path: Path, content: Path, done: Watched, rebuilt: Callable[..., object]
) -> None:
    rebuilt()
    taken(done)
    with pytest.raises(BuildError, match="nothing was published"):
        build(content, tmp_path / "public", Config(default_audience="tool"), memory=Memory(tmp_path / "cache"))
    read, rendered = taken(done)
    assert len(read) == 4
    assert rendered == []
    rebuilt(Config(default_audience="tool", publish_for="tool"))


def test_withheld_pages_are_not_in_the_page_cache(tmp_path: Path, content: Path, rebuilt: Callable[[], object]) -> None:
    rebuilt()
    write_tree(content, {"axon.md": "---\naudience: tool\n---\n# Axon\n"})
    rebuilt()
    with closing(sqlite3.connect(next((tmp_path / "cache").glob("*.sqlite")))) as db:
        paths = [path for (path,) in db.execute("SELECT path FROM page ORDER BY path")]
        assert paths == ["index.md", "node.md", "sub/myelin.md"]


def test_triggers_keep_the_search_tables_in_step(tmp_path: Path, content: Path, rebuilt: Callable[[], object]) -> None:
    """I3: after additions, changes and deletions."""
    rebuilt()
    write_tree(content, {"axon.md": "# Axon\n\nA zebra.\n", "new.md": "# New\n\nA quagga.\n"})
    (content / "node.md").unlink()
    rebuilt()
    with closing(sqlite3.connect(next((tmp_path / "cache").glob("*.sqlite")))) as db:
        db.execute("INSERT INTO chunk_fts(chunk_fts, rank) VALUES ('integrity-check', 1)")
        statement = "SELECT page FROM chunk JOIN chunk_fts ON chunk.id = chunk_fts.rowid WHERE chunk_fts MATCH ? ORDER BY page"
        assert db.execute(statement, ("zebra OR quagga",)).fetchall() == [("axon.md",), ("new.md",)]
        assert db.execute(statement, ("gap",)).fetchall() == []


def damaged(file: Path) -> None:
    data = bytearray(file.read_bytes())
    data[5000:9000] = b"\xff" * 4000
    file.write_bytes(data)


def cut_short(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:6000])


def no_database(file: Path) -> None:
    file.write_text("not a database at all, but long enough to look at" * 100)


def of_another_version(file: Path) -> None:
    with closing(sqlite3.connect(file)) as db:
        db.execute("UPDATE meta SET value = x'00'")
        db.commit()


def emptied(file: Path) -> None:
    file.write_bytes(b"")


@pytest.mark.parametrize("harm", [damaged, cut_short, no_database, of_another_version, emptied])
def test_damaged_working_database_is_replaced(
    tmp_path: Path, content: Path, done: Watched, rebuilt: Callable[[], object], harm: Callable[[Path], None]
) -> None:
    rebuilt()
    (file,) = (tmp_path / "cache").glob("*.sqlite")
    harm(file)
    assert len(remembered(tmp_path, content, done)[0]) == 4
    assert remembered(tmp_path, content, done) == ([], [])
    rebuilt()


def test_locked_working_database_is_not_used(
    tmp_path: Path, content: Path, done: Watched, rebuilt: Callable[[], object]
) -> None:
    rebuilt()
    (file,) = (tmp_path / "cache").glob("*.sqlite")
    with closing(sqlite3.connect(file, isolation_level=None)) as db:
        db.execute("BEGIN IMMEDIATE")
        assert len(remembered(tmp_path, content, done)[0]) == 4
    assert remembered(tmp_path, content, done) == ([], [])


def test_unwritable_cache_folder_does_not_stop_the_build(tmp_path: Path, content: Path) -> None:
    (tmp_path / "file").write_text("")
    assert build(content, tmp_path / "public", CONFIG, memory=Memory(tmp_path / "file" / "cache")).published == 4


def test_working_database_is_private_to_the_user(tmp_path: Path, rebuilt: Callable[[], object]) -> None:
    rebuilt()
    (file,) = (tmp_path / "cache").glob("*.sqlite")
    assert file.stat().st_mode & 0o077 == 0


def test_fresh_flag_discards_the_working_database(
    tmp_path: Path, content: Path, done: Watched, rebuilt: Callable[[], object]
) -> None:
    rebuilt()
    taken(done)
    build(content, tmp_path / "public", CONFIG, memory=Memory(tmp_path / "cache", fresh=True))
    assert len(taken(done)[0]) == 4


def test_failed_build_is_not_remembered(
    tmp_path: Path, content: Path, done: Watched, rebuilt: Callable[[], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    rebuilt()
    write_tree(content, {"axon.md": "# Axon\n\nNew words.\n"})
    taken(done)
    with monkeypatch.context() as broken:
        broken.setattr(pipeline, "render_pages", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            build(content, tmp_path / "public", CONFIG, memory=Memory(tmp_path / "cache"))
    assert taken(done)[0] == ["axon.md"]
    assert remembered(tmp_path, content, done)[0] == ["axon.md"]


@pytest.fixture(params=["processes", "threads", "two-jobs"])
def executor(request: pytest.FixtureRequest) -> Iterator[object]:
    if request.param == "two-jobs":
        with pool(2) as made:
            assert isinstance(made, Processes)
            yield made
    else:
        with ThreadPoolExecutor(3) if request.param == "threads" else pool(3) as made:
            yield made


def test_parallel_build_writes_the_same_bytes(tmp_path: Path, executor: ThreadPoolExecutor) -> None:
    many = {f"p{n:03}.md": f"# Page {n}\n\nSee [[Page {n + 1}]] and [[Page {n * 7 % 90}|back]].\n" for n in range(90)}
    content = write_tree(tmp_path / "content", many)
    shared = build(content, tmp_path / "shared", CONFIG, executor=executor)
    alone = build(content, tmp_path / "alone", CONFIG)
    assert tree(tmp_path / "shared") == tree(tmp_path / "alone")
    assert shared.warnings == alone.warnings


def test_one_job_starts_no_process() -> None:
    with pool(1) as executor:
        assert executor is None

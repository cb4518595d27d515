"""I3: an incremental build writes the bytes of a full build, and repeats only what changed."""

import os
import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from ranvier_builder import Config, build, pipeline, publish, reuse
from ranvier_builder.errors import BuildError, OutputError
from ranvier_builder.model import Page, Rendered
from ranvier_builder.paths import identity
from ranvier_builder.work import read as reading
from ranvier_builder.work import render as rendering
from ranvier_builder.work.database import Memory
from ranvier_builder.work.pool import Processes, pool
from ranvier_builder.write.store import StoreResult
from support.content import read_tree, stub_assets, write_tree
from support.pictures import another

CONFIG = Config(default_audience="public", url="https://x.example/")
PUBLIC = {
    "index.md": "# Home\n\nSee [[Axon]], [the node](node.md), [gone](gone.md) and ![a map](map.png).\n",
    "axon.md": "---\naliases: [Nerve fibre]\ntags: [cell]\n---\n# Axon\n\nIt is long. [[Myelin|The sheath]] is around it.\n",
    "node.md": "# Node\n\n## Of Ranvier\n\nA gap. [[Nerve fibre]] and [[later]].\n",
    "sub/myelin.md": "# Myelin\n\nFat. Back [home](../index.md).\n",
    "map.png": another(1),
}
Activity = dict[str, list[str]]
Rebuild = Callable[..., tuple[list[str], list[str]]]
Compare = Callable[..., dict[str, bytes]]


@pytest.fixture(autouse=True)
def _without_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(publish, "write_assets", stub_assets)
    monkeypatch.setattr(reading, "_SETTLE_TIME", 0)  # the files of a test were just written


@pytest.fixture
def content(tmp_path: Path) -> Path:
    return write_tree(tmp_path / "content", PUBLIC)


@pytest.fixture
def activity(monkeypatch: pytest.MonkeyPatch) -> Activity:
    """The paths that builds read and rendered."""
    paths: Activity = {"read": [], "rendered": []}
    read, draw = reading._read, rendering.render_page

    def watched_read(root: Path, config: Config, job: reading._Job) -> reading._Result:
        result = read(root, config, job)
        if result.content is not None or "scratch" not in root.parts:  # the same bytes in the copy are not read again
            paths["read"].append(job[0].path)
        return result

    def watched_draw(page: Page, *rest: Any) -> rendering.RenderedPage:
        paths["rendered"].append(page.neuron.path)
        return draw(page, *rest)

    monkeypatch.setattr(reading, "_read", watched_read)
    monkeypatch.setattr(rendering, "render_page", watched_draw)
    return paths


@pytest.fixture
def rebuild(tmp_path: Path, content: Path, activity: Activity) -> Rebuild:
    """Build with a working database; return the paths that this build read and rendered."""

    def rebuild(config: Config = CONFIG, *, fresh: bool = False) -> tuple[list[str], list[str]]:
        for paths in activity.values():
            paths.clear()
        build(content, tmp_path / "public", config, memory=Memory(tmp_path / "cache", fresh=fresh))
        return sorted(activity["read"]), sorted(activity["rendered"])

    return rebuild


@pytest.fixture
def compare(tmp_path: Path, content: Path) -> Compare:
    """Build with a working database, and assert that a build without one writes the same."""

    def compare(config: Config = CONFIG) -> dict[str, bytes]:
        report = build(content, tmp_path / "public", config, memory=Memory(tmp_path / "cache"))
        clean = build(content, tmp_path / "clean", config)
        assert [str(warning) for warning in report.warnings] == [str(warning) for warning in clean.warnings]
        assert (report.links, report.unresolved, report.withheld) == (clean.links, clean.unresolved, clean.withheld)
        written = read_tree(tmp_path / "public")
        assert written == read_tree(tmp_path / "clean")
        return written

    return compare


def test_unchanged_content_is_not_read_again(rebuild: Rebuild, compare: Compare) -> None:
    compare()
    assert rebuild() == ([], [])
    compare()


@pytest.fixture
def index_sizes(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The number of pages of each search index that was written."""
    written: list[int] = []
    write = reuse.write_store

    def watched(base: Path, work: Path, rendered: Sequence[Rendered], *rest: Any) -> StoreResult:
        written.append(len(rendered))
        return write(base, work, rendered, *rest)

    monkeypatch.setattr(reuse, "write_store", watched)
    return written


def test_search_files_are_written_only_if_their_input_changed(
    content: Path, index_sizes: list[int], rebuild: Rebuild, compare: Compare
) -> None:
    def written(files: dict[str, str], config: Config = CONFIG) -> list[int]:
        write_tree(content, files)
        index_sizes.clear()
        rebuild(config)
        sizes = [*index_sizes]
        compare(config)
        return sizes

    assert written({}) == [4]
    assert written({}) == []
    assert written({"secret.md": "---\naudience: curator\n---\n# Merger\n"}) == []
    assert written({"secret.md": "---\naudience: curator\n---\n# Another merger\n"}) == []
    assert written({"node.md": "# Node\n\n## Of Ranvier\n\nA gap. <!-- or two --> [[Nerve fibre]] and [[later]].\n"}) == []
    assert written({"node.md": "# Node\n\nA quagga.\n"}) == [4]
    assert written({"new.md": "# New\n"}) == [5]
    assert written({}, replace(CONFIG, search=replace(CONFIG.search, substring=False))) == [5]


@pytest.mark.parametrize("damage", [lambda file: file.write_bytes(b"[]"), Path.unlink], ids=["changed", "missing"])
def test_changed_search_file_is_written_again(
    tmp_path: Path, index_sizes: list[int], damage: Callable[[Path], object], rebuild: Rebuild, compare: Compare
) -> None:
    rebuild()
    damage(next((tmp_path / "public" / "_ranvier" / "lists").iterdir()))
    index_sizes.clear()
    compare()
    assert index_sizes == [4, 4], "with and without a working database"


def test_edited_file_alone_is_read_and_rendered(content: Path, rebuild: Rebuild, compare: Compare) -> None:
    before = compare()
    (content / "axon.md").write_text("# Axon\n\nIt is short now.\n")
    assert rebuild()[0] == ["axon.md"]
    assert compare() != before


def test_touched_file_is_not_parsed_again(content: Path, rebuild: Rebuild) -> None:
    """As after a fresh checkout: files are compared by content."""
    rebuild()
    for file in content.rglob("*.md"):
        os.utime(file, (1, 1))
    read, rendered = rebuild()
    assert len(read) == 4
    assert rendered == []
    assert rebuild() == ([], [])


def test_file_with_equal_size_and_mtime_is_noticed(content: Path, rebuild: Rebuild) -> None:
    """By its inode or change time."""
    rebuild()
    old = (content / "node.md").stat()
    (content / "node.md").write_text((content / "node.md").read_text().replace("A gap", "A map"))
    os.utime(content / "node.md", ns=(old.st_atime_ns, old.st_mtime_ns))
    assert rebuild() == (["node.md"], ["node.md"])


@pytest.mark.parametrize(
    ("change", "rendered"),
    [
        ({"gone.md": "# Gone\n\nHere again.\n"}, ["gone.md", "index.md"]),
        ({"later.md": "# Later\n"}, ["later.md", "node.md"]),
        ({"axon.md": None}, ["index.md", "node.md"]),
        ({"axon.md": "---\naudience: curator\n---\n# Axon\n"}, ["index.md", "node.md"]),
        ({"axon.md": "# Axon\n"}, ["axon.md", "node.md"]),  # without the alias
        ({"map.png": another(2)}, ["index.md"]),
        ({"map.png": None}, ["index.md"]),
        ({"sub/axon.md": "# Axon\n\nAnother.\n"}, ["sub/axon.md"]),  # the old page is nearer
        ({"sub/myelin.md": "# Sheath\n\nFat.\n"}, ["sub/myelin.md"]),
        ({"node/index.md": "# Node too\n"}, None),  # two files for one address
    ],
)
def test_change_renders_the_pages_that_depend_on_it(
    content: Path, rebuild: Rebuild, compare: Compare, change: dict[str, str | bytes | None], rendered: list[str] | None
) -> None:
    rebuild()
    for path, text in change.items():
        if text is None:
            (content / path).unlink()
        else:
            write_tree(content, {path: text})
    read, rendered_again = rebuild()
    assert read == sorted(path for path, text in change.items() if text is not None and path.endswith(".md"))
    assert rendered_again == rendered or rendered is None
    compare()


def test_other_config_reads_everything_again(rebuild: Rebuild, compare: Compare, activity: Activity) -> None:
    rebuild()
    with pytest.raises(BuildError, match="nothing was published"):
        rebuild(Config(default_audience="tool"))
    assert (len(activity["read"]), activity["rendered"]) == (4, [])
    compare(Config(default_audience="tool", publish_for="tool"))


def test_withheld_pages_are_not_in_the_page_cache(tmp_path: Path, content: Path, rebuild: Rebuild, compare: Compare) -> None:
    rebuild()
    write_tree(content, {"axon.md": "---\naudience: tool\n---\n# Axon\n"})
    compare()
    with closing(sqlite3.connect(next((tmp_path / "cache").glob("*.sqlite")))) as db:
        paths = [path for (path,) in db.execute("SELECT path FROM page ORDER BY path")]
        assert paths == ["index.md", "node.md", "sub/myelin.md"]


def test_triggers_keep_the_search_tables_in_step(tmp_path: Path, content: Path, rebuild: Rebuild, compare: Compare) -> None:
    """I3: after additions, changes and deletions."""
    rebuild()
    write_tree(content, {"axon.md": "# Axon\n\nA zebra.\n", "new.md": "# New\n\nA quagga.\n"})
    (content / "node.md").unlink()
    compare()
    with closing(sqlite3.connect(next((tmp_path / "cache").glob("*.sqlite")))) as db:
        db.execute("INSERT INTO chunk_fts(chunk_fts, rank) VALUES ('integrity-check', 1)")
        statement = "SELECT page FROM chunk JOIN chunk_fts ON chunk.id = chunk_fts.rowid WHERE chunk_fts MATCH ? ORDER BY page"
        assert db.execute(statement, ("zebra OR quagga",)).fetchall() == [("axon.md",), ("new.md",)]
        assert db.execute(statement, ("gap",)).fetchall() == []


def of_another_version(file: Path) -> bytes:
    with closing(sqlite3.connect(file)) as db:
        db.execute("UPDATE meta SET value = x'00'")
        db.commit()
    return file.read_bytes()


DAMAGES: dict[str, Callable[[Path], bytes]] = {
    "damaged": lambda file: (data := file.read_bytes())[:5000] + b"\xff" * 4000 + data[9000:],
    "cut short": lambda file: file.read_bytes()[:6000],
    "no database": lambda _: b"not a database at all, but long enough to look at" * 100,
    "of another version": of_another_version,
    "emptied": lambda _: b"",
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_working_database_is_replaced(tmp_path: Path, rebuild: Rebuild, compare: Compare, damage: str) -> None:
    rebuild()
    (file,) = (tmp_path / "cache").glob("*.sqlite")
    file.write_bytes(DAMAGES[damage](file))
    assert len(rebuild()[0]) == 4
    assert rebuild() == ([], [])
    compare()


@pytest.mark.parametrize("fresh", [False, True])
def test_locked_working_database_is_not_used(tmp_path: Path, rebuild: Rebuild, fresh: bool) -> None:
    rebuild()
    (file,) = (tmp_path / "cache").glob("*.sqlite")
    with closing(sqlite3.connect(file, isolation_level=None)) as db:
        db.execute("BEGIN IMMEDIATE")
        locked = identity(file)
        assert len(rebuild(fresh=fresh)[0]) == 4
        assert identity(file) == locked, "SQLite refuses to write a file that was replaced"
    assert rebuild() == ([], [])


def test_unwritable_cache_folder_does_not_stop_the_build(tmp_path: Path, content: Path) -> None:
    (tmp_path / "file").write_text("")
    assert build(content, tmp_path / "public", CONFIG, memory=Memory(tmp_path / "file" / "cache")).published == 4


@pytest.mark.parametrize("cache", ["public", "public/.cache", "cache"])
def test_cache_that_would_be_published_is_refused(tmp_path: Path, content: Path, cache: str) -> None:
    folder = (tmp_path if cache.startswith("public") else content) / cache
    with pytest.raises(OutputError, match=r"the cache contains private text\n  cure: name another folder with --cache"):
        build(content, tmp_path / "public", CONFIG, memory=Memory(folder))
    assert not folder.exists()


def test_hidden_cache_in_the_content_is_used(tmp_path: Path, content: Path) -> None:
    build(content, tmp_path / "public", CONFIG, memory=Memory(content / ".cache"))
    assert len([*(content / ".cache").glob("*.sqlite")]) == 1


def test_working_database_is_private_to_the_user(tmp_path: Path, rebuild: Rebuild) -> None:
    rebuild()
    (file,) = (tmp_path / "cache").glob("*.sqlite")
    assert file.stat().st_mode & 0o077 == 0


def test_fresh_flag_discards_the_working_database(rebuild: Rebuild) -> None:
    rebuild()
    assert len(rebuild(fresh=True)[0]) == 4


def test_failed_build_is_not_remembered(
    content: Path, rebuild: Rebuild, activity: Activity, monkeypatch: pytest.MonkeyPatch
) -> None:
    rebuild()
    write_tree(content, {"axon.md": "# Axon\n\nNew words.\n"})
    with monkeypatch.context() as patched:
        patched.setattr(pipeline, "render_pages", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            rebuild()
    assert activity["read"] == ["axon.md"]
    assert rebuild()[0] == ["axon.md"]


def test_parallel_build_writes_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also of lists and of the leak check, which names a withheld text that a warning is about."""
    in_processes: dict[str, bool] = {}

    def record(name: str, *args: Any, call: Callable[..., Any]) -> Any:
        in_processes[name] = any(isinstance(arg, Processes) for arg in args)
        return call(*args)

    for name in ("background", "map_items"):
        monkeypatch.setattr(pipeline, name, partial(record, name, call=getattr(pipeline, name)))
    monkeypatch.setattr(pipeline, "_MANY_PAGES", 1)
    pages = {f"p{n:03}.md": f"# Page {n}\n\nSee [[Page {n + 1}]] and [[Page {n * 7 % 90}|back]].\n" for n in range(90)}
    content = write_tree(tmp_path / "content", pages)
    sentence = " ".join(f"word{number}" for number in range(12))
    write_tree(content, {"secret.md": f"---\naudience: curator\n---\n{sentence}\n"})
    config = replace(CONFIG, search_placeholder=sentence)
    single_build = build(content, tmp_path / "alone", config)
    assert "leak" in {warning.kind for warning in single_build.warnings}
    for name, executors in (("processes", pool(2)), ("threads", ThreadPoolExecutor(3))):
        with executors as executor:
            assert isinstance(executor, Processes) == (name == "processes")
            shared = build(content, tmp_path / name, config, executor=executor)
        assert read_tree(tmp_path / name) == read_tree(tmp_path / "alone"), name
        assert in_processes == dict.fromkeys(("background", "map_items"), name == "processes")
        assert shared.warnings == single_build.warnings


def test_one_job_starts_no_process() -> None:
    with pool(1) as executor:
        assert executor is None

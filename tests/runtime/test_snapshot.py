"""The snapshot: foresight, integrity, and never a silent miss (B2, X3)."""

from __future__ import annotations

import json
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import ranvier
from ranvier import Engine, FetchError, FormatError, IntegrityError, SearchRequest
from ranvier.legs.text import _SQL as SQL
from ranvier.query.fts import expression
from ranvier.query.syntax import parse
from ranvier.store import texts
from ranvier.store.format import deflate
from ranvier.store.manifest import Manifest
from ranvier.store.source import FolderSource, SparseFile, answer
from ranvier_builder.write import split, store
from support.content import drive, generated

QUERIES = (
    "everywhere",
    "alpha3",
    "only17x2",
    "nosuchword",
    "zzzz",
    "aaaa",
    "everywhere alpha3",
    "alpha1 OR alpha2 OR only3x3",
    "everywhere NOT alpha3",
    '"everywhere only17x2"',
    '"part ba"',
    "NEAR(everywhere alpha3, 5)",
    "ba*",
    "b*",
    "z*",
    "only1*",
    "page 12",
    "(ba* OR da*) alpha5",
    "日本語",
    "ever",
    "everywhere* ba*",
)


class Recording(SparseFile):
    """A page file that remembers which pages it was given."""

    def __init__(self) -> None:
        super().__init__()
        self.pages: set[int] = set()

    def put(self, first_page: int, data: bytes) -> None:
        super().put(first_page, data)
        self.pages |= set(range(first_page, first_page + len(data) // 4096))


def opened(base: Path) -> tuple[Engine, Recording, FolderSource]:
    source, pages = FolderSource(base), Recording()
    entry = source.entry()
    return Engine.open({name: source.read(name) for name in (entry["manifest"], entry["hot"])}, pages), pages, source


@pytest.fixture(scope="module", params=[1, 2, 4])
def split_store(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The generated store with as many pages to an index file as the parameter says."""
    folder = tmp_path_factory.mktemp(f"per{request.param}")
    for name in ("base", "work"):
        (folder / name).mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "split_snapshot", lambda file: split.split_snapshot(file, request.param))
        stored = store.write_store(folder / "base", folder / "work", generated(), "site", {})
    entry = {"format": 1, "manifest": stored.manifest, "hot": stored.hot}
    (folder / "base" / "entry.json").write_text(json.dumps(entry))
    return folder / "base"


@pytest.fixture
def engine(split_store: Path) -> Iterator[tuple[Engine, Recording, FolderSource]]:
    engine, pages, source = opened(split_store)
    yield engine, pages, source
    engine.close()
    pages.close()


@pytest.mark.parametrize("prefix", [False, True])
@pytest.mark.parametrize("query", QUERIES)
def test_two_rounds_and_nothing_unforeseen(engine: tuple[Engine, Recording, FolderSource], query: str, prefix: bool) -> None:
    """One round for posting files, one for texts; and only what was asked for ever reaches the page file."""
    core, pages, source = engine
    hot = set(pages.pages)
    manifest = core.snapshot.manifest
    assert hot.isdisjoint(manifest.cold_pages)
    assert hot | {*manifest.cold_pages} == {*range(1, manifest.page_count + 1)}
    _, needs = drive(core.search(SearchRequest(query, limit=5, prefix=prefix)), source)
    assert len(needs) <= 2, "widening from all words to some asks no index file again: they were the same words"
    assert core.rounds == len(needs)
    assert core.snapshot.misses == 0
    names = [name for need in needs for name in need.files]
    assert len(names) == len(set(names))
    numbers = [number for number in range(len(manifest.index.sizes)) if manifest.index.name(number) in names]
    assert pages.pages - hot == {page for number in numbers for page in manifest.pages_of(number)}


def test_the_same_rows_as_the_whole_file(large_store: Path) -> None:
    """Every row and score that SQLite gives from the file that was split, in the same order."""
    engine, pages, source = opened(large_store)
    with closing(sqlite3.connect(large_store.parent / "work" / "snapshot.sqlite")) as whole:
        for query in QUERIES:
            tree = parse(query).tree
            assert tree is not None
            parameters = (expression(tree), "bm25(10.0, 5.0, 5.0, 1.0)", 2000)
            got, _ = drive(engine.snapshot.query(SQL, parameters, []), source)
            assert got == whole.execute(SQL, parameters).fetchall(), query
    engine.close()
    pages.close()


def test_what_was_fetched_is_not_asked_for_again(engine: tuple[Engine, Recording, FolderSource]) -> None:
    core, _, source = engine
    _, first = drive(core.search(SearchRequest("alpha3 ba*")), source)
    _, again = drive(core.search(SearchRequest("alpha3 ba*")), source)
    assert first
    assert again == []


def test_an_unforeseen_page_is_asked_for_and_counted(engine: tuple[Engine, Recording, FolderSource]) -> None:
    """A miss costs rounds, never a row: the answer is the one that foresight would have given."""
    core, _, source = engine
    parameters = (expression(parse("everywhere").tree), "bm25(1, 1, 1, 1)", 5000)  # type: ignore[arg-type]
    rows, needs = drive(core.snapshot.query(SQL, parameters, []), source)
    assert len(rows) == 1600
    assert needs
    assert core.snapshot.misses > 0


@pytest.fixture
def copy(large_store: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(large_store, tmp_path / "base"))


def spoil(file: Path, how: str) -> bytes:
    """Damage a file; return what it held."""
    data = file.read_bytes()
    match how:
        case "bit":
            file.write_bytes(bytes([data[0]]) + bytes([data[1] ^ 1]) + data[2:])
        case "cut":
            file.write_bytes(data[: len(data) // 2])
        case "page":
            file.write_bytes(b"<!doctype html><title>Not found</title>")
        case "other":  # whole in itself: a stale copy, or what a host put in its place
            file.write_bytes(deflate(bytes(8192)))
        case "gone":
            file.unlink()
    return data


@pytest.mark.parametrize(
    ("how", "error"),
    [
        ("bit", IntegrityError),
        ("cut", IntegrityError),
        ("page", IntegrityError),
        ("other", IntegrityError),
        ("gone", FetchError),
    ],
)
@pytest.mark.parametrize("folder", ["index", "text"])
def test_a_bad_file_is_an_error_and_nothing_of_it_is_kept(copy: Path, folder: str, how: str, error: type[FetchError]) -> None:
    """X3: an error that names the file; once it is whole again, the same library answers."""
    with ranvier.open_snapshot(copy) as good:
        expected = [(hit.id, hit.score, hit.snippet) for hit in good.search("alpha3 bano").hits]
    assert expected
    files = list((copy / folder).iterdir())
    kept = {file: spoil(file, how) for file in files}
    with ranvier.open_snapshot(copy) as library:
        for _ in range(2):
            with pytest.raises(error) as caught:
                library.search("alpha3 bano")
            assert caught.value.name.startswith(f"{folder}/")
            assert caught.value.code == ("fetch" if how == "gone" else "integrity")
        for file, data in kept.items():
            file.write_bytes(data)
        assert [(hit.id, hit.score, hit.snippet) for hit in library.search("alpha3 bano").hits] == expected


def test_one_bad_file_of_a_round_spoils_none_of_the_others(copy: Path) -> None:
    engine, pages, source = opened(copy)
    hot = set(pages.pages)
    steps = engine.search(SearchRequest("b*"))
    need = next(steps)
    assert len(need.files) > 1
    delivered = dict(answer(source, need))
    delivered[need.files[-1]] += b"x"
    with pytest.raises(IntegrityError):
        steps.send(delivered)
    assert pages.pages == hot, "no page was kept"
    result, _ = drive(engine.search(SearchRequest("b*")), source)
    assert result.hits
    engine.close()
    pages.close()


def test_a_file_that_was_not_delivered(copy: Path) -> None:
    engine, pages, _ = opened(copy)
    steps = engine.search(SearchRequest("alpha3"))
    next(steps)
    with pytest.raises(FetchError, match="was not delivered"):
        steps.send({})
    engine.close()
    pages.close()


@pytest.mark.parametrize("kind", ["manifest", "hot"])
@pytest.mark.parametrize("how", ["bit", "cut", "page", "other"])
def test_a_bad_manifest_or_hot_pack(copy: Path, kind: str, how: str) -> None:
    spoil(next(copy.glob(f"{kind}-*.bin")), how)
    with pytest.raises(IntegrityError, match=kind):
        ranvier.open_snapshot(copy)


@pytest.mark.parametrize("kind", ["manifest", "hot"])
def test_a_missing_manifest_or_hot_pack(copy: Path, kind: str) -> None:
    next(copy.glob(f"{kind}-*.bin")).unlink()
    with pytest.raises(FetchError, match=kind):
        ranvier.open_snapshot(copy)


def test_no_snapshot_in_the_folder(tmp_path: Path) -> None:
    with pytest.raises(FetchError, match=r"entry\.json"):
        ranvier.open_snapshot(tmp_path)


@pytest.mark.parametrize(
    "entry",
    [
        '{"format": 2}',
        '{"format": 1}',  # names nothing
        '{"format": 1, "manifest": "manifest-00.bin"}',
        '{"format": 1, "manifest": 5, "hot": null}',
        "[]",
        "{",
        "",
        "<!doctype html>",
    ],
)
def test_an_entry_of_another_format_says_the_cure(tmp_path: Path, entry: str) -> None:
    (tmp_path / "entry.json").write_text(entry)
    with pytest.raises(FormatError, match="build the site again"):
        ranvier.open_snapshot(tmp_path)


def test_an_entry_that_is_not_text(tmp_path: Path) -> None:
    (tmp_path / "entry.json").write_bytes(b"\xff\xfe{}")
    with pytest.raises(FormatError, match="build the site again"):
        ranvier.open_snapshot(tmp_path)


@pytest.mark.parametrize("change", [{"format": 2}, {"analyser": "xx-9"}])
def test_a_manifest_of_another_format_says_the_cure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: dict[str, Any]
) -> None:
    whole = store.pack
    monkeypatch.setattr(
        store, "pack", lambda value: whole(value | change if isinstance(value, dict) and "site" in value else value)
    )
    (tmp_path / "w").mkdir()
    stored = store.write_store(tmp_path, tmp_path / "w", generated(1, 1), "site", {})
    (tmp_path / "entry.json").write_text(json.dumps({"format": 1, "manifest": stored.manifest, "hot": stored.hot}))
    with pytest.raises(FormatError, match="build the site again"):
        ranvier.open_snapshot(tmp_path)


@pytest.mark.parametrize("pages", [0, 1, 3, 30])
def test_small_sites(tmp_path: Path, pages: int) -> None:
    """From nothing at all: the whole index may be one hot page."""
    (tmp_path / "w").mkdir()
    stored = store.write_store(tmp_path, tmp_path / "w", generated(pages, 2), "site", {})
    (tmp_path / "entry.json").write_text(json.dumps({"format": 1, "manifest": stored.manifest, "hot": stored.hot}))
    with ranvier.open_snapshot(tmp_path) as library:
        assert library.search("everywhere").total_hits == pages
        assert library.search("only1x0").total_hits == min(pages, 1)
        assert library.search("nosuchword").hits == ()


@pytest.mark.parametrize("name", ["a b", "50% off", "what?", "sharp#1", "%41"])
def test_any_temporary_folder(tmp_path: Path, large_store: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """SQLite opens the page file by a URI, in which some characters mean something."""
    (tmp_path / name).mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / name))
    with ranvier.open_snapshot(large_store) as library:
        assert library.search("alpha3").hits
    assert list((tmp_path / name).iterdir()) == [], "and leaves nothing there"


def test_a_search_under_way_keeps_its_texts(large_store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Shards that another search pushes out meanwhile are not missing from the first one's answer."""
    monkeypatch.setattr(texts, "_KEPT", 1)
    engine, pages, source = opened(large_store)
    alone, _ = drive(engine.search(SearchRequest("only1x1 OR only400x1")), source)
    drive(engine.search(SearchRequest("only1x1")), source)
    steps = engine.search(SearchRequest("only1x1 OR only400x1"))
    need = next(steps)  # the shard of page 400; that of page 1 is there
    drive(engine.search(SearchRequest("only200x1")), source)
    with pytest.raises(StopIteration) as done:
        steps.send(answer(source, need))
    assert done.value.value == alone
    engine.close()
    pages.close()


def test_manifest_is_what_the_store_holds(large_store: Path) -> None:
    engine, pages, _ = opened(large_store)
    manifest: Manifest = engine.snapshot.manifest
    for files in (manifest.index, manifest.text):
        names = {files.name(number): size for number, size in enumerate(files.sizes)}
        assert names == {f"{files.folder}/{file.name}": file.stat().st_size for file in (large_store / files.folder).iterdir()}
    assert manifest.chunk_count == 1600
    assert len(manifest.neuron_first) == 400
    engine.close()
    pages.close()


def test_page_file_tells_what_is_missing(tmp_path: Path) -> None:
    pages = SparseFile()
    pages.reserve(512, 5)
    assert pages.take_misses() == [1, 2, 3, 4, 5]
    pages.put(2, b"x" * 1024)
    assert pages.take_misses() == [1, 4, 5]
    assert Path(pages.path).read_bytes() == bytes(512) + b"x" * 1024 + bytes(1024)
    pages.close()
    assert not Path(pages.path).exists()


def test_folder_source_takes_the_site_or_its_inner_folder(small_site: Path) -> None:
    entry: Mapping[str, Any] = FolderSource(small_site).entry()
    assert FolderSource(small_site / "_ranvier").entry() == entry

"""The split: from the hot pack and the index files the whole database comes back (B2)."""

from __future__ import annotations

import sqlite3
from bisect import bisect_right
from contextlib import closing
from pathlib import Path

import pytest
from ranvier.store.docsize import decode, leaf_page
from ranvier_builder.model import Row
from ranvier_builder.write.btree import Pages, read_varint
from ranvier_builder.write.snapshot import PAGE_SIZE, analysed, write_snapshot
from ranvier_builder.write.split import SplitSnapshot, split_snapshot
from support.content import generated

ASKED = "SELECT rowid, rank FROM chunk_fts WHERE chunk_fts MATCH ? AND rank MATCH 'bm25(10,5,5,1)' ORDER BY rank, rowid"


def reassembled(split: SplitSnapshot) -> bytes:
    """Put a split snapshot together again, as a reader does, but all of it."""
    out = bytearray(split.head["page_size"] * split.head["page_count"])
    seen: list[int] = []

    def put(first: int, data: bytes) -> None:
        assert len(data) % PAGE_SIZE == 0
        out[(first - 1) * PAGE_SIZE : (first - 1) * PAGE_SIZE + len(data)] = data
        seen.extend(range(first, first + len(data) // PAGE_SIZE))

    for first, data in split.hot["pages"]:
        put(first, data)
    sizes = split.hot["docsize"]
    blobs = decode(sizes["columns"], sizes["plane"], sizes["large"])
    for page, first, rows in sizes["pages"]:
        put(page, leaf_page(PAGE_SIZE, first, blobs[:rows]))
        del blobs[:rows]
    assert blobs == []
    cold = split.head["cold_pages"]
    for number, data in enumerate(split.files):
        for at in range(len(data) // PAGE_SIZE):
            put(cold[number * split.head["pages_per_file"] + at], data[at * PAGE_SIZE : (at + 1) * PAGE_SIZE])
    assert sorted(seen) == list(range(1, split.head["page_count"] + 1)), "every page once"
    return bytes(out)


def rows_of(file: Path) -> list[tuple[int, bytes]]:
    with closing(sqlite3.connect(file)) as db:
        return db.execute("SELECT id, sz FROM chunk_fts_docsize ORDER BY id").fetchall()


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("split") / "snapshot.sqlite"
    made = generated()
    rows = [row for one in made for row in analysed(one.page.neuron, one.chunks)]
    # Two rows whose counts do not fit into one byte, and one of nothing.
    rows[100] = Row("long", "", "", "verylong " * 300)
    rows[700] = Row("t " * 255, "g " * 254, "h " * 256, "b " * 20_000)
    rows[701] = Row("", "", "", "")
    assert write_snapshot(file, rows) == 1600
    return file


@pytest.mark.parametrize("per_file", [1, 2, 3, 8, 1000])
def test_together_again(database: Path, tmp_path: Path, per_file: int) -> None:
    split = split_snapshot(database, per_file)
    assert split.head["pages_per_file"] == per_file
    assert len(split.files) == -(-len(split.head["cold_pages"]) // per_file) > 0
    copy = tmp_path / "copy.sqlite"
    copy.write_bytes(reassembled(split))
    assert rows_of(copy) == rows_of(database)
    with closing(sqlite3.connect(database)) as whole, closing(sqlite3.connect(copy)) as again:
        assert again.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        again.execute("INSERT INTO chunk_fts(chunk_fts, rank) VALUES ('integrity-check', 0)")
        for query in ("everywher", "alpha3 AND ba*", "everywher NOT alpha1", "verylong", "only17x2", "z*", "nosuch"):
            assert again.execute(ASKED, (query,)).fetchall() == whole.execute(ASKED, (query,)).fetchall()
        assert len(whole.execute(ASKED, ("everywher",)).fetchall()) == 1597


def test_most_is_cold(database: Path) -> None:
    """What every query needs is a small part: the rest waits until it is asked for."""
    split = split_snapshot(database)
    cold = len(split.head["cold_pages"])
    assert split.head["cold_pages"] == sorted(split.head["cold_pages"])
    assert cold > 0.8 * split.head["page_count"]
    assert split.hot["docsize"]["pages"], "row sizes are laid out by column"


def test_docsize_holds_large_counts(database: Path) -> None:
    assert 300 in split_snapshot(database).hot["docsize"]["large"]
    assert 20_000 in split_snapshot(database).hot["docsize"]["large"]


def test_files_are_the_pages_that_they_name(database: Path) -> None:
    data = database.read_bytes()
    split = split_snapshot(database, 2)
    flat = b"".join(split.files)
    for at, page in enumerate(split.head["cold_pages"]):
        assert flat[at * PAGE_SIZE : (at + 1) * PAGE_SIZE] == data[(page - 1) * PAGE_SIZE : page * PAGE_SIZE]


def test_first_leaves_are_what_sqlite_says(database: Path) -> None:
    """Every term's leaf lies on the page that the numbers say."""
    split = split_snapshot(database, 1)
    first = split.head["first_leaf"]
    with closing(sqlite3.connect(database)) as db:
        ids = [
            row & 0x7FFFFFFF
            for (row,) in db.execute("SELECT id FROM chunk_fts_data WHERE id >> 37 > 0 AND id >> 31 & 63 = 0 ORDER BY id")
        ]
    assert split.head["last_leaf"] == ids[-1] == first[-1]
    assert first == [leaf for leaf in ids if leaf >= first[0]]
    assert [bisect_right(first, leaf) - 1 for leaf in ids if leaf >= first[0]] == list(range(len(first)))


def test_edges_are_the_last_terms_before_another_file(database: Path) -> None:
    split = split_snapshot(database, 1)
    with closing(sqlite3.connect(database)) as db:
        db.execute("CREATE VIRTUAL TABLE temp.v USING fts5vocab('main', 'chunk_fts', 'row')")
        terms = {term for (term,) in db.execute("SELECT term FROM v")}
        index = db.execute("SELECT pgno >> 1, substr(term, 2) FROM chunk_fts_idx ORDER BY term").fetchall()
    leaf, last = 0, b""
    assert split.hot["edges"]
    for step, term in split.hot["edges"]:
        leaf += step
        assert term in terms
        assert term.encode() > last, "rising, as the leaves are"
        last = term.encode()
        at = [number for number, _ in index].index(leaf)
        if at + 1 < len(index):
            assert term.encode() < bytes(index[at + 1][1]), "below the next leaf's first"
        assert term.encode() >= bytes(index[at][1] or b""), "not below its own"


@pytest.mark.parametrize("count", [0, 1, 2, 50])
def test_small_databases(tmp_path: Path, count: int) -> None:
    """From none at all: everything may be hot."""
    file = tmp_path / "small.sqlite"
    assert write_snapshot(file, [Row(f"title {number}", "tag", "", "same words here") for number in range(count)]) == count
    split = split_snapshot(file)
    copy = tmp_path / "copy.sqlite"
    copy.write_bytes(reassembled(split))
    with closing(sqlite3.connect(copy)) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert len(db.execute(ASKED, ("same",)).fetchall()) == count


def test_the_header_says_the_reader_not_the_builder(database: Path) -> None:
    """B1: the same bytes, whichever SQLite wrote them."""
    data = database.read_bytes()
    assert int.from_bytes(data[96:100], "big") == 3_039_000
    assert data[16:18] == PAGE_SIZE.to_bytes(2, "big")


@pytest.mark.parametrize("value", [0, 1, 127, 128, 300, 16_383, 16_384, 1 << 31, (1 << 56) - 1, 1 << 56, (1 << 64) - 1])
def test_varints_as_sqlite_writes_them(value: int) -> None:
    if value < 1 << 56:
        groups = [value >> shift & 0x7F for shift in range(49, -1, -7)]
        while len(groups) > 1 and not groups[0]:
            del groups[0]
        data = bytes([group | 0x80 for group in groups[:-1]] + groups[-1:])
    else:
        data = bytes(0x80 | value >> shift & 0x7F for shift in range(57, 7, -7)) + bytes([value & 0xFF])
    assert read_varint(b"x" + data + b"y", 1) == (value, 1 + len(data))


def test_btree_reads_a_table_of_several_levels(tmp_path: Path) -> None:
    file = tmp_path / "db"
    with closing(sqlite3.connect(file)) as db:
        db.execute("PRAGMA page_size = 512")
        db.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, x BLOB)")
        db.executemany("INSERT INTO t VALUES (?, ?)", [(number * 3, bytes(40)) for number in range(3000)])
        db.commit()
        (root,) = db.execute("SELECT rootpage FROM sqlite_master").fetchone()
    pages = Pages(file.read_bytes(), 512)
    assert [cell.row for leaf in pages.leaves(root) for cell in pages.cells(leaf)] == [number * 3 for number in range(3000)]

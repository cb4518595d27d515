"""Docsize leaves (B2): one byte for each row, restored as a page that SQLite reads."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from ranvier.store.compact import decode, leaf_page, spread, varint
from ranvier_builder.write.compact import encode


@pytest.mark.parametrize(
    ("total", "values"),
    [
        (0, "00000000"),
        (1, "01000000"),
        (127, "7f000000"),
        (128, "7f010000"),
        (3 * 127 + 5, "7f7f7f05"),
        (3 * 127 + 128, "7f7f7f8100"),
        (70_000, "7f7f7f849f73"),
    ],
)
def test_total_is_spread_over_the_columns(total: int, values: str) -> None:
    assert spread(4, total).hex() == values


@pytest.mark.parametrize(
    ("total", "restored"),
    [(0, 0), (15, 15), (16, 16), (17, 16), (31, 30), (33, 32), (300, 288), (70_000, 65_536), (2**34 - 1, 15 << 30)],
)
def test_total_keeps_its_four_highest_bits(total: int, restored: int) -> None:
    codes = encode([0, total])
    assert decode(4, codes) == [spread(4, 0), spread(4, restored)]
    assert decode(4, encode([restored])) == [spread(4, restored)]


def test_longer_rows_have_no_smaller_code() -> None:
    codes = encode(list(range(70_000)))
    assert list(codes) == sorted(codes)


@pytest.mark.parametrize("first", [1, 100, 16_370], ids=["ids of one byte", "of one and two", "of two and three"])
@pytest.mark.parametrize("step", [2, 7], ids=["blobs of one length", "of two lengths"])
def test_sqlite_reads_a_restored_leaf(tmp_path: Path, first: int, step: int) -> None:
    """It gives the rows of the original leaf."""
    file = tmp_path / "db"
    rows = [(first + at, b"".join(map(varint, (at % 5, 0, at * step, 1)))) for at in range(40)]
    with closing(sqlite3.connect(file)) as db:
        db.execute("PRAGMA page_size = 4096")
        db.execute("CREATE TABLE sizes (id INTEGER PRIMARY KEY, sz BLOB)")
        db.executemany("INSERT INTO sizes VALUES (?, ?)", rows)
        db.commit()
        (root,) = db.execute("SELECT rootpage FROM sqlite_master").fetchone()
    data = bytearray(file.read_bytes())
    page = leaf_page(4096, first, [blob for _, blob in rows])
    assert len(page) == 4096
    assert data[(root - 1) * 4096 : root * 4096] != page, "SQLite stores its cells in another order"
    data[(root - 1) * 4096 : root * 4096] = page
    file.write_bytes(data)
    with closing(sqlite3.connect(file)) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert db.execute("SELECT id, sz FROM sizes ORDER BY id").fetchall() == rows

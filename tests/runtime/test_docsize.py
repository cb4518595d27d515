"""The docsize leaves: written by column, built again byte for byte as SQLite reads them (B2)."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from ranvier.store.docsize import ESCAPE, decode, encode, leaf_page, varint


@pytest.mark.parametrize(
    ("value", "written"),
    [(0, "00"), (1, "01"), (127, "7f"), (128, "8100"), (300, "822c"), (16383, "ff7f"), (16384, "818000"), (1 << 20, "c08000")],
)
def test_varint(value: int, written: str) -> None:
    assert varint(value).hex() == written


@pytest.mark.parametrize(
    "sizes",
    [
        [(0, 0, 0, 0)],
        [(1, 2, 3, 4), (5, 6, 7, 8)],
        [(ESCAPE - 1, ESCAPE, ESCAPE + 1, 0)],
        [(300, 0, 1, 70_000), (1, 300, 255, 254), (0, 0, 0, 0)],
    ],
)
def test_encode_and_decode(sizes: list[tuple[int, ...]]) -> None:
    assert decode(4, *encode(4, sizes)) == [b"".join(map(varint, row)) for row in sizes]


def test_no_rows_at_all() -> None:
    """A small site has all its rows on the root page, which is stored as it is."""
    assert decode(4, *encode(4, [])) == []


def test_columns_lie_together() -> None:
    plane, large = encode(2, [(1, 300), (2, 4)])
    assert (plane, large) == (bytes([1, 2, ESCAPE, 4]), [300])


def test_sqlite_reads_a_built_leaf(tmp_path: Path) -> None:
    """A leaf put in the place of SQLite's own gives the same rows."""
    file = tmp_path / "db"
    rows = [(at, b"".join(map(varint, (at % 5, 0, at * 7, 1)))) for at in range(1, 41)]
    with closing(sqlite3.connect(file)) as db:
        db.execute("PRAGMA page_size = 4096")
        db.execute("CREATE TABLE sizes (id INTEGER PRIMARY KEY, sz BLOB)")
        db.executemany("INSERT INTO sizes VALUES (?, ?)", rows[::-1])
        db.commit()
        (root,) = db.execute("SELECT rootpage FROM sqlite_master").fetchone()
    data = bytearray(file.read_bytes())
    built = leaf_page(4096, 1, [blob for _, blob in rows])
    assert len(built) == 4096
    assert data[(root - 1) * 4096 : root * 4096] != built, "SQLite lays its cells out in another order"
    data[(root - 1) * 4096 : root * 4096] = built
    file.write_bytes(data)
    with closing(sqlite3.connect(file)) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert db.execute("SELECT id, sz FROM sizes ORDER BY id").fetchall() == rows

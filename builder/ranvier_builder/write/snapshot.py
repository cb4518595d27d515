"""Chunks → one SQLite file, the same bytes whichever SQLite wrote it last (as far as its library does the same work)."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from importlib.resources import files
from pathlib import Path

from ranvier import text

from ranvier_builder.model import Chunk, Neuron, Row

PAGE_SIZE = 4096
_READER = 3_039_000  # the oldest SQLite that reads what we write: Pyodide's


def analysed(neuron: Neuron, chunks: Sequence[Chunk]) -> tuple[Row, ...]:
    """Make the terms of a page's chunks. Title and tags are said with each: a chunk is found by them too."""
    title, tags = _terms(" ".join((neuron.title, *neuron.aliases))), _terms(" ".join(neuron.tags))
    return tuple(Row(title, tags, _terms(" ".join(chunk.headings)), _terms(chunk.body)) for chunk in chunks)


def _terms(plain: str) -> str:
    return " ".join(text.terms(plain))


def write_snapshot(file: Path, rows: Iterable[Row]) -> int:
    """Write the snapshot; return the number of chunks. Chunk numbers, and so rowids, begin at 1."""
    file.unlink(missing_ok=True)
    db = sqlite3.connect(file, isolation_level=None)
    try:
        count = _fill(db, rows)
    finally:
        db.close()
    _stamp(file)
    return count


def _fill(db: sqlite3.Connection, rows: Iterable[Row]) -> int:
    db.execute(f"PRAGMA page_size = {PAGE_SIZE}")
    db.execute("PRAGMA auto_vacuum = 0")
    db.execute("PRAGMA journal_mode = OFF")
    db.execute("PRAGMA synchronous = OFF")
    db.executescript(files("ranvier.store").joinpath("schema.sql").read_text("utf-8"))
    count = 0
    db.execute("BEGIN")
    for count, row in enumerate(rows, 1):
        fields = (count, row.title, row.tags, row.heading, row.body)
        db.execute("INSERT INTO chunk_fts(rowid, title, tags, heading, body) VALUES (?, ?, ?, ?, ?)", fields)
    db.execute("COMMIT")
    db.execute("INSERT INTO chunk_fts(chunk_fts) VALUES ('optimize')")
    db.execute("VACUUM")
    return count


def _stamp(file: Path) -> None:
    """Write the reader's version, not the builder's, into the header (SQLite file format, offset 96)."""
    with file.open("r+b") as opened:
        opened.seek(96)
        opened.write(_READER.to_bytes(4, "big"))

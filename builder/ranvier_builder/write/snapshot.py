"""Pages → one SQLite file, with the same bytes for all SQLite versions that build equal indexes."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from ranvier import text
from ranvier.store.compact import decode

from ranvier_builder.model import Rendered
from ranvier_builder.write.analyse import terms_of, whole_pages
from ranvier_builder.write.btree import varints
from ranvier_builder.write.compact import encode
from ranvier_builder.write.facts import Facts

PAGE_SIZE = 4096
_READER = 3_039_000  # the oldest SQLite that reads our files: Pyodide's
# Columns of the searched tables.
INDEXES = {
    "chunk_fts": ("name", "title", "tags", "heading", "path", "body"),
    "neuron_fts": ("name", "title", "tags", "heading", "path", "body"),
    "substring_fts": ("title", "heading", "body"),
}


def write_snapshot(file: Path, pages: Sequence[Rendered], facts: Facts, *, substring: bool) -> int:
    """Write the snapshot; return the number of chunks. Chunks (so also their rowids) and Neurons are numbered from 1."""
    file.unlink(missing_ok=True)
    db = sqlite3.connect(file, isolation_level=None)
    try:
        _prepare(db)
        # The last field, the overlap, is not searched.
        _fill(db, "chunk_fts", (row[:-1] for terms in map(terms_of, pages) for row in terms.rows))
        _fill(db, "neuron_fts", (row[:-1] for row in whole_pages(map(terms_of, pages))))
        _fill(db, "substring_fts", _substrings(pages) if substring else ())
        for table, rows in facts.tables().items():
            _insert(db, table, rows)
        (count,) = db.execute("SELECT count(*) FROM chunk_fts_docsize").fetchone()
        db.execute("VACUUM")
    finally:
        db.close()
    _stamp(file)
    return int(count)


def _prepare(db: sqlite3.Connection) -> None:
    db.execute(f"PRAGMA page_size = {PAGE_SIZE}")
    db.execute("PRAGMA auto_vacuum = 0")
    db.execute("PRAGMA journal_mode = OFF")
    db.execute("PRAGMA synchronous = OFF")
    db.executescript(files("ranvier_builder.write").joinpath("schema.sql").read_text("utf-8"))
    db.create_function("rounded", 1, _rounded, deterministic=True)


def _substrings(pages: Iterable[Rendered]) -> Iterator[tuple[str, ...]]:
    """Yield the shown text of each chunk as trigrams. They are not cached: they are four times as large as the text."""
    for rendered in pages:
        title = text.trigrams(rendered.page.neuron.title)
        for chunk in rendered.chunks:
            yield title, _heading_trigrams(chunk.headings), text.trigrams(chunk.body)


@lru_cache(maxsize=64)
def _heading_trigrams(headings: tuple[str, ...]) -> str:
    return text.trigrams(" ".join(headings))


def _fill(db: sqlite3.Connection, table: str, rows: Iterable[tuple[Any, ...]]) -> None:
    """Index rows, numbered from 1, merge the index into one segment, and round the row sizes as a reader restores them."""
    columns = INDEXES[table]
    marks = ", ".join("?" * (len(columns) + 1))
    db.execute("BEGIN")
    db.executemany(
        f"INSERT INTO {table}(rowid, {', '.join(columns)}) VALUES ({marks})", ((at, *row) for at, row in enumerate(rows, 1))
    )
    db.execute("COMMIT")
    db.execute(f"INSERT INTO {table}({table}) VALUES ('optimize')")
    db.execute(f"UPDATE {table}_docsize SET sz = rounded(sz)")


def _rounded(sizes: bytes) -> bytes:
    counts = varints(sizes)
    return decode(len(counts), encode([sum(counts)]))[0]


def _insert(db: sqlite3.Connection, table: str, rows: Iterable[tuple[Any, ...]]) -> None:
    width = len(db.execute(f"SELECT * FROM {table} LIMIT 0").description)
    db.execute("BEGIN")
    db.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * width)})", rows)
    db.execute("COMMIT")


def _stamp(file: Path) -> None:
    """Write the reader's version into the header, instead of the builder's (SQLite file format, offset 96)."""
    with file.open("r+b") as opened:
        opened.seek(96)
        opened.write(_READER.to_bytes(4, "big"))

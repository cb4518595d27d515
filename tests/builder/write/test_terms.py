"""B2: the files of words hold every leaf that FTS5 reads for a term or a prefix."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from ranvier.store.terms import TermFiles, TermList, read_term_list
from ranvier_builder.model import Row, Terms
from ranvier_builder.write.facts import Collection, Facts
from ranvier_builder.write.leaves import last_term
from ranvier_builder.write.snapshot import PAGE_SIZE, write_snapshot
from ranvier_builder.write.split import split_snapshot
from support.content import generated

QUERIES = ("jjj", "jjj*", "jj*", "j*", "kkk", "kk*", "a01*", "a0500", "zz0*", "nothing*")
NAMES = " ".join(f"a{number:04}" for number in range(1200))


def after_rare(names: int) -> list[str]:
    """Return rows in which a frequent word follows a rare one; the leaf of both ends within its first row."""
    first = f"{NAMES[: 6 * names]} jjj {'kkk ' * 600}"
    return [first, *("kkk " * 6 + f"zz{number:04}" for number in range(1500))]


def after_frequent(rows: int) -> list[str]:
    """Return rows in which a frequent word follows a frequent one; a leaf begins with it and ends within its first row."""
    bodies = [f"jjj {'kkk ' * 1500}", *("jjj " * 6 + f"zz{number:04}" for number in range(500 + rows))]
    return [*bodies, NAMES, *("kkk " * 3 + f"zy{number:04}" for number in range(1500))]


def write(file: Path, bodies: list[str]) -> None:
    rows = [Row("", "", "", "", "", body) for body in bodies]
    pages = [replace(page, terms=Terms((row,), row, "")) for page, row in zip(generated(len(rows), 1), rows, strict=True)]
    write_snapshot(file, pages, Facts(pages, Collection("site")), substring=False)


def split_rows(file: Path) -> Iterator[int]:
    """Yield for each leaf how many further leaves the first row of `kkk` continues on, if the leaf ends with this word."""
    with closing(sqlite3.connect(file)) as db:
        for segment, leaf in db.execute("SELECT segid, pgno >> 1 FROM chunk_fts_idx").fetchall():
            (block,) = db.execute("SELECT block FROM chunk_fts_data WHERE id = ?", (segment << 37 | leaf,)).fetchone()
            term, continued = last_term(block)
            if term == b"0kkk":
                yield continued


def planned_pages(lists: list[TermList], table: str, term: str, *, prefix: bool) -> set[int]:
    """Return the pages of the files that a reader fetches for a term."""
    firsts = tuple(part.first[0] for part in lists)
    files = TermFiles(tuple(lists), (), None) if len(lists) == 1 else TermFiles((), firsts, None)  # type: ignore[arg-type]
    return {
        page
        for number in files.lists_of(term, prefix=prefix)
        for file in lists[number].files_of(table, term, prefix=prefix)
        for page in lists[number].pages_of(file)
    }


def rows_of(data: bytes, table: str, term: str, *, prefix: bool) -> list[tuple[int]]:
    with closing(sqlite3.connect(":memory:")) as db:
        db.deserialize(data)
        match = f'"{term}"{"*" * prefix}'
        return db.execute(f"SELECT rowid FROM {table} WHERE {table} MATCH ?", (match,)).fetchall()


@pytest.mark.parametrize("bodies", [after_rare(790), after_frequent(120)], ids=["after a rare word", "after a frequent word"])
@pytest.mark.parametrize(("pages_per_file", "files_per_list"), [(3, None), (1, None), (3, 2), (1, 3)])
def test_first_row_of_the_next_word_is_read(
    tmp_path: Path, bodies: list[str], pages_per_file: int, files_per_list: int | None
) -> None:
    """After the words with a prefix, FTS5 reads the next word with its first row, which may continue on another leaf."""
    file = tmp_path / "snapshot.sqlite"
    write(file, bodies)
    whole = file.read_bytes()
    split = split_snapshot(file, pages_per_file, files_per_list)
    lists = [read_term_list(part.head | {"files": [b"", []]}) for part in split.lists]
    cold = {page for part in lists for table in part.tables.values() for page in table.pages}
    for table in ("chunk_fts", "neuron_fts"):
        for query in QUERIES:
            term, prefix = query.rstrip("*"), query.endswith("*")
            data = bytearray(whole)
            for page in cold - planned_pages(lists, table, term, prefix=prefix):
                data[(page - 1) * PAGE_SIZE : page * PAGE_SIZE] = bytes(PAGE_SIZE)
            assert rows_of(bytes(data), table, term, prefix=prefix) == rows_of(whole, table, term, prefix=prefix), query
    assert max(split_rows(file), default=0) > 0

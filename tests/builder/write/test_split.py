"""The split database: the hot pack, the packs and the index files together are the whole database (B2)."""

import sqlite3
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from ranvier.store.compact import decode, leaf_page, restored
from ranvier.store.files import Files, totals
from ranvier.store.format import deflate
from ranvier.store.manifest import Bounds
from ranvier.store.terms import BEYOND
from ranvier_builder.model import Rendered, Row, Terms
from ranvier_builder.write.analyse import analyse, terms_of
from ranvier_builder.write.btree import INTERIOR, LEAF, Pages, read_varint
from ranvier_builder.write.facts import Collection, Facts
from ranvier_builder.write.snapshot import INDEXES, PAGE_SIZE, write_snapshot
from ranvier_builder.write.split import PACKS, SplitSnapshot, _cold_leaves, page_numbers, split_snapshot
from support.content import generated

QUERY = "SELECT rowid, rank FROM {0} WHERE {0} MATCH ? AND rank MATCH 'bm25(1,10,5,5,1,1)' ORDER BY rank, rowid"
TABLES = sorted(INDEXES)
QUERIES = {
    "chunk_fts": ("everywher", "alpha3 AND ba*", "everywher NOT alpha1", "verylong", "only17x2", "z*", "nosuch", '"part=b"*'),
    "neuron_fts": ("everywher", "alpha3 AND ba*", "path:p0012", "only17x2", "z*", '"page=12="*'),
    "substring_fts": ("ver", '"eve ver ery"', "alp AND 17x", "zzz", "title:pag"),
}


def reassembled(split: SplitSnapshot) -> bytes:
    """Put a split snapshot together again, as a reader does, but all of it."""
    out = bytearray(PAGE_SIZE * split.page_count)
    numbers: list[int] = []

    def put(first: int, data: bytes) -> None:
        assert len(data) % PAGE_SIZE == 0
        out[(first - 1) * PAGE_SIZE : (first - 1) * PAGE_SIZE + len(data)] = data
        numbers.extend(range(first, first + len(data) // PAGE_SIZE))

    for pack in (split.hot, *split.packs.values()):
        _put_pages(pack, put)
        for sizes in pack.get("docsize", {}).values():
            _put_sizes(sizes, put)
    second_pages = _put_words(split, put)
    cold, per = split.substrings.head["pages"], split.substrings.head["pages_per_file"]
    for number, data in enumerate(split.substrings.files):
        for at in range(len(data) // PAGE_SIZE):
            put(cold[number * per + at], data[at * PAGE_SIZE : (at + 1) * PAGE_SIZE])
    assert {*numbers} == {*range(1, split.page_count + 1)}
    assert all(count == 1 for page, count in Counter(numbers).items() if page not in second_pages), "every other page once"
    return bytes(out)


def _put_pages(laid_out: dict[str, Any], put: Callable[[int, bytes], None]) -> None:
    for first, data in laid_out["pages"]:
        put(first, data)
    for page, step, data in laid_out["interior"]:
        put(page, restored(data, step))


def _put_sizes(sizes: dict[str, Any], put: Callable[[int, bytes], None]) -> None:
    blobs = decode(sizes["columns"], sizes["totals"])
    for page, first, rows in sizes["pages"]:
        put(page, leaf_page(PAGE_SIZE, first, blobs[:rows]))
        del blobs[:rows]
    assert blobs == []


def _put_words(split: SplitSnapshot, put: Callable[[int, bytes], None]) -> set[int]:
    """Put the pages of lists, and of their files; return them: a page may be in two of these files."""
    for list_page in split.list_pages:
        _put_pages(list_page, put)
    numbers = {number for list_page in split.list_pages for number in page_numbers(list_page)}
    for parts in split.sizes.values():
        for part in parts:
            _put_sizes(part, put)
    for item in split.lists:
        pages = {name: totals(table["pages"]) for name, table in item.head["tables"].items()}
        for number, data in enumerate(item.files):
            tables = item.head["tables"].items()
            page_numbers_ = [pages[name][place] for name, table in tables for place in totals(table["places"][number])]
            assert len(data) == len(page_numbers_) * PAGE_SIZE
            for at, page in enumerate(page_numbers_):
                put(page, data[at * PAGE_SIZE : (at + 1) * PAGE_SIZE])
            numbers.update(page_numbers_)
    return numbers


def contents(file: Path) -> dict[str, list[Any]]:
    """Read all rows of all tables that hold any."""
    with closing(sqlite3.connect(file)) as db:
        names = [
            name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE V%'")
        ]
        results = {name: db.execute(f"SELECT * FROM {name}").fetchall() for name in names}
    # bm25 reads only the sum of the sizes of a row.
    return {name: [*map(_with_total, rows)] if name.endswith("_docsize") else rows for name, rows in results.items()}


def _with_total(row: tuple[int, bytes]) -> tuple[int, int, int]:
    sizes, at = [], 0
    while at < len(row[1]):
        size, at = read_varint(row[1], at)
        sizes.append(size)
    return row[0], len(sizes), sum(sizes)


def write_database(file: Path, pages: list[Rendered], *, substring: bool = True) -> int:
    return write_snapshot(file, pages, Facts(pages, Collection("site")), substring=substring)


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("split") / "snapshot.sqlite"
    pages = [replace(item, terms=analyse(item.page.neuron, item.chunks)) for item in generated()]
    # Two rows with counts above one byte, an empty row, and a title and a tag that are larger than a page.
    damaged = {
        25: [(0, Row("", "long", "", "", "", "verylong " * 300))],
        175: [(0, Row("", "t " * 255, "g " * 254, "h " * 256, "", "b " * 70_000)), (1, Row("", "", "", "", "", ""))],
    }
    for number, rows in damaged.items():
        terms = terms_of(pages[number])
        kept = list(terms.rows)
        for at, row in rows:
            kept[at] = row
        pages[number] = replace(pages[number], terms=replace(terms, rows=tuple(kept)))
    page = pages[7]
    neuron = replace(
        page.page.neuron, title="A title " * 2000, tags=("a/" * 3000, "b"), user_note="x" * 50_000, user_note_shared=True
    )
    pages[7] = replace(page, page=replace(page.page, neuron=neuron))
    assert write_database(file, pages) == 1600
    return file


@pytest.mark.parametrize(("per_file", "listed"), [(1, 3), (2, 64), (3, None), (8, 1), (1000, 2)])
def test_split_files_restore_the_database(database: Path, tmp_path: Path, per_file: int, listed: int | None) -> None:
    split = split_snapshot(database, per_file, listed, most_rows=per_file % 2 * 12_000)
    assert bool(split.sizes) == (per_file % 2 == 0)
    assert len(split.lists) == 1 or listed, "a small site has a single list"
    assert split.substrings.head["pages_per_file"] == per_file
    assert len(split.substrings.files) == -(-len(split.substrings.head["pages"]) // per_file) > 0
    copy = tmp_path / "copy.sqlite"
    copy.write_bytes(reassembled(split))
    assert contents(copy) == contents(database)
    with closing(sqlite3.connect(database)) as whole, closing(sqlite3.connect(copy)) as second_pages:
        assert second_pages.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        for table in TABLES:
            second_pages.execute(f"INSERT INTO {table}({table}, rank) VALUES ('integrity-check', 0)")
            for query in QUERIES[table]:
                request = QUERY.format(table)
                result = second_pages.execute(request, (query,)).fetchall()
                assert result == whole.execute(request, (query,)).fetchall()
                assert bool(result) == (query not in ("nosuch", "zzz")), query


def test_most_pages_are_not_in_the_hot_pack(database: Path) -> None:
    """Every query needs only a small part at once."""
    split = split_snapshot(database)
    substrings = split.substrings.head["pages"]
    words = [totals(table["pages"]) for item in split.lists for table in item.head["tables"].values()]
    cold = [*substrings, *(page for pages in words for page in pages)]
    assert len(cold) == len(set(cold)) > 0.75 * split.page_count
    assert sum(len(data) for _, data in split.hot["pages"]) < 0.1 * split.page_count * PAGE_SIZE
    for table in ("chunk_fts", "neuron_fts"):
        assert split.hot["docsize"][table]["pages"], "row sizes are laid out by their totals"


def test_pack_holds_exactly_the_pages_of_its_tables(database: Path) -> None:
    """With interior, leaf and overflow pages, all rows can be read."""
    split = split_snapshot(database)
    assert sorted(split.packs) == ["neuron", "note", "substring", "tag"], "an empty pack is not written"
    for name, tables in PACKS.items():
        if name not in split.packs:
            continue
        with closing(sqlite3.connect(database)) as db:
            try:
                expected = {
                    page for table in tables for (page,) in db.execute("SELECT pageno FROM dbstat WHERE name = ?", (table,))
                }
            except sqlite3.OperationalError:  # not in every build of SQLite
                continue
        numbers = {first + at for first, count in split.runs(name) for at in range(count)}
        assert numbers == expected
    substring = split.packs["substring"]
    assert "substring_fts" in substring["docsize"]
    assert "substring_fts" not in split.hot["docsize"]


@pytest.mark.parametrize("per", [1, 3])
def test_bounds_name_the_files_that_fts5_reads(database: Path, per: int) -> None:
    """B2: for every trigram and every prefix of one.

    FTS5 starts at the last leaf whose separator is not above the term. It reads the next leaf in which a term starts only if
    the term, or the last term with the prefix, is the last one of its leaf.
    """
    name, split = "substring_fts", split_snapshot(database, per)
    table = split.substrings
    bounds = Bounds(Files("index", b"", ()), table.first, table.last)
    with closing(sqlite3.connect(database)) as db, closing(Pages(database, PAGE_SIZE)) as pages:
        db.execute(f"CREATE VIRTUAL TABLE temp.v USING fts5vocab('main', '{name}', 'row')")
        terms = sorted(term.encode() for (term,) in db.execute("SELECT term FROM v"))
        index = [
            (bytes(term or b"")[1:], leaf) for term, leaf in db.execute(f"SELECT term, pgno >> 1 FROM {name}_idx ORDER BY term")
        ]
        (root,) = db.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (f"{name}_data",)).fetchone()
        cold = [*_cold_leaves(pages, root)]
    separators, leaves = [term for term, _ in index], [leaf for _, leaf in index]

    def expected(term: bytes, high: bytes) -> set[int]:
        at = max(bisect_right(separators, high) - 1, 0)
        first, last = leaves[max(bisect_right(separators, term) - 1, 0)], leaves[at]
        after = bisect_left(terms, separators[at + 1]) if at + 1 < len(index) else len(terms)
        if terms[after - 1] == term or (high != term and terms[after - 1] <= high):
            last = leaves[at + 1] if at + 1 < len(index) else max(cold)
        return {(bisect_right(cold, leaf) - 1) // per for leaf in range(first, last + 1) if leaf >= cold[0]}

    assert len(terms) > 1000
    assert [term for term in terms if {*bounds.files_of(term.decode())} != expected(term, term)] == []
    prefixes = {term.decode()[:end] for term in terms for end in (1, 2, 3)}
    for prefix in sorted(prefixes):
        assert {*bounds.files_of(prefix, prefix=True)} == expected(prefix.encode(), prefix.encode() + BEYOND), prefix


@pytest.mark.parametrize("count", [0, 1, 2, 50])
def test_small_databases_are_split(tmp_path: Path, count: int) -> None:
    """From an empty one on; all pages may be hot."""
    file = tmp_path / "small.sqlite"
    row = Row("", "title", "tag", "", "", "same words here")
    pages = [replace(item, terms=Terms((row,), row, "")) for item in generated(count, 1)]
    assert write_database(file, pages) == count
    split = split_snapshot(file)
    copy = tmp_path / "copy.sqlite"
    copy.write_bytes(reassembled(split))
    with closing(sqlite3.connect(copy)) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        for table in ("chunk_fts", "neuron_fts"):
            assert len(db.execute(QUERY.format(table), ("same",)).fetchall()) == count


def test_database_header_does_not_depend_on_the_sqlite_version(database: Path) -> None:
    """B1."""
    data = database.read_bytes()
    assert int.from_bytes(data[96:100], "big") == 3_039_000
    assert data[16:18] == PAGE_SIZE.to_bytes(2, "big")


@pytest.mark.parametrize("value", [0, 1, 127, 128, 300, 16_383, 16_384, 1 << 31, (1 << 56) - 1, 1 << 56, (1 << 64) - 1])
def test_varints_agree_with_sqlite(value: int) -> None:
    if value < 1 << 56:
        groups = [value >> shift & 0x7F for shift in range(49, -1, -7)]
        while len(groups) > 1 and not groups[0]:
            del groups[0]
        data = bytes([group | 0x80 for group in groups[:-1]] + groups[-1:])
    else:
        data = bytes(0x80 | value >> shift & 0x7F for shift in range(57, 7, -7)) + bytes([value & 0xFF])
    assert read_varint(b"x" + data + b"y", 1) == (value, 1 + len(data))


@pytest.mark.parametrize("kind", ["id INTEGER PRIMARY KEY, x BLOB", "id INTEGER, x BLOB, PRIMARY KEY(x, id)) WITHOUT ROWID --"])
@pytest.mark.parametrize("size", [0, 1, 90, 101, 102, 103, 400, 477, 478, 500, 508, 509, 600, 1017, 5000])
def test_btree_walk_finds_every_overflow_page(tmp_path: Path, kind: str, size: int) -> None:
    """For rows of every length around the limits: no page is missing or repeated."""
    file = tmp_path / "db"
    with closing(sqlite3.connect(file)) as db:
        db.execute("PRAGMA page_size = 512")
        db.execute(f"CREATE TABLE t ({kind}\n)" if "WITHOUT" not in kind else f"CREATE TABLE t ({kind}")
        db.executemany(
            "INSERT INTO t(id, x) VALUES (?, ?)", [(at, at.to_bytes(2, "big") + bytes(size + at % 7)) for at in range(300)]
        )
        db.commit()
        db.execute("VACUUM")
        (root,) = db.execute("SELECT rootpage FROM sqlite_master").fetchone()
    with closing(Pages(file, 512)) as pages:
        assert sorted(pages.all_pages(root)) == list(range(2, pages.count + 1))


def test_unused_bytes_of_a_page_are_zero(tmp_path: Path, database: Path) -> None:
    """SQLite 3.40 and 3.53 leave different bytes there, and equal content must give equal files."""
    data = bytearray(database.read_bytes())
    changed = set()
    for start in range(PAGE_SIZE, len(data), PAGE_SIZE):
        if data[start] in (INTERIOR, LEAF):
            count, cells = (int.from_bytes(data[start + at : start + at + 2], "big") for at in (3, 5))
            end_of_pointers = (12 if data[start] == INTERIOR else 8) + 2 * count
            data[start + end_of_pointers : start + cells] = b"\xff" * (cells - end_of_pointers)
            changed |= {data[start]} if cells > end_of_pointers else set()
    assert changed == {INTERIOR, LEAF}
    (tmp_path / "db").write_bytes(data)
    with closing(Pages(database, PAGE_SIZE)) as pages, closing(Pages(tmp_path / "db", PAGE_SIZE)) as others:
        assert all(pages.page(number) == others.page(number) for number in range(1, pages.count + 1))


def test_interior_pages_are_stored_as_differences(database: Path) -> None:
    """B2: they are small in the hot pack, and not part of its runs."""
    split = split_snapshot(database)
    interior = split.hot["interior"]
    assert len(interior) > 3
    with closing(Pages(database, PAGE_SIZE)) as pages:
        plain = [pages.page(page) for page, _, _ in interior]
    assert [restored(data, step) for _, step, data in interior] == plain
    runs = b"".join(data for _, data in split.hot["pages"])
    assert [at for at in range(PAGE_SIZE, len(runs), PAGE_SIZE) if runs[at] == INTERIOR] == []
    assert len(deflate(b"".join(data for _, _, data in interior))) < 0.6 * len(deflate(b"".join(plain)))

"""Reads of index files agree with slices of the whole file; row sizes round-trip (B2)."""

import sqlite3
import zlib
from collections import Counter
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ranvier.store.compact import decode, varint
from ranvier.store.files import steps
from ranvier.store.format import pack, unpack
from ranvier.store.manifest import Manifest
from ranvier.store.snapshot import TermLookup
from ranvier.store.source import SparseFile
from ranvier_builder.write import vocabulary as vocabulary_of
from ranvier_builder.write.btree import LEAF, Pages, read_cells, read_varint
from ranvier_builder.write.compact import encode
from ranvier_builder.write.snapshot import PAGE_SIZE
from support.content import drive
from support.stores import open_store

PAGE = 512


@given(st.binary(min_size=PAGE, max_size=PAGE * 24), st.data())
@settings(max_examples=100)
def test_page_file_agrees_with_slices(raw: bytes, data: st.DataObject) -> None:
    """For ranges of pages in any order, also overlapping ones."""
    count = len(raw) // PAGE
    whole = raw[: count * PAGE]
    runs = data.draw(st.lists(st.tuples(st.integers(1, count), st.integers(1, count)).map(sorted), max_size=8))
    pages = SparseFile()
    pages.reserve(PAGE, count)
    pages_present: set[int] = set()
    for first, last in runs:
        pages.put(first, whole[(first - 1) * PAGE : last * PAGE])
        pages_present |= set(range(first, last + 1))
    expected = b"".join(whole[at * PAGE : (at + 1) * PAGE] if at + 1 in pages_present else bytes(PAGE) for at in range(count))
    assert Path(pages.path).read_bytes() == expected
    assert pages.take_misses() == sorted(set(range(1, count + 1)) - pages_present)
    pages.close()
    assert not Path(pages.path).exists()


@pytest.fixture(scope="module")
def vocabulary(large_store: Path) -> dict[str, list[str]]:
    """Terms of each table: first terms of its leaves, rare terms, and missing terms."""
    terms = {}
    with closing(sqlite3.connect(large_store.parent / "work" / "snapshot.sqlite")) as db:
        for table in ("chunk_fts", "neuron_fts", "substring_fts"):
            first_terms = [
                bytes(term)[1:].decode("utf-8", "ignore")
                for (term,) in db.execute(f"SELECT term FROM {table}_idx")
                if len(term) > 2
            ]
            terms[table] = sorted({*first_terms, "everywher", "alpha3", "only17x2", "ver", "a", "zzzz", "é"})
    return terms


@given(st.data())
@settings(max_examples=25)
def test_snapshot_pages_agree_with_the_split_file(
    large_store: Path, vocabulary: dict[str, list[str]], data: st.DataObject
) -> None:
    """For random look-ups in any table."""
    with closing(Pages(large_store.parent / "work" / "snapshot.sqlite", PAGE_SIZE)) as pages:
        whole = [pages.page(number) for number in range(1, pages.count + 1)]

    def terms(table: str) -> st.SearchStrategy[TermLookup]:
        word = st.sampled_from(vocabulary[table]).flatmap(lambda term: st.integers(1, len(term)).map(lambda end: term[:end]))
        return st.builds(TermLookup, word, st.booleans(), st.just(table))

    looked_up = data.draw(st.lists(st.sampled_from(sorted(vocabulary)).flatmap(terms), max_size=6))
    packs = data.draw(st.lists(st.sampled_from(("neuron", "tag", "link", "note", "substring")), max_size=3))
    with open_store(large_store) as store:
        snapshot, size = store.snapshot, store.snapshot.manifest.page_size
        hot = set(store.pages.pages)
        rows, needs = drive(snapshot.query("SELECT 1", (), looked_up, packs), store.source)
        assert rows == [(1,)]
        assert len(needs) <= 1 + any(term.table == "substring_fts" for term in looked_up)
        assert all(name.startswith(("index/", "packs/")) for need in needs for name in need.files)
        file_bytes = Path(store.pages.path).read_bytes()
        present = set(range(1, snapshot.manifest.page_count + 1)) - set(store.pages.take_misses())
        assert present == store.pages.pages >= hot
        docsize = {page for page in present if whole[page - 1][0] == LEAF}
        for page in range(1, snapshot.manifest.page_count + 1):
            expected = whole[page - 1] if page in present else bytes(size)
            result = file_bytes[(page - 1) * size : page * size]
            assert result == expected or (page in docsize and _rows(result) == _rows(expected)), "other layout"
        for term in looked_up:
            quoted = f'"{term.term}"' + "*" * term.prefix
            request = f"SELECT rowid FROM {term.table} WHERE {term.table} MATCH ? ORDER BY rowid", (quoted,)
            rows, needs = drive(snapshot.query(*request), store.source)
            assert needs == [], "all reads were planned"
            with closing(sqlite3.connect(large_store.parent / "work" / "snapshot.sqlite")) as db:
                assert rows == db.execute(*request).fetchall()


def _rows(page: bytes) -> list[tuple[int, tuple[int, int]]]:
    """Return the row, the number of columns and the sum of sizes of each cell; bm25 reads the sum."""
    return [(cell.row, _counts(cell.record[3:])) for cell in read_cells(page)]


WORDS = st.lists(st.text(st.sampled_from("abcdeéßあ"), min_size=1, max_size=6), max_size=80)


@given(st.lists(WORDS, max_size=4), st.integers(1, 60))
@settings(max_examples=150)
def test_word_shards_hold_each_word_once(pages: list[list[str]], size: int) -> None:
    """In order, below the first word of the next shard; every prefix of a word leads to its shard."""
    expected = Counter(word for page in pages for word in set(page))
    with patch.object(vocabulary_of, "SHARD", size):
        shards = vocabulary_of.shards("\n".join(sorted(set(page))) for page in pages)
    results = [(word, count) for _, (words, counts) in shards for word, count in zip(words.split("\n"), counts, strict=True)]
    assert results == sorted(expected.items())
    starts = tuple(start for start, _ in shards)
    assert list(starts) == sorted(set(starts))
    manifest = SimpleNamespace(word_first=starts)
    for number, (start, (words, _)) in enumerate(shards):
        for word in words.split("\n"):
            assert start <= word
            assert number + 1 == len(starts) or word < starts[number + 1]
            for end in range(1, len(word) + 1):
                assert number in Manifest.word_files_of(manifest, word[:end])  # type: ignore[arg-type]


COUNTS = st.one_of(st.integers(0, 3), st.integers(250, 260), st.integers(0, 1 << 31))


@given(
    st.integers(1, 6).flatmap(
        lambda columns: st.tuples(st.just(columns), st.lists(st.tuples(*[COUNTS] * columns), max_size=30))
    )
)
@settings(max_examples=200)
def test_row_sizes_round_trip(case: tuple[int, list[tuple[int, ...]]]) -> None:
    """In no more bytes than before, so that the rows of a page fit on a page."""
    columns, sizes = case
    blobs = decode(columns, encode([sum(row) for row in sizes]))
    for blob, row in zip(blobs, sizes, strict=True):
        count, total = _counts(blob)
        assert count == columns
        assert 8 * sum(row) <= 9 * total <= 9 * sum(row)
    assert all(len(blob) <= len(b"".join(map(varint, row))) for blob, row in zip(blobs, sizes, strict=True))


def _counts(blob: bytes) -> tuple[int, int]:
    sizes, at = [], 0
    while at < len(blob):
        size, at = read_varint(blob, at)
        sizes.append(size)
    return len(sizes), sum(sizes)


@given(
    st.recursive(
        st.none() | st.integers(-(1 << 63), (1 << 64) - 1) | st.text(max_size=9) | st.binary(max_size=9),
        lambda inner: st.lists(inner, max_size=4),
    )
)
@settings(max_examples=100)
def test_packed_values_round_trip(value: object) -> None:
    assert unpack("x", zlib.decompress(pack(value))) == value


@given(st.lists(st.integers(0, 1 << 40)).map(sorted))
@settings(max_examples=100)
def test_steps_add_up(numbers: list[int]) -> None:
    total, out = 0, []
    for step in steps(numbers):
        assert step >= 0
        total += step
        out.append(total)
    assert out == numbers

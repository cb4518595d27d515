"""Chunk reads against slicing the file; row sizes there and back (B2)."""

from __future__ import annotations

import json
import zlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ranvier import Engine
from ranvier.store.docsize import decode, encode, leaf_page, varint
from ranvier.store.format import pack, unpack
from ranvier.store.manifest import steps
from ranvier.store.snapshot import Sought
from ranvier.store.source import FolderSource, SparseFile
from ranvier_builder.write.btree import Pages, read_varint
from support.content import drive

PAGE = 512


@given(st.binary(min_size=PAGE, max_size=PAGE * 24), st.data())
@settings(max_examples=100)
def test_a_page_file_against_slicing(raw: bytes, data: st.DataObject) -> None:
    """Runs of pages in any order, over each other too: what was put is there, what was not is a hole."""
    count = len(raw) // PAGE
    whole = raw[: count * PAGE]
    runs = data.draw(st.lists(st.tuples(st.integers(1, count), st.integers(1, count)).map(sorted), max_size=8))
    pages = SparseFile()
    pages.reserve(PAGE, count)
    there: set[int] = set()
    for first, last in runs:
        pages.put(first, whole[(first - 1) * PAGE : last * PAGE])
        there |= set(range(first, last + 1))
    expected = b"".join(whole[at * PAGE : (at + 1) * PAGE] if at + 1 in there else bytes(PAGE) for at in range(count))
    assert Path(pages.path).read_bytes() == expected
    assert pages.take_misses() == sorted(set(range(1, count + 1)) - there)
    pages.close()


@pytest.fixture(scope="module")
def vocabulary(large_store: Path) -> list[str]:
    entry = json.loads((large_store / "entry.json").read_text())
    hot = unpack("hot", zlib.decompress((large_store / entry["hot"]).read_bytes()))
    return sorted({term for _, term in hot["edges"]} | {"everywher", "alpha3", "only17x2", "a", "zzzz", "é"})


@given(st.data())
@settings(max_examples=30)
def test_a_snapshot_against_slicing(large_store: Path, vocabulary: list[str], data: st.DataObject) -> None:
    """Whatever is looked up, in any order: the pages that arrived are the pages of the file that was split."""
    whole = (large_store.parent / "work" / "snapshot.sqlite").read_bytes()
    term = st.sampled_from(vocabulary).flatmap(lambda word: st.integers(1, len(word)).map(lambda end: word[:end]))
    looked_up = data.draw(st.lists(st.tuples(term, st.booleans()).map(lambda pair: Sought(*pair)), max_size=6))
    source, pages = FolderSource(large_store), SparseFile()
    entry = source.entry()
    engine = Engine.open({name: source.read(name) for name in (entry["manifest"], entry["hot"])}, pages)
    manifest = engine.snapshot.manifest
    query = engine.snapshot.query("SELECT 1", (), looked_up)
    rows, needs = drive(query, source)
    assert rows == [(1,)]
    assert len(needs) <= 1
    names = {name for need in needs for name in need.files}
    loaded = {
        page
        for number in range(len(manifest.index.sizes))
        if manifest.index.name(number) in names
        for page in manifest.pages_of(number)
    }
    assert set(pages.take_misses()) == set(manifest.cold_pages) - loaded
    held = Path(pages.path).read_bytes()
    size = manifest.page_size
    for page in manifest.cold_pages:
        expected = whole[(page - 1) * size : page * size] if page in loaded else bytes(size)
        assert held[(page - 1) * size : page * size] == expected
    engine.close()
    pages.close()


COUNTS = st.one_of(st.integers(0, 3), st.integers(250, 260), st.integers(0, 1 << 40))


@given(
    st.integers(1, 6).flatmap(
        lambda columns: st.tuples(st.just(columns), st.lists(st.tuples(*[COUNTS] * columns), max_size=30))
    )
)
@settings(max_examples=200)
def test_row_sizes_there_and_back(case: tuple[int, list[tuple[int, ...]]]) -> None:
    columns, sizes = case
    plane, large = encode(columns, sizes)
    assert len(plane) == columns * len(sizes)
    assert decode(columns, plane, large) == [b"".join(map(varint, row)) for row in sizes]


@given(st.integers(0, (1 << 56) - 1), st.binary(max_size=3))
@settings(max_examples=200)
def test_varints_there_and_back(value: int, after: bytes) -> None:
    assert read_varint(varint(value) + after, 0) == (value, len(varint(value)))


@given(st.integers(1, 1 << 30), st.lists(st.binary(min_size=1, max_size=20), min_size=1, max_size=15))
@settings(max_examples=100)
def test_a_built_leaf_has_its_rows(first: int, blobs: list[bytes]) -> None:
    page = leaf_page(1024, first, blobs)
    assert len(page) == 1024
    cells = Pages(page, 1024).cells(1)
    assert [cell.row for cell in cells] == list(range(first, first + len(blobs)))
    assert [cell.record[3:] for cell in cells] == blobs


@given(
    st.recursive(
        st.none() | st.integers(-(1 << 63), (1 << 64) - 1) | st.text(max_size=9) | st.binary(max_size=9),
        lambda inner: st.lists(inner, max_size=4),
    )
)
@settings(max_examples=100)
def test_pack_there_and_back(value: object) -> None:
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

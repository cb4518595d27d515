"""The manifest and the file format (B2): which file holds what, and how files are checked."""

from __future__ import annotations

import zlib
from typing import Any

import msgpack
import pytest
from ranvier import FormatError, IntegrityError
from ranvier.store.files import Files, steps
from ranvier.store.format import DIGEST, FORMAT, checked, checked_by_name, deflate, digest, inflate, pack, unpack
from ranvier.store.manifest import Bounds, Leaves, Manifest, read_manifest
from ranvier.store.terms import BEYOND
from ranvier.text import ANALYSER

RAW: dict[str, Any] = {
    "format": FORMAT,
    "analyser": ANALYSER,
    "site": "docs",
    "page_size": 4096,
    "page_count": 20,
    "langs": ["en", "de"],
    "tables": {
        "chunk_fts": {
            "pages": steps([5, 6, 9, 10, 11]),
            "first_leaf": steps([3, 4, 7, 9, 10]),
            "last_leaf": 11,
            "pages_per_file": 2,
            "files": [b"a" * DIGEST + b"b" * DIGEST + b"c" * DIGEST, [10, 20, 30]],
        }
    },
    "terms": {"whole": [], "first": [b"", b"n"], "files": [b"m" * DIGEST + b"n" * DIGEST, [6, 7]]},
    "sizes": {"chunk_fts": {"first": steps([1, 5, 9]), "files": [b"o" * DIGEST + b"p" * DIGEST + b"q" * DIGEST, [1, 2, 3]]}},
    "bounds": {"substring_fts": [[b"k" * DIGEST + b"l" * DIGEST, [5, 6]], [b"b", b"f"], [b"", b""]]},
    "packs": {"neuron": [40, b"f" * DIGEST, [12, 2, 3, 1]], "substring": [50, b"g" * DIGEST, []]},
    "words": [b"h" * DIGEST + b"i" * DIGEST + b"j" * DIGEST, [3, 4, 5]],
    "word_first": ["a", "m", "s"],
    "text": [b"d" * DIGEST + b"e" * DIGEST, [1, 2]],
    "text_first": steps([1, 8]),
    "text_per_list": 0,
    "neuron_first": steps([1, 4, 8, 9]),
    "chunk_count": 12,
    "vectors": {"langs": ["en"], "head": [b"v" * DIGEST, [7]], "tokens": [b"w" * DIGEST + b"x" * DIGEST, [8, 9]]},
    "titles": [b"t" * DIGEST, [9]],
    "inventory": [b"y" * DIGEST, [10]],
}


def manifest(**changes: Any) -> Manifest:
    return read_manifest(msgpack.packb(RAW | changes))


def leaves() -> Leaves:
    return manifest().tables["chunk_fts"]


def test_file_names_of_the_manifest() -> None:
    assert leaves().files.name(1) == f"index/{b'b'.hex() * DIGEST}.bin"
    assert leaves().files.digests_of([2, 0]) == {
        f"index/{b'c'.hex() * DIGEST}.bin": b"c" * DIGEST,
        leaves().files.name(0): b"a" * DIGEST,
    }
    assert manifest().packs["neuron"].files.name(0) == f"packs/{b'f'.hex() * DIGEST}.bin"
    assert manifest().words.name(2) == f"words/{b'j'.hex() * DIGEST}.bin"
    assert manifest().langs == ("en", "de")
    assert manifest().text.name(0) == f"text/{b'd'.hex() * DIGEST}.bin"
    assert manifest().text.digest(1) == b"e" * DIGEST
    assert manifest(text_per_list=9).text.name(0) == f"packs/{b'd'.hex() * DIGEST}.bin"
    assert manifest().inventory.name(0) == f"packs/{b'y'.hex() * DIGEST}.bin"


def test_manifest_names_the_vector_head_and_tokens() -> None:
    """I4: they are fetched in one round; a site may have no vectors."""
    files = manifest().vectors
    assert files is not None
    assert (files.langs, files.head.name(0)) == (("en",), f"vectors/{b'v'.hex() * DIGEST}.bin")
    assert [files.tokens.name(at) for at in (0, 1)] == [f"vectors/{item.hex() * DIGEST}.bin" for item in (b"w", b"x")]
    assert manifest(vectors=None).vectors is None
    for wrong in ({"langs": ["en"]}, {"head": [b"v" * DIGEST, [7]]}, {"langs": [], "head": 5, "tokens": 5}, 5, []):
        with pytest.raises(FormatError):
            manifest(vectors=wrong)


@pytest.mark.parametrize(("number", "pages"), [(0, (5, 6)), (1, (9, 10)), (2, (11,))])
def test_pages_of_a_file_and_file_of_a_page(number: int, pages: tuple[int, ...]) -> None:
    assert leaves().pages_of(number) == pages
    assert {leaves().file_of_page(page) for page in pages} == {number}


@pytest.mark.parametrize("page", [1, 4, 7, 8, 12, 20])
def test_page_in_no_file(page: int) -> None:
    assert leaves().file_of_page(page) == -1


def test_pages_of_a_pack() -> None:
    """Runs are stored as the gap before each run and its length."""
    assert manifest().packs["neuron"].runs == ((12, 2), (17, 1))
    assert [page for page in range(1, 21) if page in manifest().packs["neuron"]] == [12, 13, 17]
    assert manifest().packs["substring"].runs == ()


@pytest.mark.parametrize(
    ("prefix", "shards"),
    [("", (0, 1, 2)), ("b", (0,)), ("m", (1,)), ("ma", (1,)), ("lz", (0,)), ("s", (2,)), ("z", (2,)), ("A", ())],
)
def test_word_shards_of_a_prefix(prefix: str, shards: tuple[int, ...]) -> None:
    assert tuple(manifest().word_files_of(prefix)) == shards


def test_no_word_shards() -> None:
    assert tuple(manifest(words=[b"", []], word_first=[]).word_files_of("a")) == ()


@pytest.mark.parametrize(
    ("leaf", "file"),
    [(1, -1), (2, -1), (3, 0), (4, 0), (6, 0), (7, 1), (9, 1), (10, 2), (11, 2), (99, 2)],  # -1: beside the hot pages
)
def test_file_of_leaf(leaf: int, file: int) -> None:
    assert leaves().file_of_leaf(leaf) == file


@pytest.mark.parametrize(("chunk", "neuron"), [(1, 1), (3, 1), (4, 2), (7, 2), (8, 3), (9, 4), (12, 4)])
def test_neuron_of_a_chunk(chunk: int, neuron: int) -> None:
    assert manifest().neuron_of(chunk) == neuron
    assert chunk in manifest().chunks_of(neuron)


def test_chunks_of_a_neuron() -> None:
    result = manifest()
    assert [result.chunks_of(number) for number in range(1, result.neuron_count + 1)] == [
        range(1, 4),
        range(4, 8),
        range(8, 9),
        range(9, 13),
    ]


@pytest.mark.parametrize(
    "data",
    [
        msgpack.packb(RAW | {"format": FORMAT + 1}),
        msgpack.packb(RAW | {"analyser": "en-0"}),
        msgpack.packb({}),
        msgpack.packb([1, 2]),
        b"\xc1",
        b"",
    ],
)
def test_other_manifest_format_is_refused(data: bytes) -> None:
    with pytest.raises(FormatError, match=r"build the site again|not msgpack"):
        read_manifest(data)


@pytest.mark.parametrize("key", sorted(RAW["tables"]["chunk_fts"]))
def test_incomplete_table_is_refused(key: str) -> None:
    table = {name: value for name, value in RAW["tables"]["chunk_fts"].items() if name != key}
    with pytest.raises(FormatError):
        manifest(tables={"chunk_fts": table})


@pytest.mark.parametrize("key", sorted(RAW))
def test_incomplete_manifest_is_refused(key: str) -> None:
    """With FormatError, never a KeyError."""
    with pytest.raises(FormatError):
        read_manifest(msgpack.packb({name: value for name, value in RAW.items() if name != key}))


def test_pack_and_unpack() -> None:
    value = {"a": [1, b"\xff", "é"], "b": None}
    data = pack(value)
    assert unpack("x", inflate("x", data)) == value
    assert checked("x", data, digest(data)) == inflate("x", data)
    assert checked_by_name(f"hot-{digest(data).hex()}.bin", data) == inflate("x", data)


@pytest.mark.parametrize("name", ["hot.bin", "hot-nothex.bin", "hot-.bin", "", "hot-00.bin"])
def test_file_name_without_a_digest_is_an_error(name: str) -> None:
    with pytest.raises((IntegrityError, FormatError)):
        checked_by_name(name, pack(1))


@pytest.mark.parametrize(
    "spoil",
    [
        lambda data: data[:-1],
        lambda data: data + b"\0",
        lambda data: b"",
        lambda data: data[:5] + bytes([data[5] ^ 1]) + data[6:],
        lambda data: b"<!doctype html><title>404</title>",
    ],
    ids=["cut short", "longer", "empty", "one bit", "another file"],
)
def test_damaged_file_is_refused(spoil: Any) -> None:
    data = deflate(b"posting lists" * 50)
    with pytest.raises(IntegrityError):
        checked("index/0.bin", spoil(data), digest(data))
    with pytest.raises(IntegrityError):
        inflate("index/0.bin", spoil(data))


def test_decompression_bomb_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ranvier.store.format.INFLATED_MAX", 1000)
    with pytest.raises(IntegrityError):
        inflate("x", zlib.compress(bytes(1001)))
    assert inflate("x", zlib.compress(bytes(1000))) == bytes(1000)


# No term begins in the third file, which has the beginning of the fourth, nor in the last one.
FIRST, LAST = (b"b", b"f", b"m", b"m", BEYOND), (b"", b"k", b"", b"z", b"")


@pytest.mark.parametrize(
    ("term", "files"),
    [
        ("a", []),  # before the first file: with the interior pages
        ("b", [0]),
        ("ezz", [0]),
        ("f", [1]),
        ("j", [1]),
        ("k", [1, 2, 3]),  # it goes on, over a file of nothing else
        ("l", [1]),
        ("m", [3]),
        ("y", [3]),
        ("z", [3, 4]),  # it goes on to the end
        ("ö", [3]),
    ],
)
def test_bounds_give_the_files_of_a_term(term: str, files: list[int]) -> None:
    """B2: from the manifest only."""
    assert [*Bounds(Files("index", b"", ()), FIRST, LAST).files_of(term)] == files


@pytest.mark.parametrize(
    ("prefix", "files"),
    [
        ("", [0, 1, 2, 3, 4]),
        ("a", []),
        ("b", [0]),
        ("e", [0]),
        ("f", [1]),
        ("k", [1, 2, 3]),
        ("l", [1, 2, 3]),  # all terms of the second file are below it: the next one is read
        ("m", [3]),
        ("z", [3, 4]),
        ("\x80", [3, 4]),
    ],
)
def test_bounds_give_the_files_of_a_prefix(prefix: str, files: list[int]) -> None:
    """B2."""
    assert [*Bounds(Files("index", b"", ()), FIRST, LAST).files_of(prefix, prefix=True)] == files


@pytest.mark.parametrize(
    ("prefix", "files"),
    [("\x80", [0, 1, 2]), ("\x80a", [0]), ("\x80e", [1]), ("\x80é", [1, 2]), ("\x81", [2]), ("é", [2, 3]), ("\U0001f9e0", [3])],
)
def test_bounds_of_non_ascii_prefixes(prefix: str, files: list[int]) -> None:
    """Terms are compared as UTF-8, as in FTS5; a separator may end within a character."""
    first, last = (b"\xc2\x80a", b"\xc2\x80e", b"\xc2\x80\xc4", b"\xc3\xaa"), ("\x80d", "\x80é", "éx", "")
    bounds = Bounds(Files("index", b"", ()), first, tuple(term.encode() for term in last))
    assert [*bounds.files_of(prefix, prefix=True)] == files


@pytest.mark.parametrize("prefix", [False, True])
def test_bounds_of_a_table_without_files(prefix: bool) -> None:
    assert [*Bounds(Files("index", b"", ()), (), ()).files_of("a", prefix=prefix)] == []

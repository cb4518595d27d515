"""The manifest and the file format (B2): which file holds what, and how files are checked."""

import zlib
from typing import Any

import msgpack
import pytest
from ranvier import FormatError, IntegrityError
from ranvier.store.files import Files, steps
from ranvier.store.format import DIGEST, FORMAT, checked, checked_by_name, deflate, digest, inflate, pack
from ranvier.store.manifest import Bounds, Manifest, read_leaves, read_manifest
from ranvier.store.terms import BEYOND
from ranvier.text import ANALYSER

RAW: dict[str, Any] = {
    "format": FORMAT,
    "analyser": ANALYSER,
    "page_size": 4096,
    "page_count": 20,
    "langs": ["en", "de"],
    "terms": {"list": [], "first": [b"", b"n"], "files": [b"m" * DIGEST + b"n" * DIGEST, [6, 7]]},
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


def test_file_of_a_page() -> None:
    files = [b"a" * DIGEST + b"b" * DIGEST + b"c" * DIGEST, [10, 20, 30]]
    bounds = [files, [b"a", b"b", b"c"], [b"", b"", b""]]
    leaves = read_leaves({"pages": steps([5, 6, 9, 10, 11]), "pages_per_file": 2, "bounds": bounds})
    assert [leaves.pages_of(number) for number in range(3)] == [(5, 6), (9, 10), (11,)]
    assert {page: leaves.file_of_page(page) for page in (5, 6, 9, 10, 11)} == {5: 0, 6: 0, 9: 1, 10: 1, 11: 2}
    assert {leaves.file_of_page(page) for page in (1, 4, 7, 8, 12, 20)} == {-1}


def test_pages_of_a_pack() -> None:
    """Runs are stored as the gap before each run and its length."""
    assert [page for page in range(1, 21) if page in manifest().packs["neuron"]] == [12, 13, 17]
    assert manifest().packs["substring"].runs == ()


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


@pytest.mark.parametrize("bounds", [[], [[b"", []], []], [5, [], []], [[b"", []], 5, []], None])
def test_wrong_bounds_are_refused(bounds: object) -> None:
    with pytest.raises(FormatError):
        manifest(bounds={"substring_fts": bounds})


@pytest.mark.parametrize("key", sorted(RAW))
def test_incomplete_manifest_is_refused(key: str) -> None:
    """With FormatError, never a KeyError."""
    with pytest.raises(FormatError):
        read_manifest(msgpack.packb({name: value for name, value in RAW.items() if name != key}))


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
        ("k", [1, 2, 3]),  # its postings continue through a file that holds only them
        ("l", [1]),
        ("m", [3]),
        ("y", [3]),
        ("z", [3, 4]),  # its postings continue to the end
        ("ö", [3]),
        ("*", [0, 1, 2, 3, 4]),
        ("a*", []),
        ("b*", [0]),
        ("e*", [0]),
        ("f*", [1]),
        ("k*", [1, 2, 3]),
        ("l*", [1, 2, 3]),  # all terms of the second file are below it: the next one is read
        ("m*", [3]),
        ("z*", [3, 4]),
        ("\x80*", [3, 4]),
    ],
)
def test_bounds_give_the_files_of_a_term_or_a_prefix(term: str, files: list[int]) -> None:
    """B2: from the manifest only; a table without files has none."""
    for first, last, expected in ((FIRST, LAST, files), ((), (), [])):
        bounds = Bounds(Files("index", b"", ()), first, last)
        assert [*bounds.files_of(term.removesuffix("*"), prefix=term.endswith("*"))] == expected


@pytest.mark.parametrize(
    ("prefix", "files"),
    [("\x80", [0, 1, 2]), ("\x80a", [0]), ("\x80e", [1]), ("\x80é", [1, 2]), ("\x81", [2]), ("é", [2, 3]), ("\U0001f9e0", [3])],
)
def test_bounds_of_non_ascii_prefixes(prefix: str, files: list[int]) -> None:
    """Terms are compared as UTF-8, as in FTS5; a separator may end within a character."""
    first, last = (b"\xc2\x80a", b"\xc2\x80e", b"\xc2\x80\xc4", b"\xc3\xaa"), ("\x80d", "\x80é", "éx", "")
    bounds = Bounds(Files("index", b"", ()), first, tuple(term.encode() for term in last))
    assert [*bounds.files_of(prefix, prefix=True)] == files

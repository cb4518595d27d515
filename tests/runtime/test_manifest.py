"""The manifest and the format of files: what is where, and how it is checked (B2)."""

from __future__ import annotations

import zlib
from typing import Any

import msgpack
import pytest
from ranvier import FormatError, IntegrityError
from ranvier.store.format import DIGEST, FORMAT, checked, checked_by_name, deflate, digest, inflate, pack, unpack
from ranvier.store.manifest import Manifest, read_manifest, steps
from ranvier.text import ANALYSER

RAW: dict[str, Any] = {
    "format": FORMAT,
    "analyser": ANALYSER,
    "site": "docs",
    "page_size": 4096,
    "page_count": 20,
    "cold_pages": steps([5, 6, 9, 10, 11]),
    "first_leaf": steps([3, 4, 7, 9, 10]),
    "last_leaf": 11,
    "pages_per_file": 2,
    "index": [b"a" * DIGEST + b"b" * DIGEST + b"c" * DIGEST, [10, 20, 30]],
    "text": [b"d" * DIGEST + b"e" * DIGEST, [1, 2]],
    "text_first": steps([1, 8]),
    "neuron_first": steps([1, 4, 8, 9]),
    "chunk_count": 12,
    "assets": {"core-0.zip": [3, b"x" * DIGEST]},
}


def manifest(**changes: Any) -> Manifest:
    return read_manifest(msgpack.packb(RAW | changes))


def test_steps() -> None:
    assert steps([3, 4, 9]) == [3, 1, 5]
    assert steps([]) == []


def test_names_and_assets() -> None:
    assert manifest().index.name(1) == f"index/{b'b'.hex() * DIGEST}.bin"
    assert manifest().text.name(0) == f"text/{b'd'.hex() * DIGEST}.bin"
    assert manifest().text.digest(1) == b"e" * DIGEST
    assert manifest().assets == {"core-0.zip": (3, b"x" * DIGEST)}


@pytest.mark.parametrize(("number", "pages"), [(0, (5, 6)), (1, (9, 10)), (2, (11,))])
def test_pages_of_a_file_and_back(number: int, pages: tuple[int, ...]) -> None:
    assert manifest().pages_of(number) == pages
    assert {manifest().file_of_page(page) for page in pages} == {number}


@pytest.mark.parametrize(
    ("leaf", "file"),
    [(1, -1), (2, -1), (3, 0), (4, 0), (6, 0), (7, 1), (9, 1), (10, 2), (11, 2), (99, 2)],  # -1: beside the hot pages
)
def test_file_of_leaf(leaf: int, file: int) -> None:
    assert manifest().file_of_leaf(leaf) == file


@pytest.mark.parametrize(
    ("chunk", "neuron", "text"), [(1, 0, 0), (3, 0, 0), (4, 1, 0), (7, 1, 0), (8, 2, 1), (9, 3, 1), (12, 3, 1)]
)
def test_home_of_a_chunk(chunk: int, neuron: int, text: int) -> None:
    assert manifest().neuron_of(chunk) == neuron
    assert manifest().text_file_of(chunk) == text


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
def test_another_format_is_refused(data: bytes) -> None:
    with pytest.raises(FormatError, match=r"build the site again|not msgpack"):
        read_manifest(data)


@pytest.mark.parametrize("key", sorted(RAW))
def test_a_manifest_that_lacks_something_is_refused(key: str) -> None:
    """By our own error, which a reader can be shown, and never a KeyError."""
    with pytest.raises(FormatError):
        read_manifest(msgpack.packb({name: value for name, value in RAW.items() if name != key}))


def test_pack_and_unpack() -> None:
    value = {"a": [1, b"\xff", "é"], "b": None}
    data = pack(value)
    assert unpack("x", inflate("x", data)) == value
    assert checked("x", data, digest(data)) == inflate("x", data)
    assert checked_by_name(f"hot-{digest(data).hex()}.bin", data) == inflate("x", data)


@pytest.mark.parametrize("name", ["hot.bin", "hot-nothex.bin", "hot-.bin", "", "hot-00.bin"])
def test_a_name_that_is_no_digest_is_an_error_of_ours(name: str) -> None:
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
def test_a_damaged_file_is_refused(spoil: Any) -> None:
    data = deflate(b"posting lists" * 50)
    with pytest.raises(IntegrityError):
        checked("index/0.bin", spoil(data), digest(data))
    with pytest.raises(IntegrityError):
        inflate("index/0.bin", spoil(data))


def test_a_bomb_does_not_explode(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ranvier.store.format.INFLATED_MAX", 1000)
    with pytest.raises(IntegrityError):
        inflate("x", zlib.compress(bytes(1001)))
    assert inflate("x", zlib.compress(bytes(1000))) == bytes(1000)

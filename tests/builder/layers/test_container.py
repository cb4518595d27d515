"""A7: the files of a layer."""

from pathlib import Path

import pytest
from cryptography.exceptions import InvalidTag
from ranvier_builder.layers.container import Container, size_class
from support.layers import OpenLayer

KEY = bytes(range(32))
LAYER = Container("00112233aabbccdd", KEY)
CONTENTS = [b"", b"a", b"text " * 3000, bytes(range(256)) * 40, b"\0" * 5000]


def opener(layer: Container = LAYER) -> OpenLayer:
    return OpenLayer(Path("nowhere"), layer.id, layer.key)


@pytest.mark.parametrize("content", CONTENTS)
def test_a_second_reader_opens_a_sealed_file(content: bytes) -> None:
    """A7"""
    assert opener().open("a/b.html", LAYER.seal("a/b.html", content)) == content


def test_no_nonce_encrypts_two_plaintexts() -> None:
    """Another path, content or layer has another nonce."""
    other_layer = Container("00112233aabbccde", KEY)
    files = ((LAYER, "a", b"text"), (LAYER, "b", b"text"), (LAYER, "a", b"Text"), (other_layer, "a", b"text"))
    ciphertexts = [layer.seal(path, content) for layer, path, content in files]
    assert len({data[:12] for data in ciphertexts}) == len(ciphertexts)


@pytest.mark.parametrize(
    ("path", "layer"),
    [("b", LAYER), ("a", Container("00112233aabbccde", KEY)), ("a", Container(LAYER.id, KEY[::-1]))],
    ids=["another path", "another layer", "another key"],
)
def test_a_file_in_another_place_does_not_open(path: str, layer: Container) -> None:
    with pytest.raises(InvalidTag):
        opener(layer).open(path, LAYER.seal("a", b"text"))


@pytest.mark.parametrize("at", [0, 12, 600, -1])
def test_a_changed_or_missing_byte_is_detected(at: int) -> None:
    data = bytearray(LAYER.seal("a", b"text"))
    data[at] ^= 1
    for damaged in (bytes(data), LAYER.seal("a", b"text")[:-1]):
        with pytest.raises(InvalidTag):
            opener().open("a", damaged)


def test_sizes_are_classes() -> None:
    """At least 1,024; four sizes for each doubling; at most a quarter is padding."""
    assert size_class(0) == size_class(1024) == 1024
    assert sorted({size_class(length) for length in range(1025, 4097)}) == [1280, 1536, 1792, 2048, 2560, 3072, 3584, 4096]
    for length in (1025, 1280, 1281, 99_999, 1 << 20, (1 << 20) + 1):
        assert length <= size_class(length) <= 1.25 * length


def test_texts_of_one_class_have_the_same_size() -> None:
    sizes = {len(LAYER.seal("a", bytes(range(256)) * 8 + b"x" * count)) for count in range(200)}
    assert len(sizes) == 1

"""The files of vectors: the same bytes for the same pages on every machine (I4, B1, B2)."""

import os
import subprocess
import sys
import zlib
from dataclasses import replace
from itertools import chain
from pathlib import Path
from statistics import median
from typing import Any

import msgpack
import numpy as np
import pytest
from ranvier.store.format import deflate, digest, inflate, unpack
from ranvier_builder.embed.models import embedder
from ranvier_builder.embed.site import SPREAD, _scale_rows
from ranvier_builder.model import Chunk, Rendered
from ranvier_builder.write.vectors import OTHER_ROWS, USED_ROWS, _columns, _huffman, _pack, _row_files, write_vectors
from support.content import page
from support.meaning import Tiny, VectorStore, clustered_pages, file_digests, passages, topical, write
from support.sites import ROOT


@pytest.fixture(scope="module")
def vector_store(tmp_path_factory: pytest.TempPathFactory) -> VectorStore:
    return write(tmp_path_factory.mktemp("written"), *clustered_pages())


# Other processors add floats in another order; these settings give their order.
MACHINES = {
    "one thread": {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
    "two threads": {"OPENBLAS_NUM_THREADS": "2", "OMP_NUM_THREADS": "2"},
    "an old processor": {"OPENBLAS_CORETYPE": "Prescott", "NPY_DISABLE_CPU_FEATURES": "AVX2 FMA3"},
}


@pytest.mark.parametrize("machine", MACHINES)
def test_vector_files_are_the_same_on_every_machine(vector_store: VectorStore, tmp_path: Path, machine: str) -> None:
    """B1: with any number of threads and any processor features."""
    text = "import sys, pathlib, support.meaning as m; m.write(pathlib.Path(sys.argv[1]), *m.clustered_pages())"
    paths = [str(ROOT / part) for part in ("tests", "builder", "runtime", "themes")]
    environment = os.environ | MACHINES[machine] | {"PYTHONPATH": os.pathsep.join(paths), "PYTHONHASHSEED": "7"}
    subprocess.run([sys.executable, "-W", "ignore", "-c", text, str(tmp_path)], env=environment, check=True, timeout=100)
    assert file_digests(tmp_path) == file_digests(vector_store.folder)


def test_vector_file_names_are_digests(vector_store: VectorStore) -> None:
    """B2: the head names each file, and the manifest names the head; there is no other file."""
    head = vector_store.run(vector_store.open().head())
    names = set()
    for files in (vector_store.files.head, vector_store.files.tokens, head.rows, head.shards, head.shard_map):
        names |= {files.name(at) for at in range(len(files.sizes))}
    file_names = {f"vectors/{file.name}" for file in (vector_store.folder / "vectors").iterdir()}
    assert file_names == names
    for name in names:
        data = (vector_store.folder / name).read_bytes()
        assert name == f"vectors/{digest(data).hex()}.bin"
        assert inflate(name, data)


def test_rows_of_used_tokens_are_in_small_files(vector_store: VectorStore) -> None:
    """I4: so that a query reads little."""
    head = vector_store.run(vector_store.open().head())
    lengths = [
        len(inflate("", (vector_store.folder / head.rows.name(at)).read_bytes())) // 256 for at in range(len(head.rows.sizes))
    ]
    assert max(lengths) <= USED_ROWS
    assert len(head.site_tokens) == sum(lengths) == 240
    assert np.cumsum(lengths).tolist() == [*head.ends]


def test_rows_of_unused_tokens_follow_the_used_ones(tmp_path: Path) -> None:
    """I4: a query may need them. Tokens of ASCII words come first."""
    model = topical(2, 200)
    used = Tiny(model.words[:30], model.rows)
    site = write(tmp_path, [Rendered(page("a.md"), "", (), (Chunk("", (), " ".join(used.words)),))], model)
    head = site.run(site.open().head())
    lengths = [len(inflate("", (site.folder / head.rows.name(at)).read_bytes())) // 256 for at in range(len(head.rows.sizes))]
    ascii_tokens = [at for at, word in enumerate(model.words) if word.isascii() and at >= 30]
    other_tokens = [at for at, word in enumerate(model.words) if not word.isascii() and at >= 30]
    halves = [sum(at < 200 for at in ascii_tokens), sum(at >= 200 for at in ascii_tokens)]
    assert lengths == [30, *halves, len(other_tokens)]
    assert OTHER_ROWS < len(ascii_tokens)
    vocabulary = site.run(site.open().vocabulary("é"))
    places = [(file, row) for file, rows in enumerate(lengths) for row in range(rows)]
    assert [vocabulary.place(number) for number in (*range(30), *ascii_tokens, *other_tokens)] == places


def test_row_files_are_classes_of_frequency_and_halves_of_ids() -> None:
    """I4: each class has four times the frequency of the next; ids are halved until they fit."""
    counts = np.array([0, 1, 3, 4, 15, 16, 2, 0] + [1] * 92)
    (first, *files), unused = _row_files(counts, [{*range(60)}, {*range(100)}], None)
    assert first == [5]
    assert files[0] == [3, 4]
    rare = [1, 2, 6, *range(8, 100)]
    assert files[1:] == [[token for token in rare if token < 50], [*range(50, 75)], [*range(75, 100)]]
    assert max(map(len, files)) <= USED_ROWS
    assert unused == [[0, 7]]
    bytes_of = _row_files(np.zeros(300, np.int64), [set(), {3}], 10)
    assert bytes_of == ([], [[*range(10, 150)], [*range(150, 266)], [3]])


def test_more_frequent_token_changes_two_row_files() -> None:
    """I4, B2: or none, if its class stays; all other files have the same tokens, so that their names stay."""
    counts = np.array([number % 40 for number in range(2000)])
    vocabulary = [{*range(1500)}, {*range(1500, 2000)}]
    before = {tuple(file) for file in chain(*_row_files(counts, vocabulary, None))}
    for token, increase, files in ((701, 1, 0), (683, 1, 2), (695, 1, 2), (720, 1, 2), (701, 60, 2)):
        counts_after = counts.copy()
        counts_after[token] += increase
        after = {tuple(file) for file in chain(*_row_files(counts_after, vocabulary, None))}
        assert len(after - before) == files, token
    assert len(before) > 40


def test_small_edits_keep_most_row_files(tmp_path: Path) -> None:
    """I4, B2: the name of a file of rows changes with the meaning of its tokens, or, seldom, with a step of the whole site."""
    model = topical(12, 200, dimensions=64)
    pages = passages(model, 12, 1000, words=60)
    before = _row_names(tmp_path / "before", pages, model)
    shares = []
    for number in range(3):
        edited = list(pages)
        page, (first, *rest) = pages[50 * number], pages[50 * number].chunks
        body = f"{first.body.rsplit(' ', 1)[0]} {model.words[70 * number]}"
        edited[50 * number] = replace(page, chunks=(replace(first, body=body), *rest))
        after = _row_names(tmp_path / str(number), edited, model)
        shares.append(len(after - before) / len(after))
    assert len(before) > 60
    assert 0 < median(shares) < 0.1


def _row_names(folder: Path, pages: list[Rendered], model: Tiny) -> set[str]:
    site = write(folder, pages, model)
    rows = site.run(site.open().head()).rows
    return {rows.name(at) for at in range(len(rows.sizes))}


@pytest.mark.parametrize(
    ("values", "expected"),
    [([[0]], [128]), ([[-128, 127]], [0, 255]), ([[-129, 128]], [0, 255]), ([[1, 2], [3, 4]], [129, 131, 130, 132]), ([], [])],
)
def test_vectors_are_stored_by_dimension(values: list[list[int]], expected: list[int]) -> None:
    """L3: 128 stands for 0; larger values are clipped."""
    assert [*_columns(np.array(values, np.int64))] == expected


def test_token_rows_have_one_scale() -> None:
    """I4: they are summed, so relative lengths stay; typical values are about `SPREAD`."""
    rng = np.random.default_rng(1)
    rows = (rng.normal(0, 1, (500, 256)) * rng.choice([500, 1000, 2000], (500, 1))).astype(np.intc)
    scaled = _scale_rows(rows).astype(float)
    ratio = np.linalg.norm(scaled, axis=1) / np.linalg.norm(rows.astype(float), axis=1)
    assert ratio.max() / ratio.min() < 1.1
    assert np.sqrt(float(np.median((scaled**2).mean(axis=1)))) == pytest.approx(SPREAD, rel=1 / 16)
    edited = rows.copy()
    edited[:10] *= 4
    assert (_scale_rows(edited)[10:] == scaled[10:]).all(), "the scale is rounded: with a few longer rows it is the same"


NOISE = np.random.default_rng(1).normal(0, 4, 4096).astype("i1").tobytes()


@pytest.mark.parametrize("data", [b"", b"a" * 5000, bytes(range(256)) * 9, NOISE, b"the same words again " * 99])
def test_compressed_files_are_read_by_any_inflater(data: bytes) -> None:
    """B2: text has the shorter encoding; numbers are compressed without repetitions."""
    assert zlib.decompress(_huffman(data)) == inflate("x", _huffman(data)) == data
    assert unpack("x", inflate("x", _pack(data))) == data
    assert len(_pack(data)) <= len(deflate(msgpack.packb(data)))
    if data == NOISE:
        assert len(_huffman(data)) < len(zlib.compress(data, 9))


def test_no_vector_files_without_a_model(tmp_path: Path) -> None:
    """X1."""

    def put(contents: list[bytes]) -> list[Any]:
        raise AssertionError(contents)

    pages, model = clustered_pages()
    assert write_vectors(pages, "en", None, put) == write_vectors([], "en", model, put)
    danish = Tiny(model.words, model.rows, ("da",))
    assert write_vectors(pages, "en", danish, put) == (None, 0)
    silent = [Rendered(page("a.md", title="?"), "", (), (Chunk("", (), "Nothing known."),))]
    assert write_vectors(silent, "en", model, put) == (None, 0)


def test_chunk_without_words_has_no_vector(tmp_path: Path) -> None:
    """I4: other chunks keep their numbers."""
    model = topical(2, 5)
    chunks = tuple(Chunk(f"s{at}", (), body) for at, body in enumerate(["...", model.words[1], "😀", model.words[7]]))
    site = write(tmp_path, [Rendered(page("a.md", title="-"), "", (), chunks)], model)
    assert site.count == 2
    shards = site.run(site.open().shards([0]))
    assert shards[0].chunks == [2, 4]


def test_file_sizes_of_a_small_site_with_wordllama(tmp_path: Path) -> None:
    """I4, B2: a head, two files of tokens, rows, and one shard."""
    chunks = (Chunk("", (), "A vessel sails across the ocean."),)
    pages = [Rendered(page("a.md", title="Boats"), "", (), chunks)]
    site = write(tmp_path, pages, embedder("wordllama"))  # type: ignore[arg-type]
    head = site.run(site.open().head())
    assert site.files.head.sizes[0] < 8_000
    assert site.files.tokens.sizes[0] < 80_000
    assert max(head.rows.sizes) < 40_000
    assert len(head.shards.sizes) == 1
    assert head.shards.sizes[0] < 500

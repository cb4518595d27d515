"""Chunks → the vector files for `ranvier.store.vectors`."""

from __future__ import annotations

import zlib
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import msgpack
import numpy as np
from numpy.typing import NDArray
from ranvier.store.files import steps
from ranvier.store.format import deflate
from ranvier.store.vectors import COARSE

from ranvier_builder.embed.clusters import clusters
from ranvier_builder.embed.exact import UNIT, Ints, Shorts, blocks, unit
from ranvier_builder.embed.language import readable
from ranvier_builder.embed.models import Embedder
from ranvier_builder.embed.site import Passage, SiteVectors, embedded
from ranvier_builder.embed.tokenizer_file import packs
from ranvier_builder.model import Rendered
from ranvier_builder.write.analyse import primary

USED_ROWS, OTHER_ROWS = 32, 128  # rows per file: of tokens that the site uses, and of others
# root mean square of a typical row's values, as integers: with 6, one in seventy of the ten nearest chunks is wrong
_SPREAD = 12.0
# Resolutions: with few vectors, coarse ones give the same pages for two thirds of the bytes; with very many, the
# nearest chunks differ by less than a coarse step.
_COARSE, _MANY, _FINE = 64, 20_000, 256
Put = Callable[[list[bytes]], list[Any]]  # writes files named by their digests; returns the digests and the sizes


@dataclass(frozen=True, slots=True)
class Written:
    """The vectors' part of the manifest, and the number of vectors."""

    manifest: dict[str, Any] | None
    count: int = 0


def write_vectors(indexed: Sequence[Rendered], lang: str, model: Embedder | None, put: Put) -> Written:
    """Write the vectors of all chunks in a language that the model supports; without such chunks, write nothing."""
    if model is None:
        return Written(None)
    chosen = array("q")
    site = embedded(_noted(_passages(indexed, lang, model.langs), chosen), model)
    numbers = np.array(chosen)
    filled = np.nonzero(np.abs(site.vectors).max(axis=1, initial=0))[0]  # a chunk without words has no vector
    if not len(filled):
        return Written(None)
    vocabulary, token_files = _vocabulary(model)
    chunks = sum(len(page.chunks) for page in indexed)
    vectors = site.vectors if len(filled) == len(numbers) else site.vectors[filled]
    head = _head(site, numbers[filled], vectors, model, vocabulary, put, chunks)
    return Written({"langs": list(model.langs), "head": put([_tight(head)]), "tokens": put(token_files)}, len(filled))


@lru_cache(maxsize=2)  # the same for each build
def _vocabulary(model: Embedder) -> tuple[tuple[dict[str, int], dict[str, int]], list[bytes]]:
    """Return the two parts of a model's vocabulary, and the file of each."""
    vocabulary = packs(model.tokenizer)
    return vocabulary, [_tight(_tokens(some)) for some in vocabulary]


def _noted(numbered: Iterable[tuple[int, Passage]], numbers: array[int]) -> Iterator[Passage]:
    """Yield passages, and store their numbers."""
    for number, passage in numbered:
        numbers.append(number)
        yield passage


def _passages(indexed: Iterable[Rendered], lang: str, langs: Sequence[str]) -> Iterator[tuple[int, Passage]]:
    """Yield chunks with their numbers."""
    number = 0
    for page in indexed:
        neuron = page.page.neuron
        lang_code = primary(neuron.lang, lang)
        for chunk in page.chunks:
            number += 1
            if readable(langs, lang_code, chunk.body):
                yield number, Passage(neuron.title, " ".join(chunk.headings), chunk.body)


def _head(
    site: SiteVectors,
    numbers: Ints,
    vectors: Shorts,
    model: Embedder,
    vocabulary: Sequence[dict[str, int]],
    put: Put,
    chunks: int,
) -> dict[str, Any]:
    reader = model.tokenizer
    groups = clusters(vectors)
    centroids = np.stack([unit(vectors[group].sum(axis=0, dtype=np.int64)[None, :], COARSE)[0] for group in groups])
    resolution = _COARSE if len(vectors) <= _MANY else _FINE
    shards = [
        _shard(numbers[group], vectors[group], centroid, resolution) for group, centroid in zip(groups, centroids, strict=True)
    ]
    return {
        "model": model.name,
        "dimensions": vectors.shape[1],
        "count": len(vectors),
        "resolution": resolution,
        "tokenizer": reader.kind,
        "options": dict(reader.options),
        "order": site.order,
        "per_file": [USED_ROWS, OTHER_ROWS],
        "rows": put(_rows(site, [{*tokens.values()} for tokens in vocabulary], reader.options.get("bytes"))),
        "centroids": _columns(centroids),
        "shards": put(shards),
        "homes": put([_tight(_homes([numbers[group] for group in groups], chunks))]),
    }


def _homes(groups: Sequence[Ints], chunks: int) -> list[int]:
    """Return each chunk's shard; chunks without a vector get the number after the last shard."""
    homes = np.full(chunks, len(groups))
    for shard, group in enumerate(groups):
        homes[group - 1] = shard
    return homes.tolist()


def _tokens(tokens: dict[str, int]) -> list[Any]:
    ordered = sorted(tokens, key=tokens.__getitem__)
    return ["\n".join(ordered), steps(tokens[token] for token in ordered)]


def _rows(site: SiteVectors, vocabulary: Sequence[set[int]], first_byte: int | None) -> list[bytes]:
    """Return the files of rows: tokens that the site uses, then the others, tokens of ASCII words first."""
    used = set(site.order)
    spelled = {*range(first_byte, first_byte + 256)} if first_byte is not None else set()
    plain = vocabulary[0] | spelled
    rest = [*sorted(plain - used), *sorted(vocabulary[1] - plain - used)]
    scaled = _scaled(site)
    parts = [(site.order, USED_ROWS), (rest, OTHER_ROWS)]
    runs = [tokens[at : at + many] for tokens, many in parts for at in range(0, len(tokens), many)]
    return [_coded(scaled[run].tobytes()) for run in runs]


def _scaled(site: SiteVectors) -> NDArray[np.int8]:
    """Return all rows as signed bytes with one common scale, because they are summed."""
    squares: Ints = np.einsum("ij,ij->i", site.rows, site.rows, dtype=np.int64, casting="safe")
    lengths = np.sort(squares)  # of all tokens: those of a small site are common there, and so have short rows
    usual = max(float(np.sqrt(float(lengths[len(lengths) // 2]))), 1.0)
    scale = _SPREAD * np.sqrt(site.rows.shape[1]) / usual
    scaled = np.empty(site.rows.shape, np.int8)
    for block in blocks(len(scaled)):
        scaled[block] = np.clip(np.rint(site.rows[block] * scale), -127, 127)
    return scaled


def _shard(numbers: Ints, vectors: Shorts, centroid: Ints, resolution: int) -> bytes:
    differences = np.rint(vectors.astype(np.int64) * (resolution / UNIT)).astype(np.int64) - resolution // COARSE * centroid
    return _coded(msgpack.packb([steps(numbers.tolist()), _columns(differences)], use_bin_type=True))


def _columns(values: Ints) -> bytes:
    return bytes((np.clip(values, -128, 127) + 128).astype(np.uint8).T.tobytes())


def _tight(value: Any) -> bytes:
    """Pack a value as msgpack, deflated with the method that gives the shorter result."""
    packed: bytes = msgpack.packb(value, use_bin_type=True)
    return min(deflate(packed), _coded(packed), key=len)


def _coded(data: bytes) -> bytes:
    """Deflate with Huffman codes only: numbers have no repetitions, and the result is shorter and faster."""
    engine = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS, 9, zlib.Z_HUFFMAN_ONLY)
    return engine.compress(data) + engine.flush()

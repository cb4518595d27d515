"""Chunks → the vector files for `ranvier.store.vectors`."""

from __future__ import annotations

import zlib
from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgpack
import numpy as np
from ranvier.store.files import steps
from ranvier.store.format import deflate
from ranvier.store.vectors import COARSE

from ranvier_builder.embed.clusters import clusters
from ranvier_builder.embed.exact import UNIT, Ints16, Ints64, make_blocks, unit
from ranvier_builder.embed.language import readable
from ranvier_builder.embed.models import StaticModel
from ranvier_builder.embed.site import Passage, SiteVectors, embed_site
from ranvier_builder.embed.tokenizer_file import split_ascii
from ranvier_builder.model import Rendered
from ranvier_builder.write.analyse import primary

USED_ROWS, OTHER_ROWS = 48, 192  # largest number of rows in a file: of tokens that the site uses, and of others
# Resolutions. With few vectors, a coarse one gives the same pages for two thirds of the bytes; with very many, the nearest
# chunks differ by less than a coarse step.
_COARSE, _MANY, _FINE = 64, 20_000, 256
Put = Callable[[list[bytes]], list[Any]]  # writes files named by their digests; returns the digests and the sizes


def write_vectors(
    indexed: Sequence[Rendered], lang: str, model: StaticModel | None, put: Put, folder: Path | None = None
) -> tuple[dict[str, Any] | None, int]:
    """Write the vectors of all chunks in a language that the model supports; without such chunks, write nothing.

    `folder` is for temporary files. Return the vectors' part of the manifest, and the number of vectors.
    """
    if model is None:
        return None, 0
    chunk_numbers = array("q")
    site = embed_site(_record_numbers(_passages(indexed, lang, model.langs), chunk_numbers), model, folder)
    numbers = np.array(chunk_numbers)
    with_vector = np.nonzero(site.vectors.any(axis=1))[0]  # a chunk without words has no vector
    if not len(with_vector):
        return None, 0
    vocabulary, token_files = _vocabulary(model)
    chunks = sum(len(page.chunks) for page in indexed)
    width = site.vectors.shape[1]
    vectors = make_blocks(np.int16, len(with_vector), width, lambda block: site.vectors[with_vector[block]], folder)
    groups = clusters(vectors, folder)
    head = _head(site, numbers[with_vector], vectors, groups, model, vocabulary, put, chunks)
    return {"langs": list(model.langs), "head": put([_pack(head)]), "tokens": put(token_files)}, len(with_vector)


@lru_cache(maxsize=2)  # the same for each build
def _vocabulary(model: StaticModel) -> tuple[tuple[dict[str, int], dict[str, int]], list[bytes]]:
    """Return the two parts of a model's vocabulary, and the file of each."""
    vocabulary = split_ascii(model.tokenizer)
    return vocabulary, [_pack(_tokens(part)) for part in vocabulary]


def _record_numbers(numbered: Iterable[tuple[int, Passage]], numbers: array[int]) -> Iterator[Passage]:
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
    numbers: Ints64,
    vectors: Ints16,
    groups: Sequence[Ints64],
    model: StaticModel,
    vocabulary: Sequence[dict[str, int]],
    put: Put,
    chunks: int,
) -> dict[str, Any]:
    reader = model.tokenizer
    used, others = _row_files(site.counts, [{*tokens.values()} for tokens in vocabulary], reader.options.get("bytes"))
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
        "site_tokens": [steps(file) for file in used],
        "other_counts": [len(file) for file in others],
        "rows": put([_huffman(site.rows[file].tobytes()) for file in (*used, *others)]),
        "centroids": _columns(centroids),
        "shards": put(shards),
        "shard_map": put([_pack(_shard_map([numbers[group] for group in groups], chunks))]),
    }


def _shard_map(groups: Sequence[Ints64], chunks: int) -> list[int]:
    """Return each chunk's shard; chunks without a vector get the number after the last shard."""
    shard_of_chunk = np.full(chunks, len(groups))
    for shard, group in enumerate(groups):
        shard_of_chunk[group - 1] = shard
    return shard_of_chunk.tolist()


def _tokens(tokens: dict[str, int]) -> list[Any]:
    ordered = sorted(tokens, key=tokens.__getitem__)
    return ["\n".join(ordered), steps(tokens[token] for token in ordered)]


def _row_files(
    counts: Ints64, vocabulary: Sequence[set[int]], first_byte: int | None
) -> tuple[list[list[int]], list[list[int]]]:
    """Return the tokens of each file of rows: files of tokens that the site uses, frequent ones first, and files of others.

    Each class has four times the frequency of the next one. In a class, tokens are sorted by id, and files are halves of halves
    of the ids. So a token that enters another class changes the file that it leaves and the file that it enters, and seldom a
    third one that is divided.
    """
    used = np.nonzero(counts)[0].tolist()
    classes = defaultdict[int, list[int]](list)
    for token in used:
        classes[(int(counts[token]).bit_length() - 1) // 2].append(token)
    byte_tokens = {*range(first_byte, first_byte + 256)} if first_byte is not None else set()
    plain = vocabulary[0] | byte_tokens
    unused = [sorted(plain.difference(used)), sorted((vocabulary[1] - plain).difference(used))]
    ids = range(len(counts))
    return (
        [file for number in sorted(classes, reverse=True) for file in _divide(classes[number], ids, USED_ROWS)],
        [file for tokens in unused for file in _divide(tokens, ids, OTHER_ROWS)],
    )


def _divide(tokens: list[int], ids: range, max_tokens: int) -> list[list[int]]:
    """Divide the range of ids into halves, until at most `most` of the tokens are in each part; leave out empty parts."""
    if len(tokens) <= max_tokens:
        return [tokens] if tokens else []
    middle = (ids.start + ids.stop) // 2
    at = bisect_left(tokens, middle)
    return _divide(tokens[:at], range(ids.start, middle), max_tokens) + _divide(
        tokens[at:], range(middle, ids.stop), max_tokens
    )


def _shard(numbers: Ints64, vectors: Ints16, centroid: Ints64, resolution: int) -> bytes:
    differences = np.rint(vectors.astype(np.int64) * (resolution / UNIT)).astype(np.int64) - resolution // COARSE * centroid
    return _huffman(msgpack.packb([steps(numbers.tolist()), _columns(differences)], use_bin_type=True))


def _columns(values: Ints64) -> bytes:
    return bytes((np.clip(values, -128, 127) + 128).astype(np.uint8).T.tobytes())


def _pack(value: Any) -> bytes:
    """Pack a value as msgpack, deflated with the method that gives the shorter result."""
    packed: bytes = msgpack.packb(value, use_bin_type=True)
    return min(deflate(packed), _huffman(packed), key=len)


def _huffman(data: bytes) -> bytes:
    """Deflate with Huffman codes only: numbers have no repetitions, and the result is shorter and faster."""
    engine = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS, 9, zlib.Z_HUFFMAN_ONLY)
    return engine.compress(data) + engine.flush()

"""Do the files of vectors hold what their head says, and has every chunk one that should (M1, [002])?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ranvier.errors import RanvierError
from ranvier.store.format import checked, unpack
from ranvier.store.manifest import Files, Manifest
from ranvier.store.texts import Passage
from ranvier.store.vectors import Head, read_shard, read_tokens
from ranvier.text import words
from ranvier.vectors.tokens import tokenizer

from ranvier_builder.check.findings import Finding
from ranvier_builder.embed.language import readable


@dataclass(frozen=True, slots=True)
class StoredVectors:
    """A site's vectors, as far as they can be read. `head` is `None` where it is damaged: then nothing else is known."""

    base: Path
    manifest: Manifest
    head: Head | None
    centroids: bytes = b""

    @property
    def files(self) -> list[Files]:
        """Every file of vectors that is named anywhere."""
        if self.manifest.vectors is None:
            return []
        inner = [self.head.rows, self.head.shards, self.head.homes] if self.head is not None else []
        return [self.manifest.vectors.head, self.manifest.vectors.tokens, *inner]

    @property
    def all_known(self) -> bool:
        """Whether those are all files that there should be."""
        return self.manifest.vectors is None or self.head is not None

    def read(self, files: Files, number: int) -> bytes:
        """Return a file, inflated; raise `RanvierError` or `OSError` where it is damaged."""
        name = files.name(number)
        return checked(name, (self.base / name).read_bytes(), files.digest(number))


def read_vectors(base: Path, manifest: Manifest) -> StoredVectors:
    """Read the head of a site's vectors, where there are any."""
    empty = StoredVectors(base, manifest, None)
    if manifest.vectors is None:
        return empty
    name = manifest.vectors.head.name(0)
    try:
        data = empty.read(manifest.vectors.head, 0)
        return StoredVectors(base, manifest, Head(name, data), unpack(name, data)["centroids"])
    except (OSError, RanvierError):
        return empty


def disagreements(stored: StoredVectors) -> list[str]:
    """Say where head, tokens, rows and shards count differently; one sentence each. Every file must be whole."""
    head = stored.head
    if head is None:
        return ["the head of the vectors holds something else than it should"] if stored.files else []
    try:
        ids = _ids(stored, head)
        return [*_tokens(stored, head, ids), *_rows(stored, head, ids), *_shards(stored, head)]
    except RanvierError as error:
        return [f"the vectors cannot be read: {error}"]


def _ids(stored: StoredVectors, head: Head) -> list[int]:
    """Return the ids of all tokens that words can give, in order; an id of two tokens is there twice."""
    assert stored.manifest.vectors is not None
    files = stored.manifest.vectors.tokens
    tokens = [read_tokens("tokens", stored.read(files, number)) for number in range(len(files.sizes))]
    tokenizer(head.kind, head.options, {token: number for file in tokens for token, number in file.items()})
    first = head.options.get("bytes")
    spelled = set(range(first, first + 256)) if first is not None else set[int]()
    return sorted([*(number for file in tokens for number in file.values() if number not in spelled), *spelled])


def _tokens(stored: StoredVectors, head: Head, ids: Sequence[int]) -> Iterator[str]:
    assert stored.manifest.vectors is not None
    if len(stored.manifest.vectors.tokens.sizes) != 2:
        yield f"tokens lie in {len(stored.manifest.vectors.tokens.sizes):,} files instead of 2"
    if len(set(ids)) != len(ids):
        yield f"{len(ids) - len(set(ids)):,} tokens have an id that another has"
    if len(set(head.order)) != len(head.order):
        yield f"{len(head.order) - len(set(head.order)):,} tokens are listed twice among those that the site uses"
    if strange := len(set(head.order) - set(ids)):
        yield f"{strange:,} tokens that the site uses are not in the vocabulary"


def _rows(stored: StoredVectors, head: Head, ids: Sequence[int]) -> Iterator[str]:
    many, few = head.per_file
    if many < 1 or few < 1:
        yield f"rows lie {many:,} and {few:,} to a file"
        return
    used, rest = len(head.order), len(set(ids) - set(head.order))
    expected = [min(many, used - at) for at in range(0, used, many)] + [min(few, rest - at) for at in range(0, rest, few)]
    if len(expected) != len(head.rows.sizes):
        yield f"rows: {len(head.rows.sizes):,} files, and {used + rest:,} tokens need {len(expected):,}"
        return
    for number, rows in enumerate(expected):
        if (size := len(stored.read(head.rows, number))) != rows * head.dimensions:
            yield f"{head.rows.name(number)}: {size:,} bytes instead of {rows:,} rows of {head.dimensions:,} dimensions"


def _shards(stored: StoredVectors, head: Head) -> Iterator[str]:
    chunks = Counter[int]()
    per_shard = []
    for number in range(len(head.shards.sizes)):
        name = head.shards.name(number)
        found, columns = read_shard(name, stored.read(head.shards, number))
        if any(b <= a for a, b in zip([0, *found], found, strict=False)):
            yield f"{name}: the numbers of its chunks do not rise"
        if len(columns) != len(found) * head.dimensions:
            yield f"{name}: {len(columns):,} bytes instead of {len(found):,} vectors of {head.dimensions:,} dimensions"
        chunks.update(found)
        per_shard.append(found)
    if chunks.total() != head.count:
        yield f"vectors: the head says {head.count:,}, the shards hold {chunks.total():,}"
    if strange := sum(number not in range(1, stored.manifest.chunk_count + 1) for number in chunks):
        yield f"{strange:,} vectors are of chunks that are not there"
    if twice := sum(times > 1 for times in chunks.values()):
        yield f"{twice:,} chunks have more than one vector"
    if unpack("homes", stored.read(head.homes, 0)) != homes_of(per_shard, stored.manifest.chunk_count):
        yield f"{head.homes.name(0)}: not where the shards have their chunks"
    if len(stored.centroids) != len(head.shards.sizes) * head.dimensions:
        yield f"centroids: not one of {head.dimensions:,} dimensions for each of {len(head.shards.sizes):,} shards"


def homes_of(shards: Sequence[Sequence[int]], chunks: int) -> list[int]:
    """Return each chunk's shard, by the shards' chunks; one past the last for what has no vector."""
    home = {chunk: number for number, found in enumerate(shards) for chunk in found}
    return [home.get(chunk, len(shards)) for chunk in range(1, chunks + 1)]


def missing(stored: StoredVectors, passages: Iterable[Passage]) -> Iterator[Finding]:
    """Find pages of which a chunk has words and no vector, in a language that the model reads."""
    head, vectors = stored.head, stored.manifest.vectors
    if head is None or vectors is None:
        return
    shards = (read_shard("shard", stored.read(head.shards, number)) for number in range(len(head.shards.sizes)))
    there = {chunk for chunks, _ in shards for chunk in chunks}
    without, every, pages = Counter[str](), Counter[str](), dict[str, str]()
    for one in passages:
        if not readable(vectors.langs, one.neuron.lang, one.body):
            continue
        every[one.neuron.seq_id] += 1
        if one.chunk not in there and _has_words(one):
            without[one.neuron.seq_id] += 1
            pages[one.neuron.seq_id] = one.neuron.path
    for key, path in pages.items():
        said = f"{without[key]:,} of {every[key]:,} chunks have words and no vector: no search by meaning finds them"
        yield Finding("missing_vector", path, 0, said)


def _has_words(passage: Passage) -> bool:
    return any(True for text in (passage.body, *passage.headings, passage.neuron.title) for _ in words(text))

"""Find chunks that should have a vector and do not (M1, [002])."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ranvier.errors import RanvierError
from ranvier.store.files import Files
from ranvier.store.format import checked
from ranvier.store.manifest import Manifest
from ranvier.store.texts import Passage
from ranvier.store.vectors import Head, read_shard
from ranvier.text import words

from ranvier_builder.check.findings import Finding
from ranvier_builder.embed.language import readable


@dataclass(frozen=True, slots=True)
class StoredVectors:
    """The readable vector files of a site. `head` is `None` if it is missing or damaged: then nothing else is known."""

    base: Path
    manifest: Manifest
    head: Head | None

    @property
    def files(self) -> list[Files]:
        """Every known file of vectors."""
        if self.manifest.vectors is None:
            return []
        head_files = [self.head.rows, self.head.shards, self.head.shard_map] if self.head is not None else []
        return [self.manifest.vectors.head, self.manifest.vectors.tokens, *head_files]

    @property
    def is_complete(self) -> bool:
        """Whether `files` is complete."""
        return self.manifest.vectors is None or self.head is not None


def read_file(base: Path, files: Files, number: int = 0) -> bytes:
    """Return a file, inflated; raise `RanvierError` or `OSError` if it is damaged."""
    name = files.name(number)
    return checked(name, (base / name).read_bytes(), files.digest(number))


def read_vectors(base: Path, manifest: Manifest) -> StoredVectors:
    """Read the head of a site's vectors, if the site has vectors."""
    empty = StoredVectors(base, manifest, None)
    if manifest.vectors is None:
        return empty
    try:
        return StoredVectors(base, manifest, Head("the head", read_file(base, manifest.vectors.head)))
    except (OSError, RanvierError):
        return empty


def missing_vectors(stored: StoredVectors, passages: Iterable[Passage]) -> Iterator[Finding]:
    """Find pages with chunks that have words and no vector, in a language that the model supports."""
    head, vectors = stored.head, stored.manifest.vectors
    if head is None or vectors is None:
        return
    shards = (read_shard("shard", read_file(stored.base, head.shards, number)) for number in range(len(head.shards.sizes)))
    with_vector = {chunk for chunks, _ in shards for chunk in chunks}
    missing, total, pages = Counter[str](), Counter[str](), dict[str, str]()
    for passage in passages:
        if not readable(vectors.langs, passage.neuron.lang, passage.body):
            continue
        total[passage.neuron.seq_id] += 1
        if passage.chunk not in with_vector and _has_words(passage):
            missing[passage.neuron.seq_id] += 1
            pages[passage.neuron.seq_id] = passage.neuron.path
    for key, path in pages.items():
        message = f"{missing[key]:,} of {total[key]:,} chunks have words but no vector: the search by meaning cannot find them"
        yield Finding("missing_vector", path, 0, message)


def _has_words(passage: Passage) -> bool:
    return any(True for text in (passage.body, *passage.headings, passage.neuron.title) for _ in words(text))

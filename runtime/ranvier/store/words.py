"""The vocabulary for spelling correction: words as written, folded, with the number of Neurons that have them."""

from __future__ import annotations

from collections.abc import Iterable

from ranvier.store.fetch import Steps
from ranvier.store.format import unpack
from ranvier.store.manifest import Manifest
from ranvier.store.shards import Shards

_CACHED = 64  # unpacked shards of some 24 kB


class Words:
    """The vocabulary of a snapshot, in shards by prefix."""

    def __init__(self, manifest: Manifest) -> None:
        self._manifest = manifest
        self._shards = Shards(manifest.words, read_words, _CACHED)

    def words(self, prefixes: Iterable[str]) -> Steps[dict[str, int]]:
        """Return all words with one of some prefixes, in order, and the number of Neurons of each, in one round."""
        prefixes = tuple(sorted({*prefixes}))
        shards = yield from self._shards.get(self._numbers(prefixes))
        return {
            word: count for _, shard in sorted(shards.items()) for word, count in shard.items() if word.startswith(prefixes)
        }

    def hints(self, prefixes: Iterable[str], max_bytes: int) -> tuple[str, ...]:
        """Return the missing shards for some prefixes, or none if they exceed a number of bytes."""
        numbers = self._shards.missing(self._numbers(prefixes))
        fits = sum(self._manifest.words.sizes[number] for number in numbers) <= max_bytes
        return tuple(map(self._manifest.words.name, numbers)) if fits else ()

    def everything(self) -> Steps[None]:
        """Fetch all shards in one round."""
        yield from self._shards.get(range(len(self._manifest.words.sizes)))

    def _numbers(self, prefixes: Iterable[str]) -> set[int]:
        return {number for start in prefixes for number in self._manifest.word_files_of(start)}


def read_words(name: str, data: bytes) -> dict[str, int]:
    """Read an inflated shard: the words with a line feed between them, and their counts."""
    words, counts = unpack(name, data)
    return dict(zip(words.split("\n"), counts, strict=True))

"""The vocabulary: words as they are written, folded, with the number of Neurons that have them. For misspelt words."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable

from ranvier.store.fetch import Steps, fetch
from ranvier.store.format import unpack
from ranvier.store.manifest import Manifest

_KEPT = 64  # shards of some 24 kB that stay unpacked


class Words:
    """The vocabulary of a snapshot, in shards by how the words begin."""

    def __init__(self, manifest: Manifest) -> None:
        self.rounds = 0
        self._manifest = manifest
        self._shards: OrderedDict[int, dict[str, int]] = OrderedDict()

    def words(self, prefixes: Iterable[str]) -> Steps[dict[str, int]]:
        """Return all words with one of some beginnings, in their order, having fetched their shards in one round."""
        starts = tuple(sorted({*prefixes}))
        numbers = sorted({number for start in starts for number in self._manifest.word_files_of(start)})
        # Held here as well: while this search waits, another may make the cache forget them.
        shards = {number: self._shards[number] for number in numbers if number in self._shards}
        todo = [number for number in numbers if number not in shards]
        got = yield from fetch(self._manifest.words.seals(todo))
        self.rounds += bool(todo)
        for number in todo:
            name = self._manifest.words.name(number)
            shards[number] = read_words(name, got[name])
        self._keep(shards)
        return {word: count for number in numbers for word, count in shards[number].items() if word.startswith(starts)}

    def _keep(self, shards: dict[int, dict[str, int]]) -> None:
        for number in sorted(shards):
            self._shards[number] = shards[number]
            self._shards.move_to_end(number)
        while len(self._shards) > _KEPT:
            self._shards.popitem(last=False)


def read_words(name: str, data: bytes) -> dict[str, int]:
    """Read an inflated shard: the words with a line feed between them, and their counts."""
    words, counts = unpack(name, data)
    return dict(zip(words.split("\n"), counts, strict=True))

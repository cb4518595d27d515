"""Caches of unpacked files: text shards, shards of the vocabulary."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import Generic, Protocol, TypeVar

from ranvier.store.fetch import Steps, fetch
from ranvier.store.files import Files

T = TypeVar("T")


class NumberedFiles(Protocol):
    """Numbered files with names."""

    def name(self, number: int) -> str:
        """Return the path of a file, relative to the base."""

    def digests_of(self, numbers: Iterable[int]) -> dict[str, bytes]:
        """Return some files' names and digests."""


class ListedFiles:
    """Files named by lists, `per` names in each list but the last. `lists` has the loaded lists by number."""

    def __init__(self, per: int) -> None:
        self.lists = dict[int, Files]()
        self._per = per

    def name(self, number: int) -> str:
        """Return the path of a file, relative to the base."""
        list_number, at = divmod(number, self._per)
        return self.lists[list_number].name(at)

    def digests_of(self, numbers: Iterable[int]) -> dict[str, bytes]:
        """Return some files' names and digests."""
        places = [divmod(number, self._per) for number in numbers]
        return {self.lists[list_number].name(at): self.lists[list_number].digest(at) for list_number, at in places}


class Shards(Generic[T]):
    """The most recent files of one kind. A file that failed is not cached: the next search fetches it again."""

    def __init__(self, files: NumberedFiles, parse: Callable[[str, bytes], T], capacity: int) -> None:
        self._files = files
        self._parse = parse
        self._capacity = capacity
        self._cache: OrderedDict[int, T] = OrderedDict()

    def get(self, numbers: Iterable[int]) -> Steps[dict[int, T]]:
        """Return files by number; missing ones are fetched in one round."""
        ordered = sorted({*numbers})
        # Also held here: another search may evict them while this one waits.
        loaded = {number: self._cache[number] for number in ordered if number in self._cache}
        todo = [number for number in ordered if number not in loaded]
        files = yield from fetch(self._files.digests_of(todo))
        for number in todo:
            name = self._files.name(number)
            loaded[number] = self._parse(name, files[name])
        self._store(loaded)
        return loaded

    def missing(self, numbers: Iterable[int]) -> list[int]:
        """Return the numbers of missing files, in order."""
        return sorted({*numbers} - self._cache.keys())

    def _store(self, loaded: dict[int, T]) -> None:
        for number in sorted(loaded):
            self._cache[number] = loaded[number]
            self._cache.move_to_end(number)
        while len(self._cache) > self._capacity:
            self._cache.popitem(last=False)

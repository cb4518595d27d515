"""Files that are unpacked once and kept while they are in use: text shards, the vocabulary's shards."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import Generic, Protocol, TypeVar

from ranvier.store.fetch import Steps, fetch
from ranvier.store.files import Files

T = TypeVar("T")


class Named(Protocol):
    """Files that have numbers and names."""

    def name(self, number: int) -> str:
        """Return the path of a file, relative to the base."""

    def seals(self, numbers: Iterable[int]) -> dict[str, bytes]:
        """Return some files' names and digests."""


class Listed:
    """Files whose names stand in lists, `per` names in each but the last. `lists`: those that have come, by their numbers."""

    def __init__(self, per: int) -> None:
        self.lists = dict[int, Files]()
        self._per = per

    def name(self, number: int) -> str:
        """Return the path of a file, relative to the base."""
        which, at = divmod(number, self._per)
        return self.lists[which].name(at)

    def seals(self, numbers: Iterable[int]) -> dict[str, bytes]:
        """Return some files' names and digests."""
        places = [divmod(number, self._per) for number in numbers]
        return {self.lists[which].name(at): self.lists[which].digest(at) for which, at in places}


class Shards(Generic[T]):
    """The last files of one kind that were asked for. One that failed is not kept: the next search asks for it again."""

    def __init__(self, files: Named, read: Callable[[str, bytes], T], most: int) -> None:
        self.rounds = 0
        self._files = files
        self._read = read
        self._most = most
        self._kept: OrderedDict[int, T] = OrderedDict()

    def get(self, numbers: Iterable[int]) -> Steps[dict[int, T]]:
        """Return files by their numbers, having fetched in one round those that are not here."""
        wanted = sorted({*numbers})
        # Held here as well: while this search waits, another may make the cache forget them.
        loaded = {number: self._kept[number] for number in wanted if number in self._kept}
        todo = [number for number in wanted if number not in loaded]
        got = yield from fetch(self._files.seals(todo))
        self.rounds += bool(todo)
        for number in todo:
            name = self._files.name(number)
            loaded[number] = self._read(name, got[name])
        self._keep(loaded)
        return loaded

    def missing(self, numbers: Iterable[int]) -> list[int]:
        """Return those of some files that are not here, in order."""
        return sorted({*numbers} - self._kept.keys())

    def _keep(self, loaded: dict[int, T]) -> None:
        for number in sorted(loaded):
            self._kept[number] = loaded[number]
            self._kept.move_to_end(number)
        while len(self._kept) > self._most:
            self._kept.popitem(last=False)

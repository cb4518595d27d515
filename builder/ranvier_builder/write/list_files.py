"""Lists of the best pages of words → JSON files: a root, and shards by how the words begin, each readable by itself."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from typing import Any, NamedTuple

from ranvier.store.format import digest
from ranvier.store.titles import slug, utf16

from ranvier_builder.model import Rendered
from ranvier_builder.write.titles import shown_name

WHOLE = 60_000  # bytes of JSON up to which a site has a single file
TABLE = 100_000  # bytes of all titles and addresses up to which the root has them: some 1,500 pages
MOST_NAMED, GROUP = 256, 64  # shards that the root itself names; how many one file names where there are more
SHARD = 20_000  # bytes of a shard, before compression
SHARD_WITH_PAGES = 40_000  # of one with its own pages: the fewer shards, the fewer of them say the same title again
_PAGE, _PLACE, _LIST, _ENTRY, _WORD = 6, 12, 8, 8, 6  # bytes that each takes beside its strings

_WHOLE_PAGE = ("", "")  # its heading and its anchor

Place = tuple[int, int]  # a page, and one of the site's chunks, or -1: both from 0
Ranked = tuple[tuple[Place, int], ...]


class Listed(NamedTuple):
    """The pages of a word with their impacts, best first, and how rare it is: idf in hundredths."""

    ranked: Ranked
    rarity: int


def files(lists: Mapping[str, Listed], pages: Sequence[Rendered], stop: Sequence[str]) -> list[bytes]:
    """Write lists as files, the root first.

    Args:
        lists: of each word, in the order of UTF-16.
        pages: of the whole site.
        stop: words that say nothing beside others.

    """
    root: dict[str, Any] = {"pages": len(pages), "stop": stop, "starts": [], "files": []}
    shards = _Shards(lists, pages)
    if shards.size([*lists]) <= 2 * WHOLE:  # sizes are estimates
        whole = _json(root | {"all": shards.shard([*lists])})
        if len(whole) <= WHOLE:
            return [whole]
    if len(_json(shards.table)) <= TABLE:
        root["table"] = shards.share_table()
    runs = [*shards.cut([*lists], 1)]
    contents = [_json(shards.shard(words)) for words in runs]
    starts = ["", *(_apart(run[-1], other[0]) for run, other in pairwise(runs))]
    named = _named(starts, contents)
    if len(contents) <= MOST_NAMED:
        return [_json(root | named), *contents]
    # A first query would wait for a large root; below a small one it reads one file more for each word.
    steps = range(0, len(contents), GROUP)
    groups = [_json(_named(starts[at : at + GROUP], contents[at : at + GROUP])) for at in steps]
    return [_json(root | _named([starts[at] for at in steps], groups)), *groups, *contents]


def _named(starts: Sequence[str], contents: Sequence[bytes]) -> dict[str, Any]:
    """Say where the words of each file begin, and what it is called."""
    return {"starts": starts, "files": [digest(data).hex() for data in contents]}


class _Shards:
    """Shares words out. A shard's parts are lists, the places that they name, and those places' pages."""

    def __init__(self, lists: Mapping[str, Listed], pages: Sequence[Rendered]) -> None:
        self._lists = [*dict.fromkeys(lists.values())]
        numbers = {listed: number for number, listed in enumerate(self._lists)}
        self._list_of = {word: numbers[listed] for word, listed in lists.items()}
        self.table = [(shown_name(page.page.neuron.title), page.page.url) for page in pages]
        self._shared = False  # the root has the table
        self._chunks = [chunk for page in pages for chunk in page.chunks]
        self._parts = [self._parts_of(number) for number in range(len(self._lists))]
        self._bytes = {part: self._bytes_of(part) for part in set[Any]().union(*self._parts)}

    def share_table(self) -> list[tuple[str, str]]:
        """Leave the pages out of all shards; return them."""
        self._shared = True
        self._bytes |= {(page,): 0 for page in range(len(self.table))}
        return self.table

    def cut(self, words: list[str], depth: int) -> Iterator[list[str]]:
        """Put words with the same first `depth` letters together while they fit; what alone is too large is cut one deeper."""
        most = SHARD if self._shared else SHARD_WITH_PAGES
        run: list[str] = []
        for _, group in groupby(words, lambda word: word[:depth]):
            some = list(group)
            if run and self.size([*run, *some]) > most:
                yield run
                run = []
            if len(some) > 1 and self.size(some) > most:
                yield from self.cut(some, depth + 1)
            else:
                run += some
        if run:
            yield run

    def size(self, words: Sequence[str]) -> int:
        """Return about how many bytes a shard of some words has."""
        parts = set[Any]().union(*(self._parts[number] for number in {self._list_of[word] for word in words}))
        return sum(map(self._bytes.__getitem__, parts)) + sum(len(word.encode()) + _WORD for word in words)

    def shard(self, words: Sequence[str]) -> dict[str, Any]:
        """Return a shard: what its lists name is numbered within it, in the order of the site."""
        numbers = {number: at for at, number in enumerate(dict.fromkeys(self._list_of[word] for word in words))}
        lists = [self._lists[number] for number in numbers]
        named = sorted({place for word in lists for place, _ in word.ranked})
        pages = {page: page if self._shared else at for at, page in enumerate(dict.fromkeys(page for page, _ in named))}
        sections = [place for place in named if self._section(place) != _WHOLE_PAGE]
        # A page as a whole takes no room among the places: its number tells it.
        places = {place: ~pages[place[0]] for place in named} | {place: at for at, place in enumerate(sections)}
        table = {} if self._shared else {"pages": [self.table[page] for page in pages]}
        return table | {
            "places": [[pages[place[0]], *self._section(place)] for place in sections],
            "words": "\n".join(words),
            "lists": [numbers[self._list_of[word]] for word in words],
            "ranked": [[value for place, impact in word.ranked for value in (places[place], impact)] for word in lists],
            "rarity": [word.rarity for word in lists],
        }

    def _section(self, place: Place) -> tuple[str, str | int]:
        chunk = self._chunks[place[1]] if place[1] >= 0 else None
        if chunk is None or not (chunk.anchor and chunk.headings):
            return _WHOLE_PAGE
        heading = shown_name(chunk.headings[-1])
        return heading, 0 if chunk.anchor == slug(heading) else chunk.anchor

    def _parts_of(self, number: int) -> frozenset[Any]:
        places = [place for place, _ in self._lists[number].ranked]
        return frozenset((number, *places, *((page,) for page, _ in places)))

    def _bytes_of(self, part: Any) -> int:
        if isinstance(part, int):
            return _LIST + _ENTRY * len(self._lists[part].ranked)
        if len(part) == 1:
            return _PAGE + sum(len(text.encode("utf-8", "replace")) for text in self.table[part[0]])
        heading, anchor = self._section(part)
        if not heading:
            return 0
        return _PLACE + len(heading.encode("utf-8", "replace")) + len(str(anchor))


def _apart(last: str, first: str) -> str:
    """Return the shortest beginning of a word that is above the word before it, as JavaScript compares them."""
    return next(first[:end] for end in range(1, len(first) + 1) if utf16(first[:end]) > utf16(last))


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode("utf-8", "replace")

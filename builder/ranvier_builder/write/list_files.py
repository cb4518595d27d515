"""Lists of the best pages of words → deflated JSON files: a root, and shards by word prefix. Each can be read alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, pairwise
from struct import Struct
from typing import Any

from ranvier.store.format import deflate, digest
from ranvier.store.titles import slug, utf16

from ranvier_builder.model import Chunk, Rendered
from ranvier_builder.write.files import compact_json, deflated_json
from ranvier_builder.write.titles import shown_name

WHOLE = 60_000  # bytes of JSON: a smaller site has a single file
TABLE = 100_000  # bytes of all titles and addresses: up to here the root contains them (about 1,500 pages)
MAX_FILES, GROUP = 256, 64  # maximum number of shards in the root; above it, shards per group file
SHARD = 20_000  # bytes of a shard, before compression
SHARD_WITH_PAGES = 40_000  # bytes of a shard that contains its pages: fewer shards repeat fewer titles
_PAGE, _PLACE, _LIST, _ENTRY, _WORD = 6, 12, 8, 8, 6  # bytes of overhead for each, besides its strings

_NO_SECTION: tuple[str, str | int] = ("", "")  # heading and anchor

_RANKED = Struct("<iiq")

Place = tuple[int, int]  # page, and chunk of the site or -1; both from 0


@dataclass(frozen=True, slots=True)
class RankedPages:
    """The pages of a word with their impacts, best first, and the word's idf in hundredths (`rarity`)."""

    data: bytes  # objects need ten times the memory, and a large site has a million entries
    rarity: int

    @classmethod
    def of(cls, ranked: Iterable[tuple[Place, int]], rarity: int) -> RankedPages:
        """Pack places and their impacts."""
        return cls(b"".join(_RANKED.pack(*place, impact) for place, impact in ranked), rarity)

    def ranked(self) -> Iterator[tuple[Place, int]]:
        """Yield the places with their impacts."""
        return (((page, chunk), impact) for page, chunk, impact in _RANKED.iter_unpack(self.data))


def files(lists: Mapping[str, RankedPages], pages: Sequence[Rendered], stop: Sequence[str]) -> list[bytes]:
    """Write lists as files, the root first.

    Args:
        lists: for each word, in UTF-16 order.
        pages: of the whole site.
        stop: stop words.

    """
    root: dict[str, Any] = {"pages": len(pages), "stop": stop, "starts": [], "files": []}
    shards = _Shards(lists, pages)
    if shards.size([*lists]) <= 2 * WHOLE:  # sizes are estimates
        whole = compact_json(root | {"all": shards.shard([*lists])})
        if len(whole) <= WHOLE:
            return [deflate(whole)]
    if len(compact_json(shards.table)) <= TABLE:
        root["table"] = shards.share_table()
    runs = [*shards.cut([*lists], 1)]
    contents = [deflated_json(shards.shard(words)) for words in runs]
    starts = ["", *(_shortest_separator(run[-1], other[0]) for run, other in pairwise(runs))]
    named = _file_table(starts, contents)
    if len(contents) <= MAX_FILES:
        return [deflated_json(root | named), *contents]
    # The first query waits for the root. With a small root, each word needs one more file.
    steps = range(0, len(contents), GROUP)
    groups = [deflated_json(_file_table(starts[at : at + GROUP], contents[at : at + GROUP])) for at in steps]
    return [deflated_json(root | _file_table([starts[at] for at in steps], groups)), *groups, *contents]


def _file_table(starts: Sequence[str], contents: Sequence[bytes]) -> dict[str, Any]:
    """Return the first prefix of each file, and the file names."""
    return {"starts": starts, "files": [digest(data).hex() for data in contents]}


class _Shards:
    """Distributes words over shards. A shard's parts are lists, their places, and the pages of these places.

    Parts are numbers: pages from 0, then places, page by page; lists are negative.
    """

    def __init__(self, lists: Mapping[str, RankedPages], pages: Sequence[Rendered]) -> None:
        self._lists = [*dict.fromkeys(lists.values())]
        numbers = {listed: number for number, listed in enumerate(self._lists)}
        self._list_of = {word: numbers[listed] for word, listed in lists.items()}
        self.table = [(shown_name(page.page.neuron.title), page.page.url) for page in pages]
        self._shared = False  # whether the root contains the page table
        self._sections = [_shown_section(chunk) for page in pages for chunk in page.chunks]
        self._bytes = {page: _PAGE + sum(map(_length, texts)) for page, texts in enumerate(self.table)}
        shared_ints = dict[int, int]()  # shares equal ints between lists
        self._parts = [self._register(~number, listed, shared_ints) for number, listed in enumerate(self._lists)]

    def share_table(self) -> list[tuple[str, str]]:
        """Remove the pages from all shards; return them."""
        self._shared = True
        self._bytes |= dict.fromkeys(range(len(self.table)), 0)
        return self.table

    def cut(self, words: list[str], depth: int) -> Iterator[list[str]]:
        """Group words with the same first `depth` letters while they fit; a group that is too large is cut one deeper."""
        max_bytes = SHARD if self._shared else SHARD_WITH_PAGES
        run, included, size = list[str](), set[int](), 0
        for _, group in groupby(words, lambda word: word[:depth]):
            some = list(group)
            parts = self._parts_in(some)
            more = self._size(some, parts - included)
            if run and size + more > max_bytes:
                yield run
                run, included, size = [], set(), 0
                more = self._size(some, parts)
            if len(some) > 1 and not run and more > max_bytes:
                yield from self.cut(some, depth + 1)
            else:
                run, included, size = run + some, included | parts, size + more
        if run:
            yield run

    def size(self, words: Sequence[str]) -> int:
        """Return the approximate size in bytes of a shard of these words."""
        return self._size(words, self._parts_in(words))

    def _parts_in(self, words: Sequence[str]) -> set[int]:
        return set[int]().union(*(self._parts[number] for number in {self._list_of[word] for word in words}))

    def _size(self, words: Sequence[str], parts: Iterable[int]) -> int:
        return sum(map(self._bytes.__getitem__, parts)) + sum(_length(word) + _WORD for word in words)

    def shard(self, words: Sequence[str]) -> dict[str, Any]:
        """Return a shard. Its pages and places have local numbers, in the order of the site."""
        numbers = {number: at for at, number in enumerate(dict.fromkeys(self._list_of[word] for word in words))}
        lists = [self._lists[number] for number in numbers]
        all_places = sorted({place for listed in lists for place, _ in listed.ranked()})
        pages = {page: page if self._shared else at for at, page in enumerate(dict.fromkeys(page for page, _ in all_places))}
        sections = [place for place in all_places if self._section(place) != _NO_SECTION]
        # A page as a whole is not in `places`: its number identifies it.
        places = {place: ~pages[place[0]] for place in all_places} | {place: at for at, place in enumerate(sections)}
        table = {} if self._shared else {"pages": [self.table[page] for page in pages]}
        return table | {
            "places": [[pages[place[0]], *self._section(place)] for place in sections],
            "words": "\n".join(words),
            "lists": [numbers[self._list_of[word]] for word in words],
            "ranked": [[value for place, impact in listed.ranked() for value in (places[place], impact)] for listed in lists],
            "rarity": [word.rarity for word in lists],
        }

    def _section(self, place: Place) -> tuple[str, str | int]:
        return self._sections[place[1]] if place[1] >= 0 else _NO_SECTION

    def _register(self, number: int, listed: RankedPages, shared_ints: dict[int, int]) -> tuple[int, ...]:
        """Return the parts of a list, and store the sizes of new parts."""
        places = [place for place, _ in listed.ranked()]
        numbers = {place[0] + (place[1] + 2) * len(self.table): place for place in places}
        for part, place in numbers.items():
            if part not in self._bytes:
                heading, anchor = self._section(place)
                self._bytes[part] = _PLACE + _length(heading) + len(str(anchor)) if heading else 0
        self._bytes[number] = _LIST + _ENTRY * len(places)
        return (number, *(shared_ints.setdefault(part, part) for part in (*numbers, *(page for page, _ in places))))


def _shown_section(chunk: Chunk) -> tuple[str, str | int]:
    return _heading(chunk.headings[-1], chunk.anchor) if chunk.anchor and chunk.headings else _NO_SECTION


@lru_cache(maxsize=1 << 16)  # a section has several chunks, and many pages share headings
def _heading(heading: str, anchor: str) -> tuple[str, str | int]:
    """Return a section's heading as shown, and its anchor; 0 if the anchor is the slug of the heading."""
    heading = shown_name(heading)
    return heading, 0 if anchor == slug(heading) else anchor


def _length(text: str) -> int:
    return len(text.encode("utf-8", "replace"))


def _shortest_separator(last: str, first: str) -> str:
    """Return the shortest prefix of `first` that is greater than `last`, in JavaScript's order."""
    return next(first[:end] for end in range(1, len(first) + 1) if utf16(first[:end]) > utf16(last))

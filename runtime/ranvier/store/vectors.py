"""The files of vectors: a head with the centroids, the model's tokens, their rows, and shards of chunk vectors.

head     the tokens that the site uses, frequent ones first; a centroid for each shard; the names of all other files
tokens   two files: the vocabulary's tokens in ASCII, and the others, which few queries need
rows     vectors of tokens, several per file, frequent tokens together: the words of a query are in few files
shards   the vectors of one cluster: the numbers of its chunks, and how each differs from the centroid
map      one file: the shard of each chunk, for searches within some pages

A vector has length 1, in steps of 1 / `Head.resolution`: the centroid of its shard, in steps of 1 / `COARSE`, plus one byte of
difference for each dimension. Bytes are ordered by dimension; 128 represents 0.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, MutableMapping, Sequence
from functools import cached_property, partial
from typing import Any

from ranvier.errors import FormatError, IntegrityError
from ranvier.store.fetch import Steps, fetch
from ranvier.store.files import read_files, totals
from ranvier.store.format import checked, unpack
from ranvier.store.manifest import VectorFiles
from ranvier.store.shards import Shards
from ranvier.vectors.lanes import Lanes
from ranvier.vectors.tokens import Tokenizer, tokenizer

COARSE = 32
ASCII, OTHER = 0, 1  # the files of tokens
_CACHED_SHARDS = 400  # unpacked shards of some 30 kB; enough for an exact search of 10,000 vectors
_CACHED_ROWS = 128  # unpacked files of rows


class Shard:
    """One cluster: its chunks, and their vectors' differences from its centroid."""

    __slots__ = ("_coarse_steps", "_lanes", "chunks")

    def __init__(self, chunks: Sequence[int], columns: bytes, coarse_steps: int) -> None:
        self.chunks = chunks
        self._coarse_steps = coarse_steps  # steps of a vector in a coarse step
        self._lanes = Lanes(columns, len(chunks))

    def dots(self, query: Sequence[int], centroid: int) -> list[int]:
        """Return each chunk's dot product with a query, in steps; `centroid` is the centroid's own, in coarse steps."""
        return [self._coarse_steps * centroid + dot for dot in self._lanes.dots(query)]


class Head:
    """The head: everything needed before vectors can be compared."""

    def __init__(self, name: str, data: bytes) -> None:
        raw: Any = unpack(name, data)
        try:
            self.model: str = raw["model"]
            self.dimensions: int = raw["dimensions"]
            self.count: int = raw["count"]
            self.resolution: int = raw["resolution"]  # steps of a vector of length 1
            self.kind: str = raw["tokenizer"]
            self.options: dict[str, Any] = raw["options"]
            files = [totals(steps) for steps in raw["site_tokens"]]
            self.site_tokens = [token for file in files for token in file]  # ids that the site uses, in the order of their rows
            self.ends = totals((*map(len, files), *raw["other_counts"]))  # the number of rows up to the end of each file
            self.rows, self.shards, self.shard_map = (
                read_files("vectors", raw[key]) for key in ("rows", "shards", "shard_map")
            )
            self._centroids: bytes = raw["centroids"]
        except (KeyError, TypeError, ValueError) as error:
            raise FormatError(f"{name} is incomplete or has unexpected values: {error!r}") from None

    @cached_property
    def centroids(self) -> Lanes:
        """The centroids, one for each shard."""
        return Lanes(self._centroids, len(self.shards.sizes))


class Vocabulary:
    """The fetched tokens, and the place of each token's row."""

    def __init__(self, head: Head, tokens: dict[str, int], others: dict[str, int] | None) -> None:
        self.whole = others is not None
        self.tokenizer: Tokenizer = tokenizer(head.kind, head.options, tokens | (others or {}))
        self._head = head
        site_tokens = {token: place for place, token in enumerate(head.site_tokens)}
        first = head.options.get("bytes")
        byte_tokens = range(first, first + 256) if first is not None else ()
        unused = sorted({*tokens.values(), *byte_tokens} - site_tokens.keys())
        unused += sorted({*(others or {}).values()} - site_tokens.keys() - {*byte_tokens})
        self._places = site_tokens | {token: place for place, token in enumerate(unused, len(site_tokens))}

    def place(self, token: int) -> tuple[int, int]:
        """Return the file of a token's row, and its number in there."""
        place, ends = self._places[token], self._head.ends
        file = bisect_right(ends, place)
        return file, place - (ends[file - 1] if file else 0)


class Vectors:
    """The vectors of a snapshot.

    `early` are files that arrived before a search needed them; each is removed after it is read.
    """

    def __init__(self, files: VectorFiles, early: MutableMapping[str, bytes]) -> None:
        self._early = early
        self._files = files
        self._head: Head | None = None
        self._vocabulary: Vocabulary | None = None
        self._tokens: dict[int, dict[str, int]] = {}
        self._shard_of_chunk: list[int] = []
        self._shards: Shards[Shard] | None = None
        self._rows: Shards[memoryview] | None = None

    def hints(self, text: str) -> tuple[str, ...]:
        """Return the missing files of the first round of a search for a text."""
        tokens = [number for number in _tokens_for(text) if number not in self._tokens]
        return (*(self._files.head.digests_of([0]) if self._head is None else ()), *self._files.tokens.digests_of(tokens))

    def head(self) -> Steps[Head]:
        """Return the head; it is fetched once."""
        if self._head is None:
            yield from self._fetch_head(())
        assert self._head is not None
        return self._head

    def vocabulary(self, text: str) -> Steps[Vocabulary]:
        """Return a vocabulary that tokenizes a text like the model."""
        yield from self._fetch_head(_tokens_for(text))
        head, vocabulary = (yield from self.head()), self._vocabulary
        if vocabulary is None or (not vocabulary.whole and OTHER in self._tokens):
            self._vocabulary = vocabulary = Vocabulary(head, self._tokens[ASCII], self._tokens.get(OTHER))
        return vocabulary

    def rows(self, places: Sequence[tuple[int, int]]) -> Steps[list[memoryview]]:
        """Return some tokens' rows of signed bytes, by file and number."""
        head = yield from self.head()
        assert self._rows is not None
        files = yield from self._rows.get(file for file, _ in places)
        wide = head.dimensions
        return [files[file][row * wide : (row + 1) * wide] for file, row in places]

    def shards(self, numbers: Iterable[int]) -> Steps[dict[int, Shard]]:
        """Return some shards by their numbers."""
        yield from self.head()
        assert self._shards is not None
        return (yield from self._shards.get(numbers))

    def shards_of(self, chunks: Iterable[int]) -> Steps[set[int]]:
        """Return the shards that have the vectors of some chunks."""
        head = yield from self.head()
        if not self._shard_of_chunk:
            files = yield from fetch(head.shard_map.digests_of([0]))
            self._shard_of_chunk = unpack("the shard map of vectors", files[head.shard_map.name(0)])
        return {self._shard_of_chunk[chunk - 1] for chunk in chunks} - {len(head.shards.sizes)}

    def _fetch_head(self, tokens: Sequence[int]) -> Steps[None]:
        """Fetch the head and files of tokens in one round, or none if they are here."""
        head, token_files = self._files.head, self._files.tokens
        todo = [number for number in tokens if number not in self._tokens]
        digests = token_files.digests_of(todo) | (head.digests_of([0]) if self._head is None else {})
        early = self._take_early(digests)
        missing = {name: digest for name, digest in digests.items() if name not in early}
        files = early | (yield from fetch(missing))
        for number in todo:
            self._tokens[number] = read_tokens(token_files.name(number), files[token_files.name(number)])
        if self._head is None:
            self._head = opened = Head(head.name(0), files[head.name(0)])
            self._shards = Shards(opened.shards, partial(_shard, opened.resolution // COARSE), _CACHED_SHARDS)
            self._rows = Shards(opened.rows, _rows, _CACHED_ROWS)
        for name in digests:
            self._early.pop(name, None)

    def _take_early(self, digests: Mapping[str, bytes]) -> dict[str, bytes]:
        """Return the contents of files that arrived early. A damaged file is fetched again."""
        contents = {}
        for name in self._early.keys() & digests.keys():  # they stay for other searches that need them while this one waits
            try:
                contents[name] = checked(name, self._early[name], digests[name])
            except IntegrityError:
                del self._early[name]
        return contents


def _tokens_for(text: str) -> tuple[int, ...]:
    return (ASCII,) if text.isascii() else (ASCII, OTHER)


def read_tokens(name: str, data: bytes) -> dict[str, int]:
    """Read an inflated file of tokens: the tokens with a line feed between them, and the steps from id to id."""
    tokens, steps = unpack(name, data)
    return dict(zip(tokens.split("\n") if steps else (), totals(steps), strict=True))


def read_shard(name: str, data: bytes) -> tuple[list[int], bytes]:
    """Read an inflated shard: the numbers of its chunks, and the bytes of their vectors."""
    steps, columns = unpack(name, data)
    return [*totals(steps)], columns


def _shard(coarse_steps: int, name: str, data: bytes) -> Shard:
    return Shard(*read_shard(name, data), coarse_steps)


def _rows(name: str, data: bytes) -> memoryview:
    return memoryview(data).cast("b")

"""The manifest: the files of a snapshot and their contents. The builder writes it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from typing import Any

from ranvier.errors import FormatError
from ranvier.store.files import Files, read_files, totals
from ranvier.store.format import FORMAT, unpack
from ranvier.store.terms import BEYOND, TermFiles, read_term_list
from ranvier.text import ANALYSER

SUBSTRING = "substring"  # this pack has its own page map, which keeps the manifest small


@dataclass(frozen=True, slots=True)
class Bounds:
    """The posting files of a table whose interior pages are in a pack, and their terms.

    `first`: the first term of each file (a file in which no term begins has that of the next file). `last`: the term that
    continues in the next file, or empty.
    """

    files: Files
    first: tuple[bytes, ...]
    last: tuple[bytes, ...]

    def files_of(self, term: str, *, prefix: bool = False) -> range:
        """Return the files with a term, or with any term that has a prefix.

        Terms before the first file are with the interior pages.
        """
        low = term.encode()
        high = low + BEYOND if prefix else low
        start, end = bisect_right(self.first, low) - 1, bisect_right(self.first, high) - 1
        edge = self.last[end] if 0 <= end < len(self.first) - 1 else b""
        # FTS5 also reads on if all terms of a leaf are before the prefix.
        if edge and (edge <= high if prefix else edge == low):
            end = bisect_right(self.first, self.first[end + 1]) - 1
        return range(max(start, 0), end + 1)


@dataclass(frozen=True, slots=True)
class Leaves:
    """The posting leaves of such a table: one leaf per page, several pages per file."""

    pages: tuple[int, ...]  # of the database, rising
    pages_per_file: int
    bounds: Bounds

    def pages_of(self, number: int) -> tuple[int, ...]:
        """Return the database pages that file `number` holds, in order."""
        return self.pages[number * self.pages_per_file : (number + 1) * self.pages_per_file]

    def file_of_page(self, page: int) -> int:
        """Return the file that holds a database page; -1 if none does."""
        at = bisect_left(self.pages, page)
        return at // self.pages_per_file if at < len(self.pages) and self.pages[at] == page else -1


@dataclass(frozen=True, slots=True)
class RowFiles:
    """Files of the sizes of a table's rows. `first`: the first row of each."""

    first: tuple[int, ...]
    files: Files

    def files_of(self, first: int, last: int) -> range:
        """Return the files that hold the sizes of some rows that follow each other."""
        return range(max(bisect_right(self.first, first) - 1, 0), bisect_right(self.first, last))


@dataclass(frozen=True, slots=True)
class Pack:
    """A file with all pages of some tables. `runs` are their first pages and how many follow each other."""

    files: Files
    runs: tuple[tuple[int, int], ...]

    def __contains__(self, page: int) -> bool:
        """Tell whether a database page is in it."""
        return any(first <= page < first + count for first, count in self.runs)


@dataclass(frozen=True, slots=True)
class VectorFiles:
    """The first files of vectors. Their head names the others; only a semantic search needs it."""

    langs: tuple[str, ...]  # primary languages that the model reads; empty: any
    head: Files
    tokens: Files  # here, so that one round fetches them with the head


@dataclass(frozen=True, slots=True)
class Manifest:
    """Everything that a reader needs before it can fetch a chunk."""

    langs: tuple[str, ...]  # primary languages of the Neurons, the most frequent first
    page_size: int
    page_count: int
    terms: TermFiles  # the posting files of words
    sizes: dict[str, RowFiles]  # row sizes of the tables of words, if they are not in the hot pack
    bounds: dict[str, Bounds]  # of the tables whose interior pages are in a pack; on a large site only the pack has them
    packs: dict[str, Pack]  # by name; a pack of empty tables is left out
    words: Files  # shards of the vocabulary
    word_first: tuple[str, ...]  # lower bound of the words of each shard
    text: Files  # text shards, or lists that name them
    text_first: tuple[int, ...]  # first chunk of each of these files
    text_per_list: int  # shards that a list names; 0: there are no lists
    neuron_first: tuple[int, ...]  # first chunk of each Neuron
    chunk_count: int
    vectors: VectorFiles | None  # `None`: the site has none
    titles: Files  # the root of the title files, for suggestions; may be empty
    inventory: Files  # one file that lists the files that the core does not read

    @property
    def neuron_count(self) -> int:
        """The number of Neurons; their numbers start at 1."""
        return len(self.neuron_first)

    def neuron_of(self, chunk: int) -> int:
        """Return the number of the Neuron that a chunk belongs to, from 1."""
        return bisect_right(self.neuron_first, chunk)

    def chunks_of(self, neuron: int) -> range:
        """Return the chunks of a Neuron."""
        after = self.neuron_first[neuron] if neuron < len(self.neuron_first) else self.chunk_count + 1
        return range(self.neuron_first[neuron - 1], after)

    def word_files_of(self, prefix: str) -> range:
        """Return the shards of the vocabulary that may have words with a prefix."""
        first = max(0, bisect_right(self.word_first, prefix) - 1)
        return range(first, bisect_right(self.word_first, prefix + "\U0010ffff"))


def read_bounds(raw: Any) -> Bounds:
    """Decode the bounds of a table from the manifest or a pack."""
    files, first, last = raw
    return Bounds(read_files("index", files), tuple(first), tuple(last))


def read_leaves(raw: Any) -> Leaves:
    """Decode the posting leaves of a table from a pack."""
    return Leaves(totals(raw["pages"]), raw["pages_per_file"], read_bounds(raw["bounds"]))


def read_manifest(data: bytes) -> Manifest:
    """Decode an inflated manifest; raise `FormatError` for another format or analyser."""
    raw: Any = unpack("the manifest", data)
    version = raw.get("format") if isinstance(raw, dict) else None
    if version != FORMAT or raw.get("analyser") != ANALYSER:
        raise FormatError(
            f"this snapshot has format {version} and analyser {raw.get('analyser') if version else None}; "
            f"this version reads {FORMAT} and {ANALYSER}: build the site again"
        )
    try:
        return _manifest(raw)
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        raise FormatError(f"the manifest is incomplete or has unexpected values: {error!r}") from None


def _manifest(raw: dict[str, Any]) -> Manifest:
    return Manifest(
        langs=tuple(raw["langs"]),
        page_size=raw["page_size"],
        page_count=raw["page_count"],
        terms=TermFiles(
            whole=tuple(map(read_term_list, raw["terms"]["list"])),
            first=tuple(raw["terms"]["first"]),
            lists=read_files("packs", raw["terms"]["files"]),
        ),
        sizes={
            name: RowFiles(totals(sizes["first"]), read_files("packs", sizes["files"])) for name, sizes in raw["sizes"].items()
        },
        bounds={name: read_bounds(bounds) for name, bounds in raw["bounds"].items()},
        packs={name: _pack(*pack) for name, pack in raw["packs"].items()},
        words=read_files("words", raw["words"]),
        word_first=tuple(raw["word_first"]),
        text=read_files("packs" if raw["text_per_list"] else "text", raw["text"]),
        text_first=totals(raw["text_first"]),
        text_per_list=raw["text_per_list"],
        neuron_first=totals(raw["neuron_first"]),
        chunk_count=raw["chunk_count"],
        vectors=_vectors(raw["vectors"]),
        titles=read_files("titles", raw["titles"]),
        inventory=read_files("packs", raw["inventory"]),
    )


def _vectors(raw: Any) -> VectorFiles | None:
    if raw is None:
        return None
    return VectorFiles(tuple(raw["langs"]), read_files("vectors", raw["head"]), read_files("vectors", raw["tokens"]))


def _pack(size: int, digest: bytes, runs: list[int]) -> Pack:
    ends = totals(runs)
    return Pack(Files("packs", digest, (size,)), tuple((ends[at], runs[at + 1]) for at in range(0, len(runs), 2)))

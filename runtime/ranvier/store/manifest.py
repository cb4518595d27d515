"""The manifest: what files there are, and what is in which. Written by the builder, read by everybody else."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from typing import Any

from ranvier.errors import FormatError
from ranvier.store.format import DIGEST, FORMAT, unpack
from ranvier.text import ANALYSER


@dataclass(frozen=True, slots=True)
class Files:
    """A row of files of one kind; number i is named by its digest."""

    folder: str
    digests: bytes
    sizes: tuple[int, ...]

    def digest(self, number: int) -> bytes:
        """Return the digest of file `number`."""
        return self.digests[number * DIGEST : (number + 1) * DIGEST]

    def name(self, number: int) -> str:
        """Return the path of file `number`, relative to the base."""
        return f"{self.folder}/{self.digest(number).hex()}.bin"


@dataclass(frozen=True, slots=True)
class Manifest:
    """Everything a reader must know before it can ask for a chunk."""

    site: str  # the site's short name, as in `seq_id`
    page_size: int
    page_count: int
    cold_pages: tuple[int, ...]  # the database pages that are not hot, rising: posting leaves, one to a page
    pages_per_file: int
    first_leaf: tuple[int, ...]  # for each cold page, in order: number of the first posting leaf in it
    last_leaf: int
    index: Files
    text: Files
    text_first: tuple[int, ...]  # first chunk of each text file
    neuron_first: tuple[int, ...]  # first chunk of each Neuron
    chunk_count: int
    assets: dict[str, tuple[int, bytes]]  # everything else under the base: name → size, digest

    def pages_of(self, number: int) -> tuple[int, ...]:
        """Return the database pages that index file `number` holds, in order."""
        return self.cold_pages[number * self.pages_per_file : (number + 1) * self.pages_per_file]

    def file_of_page(self, page: int) -> int:
        """Return the index file that holds a database page which is not hot."""
        return bisect_left(self.cold_pages, page) // self.pages_per_file

    def file_of_leaf(self, leaf: int) -> int:
        """Return the index file that holds a posting leaf; -1 where the leaf is hot."""
        return (bisect_right(self.first_leaf, leaf) - 1) // self.pages_per_file

    def neuron_of(self, chunk: int) -> int:
        """Return the number of the Neuron that a chunk belongs to."""
        return bisect_right(self.neuron_first, chunk) - 1

    def text_file_of(self, chunk: int) -> int:
        """Return the number of the text file that holds a chunk."""
        return bisect_right(self.text_first, chunk) - 1


def _sums(steps: list[int]) -> tuple[int, ...]:
    total, out = 0, []
    for step in steps:
        total += step
        out.append(total)
    return tuple(out)


def steps(numbers: list[int]) -> list[int]:
    """Write a rising row of numbers as differences, which msgpack and deflate like better."""
    return [b - a for a, b in zip([0, *numbers], numbers, strict=False)]


def read_manifest(data: bytes) -> Manifest:
    """Read an inflated manifest; raise `FormatError` where it is of another format or analyser."""
    raw: Any = unpack("the manifest", data)
    found = raw.get("format") if isinstance(raw, dict) else None
    if found != FORMAT or raw.get("analyser") != ANALYSER:
        raise FormatError(
            f"this snapshot has format {found} and analyser {raw.get('analyser') if found else None}; "
            f"this version reads {FORMAT} and {ANALYSER}: build the site again"
        )
    try:
        return _manifest(raw)
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        raise FormatError(f"the manifest lacks something or holds something else: {error!r}") from None


def _manifest(raw: dict[str, Any]) -> Manifest:
    return Manifest(
        site=raw["site"],
        page_size=raw["page_size"],
        page_count=raw["page_count"],
        cold_pages=_sums(raw["cold_pages"]),
        pages_per_file=raw["pages_per_file"],
        first_leaf=_sums(raw["first_leaf"]),
        last_leaf=raw["last_leaf"],
        index=Files("index", raw["index"][0], tuple(raw["index"][1])),
        text=Files("text", raw["text"][0], tuple(raw["text"][1])),
        text_first=_sums(raw["text_first"]),
        neuron_first=_sums(raw["neuron_first"]),
        chunk_count=raw["chunk_count"],
        assets={name: (size, seal) for name, (size, seal) in raw["assets"].items()},
    )

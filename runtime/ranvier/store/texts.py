"""The texts of chunks. They are in shards of their own, because table rows would need one serial read each."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ranvier.store.fetch import Steps
from ranvier.store.files import Files, read_files, totals
from ranvier.store.format import unpack
from ranvier.store.manifest import Manifest
from ranvier.store.shards import ListedFiles, Shards

PROSE, CODE, TABLE = range(3)  # kinds of text
_CACHED = 256  # unpacked shards of some 8 kB


class NeuronCard(NamedTuple):
    """The fields of a Neuron that every hit shows, in their order on disk."""

    id: str
    seq_id: str
    slug: str
    title: str
    url: str
    path: str
    kind: str
    tags: list[str]
    modality: str = "text"
    lang: str = ""  # primary language, as in `de`
    updated: str = ""  # a date, or empty
    aliases: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Passage:
    """One chunk's text. `headings` leads from the page's title (not included) to the chunk's own heading."""

    chunk: int
    neuron: NeuronCard
    anchor: str
    headings: tuple[str, ...]
    body: str
    spans: tuple[int, ...] = ()  # where code and tables are in the body: start, length and kind of each

    @property
    def heading(self) -> str:
        """The chunk's own heading; empty before the first one."""
        return self.headings[-1] if self.headings else ""

    @property
    def breadcrumb(self) -> str:
        """`Title > Section > Subsection` (C2)."""
        return " > ".join((self.neuron.title, *self.headings))


class TextList(NamedTuple):
    """A list of text shards: the first chunk of each, and their names."""

    first: tuple[int, ...]
    files: Files


class Texts:
    """The texts of a snapshot. On a large site, lists name the shards; a list is fetched with the first chunk of its shards."""

    def __init__(self, manifest: Manifest) -> None:
        self._manifest = manifest
        per = manifest.text_per_list
        self._lists = Shards(manifest.text, read_list, len(manifest.text.sizes)) if per else None
        self._listed = ListedFiles(per)
        self._shards = Shards(self._listed if per else manifest.text, read_shard, _CACHED)

    @property
    def names_all_files(self) -> bool:
        """Tell whether the manifest names all text shards, so that `everything` can fetch them."""
        return self._lists is None

    @property
    def size(self) -> int:
        """The size in bytes of all texts that the manifest names."""
        return sum(self._manifest.text.sizes)

    def everything(self) -> Steps[None]:
        """Fetch all texts that the manifest names, in one round."""
        yield from self._shards.get(range(len(self._manifest.text.sizes)))

    def passages(self, chunks: Iterable[int], optional: Iterable[int] = ()) -> Steps[dict[int, Passage]]:
        """Return the passages of some chunks. Their lists are fetched in one round and their shards in another.

        The `optional` ones are returned if they are in the same shards.
        """
        shard_of_chunk = yield from self._shard_of_chunk([*chunks])
        shards = yield from self._shards.get(shard_of_chunk.values())
        neighbours = {chunk: shard[chunk] for chunk in optional for shard in shards.values() if chunk in shard}
        return neighbours | {chunk: shards[number][chunk] for chunk, number in shard_of_chunk.items()}

    def _shard_of_chunk(self, chunks: list[int]) -> Steps[dict[int, int]]:
        """Return the number of each chunk's shard."""
        files = {chunk: bisect_right(self._manifest.text_first, chunk) - 1 for chunk in chunks}
        if self._lists is None:
            return files
        lists = yield from self._lists.get(files.values())
        per = self._manifest.text_per_list
        self._listed.lists.update((number, part.files) for number, part in lists.items())
        return {chunk: number * per + bisect_right(lists[number].first, chunk) - 1 for chunk, number in files.items()}


def read_list(name: str, data: bytes) -> TextList:
    """Read an inflated list: the first chunks as steps, digests and sizes of shards."""
    first, *files = unpack(name, data)
    return TextList(totals(first), read_files("text", files))


def read_shard(name: str, data: bytes) -> dict[int, Passage]:
    """Read an inflated shard: a list of `[first chunk, card, [[anchor, headings, body, spans?], …]]`."""
    out: dict[int, Passage] = {}
    parts: Any = unpack(name, data)
    for first, card, chunks in parts:
        neuron = NeuronCard(*card)
        for number, (anchor, headings, body, *spans) in enumerate(chunks, first):
            out[number] = Passage(number, neuron, anchor, tuple(headings), body, *map(tuple, spans))
    return out

"""What a result shows, by chunk. It lives in shards of its own: rows of a table would be one serial read each."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from ranvier.store.fetch import Steps, fetch
from ranvier.store.format import unpack
from ranvier.store.manifest import Manifest

_KEPT = 256  # shards of some 8 kB that stay unpacked


class NeuronCard(NamedTuple):
    """What every hit of a Neuron says about it. The order of the fields is the order on disk."""

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
    updated: str = ""  # date; empty where it is not said


@dataclass(frozen=True, slots=True)
class Passage:
    """One chunk's text. `headings` leads from the page's title (not included) to the chunk's own heading."""

    chunk: int
    neuron: NeuronCard
    anchor: str
    headings: tuple[str, ...]
    body: str

    @property
    def heading(self) -> str:
        """The chunk's own heading; empty before the first one."""
        return self.headings[-1] if self.headings else ""

    @property
    def breadcrumb(self) -> str:
        """`Title > Section > Subsection` (C2)."""
        return " > ".join((self.neuron.title, *self.headings))


class Texts:
    """The text half of a snapshot. A shard that failed is not kept, so the next search asks for it again."""

    def __init__(self, manifest: Manifest) -> None:
        self.rounds = 0
        self._manifest = manifest
        self._shards: OrderedDict[int, dict[int, Passage]] = OrderedDict()

    def passages(self, chunks: Iterable[int]) -> Steps[dict[int, Passage]]:
        """Return the passages of some chunks, having fetched their shards in one round."""
        homes = {chunk: self._manifest.text_file_of(chunk) for chunk in chunks}
        # Held here as well: while this search waits, another may make the cache forget them.
        shards = {number: self._shards[number] for number in {*homes.values()} & self._shards.keys()}
        todo = sorted({*homes.values()} - shards.keys())
        got = yield from fetch(self._manifest.text.seals(todo))
        self.rounds += bool(todo)
        for number in todo:
            name = self._manifest.text.name(number)
            shards[number] = read_shard(name, got[name])
        self._keep(shards)
        return {chunk: shards[number][chunk] for chunk, number in homes.items()}

    def _keep(self, shards: dict[int, dict[int, Passage]]) -> None:
        for number in sorted(shards):
            self._shards[number] = shards[number]
            self._shards.move_to_end(number)
        while len(self._shards) > _KEPT:
            self._shards.popitem(last=False)


def read_shard(name: str, data: bytes) -> dict[int, Passage]:
    """Read an inflated shard: a list of `[first chunk, card, [[anchor, headings, body], …]]`."""
    out: dict[int, Passage] = {}
    parts: Any = unpack(name, data)
    for first, card, chunks in parts:
        neuron = NeuronCard(*card)
        for number, (anchor, headings, body) in enumerate(chunks, first):
            out[number] = Passage(number, neuron, anchor, tuple(headings), body)
    return out

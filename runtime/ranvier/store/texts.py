"""What a result shows, by chunk. It lives in shards of its own: rows of a table would be one serial read each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from ranvier.store.fetch import Steps
from ranvier.store.format import unpack
from ranvier.store.manifest import Manifest
from ranvier.store.shards import Shards

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
    """The text half of a snapshot."""

    def __init__(self, manifest: Manifest) -> None:
        self._manifest = manifest
        self._shards = Shards(manifest.text, read_shard, _KEPT)

    @property
    def rounds(self) -> int:
        """How many rounds of files were asked for so far."""
        return self._shards.rounds

    @property
    def size(self) -> int:
        """How many bytes all texts are."""
        return sum(self._manifest.text.sizes)

    def everything(self) -> Steps[None]:
        """Fetch all texts in one round."""
        yield from self._shards.get(range(len(self._manifest.text.sizes)))

    def passages(self, chunks: Iterable[int]) -> Steps[dict[int, Passage]]:
        """Return the passages of some chunks, having fetched their shards in one round."""
        homes = {chunk: self._manifest.text_file_of(chunk) for chunk in chunks}
        shards = yield from self._shards.get(homes.values())
        return {chunk: shards[number][chunk] for chunk, number in homes.items()}


def read_shard(name: str, data: bytes) -> dict[int, Passage]:
    """Read an inflated shard: a list of `[first chunk, card, [[anchor, headings, body], …]]`."""
    out: dict[int, Passage] = {}
    parts: Any = unpack(name, data)
    for first, card, chunks in parts:
        neuron = NeuronCard(*card)
        for number, (anchor, headings, body) in enumerate(chunks, first):
            out[number] = Passage(number, neuron, anchor, tuple(headings), body)
    return out

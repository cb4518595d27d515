"""Vectors, made once more from what the check has proved to be shown, by the code that made them.

Whatever that code does, nothing but published texts is given to it: where the same bytes come out, nothing else went in.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ranvier.store.format import digest, inflate
from ranvier.store.manifest import Manifest
from ranvier.store.texts import Passage

from ranvier_builder.embed.models import Embedder
from ranvier_builder.model import Chunk, Neuron, Page, Rendered
from ranvier_builder.write.vectors import write_vectors


def made_again(
    manifest: Manifest, passages: Mapping[int, Passage], lang: str, model: Embedder
) -> tuple[dict[bytes, bytes], dict[str, Any] | None]:
    """Make a site's vectors again.

    Args:
        manifest: the site's.
        passages: what is shown of each chunk.
        lang: the site's language.
        model: what they were made with.

    Returns:
        By its digest what each file inflates to: another zlib packs the same otherwise. And what the manifest would say.

    """
    made: dict[bytes, bytes] = {}

    def put(contents: list[bytes]) -> list[Any]:
        made.update((digest(data), inflate("made again", data)) for data in contents)
        return [b"".join(map(digest, contents)), [len(data) for data in contents]]

    return made, write_vectors(_rendered(manifest, passages), lang, model, put).manifest


def _rendered(manifest: Manifest, passages: Mapping[int, Passage]) -> list[Rendered]:
    """Return pages that say what is shown of each chunk, and nothing else."""
    pages: dict[int, list[Passage]] = {}
    for number in sorted(passages):
        pages.setdefault(manifest.neuron_of(number), []).append(passages[number])
    out = []
    for number, shown in pages.items():
        card = shown[0].neuron
        neuron = Neuron(card.path, card.title, "", lang=card.lang)
        chunks = tuple(Chunk(one.anchor, one.headings, one.body) for one in shown)
        out.append(Rendered(Page(neuron, number, card.seq_id, card.slug, card.url, False), "", (), chunks))
    return out

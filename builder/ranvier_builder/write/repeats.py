"""Passages that several pages repeat, as text that they include: a search counts each for one of these pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable

from ranvier.store.format import digest

from ranvier_builder.model import Rendered

LIMIT = 4_000  # chunks; the hot pack names them all, in some two bytes each


def repeated_passages(indexed: Iterable[Rendered], older: Container[int]) -> dict[int, int]:
    """Return for each chunk that repeats the heading and text of an earlier one the first such chunk; both count from 1.

    Args:
        indexed: the searched pages. If they have more than `LIMIT` repeats, the most frequent passages are included.
        older: numbers of the pages, from 1, that have a newer version. They repeat its passages, and come last anyway.

    """
    first: dict[bytes, int] = {}
    repeats: dict[int, int] = {}
    number = 0
    for at, page in enumerate(indexed, 1):
        for chunk in page.chunks:
            number += 1
            passage = digest(f"{chunk.headings[-1:]}\n{chunk.body}".encode())
            if chunk.body and at not in older and first.setdefault(passage, number) != number:
                repeats[number] = first[passage]
    if len(repeats) > LIMIT:
        counts = Counter(repeats.values())
        kept = sorted(repeats, key=lambda chunk: (-counts[repeats[chunk]], repeats[chunk], chunk))[:LIMIT]
        repeats = {chunk: repeats[chunk] for chunk in sorted(kept)}
    return repeats

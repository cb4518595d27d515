"""Chunks → Neurons: readers look for pages, and a page that matches in ten places is one answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ranvier.types import Ranked


@dataclass(frozen=True, slots=True)
class Group:
    """A Neuron's chunks, best first. The first one stands for it."""

    neuron: int
    chunks: tuple[Ranked, ...]

    @property
    def best(self) -> Ranked:
        """The chunk that the Neuron is ranked by."""
        return self.chunks[0]


def order(ranked: Ranked) -> tuple[int, int, int]:
    """The total order of results: tier, then score, then chunk number."""
    return ranked.tier, -ranked.micro, ranked.chunk


def by_neuron(found: list[Ranked], neuron_of: Callable[[int], int]) -> list[Group]:
    """Group ranked chunks by Neuron; a Neuron stands where its best chunk stands."""
    groups: dict[int, list[Ranked]] = {}
    for ranked in sorted(found, key=order):
        groups.setdefault(neuron_of(ranked.chunk), []).append(ranked)
    return [Group(neuron, tuple(chunks)) for neuron, chunks in groups.items()]

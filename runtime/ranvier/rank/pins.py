"""Pins: what a site's owner puts first for a query, whatever its score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ranvier.query.scope import Within
from ranvier.query.understand import Understood
from ranvier.rank.candidate import Candidate
from ranvier.rank.tiers import names
from ranvier.types import WHOLE


def pinned(
    hits: list[Candidate], pins: Mapping[str, Sequence[int]], query: Understood, within: Within, unit: str
) -> list[Candidate]:
    """Put pinned Neurons first, in their order; `pins` are Neurons by the name that the query is."""
    named = [n for name in names(query) for n in pins.get(name, ()) if n in within] if pins and unit == "neuron" else []
    chosen = dict.fromkeys(named)
    if not chosen:
        return hits
    found = {one.neuron: one for one in hits}
    top = max((one.score for one in hits), default=0.0)
    first = []
    for at, n in enumerate(chosen):
        one = found.get(n) or Candidate(n, n)
        one.tier, one.ceiling = WHOLE, None
        one.set("pin", top + len(named) - at, f"pin {at + 1}")
        first.append(one)
    return [*first, *(one for one in hits if one.neuron not in chosen)]

"""Pins: Neurons that the site's owner puts first for a query, regardless of their scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ranvier.query.scope import ScopeFilter
from ranvier.query.understand import ParsedQuery, name_terms
from ranvier.rank.candidate import Candidate
from ranvier.types import WHOLE


def apply_pins(
    hits: list[Candidate], pins: Mapping[str, Sequence[int]], query: ParsedQuery, scope_filter: ScopeFilter, unit: str
) -> list[Candidate]:
    """Put pinned Neurons first, in their order; `pins` maps a query, as a name, to Neurons."""
    names = name_terms(query.words, query.langs) if pins and unit == "neuron" else ()
    neurons = [n for name in names for n in pins.get(name, ()) if n in scope_filter]
    unique = dict.fromkeys(neurons)
    if not unique:
        return hits
    by_neuron = {hit.neuron: hit for hit in hits}
    top = max((hit.score for hit in hits), default=0.0)
    first = []
    for at, n in enumerate(unique):
        candidate = by_neuron.get(n) or Candidate(n, n)
        candidate.tier, candidate.ceiling = WHOLE, None
        candidate.set("pin", top + len(neurons) - at, f"pin {at + 1}")
        first.append(candidate)
    return [*first, *(hit for hit in hits if hit.neuron not in unique)]

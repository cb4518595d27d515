"""The gate: who may see what. The only door between reading and everything after it (A1, A2).

It denies by default. What it drops is gone before any other stage runs, so that no later stage can leak it: not a title, not a
tag, not a link's target, not a number that counts it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from ranvier_builder.model import Neuron

AUDIENCES = ("public", "tool", "curator")

# Whose Neurons a reader sees [000]: the table of the wiki's retrieve layer.
_SEES = {"public": {"public"}, "tool": {"tool", "public"}, "curator": {"curator", "tool", "public"}}

UNSAID = "no audience, and no default_audience is set"
UNKNOWN = "an audience that names nobody known"


@dataclass(frozen=True, slots=True)
class Admitted:
    """What passed, in order, and how many did not, by reason. No path or title of the rest is kept."""

    neurons: tuple[Neuron, ...]
    withheld: dict[str, int]


def reason_to_withhold(neuron: Neuron, audience: str, default: str) -> str:
    """Say why a reader of `audience` may not see a Neuron; empty where they may."""
    said = neuron.audience
    if said is None:
        said = (default,) if default else None
    if said is None:
        return UNSAID
    known = set(said) & set(AUDIENCES)
    if not known:
        return UNKNOWN
    return "" if known & _SEES[audience] else f"audience {', '.join(sorted(known, key=AUDIENCES.index))}"


def admit(neurons: Iterable[Neuron], audience: str, default: str) -> Admitted:
    """Let through what `audience` may see."""
    passed, withheld = [], Counter[str]()
    for neuron in neurons:
        reason = reason_to_withhold(neuron, audience, default)
        if reason:
            withheld[reason] += 1
        else:
            passed.append(neuron)
    return Admitted(tuple(passed), dict(sorted(withheld.items())))

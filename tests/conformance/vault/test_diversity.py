"""Note-diverse top-K: the chunks of one note do not crowd out the others ([004])."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ranvier.rank.candidate import Candidate, order
from ranvier.rank.diversity import Diversity

DIVERSE = Diversity(on=True)


def _chunks(*neurons: int) -> list[Candidate]:
    """Make chunks of these Neurons, each better than the next one."""
    return [Candidate(key, neuron, score=1 - key / 1000) for key, neuron in enumerate(neurons, 1)]


def _neurons(hits: list[Candidate]) -> list[int]:
    return [hit.neuron for hit in hits]


@pytest.mark.parametrize(
    ("neurons", "most", "chosen"),
    [
        ((1, 1, 1, 2, 3), 3, [1, 2, 3]),  # the best chunk of each
        ((1, 1, 1, 2, 3), 4, [1, 1, 2, 3]),  # then the rest, in order of score
        ((1, 1, 1, 2, 3), 2, [1, 2]),
        ((1, 1, 1), 2, [1, 1]),
        ((1, 2, 3), 2, [1, 2]),
        ((), 5, []),
    ],
)
def test_the_best_of_each_note_first(neurons: tuple[int, ...], most: int, chosen: list[int]) -> None:
    """R7, [004]: `selectDiverseTopK`."""
    assert _neurons(DIVERSE.select(_chunks(*neurons), most)) == chosen


NEURONS = st.lists(st.integers(1, 6), max_size=30)


@given(NEURONS, st.integers(1, 12))
def test_no_note_is_lost_while_there_is_room(neurons: list[int], most: int) -> None:
    """R7, [004]: a note's best chunk is left out only for better chunks of other notes that are the best of theirs."""
    hits = _chunks(*neurons)
    chosen = DIVERSE.select(hits, most)
    best: dict[int, Candidate] = {}
    for hit in hits:
        best.setdefault(hit.neuron, hit)
    assert {item.key for item in [*best.values()][:most]} <= {item.key for item in chosen}
    assert len(chosen) == min(most, len(hits))
    assert chosen == sorted(chosen, key=order)


@given(NEURONS, st.integers(1, 12), st.integers(1, 3))
def test_at_most_so_many_of_one(neurons: list[int], most: int, per_neuron: int) -> None:
    """R7: with a bound, no Neuron has more; and it has its best ones."""
    hits = _chunks(*neurons)
    chosen = Diversity(on=True, per_neuron=per_neuron).select(hits, most)
    counted = Counter(_neurons(chosen))
    assert all(count <= per_neuron for count in counted.values())
    for neuron, count in counted.items():
        assert [item for item in chosen if item.neuron == neuron] == [hit for hit in hits if hit.neuron == neuron][:count]


@given(NEURONS, st.integers(1, 12))
def test_off_it_is_plain(neurons: list[int], most: int) -> None:
    """R7: presets without it take the best."""
    hits = _chunks(*neurons)
    assert Diversity().select(hits, most) == hits[:most]


@given(NEURONS, st.integers(1, 6), st.integers(1, 18), st.booleans())
def test_spare_ones_come_behind_the_chosen(neurons: list[int], top: int, most: int, on: bool) -> None:
    """R7, P2, [000][004]: what is admitted where a chosen chunk has no room; nothing twice, the chosen ones first."""
    diversity, hits = Diversity(on=on), _chunks(*neurons)
    most = max(top, most)
    result = diversity.in_turn(hits, top, most)
    chosen = diversity.select(hits, top)
    assert result[: len(chosen)] == chosen
    assert len({item.key for item in result}) == len(result) == min(most, len(hits))
    assert result[len(chosen) :] == sorted(result[len(chosen) :], key=order)

"""Note-diverse top-K ([004]): chunks of one note do not displace other notes."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ranvier.rank.candidate import Candidate, order
from ranvier.rank.diversity import Diversity

DIVERSE = Diversity(enabled=True)


def _chunks(*neurons: int) -> list[Candidate]:
    """Make chunks of these Neurons, each better than the next one."""
    return [Candidate(key, neuron, score=1 - key / 1000) for key, neuron in enumerate(neurons, 1)]


def _neurons(hits: list[Candidate]) -> list[int]:
    return [hit.neuron for hit in hits]


@pytest.mark.parametrize(
    ("neurons", "limit", "selection"),
    [
        ((1, 1, 1, 2, 3), 3, [1, 2, 3]),  # the best chunk of each
        ((1, 1, 1, 2, 3), 4, [1, 1, 2, 3]),  # then the rest, in order of score
        ((1, 1, 1, 2, 3), 2, [1, 2]),
        ((1, 1, 1), 2, [1, 1]),
        ((1, 2, 3), 2, [1, 2]),
        ((), 5, []),
    ],
)
def test_best_chunk_of_each_note_comes_first(neurons: tuple[int, ...], limit: int, selection: list[int]) -> None:
    """R7, [004]: `selectDiverseTopK`."""
    assert _neurons(DIVERSE.select(_chunks(*neurons), limit)) == selection


NEURONS = st.lists(st.integers(1, 6), max_size=30)


@given(NEURONS, st.integers(1, 12))
def test_no_note_is_lost_for_lower_chunks(neurons: list[int], limit: int) -> None:
    """R7, [004]: except for better best chunks of other notes."""
    hits = _chunks(*neurons)
    selection = DIVERSE.select(hits, limit)
    best: dict[int, Candidate] = {}
    for hit in hits:
        best.setdefault(hit.neuron, hit)
    assert {item.key for item in [*best.values()][:limit]} <= {item.key for item in selection}
    assert len(selection) == min(limit, len(hits))
    assert selection == sorted(selection, key=order)


@given(NEURONS, st.integers(1, 12), st.integers(1, 3))
def test_chunks_of_one_neuron_are_bounded(neurons: list[int], limit: int, per_neuron: int) -> None:
    """R7: its best ones stay."""
    hits = _chunks(*neurons)
    selection = Diversity(enabled=True, per_neuron=per_neuron).select(hits, limit)
    count_by_neuron = Counter(_neurons(selection))
    assert all(count <= per_neuron for count in count_by_neuron.values())
    for neuron, count in count_by_neuron.items():
        assert [item for item in selection if item.neuron == neuron] == [hit for hit in hits if hit.neuron == neuron][:count]


@given(NEURONS, st.integers(1, 12))
def test_without_diversity_the_best_chunks_are_taken(neurons: list[int], limit: int) -> None:
    """R7."""
    hits = _chunks(*neurons)
    assert Diversity().select(hits, limit) == hits[:limit]


@given(NEURONS, st.integers(1, 6), st.integers(1, 18), st.booleans())
def test_spare_chunks_follow_the_chosen_ones(neurons: list[int], top: int, limit: int, enabled: bool) -> None:
    """R7, P2, [000][004]: they fill the budget; nothing is repeated."""
    diversity, hits = Diversity(enabled=enabled), _chunks(*neurons)
    limit = max(top, limit)
    result = diversity.in_turn(hits, top, limit)
    selection = diversity.select(hits, top)
    assert result[: len(selection)] == selection
    assert len({item.key for item in result}) == len(result) == min(limit, len(hits))
    assert result[len(selection) :] == sorted(result[len(selection) :], key=order)

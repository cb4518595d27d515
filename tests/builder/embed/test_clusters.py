"""Clusters of vectors (L3): each vector is in one cluster of bounded size; the result is deterministic."""

import numpy as np
import pytest
from ranvier_builder.embed.clusters import FEW, MIN_SIZE, ONE_CLUSTER, clusters, usual_size
from ranvier_builder.embed.exact import Ints64, unit


def random_vectors(count: int, centres: int, *, wide: int = 32, spread: float = 0.5, seed: int = 1) -> Ints64:
    """Make vectors around some centres, neighbours around the same one."""
    rng = np.random.default_rng(seed)
    homes = rng.normal(size=(centres, wide))[np.sort(rng.integers(0, centres, count))]
    return unit(np.rint(1000 * (homes + spread * rng.normal(size=(count, wide)))).astype(np.int64))


def sizes(groups: list[Ints64]) -> list[int]:
    return [len(group) for group in groups]


@pytest.mark.parametrize("centres", [1, 5, 100])
@pytest.mark.parametrize("count", [1, 2, ONE_CLUSTER - 1, ONE_CLUSTER, ONE_CLUSTER + 1, FEW, FEW + 1, 5000])
def test_every_vector_is_in_one_cluster(count: int, centres: int) -> None:
    """L3: clusters are in the order of their first vector; none is empty or too large."""
    result = clusters(random_vectors(count, centres))
    assert sorted(np.concatenate(result).tolist()) == [*range(count)]
    assert all(cluster.tolist() == sorted(cluster.tolist()) for cluster in result)
    assert [cluster[0] for cluster in result] == sorted(cluster[0] for cluster in result)
    assert min(sizes(result)) > 0
    assert max(sizes(result)) <= 2.5 * usual_size(count)
    assert len(result) <= 4 * -(-count // usual_size(count))


@pytest.mark.parametrize(
    ("count", "size"),
    [
        (1, ONE_CLUSTER),
        (FEW, ONE_CLUSTER),
        (FEW + 1, MIN_SIZE),
        (10_000, MIN_SIZE),
        (40_000, 56),
        (100_000, 69),
        (1_000_000, 220),
    ],
)
def test_usual_cluster_size(count: int, size: int) -> None:
    """L3: a small site is fetched at once; a very large one has fewer, larger clusters."""
    assert usual_size(count) == size


def test_small_site_is_one_cluster() -> None:
    """L3."""
    assert sizes(clusters(random_vectors(ONE_CLUSTER, 7))) == [ONE_CLUSTER]


def test_near_vectors_share_a_cluster() -> None:
    """L3: with well separated centres, hardly any cluster mixes two of them."""
    rng = np.random.default_rng(4)
    homes = np.sort(rng.integers(0, 40, 3000))
    centres = rng.normal(size=(40, 32))
    vectors = unit(np.rint(1000 * (centres[homes] + 0.1 * rng.normal(size=(3000, 32)))).astype(np.int64))
    pure = sum(len(cluster) for cluster in clusters(vectors) if len({*homes[cluster].tolist()}) == 1)
    assert pure >= 2700


@pytest.mark.parametrize("factor", [1, 2, 3])
def test_equal_vectors_are_one_cluster(factor: int) -> None:
    """L3: in linear time, and without other vectors."""
    vectors = np.tile(unit(np.eye(3, 8, dtype=np.int64)[:factor]), (2000, 1))
    result = clusters(vectors)
    assert sorted(np.concatenate(result).tolist()) == [*range(2000 * factor)]
    assert len(result) == factor
    assert all(len({tuple(row) for row in vectors[cluster].tolist()}) == 1 for cluster in result)


@pytest.mark.parametrize("spread", [0.05, 0.1, 0.2, 0.4])
def test_dense_vectors_are_divided(spread: float) -> None:
    """L3: hundreds of similar pages are neither one large file nor hundreds of small ones."""
    vectors = np.concatenate([random_vectors(2000, 1, wide=256, spread=spread), random_vectors(500, 60, wide=256, seed=9)])
    result = clusters(vectors)
    assert max(sizes(result)) <= 2.5 * usual_size(2500)
    assert len(result) <= 3 * 2500 / usual_size(2500)

"""The vector leg (L3, I4, S1): what it reads, what it finds, and in which order."""

from itertools import pairwise
from pathlib import Path
from random import Random

import numpy as np
import pytest
from ranvier.legs import SEMANTIC
from ranvier.legs.vector import MAX_FILES, VectorLeg, encode_query
from ranvier.presets import preset
from ranvier.query.scope import ScopeFilter
from ranvier.types import BY_MEANING, Need, Ranking
from ranvier.vectors.lanes import LARGEST
from ranvier.vectors.pool import MICRO
from ranvier_builder.embed.exact import Ints64
from ranvier_builder.embed.site import Passage, embed_site
from ranvier_builder.model import Rendered
from support.meaning import Tiny, VectorStore, passages, topical, write

TOPICS, WORDS_PER_TOPIC = 100, 25
ALL = VectorLeg(threshold=-1.0)  # every vector that is read is a hit


@pytest.fixture(scope="module")
def model() -> Tiny:
    return topical(TOPICS, WORDS_PER_TOPIC, noise=1.0)


@pytest.fixture(scope="module")
def pages(model: Tiny) -> list[Rendered]:
    """1,000 pages of four chunks each: some hundred clusters, more than a question may fetch."""
    return passages(model, TOPICS, 1000, words=16)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory, model: Tiny, pages: list[Rendered]) -> VectorStore:
    return write(tmp_path_factory.mktemp("leg"), pages, model)


@pytest.fixture(scope="module")
def queries(model: Tiny) -> list[str]:
    """Three words each, of any topics."""
    rng = Random(1)
    return [" ".join(rng.choice(model.words) for _ in range(3)) for _ in range(100)]


def rows(ranking: Ranking) -> list[int]:
    return [match.row for match in ranking.matches]


def shard_sizes(store: VectorStore, needs: list[Need]) -> list[int]:
    """Return the sizes of the requested shards."""
    head = store.run(store.open().head())
    size_by_name = {head.shards.name(at): size for at, size in enumerate(head.shards.sizes)}
    return [size_by_name[name] for need in needs for name in need.files if name in size_by_name]


def exact_vectors(pages: list[Rendered], model: Tiny) -> Ints64:
    """Embed the chunks of pages; these vectors are not rounded."""
    chunks = [(page.page.neuron.title, chunk) for page in pages for chunk in page.chunks]
    return embed_site([Passage(title, " ".join(chunk.headings), chunk.body) for title, chunk in chunks], model).vectors


def test_clustered_search_finds_most_of_the_nearest(
    store: VectorStore, model: Tiny, pages: list[Rendered], queries: list[str]
) -> None:
    """L3: although three quarters of the vectors are not read, and those that are read are rounded."""
    exact = exact_vectors(pages, model)
    assert len(exact) == store.chunks == 4000
    vectors, leg, hits, share = store.open(), VectorLeg(threshold=0.0), 0, 0.0
    head = store.run(vectors.head())
    for query in queries:
        cosines = exact @ np.array(store.run(encode_query(vectors, query)))
        nearest = {*(np.argsort(-cosines, kind="stable")[:10] + 1).tolist()}
        hits += len(nearest & {*rows(store.recall(query, leg, vectors=vectors))[:10]})
        products = head.centroids.dots(store.run(encode_query(vectors, query)))
        order = sorted(range(len(products)), key=lambda number: (-products[number], number))
        share += len(leg.probed(order, head.shards.sizes, head.count)) / len(order)
    assert hits / (10 * len(queries)) >= 0.85
    assert share / len(queries) <= 0.25


def test_few_vectors_are_all_compared(store: VectorStore, model: Tiny, pages: list[Rendered], queries: list[str]) -> None:
    """L3, [001]: above the limit, only those of the nearest clusters."""
    exhaustive_leg = VectorLeg(threshold=-1.0, exhaustive_limit=4000)
    clustered_leg = VectorLeg(threshold=-1.0, exhaustive_limit=3999)
    assert sorted(rows(store.recall(queries[0], exhaustive_leg, candidates=10_000))) == [*range(1, 4001)]
    assert 0 < len(store.recall(queries[0], clustered_leg, candidates=10_000).matches) < 4000
    assert len(store.recall(queries[0], ALL, candidates=10_000).matches) < 4000


def test_cosines_agree_with_floats(store: VectorStore, model: Tiny, pages: list[Rendered], queries: list[str]) -> None:
    """L3: within the resolution of the stored vectors."""
    exact = exact_vectors(pages, model).astype(float)
    exact /= np.linalg.norm(exact, axis=1, keepdims=True)
    for query in queries[:5]:
        request = np.array(store.run(encode_query(store.open(), query)), dtype=float)
        cosines = exact @ (request / np.linalg.norm(request))
        for result in store.recall(query, candidates=50).matches:
            assert abs(result.micro / MICRO - cosines[result.row - 1]) < 0.02
            assert 0 <= result.micro <= MICRO


def test_hits_are_sorted_by_cosine_then_number(store: VectorStore, queries: list[str]) -> None:
    """L3, B1: hits are chunks, and all are near without words."""
    for query in queries[:10]:
        result = store.recall(query, candidates=1000)
        assert [*result.matches] == sorted(result.matches, key=lambda result: (-result.micro, result.row))
        assert {result.tier for result in result.matches} == {BY_MEANING}
        assert (result.leg, result.chunks, result.semantic, result.weight) == ("vector", True, True, 1.0)
        assert store.recall(query, candidates=1000) == result


def test_equal_cosines_are_sorted_by_number(tmp_path: Path, model: Tiny) -> None:
    """B1: in whichever clusters the chunks are."""
    page_of_topic = passages(model, TOPICS, 1)
    site = write(tmp_path, [*page_of_topic, *passages(model, TOPICS, 400, seed=8), *page_of_topic], model)
    assert len(site.run(site.open().head()).shards.sizes) > 5
    result = site.recall(page_of_topic[0].chunks[0].body, VectorLeg(threshold=0.0, exhaustive_limit=10**6), candidates=3)
    first, copy = rows(result)[:2]
    assert copy - first == site.chunks - 4
    assert result.matches[0].micro == result.matches[1].micro > result.matches[2].micro


@pytest.mark.parametrize("threshold", [0.0, 0.1, 0.3, 0.5, 0.999999, 1.0, 2.0])
def test_threshold_is_inclusive(store: VectorStore, queries: list[str], threshold: float) -> None:
    """L3, [001]."""
    everything = store.recall(queries[3], VectorLeg(threshold=-1.0, exhaustive_limit=4000), candidates=10_000).matches
    result = store.recall(queries[3], VectorLeg(threshold=threshold, exhaustive_limit=4000), candidates=10_000).matches
    assert [*result] == [item for item in everything if item.micro >= round(threshold * MICRO)]
    edge = everything[7].micro / MICRO
    assert len(store.recall(queries[3], VectorLeg(threshold=edge, exhaustive_limit=4000), candidates=10_000).matches) == 8


@pytest.mark.parametrize(("name", "threshold", "exact"), [("desktop", 0.3, 10_000), ("brain", 0.3, 0), ("vault", 0.3, 0)])
def test_desktop_preset_has_the_described_numbers(name: str, threshold: float, exact: int) -> None:
    """L3, [001]: threshold 0.3; up to 10,000 vectors are all compared."""
    for legs in (preset(name).legs, preset(name).retrieve or preset(name).legs):
        (leg,) = [leg for leg in legs if leg.kind == SEMANTIC]
        assert isinstance(leg, VectorLeg)
        assert (leg.threshold, leg.exhaustive_limit, leg.weight, leg.match) == (threshold, exact, 1.0, "auto")


@pytest.mark.parametrize(
    ("bytes_per_root", "limit", "expected"),
    [(0, 10**6, 0), (1, 10**6, 63), (1000, 10**6, 63_000), (1000, 20_000, 20_000), (10**6, 60_000, 60_000), (10, 0, 0)],
)
def test_vector_bytes_stay_within_the_budget(
    store: VectorStore, queries: list[str], bytes_per_root: int, limit: int, expected: int
) -> None:
    """L3, B2: never more bytes of shards than that, but the nearest one is always read; and as many as it pays for.

    It grows with the root of how many vectors there are (here 4,000), as the clusters do.
    """
    for query in queries[:12]:
        leg = VectorLeg(threshold=-1.0, budget=bytes_per_root, min_budget=0, max_budget=limit)
        result, needs = store.drive(store.recalling(query, leg, candidates=10_000))
        sizes = shard_sizes(store, needs)
        assert len(sizes) == 1 or sum(sizes) <= expected
        assert result.matches
        head = store.run(store.open().head())
        if expected:
            assert sum(sizes) + max(head.shards.sizes) > expected


def test_nearest_clusters_are_read(store: VectorStore, queries: list[str]) -> None:
    """L3: by the dot product of their centroids, then by number."""
    vectors = store.open()
    head = store.run(vectors.head())
    products = head.centroids.dots(store.run(encode_query(vectors, queries[0])))
    order = sorted(range(len(products)), key=lambda number: (-products[number], number))
    _, needs = store.drive(store.recalling(queries[0], VectorLeg(max_budget=40_000)))
    sizes = shard_sizes(store, needs)
    assert sorted(sizes) == sorted(head.shards.sizes[number] for number in order[: len(sizes)])


def test_scope_limits_vector_hits(store: VectorStore, queries: list[str]) -> None:
    """S1, A5: chunks outside are neither found nor counted as candidates."""
    scope = ScopeFilter({3, 500, 777})
    result = store.recall(queries[0], VectorLeg(threshold=-1.0, exhaustive_limit=4000), scope)
    assert {-(-result.row // 4) for result in result.matches} == {3, 500, 777}
    assert len(result.matches) == 12
    assert (
        store.recall(queries[0], VectorLeg(threshold=-1.0, exhaustive_limit=4000), scope, candidates=5).matches
        == result.matches[:5]
    )
    assert store.recall(queries[0], ALL, ScopeFilter(())).matches == ()


def test_scope_is_searched_completely(store: VectorStore, queries: list[str]) -> None:
    """S1: the budget is used for shards with chunks of the scope."""
    leg = VectorLeg(threshold=-1.0, budget=0, min_budget=40_000)
    for query in queries[:10]:
        scope = ScopeFilter({3, 500, 777})
        assert len(store.recall(query, leg, scope).matches) == 12, query


@pytest.mark.parametrize(("preset_limit", "leg_limit", "count"), [(200, 0, 200), (7, 0, 7), (200, 5, 5), (3, 5, 5)])
def test_candidate_limit_of_the_vector_leg(
    store: VectorStore, queries: list[str], preset_limit: int, leg_limit: int, count: int
) -> None:
    """P4: the limit of the leg, else of the preset. The result is not called truncated."""
    result = store.recall(queries[0], VectorLeg(threshold=-1.0, candidates=leg_limit), candidates=preset_limit)
    assert (len(result.matches), result.truncated) == (count, False)
    assert result.matches == store.recall(queries[0], ALL, candidates=10_000).matches[:count]


@pytest.mark.parametrize("words", ["nosuchword", "?!", "nosuch 中 words", "😀", "\ud800", "\x00", " "])
def test_query_of_unknown_words_finds_nothing(store: VectorStore, words: str) -> None:
    """L3, X1: no shard is read, and nothing fails."""
    result, needs = store.drive(store.recalling(words, ALL))
    assert (result.matches, result.chunks, result.truncated, result.semantic) == ((), True, False, True)
    assert shard_sizes(store, needs) == []


def test_unknown_words_are_ignored(store: VectorStore, model: Tiny) -> None:
    """L3."""
    first, second = model.words[0], model.words[30]
    assert (
        store.recall(f"{first} nosuchword {second}")
        == store.recall(f"{first} {second}")
        == store.recall(f"{second.upper()}, {first}!")
    )


def test_query_vector_is_the_sum_of_its_words(store: VectorStore, model: Tiny) -> None:
    """I4: repeated words count."""
    vectors = store.open()
    vocabulary = store.run(vectors.vocabulary("é"))
    first, second = (np.array(store.run(vectors.rows([vocabulary.place(number)]))[0].tolist()) for number in (0, 30))
    total = 2 * first + second
    exact = total * LARGEST / np.abs(total).max()
    result = store.run(encode_query(vectors, f"{model.words[0]} {model.words[30]} {model.words[0]}"))
    assert np.abs(np.array(result) - exact).max() <= 0.5
    assert max(map(abs, result)) == LARGEST


def test_long_query_reads_the_files_of_most_of_its_words(store: VectorStore, model: Tiny) -> None:
    """B2: 1,000 characters need words of every file; the number of files is limited, and the choice is fixed."""
    words = " ".join(model.words)
    vectors = store.open()
    head = store.run(vectors.head())
    assert len(head.rows.sizes) > MAX_FILES
    _, needs = store.drive(encode_query(vectors, words))
    names = {head.rows.name(at) for at in range(len(head.rows.sizes))}
    assert len([name for need in needs for name in need.files if name in names]) == MAX_FILES
    sizes = [end - start for start, end in pairwise((0, *head.ends))]
    fewest = min(range(len(sizes)), key=lambda file: sizes[file])
    last = [model.words[head.site_tokens[head.ends[fewest] - 1]]]
    largest = sorted(range(len(sizes)), key=lambda file: (-sizes[file], file))[: MAX_FILES - 1]
    expected = {head.rows.name(at) for at in (*largest, fewest)}
    _, needs = store.drive(encode_query(store.open(), f"{words} {' '.join(last * 60)}"))
    assert {name for need in needs for name in need.files if name in names} == expected
    assert store.run(encode_query(store.open(), words)) == store.run(encode_query(vectors, words))

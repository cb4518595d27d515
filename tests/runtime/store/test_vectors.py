"""Files of vectors (I4, B2, X3): head, tokens, rows and shards; planned reads and damage."""

from collections.abc import Callable
from typing import Any

import msgpack
import numpy as np
import pytest
from ranvier import FetchError, FormatError, IntegrityError
from ranvier.legs.vector import VectorLeg
from ranvier.store.files import steps
from ranvier.store.format import digest, inflate
from ranvier.store.source import FolderSource
from ranvier.store.vectors import ASCII, COARSE, OTHER, Head, Vocabulary, read_tokens
from ranvier.types import Need
from ranvier.vectors.lanes import ZERO
from ranvier_builder.embed.models import embedder
from ranvier_builder.embed.site import Passage, embed_site
from ranvier_builder.embed.tokenizer_file import split_ascii
from support.damage import damage_files
from support.meaning import Tiny, VectorStore, passages, topical, write

WordsOf = Callable[..., str]
TOPICS, WORDS_PER_TOPIC, PAGES, DIMENSIONS = 8, 30, 500, 64
ROUNDS_AT_FIRST, ROUNDS_LATER = 3, 2  # head and tokens, rows, shards; then rows and shards


@pytest.fixture(scope="module")
def model() -> Tiny:
    """240 words that are used, and 60 that no page has."""
    used = topical(TOPICS, WORDS_PER_TOPIC, dimensions=DIMENSIONS)
    unused = topical(2, WORDS_PER_TOPIC, dimensions=DIMENSIONS, seed=11)
    return Tiny((*used.words, *(f"x{word}" for word in unused.words)), np.concatenate([used.rows, unused.rows]))


@pytest.fixture(scope="module")
def pages(model: Tiny) -> list[Any]:
    """Pages of the words that are used: 2,000 chunks."""
    return passages(Tiny(model.words[: TOPICS * WORDS_PER_TOPIC], model.rows), TOPICS, PAGES)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory, model: Tiny, pages: list[Any]) -> VectorStore:
    """Their vectors, in several shards."""
    return write(tmp_path_factory.mktemp("vectors"), pages, model)


@pytest.fixture(scope="module")
def words_of(model: Tiny) -> WordsOf:
    """Words of the model by their numbers; every ninth has a letter that ASCII lacks."""
    return lambda *numbers: " ".join(model.words[number] for number in numbers)


@pytest.fixture(scope="module")
def site(model: Tiny, pages: list[Any]) -> Any:
    """What the builder makes of them before it writes."""
    messages = [
        Passage(page.page.neuron.title, " ".join(chunk.headings), chunk.body) for page in pages for chunk in page.chunks
    ]
    return embed_site(messages, model)


def test_vector_head_is_read(store: VectorStore, model: Tiny) -> None:
    """I4."""
    head = store.run(store.open().head())
    assert (head.model, head.dimensions, head.count, head.kind) == ("tiny", DIMENSIONS, PAGES * 4, "wordpiece")
    assert len(head.ends) == len(head.rows.sizes)
    assert head.ends[-1] == len(model.words)
    assert len(store.files.tokens.sizes) == 2
    assert len(head.shards.sizes) > 5
    assert len({*head.site_tokens}) == len(head.site_tokens) == TOPICS * WORDS_PER_TOPIC
    for files in (store.files.head, store.files.tokens, head.rows, head.shards):
        assert [(store.folder / files.name(at)).stat().st_size for at in range(len(files.sizes))] == [*files.sizes]


def test_vocabulary_is_in_two_files(store: VectorStore, model: Tiny) -> None:
    """I4: ASCII words need the first one only; the place of a row does not depend on which files are present."""
    head = store.run(store.open().head())
    plain, whole = store.run(store.open().vocabulary("only ascii")), store.run(store.open().vocabulary("é"))
    assert (plain.whole, whole.whole) == (False, True)
    numbers = {word: at for at, word in enumerate(model.words)}
    ascii_ = [number for word, number in numbers.items() if word.isascii()]
    assert 0 < len(ascii_) < len(numbers)
    assert {number: plain.place(number) for number in ascii_} == {number: whole.place(number) for number in ascii_}
    places = [whole.place(number) for number in numbers.values()]
    assert len({*places}) == len(numbers), "no two share a place"
    assert {file for file, _ in places} == {*range(len(head.rows.sizes))}


def test_second_vocabulary_file_is_added_later(store: VectorStore, words_of: WordsOf) -> None:
    """I4: when the first word needs it."""
    vectors = store.open()
    for words in (words_of(1), words_of(9), words_of(1, 9), words_of(1)):
        assert store.recall(words, vectors=vectors) == store.recall(words)
        assert store.recall(words).matches
    assert store.run(vectors.vocabulary("ascii")).whole


def test_token_rows_are_read_back(store: VectorStore, model: Tiny, site: Any) -> None:
    """I4: of used and unused tokens."""
    vectors = store.open()
    vocabulary = store.run(vectors.vocabulary("é"))
    result = store.run(vectors.rows([vocabulary.place(number) for number in range(len(model.words))]))
    assert [row.tolist() for row in result] == site.rows.tolist()
    assert len({tuple(row) for row in site.rows.tolist()}) == len(model.words), "the places differ"


def test_tokens_are_read_back(store: VectorStore, model: Tiny) -> None:
    """I4: both files together are the vocabulary of the model."""
    names = map(store.files.tokens.name, (ASCII, OTHER))
    results = [read_tokens(name, inflate(name, (store.folder / name).read_bytes())) for name in names]
    assert results == [*split_ascii(model.tokenizer)]
    assert results[0] | results[1] == {word: at for at, word in enumerate(model.words)}


def test_dot_products_of_shards_are_exact(store: VectorStore, site: Any) -> None:
    """L3: equal to those before the vectors were stored as differences."""
    vectors = store.open()
    head = store.run(vectors.head())
    shards = store.run(vectors.shards(range(len(head.shards.sizes))))
    rng = np.random.default_rng(1)
    report = np.rint(site.vectors * (head.resolution / (1 << 14))).astype(np.int64)
    chunks: list[int] = []
    for _ in range(3):
        query = rng.integers(-127, 128, DIMENSIONS)
        products = head.centroids.dots(query.tolist())
        for number, shard in shards.items():
            numbers = np.array(shard.chunks) - 1
            expected = report[numbers] @ query
            assert shard.dots(query.tolist(), products[number]) == expected.tolist(), "for differences that are not clipped"
            chunks += shard.chunks
    assert sorted(chunks) == sorted([*range(1, store.chunks + 1)] * 3), "each chunk is in one shard"


def test_centroids_are_the_directions_of_their_clusters(store: VectorStore, site: Any) -> None:
    """L3: in coarse steps."""
    vectors = store.open()
    head = store.run(vectors.head())
    shards = store.run(vectors.shards(range(len(head.shards.sizes))))
    basis = [[127 * (at == axis) for at in range(DIMENSIONS)] for axis in range(DIMENSIONS)]
    result = np.array([head.centroids.dots(axis) for axis in basis]).T // 127
    for number, shard in shards.items():
        total = site.vectors[np.array(shard.chunks) - 1].sum(axis=0)
        expected = total * (COARSE / np.sqrt(float((total * total).sum())))
        assert np.abs(result[number] - expected).max() <= 0.5 + 1e-9


def test_prefetched_files_take_no_round(store: VectorStore, words_of: WordsOf) -> None:
    """B2, X3: a browser fetches the head and the tokens with the engine; a damaged one is fetched again."""
    names = store.files.head.name(0), store.files.tokens.name(ASCII)
    source = FolderSource(store.folder)
    expected, needs = store.drive(store.recalling(words_of(1, 2), vectors=store.open()))
    assert set(needs[0].files) == {*names}
    for damaged in (set[str](), {names[0]}, {names[1]}, {*names}):
        prefetched = {name: source.read(name)[::-1] if name in damaged else source.read(name) for name in names}
        vectors = store.open(prefetched)
        result, requests = store.drive(store.recalling(words_of(1, 2), vectors=vectors))
        assert result == expected
        assert [set(need.files) for need in requests] == ([damaged] if damaged else []) + [
            set(need.files) for need in needs[1:]
        ]
        assert prefetched == {}


def test_prefetched_files_stay_for_interleaved_searches(store: VectorStore, words_of: WordsOf) -> None:
    """B2: also if one of them is abandoned."""
    source = FolderSource(store.folder)
    prefetched = store.files.head.name(0), store.files.tokens.name(ASCII)
    tokens_file = store.files.tokens.name(OTHER)
    vectors = store.open({name: source.read(name) for name in prefetched})
    abandoned, waiting = (vectors.vocabulary("größe") for _ in range(2))
    assert next(abandoned).files == next(waiting).files == (tokens_file,)
    abandoned.close()
    store.run(vectors.vocabulary("plain"))
    with pytest.raises(StopIteration):
        waiting.send({tokens_file: source.read(tokens_file)})
    assert store.drive(vectors.vocabulary("größe"))[1] == []


def test_rounds_and_bytes_of_vector_searches_are_bounded(store: VectorStore, words_of: WordsOf) -> None:
    """B2: the first search fetches head and tokens, later ones rows and shards."""
    vectors, shard_budget = store.open(), 12_000
    leg = VectorLeg(threshold=0.0, max_budget=shard_budget)
    first, needs = store.drive(store.recalling(words_of(1, 2), leg, vectors=vectors))
    head = store.run(vectors.head())
    assert first.matches
    assert len(needs) <= ROUNDS_AT_FIRST
    start_bytes = store.files.head.sizes[0] + store.files.tokens.sizes[ASCII]
    assert size(store, needs) <= start_bytes + 2 * max(head.rows.sizes) + shard_budget
    assert store.drive(store.recalling(words_of(1, 2), leg, vectors=vectors)) == (first, []), "earlier files are in memory"
    other_tokens_fetched = 0
    for words in (words_of(100, 130, 200), words_of(45), words_of(54, 212), words_of(99), words_of(182, 238, 151)):
        _, needs = store.drive(store.recalling(words, leg, vectors=vectors))
        word_count = len(words.split())
        other_tokens = (
            0 if words.isascii() or other_tokens_fetched else store.files.tokens.sizes[OTHER]
        )  # they come with the first word that needs them
        other_tokens_fetched += other_tokens
        assert len(needs) <= ROUNDS_LATER + bool(other_tokens), words
        assert size(store, needs) <= other_tokens + word_count * max(head.rows.sizes) + shard_budget, words
    assert other_tokens_fetched


def size(store: VectorStore, needs: list[Need]) -> int:
    """Return the sum of the sizes of the requested files."""
    return sum((store.folder / name).stat().st_size for need in needs for name in need.files)


def test_vector_files_are_fetched_once(store: VectorStore, words_of: WordsOf) -> None:
    """B2."""
    vectors, requests = store.open(), list[str]()
    for words in (words_of(1), words_of(9), words_of(1, 9), words_of(200), words_of(200, 1)):
        _, needs = store.drive(store.recalling(words, vectors=vectors))
        requests += [name for need in needs for name in need.files]
    assert len(requests) == len({*requests}) > 4


def kinds(store: VectorStore) -> dict[str, set[str]]:
    head = store.run(store.open().head())
    files_by_kind = {"tokens": store.files.tokens, "rows": head.rows, "shards": head.shards}
    return {"head": {store.files.head.name(0)}} | {
        kind: {files.name(at) for at in range(len(files.sizes))} for kind, files in files_by_kind.items()
    }


@pytest.mark.parametrize("kind", ["head", "tokens", "rows", "shards"])
@pytest.mark.parametrize(
    ("damage", "error"), [("gone", FetchError), ("cut short", IntegrityError), ("one bit", IntegrityError)]
)
def test_damaged_or_missing_vector_file_is_an_error_and_is_fetched_again(
    store: VectorStore, words_of: WordsOf, kind: str, damage: str, error: type[Exception]
) -> None:
    """X3, B2: the error names the file."""
    expected = store.recall(words_of(1, 2, 9))
    vectors = store.open()
    with damage_files(kinds(store)[kind], damage) as requested:
        for _ in range(2):
            with pytest.raises(error) as caught:
                store.recall(words_of(1, 2, 9), vectors=vectors)
            assert any(name in str(caught.value) for name in requested)
    assert store.recall(words_of(1, 2, 9), vectors=vectors) == expected
    assert expected.matches


def test_undelivered_vector_file_is_an_error(store: VectorStore) -> None:
    """X3, B2."""
    steps = store.recalling("anything")
    need = next(steps)
    with pytest.raises(FetchError, match="was not received"):
        steps.send({})
    assert need.files == (store.files.tokens.name(ASCII), store.files.head.name(0))


HEAD = {
    "model": "m",
    "dimensions": 2,
    "count": 1,
    "resolution": 64,
    "tokenizer": "wordpiece",
    "options": {},
    "site_tokens": [[5, 2], [3]],
    "other_counts": [2],
    "rows": [digest(b"c"), [1]],
    "shards": [digest(b"d"), [1]],
    "shard_map": [digest(b"e"), [1]],
    "centroids": bytes([ZERO + 3, ZERO - 4]),
}


def test_vector_head_by_hand() -> None:
    head = Head("vectors/0.bin", msgpack.packb(HEAD))
    assert head.centroids.dots([10, 100]) == [30 - 400]
    assert (head.shards.folder, head.site_tokens, head.ends) == ("vectors", [5, 7, 3], (2, 3, 5))


@pytest.mark.parametrize("key", sorted(HEAD))
def test_incomplete_vector_head_is_refused(key: str) -> None:
    """X3: with FormatError, never a KeyError."""
    with pytest.raises(FormatError, match=r"vectors/0\.bin"):
        Head("vectors/0.bin", msgpack.packb({name: value for name, value in HEAD.items() if name != key}))


@pytest.mark.parametrize("data", [b"", b"\xc1", msgpack.packb([1]), msgpack.packb(5), msgpack.packb(HEAD | {"rows": 5})])
def test_invalid_vector_head_is_refused(data: bytes) -> None:
    """X3."""
    with pytest.raises(FormatError):
        Head("vectors/0.bin", data)


def test_unknown_tokenizer_is_refused(store: VectorStore) -> None:
    """X1."""
    head = Head("vectors/0.bin", msgpack.packb(HEAD | {"tokenizer": "unigram"}))
    with pytest.raises(FormatError, match="unigram"):
        Vocabulary(head, {"a": 1}, None)


def test_places_of_byte_pair_tokens() -> None:
    """I4: byte tokens are among the ASCII ones, and both vocabularies agree."""
    reader = embedder("wordllama").tokenizer
    ascii_tokens, other_tokens = split_ascii(reader)
    files = [list(other_tokens.values())[:40], list(ascii_tokens.values())[5:900:3], [reader.options["bytes"] + 200]]
    used, sizes = [token for file in files for token in file], [*map(len, files), *[100] * 400]
    values = {
        "tokenizer": "bpe",
        "options": dict(reader.options),
        "site_tokens": [*map(steps, files)],
        "other_counts": sizes[3:],
    }
    head = Head("vectors/0.bin", msgpack.packb(HEAD | values))
    existing, whole = Vocabulary(head, ascii_tokens, None), Vocabulary(head, ascii_tokens, other_tokens)
    byte_tokens = range(reader.options["bytes"], reader.options["bytes"] + 256)
    tokens = [*ascii_tokens.values(), *byte_tokens]
    assert [existing.place(token) for token in tokens] == [whole.place(token) for token in tokens]
    tokens = sorted({*ascii_tokens.values(), *other_tokens.values(), *byte_tokens})
    places = sorted(whole.place(token) for token in tokens)
    assert places == [(file, row) for file, size in enumerate(sizes) for row in range(size)][: len(tokens)]
    assert [whole.place(token) for token in used] == places[: len(used)]

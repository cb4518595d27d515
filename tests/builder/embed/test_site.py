"""Chunks become vectors (I4, B1): computed by hand on a few words, and for unusual sites."""

from collections.abc import Sequence
from math import sqrt

import numpy as np
import pytest
from numpy.typing import NDArray
from ranvier_builder.embed import exact
from ranvier_builder.embed import site as embedding
from ranvier_builder.embed.exact import UNIT, Ints64, unit
from ranvier_builder.embed.models import embedder
from ranvier_builder.embed.site import (
    MAX_COUNT,
    MOVE,
    RARE,
    Passage,
    SiteVectors,
    _round_direction,
    _scale_rows,
    _weight_rows,
    embed_site,
)
from support.meaning import Tiny, topical

WORDS = ("sea", "ship", "bread", "oven", "unused")
ROWS = np.array([[4.0, 0, 0], [3, 1, 0], [0, 0, 4], [0, 1, 3], [0, 8, 0]])
MODEL = Tiny(WORDS, ROWS)
MESSAGES = [Passage("ship", "", "sea ship sea sea sea"), Passage("bread", "oven", "bread")]
MESSAGES += [Passage("", "", "sea nosuch"), Passage("", "", "")]


def floats(vectors: Ints64) -> NDArray[np.float64]:
    return vectors / UNIT


def test_tokens_have_sif_weights() -> None:
    """I4: a / (a + p) in steps of 1/64, where p is the share of the token in the bodies; the largest value of a row is 2¹⁵."""
    counts = np.array([5000, 100, 11, 1, 0])
    scale = (1 << 15) / 8
    weights = [4, 7, 34, 59, 64]  # of the most frequent token: the smallest weight
    assert [max(round(64 * RARE / (RARE + count / 4096)), 4) for count in counts.tolist()] == weights, "not 5,112: three bits"
    for token, row in enumerate(_weight_rows(ROWS, counts).tolist()):
        assert row == [round(value * scale * weights[token] / 64) for value in ROWS[token].tolist()]
    assert _weight_rows(ROWS, np.array([3, 0, 0, 0, 0]))[0].tolist()[0] == round(4 * scale * 32 / 64), "3 of at least 1,024"
    assert _weight_rows(ROWS, np.zeros(5, np.int64))[4].tolist() == [0, 1 << 15, 0], "without texts, no token is frequent"
    assert not _weight_rows(np.zeros((2, 3)), np.array([1, 0])).any()


def by_floats(passages: Sequence[Passage], model: Tiny) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The same by floats and plain loops: the chunks' vectors, and the tokens' rows."""
    number = {word: at for at, word in enumerate(model.words)}
    parts = [
        [[number[word] for word in getattr(passage, part).split() if word in number] for passage in passages]
        for part in ("body", "title", "headings")
    ]
    bodies, titles, headings = parts
    body_tokens = [token for body in bodies for token in body]
    rows = (
        model.rows
        * np.array([RARE / (RARE + body_tokens.count(token) / len(body_tokens)) for token in range(len(model.words))])[:, None]
    )

    def direction(vector: NDArray[np.float64]) -> NDArray[np.float64]:
        length = sqrt(float(vector @ vector))
        return vector / length if length > 1e-12 else vector

    def chunks() -> NDArray[np.float64]:
        none = np.zeros(rows.shape[1])
        sums = [
            [direction(sum((rows[token] for token in tokens), none)) for tokens in part] for part in (bodies, titles, headings)
        ]
        return np.array([direction(2 * body + title + heading) for body, title, heading in zip(*sums, strict=True)])

    vectors = chunks()
    shared = direction(vectors.sum(axis=0))
    rows = rows - (rows @ shared)[:, None] * shared
    vectors = np.array([direction(vector - (vector @ shared) * shared) for vector in vectors])
    tokens_in_use = sorted({*body_tokens})
    around = np.array(
        [
            direction(sum(min(body.count(token), MAX_COUNT) * vectors[at] for at, body in enumerate(bodies)))
            for token in tokens_in_use
        ]
    )
    around = np.array([direction(item) for item in around - around.mean(axis=0)])
    for token, towards in zip(tokens_in_use, around, strict=True):
        rows[token] = direction(direction(rows[token]) + MOVE * towards) * sqrt(float(rows[token] @ rows[token]))
    return chunks(), rows


def test_integer_vectors_agree_with_floats(monkeypatch: pytest.MonkeyPatch) -> None:
    """I4: with fine steps instead of coarse ones, and rows as long as bytes permit."""
    steps = {"_WEIGHT_STEPS": UNIT, "_MIN_WEIGHT": 1, "_MIN_TOKENS": 1, "_DIRECTION_STEPS": 1000, "SPREAD": 12.0}
    for name, value in steps.items():
        monkeypatch.setattr(embedding, name, value)
    model = topical(6, 8, dimensions=16)
    words = model.words
    passages = [
        Passage(words[at % 40], words[(7 * at) % 48], " ".join(words[(at * step) % 44] for step in range(1, 9)))
        for at in range(1, 33)  # 256 tokens: the total is not rounded
    ]
    site, (vectors, rows) = embed_site(passages, model), by_floats(passages, model)
    assert np.median(np.abs(floats(site.vectors) - vectors)) < 0.01
    assert (floats(site.vectors) * vectors).sum(axis=1).min() > 0.97, "chunks of short rows are less exact"
    scale = np.median(np.linalg.norm(site.rows.astype(float), axis=1) / np.linalg.norm(rows, axis=1))
    assert np.abs(site.rows - np.clip(rows * scale, -127, 127)).max() < 1


@pytest.mark.parametrize(("dimensions", "steps"), [(64, 16), (256, 32), (768, 55), (1024, 64)])
def test_common_directions_have_steps_of_half_their_typical_value(dimensions: int, steps: int) -> None:
    """B2: a small edit seldom changes them, in models of any size."""
    rng = np.random.default_rng(1)
    direction = unit((rng.normal(size=(1, dimensions)) * 1000).astype(np.int64))[0]
    rounded = _round_direction(direction)
    assert {*rounded.tolist()} <= {round(count * UNIT / steps) for count in range(-steps, steps + 1)}
    assert np.abs(rounded - direction).max() <= UNIT / steps / 2 + 0.5
    assert (_round_direction(direction + rng.integers(-1, 2, dimensions)) == rounded).mean() > 0.99


def test_rows_keep_their_largest_value() -> None:
    """I4: a chunk of words with short rows has a vector, and model rows of zeros do not change the scale."""
    rows = np.array([[1, 0, 0], [0, -2, 1], [9000, 0, 0], [0, 8000, 0], [0, 0, 9500]] + [[0, 0, 0]] * 9, np.intc)
    scaled = _scale_rows(rows).tolist()
    assert scaled[:2] == [[1, 0, 0], [0, -1, 0]]
    assert scaled[4] == [0, 0, 8]
    assert not any(map(any, scaled[5:]))
    site = embed_site([Passage("The", "", "The."), Passage("A", "", "a"), Passage("0", "", "0")] * 20, embedder("wordllama"))
    assert np.abs(site.vectors).max(axis=1).all()
    assert not _scale_rows(np.zeros((3, 2), np.intc)).any()


def test_rows_of_one_chunk_do_not_move() -> None:
    """I4: all its words have the same neighbours."""
    model = embedder("wordllama")
    text = [Passage("", "", "A vessel sails across the ocean")]
    tokens = [token for word in text[0].body.split() for token in model.tokenizer.tokenizer().encode(word)]
    rows, before = embed_site(text, model).rows[tokens].astype(float), model.rows[tokens]
    cosines = (rows * before).sum(axis=1) / np.linalg.norm(rows, axis=1) / np.linalg.norm(before, axis=1)
    assert np.median(cosines) > 0.97, "rows of common words are too short for that"


def test_tokens_of_distinct_texts_are_counted() -> None:
    """I4: in titles and headings, too."""
    assert embed_site(MESSAGES, MODEL).counts.tolist() == [5, 2, 2, 1, 0]
    assert embed_site([Passage("unused oven", "oven", "ship")] * 2, MODEL).counts.tolist() == [0, 1, 0, 2, 1]


def test_vectors_have_unit_length_or_are_zero() -> None:
    """I4."""
    site = embed_site(MESSAGES, MODEL)
    lengths = np.sqrt((site.vectors.astype(np.int64) ** 2).sum(axis=1))
    assert np.abs(lengths[:3] - UNIT).max() < 2
    assert site.vectors[3].tolist() == [0, 0, 0]


def equal(vectors: SiteVectors, other: SiteVectors) -> bool:
    first, second = ((site.vectors.tolist(), site.rows.tolist(), site.counts.tolist()) for site in (vectors, other))
    return first == second


def test_embedding_is_deterministic() -> None:
    """B1: and the model is not changed."""
    before = MODEL.rows.copy()
    assert equal(embed_site(MESSAGES, MODEL), embed_site(MESSAGES, MODEL))
    assert MODEL.rows.tolist() == before.tolist()


UNUSUAL_PASSAGES: dict[str, list[Passage]] = {
    "no words": [Passage("", "", "")] * 3,
    "unknown words": [Passage("zzz", "qqq", "nosuch words")],
    "one page": [Passage("sea", "", "ship")],
    "one word": [Passage("", "", "sea")],
    "the same page again": [Passage("sea", "ship", "bread oven")] * 50,
    "titles alone": [Passage("sea", "", ""), Passage("bread", "", "")],
    "emoji": [Passage("😀", "", "😀 😀")],
    "half a surrogate": [Passage("\ud800", "\x00", "sea \udfff")],
    "none": [],
}


@pytest.mark.parametrize("name", UNUSUAL_PASSAGES)
def test_unusual_sites_are_embedded(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """N9, I4, L3: each chunk has a vector of unit length or zero, in blocks of any size."""
    site = embed_site(UNUSUAL_PASSAGES[name], MODEL)
    assert site.vectors.shape == (len(UNUSUAL_PASSAGES[name]), 3)
    assert site.rows.shape == ROWS.shape
    lengths = np.sqrt((site.vectors.astype(np.int64) ** 2).sum(axis=1))
    assert all(length == 0 or abs(length - UNIT) < 2 for length in lengths)
    monkeypatch.setattr(exact, "BLOCK", 1)
    assert equal(site, embed_site(UNUSUAL_PASSAGES[name], MODEL))


def test_similar_sentences_have_near_vectors() -> None:
    """I4, L3: with WordLlama."""
    passages = [
        Passage("Boats", "", "A vessel sails across the ocean."),
        Passage("Ships", "", "The harbour is full of ferries."),
        Passage("Baking", "", "Knead the dough and put the loaf into the oven."),
        Passage("Cooking", "", "Mix flour with butter, and bake the pie."),
        Passage("Programs", "", "The compiler reports a syntax error."),
        Passage("Databases", "", "A query reads rows from a table."),
    ]
    vectors = floats(embed_site(passages, embedder("wordllama")).vectors)
    cosines = vectors @ vectors.T
    np.fill_diagonal(cosines, -1)
    assert cosines.argmax(axis=1).tolist() == [1, 0, 3, 2, 5, 4]

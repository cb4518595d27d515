"""The vocabulary (Q7): the words with a prefix, from the shards that can hold them."""

from collections import Counter
from pathlib import Path

import pytest
from ranvier.store import texts, words
from ranvier.store.texts import Texts
from ranvier_builder.write import vocabulary
from support.content import drive, generated
from support.stores import make_store, open_store

PAGES = generated(100)


@pytest.fixture(scope="module", params=[300, 24_000])
def base(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The generated store with shards of so many bytes."""
    folder = tmp_path_factory.mktemp("words")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(vocabulary, "SHARD", request.param)
        make_store(folder, PAGES)
    return folder / "base"


EXPECTED = Counter(
    word
    for item in PAGES
    for word in vocabulary.words_of(
        [item.page.neuron.title, *(text for c in item.chunks for text in (c.body, *c.headings))]
    ).split("\n")
)


@pytest.mark.parametrize("starts", [("b",), ("ba",), ("bano",), ("everywhere",), ("o", "z"), ("zzz",), ("!",), ("",), ()])
def test_words_of_a_prefix(base: Path, starts: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(words, "_CACHED", 10_000)
    with open_store(base) as reader:
        result, needs = drive(reader.snapshot.vocabulary.words(starts), reader.source)
        assert list(result.items()) == sorted((word, count) for word, count in EXPECTED.items() if word.startswith(starts))
        assert len(needs) <= 1, "one round"
        repeated, needs = drive(reader.snapshot.vocabulary.words(starts), reader.source)
        assert (repeated, needs) == (result, [])


def test_only_the_shards_that_can_hold_a_word_are_fetched(base: Path) -> None:
    with open_store(base) as reader:
        manifest = reader.snapshot.manifest
        _, needs = drive(reader.snapshot.vocabulary.words(["bano"]), reader.source)
        assert sum(len(need.files) for need in needs) == 1
        assert list(manifest.word_first) == sorted(set(manifest.word_first))


def test_evicted_word_shards_are_fetched_again(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(words, "_CACHED", 0)
    with open_store(base) as reader:
        single, _ = drive(reader.snapshot.vocabulary.words(["b", "z"]), reader.source)
        assert single
        assert drive(reader.snapshot.vocabulary.words(["b", "z"]), reader.source)[0] == single


def test_running_search_keeps_its_text_shards(large_store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(texts, "_CACHED", 1)
    with open_store(large_store) as reader:
        source_texts = Texts(reader.snapshot.manifest)
        single, _ = drive(source_texts.passages([1, 1600]), reader.source)
        assert [passage.chunk for passage in single.values()] == [1, 1600]
        assert single[1600].neuron.title == "Page 400"
        steps = source_texts.passages([1, 1600])
        need = next(steps)
        drive(source_texts.passages([800]), reader.source)
        with pytest.raises(StopIteration) as stop:
            steps.send({name: reader.source.read(name) for name in need.files})
        assert stop.value.value == single

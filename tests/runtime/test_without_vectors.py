"""Missing or damaged vectors (X1, X3): words answer with one notice and no error, and nothing is remembered."""

from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest
import ranvier
from ranvier import Library
from ranvier.legs.vector import VectorLeg
from support.damage import damage_files
from support.results import BY_MEANING, codes, legs, paths


@pytest.fixture
def library(semantic_site: Path) -> Iterator[Library]:
    with ranvier.open_snapshot(semantic_site) as library:
        yield library


def files_of(library: Library) -> dict[str, set[str]]:
    """Return the names of the vector files by their kind."""
    files, vectors = library.engine.snapshot.manifest.vectors, library.engine.snapshot.vectors
    assert files is not None
    assert vectors is not None
    head = library.run(vectors.head())
    lists = {"head": files.head, "tokens": files.tokens, "rows": head.rows, "shards": head.shards}
    return {kind: {list_.name(at) for at in range(len(list_.sizes))} for kind, list_ in lists.items()}


@pytest.mark.parametrize("damage", ["gone", "cut short"])
@pytest.mark.parametrize("kind", ["head", "tokens", "rows", "shards"])
@pytest.mark.parametrize("preset", ["default", "desktop", "brain", "vault"])
def test_missing_or_damaged_vectors_fall_back_to_words(
    library: Library, semantic_site: Path, kind: str, damage: str, preset: str
) -> None:
    """X1, X3: with one notice; when the file is back, vectors are used again."""
    query = "ship over the ocean"
    expected = library.search(query, preset=preset)
    words = library.search(query, preset=preset, strategy="bm25")
    names = files_of(library)[kind]
    with ranvier.open_snapshot(semantic_site) as fresh:
        with damage_files(names, damage):
            for _ in range(2):
                result = fresh.search(query, preset=preset)
                assert [code for code in codes(result) if code != "some-words"] == ["no-vectors"]
                assert (result.strategy, result.unsettled) == ("bm25", False)
                assert "vector" not in legs(result)
                assert paths(result)[:1] == ["sea.md"]
                if preset == "default":
                    assert result.hits == words.hits
                passages = fresh.retrieve(query, preset=preset)
                assert [notice.code for notice in passages.notices].count("no-vectors") == 1
                assert passages.chunks
        repeated = fresh.search(query, preset=preset)
        assert (repeated.hits, codes(repeated), repeated.strategy) == (expected.hits, codes(expected), "rag")


def test_damaged_vectors_do_not_affect_word_searches(library: Library, semantic_site: Path) -> None:
    """X1."""
    names = set.union(*files_of(library).values())
    with ranvier.open_snapshot(semantic_site) as fresh, damage_files(names, "gone"):
        assert codes(fresh.search("ship ocean")) == []
        assert codes(fresh.search(BY_MEANING, typing=True)) == []
        assert codes(fresh.search(BY_MEANING)) == ["no-vectors"]


@pytest.mark.parametrize("kind", ["head", "shards"])
def test_strategy_vector_falls_back_to_words(library: Library, semantic_site: Path, kind: str) -> None:
    """X1, Q3: with a notice."""
    names = files_of(library)[kind]
    with ranvier.open_snapshot(semantic_site) as fresh, damage_files(names, "gone"):
        result = fresh.search("ship", strategy="vector")
        assert (paths(result), codes(result), result.strategy) == (["sea.md"], ["no-vectors"], "bm25")


def test_exception_in_the_vector_leg_falls_back_to_words(library: Library) -> None:
    """X1."""
    with patch.object(VectorLeg, "probed", side_effect=ZeroDivisionError):
        result = library.search("ship over the ocean")
    assert (paths(result)[0], codes(result)) == ("sea.md", ["no-vectors"])

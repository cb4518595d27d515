"""Fallbacks ([004]): grep if the pipeline fails, an empty answer if grep fails, an error if a file is missing."""

import sqlite3
from collections.abc import Iterable
from contextlib import AbstractContextManager
from typing import Any
from unittest.mock import patch

import pytest
from conformance.sites import failing_queries, library_of, neuron, site_fixture, understood
from ranvier import FetchError, FormatError, Library
from ranvier.legs import Recall
from ranvier.legs.scan import scan
from ranvier.query.scope import ScopeFilter
from ranvier.store.snapshot import Steps
from ranvier.store.texts import Texts
from support.damage import damage_files
from support.results import paths

FILES = {
    "a/text.md": neuron("Alpha", "First line.\n\n## Part\n\nHere is the red needle.\n\n## Other\n\nA red needle again."),
    "b/red needle.md": neuron("Bravo", "Nothing of it."),
    "c/words.md": neuron("Candy", "A needle, and something red."),
    "d/none.md": neuron("Delta", "Nothing."),
    "e/cjk.md": neuron("Eagle", "これは日本語です。"),
    "needle/f.md": neuron("Fiver", "Nothing."),
}


site = site_fixture(FILES)


def broken_index() -> AbstractContextManager[list[str]]:
    """Let every full-text query fail."""
    return failing_queries(lambda sql: "MATCH" in sql, sqlite3.OperationalError("fts5: corrupt"))


@pytest.mark.parametrize(
    ("query", "results"),
    [
        # the query as it is, by path, then by text; then its words, by path, then by text
        ("red needle", ["b/red needle.md", "a/text.md", "needle/f.md", "c/words.md"]),
        ("Needle", ["b/red needle.md", "needle/f.md", "a/text.md", "c/words.md"]),
        ("eedl", ["b/red needle.md", "needle/f.md", "a/text.md", "c/words.md"]),
        ("日本", ["e/cjk.md"]),
        ("re", []),
        ("xyzzyplugh", []),
    ],
)
def test_failing_index_falls_back_to_grep(site: Library, query: str, results: list[str]) -> None:
    """X2, [004]: "grep with the original query; score by position (1 / (index + 1))", with a notice."""
    with broken_index() as failed:
        result = site.search(query, preset="vault")
    if query != "re":  # too short for grep: no leg recalls anything
        assert failed
        assert "scanned" in [notice.code for notice in result.notices]
    assert paths(result) == results
    assert [hit.score for hit in result.hits] == pytest.approx([1 / (at + 1) for at in range(len(results))], abs=1e-6)


@pytest.mark.parametrize("preset", ["vault", "default", "brain", "tasks", "desktop", "wiki"])
def test_every_preset_falls_back_to_grep(site: Library, preset: str) -> None:
    """X2."""
    with broken_index():
        result = site.search("needle", preset=preset, min_confidence=0)
    assert "a/text.md" in paths(result)
    assert [notice.code for notice in result.notices].count("scanned") == 1


def test_retrieve_falls_back_to_grep(site: Library) -> None:
    """X2, P2."""
    with broken_index():
        result = site.retrieve("red needle", preset="vault")
    assert "Here is the red needle." in [chunk.content for chunk in result.chunks]


def test_fallback_stays_in_the_scope(site: Library) -> None:
    """X2, S1, A5."""
    with broken_index():
        assert paths(site.search("needle", preset="vault", path="c")) == ["c/words.md"]


@pytest.mark.parametrize("error", [RuntimeError("broken"), FormatError("a shard of another format"), ValueError("x")])
def test_empty_answer_only_if_the_fallback_fails(site: Library, error: Exception) -> None:
    """X2, [004]: "return empty results only if fallback also fails"."""

    def passages(self: Texts, chunks: Iterable[int]) -> Steps[Any]:
        raise error
        yield

    with broken_index(), patch.object(Texts, "passages", passages):
        value = Recall(site.engine.snapshot, site.engine.texts, understood("needle", "vault"), ScopeFilter(), 200)
        assert site.run(scan(value, 200)).matches == ()


def missing_texts(library: Library) -> AbstractContextManager[list[str]]:
    """Let the library find no file of texts; the context gives the names that it read."""
    folder = library.source.base / "text"
    return damage_files({f"text/{file.name}" for file in folder.iterdir()}, "gone")


@pytest.mark.parametrize("preset", ["vault", "default", "brain", "tasks"])
def test_missing_text_file_is_an_error(preset: str) -> None:
    """X3: the next search fetches it again."""
    with library_of(FILES) as library:
        with missing_texts(library) as requested:
            for method in (library.search, library.retrieve):
                with pytest.raises(FetchError, match="gone"):
                    method("needle", preset=preset)
        assert len(requested) >= 2
        assert "a/text.md" in paths(library.search("needle", preset=preset))


def test_missing_file_is_an_error_in_the_fallback() -> None:
    """X2, X3."""
    with library_of(FILES) as library, broken_index(), missing_texts(library):
        with pytest.raises(FetchError, match="gone"):
            library.search("needle", preset="vault")

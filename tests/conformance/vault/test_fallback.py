"""When the pipeline fails, grep alone; when that fails, nothing; when a file is missing, an error ([004])."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import pytest
from conformance.sites import neuron, opened, paths, understood
from ranvier import FetchError, FormatError, IntegrityError, Library, RanvierError
from ranvier.legs import Recall
from ranvier.legs.scan import scan
from ranvier.query.scope import ScopeFilter
from ranvier.store.snapshot import Snapshot, Sought, Steps
from ranvier.store.source import FolderSource
from ranvier.store.texts import Texts

FILES = {
    "a/text.md": neuron("Alpha", "First line.\n\n## Part\n\nHere is the red needle.\n\n## Other\n\nA red needle again."),
    "b/red needle.md": neuron("Bravo", "Nothing of it."),
    "c/words.md": neuron("Candy", "A needle, and something red."),
    "d/none.md": neuron("Delta", "Nothing."),
    "e/cjk.md": neuron("Eagle", "これは日本語です。"),
    "needle/f.md": neuron("Fiver", "Nothing."),
}


@pytest.fixture(scope="module")
def site() -> Iterator[Library]:
    with opened(FILES) as library:
        yield library


@contextmanager
def broken_index() -> Iterator[list[str]]:
    """Let every full-text query fail."""
    plain, failed = Snapshot.query, list[str]()

    def query(
        self: Snapshot, sql: str, parameters: tuple[Any, ...] = (), sought: Iterable[Sought] = (), packs: Iterable[str] = ()
    ) -> Steps[list[Any]]:
        if "MATCH" in sql:
            failed.append(sql)
            raise sqlite3.OperationalError("fts5: corrupt")
        return (yield from plain(self, sql, parameters, sought, packs))

    with patch.object(Snapshot, "query", query):
        yield failed


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
def test_grep_only(site: Library, query: str, results: list[str]) -> None:
    """X2, [004]: "grep with the original query; score by position (1 / (index + 1))"; and the answer says so."""
    with broken_index() as failed:
        result = site.search(query, preset="vault")
    if query != "re":  # too short for grep: nothing is recalled, and nothing is asked of the index
        assert failed
        assert "scanned" in [notice.code for notice in result.notices]
    assert paths(result) == results
    assert [hit.score for hit in result.hits] == pytest.approx([1 / (at + 1) for at in range(len(results))], abs=1e-6)


@pytest.mark.parametrize("preset", ["vault", "default", "brain", "tasks", "desktop", "wiki"])
def test_every_preset_keeps_answering(site: Library, preset: str) -> None:
    """X2: whatever the preset is, an index that fails is no error to the user."""
    with broken_index():
        result = site.search("needle", preset=preset, min_confidence=0)
    assert "a/text.md" in paths(result)
    assert [notice.code for notice in result.notices].count("scanned") == 1


def test_passages_too(site: Library) -> None:
    """X2, P2: retrieval answers from the texts as well."""
    with broken_index():
        result = site.retrieve("red needle", preset="vault")
    assert "Here is the red needle." in [chunk.content for chunk in result.chunks]


def test_within_the_scope(site: Library) -> None:
    """X2, S1, A5: what is outside the scope is not read out by the fall-back either."""
    with broken_index():
        assert paths(site.search("needle", preset="vault", path="c")) == ["c/words.md"]


@pytest.mark.parametrize("error", [RuntimeError("broken"), FormatError("a shard of another format"), ValueError("x")])
def test_empty_only_if_that_fails_too(site: Library, error: Exception) -> None:
    """X2, [004]: "return empty results only if fallback also fails"."""

    def passages(self: Texts, chunks: Iterable[int]) -> Steps[Any]:
        raise error
        yield

    with broken_index(), patch.object(Texts, "passages", passages):
        value = Recall(site.engine.snapshot, site.engine.texts, understood("needle", "vault"), ScopeFilter(), 200)
        assert site.run(scan(value, 200)).matches == ()


@contextmanager
def missing(kind: str, error: RanvierError | None = None) -> Iterator[list[str]]:
    """Let files of a folder of the snapshot be gone, or cut short."""
    plain, request = FolderSource.read, list[str]()

    def read(self: FolderSource, name: str) -> bytes:
        if name.startswith(kind):
            request.append(name)
            if error is not None:
                raise error
            return plain(self, name)[:-1]
        return plain(self, name)

    with patch.object(FolderSource, "read", read):
        yield request


@pytest.mark.parametrize("preset", ["vault", "default", "brain", "tasks"])
def test_a_chunk_that_cannot_be_fetched_is_an_error(preset: str) -> None:
    """X3: never a shorter list; and nothing of it is remembered: the next search asks again, and has it."""
    with opened(FILES) as library:
        with missing("text/", FetchError("text/1", "gone")) as request:
            for door in (library.search, library.retrieve):
                with pytest.raises(FetchError, match="gone"):
                    door("needle", preset=preset)
        assert len(request) >= 2
        assert "a/text.md" in paths(library.search("needle", preset=preset))


def test_a_chunk_that_came_damaged_is_an_error() -> None:
    """X3, B2: so is one that is not what the manifest names."""
    with opened(FILES) as library:
        with missing("text/"), pytest.raises(IntegrityError):
            library.search("needle", preset="vault")
        assert "a/text.md" in paths(library.search("needle", preset="vault"))


def test_in_the_fallback_as_well() -> None:
    """X2, X3: the fall-back turns no missing file into an empty answer."""
    with opened(FILES) as library, broken_index(), missing("text/", FetchError("text/1", "gone")):
        with pytest.raises(FetchError, match="gone"):
            library.search("needle", preset="vault")


def test_a_pack_that_cannot_be_fetched_is_an_error() -> None:
    """X3: what a filter or a leg reads, too; the index is not at fault, so nothing falls back."""
    with opened(FILES) as library:
        with missing("packs/", FetchError("packs/1", "gone")), pytest.raises(FetchError, match="gone"):
            library.search("needle", preset="vault")
        assert "a/text.md" in paths(library.search("needle", preset="vault"))

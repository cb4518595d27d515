"""Passages for a language model (P2)."""

from __future__ import annotations

from pathlib import Path

import pytest
import ranvier
from ranvier import Library
from ranvier.present.retrieve import retrieve_result
from ranvier.rank.candidate import Candidate
from ranvier.requests import RetrieveRequest
from ranvier.store.texts import NeuronCard, Passage
from ranvier.types import Notice, RetrieveResult

CARD = NeuronCard("n1", "site_1", "a/b", "Title", "a/b/", "a/b.md", "page", [])


def passages(*bodies: str) -> tuple[list[Candidate], dict[int, Passage]]:
    ranked = [Candidate(at, 1, [at], score=1 - at / 1_000_000) for at in range(1, len(bodies) + 1)]
    return ranked, {at: Passage(at, CARD, f"s{at}", ("Part", f"S{at}"), body) for at, body in enumerate(bodies, 1)}


def admitted(
    ranked: list[Candidate], texts: dict[int, Passage], top_k: int, room: int, notices: tuple[Notice, ...] = ()
) -> RetrieveResult:
    """No filter names anything here, so the snapshot is not asked for any Neuron's chunks."""
    return retrieve_result(RetrieveRequest("x", top_k, room), notices, [], ranked, texts, None)  # type: ignore[arg-type]


def test_admitted_by_rank_while_they_fit() -> None:
    ranked, texts = passages("a" * 30, "b" * 50, "c" * 20, "d" * 10)
    result = admitted(ranked, texts, 10, 60)
    assert [chunk.content[0] for chunk in result.chunks] == ["a", "c", "d"], "the second does not fit, what follows does"
    assert (result.hit_count, result.total_chars) == (3, 60)


def test_not_one_character_more() -> None:
    ranked, texts = passages("a" * 30, "b" * 31)
    assert [admitted(ranked, texts, 9, room).total_chars for room in (30, 60, 61, 62)] == [30, 30, 61, 61]


def test_top_k() -> None:
    ranked, texts = passages("a", "b", "c")
    result = admitted(ranked, texts, 2, 60)
    assert [chunk.content for chunk in result.chunks] == ["a", "b"]
    assert result.hit_count == 2


@pytest.mark.parametrize(
    ("room", "content"),
    [(1, "…"), (2, "o…"), (4, "one…"), (5, "one…"), (6, "one t…"), (12, "one two thr…"), (13, "one two three")],
)
def test_a_single_top_chunk_that_is_too_long_is_cut(room: int, content: str) -> None:
    ranked, texts = passages("one two three")
    result = admitted(ranked, texts, 5, room)
    assert [chunk.content for chunk in result.chunks] == [content]
    assert result.total_chars == len(content) <= room


def test_empty_chunks_say_nothing() -> None:
    ranked, texts = passages("", "text")
    assert [chunk.content for chunk in admitted(ranked, texts, 5, 60).chunks] == ["text"]


def test_fields() -> None:
    """P2, C2: where each passage comes from."""
    ranked, texts = passages("text")
    notices = (Notice("clamped", "…"),)
    result = admitted(ranked, texts, 5, 60, notices)
    (chunk,) = result.chunks
    assert (chunk.document_id, chunk.seq_id, chunk.title, chunk.neuron_path) == ("n1", "site_1", "Title", "a/b.md")
    assert (chunk.url, chunk.anchor) == ("a/b/#s1", "s1")
    assert chunk.header_breadcrumb == "Title > Part > S1"
    assert chunk.rank == 0.999999
    assert result.notices == notices


def test_formatted_context() -> None:
    ranked, texts = passages("first", "second")
    assert admitted(ranked, texts, 5, 60).formatted_context == (
        "## Neuron 1 — Title\n\n*Title > Part > S1*\n\nfirst\n\n## Neuron 2 — Title\n\n*Title > Part > S2*\n\nsecond\n"
    )
    assert admitted([], {}, 5, 60).formatted_context == ""


def test_max_chars_is_a_hard_bound(large_store: Path) -> None:
    """P2: for every bound, the sum of the contents is within it, and it is the sum that is said."""
    with ranvier.open_snapshot(large_store) as library:
        for bound in (*range(1, 60), *range(60, 4000, 97), 100_000):
            for top_k in (1, 3, 100):
                result = library.retrieve("everywhere alpha3", top_k=top_k, max_chars=bound)
                total = sum(len(chunk.content) for chunk in result.chunks)
                assert total == result.total_chars <= bound
                assert 1 <= result.hit_count == len(result.chunks) <= top_k


def test_best_first(large_store: Path) -> None:
    with ranvier.open_snapshot(large_store) as library:
        ranks = [chunk.rank for chunk in library.retrieve("alpha3 bano", top_k=20, max_chars=50_000).chunks]
    assert ranks == sorted(ranks, reverse=True)


def test_no_markers_no_marks(library: Library) -> None:
    """A6: claim anchors never leave; what goes to a model is plain text."""
    result = library.retrieve("package machine conduction", max_chars=10_000)
    assert "Put the package on your machine" in result.formatted_context
    assert "{#claim" not in result.formatted_context
    assert "<mark>" not in result.formatted_context


def test_nothing_found(library: Library) -> None:
    result = library.retrieve("xyzzyplugh")
    assert (result.hit_count, result.total_chars, result.formatted_context, result.chunks) == (0, 0, "", ())
    assert library.retrieve("").hit_count == 0

"""Passages for a language model (P2)."""

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
    """No filter matches a page, so no chunks are read."""
    return retrieve_result(RetrieveRequest("x", top_k, room), notices, [], ranked, texts, None)  # type: ignore[arg-type]


def test_retrieve_skips_a_chunk_that_does_not_fit_and_goes_on() -> None:
    ranked, texts = passages("a" * 30, "b" * 50, "c" * 20, "d" * 10)
    result = admitted(ranked, texts, 10, 60)
    assert [chunk.content[0] for chunk in result.chunks] == ["a", "c", "d"]
    assert (result.hit_count, result.total_chars) == (3, 60)


def test_retrieve_skips_empty_chunks() -> None:
    ranked, texts = passages("", "text")
    assert [chunk.content for chunk in admitted(ranked, texts, 5, 60).chunks] == ["text"]


def test_fields_of_a_retrieved_chunk() -> None:
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


def test_formatted_context_has_no_claim_anchors_and_no_marks(library: Library) -> None:
    """A6: the context for a model is plain text."""
    result = library.retrieve("package machine conduction", max_chars=10_000)
    assert "Put the package on your machine" in result.formatted_context
    assert "{#claim" not in result.formatted_context
    assert "<mark>" not in result.formatted_context

"""Ranked chunks → context for a language model (P2, [000])."""

from __future__ import annotations

from ranvier.present.search import MICRO
from ranvier.store.texts import Passage
from ranvier.types import Notice, Ranked, RetrievedChunk, RetrieveResult

CANDIDATE_FACTOR = 3  # [000]: top_k × 3 candidates are looked at


def retrieve_result(
    ranked: list[Ranked], passages: dict[int, Passage], top_k: int, max_chars: int, notices: tuple[Notice, ...]
) -> RetrieveResult:
    """Admit chunks by rank while they fit; the very first one is cut with `…` where it alone is too long."""
    chunks: list[RetrievedChunk] = []
    left = max_chars
    for one in ranked:
        passage = passages[one.chunk]
        content = passage.body
        if not chunks and len(content) > left:
            content = content[: left - 1].rstrip() + "…"
        if content and len(content) <= left and len(chunks) < top_k:
            chunks.append(_chunk(passage, one, content))
            left -= len(content)
    return RetrieveResult(
        hit_count=len(chunks),
        total_chars=max_chars - left,
        formatted_context=formatted(chunks),
        chunks=tuple(chunks),
        notices=notices,
    )


def formatted(chunks: list[RetrievedChunk]) -> str:
    """Write chunks as Markdown that goes to a model as it is: `## Neuron 1 — Title`, breadcrumb, text."""
    parts = [
        f"## Neuron {number} — {chunk.title}\n\n*{chunk.header_breadcrumb}*\n\n{chunk.content}\n"
        for number, chunk in enumerate(chunks, 1)
    ]
    return "\n".join(parts)


def _chunk(passage: Passage, ranked: Ranked, content: str) -> RetrievedChunk:
    card = passage.neuron
    return RetrievedChunk(
        document_id=card.id,
        seq_id=card.seq_id,
        title=card.title,
        neuron_path=card.path,
        url=f"{card.url}#{passage.anchor}" if passage.anchor else card.url,
        anchor=passage.anchor,
        content=content,
        header_breadcrumb=passage.breadcrumb,
        rank=ranked.micro / MICRO,
    )

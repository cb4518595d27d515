"""Ranked chunks → context for a language model (P2, [000], [004])."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ranvier.rank.candidate import Candidate
from ranvier.requests import RetrieveRequest
from ranvier.store.snapshot import Snapshot
from ranvier.store.texts import Passage
from ranvier.types import Notice, RetrievedChunk, RetrieveResult

_KINDS = {"title": "a title named in the query", "tag": "a tag named in the query", "time": "the days named in the query"}


def retrieve_result(
    request: RetrieveRequest,
    notices: tuple[Notice, ...],
    filter_hits: Sequence[Candidate],
    ranked: Sequence[Candidate],
    passages: dict[int, Passage],
    snapshot: Snapshot,
) -> RetrieveResult:
    """Add the chunks of filter hits, then chunks by rank, while they fit; a first chunk that is too long is cut with `…`.

    `max_chars` is a hard bound on the sum of the contents. Citations are numbered from 1, filter hits first.
    """
    chunks: list[RetrievedChunk] = []
    remaining = request.max_chars
    for candidate, chunk in _in_order(filter_hits, ranked, snapshot):
        passage = passages[chunk]
        content = passage.body
        if not chunks and len(content) > remaining:
            content = content[: remaining - 1].rstrip() + "…"
        has_room = bool(candidate.match_type) or sum(not chunk.is_filter_result for chunk in chunks) < request.top_k
        if content and len(content) <= remaining and has_room:
            chunks.append(_chunk(passage, candidate, content, len(chunks) + 1))
            remaining -= len(content)
    return RetrieveResult(
        hit_count=len(chunks),
        total_chars=request.max_chars - remaining,
        formatted_context=format_chunks(chunks),
        chunks=tuple(chunks),
        notices=notices,
    )


def format_chunks(chunks: Sequence[RetrievedChunk]) -> str:
    """Write chunks as Markdown for a language model: `## Neuron 1 — Title`, breadcrumb, text.

    If there are both filter hits and search hits, each group has a heading ([004]).
    """
    has_groups = len({chunk.is_filter_result for chunk in chunks}) > 1
    parts, group = [], None
    for chunk in chunks:
        if has_groups and chunk.is_filter_result != group:
            group = chunk.is_filter_result
            parts.append("# Named by the query\n" if group else "# Found by the query\n")
        matched = f"\n\n*Matched: {_KINDS.get(chunk.match_type, 'a filter of the query')}*" if chunk.is_filter_result else ""
        head = f"## Neuron {chunk.citation} — {chunk.title}\n\n*{chunk.header_breadcrumb}*"
        parts.append(f"{head}{matched}\n\n{chunk.content}\n")
    return "\n".join(parts)


def _in_order(
    filter_hits: Sequence[Candidate], ranked: Sequence[Candidate], snapshot: Snapshot
) -> Iterator[tuple[Candidate, int]]:
    for candidate in filter_hits:
        yield from ((candidate, chunk) for chunk in snapshot.manifest.chunks_of(candidate.neuron))
    yield from ((candidate, candidate.key) for candidate in ranked)


def _chunk(passage: Passage, candidate: Candidate, content: str, citation: int) -> RetrievedChunk:
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
        rank=candidate.score,
        citation=citation,
        is_filter_result=bool(candidate.match_type),
        match_type=candidate.match_type,
    )

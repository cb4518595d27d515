"""Groups and passages → hits (P1)."""

from __future__ import annotations

from dataclasses import dataclass

from ranvier.present.highlight import Marker
from ranvier.rank.group import Group
from ranvier.store.texts import Passage
from ranvier.types import Hit, Ranked, SubResult

MICRO = 1_000_000
SUB_RESULTS = 3
CONSIDERED = 4  # chunks of a Neuron whose text is fetched; most lie in one shard


def considered(group: Group) -> tuple[Ranked, ...]:
    """Return the chunks of a group that its hit will show something of."""
    return group.chunks[:CONSIDERED]


@dataclass(frozen=True, slots=True)
class HitMaker:
    """Makes hits for one query."""

    marker: Marker
    passages: dict[int, Passage]

    def hit(self, group: Group, rank: int) -> Hit:
        """Make the hit of a Neuron; `rank` counts from 1."""
        best = self.passages[group.best.chunk]
        card = best.neuron
        field, highlight, snippet = self._field(best)
        return Hit(
            id=card.id,
            seq_id=card.seq_id,
            slug=card.slug,
            title=card.title,
            title_highlight=self.marker.mark(card.title),
            url=card.url,
            path=card.path,
            kind=card.kind,
            modality=card.modality,
            tags=tuple(card.tags),
            field=field,
            highlight=highlight,
            snippet=snippet,
            breadcrumb=best.breadcrumb,
            anchor=best.anchor,
            score=group.best.micro / MICRO,
            rank=rank,
            matched_in=("text",),
            coverage=group.best.coverage,
            sub_results=self._sub_results(group),
        )

    def _field(self, passage: Passage) -> tuple[str, str, str]:
        """Tell where most of the query's words are: (field, that field marked, the body's snippet)."""
        snippet = self.marker.snippet(passage.body)
        card = passage.neuron
        fields = (("title", card.title), ("heading", passage.heading), ("tags", " ".join(card.tags)))
        counts = [(name, plain, len(self.marker.found(plain))) for name, plain in fields]
        most = max(count for _, _, count in counts)
        if most and most >= len(self.marker.found(passage.body)):
            name, plain = next((name, plain) for name, plain, count in counts if count == most)
            return name, self.marker.mark(plain), snippet
        return "body", snippet, snippet

    def _sub_results(self, group: Group) -> tuple[SubResult, ...]:
        """Sections that hold a query word themselves, not only by their page's title; best first, one for each anchor."""
        found: dict[str, SubResult] = {}
        for ranked in considered(group):
            passage = self.passages[ranked.chunk]
            own = f"{passage.heading}\n{passage.body}"
            if passage.anchor and passage.anchor not in found and self.marker.found(own):
                found[passage.anchor] = self._sub_result(passage, ranked)
        return tuple(found.values())[:SUB_RESULTS]

    def _sub_result(self, passage: Passage, ranked: Ranked) -> SubResult:
        return SubResult(
            title=passage.heading,
            title_highlight=self.marker.mark(passage.heading),
            url=f"{passage.neuron.url}#{passage.anchor}",
            anchor=passage.anchor,
            breadcrumb=passage.breadcrumb,
            snippet=self.marker.snippet(passage.body),
            score=ranked.micro / MICRO,
        )

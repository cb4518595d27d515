"""The values that the core returns: frozen, slotted, defined once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

# Tiers: every word; every word, the last one as a prefix; some of the words; no word, but the meaning.
WHOLE, PREFIX, PARTIAL, BY_MEANING = 0, 1, 2, 3


Coverage = Literal["all", "some", "none"]
Level = Literal["high", "medium", "low", "noise"]
MatchedField = Literal["title", "alias", "heading", "tags", "body", "note"]
MatchType = Literal["", "title", "tag", "time", "filter"]
SnippetKind = Literal["prose", "code", "table"]
Strategy = Literal["bm25", "vector", "rag", "filter"]
IntentKind = Literal["keyword", "semantic"]
NameKind = Literal["title", "alias", "heading", "tag"]


class Need(NamedTuple):
    """The files that a search needs before it can continue: names relative to the base of the snapshot.

    All files of one `Need` can be fetched in parallel; the number of needs of a query is its number of round trips. `hints` are
    files that the next search may need: the caller may start to fetch them and does not wait for them.
    """

    files: tuple[str, ...]
    hints: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Notice:
    """A message to the reader about how the query was understood. `subject` is the word or filter that it is about."""

    code: str
    text: str
    subject: str = ""


class Match(NamedTuple):
    """One matching row: the number of a chunk or a Neuron. `micro` is its score in whole millionths, so that ties are exact."""

    row: int
    micro: int
    tier: int = WHOLE


@dataclass(frozen=True, slots=True)
class Ranking:
    """The ranking of a leg, best first. `chunks`: its rows are chunks. `truncated`: more rows may match than it looked at.

    `note_matches`: for a row whose match is in no chunk's text, that text and the piece of it to mark.
    """

    leg: str
    matches: tuple[Match, ...]
    chunks: bool
    weight: float = 1.0
    truncated: bool = False
    note_matches: Mapping[int, tuple[str, str]] = field(default_factory=dict)
    pieces: tuple[str, ...] = ()  # substrings to mark inside of words
    semantic: bool = False  # its scores are cosines, which do not compare with scores of words
    lead: float = 0.0  # additional weight of the nearest candidates


class FilterHit(NamedTuple):
    """A Neuron that a filter names, and the kind of the filter: title, tag, time or filter."""

    neuron: int
    match_type: MatchType


@dataclass(frozen=True, slots=True)
class Step:
    """The effect of one stage on a hit (P3): `authority`, ×0.9, and the score after it."""

    stage: str
    effect: str  # "+1", "×0.9", "=0.5": added, multiplied, set
    score: float
    reason: str = ""


@dataclass(frozen=True, slots=True)
class LegRank:
    """The rank of a hit in one leg, its raw score, and its share in fusion: weight / (k + rank)."""

    leg: str
    rank: int  # 1 is the best
    raw: float  # bm25 with its sign turned, cosine, or a count: higher is better
    rrf: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """The explanation of a hit's score (P3)."""

    legs: tuple[LegRank, ...]
    k: int  # of reciprocal rank fusion; 0 if it was not used
    base_score: float
    steps: tuple[Step, ...]
    final_score: float


@dataclass(frozen=True, slots=True)
class SubResult:
    """A section of a hit's page that matches by itself."""

    title: str
    title_highlight: str
    url: str
    anchor: str
    breadcrumb: str
    snippet: str
    score: float
    snippet_kind: SnippetKind


@dataclass(frozen=True, slots=True)
class Hit:
    """One Neuron that matches (P1). `title_highlight`, `highlight` and `snippet` are escaped; `<mark>` is their only tag."""

    id: str
    seq_id: str
    slug: str
    title: str
    title_highlight: str
    url: str
    path: str
    kind: str
    modality: str  # the source of the text: text, image, audio or pdf
    tags: tuple[str, ...]
    field: MatchedField  # the field with the best match
    highlight: str
    snippet: str
    breadcrumb: str
    anchor: str
    score: float  # nine decimals, higher is better
    rank: int  # 1 is the best
    confidence: float  # 0..1 (R6)
    level: Level  # of the confidence
    matched_in: tuple[str, ...]  # the legs that found it
    coverage: Coverage  # "all": every word of the query is in it; "some": only some are; "none": it is near in meaning
    sub_results: tuple[SubResult, ...]
    lang: str = ""
    updated: str = ""
    is_filter_result: bool = False  # a filter names it, so its score does not matter (L6)
    match_type: MatchType = ""  # the kind of filter that names it
    snippet_kind: SnippetKind = "prose"  # a snippet of code or of a table keeps its lines
    explain: Explanation | None = None


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The result of `search` (P1). `truncated`: a leg stopped at its candidate limit, so that more may match.

    `facets`: for each requested kind, values and their numbers of matching Neurons, largest first.

    `timing` is the caller's clock, not the core's: `{"total_ms": …}`, or empty.

    `unsettled`: semantic legs did not run because the reader is typing; without `typing` they run.
    """

    hits: tuple[Hit, ...]
    total_hits: int
    next_offset: int | None
    truncated: bool
    strategy: Strategy
    timing: dict[str, float] = field(default_factory=dict)
    notices: tuple[Notice, ...] = ()
    facets: dict[str, tuple[FacetCount, ...]] = field(default_factory=dict)
    intent: IntentKind = "keyword"  # Q2
    unsettled: bool = False


@dataclass(frozen=True, slots=True)
class FacetCount:
    """A value of a facet, and the number of matching Neurons with it."""

    value: str
    count: int


@dataclass(frozen=True, slots=True)
class RetrievedChunk:
    """A chunk for a language model (P2)."""

    document_id: str
    seq_id: str
    title: str
    neuron_path: str
    url: str
    anchor: str
    content: str
    header_breadcrumb: str
    rank: float  # its score: higher is better [000]
    citation: int  # its number in the context, from 1, filter hits first
    is_filter_result: bool
    match_type: MatchType


@dataclass(frozen=True, slots=True)
class RetrieveResult:
    """The result of `retrieve` (P2): `total_chars` is the sum of the chunks' contents and never above `max_chars`."""

    hit_count: int
    total_chars: int
    formatted_context: str
    chunks: tuple[RetrievedChunk, ...]
    timing: dict[str, float] = field(default_factory=dict)
    notices: tuple[Notice, ...] = ()


@dataclass(frozen=True, slots=True)
class Backlink:
    """A Neuron that links to another (S2)."""

    id: str
    title: str
    url: str
    path: str


def to_plain(value: Any, rename: Callable[[str], str] = str) -> Any:
    """Turn the values above into what `json` writes: `Hit(...)` → `{"id": …}`; fields that were not requested are left out.

    `rename` gives the name of each field.
    """
    names = getattr(value, "__dataclass_fields__", None)
    if names is not None:
        pairs = ((name, getattr(value, name)) for name in names)
        return {rename(name): to_plain(item, rename) for name, item in pairs if name not in _OPTIONAL or item}
    if isinstance(value, dict):
        return {rename(name): to_plain(item, rename) for name, item in value.items()}
    if isinstance(value, (tuple, list)):
        return [to_plain(item, rename) for item in value]
    return value


_OPTIONAL = frozenset(("explain", "facets"))

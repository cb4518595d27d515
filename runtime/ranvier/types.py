"""The values that cross a boundary: frozen, slotted, defined once."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ranvier.errors import RequestError

MAX_LIMIT = 100  # P4: results 1..100
DEFAULT_LIMIT = 30  # P4
WHOLE, BEGUN, SOME = 0, 1, 2  # tiers: every word itself; every word, or one that begins so; some of the words
CANDIDATES = 200  # P4: candidates 10..1000, default 200; chunks that a leg hands on


class Need(NamedTuple):
    """What a search must have before it can go on: names of files, relative to the snapshot's base.

    All of one `Need` can be fetched in parallel; the number of needs of a query is its number of round trips.
    """

    files: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """One search. `prefix` treats the last word as one that is still being typed."""

    query: str
    limit: int = DEFAULT_LIMIT
    offset: int = 0
    prefix: bool = False

    def __post_init__(self) -> None:
        """Refuse what cannot be meant; `limit` above 100 is brought down to it (P4)."""
        if not isinstance(self.query, str):
            raise RequestError("query must be a string")
        _whole("limit", self.limit, 1)
        _whole("offset", self.offset, 0)
        if not isinstance(self.prefix, bool):
            raise RequestError(f"prefix must be true or false, not {self.prefix!r}")
        object.__setattr__(self, "limit", min(self.limit, MAX_LIMIT))


@dataclass(frozen=True, slots=True)
class RetrieveRequest:
    """One retrieval for a language model. `max_chars` bounds the sum of the chunks' contents (P2)."""

    query: str
    top_k: int = 8
    max_chars: int = 4000

    def __post_init__(self) -> None:
        """Refuse what cannot be meant."""
        if not isinstance(self.query, str):
            raise RequestError("query must be a string")
        _whole("top_k", self.top_k, 1)
        _whole("max_chars", self.max_chars, 1)
        object.__setattr__(self, "top_k", min(self.top_k, MAX_LIMIT))


@dataclass(frozen=True, slots=True)
class Notice:
    """Something the reader should know about how the query was understood."""

    code: str
    text: str


@dataclass(frozen=True, slots=True)
class Ranked:
    """One chunk as a leg found it. `micro` is its score in millionths, a whole number so that ties are exact."""

    chunk: int
    micro: int
    tier: int  # see the constants below: a lower tier stands before a higher one, whatever the scores

    @property
    def coverage(self) -> str:
        """`"all"`: the query as it stands matches in this chunk; `"some"`: only some of its words are here."""
        return "some" if self.tier == SOME else "all"


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
    modality: str  # what the text was taken from: text, image, audio or pdf
    tags: tuple[str, ...]
    field: str  # where the words were found best: title, heading, tags or body
    highlight: str
    snippet: str
    breadcrumb: str
    anchor: str
    score: float  # bm25 of the best chunk, six decimals, higher is better
    rank: int  # 1 is the best
    matched_in: tuple[str, ...]
    coverage: str
    sub_results: tuple[SubResult, ...]


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What `search` answers (P1). `truncated`: a leg stopped at its candidate limit, so that more may match.

    `timing` is the caller's clock, not the core's: `{"total_ms": …}`, or empty.
    """

    hits: tuple[Hit, ...]
    total_hits: int
    next_offset: int | None
    truncated: bool
    strategy: str
    timing: dict[str, float] = field(default_factory=dict)
    notices: tuple[Notice, ...] = ()


@dataclass(frozen=True, slots=True)
class RetrievedChunk:
    """A chunk as a language model gets it (P2)."""

    document_id: str
    seq_id: str
    title: str
    neuron_path: str
    url: str
    anchor: str
    content: str
    header_breadcrumb: str
    rank: float


@dataclass(frozen=True, slots=True)
class RetrieveResult:
    """What `retrieve` answers (P2): `total_chars` is the sum of the chunks' contents and never above `max_chars`."""

    hit_count: int
    total_chars: int
    formatted_context: str
    chunks: tuple[RetrievedChunk, ...]
    timing: dict[str, float] = field(default_factory=dict)
    notices: tuple[Notice, ...] = ()


def to_plain(value: Any) -> Any:
    """Turn the values above into dicts and lists that `json` writes: `Hit(...)` → `{"id": …}`."""
    names = getattr(value, "__dataclass_fields__", None)
    if names is not None:
        return {name: to_plain(getattr(value, name)) for name in names}
    if isinstance(value, (tuple, list)):
        return [to_plain(item) for item in value]
    return value


def _whole(name: str, value: object, least: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise RequestError(f"{name} must be a whole number from {least}, not {value!r}")

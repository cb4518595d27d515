"""Requests: frozen values that validate their fields."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, TypeVar

from ranvier.errors import ForbiddenError, RequestError

T = TypeVar("T")

MAX_LIMIT = 100  # P4: results 1..100
MAX_OFFSET = 1_000_000_000  # more hits than any site has; sums with it are integers of SQLite
MAX_VALUE = 1000  # characters of a value of a scope; a longer one matches nothing
MAX_VALUES = 400  # of one option: SQLite refuses conditions that are too deep
MIN_CANDIDATES, MAX_CANDIDATES = 10, 1000  # P4
AUDIENCES = ("public", "tool", "curator")  # in rising order; the index of an audience is its level (A1)
STRATEGIES = ("auto", "rag", "bm25", "vector")  # Q3
MATCHES = ("auto", "substring", "text")  # Q4
SORTS = ("relevance", "title", "path", "created", "updated")
FACETS = ("tags", "kind", "folder", "lang", "modality", "role")


def well_formed(text: str) -> str:
    """Replace each lone surrogate by a question mark: no page has one, and SQLite rejects them."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def nearest(name: str, names: Iterable[str]) -> str:
    """Return a hint with the nearest valid name."""
    from ranvier.text.distance import distance  # only needed after a mistake

    candidates = sorted(names)
    closest = min(candidates, key=lambda candidate: (distance(name, candidate, len(name)), candidate), default="")
    is_close = distance(name, closest, len(name)) <= max(1, len(name) // 3)
    return f"; did you mean {closest!r}?" if is_close else f"; there are {', '.join(candidates)}"


def _check_integer(name: str, value: object, minimum: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or value < minimum:
        raise RequestError(f"{name} must be an integer of at least {minimum}, not {value!r}")


def _check_string(name: str, value: object) -> str:
    if not isinstance(value, str):
        raise RequestError(f"{name} must be a string, not {value!r}")
    return value


def _check_strings(name: str, value: Any) -> tuple[str, ...]:
    """Accept one string as a tuple of one."""
    values = (value,) if isinstance(value, str) else tuple(value) if isinstance(value, (list, tuple, set, frozenset)) else None
    if values is None or not all(isinstance(item, str) for item in values):
        raise RequestError(f"{name} must be a string or a list of strings, not {value!r}")
    if len(values) > MAX_VALUES:
        raise RequestError(f"{name} has more than {MAX_VALUES} values")
    return tuple(item[:MAX_VALUE] for item in values)


def _check_flag(name: str, value: object) -> None:
    if not isinstance(value, bool):
        raise RequestError(f"{name} must be true or false, not {value!r}")


def _check_share(value: object) -> None:
    if value is not None and (isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 1):
        raise RequestError(f"min_confidence must be a number from 0 to 1, not {value!r}")


def _check_choice(name: str, value: object, values: tuple[str, ...]) -> None:
    if value not in values:
        raise RequestError(f"{name} must be one of {', '.join(values)}, not {value!r}")


@dataclass(frozen=True, slots=True)
class Caller:
    """The caller of a search. `audience` limits the hits in a snapshot that has more than public pages (A1, A5)."""

    audience: str = "curator"  # a published site has only pages for its readers
    may_search: bool = True  # without this capability a search is an error [001]

    def __post_init__(self) -> None:
        """Raise `RequestError` for an unknown audience."""
        _check_choice("audience", self.audience, AUDIENCES)

    @property
    def level(self) -> int:
        """The level of the audience: 0 sees the least."""
        return AUDIENCES.index(self.audience)


@dataclass(frozen=True, slots=True)
class Scope:
    """The scope of a search (S1). An empty field does not narrow; several values of one field are alternatives.

    A value of `tags`, `role`, `kind`, `modality`, `lang` or `path` with a minus before it leaves these Neurons out;
    `/-inbox` is a folder or a tag whose name begins with a minus.
    """

    ancestor: str = ""  # id, path, slug or title of a Neuron: the Neuron and all below it, at any depth
    item: str = ""  # a single Neuron
    tags: tuple[str, ...] = ()  # a tag includes all tags below it: `project` includes `project/alpha`
    role: tuple[str, ...] = ()
    kind: tuple[str, ...] = ()
    modality: tuple[str, ...] = ()
    lang: tuple[str, ...] = ()
    path: tuple[str, ...] = ()  # a folder or a file; `*` matches anything
    titles: tuple[str, ...] = ()  # titles, aliases or file names, as in `[[Title]]`
    time: str = ""  # `FROM..TO`: days as YYYY-MM-DD, inclusive; one of the two may be missing

    def __post_init__(self) -> None:
        """Accept one string as a tuple of one; raise `RequestError` for other types."""
        for name in ("tags", "role", "kind", "modality", "lang", "path", "titles"):
            values = _check_strings(name, getattr(self, name))
            object.__setattr__(self, name, tuple(well_formed(item) for item in values if item))
        for name in ("ancestor", "item", "time"):
            object.__setattr__(self, name, well_formed(_check_string(name, getattr(self, name))))

    def __bool__(self) -> bool:
        """Tell whether anything is narrowed."""
        return any(getattr(self, name) for name in self.__dataclass_fields__)


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """One search. The preset decides fields that are `None` or empty."""

    query: str
    limit: int | None = None
    offset: int = 0
    prefix: bool = False  # the last word is still being typed
    typing: bool = False  # the reader is still typing: words answer at once, expensive legs wait for a pause
    preset: str = "default"
    strategy: str = "auto"  # Q3
    match: str = "auto"  # Q4
    scope: Scope = Scope()
    page_lang: str = ""  # language of the calling page, assumed for the query
    sort: str = "relevance"
    facets: tuple[str, ...] = ()  # fields to count over all matches
    candidates: int | None = None  # rows that each leg returns
    min_confidence: float | None = None  # R6
    return_all: bool = False  # P4: the largest number of hits
    exact: bool = False  # no spelling correction and no expansion
    explain: bool = False  # P3
    caller: Caller = Caller()

    def __post_init__(self) -> None:
        """Validate the fields; limits are clamped to their bounds (P4)."""
        object.__setattr__(self, "query", well_formed(_check_string("query", self.query)))
        _check_integer("offset", self.offset, 0)
        object.__setattr__(self, "offset", min(self.offset, MAX_OFFSET))
        for name in ("prefix", "typing", "return_all", "exact", "explain"):
            _check_flag(name, getattr(self, name))
        _check_choice("strategy", self.strategy, STRATEGIES)
        _check_choice("match", self.match, MATCHES)
        _check_choice("sort", self.sort, SORTS)
        object.__setattr__(self, "facets", _check_strings("facets", self.facets))
        for facet in self.facets:
            _check_choice("facets", facet, FACETS)
        if self.limit is not None:
            _check_integer("limit", self.limit, 1)
            object.__setattr__(self, "limit", min(self.limit, MAX_LIMIT))
        if self.candidates is not None:
            _check_integer("candidates", self.candidates, 1)
            object.__setattr__(self, "candidates", max(MIN_CANDIDATES, min(self.candidates, MAX_CANDIDATES)))
        _check_share(self.min_confidence)
        if not isinstance(self.caller, Caller) or not isinstance(self.scope, Scope):
            raise RequestError("caller or scope has the wrong type")
        for name in ("preset", "page_lang"):
            _check_string(name, getattr(self, name))
        if not self.caller.may_search:
            raise ForbiddenError("this caller may not search")


@dataclass(frozen=True, slots=True)
class RetrieveRequest:
    """One retrieval for a language model. `max_chars` bounds the sum of the chunks' contents (P2)."""

    query: str
    top_k: int = 8
    max_chars: int = 4000
    preset: str = "default"
    strategy: str = "auto"
    scope: Scope = Scope()
    page_lang: str = ""
    exact: bool = False
    caller: Caller = Caller()

    def __post_init__(self) -> None:
        """Validate the fields."""
        _check_integer("top_k", self.top_k, 1)
        _check_integer("max_chars", self.max_chars, 1)
        object.__setattr__(self, "top_k", min(self.top_k, MAX_LIMIT))
        self.search  # noqa: B018 (it validates the other fields)

    @property
    def search(self) -> SearchRequest:
        """The search request of this retrieval."""
        return SearchRequest(
            self.query,
            preset=self.preset,
            strategy=self.strategy,
            scope=self.scope,
            page_lang=self.page_lang,
            exact=self.exact,
            caller=self.caller,
        )


def parse_request(kind: type[T], query: Any, options: Mapping[str, Any]) -> T:
    """Make a request from options, including those of its scope; raise `RequestError` for an unknown option."""
    request_fields = {field.name for field in fields(kind)} - {"query", "scope"}  # type: ignore[arg-type]
    scope_fields = {field.name for field in fields(Scope)}
    for name in options:
        if name not in request_fields | scope_fields | {"scope"}:
            raise RequestError(f"there is no option {name!r}{nearest(name, request_fields | scope_fields)}")
    scope_values = {name: value for name, value in options.items() if name in scope_fields}
    rest = {name: value for name, value in options.items() if name not in scope_fields}
    if scope_values:
        rest["scope"] = replace(rest.get("scope", Scope()), **scope_values)
    return kind(query, **rest)  # type: ignore[call-arg]

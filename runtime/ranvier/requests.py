"""What can be asked: frozen values that refuse what cannot be meant."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from typing import Any, TypeVar

from ranvier.errors import ForbiddenError, RequestError

T = TypeVar("T")

MAX_LIMIT = 100  # P4: results 1..100
MAX_VALUE = 1000  # characters of a value of a scope; a longer one names nothing
MIN_CANDIDATES, MAX_CANDIDATES = 10, 1000  # P4
AUDIENCES = ("public", "tool", "curator")  # who sees least first; a place in this row is a level (A1)
STRATEGIES = ("auto", "rag", "bm25", "vector")  # Q3
MATCHES = ("auto", "substring", "text")  # Q4
SORTS = ("relevance", "title", "path", "created", "updated")
FACETS = ("tags", "kind", "folder", "lang", "modality", "role")


def well_formed(text: str) -> str:
    """Put a question mark for each half of a surrogate pair: no text of a page holds one, and SQLite takes none."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def nearest(name: str, names: Iterable[str]) -> str:
    """Say which name may have been meant."""
    from ranvier.text.distance import distance  # only who errs needs it

    candidates = sorted(names)
    near = min(candidates, key=lambda candidate: (distance(name, candidate, len(name)), candidate), default="")
    close = distance(name, near, len(name)) <= max(1, len(name) // 3)
    return f"; did you mean {near!r}?" if close else f"; there are {', '.join(candidates)}"


def _whole(name: str, value: object, least: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise RequestError(f"{name} must be a whole number from {least}, not {value!r}")


def _string(name: str, value: object) -> str:
    if not isinstance(value, str):
        raise RequestError(f"{name} must be a string, not {value!r}")
    return value


def _strings(name: str, value: Any) -> tuple[str, ...]:
    """Take one string for a row of one."""
    values = (value,) if isinstance(value, str) else tuple(value) if isinstance(value, (list, tuple, set, frozenset)) else None
    if values is None or not all(isinstance(item, str) for item in values):
        raise RequestError(f"{name} must be strings, not {value!r}")
    return tuple(item[:MAX_VALUE] for item in values)


def _flag(name: str, value: object) -> None:
    if not isinstance(value, bool):
        raise RequestError(f"{name} must be true or false, not {value!r}")


def _share(name: str, value: object) -> None:
    if value is not None and (isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 1):
        raise RequestError(f"{name} must be a number from 0 to 1, not {value!r}")


def _one_of(name: str, value: object, values: tuple[str, ...]) -> None:
    if value not in values:
        raise RequestError(f"{name} must be one of {', '.join(values)}, not {value!r}")


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks. `audience` bounds what is found in a snapshot that holds more than what is public (A1, A5)."""

    audience: str = "curator"  # of a published site everything was written for its readers
    may_search: bool = True  # the capability without which there is an error and no result [001]

    def __post_init__(self) -> None:
        """Refuse an audience that there is not."""
        _one_of("audience", self.audience, AUDIENCES)

    @property
    def level(self) -> int:
        """Where the audience stands: 0 sees the least."""
        return AUDIENCES.index(self.audience)


@dataclass(frozen=True, slots=True)
class Scope:
    """What a search is narrowed to (S1). An empty field does not narrow; of several values of one field, any will do."""

    ancestor: str = ""  # id, path, slug or title of a Neuron: it and all below it, at any depth
    item: str = ""  # one Neuron alone
    tags: tuple[str, ...] = ()  # a tag stands for all below it: `project` for `project/alpha`
    role: tuple[str, ...] = ()
    kind: tuple[str, ...] = ()
    modality: tuple[str, ...] = ()
    lang: tuple[str, ...] = ()
    path: tuple[str, ...] = ()  # a folder or a file; `*` stands for anything
    titles: tuple[str, ...] = ()  # titles, aliases or file names, as in `[[Title]]`
    time: str = ""  # `FROM..TO`: days as YYYY-MM-DD, both within; one of the two may be missing

    def __post_init__(self) -> None:
        """Take one string for a row of one; refuse what is neither."""
        for name in ("tags", "role", "kind", "modality", "lang", "path", "titles"):
            value: Any = getattr(self, name)
            values = _strings(name, value)
            object.__setattr__(self, name, tuple(well_formed(item) for item in values if item))
        for name in ("ancestor", "item", "time"):
            object.__setattr__(self, name, well_formed(_string(name, getattr(self, name))))

    def __bool__(self) -> bool:
        """Tell whether anything is narrowed."""
        return any(getattr(self, name) for name in self.__dataclass_fields__)


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """One search. What is `None` or empty is as the preset has it."""

    query: str
    limit: int | None = None
    offset: int = 0
    prefix: bool = False  # the last word is still being typed
    typing: bool = False  # the reader goes on typing: words answer at once, and what costs more waits for a pause
    preset: str = "default"
    strategy: str = "auto"  # Q3
    match: str = "auto"  # Q4
    scope: Scope = Scope()
    page_lang: str = ""  # of the page that asks: the query is taken to be in it
    sort: str = "relevance"
    facets: tuple[str, ...] = ()  # what to count over everything that matches
    candidates: int | None = None  # how many each leg hands on
    min_confidence: float | None = None  # R6
    return_all: bool = False  # P4: as many as there may be
    exact: bool = False  # the words as they are: no spelling is mended, nothing is expanded
    explain: bool = False  # P3
    caller: Caller = Caller()

    def __post_init__(self) -> None:
        """Refuse what cannot be meant; limits are brought within their bounds (P4)."""
        if not isinstance(self.query, str):
            raise RequestError("query must be a string")
        object.__setattr__(self, "query", well_formed(self.query))
        _whole("offset", self.offset, 0)
        for name in ("prefix", "typing", "return_all", "exact", "explain"):
            _flag(name, getattr(self, name))
        _one_of("strategy", self.strategy, STRATEGIES)
        _one_of("match", self.match, MATCHES)
        _one_of("sort", self.sort, SORTS)
        facets = _strings("facets", self.facets)
        for facet in facets:
            _one_of("facets", facet, FACETS)
        object.__setattr__(self, "facets", facets)
        if self.limit is not None:
            _whole("limit", self.limit, 1)
            object.__setattr__(self, "limit", min(self.limit, MAX_LIMIT))
        if self.candidates is not None:
            _whole("candidates", self.candidates, 1)
            object.__setattr__(self, "candidates", max(MIN_CANDIDATES, min(self.candidates, MAX_CANDIDATES)))
        _share("min_confidence", self.min_confidence)
        if not isinstance(self.caller, Caller) or not isinstance(self.scope, Scope):
            raise RequestError("caller or scope has the wrong type")
        for name in ("preset", "page_lang"):
            _string(name, getattr(self, name))
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
        """Refuse what cannot be meant."""
        _whole("top_k", self.top_k, 1)
        _whole("max_chars", self.max_chars, 1)
        object.__setattr__(self, "top_k", min(self.top_k, MAX_LIMIT))
        self.search  # noqa: B018 (it refuses what a search refuses)

    @property
    def search(self) -> SearchRequest:
        """The search behind it."""
        return SearchRequest(
            self.query,
            preset=self.preset,
            strategy=self.strategy,
            scope=self.scope,
            page_lang=self.page_lang,
            exact=self.exact,
            caller=self.caller,
        )


def parse_request(kind: type[T], query: Any, options: dict[str, Any]) -> T:
    """Make a request of options, those of its scope among them; raise `RequestError` for one that there is not."""
    options_known = {field.name for field in fields(kind)} - {"query", "scope"}  # type: ignore[arg-type]
    scope = {field.name for field in fields(Scope)}
    for name in options:
        if name not in options_known | scope | {"scope"}:
            raise RequestError(f"there is no option {name!r}{nearest(name, options_known | scope)}")
    within = {name: value for name, value in options.items() if name in scope}
    rest = {name: value for name, value in options.items() if name not in scope}
    if within:
        rest["scope"] = replace(rest.get("scope", Scope()), **within)
    return kind(query, **rest)  # type: ignore[call-arg]

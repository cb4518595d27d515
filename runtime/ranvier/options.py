"""The types of the options of `Library.search` and `Library.retrieve`. Nothing imports them when a search runs."""

from __future__ import annotations

from typing import Literal, TypedDict

from ranvier.requests import Caller, Scope

Strings = str | list[str] | tuple[str, ...] | set[str] | frozenset[str]
Facet = Literal["tags", "kind", "folder", "lang", "modality", "role"]


class ScopeOptions(TypedDict, total=False):
    """The fields of `Scope`."""

    ancestor: str
    item: str
    tags: Strings
    role: Strings
    kind: Strings
    modality: Strings
    lang: Strings
    path: Strings
    titles: Strings
    time: str


class SharedOptions(ScopeOptions, total=False):
    """The options of both requests."""

    preset: Literal["default", "wiki", "desktop", "brain", "tasks", "vault"]
    strategy: Literal["auto", "rag", "bm25", "vector"]
    page_lang: str
    exact: bool
    scope: Scope
    caller: Caller


class SearchOptions(SharedOptions, total=False):
    """The fields of `SearchRequest`."""

    limit: int | None
    offset: int
    prefix: bool
    typing: bool
    match: Literal["auto", "substring", "text"]
    sort: Literal["relevance", "title", "path", "created", "updated"]
    facets: Facet | list[Facet] | tuple[Facet, ...] | set[Facet] | frozenset[Facet]
    candidates: int | None
    min_confidence: float | None
    return_all: bool
    explain: bool


class RetrieveOptions(SharedOptions, total=False):
    """The fields of `RetrieveRequest`."""

    top_k: int
    max_chars: int

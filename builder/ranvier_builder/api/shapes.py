"""JSON of the API: the shapes of [000], in camel case, with the other fields of the core beside them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import fields
from typing import Any, get_args, get_type_hints

from ranvier import RetrieveRequest, SearchRequest
from ranvier.bridge import camel
from ranvier.errors import RequestError
from ranvier.requests import Scope, nearest, parse_request
from ranvier.types import SearchResult, to_plain

Request = type[SearchRequest] | type[RetrieveRequest]

_RESERVED = frozenset(("caller", "scope", "query"))  # not options: the token gives the caller, and the query has its own field
_TRUE, _FALSE = ("true", "1", "yes"), ("false", "0", "no")


def snake(name: str) -> str:
    """`maxChars` → `max_chars`."""
    return re.sub(r"[A-Z]", lambda letter: f"_{letter.group().lower()}", name)


def to_json(value: Any) -> Any:
    """Turn a value of the core into JSON with keys in camel case."""
    return to_plain(value, camel)


def documents(result: SearchResult) -> dict[str, Any]:
    """Return a search result in the shape of `GET /search` [000]: `documents`, whose `rank` is the score: higher is better."""
    plain = to_json(result)
    hits = plain.pop("hits")
    return {"documents": [_document(hit) for hit in hits], **plain}


def _document(hit: dict[str, Any]) -> dict[str, Any]:
    base, _, number = hit["seqId"].rpartition("_")
    fields = {
        "id": hit["id"],
        "knowledgeBaseId": base,
        "filename": hit["path"].rpartition("/")[2],
        "title": hit["title"],
        "path": hit["path"],
        "kind": hit["kind"],
        "seq": int(number, 16),
        "tags": ",".join(hit["tags"]),
        "highlight": hit["highlight"] or hit["snippet"],
        "rank": hit["score"],
    }
    return fields | {name: value for name, value in hit.items() if name not in (*fields, "score")}


def options_of(kind: Request) -> dict[str, Any]:
    """Return the types of a request's options, those of its scope included."""
    return {
        field.name: get_type_hints(owner)[field.name]
        for owner in (kind, Scope)
        for field in fields(owner)
        if field.name not in _RESERVED
    }


def from_query(kind: Request, pairs: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """Read options from the pairs of a query string; a name that occurs again adds a value to a list.

    Raises:
        RequestError: a value has the wrong type, or an option that takes one value has two.

    """
    types, options = options_of(kind), dict[str, Any]()
    for name, value in pairs:
        hint = types.get(snake(name))
        if get_args(hint) == (str, ...):
            options[name] = (*options.get(name, ()), value)
        elif name in options:
            raise RequestError(f"{name} has two values")
        else:
            options[name] = _value(name, value, hint)
    return options


def _value(name: str, value: str, kind: Any) -> Any:
    kinds = {*get_args(kind), kind}
    if bool in kinds and value.lower() in (*_TRUE, *_FALSE):
        return value.lower() in _TRUE
    if {int, float} & kinds:
        try:
            return int(value) if int in kinds else float(value)
        except ValueError:
            raise RequestError(f"{name} must be a number, not {value!r}") from None
    return value


def request_of(kind: Request, query: Any, options: Mapping[str, Any], caller: Any) -> Any:
    """Make the request of a caller. An error names an option as the caller wrote it, in camel case or as in Python.

    Raises:
        RequestError: an option does not exist, callers may not set it, it has two values, or its value is wrong.

    """
    names = {option: camel(option) for option in options_of(kind)}
    check_names((name for name in options if snake(name) not in names), names.values())
    written: dict[str, str] = {}
    for name in options:
        if written.setdefault(snake(name), name) != name:
            raise RequestError(f"{name} has two values")
    try:
        return parse_request(kind, query, {snake(name): value for name, value in options.items()} | {"caller": caller})
    except RequestError as error:
        option, blank, reason = str(error).partition(" ")  # a message begins with the name of its option
        raise RequestError(f"{written.get(option, option)}{blank}{reason}") from None


def check_names(names: Iterable[str], options: Collection[str]) -> None:
    """Raise `RequestError` for the first name that is not an option."""
    for name in names:
        if name not in options:
            raise RequestError(f"there is no option {name!r}{nearest(name, options)}")

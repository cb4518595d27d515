"""The OpenAPI document, made from the dataclasses of the core. `reference.py` shows it as a page."""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from importlib.metadata import version
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from ranvier import RetrieveRequest, SearchRequest
from ranvier.bridge import camel
from ranvier.requests import FACETS, MATCHES, MAX_CANDIDATES, MAX_LIMIT, MIN_CANDIDATES, SORTS, STRATEGIES, Scope
from ranvier.suggest import Suggestion
from ranvier.types import Backlink, Hit, Notice, RetrievedChunk, RetrieveResult, SearchResult

from ranvier_builder.api.shapes import Request, options_of

_TYPES: dict[Any, dict[str, Any]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
}
_CHOICES = {"strategy": STRATEGIES, "match": MATCHES, "sort": SORTS, "facets": FACETS}
_BOUNDS = {
    "limit": {"minimum": 1, "maximum": MAX_LIMIT},
    "candidates": {"minimum": MIN_CANDIDATES, "maximum": MAX_CANDIDATES},
    "max_chars": {"minimum": 1},
    "min_confidence": {"minimum": 0, "maximum": 1},
    "offset": {"minimum": 0},
    "top_k": {"minimum": 1, "maximum": MAX_LIMIT},
}
_DESCRIPTIONS = {
    "ancestor": "Only this page and all pages below it: an id, path, address or title",
    "candidates": "Rows that each leg returns",
    "exact": "No spelling correction, no synonyms, no search by meaning",
    "explain": "Add the parts of its score to each document",
    "facets": "Fields to count over all matches",
    "item": "Only this page: an id, path, address or title",
    "kind": "Only pages of one of these kinds",
    "lang": "Only pages in one of these languages",
    "limit": "Number of documents",
    "match": "text: words; substring: parts of words; auto: both",
    "max_chars": "Largest sum of the passages' characters",
    "min_confidence": "Leave out documents with a lower confidence",
    "modality": "Only text, image, audio or pdf",
    "offset": "Number of documents to skip",
    "page_lang": "Language of the calling page, assumed for the query",
    "path": "Only these folders or files; * matches anything",
    "prefix": "The last word is unfinished",
    "preset": "The ranking",
    "return_all": "The largest number of documents; with an empty query, every page",
    "role": "Only pages with one of these roles",
    "sort": "The order of the documents",
    "strategy": "bm25: words; vector: meaning; rag: both; auto: the query decides",
    "tags": "Only pages with one of these tags, or with a tag below it",
    "time": "Only days FROM..TO, as YYYY-MM-DD..YYYY-MM-DD",
    "titles": "Only pages with one of these titles, aliases or file names",
    "top_k": "Number of passages",
    "typing": "The reader is still typing: words only",
}
_QUERY = {"type": "string", "description": "Words and operators of the query"}
_ERRORS = {"400": "A wrong request", "401": "No valid token", "403": "The caller may not search", "503": "Try again later"}
_HEALTH = {"200": "It can", "503": "It cannot"}
SUGGESTED = 8  # suggestions, if a request names no limit
_DOCUMENT_FIELDS = {"knowledgeBaseId": str, "filename": str, "seq": int}  # fields of [000] that a hit does not have


def openapi(*, with_tokens: bool, with_chat: bool = False) -> dict[str, Any]:
    """Return the document; `with_tokens`: whether callers need one; `with_chat`: whether there is `/chat`."""
    item = _parameter("item", {"type": "string", "description": "An id, path, address or title"})
    q = _parameter("q", _QUERY)
    options = [_parameter(name, schema, required=False) for name, schema in _options(SearchRequest).items()]
    suggest_schemas = {"limit": _option("limit", int, SUGGESTED), "pageLang": _option("page_lang", str, "")}
    suggest_options = [_parameter(name, schema, required=False) for name, schema in suggest_schemas.items()]
    suggest_answer = _list_schema("suggestions", Suggestion)
    paths = {
        "/search": {"get": _get("Pages for a query, best first", _documents(), q, *options)},
        "/retrieve": {"post": _post("Passages for a language model", RetrieveRequest, _schema(RetrieveResult))},
        "/suggest": {"get": _get("Titles for an unfinished query", suggest_answer, q, *suggest_options)},
        "/backlinks": {"get": _get("Pages that link to a page", _list_schema("backlinks", Backlink), item)},
        "/health": {"get": _health()},
    }
    if with_chat:
        paths["/chat"] = {"post": _chat()}
    security: dict[str, Any] = {"security": [{"token": []}]} if with_tokens else {}
    schemes = {"securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}} if with_tokens else {}
    info = {"title": "Ranvier", "version": version("ranvier")}
    return {"openapi": "3.1.0", "info": info, "paths": paths, "components": schemes, **security}


def _get(summary: str, answer: dict[str, Any], *parameters: dict[str, Any]) -> dict[str, Any]:
    return _operation(summary, answer) | {"parameters": [*parameters]}


def _post(summary: str, kind: Request, answer: dict[str, Any]) -> dict[str, Any]:
    body = {
        "type": "object",
        "properties": {"query": _QUERY, **_options(kind)},
        "required": ["query"],
        "additionalProperties": False,
    }
    return _operation(summary, answer) | {"requestBody": {"required": True, "content": {"application/json": {"schema": body}}}}


def _health() -> dict[str, Any]:
    properties = {"status": {"type": "string", "enum": ["ok", "unavailable"]}, "pages": _TYPES[int], "message": _TYPES[str]}
    content = {"application/json": {"schema": {"type": "object", "properties": properties}}}
    responses = {status: {"description": text, "content": content} for status, text in _HEALTH.items()}
    return {"summary": "Whether the server can answer", "responses": responses, "security": []}


def _chat() -> dict[str, Any]:
    turn = {"type": "object", "properties": {"role": {"type": "string", "enum": ["user", "assistant"]}, "content": _TYPES[str]}}
    properties = {
        "answer": _TYPES[str],
        "citations": {"type": "array", "items": _schema(RetrievedChunk)},
        "hitCount": _TYPES[int],
        "notices": {"type": "array", "items": _schema(Notice)},
    }
    summary = "An answer from passages, by a language model"
    operation = _post(summary, RetrieveRequest, {"type": "object", "properties": properties})
    body = operation["requestBody"]["content"]["application/json"]["schema"]
    body["properties"] |= {"history": {"type": "array", "items": turn}, "stream": _TYPES[bool]}
    operation["responses"] |= {"502": {"description": "The model failed"}, "504": {"description": "The model was too slow"}}
    operation["responses"]["200"]["content"]["text/event-stream"] = {"schema": _TYPES[str]}
    return operation


def _operation(summary: str, answer: dict[str, Any]) -> dict[str, Any]:
    content = {"application/json": {"schema": answer}}
    responses = {"200": {"description": "The answer", "content": content}}
    return {"summary": summary, "responses": responses | {status: {"description": text} for status, text in _ERRORS.items()}}


def _parameter(name: str, schema: dict[str, Any], *, required: bool = True) -> dict[str, Any]:
    return {"name": name, "in": "query", "required": required, "schema": schema}


def _documents() -> dict[str, Any]:
    """Return the schema of `documents` in place of `hits`."""
    result = _schema(SearchResult)
    hit = _schema(Hit)["properties"]
    del result["properties"]["hits"], hit["score"]
    document = (
        hit | {"tags": _TYPES[str], "rank": _TYPES[float]} | {name: _TYPES[kind] for name, kind in _DOCUMENT_FIELDS.items()}
    )
    result["properties"]["documents"] = {"type": "array", "items": {"type": "object", "properties": document}}
    return result


def _list_schema(name: str, kind: type) -> dict[str, Any]:
    return {"type": "object", "properties": {name: {"type": "array", "items": _schema(kind)}}}


def _options(kind: Request) -> dict[str, dict[str, Any]]:
    """Return the schemas of a request's options by their names in camel case, sorted."""
    defaults = {field.name: field.default for owner in (kind, Scope) for field in fields(owner)}
    return {camel(name): _option(name, hint, defaults[name]) for name, hint in sorted(options_of(kind).items())}


def _option(name: str, hint: Any, default: Any) -> dict[str, Any]:
    schema = _schema(hint) | _BOUNDS.get(name, {}) | {"description": _DESCRIPTIONS[name]}
    if name in _CHOICES:
        (schema["items"] if "items" in schema else schema)["enum"] = list(_CHOICES[name])
    return schema if default in (MISSING, None, "", ()) else schema | {"default": default}


def _schema(hint: Any) -> dict[str, Any]:
    """Return the JSON Schema of a type of the core."""
    origin, arguments = get_origin(hint), get_args(hint)
    if hint in _TYPES:
        return dict(_TYPES[hint])
    if is_dataclass(hint):
        hints = get_type_hints(hint)
        return {"type": "object", "properties": {camel(field.name): _schema(hints[field.name]) for field in fields(hint)}}
    if origin is Literal:
        return {"type": "string", "enum": list(arguments)}
    if origin in (types.UnionType, Union):
        return _schema(next(kind for kind in arguments if kind is not type(None)))
    if origin is tuple:
        return {"type": "array", "items": _schema(arguments[0])}
    if origin in (dict, Mapping):
        return {"type": "object", "additionalProperties": _schema(arguments[1])}
    return {}

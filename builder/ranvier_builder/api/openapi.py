"""The OpenAPI document, made from the dataclasses of the core."""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from importlib.metadata import version
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from ranvier import RetrieveRequest, SearchRequest
from ranvier.requests import FACETS, MATCHES, SORTS, STRATEGIES
from ranvier.suggest import Suggestion
from ranvier.types import Backlink, Hit, Notice, RetrievedChunk, RetrieveResult, SearchResult

from ranvier_builder.api.shapes import Request, camel, options_of

_PLAIN: dict[Any, dict[str, Any]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
}
_CHOICES = {"strategy": STRATEGIES, "match": MATCHES, "sort": SORTS, "facets": FACETS}
_OF_DOCUMENTS = {"knowledgeBaseId": str, "filename": str, "seq": int}  # fields of [000] that a hit does not have


def openapi(*, with_tokens: bool, with_chat: bool = False) -> dict[str, Any]:
    """Return the document; `with_tokens`: whether callers need one; `with_chat`: whether there is `/chat`."""
    paths = {
        "/search": {"get": _get("Search", SearchRequest, _documents())},
        "/retrieve": {"post": _post("Passages for a language model", RetrieveRequest, _schema(RetrieveResult))},
        "/suggest": {
            "get": _operation("Titles for an unfinished query", _listed("suggestions", Suggestion)) | _ask("q", "limit")
        },
        "/backlinks": {"get": _operation("Pages that link to a page", _listed("backlinks", Backlink)) | _ask("item")},
        "/health": {"get": _operation("Whether the server can answer", {"type": "object"})},
    }
    if with_chat:
        paths["/chat"] = {"post": _chat()}
    security: dict[str, Any] = {"security": [{"token": []}]} if with_tokens else {}
    schemes = {"securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}} if with_tokens else {}
    info = {"title": "Ranvier", "version": version("ranvier")}
    return {"openapi": "3.1.0", "info": info, "paths": paths, "components": schemes, **security}


def _get(summary: str, kind: Request, answer: dict[str, Any]) -> dict[str, Any]:
    options = [
        {"name": camel(name), "in": "query", "schema": _option(name, hint)} for name, hint in sorted(options_of(kind).items())
    ]
    return _operation(summary, answer) | {"parameters": [*_ask("q")["parameters"], *options]}


def _post(summary: str, kind: Request, answer: dict[str, Any]) -> dict[str, Any]:
    properties = {"query": _PLAIN[str], **{camel(name): _option(name, hint) for name, hint in sorted(options_of(kind).items())}}
    body = {"type": "object", "properties": properties, "required": ["query"], "additionalProperties": False}
    return _operation(summary, answer) | {"requestBody": {"required": True, "content": {"application/json": {"schema": body}}}}


def _chat() -> dict[str, Any]:
    turn = {"type": "object", "properties": {"role": {"type": "string", "enum": ["user", "assistant"]}, "content": _PLAIN[str]}}
    properties = {
        "answer": _PLAIN[str],
        "citations": {"type": "array", "items": _schema(RetrievedChunk)},
        "hitCount": _PLAIN[int],
        "notices": {"type": "array", "items": _schema(Notice)},
    }
    summary = "An answer from passages, by a language model"
    operation = _post(summary, RetrieveRequest, {"type": "object", "properties": properties})
    body = operation["requestBody"]["content"]["application/json"]["schema"]
    body["properties"] |= {"history": {"type": "array", "items": turn}, "stream": _PLAIN[bool]}
    operation["responses"] |= {"502": {"description": "The model failed"}, "504": {"description": "The model was too slow"}}
    operation["responses"]["200"]["content"]["text/event-stream"] = {"schema": _PLAIN[str]}
    return operation


def _operation(summary: str, answer: dict[str, Any]) -> dict[str, Any]:
    content = {"application/json": {"schema": answer}}
    errors = {"400": "A wrong request", "401": "No valid token", "403": "The caller may not search", "503": "Try again later"}
    responses = {"200": {"description": "The answer", "content": content}}
    return {"summary": summary, "responses": responses | {status: {"description": text} for status, text in errors.items()}}


def _ask(*names: str) -> dict[str, Any]:
    return {"parameters": [{"name": name, "in": "query", "required": True, "schema": _PLAIN[str]} for name in names]}


def _documents() -> dict[str, Any]:
    """Return the schema of `documents` in place of `hits`."""
    result = _schema(SearchResult)
    hit = _schema(Hit)["properties"]
    del result["properties"]["hits"], hit["score"]
    document = hit | {"tags": _PLAIN[str], "rank": _PLAIN[float]} | {name: _PLAIN[kind] for name, kind in _OF_DOCUMENTS.items()}
    result["properties"]["documents"] = {"type": "array", "items": {"type": "object", "properties": document}}
    return result


def _listed(name: str, kind: type) -> dict[str, Any]:
    return {"type": "object", "properties": {name: {"type": "array", "items": _schema(kind)}}}


def _option(name: str, hint: Any) -> dict[str, Any]:
    schema = _schema(hint)
    if name in _CHOICES:
        (schema["items"] if "items" in schema else schema)["enum"] = list(_CHOICES[name])
    return schema


def _schema(hint: Any) -> dict[str, Any]:
    """Return the JSON Schema of a type of the core."""
    origin, inner = get_origin(hint), get_args(hint)
    if hint in _PLAIN:
        return dict(_PLAIN[hint])
    if is_dataclass(hint):
        hints = get_type_hints(hint)
        return {"type": "object", "properties": {camel(field.name): _schema(hints[field.name]) for field in fields(hint)}}
    if origin is Literal:
        return {"type": "string", "enum": list(inner)}
    if origin in (types.UnionType, Union):
        return _schema(next(kind for kind in inner if kind is not type(None)))
    if origin is tuple:
        return {"type": "array", "items": _schema(inner[0])}
    if origin in (dict, Mapping):
        return {"type": "object", "additionalProperties": _schema(inner[1])}
    return {}

"""The OpenAPI document as one HTML page: no scripts, nothing from a network, and forms that send a first request."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined, Template

# Tokens are sent in a header, which forms cannot do; without tokens a form needs only its own server.
POLICY = "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
_BOUNDS = {"minimum": "at least", "maximum": "at most"}


class _Field(NamedTuple):
    """A row of a table."""

    name: str
    kind: str
    is_required: bool
    description: str


class _Operation(NamedTuple):
    method: str
    path: str
    summary: str
    options: list[_Field]  # parameters of the query string, or keys of the body
    answer: list[_Field]
    statuses: dict[str, str]
    has_form: bool


def reference_page(document: Mapping[str, Any]) -> str:
    """Return the page of an OpenAPI document of `openapi`. All texts of the document are escaped."""
    operations = [
        _operation(method, path, operation, with_tokens="security" in document)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]
    return _template().render(info=document["info"], operations=operations, with_tokens="security" in document)


@cache
def _template() -> Template:
    loader = PackageLoader("ranvier_builder.api", "")
    environment = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    return environment.get_template("reference.html")


def _operation(method: str, path: str, operation: Mapping[str, Any], *, with_tokens: bool) -> _Operation:
    responses = operation["responses"]
    answer = responses["200"]["content"]["application/json"]["schema"]
    statuses = {status: response["description"] for status, response in responses.items()}
    has_form = method == "get" and (not with_tokens or operation.get("security") == [])
    return _Operation(method.upper(), path, operation["summary"], _inputs(operation), list(_fields(answer)), statuses, has_form)


def _inputs(operation: Mapping[str, Any]) -> list[_Field]:
    if "requestBody" in operation:
        return list(_fields(operation["requestBody"]["content"]["application/json"]["schema"]))
    return [_field(item["name"], item["schema"], item["required"]) for item in operation.get("parameters", ())]


def _fields(schema: Mapping[str, Any], prefix: str = "") -> Iterator[_Field]:
    """Yield the fields of an object, each followed by its own fields: `chunks`, `chunks[].text`."""
    for name, inner in schema.get("properties", {}).items():
        yield _field(prefix + name, inner, name in schema.get("required", ()))
        is_list = inner.get("type") == "array"
        yield from _fields(inner["items"] if is_list else inner, f"{prefix}{name}{'[].' if is_list else '.'}")


def _field(name: str, schema: Mapping[str, Any], is_required: bool) -> _Field:
    notes = [f"{words} {schema[key]}" for key, words in _BOUNDS.items() if key in schema]
    if "default" in schema:
        default = schema["default"]
        notes.append(f"default {str(default).lower() if isinstance(default, bool) else default}")
    description = schema.get("description", "")
    return _Field(name, _kind(schema), is_required, "; ".join(filter(None, [description, *notes])))


def _kind(schema: Mapping[str, Any]) -> str:
    if schema.get("type") == "array":
        return f"list of {_kind(schema['items'])}"
    return " | ".join(schema["enum"]) if "enum" in schema else str(schema.get("type", "any"))

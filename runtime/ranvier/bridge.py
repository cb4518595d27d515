"""The interface to the worker: strings and bytes in, JSON out. JavaScript names use camelCase (P4)."""

from __future__ import annotations

import json
import time
from collections.abc import Generator, Mapping
from functools import lru_cache
from typing import Any

from ranvier.engine import Engine
from ranvier.errors import RanvierError, RequestError
from ranvier.requests import RetrieveRequest, SearchRequest, parse_request
from ranvier.store.snapshot import PageFile
from ranvier.types import Need, to_plain

Running = Generator[Need, Mapping[str, bytes], Any]


@lru_cache(maxsize=1024)
def camel(name: str) -> str:
    """Turn a Python name into JavaScript's: `total_hits` → `totalHits`."""
    head, *rest = name.split("_")
    return head + "".join(part.capitalize() for part in rest)


def boot(names: list[str], buffers: list[Any], pages: PageFile) -> tuple[Bridge | None, str]:
    """Start an engine from the manifest and the hot pack; return it, or `None` and the error as JSON."""
    try:
        return Bridge(names, buffers, pages), ""
    except Exception as error:
        return None, _error(error)


class Bridge:
    """One engine and its running searches. The worker chooses a ticket for each.

    A search answers with JSON: `{"need": names, "hints": names}`, `{"done": result}` or `{"error": {"code", "message"}}`.
    """

    def __init__(self, names: list[str], buffers: list[Any], pages: PageFile) -> None:
        self.engine = Engine.open(_files(names, buffers), pages)
        self._running: dict[int, tuple[Running, float]] = {}

    def start(self, ticket: int, kind: str, request: str) -> str:
        """Begin a search or a retrieval; `request` is a JSON object with the fields of its request."""
        started = time.perf_counter()
        try:
            steps = self._steps(kind, json.loads(request))
        except Exception as error:
            return _error(error)
        self._running[ticket] = steps, started
        return self._advance(ticket, None)

    def feed(self, ticket: int, names: list[str], buffers: list[Any]) -> str:
        """Continue a search with the files that it needs."""
        return self._advance(ticket, _files(names, buffers))

    def take(self, names: list[str], buffers: list[Any]) -> None:
        """Accept files before a search needs them."""
        self.engine.snapshot.take(_files(names, buffers))

    def drop(self, ticket: int) -> None:
        """Abort a search."""
        self._running.pop(ticket, None)

    def _steps(self, kind: str, fields: dict[str, Any]) -> Running:
        if not isinstance(fields, dict):
            raise RequestError("a request must be an object")
        query = fields.pop("query", None)
        if kind == "backlinks":
            return self.engine.backlinks(str(query))
        if kind == "retrieve":
            return self.engine.retrieve(parse_request(RetrieveRequest, query, fields))
        return self.engine.search(parse_request(SearchRequest, query, fields))

    def _advance(self, ticket: int, files: dict[str, bytes] | None) -> str:
        steps, started = self._running[ticket]
        try:
            need = next(steps) if files is None else steps.send(files)
        except StopIteration as stop:
            self.drop(ticket)
            plain = to_plain(stop.value, camel)
            if isinstance(plain, dict):
                plain["timing"] = {"totalMs": round((time.perf_counter() - started) * 1000, 3)}
            return json.dumps({"done": plain})
        except Exception as error:
            self.drop(ticket)
            return _error(error)
        return json.dumps({"need": list(need.files), "hints": list(need.hints)})


def _files(names: list[str], buffers: list[Any]) -> dict[str, bytes]:
    return {name: bytes(buffer) for name, buffer in zip(names, buffers, strict=True)}


def _error(error: Exception) -> str:
    code = error.code if isinstance(error, RanvierError) else "internal"
    text = str(error) if isinstance(error, RanvierError) else f"{type(error).__name__}: {error}"
    return json.dumps({"error": {"code": code, "message": text}})

"""`/search`, `/retrieve`, `/backlinks`, `/suggest`, `/health`, `/openapi.json`, `/openapi.html` (V2), and `/chat` (V5)."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ranvier import Caller, Library, RanvierError, RetrieveRequest, SearchRequest
from ranvier.bridge import camel
from ranvier.errors import FetchError, ForbiddenError, FormatError, RequestError
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Match, Mount, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ranvier_builder.api.chat import Chat, ChatError, Complete, history_of
from ranvier_builder.api.engines import BusyError, EnginePool
from ranvier_builder.api.openapi import SUGGESTED, openapi
from ranvier_builder.api.reference import POLICY, reference_page
from ranvier_builder.api.shapes import check_names, documents, from_query, request_of, to_json
from ranvier_builder.api.tokens import Tokens
from ranvier_builder.serve.guard import Guard

MAX_BODY = 64 << 10  # bytes
MAX_QUERY = 16 << 10  # characters of a request's query string

_STATUS: dict[type[Exception], int] = {
    RequestError: 400,
    ForbiddenError: 403,
    BusyError: 503,
    FetchError: 503,
    FormatError: 503,
}
_HEADERS = {"cache-control": "no-store"}
Endpoint = Callable[[Request, Caller], Awaitable[Any]]


class _Route(Route):
    """A route that answers other methods with an error. Otherwise the site behind the API would answer them."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        match, child = super().matches(scope)
        return (Match.FULL if match == Match.PARTIAL else match), child


class Api:
    """The endpoints over a pool of engines."""

    def __init__(self, pool: EnginePool, tokens: Tokens, chat: Chat | None = None) -> None:
        self._pool = pool
        self._tokens = tokens
        self._chat = chat

    def routes(self) -> list[Route]:
        """Return the routes. `/search` with a slash at its end is a page of the site, and not the API."""
        return [
            _Route("/search", self._guarded(self._search)),
            _Route("/retrieve", self._guarded(self._retrieve), methods=["POST"]),
            _Route("/backlinks", self._guarded(self._backlinks)),
            _Route("/suggest", self._guarded(self._suggest)),
            _Route("/chat", self._guarded(self._answer), methods=["POST"]),
            _Route("/health", self._health),
            _Route("/openapi.json", self._openapi),
            _Route("/openapi.html", self._reference),
        ]

    def _guarded(self, endpoint: Endpoint) -> Callable[[Request], Awaitable[Response]]:
        """Require a token, and turn errors into answers with a `code` and a message."""

        async def respond(request: Request) -> Response:
            caller = self._tokens.caller(request.headers.get("authorization", ""))
            if caller is None:
                return _error(401, "unauthorized", "a valid bearer token is missing", {"www-authenticate": "Bearer"})
            request.state.audience = caller.audience
            try:
                if len(request.url.query) > MAX_QUERY:
                    raise RequestError("the query string is too long")
                answer = await endpoint(request, caller)
                return answer if isinstance(answer, Response) else JSONResponse(answer, headers=_HEADERS)
            except ChatError as error:
                return _error(error.status, error.code, str(error))
            except (RanvierError, BusyError) as error:
                status = next((status for kind, status in _STATUS.items() if isinstance(error, kind)), 500)
                return _error(status, getattr(error, "code", "busy"), str(error), {"retry-after": "1"} if status == 503 else {})

        return respond

    async def _search(self, request: Request, caller: Caller) -> Any:
        query, options = _query_and_options(request)
        search = request_of(SearchRequest, query, from_query(SearchRequest, options), caller)
        return documents(await self._pool.run(lambda library: library.timed(library.engine.search(search))))

    async def _retrieve(self, request: Request, caller: Caller) -> Any:
        body = await _body(request)
        query = body.pop("query", None)
        retrieval = request_of(RetrieveRequest, query, body, caller)
        return to_json(await self._pool.run(lambda library: library.timed(library.engine.retrieve(retrieval))))

    async def _answer(self, request: Request, caller: Caller) -> Any:
        if self._chat is None:
            raise ChatError(501, "this server has no chat; its operator can start it with --chat")
        # Scripts of other sites can send a form or plain text without permission, but no JSON.
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            raise HTTPException(415, "the body must be application/json")
        body = await _body(request)
        query, history, streams = body.pop("query", None), history_of(body.pop("history", None)), body.pop("stream", False)
        if not isinstance(streams, bool):
            raise RequestError("stream must be true or false")
        retrieval = request_of(RetrieveRequest, query, body, caller)
        result = await self._pool.run(lambda library: library.run(library.engine.retrieve(retrieval)))
        return self._chat.stream(query, result, history) if streams else await self._chat.answer(query, result, history)

    async def _backlinks(self, request: Request, caller: Caller) -> Any:
        SearchRequest("", caller=caller)  # raises `ForbiddenError` for a caller who may not search
        item, options = _query_and_options(request, "item")
        check_names((name for name, _ in options), ("item",))
        links = await self._pool.run(lambda library: library.backlinks(item, audience=caller.audience))
        return {"backlinks": to_json(links)}

    async def _suggest(self, request: Request, caller: Caller) -> Any:
        query, options = _query_and_options(request)
        names = ("limit", "pageLang", "q")
        check_names((name for name, _ in options if camel(name) not in names), names)
        named = from_query(SearchRequest, options)
        search = request_of(SearchRequest, query, {"limit": SUGGESTED, **named, "prefix": True, "typing": True}, caller)
        return {"suggestions": await self._pool.run(lambda library: suggestions(library, search))}

    async def _health(self, _: Request) -> JSONResponse:
        try:
            pages = await self._pool.run(lambda library: library.engine.snapshot.manifest.neuron_count)
        except (RanvierError, BusyError) as error:
            message = {} if self._tokens.callers else {"message": str(error)}  # it may name a folder of the machine
            return JSONResponse({"status": "unavailable", **message}, 503, headers=_HEADERS)
        # The number counts private pages, too, and this request needs no token.
        count = {} if self._tokens.callers else {"pages": pages}
        return JSONResponse({"status": "ok", **count}, headers=_HEADERS)

    async def _openapi(self, _: Request) -> JSONResponse:
        return JSONResponse(self._description())

    async def _reference(self, _: Request) -> HTMLResponse:
        return HTMLResponse(reference_page(self._description()), headers={"content-security-policy": POLICY})

    def _description(self) -> dict[str, Any]:
        return openapi(with_tokens=bool(self._tokens.callers), with_chat=self._chat is not None)


def suggestions(library: Library, search: SearchRequest) -> list[dict[str, Any]]:
    """Return titles that fit an unfinished query.

    Names are not filtered by audience. So a caller who may not see the whole site gets the titles of hits.
    """
    if search.caller == Caller():
        names = library.suggest(search.query, limit=search.limit or SUGGESTED, page_lang=search.page_lang)
        return [to_json(name) for name in names]
    hits = library.run(library.engine.search(search)).hits
    return [{"kind": "title", "text": [hit.title], "title": hit.title, "url": hit.url, "anchor": ""} for hit in hits]


def api_app(
    folder: Path,
    tokens: Tokens,
    site: ASGIApp | None = None,
    *,
    host: str = "127.0.0.1",
    threads: int = 4,
    timeout: float = 10.0,
    log_queries: bool = False,
    complete: Complete | None = None,
) -> Starlette:
    """Return an ASGI application with the API of a built site.

    Args:
        folder: the site.
        tokens: the callers; without tokens, everybody may search all pages of the build.
        site: an application for all other paths.
        host: the address that the server listens on. Without tokens, other host names are refused.
        threads: engines that answer side by side.
        timeout: seconds after which a request is given up.
        log_queries: whether the access log has the query strings.
        complete: the model of `POST /chat`; without it there is no chat.

    """
    pool = EnginePool(folder, threads, timeout)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        pool.close()

    middleware = [Middleware(AccessLog, queries=log_queries), *([] if tokens.callers else [Middleware(Guard, host=host)])]
    handlers = {HTTPException: _http_error}
    api = Api(pool, tokens, Chat(complete) if complete else None)
    routes: list[BaseRoute] = [*api.routes(), *([Mount("/", site)] if site is not None else [])]
    return Starlette(routes=routes, middleware=middleware, lifespan=lifespan, exception_handlers=handlers)


def _query_and_options(request: Request, required: str = "q") -> tuple[str, list[tuple[str, str]]]:
    pairs = request.query_params.multi_items()
    queries = [value for name, value in pairs if name == required]
    if len(queries) != 1:
        raise RequestError(f"{required} has two values" if queries else f"the parameter {required} is missing")
    return queries[0], [(name, value) for name, value in pairs if name != required]


async def _body(request: Request) -> dict[str, Any]:
    """Read a JSON object of at most `MAX_BODY` bytes, whatever the request says about its length."""
    data = bytearray()
    async for part in request.stream():
        data += part
        if len(data) > MAX_BODY:
            raise HTTPException(413, f"a body has at most {MAX_BODY} bytes")
    try:
        body = json.loads(data)
    except (ValueError, RecursionError):
        raise RequestError("the body is not JSON") from None
    if not isinstance(body, dict):
        raise RequestError("the body must be a JSON object")
    return body


def _error(status: int, code: str, message: str, headers: dict[str, str] | None = None) -> JSONResponse:
    return JSONResponse({"error": {"code": code, "message": message}}, status, headers={**_HEADERS, **(headers or {})})


async def _http_error(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    return _error(error.status_code, "http", error.detail, dict(error.headers or {}))


class AccessLog:
    """Writes time, method, path, status, milliseconds and audience of each request; no tokens, and no addresses of callers."""

    def __init__(self, app: ASGIApp, queries: bool = False) -> None:
        self._app = app
        self._queries = queries

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request, as an ASGI application."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started, status = time.perf_counter(), 500

        async def send_logged(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, send_logged)
        finally:
            self._write(scope, status, time.perf_counter() - started)

    def _write(self, scope: Scope, status: int, seconds: float) -> None:
        entry = {
            "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "method": scope["method"],
            "path": scope["path"],
            "status": status,
            "ms": round(seconds * 1000, 1),
            "audience": scope.get("state", {}).get("audience", ""),
        }
        if self._queries:
            entry["query"] = scope["query_string"].decode("latin-1")
        sys.stderr.write(json.dumps(entry) + "\n")

"""A server for agents: the Model Context Protocol over the same engines (V3). Needs the extra `ranvier[mcp]`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations
from pydantic import Field
from ranvier import Caller, Library, RanvierError, RetrieveRequest, SearchRequest, __version__
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from ranvier_builder.api.engines import BusyError, EnginePool
from ranvier_builder.api.pages import page_text
from ranvier_builder.api.shapes import documents, request_of, to_json
from ranvier_builder.api.tokens import Tokens
from ranvier_builder.serve.guard import Guard

_READ_ONLY = ToolAnnotations(read_only_hint=True, open_world_hint=False)
_INSTRUCTIONS = "Search first. Read a page for its whole text, or retrieve passages about a question. Cite pages by their url."

Query = Annotated[str, Field(description='Words, "phrases", -excluded words, tag:name or path:folder')]
Tags = Annotated[list[str] | None, Field(description="Only pages with one of these tags")]
Folders = Annotated[list[str] | None, Field(description="Only these folders or files")]
Item = Annotated[str, Field(description="A page, named by its id, path, address or title")]


class Tools:
    """The tools. `caller` returns the caller of a request by its `Authorization` header."""

    def __init__(self, pool: EnginePool, caller: Callable[[str], Caller | None]) -> None:
        self._pool = pool
        self._caller = caller

    async def search(
        self,
        context: Context[Any, Any],
        query: Query,
        limit: Annotated[int, Field(ge=1, le=100)] = 10,
        tags: Tags = None,
        path: Folders = None,
    ) -> dict[str, Any]:
        """Search the pages of the site, best first. Each document has a title, a url, a score and a snippet."""
        options = {"limit": limit, "tags": tags or (), "path": path or ()}
        request = self._request(context, SearchRequest, query, options)
        return documents(await self._run(lambda library: library.timed(library.engine.search(request))))

    async def retrieve(
        self,
        context: Context[Any, Any],
        query: Query,
        top_k: Annotated[int, Field(ge=1, le=100, description="Maximum number of passages")] = 8,
        max_chars: Annotated[int, Field(ge=1, description="Maximum number of characters of all passages together")] = 4000,
        tags: Tags = None,
        path: Folders = None,
    ) -> dict[str, Any]:
        """Return passages about a question. `formattedContext` has all of them as Markdown, with the titles of their pages."""
        options = {"top_k": top_k, "max_chars": max_chars, "tags": tags or (), "path": path or ()}
        request = self._request(context, RetrieveRequest, query, options)
        return to_json(await self._run(lambda library: library.timed(library.engine.retrieve(request))))  # type: ignore[no-any-return]

    async def backlinks(self, context: Context[Any, Any], page: Item) -> dict[str, Any]:
        """List the pages that link to a page."""
        caller = self._check_caller(context)
        links = await self._run(lambda library: library.backlinks(page, audience=caller.audience))
        return {"backlinks": to_json(links)}

    async def read_page(self, context: Context[Any, Any], page: Item) -> dict[str, Any]:
        """Read the whole text of a page, with its headings."""
        caller = self._check_caller(context)
        text: dict[str, Any] | None = await self._run(
            lambda library: library.run(page_text(library.engine, page, caller.level))
        )
        if text is None:
            raise ToolError(f"there is no page {page!r}; search for its title")
        return text

    async def _run(self, function: Callable[[Library], Any]) -> Any:
        try:
            return await self._pool.run(function)
        except (RanvierError, BusyError) as error:
            raise ToolError(str(error)) from error

    def _check_caller(self, context: Context[Any, Any]) -> Caller:
        caller: Caller = self._request(context, SearchRequest, "", {}).caller
        return caller

    def _request(self, context: Context[Any, Any], kind: Any, query: str, options: dict[str, Any]) -> Any:
        caller = self._caller((context.headers or {}).get("authorization", ""))
        if caller is None:
            raise ToolError("a valid bearer token is missing")
        try:
            return request_of(kind, query, options, caller)
        except RanvierError as error:
            raise ToolError(str(error)) from error


def mcp_server(pool: EnginePool, title: str, caller: Callable[[str], Caller | None]) -> MCPServer[Any]:
    """Return a server with the tools search, retrieve, backlinks and read_page.

    Args:
        pool: the engines.
        title: the site's title.
        caller: the caller of an `Authorization` header; `None` if it is not valid. Over stdio the header is empty.

    """
    tools = Tools(pool, caller)
    server: MCPServer[Any] = MCPServer(
        "ranvier", title=title, instructions=_INSTRUCTIONS, version=__version__, log_level="WARNING"
    )
    for tool in (tools.search, tools.retrieve, tools.backlinks, tools.read_page):
        server.add_tool(tool, annotations=_READ_ONLY)
    return server


def mcp_app(server: MCPServer[Any], tokens: Tokens, host: str) -> ASGIApp:
    """Return the server as an ASGI application at `/mcp`.

    With tokens, a request without a valid one gets 401, and every host name is accepted: a proxy may pass on its own. Without
    tokens, other host names are refused.
    """
    # The SDK checks host names and origins only on local addresses.
    checked_host = "0.0.0.0" if tokens.callers else host
    app: Starlette = server.streamable_http_app(host=checked_host, stateless_http=True, json_response=True)

    async def with_token(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and tokens.caller(Headers(scope=scope).get("authorization", "")) is None:
            error = {"error": {"code": "unauthorized", "message": "a valid bearer token is missing"}}
            await JSONResponse(error, 401, headers={"www-authenticate": "Bearer"})(scope, receive, send)
        else:
            await app(scope, receive, send)

    return with_token if tokens.callers else Guard(app, host)

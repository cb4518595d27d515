"""Static files with correct types, compression and caching: hashed names are cached for ever, other files are revalidated."""

from __future__ import annotations

import gzip
import mimetypes
import os
from functools import lru_cache
from pathlib import Path

from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from ranvier_builder.output import LAYERS, UNHASHED
from ranvier_builder.serve.guard import Guard
from ranvier_builder.serve.live import EVENTS, SCRIPT, TAG, Live

# Set here, because the tables of machines differ, and a module with a wrong type does not run.
_TYPES = {
    ".bin": "application/octet-stream",
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".json": "application/json",
    ".md": "text/markdown",
    ".mjs": "text/javascript",
    ".svg": "image/svg+xml",
    ".wasm": "application/wasm",
    ".xml": "application/xml",
}
# Our `.bin` files are compressed already.
_COMPRESSED = frozenset(".css .html .js .json .md .mjs .svg .txt .wasm .xml".split())
_UNHASHED = frozenset(f"_ranvier/{name}" for name in UNHASHED)
_LAYERS = f"_ranvier/{LAYERS}/"  # encrypted files, whose names depend on paths alone
_WELL_KNOWN = ".well-known"  # intended for requests (RFC 8615)
_LIVE = {"content-type": "text/html; charset=utf-8", "cache-control": "no-store"}
_FOREVER = "public, max-age=31536000, immutable"


class _Files(StaticFiles):
    """Starlette's static files; text is compressed."""

    def __init__(self, folder: Path, live: bool) -> None:
        super().__init__(directory=folder, html=True)
        self._folder = folder
        self._live = live

    def lookup_path(self, path: str) -> tuple[str, os.stat_result | None]:
        """Find a file, but not below a name with a leading dot: such files may be repositories, keys or editor files."""
        file, status = super().lookup_path(path)
        if status is None:
            return file, None
        names = Path(file).relative_to(self._folder.resolve()).parts
        below = names[1:] if names[:1] == (_WELL_KNOWN,) else names
        return ("", None) if any(name.startswith(".") for name in below) else (file, status)

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        if response.status_code in (200, 304):
            hashed = path.startswith("_ranvier/") and path not in _UNHASHED and not path.startswith(_LAYERS)
            response.headers["cache-control"] = _FOREVER if hashed else "no-cache"
        file = getattr(response, "path", None)
        if self._live and file is not None and Path(file).suffix == ".html" and scope["method"] == "GET":
            return Response(Path(file).read_bytes() + TAG, 404 if response.status_code == 404 else 200, _LIVE)
        if response.status_code not in (200, 404) or file is None or Path(file).suffix not in _COMPRESSED:
            return response
        response.headers["vary"] = "accept-encoding"
        if scope["method"] != "GET" or "gzip" not in Headers(scope=scope).get("accept-encoding", ""):
            return response
        data = _gzipped(Path(file), response.headers.get("etag", ""))
        headers = {key: value for key, value in response.headers.items() if key not in ("content-length", "accept-ranges")}
        return Response(data, response.status_code, headers | {"content-encoding": "gzip"})


@lru_cache(maxsize=4096)
def _gzipped(file: Path, tag: str) -> bytes:
    """Return a compressed file; `tag` changes with its content. The module of the engine takes half a second."""
    return gzip.compress(file.read_bytes(), 9, mtime=0)


def static_app(folder: Path, *, live: bool = False, host: str = "127.0.0.1") -> Starlette:
    """Return an ASGI application that serves a built site.

    Args:
        folder: the site; names with a leading dot are not served, except `.well-known` at the top.
        live: whether pages reload after a new build.
        host: the address that the server listens on; requests for other host names are refused.

    """
    for ending, kind in _TYPES.items():
        mimetypes.add_type(kind, ending)
    routes: list[BaseRoute] = [Mount("/", _Files(folder, live))]
    if live:
        answers = Live(folder)
        routes[:0] = [Route(EVENTS, answers.events), Route(SCRIPT, answers.script)]
    return Starlette(routes=routes, middleware=[Middleware(Guard, host=host)])

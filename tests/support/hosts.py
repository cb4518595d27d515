"""Static hosts that differ in content types, compression, caching and missing files."""

import gzip
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from starlette.types import ASGIApp, Message, Receive, Scope, Send

_Response = tuple[int, dict[str, str], bytes]


@dataclass
class Host:
    """A host that changes the responses of a site."""

    types: Mapping[str, str] = field(default_factory=dict)  # by file ending; "" omits the header
    compresses: str = "some"  # "some" as usual, "nothing", or "everything"
    headers: Mapping[str, str] = field(default_factory=dict)  # added, or replaced
    no_cache_headers: bool = False  # no validators and no cache headers
    caches_forever: bool = False  # repeats the first response, in spite of cache headers and variants
    fallback: str = ""  # the page that is sent with status 200 instead of a missing file
    stale: dict[str, bytes] = field(default_factory=dict)  # outdated files of a cache, by path
    header_names: set[str] = field(default_factory=set)  # the names of all request headers
    _cached: dict[str, _Response] = field(default_factory=dict)
    _site: ASGIApp | None = None

    def wrap(self, site: ASGIApp) -> ASGIApp:
        """Return the host with a site behind it."""
        self._site = site
        return self

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.header_names |= {name.decode().lower() for name, _ in scope["headers"]}
        path: str = scope["path"]
        response = self._cached.get(path) or await self._get(scope, path, receive)
        if self.caches_forever and response[0] == 200:
            self._cached[path] = response
        status, headers, body = response
        pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
        await send({"type": "http.response.start", "status": status, "headers": pairs})
        await send({"type": "http.response.body", "body": body})

    async def _get(self, scope: Scope, path: str, receive: Receive) -> _Response:
        if path in self.stale:
            return 200, {"content-type": "application/json"}, self.stale[path]
        status, headers, body = await self._fetch(self._whole_file(scope, path), receive)
        if status == 404 and self.fallback:
            status, headers, body = await self._fetch(self._whole_file(scope, self.fallback), receive)
        ending = PurePosixPath(path).suffix
        if ending in self.types:
            headers.pop("content-type", None)
            headers |= {"content-type": self.types[ending]} if self.types[ending] else {}
        if self.compresses == "everything" and status == 200 and "content-encoding" not in headers:
            body = gzip.compress(body, mtime=0)
            headers |= {"content-encoding": "gzip", "content-length": str(len(body))}
        if self.no_cache_headers:
            headers = {
                name: value for name, value in headers.items() if not name.startswith(("etag", "last-mod", "cache", "acc"))
            }
        return status, headers | dict(self.headers), body

    def _whole_file(self, scope: Scope, path: str) -> Scope:
        """Return the request without range and validators, and with compression only if this host compresses."""
        excluded = (
            b"range",
            b"if-none-match",
            b"if-modified-since",
            *([] if self.compresses == "some" else [b"accept-encoding"]),
        )
        headers = [pair for pair in scope["headers"] if pair[0].lower() not in excluded]
        return {**scope, "path": path, "raw_path": path.encode(), "headers": headers}

    async def _fetch(self, scope: Scope, receive: Receive) -> _Response:
        status, headers, body = 500, dict[str, str](), b""

        async def take(message: Message) -> None:
            nonlocal status, headers, body
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = {name.decode().lower(): value.decode() for name, value in message["headers"]}
            body += message.get("body", b"")

        assert self._site is not None
        await self._site(scope, receive, take)
        return status, headers, body

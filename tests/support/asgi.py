"""A client for ASGI applications, without a socket."""

import asyncio
import json
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Client:
    """Calls an ASGI application without a socket. `path` goes in as a server would have decoded it."""

    def __init__(self, app: Any) -> None:
        self.app = app

    def get(self, path: str, method: str = "GET", query: str = "", body: bytes = b"", **headers: str) -> Answer:
        return asyncio.run(self._get(path, method, query, body, headers))

    async def _get(self, path: str, method: str, query: str, body: bytes, headers: dict[str, str]) -> Answer:
        headers = {"host": "127.0.0.1:8000", **headers}
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "path": path,
            "raw_path": path.encode(),
            "root_path": "",
            "query_string": query.encode(),
            "scheme": "http",
            "server": ("127.0.0.1", 8000),
            "client": ("127.0.0.1", 9),
            "headers": [(key.replace("_", "-").encode(), value.encode()) for key, value in headers.items()],
        }
        messages: list[dict[str, Any]] = []

        parts = iter([{"type": "http.request", "body": body, "more_body": False}])

        async def receive() -> dict[str, Any]:
            request = next(parts, None)
            if request is None:
                await asyncio.Event().wait()  # the client keeps the connection open
                raise AssertionError
            return request

        async def send(message: Any) -> None:
            messages.append(message)

        await self.app(scope, receive, send)
        start = messages[0]
        fields = {key.decode(): value.decode() for key, value in start["headers"]}
        return Answer(start["status"], fields, b"".join(message.get("body", b"") for message in messages[1:]))

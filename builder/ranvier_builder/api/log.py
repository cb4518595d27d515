"""The access log: one JSON object a line, on standard error, without queries unless the operator wants them."""

from __future__ import annotations

import json
import sys
import time
from datetime import UTC, datetime

from starlette.types import ASGIApp, Message, Receive, Scope, Send


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

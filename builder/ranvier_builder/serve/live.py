"""Live reload: a page of a served site reloads after a build has replaced the site."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from ranvier_builder.paths import file_version

EVENTS = "/_ranvier-live"
SCRIPT = "/_ranvier-live.js"
TAG = f'<script type="module" src="{SCRIPT}"></script>'.encode()

# An event means a new site; the first event identifies the site of the page. Browsers reconnect a broken stream.
_CODE = f"""let seen;
new EventSource("{EVENTS}").onmessage = (event) => {{
  if (seen !== undefined && seen !== event.data) location.reload();
  seen = event.data;
}};
"""
_POLL_SECONDS = 0.3  # seconds
_KEEP_ALIVE_CHECKS = 50  # checks without a change, after which a comment keeps the connection open


class Live:
    """The two responses for the live reload of a site."""

    def __init__(self, folder: Path) -> None:
        self._entry = folder / "_ranvier" / "entry.json"

    async def script(self, _: Request) -> Response:
        """Respond with the script of served pages."""
        return Response(_CODE, media_type="text/javascript", headers={"cache-control": "no-cache"})

    async def events(self, request: Request) -> Response:
        """Respond with a stream of server-sent events, one for each change of the entry file."""
        return StreamingResponse(self._changes(request), media_type="text/event-stream", headers={"cache-control": "no-store"})

    async def _changes(self, request: Request) -> AsyncIterator[str]:
        version, idle_checks = "", 0
        while not await request.is_disconnected():
            # the file is missing for a moment while the site is replaced
            current = "-".join(map(str, file_version(self._entry))) or version
            if current != version:
                version, idle_checks = current, 0
                yield f"data: {current}\n\n"
            idle_checks += 1
            if idle_checks >= _KEEP_ALIVE_CHECKS:
                idle_checks = 0
                yield ": still here\n\n"
            await asyncio.sleep(_POLL_SECONDS)

"""Live reload: a page of a served site loads itself again when a build has swapped in a new one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

EVENTS = "/_ranvier-live"
SCRIPT = "/_ranvier-live.js"
TAG = f'<script type="module" src="{SCRIPT}"></script>'.encode()

# An event means: another site now. The first one tells which site the page has seen; a broken stream is the browser's to mend.
_CODE = f"""let seen;
new EventSource("{EVENTS}").onmessage = (event) => {{
  if (seen !== undefined && seen !== event.data) location.reload();
  seen = event.data;
}};
"""
_EVERY = 0.3  # seconds
_KEEP_ALIVE = 50  # looks without news, after which a comment holds the connection open


class Live:
    """The two answers that live reload needs, for one site."""

    def __init__(self, folder: Path) -> None:
        self._entry = folder / "_ranvier" / "entry.json"

    async def script(self, _: Request) -> Response:
        """Answer with the code that a served page runs."""
        return Response(_CODE, media_type="text/javascript", headers={"cache-control": "no-cache"})

    async def events(self, request: Request) -> Response:
        """Answer with a stream of server-sent events, one whenever the entry file is another."""
        return StreamingResponse(self._changes(request), media_type="text/event-stream", headers={"cache-control": "no-store"})

    async def _changes(self, request: Request) -> AsyncIterator[str]:
        version, quiet = "", 0
        while not await request.is_disconnected():
            now = self._version() or version  # between two sites there is none for a moment
            if now != version:
                version, quiet = now, 0
                yield f"data: {now}\n\n"
            quiet += 1
            if quiet >= _KEEP_ALIVE:
                quiet = 0
                yield ": still here\n\n"
            await asyncio.sleep(_EVERY)

    def _version(self) -> str:
        try:
            seen = self._entry.stat()
        except OSError:
            return ""
        return f"{seen.st_mtime_ns}-{seen.st_ino}-{seen.st_size}"

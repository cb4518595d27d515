"""What stands before every answer: who may ask, and a header that every answer carries."""

from __future__ import annotations

import ipaddress
import socket
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_HERE = ("localhost", "127.0.0.1", "::1")
_ANY = ("", "0.0.0.0", "::")  # addresses that mean all of a machine's


class Guard:
    """Answers only to the names of this machine, and lets no browser guess a type.

    A page of another site can have its own host's name lead to this machine (DNS rebinding) and would then read everything
    that is served here. Browsers say in `Host` which name they asked for. The port is not compared: it may be forwarded.
    """

    def __init__(self, app: ASGIApp, host: str = "127.0.0.1") -> None:
        self._app = app
        self._is_any = host in _ANY
        self._names = {*_HERE, host.lower()} | ({socket.gethostname().lower()} if self._is_any else set())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, as ASGI has it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)["x-content-type-options"] = "nosniff"
            await send(message)

        app = self._app if self._is_ours(Headers(scope=scope).get("host", "")) else _MISDIRECTED
        await app(scope, receive, send_guarded)

    def _is_ours(self, host: str) -> bool:
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        return name in self._names or (self._is_any and _is_address(name))


_MISDIRECTED = PlainTextResponse(
    "This server does not answer to that host name. Open the address that ranvier serve printed, or name it with --host.\n", 421
)


def _is_address(name: str) -> bool:
    """Tell whether a host is named by its number, which nobody can have lead elsewhere."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True

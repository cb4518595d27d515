"""Middleware for all responses: a check of the host name, and a security header."""

from __future__ import annotations

import ipaddress
import socket
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_LOCAL_NAMES = ("localhost", "127.0.0.1", "::1")
_ANY = ("", "0.0.0.0", "::")  # mean all addresses of a machine


class Guard:
    """Accepts only host names of this machine, and forbids browsers to guess types.

    Another site can point its host name to this machine (DNS rebinding), and its pages could then read all served files.
    Browsers send the requested name in `Host`. The port is not compared, because it may be forwarded.
    """

    def __init__(self, app: ASGIApp, host: str = "127.0.0.1") -> None:
        self._app = app
        self._is_any = host in _ANY
        self._names = {*_LOCAL_NAMES, host.lower()} | ({socket.gethostname().lower()} if self._is_any else set())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request, as an ASGI application."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)["x-content-type-options"] = "nosniff"
            await send(message)

        app = self._app if self._is_allowed(Headers(scope=scope).get("host", "")) else _MISDIRECTED
        await app(scope, receive, send_guarded)

    def _is_allowed(self, host: str) -> bool:
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        return name in self._names or (self._is_any and _is_address(name))


_MISDIRECTED = PlainTextResponse(
    "This server does not accept that host name. Open the address that ranvier serve printed, or allow the name with --host.\n",
    421,
)


def _is_address(name: str) -> bool:
    """Return whether a host name is an IP address, which nobody can redirect."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True

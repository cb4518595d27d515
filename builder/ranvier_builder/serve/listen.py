"""Listen on an address, print it, and serve an application there."""

from __future__ import annotations

import errno
import socket
from collections.abc import Mapping
from contextlib import suppress

import click
from starlette.types import ASGIApp

from ranvier_builder.cli.group import clean_up_on_termination
from ranvier_builder.errors import BuildError

_BACKLOG = 2048  # as uvicorn's default


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that accepts connections; port 0 is any free port.

    Raises:
        BuildError: the port is in use, the address is not one of this machine, or the user may not use it.

    """
    if not host:  # perhaps a variable that is not set; for a socket it means all addresses
        raise BuildError("the host is empty", cure="use --host 127.0.0.1, or --host 0.0.0.0 for all addresses of this machine")
    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET, backlog=_BACKLOG)
    except OSError as error:
        reason = str(error.strerror).partition(" (while")[0]  # the rest repeats the address
        in_use = error.errno == errno.EADDRINUSE
        cure = "stop the other server, or use --port 0 for any free port" if in_use else "use another --host or --port"
        raise BuildError(f"cannot listen on {_address(host, port)}: {reason}", cure=cure) from None


def run_app(app: ASGIApp, host: str, port: int, paths: Mapping[str, str]) -> None:
    """Serve an application until Ctrl-C. The line with its addresses is printed when they accept connections.

    Args:
        app: the application.
        host: a name or an address of this machine.
        port: 0 is any free port.
        paths: what is served → the path of its address, for the printed line.

    """
    import uvicorn  # a slow import: report errors before it

    with listen(host, port) as server:
        address = f"http://{_address(host, server.getsockname()[1])}"
        parts = [f"{label} at {address}{path}" for label, path in paths.items()]
        click.echo(f"Serving {' and '.join(parts)} (Ctrl-C stops it)", err=True)
        config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=1)
        application = uvicorn.Server(config)
        clean_up_on_termination("SIGHUP", end=application.handle_exit)  # the others are handled by uvicorn
        with suppress(KeyboardInterrupt):
            application.run(sockets=[server])


def _address(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"

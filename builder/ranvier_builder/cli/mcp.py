"""`ranvier mcp`."""

from __future__ import annotations

import os
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, NoReturn

import click
from ranvier import Caller
from ranvier.requests import AUDIENCES

from ranvier_builder.cli.group import FOLDER, TOKENS, choice, clean_up_on_termination, require_site
from ranvier_builder.errors import BuildError
from ranvier_builder.strict import visible

if TYPE_CHECKING:
    from ranvier_builder.api.engines import EnginePool


@click.command(epilog="Example: ranvier mcp public")
@click.argument("site", type=FOLDER)
@choice("--audience", AUDIENCES, "curator", "Audience of all agents without tokens. Only its pages are found.")
@click.option("--http", is_flag=True, help="Serve streamable HTTP at /mcp, and not standard input and output.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on, with --http.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8100,
    show_default=True,
    help="Port to listen on, with --http; 0 uses any free port.",
)
@TOKENS
def mcp(site: Path, audience: str, http: bool, host: str, port: int, tokens: Path | None) -> None:
    """Let agents search the built SITE, by the Model Context Protocol. Needs ranvier[mcp]."""
    from ranvier_builder.api.engines import EnginePool
    from ranvier_builder.api.tokens import VARIABLE, Tokens, read_tokens

    try:
        from ranvier_builder.api.mcp import mcp_app, mcp_server
    except ModuleNotFoundError as error:
        raise BuildError("this command needs the package mcp", cure="pip install 'ranvier[mcp]'") from error
    if tokens is not None and not http:
        raise click.UsageError("--tokens needs --http; over stdio, use --audience")
    require_site(site)
    pool = EnginePool(site, threads=4, timeout=30.0)
    try:
        callers = read_tokens(tokens, os.environ.get(VARIABLE)) if http else Tokens()
        server = mcp_server(pool, site.name, callers.caller if callers.callers else lambda _: Caller(audience))
        if not http:
            # In a thread: the interrupted code may hold a lock of the pool.
            names = ("SIGINT", "SIGTERM", "SIGHUP")
            clean_up_on_termination(*names, end=lambda *_: Thread(target=_end, args=(pool,)).start())
            server.run("stdio")
            return
        from ranvier_builder.serve.listen import run_app

        run_app(mcp_app(server, callers, host), host, port, {f"{visible(str(site))} to agents": "/mcp"})
    finally:
        pool.close()


def _end(pool: EnginePool) -> NoReturn:
    """End the command: a thread reads standard input, and otherwise the command would wait for its next line."""
    pool.close()
    os._exit(1)

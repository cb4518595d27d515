"""`ranvier serve`."""

from __future__ import annotations

from pathlib import Path

import click

from ranvier_builder.cli.group import READABLE, built_site
from ranvier_builder.errors import BuildError
from ranvier_builder.strict import visible


@click.command(epilog="Example: ranvier serve public --port 8000")
@click.argument("site", type=READABLE)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="Port to listen on; 0 uses any free port."
)
@click.option("--live", is_flag=True, help="Reload open pages after each new build (build --watch).")
def serve(site: Path, host: str, port: int, live: bool) -> None:
    """Serve the built SITE on this machine, with the compression and cache headers of a static host."""
    import uvicorn  # needed only for this command

    from ranvier_builder.serve import static_app

    built_site(site)
    app = static_app(site, live=live, host=host)
    config = uvicorn.Config(app, host=host, port=port, log_level="warning", timeout_graceful_shutdown=1)
    try:
        socket = config.bind_socket()
    except SystemExit:
        raise BuildError(f"cannot listen on {host}:{port}", cure="use --port 0 for any free port") from None
    shown = f"[{host}]" if ":" in host else host
    click.echo(f"Serving {visible(str(site))} at http://{shown}:{socket.getsockname()[1]}/ (Ctrl-C stops it)", err=True)
    uvicorn.Server(config).run(sockets=[socket])

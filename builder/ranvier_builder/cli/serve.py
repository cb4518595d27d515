"""`ranvier serve`."""

from __future__ import annotations

import os
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from ranvier_builder.cli.group import FOLDER, TOKENS, require_site
from ranvier_builder.errors import BuildError
from ranvier_builder.strict import visible

if TYPE_CHECKING:
    from starlette.applications import Starlette

    from ranvier_builder.api.chat import Complete
    from ranvier_builder.api.tokens import Tokens

CHAT_KEY = "RANVIER_CHAT_KEY"  # variable of the environment


class _Seconds(click.FloatRange):
    """A time limit: `nan` and `inf` are none."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Refuse what is not finite; `nan` is in no order with the bounds of a range."""
        if not isfinite(seconds := super().convert(value, param, ctx)):
            self.fail(f"{value} is not a number of seconds.", param, ctx)
        return seconds


_SECONDS = _Seconds(0.1)


@click.command(epilog="Example: ranvier serve public --port 8000")
@click.argument("site", type=FOLDER)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="Port to listen on; 0 uses any free port."
)
@click.option("--live", is_flag=True, help="Reload open pages after each new build (build --watch).")
@click.option("--api", is_flag=True, help="Answer GET /search and other requests of programs with JSON, too.")
@TOKENS
@click.option("--threads", type=click.IntRange(1, 64), default=4, show_default=True, help="Engines of the API.")
@click.option("--timeout", type=_SECONDS, default=10.0, show_default=True, help="Timeout of an API request, in seconds.")
@click.option("--chat", metavar="URL", help="Chat-completions endpoint for POST /chat. Its key is in RANVIER_CHAT_KEY.")
@click.option("--chat-model", help="Name of the endpoint's model.")
@click.option(
    "--chat-timeout", type=_SECONDS, default=60.0, show_default=True, help="Timeout of a request to the endpoint, in seconds."
)
@click.option("--log-queries", is_flag=True, help="Write queries into the API's log, too.")
def serve(site: Path, host: str, port: int, live: bool, api: bool, tokens: Path | None, **options: Any) -> None:
    """Serve the built SITE on this machine, with the compression and cache headers of a static host."""
    from ranvier_builder.api.tokens import VARIABLE, read_tokens
    from ranvier_builder.serve.listen import run_app
    from ranvier_builder.serve.static import static_app

    variable = os.environ.get(VARIABLE)
    if not api and (tokens is not None or variable is not None):
        source = VARIABLE if tokens is None else "--tokens"
        raise click.UsageError(f"{source} needs --api: without it, everybody can read all pages of the site")
    context = click.get_current_context()
    for name in options:
        if not api and context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise click.UsageError(f"--{name.replace('_', '-')} needs --api")
    if (options["chat"] is None) != (options["chat_model"] is None):
        raise click.UsageError("a chat needs --chat and --chat-model")
    require_site(site, allow_index=api)
    pages = {visible(str(site)): "/"}
    if not api:
        run_app(static_app(site, live=live, host=host), host, port, pages)
        return
    callers = read_tokens(tokens, variable)
    # With tokens, the pages of the site are not served.
    paths = {"the API": "/openapi.html"} if callers.callers else pages | {"its API": "/openapi.html"}
    run_app(_api(site, host, callers, live, **options), host, port, paths)


def _api(
    site: Path, host: str, tokens: Tokens, live: bool, chat: str | None, chat_model: str, chat_timeout: float, **options: Any
) -> Starlette:
    """Return the API, with the site beside it if every caller may see all of it."""
    from ranvier_builder.api.app import api_app
    from ranvier_builder.serve.static import static_app

    pages = None if tokens.callers else static_app(site, live=live, host=host)
    complete = _endpoint(chat, chat_model, chat_timeout) if chat is not None else None
    return api_app(site, tokens, pages, host=host, complete=complete, **options)


def _endpoint(url: str, model: str, timeout: float) -> Complete:
    try:
        from ranvier_builder.api.completions import Endpoint
    except ModuleNotFoundError as error:
        raise BuildError("--chat needs an HTTP client", cure="pip install 'ranvier[chat]'") from error
    return Endpoint(url, model, os.environ.get(CHAT_KEY, "").strip(), timeout).complete

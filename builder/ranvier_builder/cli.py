"""The command line: parse, call, print. Errors are one message and exit code 1; a traceback is a bug of ours."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import click
from ranvier import RanvierError, SearchResult, __version__, open_snapshot
from ranvier.types import to_plain
from rich.console import Console

from ranvier_builder.config import find_config, load_config
from ranvier_builder.errors import BuildError
from ranvier_builder.pipeline import build as build_site
from ranvier_builder.screen import progress_bar, show_hits, show_report

FOLDER = click.Path(path_type=Path)
READABLE = click.Path(path_type=Path, exists=True, file_okay=False)


class _Group(click.Group):
    """Turns our errors into messages."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except (BuildError, RanvierError) as error:
            raise click.ClickException(str(error)) from None
        except (click.exceptions.Exit, click.ClickException, click.Abort):
            raise
        except Exception as error:
            if os.environ.get("RANVIER_TRACEBACK"):
                raise
            text = f"{type(error).__name__}: {error}\n  cure: RANVIER_TRACEBACK=1 shows where; please report it"
            raise click.ClickException(text) from None


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="ranvier")
def main() -> None:
    """Search for static sites: the same Python search core on your server and in your reader's browser."""


@main.command(epilog="Example: ranvier build docs -o public --default-audience public")
@click.argument("content", type=FOLDER)
@click.option("-o", "--output", type=FOLDER, default=Path("public"), show_default=True, help="Folder to write the site to.")
@click.option("-c", "--config", type=click.Path(path_type=Path, exists=True, dir_okay=False), help="Default: ranvier.toml.")
@click.option("--audience", help="For whom the site is: public, tool or curator.")
@click.option("--default-audience", help="Audience of Neurons that do not name one; without it they are withheld.")
@click.option("--url", help="Where the site will live; needed for sitemap.xml.")
@click.option("-v", "--verbose", is_flag=True, help="Print every warning.")
def build(
    content: Path,
    output: Path,
    config: Path | None,
    audience: str | None,
    default_audience: str | None,
    url: str | None,
    verbose: bool,
) -> None:
    """Build a site from the folder CONTENT of Markdown files."""
    found = config or (find_config(content) if content.is_dir() else None)
    settings = load_config(found, publish_for=audience, default_audience=default_audience, url=url)
    console = Console(stderr=True)
    with progress_bar(console) as tell:
        report = build_site(content, output, settings, tell)
    show_report(console, report, output, verbose=verbose)


@main.command(epilog='Example: ranvier search public "how to install" --limit 5')
@click.argument("site", type=READABLE)
@click.argument("query")
@click.option("--limit", type=click.IntRange(1, 100), default=10, show_default=True, help="How many hits.")
@click.option("--offset", type=click.IntRange(0), default=0, help="How many hits to pass over.")
@click.option("--prefix", is_flag=True, help="The last word is still being typed.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def search(site: Path, query: str, limit: int, offset: int, prefix: bool, as_json: bool) -> None:
    """Search the built SITE for QUERY, as a browser would."""
    with open_snapshot(site) as library:
        result: SearchResult = library.search(query, limit=limit, offset=offset, prefix=prefix)
    if as_json:
        click.echo(_json(to_plain(result)))
    else:
        show_hits(Console(highlight=False), result)


@main.command(epilog='Example: ranvier retrieve public "how to install" --max-chars 2000')
@click.argument("site", type=READABLE)
@click.argument("query")
@click.option("--top-k", type=click.IntRange(1, 100), default=8, show_default=True, help="How many chunks at the most.")
@click.option("--max-chars", type=click.IntRange(1), default=4000, show_default=True, help="Bound on the chunks' contents.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def retrieve(site: Path, query: str, top_k: int, max_chars: int, as_json: bool) -> None:
    """Print passages of SITE about QUERY, ready for a language model."""
    with open_snapshot(site) as library:
        result = library.retrieve(query, top_k=top_k, max_chars=max_chars)
    click.echo(_json(to_plain(result)) if as_json else result.formatted_context)


@main.command(epilog="Example: ranvier serve public --port 8000")
@click.argument("site", type=READABLE)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0 takes any that is free.")
def serve(site: Path, host: str, port: int) -> None:
    """Serve the built SITE on this machine, compressed and cached as a static host would."""
    import uvicorn  # loaded for this command alone

    from ranvier_builder.serve import static_app

    if not (site / "_ranvier" / "entry.json").is_file():
        raise BuildError("is not a site that ranvier built", file=site, cure=f"ranvier build CONTENT -o {site}")
    config = uvicorn.Config(static_app(site), host=host, port=port, log_level="warning")
    try:
        socket = config.bind_socket()
    except SystemExit:
        raise BuildError(f"cannot listen on {host}:{port}", cure="--port 0 takes any port that is free") from None
    shown = f"[{host}]" if ":" in host else host
    click.echo(f"Serving {site} at http://{shown}:{socket.getsockname()[1]}/ (Ctrl-C stops it)", err=True)
    uvicorn.Server(config).run(sockets=[socket])


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)

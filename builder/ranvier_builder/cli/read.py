"""`ranvier search` and `ranvier retrieve`: they read a built site, as a browser would."""

from __future__ import annotations

from pathlib import Path

import click
from ranvier import SearchResult, open_snapshot
from ranvier.types import to_plain
from rich.console import Console

from ranvier_builder.cli.group import READABLE, built_site, json_text
from ranvier_builder.screen import show_hits


@click.command(epilog='Example: ranvier search public "how to install" --limit 5')
@click.argument("site", type=READABLE)
@click.argument("query")
@click.option("--limit", type=click.IntRange(1, 100), default=10, show_default=True, help="How many hits.")
@click.option("--offset", type=click.IntRange(0), default=0, help="How many hits to pass over.")
@click.option("--prefix", is_flag=True, help="The last word is still being typed.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def search(site: Path, query: str, limit: int, offset: int, prefix: bool, as_json: bool) -> None:
    """Search the built SITE for QUERY, as a browser would."""
    built_site(site, bare=True)
    with open_snapshot(site) as library:
        result: SearchResult = library.search(query, limit=limit, offset=offset, prefix=prefix)
    if as_json:
        click.echo(json_text(to_plain(result)))
    else:
        show_hits(Console(highlight=False), result)


@click.command(epilog='Example: ranvier retrieve public "how to install" --max-chars 2000')
@click.argument("site", type=READABLE)
@click.argument("query")
@click.option("--top-k", type=click.IntRange(1, 100), default=8, show_default=True, help="How many chunks at the most.")
@click.option("--max-chars", type=click.IntRange(1), default=4000, show_default=True, help="Bound on the chunks' contents.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def retrieve(site: Path, query: str, top_k: int, max_chars: int, as_json: bool) -> None:
    """Print passages of SITE about QUERY, ready for a language model."""
    built_site(site, bare=True)
    with open_snapshot(site) as library:
        result = library.retrieve(query, top_k=top_k, max_chars=max_chars)
    click.echo(json_text(to_plain(result)) if as_json else result.formatted_context)

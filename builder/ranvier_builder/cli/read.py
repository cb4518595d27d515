"""`ranvier search`, `retrieve` and `backlinks`: read a built site, like a browser."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import click
from ranvier import Caller, Library, RetrieveRequest, Scope, SearchRequest, open_snapshot
from ranvier.presets import NAMES
from ranvier.query.filters import days
from ranvier.requests import AUDIENCES, FACETS, MATCHES, SORTS, STRATEGIES
from ranvier.types import to_plain
from rich.console import Console

from ranvier_builder.cli.group import FOLDER, Command, choice, json_text, require_site
from ranvier_builder.cli.show import show_answer, show_backlinks
from ranvier_builder.errors import BuildError
from ranvier_builder.strict import visible_text


def _split_commas(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """Split `a,b` into `a` and `b`."""
    return tuple(part.strip() for value in values for part in value.split(",") if part.strip())


def _time(_: click.Context, __: click.Parameter, value: str) -> str:
    if value and not days(value):
        raise click.BadParameter(f"{value!r} is not FROM..TO, with days of the calendar as YYYY-MM-DD, the earlier one first.")
    return value


def _list_option(flag: str, description: str) -> Callable[[Command], Command]:
    return click.option(flag, multiple=True, callback=_split_commas, metavar="A,B", help=f"{description} Repeatable.")


_PRESET = choice("--preset", NAMES, "default", "The ranking.")
_STRATEGY = choice("--strategy", STRATEGIES, "auto", "Search by words (bm25), by meaning (vector), or by both (rag).")
_PAGE_LANG = click.option("--page-lang", default="", help="Language of the calling page, assumed for the query.")
_EXACT = click.option("--exact", is_flag=True, help="Use the words as they are, without spelling correction and synonyms.")
_JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
_AUDIENCE = choice("--audience", AUDIENCES, "curator", "Audience of the caller. Only its pages are found.")
_SCOPE = (
    click.option("--ancestor", default="", help="Only this page and all pages below it: a path, id, address or title."),
    click.option("--item", default="", help="Only this page: a path, id, address or title."),
    _list_option("--tags", "Only pages with one of these tags, or with a tag below it."),
    _list_option("--role", "Only pages with one of these roles."),
    _list_option("--kind", "Only pages of one of these kinds."),
    _list_option("--modality", "Only text from one of these sources: text, image, audio, pdf."),
    _list_option("--lang", "Only pages in one of these languages."),
    click.option("--path", multiple=True, help="Only this folder or file; * matches anything. Repeatable."),
    click.option("--titles", multiple=True, help="Only pages with this title, alias or file name. Repeatable."),
    click.option("--time", default="", callback=_time, metavar="FROM..TO", help="Only pages of these days, as YYYY-MM-DD."),
)


def _options(*options: Callable[[Any], Any]) -> Callable[[Command], Command]:
    def apply(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return apply


@click.command(epilog='Example: ranvier search public "how to install" --tags guide --limit 5 --explain')
@click.argument("site", type=FOLDER)
@click.argument("query", required=False)
@click.option("--limit", type=click.IntRange(1, 100), help="Number of hits. Default: the preset's, 30.")
@click.option("--offset", type=click.IntRange(0), default=0, help="Number of hits to skip.")
@click.option("--prefix", is_flag=True, help="Treat the last word as unfinished.")
@_options(_PRESET, _STRATEGY)
@choice("--match", MATCHES, "auto", "Match whole words (text) or parts of words (substring).")
@choice("--sort", SORTS, "relevance", "Order of the hits. Dates: the latest first.")
@click.option(
    "--facets",
    multiple=True,
    callback=_split_commas,
    metavar="A,B",
    help=f"Count the matching pages by {', '.join(FACETS)}. Repeatable.",
)
@click.option("--candidates", type=click.IntRange(10, 1000), help="Number of rows that each leg returns. Default: 200.")
@click.option("--min-confidence", type=click.FloatRange(0, 1), help="Leave out hits with a lower confidence.")
@click.option("--return-all", is_flag=True, help="Up to 100 hits; without QUERY, list every page.")
@_options(_EXACT, *_SCOPE, _PAGE_LANG, _AUDIENCE)
@click.option("--explain", is_flag=True, help="Explain the rank of each hit.")
@_JSON
def search(site: Path, query: str | None, as_json: bool, **options: Any) -> None:
    """Search the built SITE for QUERY, in the same way as a browser. Without QUERY, list the pages that match the filters."""
    require_site(site)
    request = _request(SearchRequest, query or "", options)
    if query is None and not (request.scope or request.return_all or request.sort != "relevance" or request.facets):
        raise click.UsageError("QUERY is missing. Add a QUERY, a filter such as --tags, or --return-all.")
    with open_snapshot(site) as library:
        result = library.timed(library.engine.search(request))
        if not result.hits:
            _require_pages(site, library, request)
    if as_json:
        click.echo(json_text(to_plain(result)))
    else:
        show_answer(Console(highlight=False), result)


@click.command(epilog='Example: ranvier retrieve public "how to install" --max-chars 2000')
@click.argument("site", type=FOLDER)
@click.argument("query")
@click.option("--top-k", type=click.IntRange(1, 100), default=8, show_default=True, help="Maximum number of chunks.")
@click.option(
    "--max-chars",
    type=click.IntRange(1),
    default=4000,
    show_default=True,
    help="Maximum number of characters of all chunks together.",
)
@_options(_PRESET, _STRATEGY, _EXACT, *_SCOPE, _PAGE_LANG, _AUDIENCE, _JSON)
def retrieve(site: Path, query: str, as_json: bool, **options: Any) -> None:
    """Print passages of SITE about QUERY, ready for a language model."""
    require_site(site)
    request = _request(RetrieveRequest, query, options)
    with open_snapshot(site) as library:
        result = library.timed(library.engine.retrieve(request))
        if not result.chunks:
            _require_pages(site, library, request)
    click.echo(json_text(to_plain(result)) if as_json else visible_text(result.formatted_context))


@click.command(epilog="Example: ranvier backlinks public guide/install.md")
@click.argument("site", type=FOLDER)
@click.argument("item")
@_options(_AUDIENCE, _JSON)
def backlinks(site: Path, item: str, audience: str, as_json: bool) -> None:
    """List the pages of SITE that link to ITEM, a path, id, address or title."""
    require_site(site)
    with open_snapshot(site) as library:
        backlinks = library.backlinks(item, audience=audience)
        if not backlinks:
            _require_page(site, library, item, Caller(audience))
            from ranvier_builder.output import LOADER

            if (library.source.base / LOADER).is_file():
                raise BuildError("is a site of another generator: its search does not have the links of its pages", file=site)
    if as_json:
        click.echo(json_text(to_plain(backlinks)))
    else:
        show_backlinks(Console(highlight=False), backlinks)


def _require_pages(site: Path, library: Library, request: SearchRequest | RetrieveRequest) -> None:
    """Raise `BuildError` if the scope of a request without hits names a page that the search does not contain."""
    for page in filter(None, (request.scope.ancestor, request.scope.item)):
        _require_page(site, library, page, request.caller)


def _require_page(site: Path, library: Library, page: str, caller: Caller) -> None:
    """Raise `BuildError` if the caller finds no such page."""
    if not library.search("", scope=Scope(item=page), caller=caller).hits:
        cure = "run ranvier search SITE --return-all to list the pages of the search"
        raise BuildError(f"the search contains no page {page!r}", file=site, cure=cure)


def _request(kind: Any, query: str, options: dict[str, Any]) -> Any:
    """Create a request from flags; the caller is an audience."""
    scope = {field.name: options.pop(field.name) for field in fields(Scope)}
    return kind(query, scope=Scope(**scope), caller=Caller(options.pop("audience")), **options)

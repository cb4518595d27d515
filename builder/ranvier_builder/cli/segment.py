"""`ranvier segment`: the rules of ranvier.toml that select the strategy for a query (Q3)."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import click
from ranvier.requests import STRATEGIES
from rich.console import Console
from rich.text import Text

from ranvier_builder.cli.group import INPUT, Group, json_text
from ranvier_builder.config import load_config, require_config
from ranvier_builder.console import headed_table
from ranvier_builder.errors import BuildError, ConfigError
from ranvier_builder.search_settings import SettingError, segment_of
from ranvier_builder.strict import visible
from ranvier_builder.toml_edit import Tables, read_text, replace_text

_CANNOT_EDIT = "the segments in this file are written in a form that ranvier cannot edit"
_CONFIG = click.option("-c", "--config", type=INPUT, help="Default: ranvier.toml in this folder or in the folder above.")


@click.group(cls=Group, epilog="Example: ranvier segment list")
def segment() -> None:
    """List, set and remove segments: rules in ranvier.toml that select a strategy for a query. The first match applies."""


@segment.command("list", epilog="Example: ranvier segment list --json")
@_CONFIG
@click.option("--json", "as_json", is_flag=True, help="Print one JSON list.")
def show(config: Path | None, as_json: bool) -> None:
    """List the segments in the order in which they are tried."""
    tables = _segments(require_config(config))
    if as_json:
        click.echo(json_text(tables))
        return
    table = headed_table("", "name", "strategy", "pattern", "path")
    for number, segment in enumerate(tables, 1):
        cells = (segment["name"], segment.get("strategy", "auto"), segment["pattern"], segment.get("path", ""))
        table.add_row(str(number), *(Text(visible(cell)) for cell in cells))
    Console(highlight=False).print(table if tables else "There are no segments.")


@segment.command("set", epilog='Example: ranvier segment set code --strategy bm25 --pattern "function|class"')
@click.argument("name")
@click.option("--pattern", help="Regular expression to search for in a query; case is ignored.")
@click.option("--strategy", type=click.Choice(STRATEGIES), help="Strategy for these queries. Default: auto.")
@click.option("--path", help="Search only this folder for these queries.")
@click.option("--priority", type=click.IntRange(1), help="Position among the segments; 1 is tried first. Default: last.")
@_CONFIG
def put(name: str, config: Path | None, priority: int | None, **values: str | None) -> None:
    """Add or change the segment NAME."""
    file = require_config(config)
    tables = _segments(file)
    at = next((at for at, table in enumerate(tables) if table["name"] == name), len(tables))
    old = tables.pop(at) if at < len(tables) else {"name": name}
    if not name:
        raise click.BadParameter("a segment must have a name", param_hint="NAME")
    new = old | {key: value for key in ("pattern", "strategy", "path") if (value := values[key]) is not None}
    if not new.get("pattern"):
        raise BuildError(f"segment {name!r} needs a pattern", cure='--pattern "function|class"')
    try:
        segment_of(new)
    except SettingError as error:
        raise BuildError(error.message, cure=error.cure) from None
    index = min(at if priority is None else priority - 1, len(tables))
    edit = _edit(file)
    if at < len(edit):
        edit.change(at, {key: value for key, value in new.items() if value != old.get(key)})
        edit.move(at, index)
    else:
        edit.insert(index, new)
    tables.insert(index, new)
    _write(file, str(edit), tables)


@segment.command("remove", epilog="Example: ranvier segment remove code")
@click.argument("name")
@_CONFIG
def remove(name: str, config: Path | None) -> None:
    """Remove the segment NAME."""
    file = require_config(config)
    tables = _segments(file)
    names = [table["name"] for table in tables]
    if name not in names:
        raise BuildError(f"there is no segment {name!r}", file=file, cure=f"there are: {', '.join(names) or 'none'}")
    edit = _edit(file)
    edit.remove(names.index(name))
    del tables[names.index(name)]
    _write(file, str(edit), tables)


def _segments(file: Path) -> list[dict[str, str]]:
    """Return the unchanged tables; raise `ConfigError` if the file is invalid."""
    load_config(file)
    return list(_read(file).get("segments", ()))


def _read(file: Path) -> dict[str, Any]:
    return tomllib.loads(read_text(file))


def _edit(file: Path) -> Tables:
    edit = Tables(read_text(file), "segments")
    if len(edit) != len(_segments(file)):  # for example segments = [{…}]
        raise ConfigError(_CANNOT_EDIT, file=file, cure="write each segment as a table [[segments]]")
    return edit


def _write(file: Path, text: str, tables: list[dict[str, str]]) -> None:
    """Write the file; raise `ConfigError` if anything except its segments would change."""
    expected = {key: value for key, value in _read(file).items() if key != "segments"} | (
        {"segments": tables} if tables else {}
    )
    try:
        is_valid = tomllib.loads(text.encode().decode()) == expected
    except ValueError:
        is_valid = False
    if not is_valid:
        raise ConfigError(_CANNOT_EDIT, file=file, cure="edit [[segments]] by hand")
    replace_text(file, text)
    segments = "1 segment" if len(tables) == 1 else f"{len(tables)} segments"
    click.echo(f"{visible(str(file))} has {segments} now. Build the site again to apply the change.")

"""`ranvier keys`: who can unlock the encrypted layers of a site."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.console import Console
from rich.text import Text

from ranvier_builder.audience import AUDIENCES
from ranvier_builder.cli.group import Group, PathType, choice, json_text
from ranvier_builder.console import headed_table
from ranvier_builder.errors import BuildError
from ranvier_builder.strict import visible

if TYPE_CHECKING:
    from types import ModuleType

VARIABLE = "RANVIER_PASSPHRASE"  # of the environment
_FILE = click.argument("file", type=PathType(dir_okay=False))
_REBUILD = "Build and publish the site again to apply the change."


@click.group(cls=Group, epilog="Example: ranvier keys add ../keys.json anna --token")
def keys() -> None:
    """Add, list and revoke keys of encrypted layers, in one secret file. Keep it out of the site and out of the repository."""


@keys.command(epilog="Example: ranvier keys add ../keys.json anna --layer curator")
@_FILE
@click.argument("name")
@choice("--layer", AUDIENCES[1:], "curator", "Layer that the key opens.")
@click.option("--token", is_flag=True, help="Make a random passphrase, and print it once.")
def add(file: Path, name: str, layer: str, token: bool) -> None:
    """Add a key for the reader NAME. FILE is created if it is missing.

    The passphrase is read from the variable RANVIER_PASSPHRASE, or from the standard input. A terminal asks for it.
    """
    key_file = key_module()
    layers = key_file.read_keys(file) if file.exists() else {}
    try:
        passphrase = key_file.new_token() if token else _passphrase()
        layers = key_file.add_slot(layers, layer, name, passphrase)
    except UnicodeError:
        raise BuildError("the passphrase is not UTF-8", cure="write it in UTF-8, or use --token") from None
    key_file.write_keys(file, layers)
    if token:
        click.echo(passphrase)
    click.echo(f"{visible(name)} can unlock the layer {layer}. {_REBUILD}", err=True)


@keys.command("list", epilog="Example: ranvier keys list ../keys.json --json")
@_FILE
@click.option("--json", "as_json", is_flag=True, help="Print one JSON list.")
def show(file: Path, as_json: bool) -> None:
    """List the keys: their names and layers."""
    slots = [(slot.name, layer) for layer, key in key_module().read_keys(file).items() for slot in key.slots]
    if as_json:
        click.echo(json_text([{"name": name, "layer": layer} for name, layer in slots]))
        return
    table = headed_table("name", "layer")
    for name, layer in slots:
        table.add_row(Text(visible(name)), layer)
    Console(highlight=False).print(table if slots else "There are no keys.")


@keys.command(epilog="Example: ranvier keys revoke ../keys.json anna")
@_FILE
@click.argument("name")
def revoke(file: Path, name: str) -> None:
    """Revoke the key NAME. Its layer gets a new key; all other keys still open it."""
    key_file = key_module()
    key_file.write_keys(file, key_file.revoke_slot(key_file.read_keys(file), name))
    click.echo(f"{visible(name)} cannot unlock later builds. {_REBUILD} Copies of earlier builds stay readable.", err=True)


def key_module() -> ModuleType:
    """Return the module of key files; raise `BuildError` without `cryptography`."""
    try:
        from ranvier_builder.layers import key_file
    except ModuleNotFoundError as error:
        raise BuildError("encrypted layers need the package cryptography", cure="pip install 'ranvier[layers]'") from error
    return key_file


def _passphrase() -> str:
    if VARIABLE in os.environ:
        return os.environ[VARIABLE]
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\r\n")
    return str(click.prompt("Passphrase", hide_input=True, confirmation_prompt=True, err=True))

"""`ranvier`, and shared functions of its commands: error messages and JSON output."""

from __future__ import annotations

import json
import os
import re
import signal
import threading
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from shlex import quote
from types import FrameType
from typing import Any, TypeVar

import click
from ranvier import FetchError, RanvierError, __version__

from ranvier_builder.errors import BuildError
from ranvier_builder.strict import visible, visible_lines

Command = TypeVar("Command", bound=Callable[..., Any])


class PathType(click.Path):
    """A folder or a file. An empty text, such as a variable that is not set, is not the current folder."""

    def __init__(self, **options: Any) -> None:
        """Take the options of `click.Path`."""
        super().__init__(path_type=Path, **options)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Refuse an empty text, and a path that the system cannot look up, such as a link to itself or a very long name."""
        if value == "":
            self.fail("the path is empty. Write . for the current folder.", param, ctx)
        path = Path(os.fsdecode(super().convert(value, param, ctx)))
        try:
            path.stat()
        except (FileNotFoundError, NotADirectoryError):
            pass  # the command reports it, or makes it
        except OSError as error:
            self.fail(f"{path}: {error.strerror}", param, ctx)
        return path


FOLDER = PathType()
READABLE = PathType(exists=True, file_okay=False)
INPUT = PathType(exists=True, dir_okay=False)
TOKENS = click.option(
    "--tokens",
    type=PathType(dir_okay=False),
    help="File of bearer tokens, AUDIENCE TOKEN on each line. Default: the variable RANVIER_TOKENS.",
)

QUIET = click.option("-q", "--quiet", is_flag=True, help="Print only warnings and errors.")


def choice(flag: str, values: Sequence[str], default: str, description: str) -> Callable[[Command], Command]:
    """Return an option that takes one of some values and shows its default."""
    return click.option(flag, type=click.Choice(values), default=default, show_default=True, help=description)


class Group(click.Group):
    """Turns exceptions into messages."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command. An error of its usage names it, also within another group."""
        try:
            return super().invoke(ctx)
        except (BuildError, RanvierError) as error:
            cure = "\n  cure: build the site again" if isinstance(error, FetchError) else ""
            raise click.ClickException(f"{visible_lines(str(error))}{cure}") from None
        except click.UsageError as error:
            error.ctx = error.ctx or _context(self, ctx)  # an option without its value has none
            example = error.ctx.command.epilog
            # Other errors say themselves what to change. A group without a command prints its help by such an error.
            if not example or not isinstance(error, (click.MissingParameter, click.BadOptionUsage)):
                raise
            cure = example.replace("Example:", "for example,")
            raise click.UsageError(f"{error.format_message()}\n  cure: {cure}", error.ctx) from None
        except (click.exceptions.Exit, click.ClickException, click.Abort):
            raise
        except Exception as error:
            if os.environ.get("RANVIER_TRACEBACK"):
                raise
            text = f"{type(error).__name__}: {visible_lines(str(error))}"
            cure = "set RANVIER_TRACEBACK=1 to see the traceback, and report this error"
            if isinstance(error, PermissionError) and error.filename is not None:  # none: of a lock, for example
                text = f"{visible(str(error.filename))}: {error.strerror}"
                cure = "check the permissions of the file and of the folders above it"
            raise click.ClickException(f"{text}\n  cure: {cure}") from None


def _context(group: click.Group, ctx: click.Context) -> click.Context:
    """Return a context of the command that was called."""
    name = ctx.invoked_subcommand or ""
    command = group.commands.get(name)
    return click.Context(command, ctx, name) if command else ctx


# Command → module, so that a search does not load the modules of a build.
_MODULES = {
    **{name: name for name in ("build", "check", "index", "init", "keys", "mcp", "segment", "serve", "tune")},
    "eval": "evaluate",
    **{name: "read" for name in ("backlinks", "retrieve", "search")},
}


class _Commands(dict[str, Any]):
    """The commands by name; each is loaded on access."""

    def __getitem__(self, name: str) -> click.Command:
        module = import_module(f"ranvier_builder.cli.{super().__getitem__(name)}")
        command: click.Command = getattr(module, name)
        return command

    def get(self, name: str, default: Any = None) -> Any:
        """Return a command, or the default."""
        return self[name] if name in self else default


def _show_version(ctx: click.Context, _: click.Parameter, is_set: bool) -> None:
    if is_set:
        from ranvier.store.format import FORMAT
        from ranvier.text import ANALYSER

        from ranvier_builder.engine import pinned

        click.echo(f"ranvier {__version__} (engine: Pyodide {pinned.VERSION}; format {FORMAT}; analyser {ANALYSER})")
        ctx.exit()


@click.group(cls=Group, commands=_Commands(_MODULES), context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Print the versions of Ranvier, its engine, format and analyser.",
)
def main() -> None:
    """Search for static sites. The same Python search core runs on a server and in the reader's browser."""


def clean_up_on_termination(*names: str, end: Callable[[int, FrameType | None], Any] = signal.default_int_handler) -> None:
    """Let signals, by default those to terminate and of a closed terminal, end the command, so that it removes its files."""
    if threading.current_thread() is threading.main_thread():
        for name in names or ("SIGTERM", "SIGHUP"):
            number = getattr(signal, name, signal.SIGTERM)  # Windows has no SIGHUP
            if signal.getsignal(number) != signal.SIG_IGN:  # as `nohup` sets
                signal.signal(number, end)


def require_site(site: Path, *, allow_index: bool = True) -> None:
    """Raise `BuildError` if a folder does not contain an index; with `allow_index`, the folder may also be an index."""
    if not (site / "_ranvier" / "entry.json").is_file() and not (allow_index and (site / "entry.json").is_file()):
        name = quote(str(site))
        build = f"ranvier build CONTENT -o {name}"
        if site.is_dir():
            cure = f"{build}, or ranvier index {name} for a site of another generator"
            raise BuildError("is not a site built by Ranvier", file=site, cure=cure)
        raise BuildError("is not a folder", file=site, cure=None if site.exists() else build)


def json_text(value: Any) -> str:
    """Return a result as JSON; control characters and invisible characters are escaped."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    return re.sub(r"[^\n -~]", lambda match: match[0] if visible(match[0]) == match[0] else json.dumps(match[0])[1:-1], text)

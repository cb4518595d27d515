"""The command line, called as a user calls it."""

import json
import signal
from typing import Any

from click.testing import CliRunner, Result
from ranvier_builder.cli import main


def run(*words: object) -> Result:
    """Run a command; the result has its output and its exit code."""
    return CliRunner().invoke(main, list(map(str, words)))


def failure(*words: object, code: int = 1) -> str:
    """Run a command that is refused without a traceback; return its output."""
    result = run(*words)
    assert (result.exit_code, "Traceback" in result.output) == (code, False), result.output
    return result.output


def json_of(*words: object) -> dict[str, Any]:
    """Run a command that prints one JSON object, and return the object."""
    result = run(*words, "--json")
    assert result.exit_code == 0, result.output
    fields: dict[str, Any] = json.loads(result.stdout)
    return fields


def reset_signals() -> None:
    """Let signals end a new process (`preexec_fn`): it inherits what `nohup`, or a shell in the background, ignores."""
    for name in ("SIGINT", "SIGHUP"):
        signal.signal(getattr(signal, name), signal.SIG_DFL)

"""The command line: parse, call, print. Errors give one message and exit code 1; a traceback is a bug."""

from ranvier_builder.cli.group import main

__all__ = ["main"]

"""The command line: parse, call, print. Errors are one message and exit code 1; a traceback is a bug of ours."""

from ranvier_builder.cli.group import main

__all__ = ["main"]

"""The command line: parse, call, print. Errors are one message and exit code 1; a traceback is a bug of ours."""

from ranvier_builder.cli.build import build
from ranvier_builder.cli.check import check
from ranvier_builder.cli.group import main
from ranvier_builder.cli.index import index
from ranvier_builder.cli.read import retrieve, search
from ranvier_builder.cli.serve import serve

for _command in (build, index, check, search, retrieve, serve):
    main.add_command(_command)

__all__ = ["main"]

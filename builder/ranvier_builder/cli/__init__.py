"""The command line: parse, call, print. Errors give one message and exit code 1; a traceback is a bug."""

try:
    from ranvier_builder.cli.group import main
except KeyboardInterrupt:  # Ctrl-C before click can handle it
    raise SystemExit("Aborted!") from None

__all__ = ["main"]

"""Everything that can go wrong in a build, as one tree.

BuildError                  what the user sees: message, file, line, cure
├── ConfigError             ranvier.toml, or a flag
├── ReadError               a Neuron that cannot be read
├── EngineError             Pyodide cannot be had, or is not what we pinned
└── OutputError             the output folder cannot be written or swapped in
"""

from __future__ import annotations

from pathlib import Path


class BuildError(Exception):
    """A build cannot go on. The text names the file, the line where there is one, and the cure."""

    def __init__(
        self, message: str, *, file: Path | str | None = None, line: int | None = None, cure: str | None = None
    ) -> None:
        self.message = message
        self.file = file
        self.line = line
        self.cure = cure
        super().__init__(str(self))

    def __str__(self) -> str:
        where = "" if self.file is None else f"{self.file}:{self.line}: " if self.line else f"{self.file}: "
        cure = f"\n  cure: {self.cure}" if self.cure else ""
        return f"{where}{self.message}{cure}"


class ConfigError(BuildError):
    """The configuration does not say what it should."""


class ReadError(BuildError):
    """A content file cannot be read."""


class EngineError(BuildError):
    """The Python engine for the browser cannot be had, or is not the one that was pinned."""


class OutputError(BuildError):
    """The output folder cannot be written or swapped in."""

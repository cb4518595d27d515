"""Everything that can go wrong in a build, as one tree.

BuildError                  what the user sees: message, file, line, cure
├── ConfigError             ranvier.toml, or a flag
├── ReadError               a Neuron that cannot be read
├── EngineError             Pyodide cannot be had, or is not what we pinned
├── OutputError             the output folder cannot be written or swapped in
└── LeakError               something withheld stands in what was written
"""

from __future__ import annotations

from collections.abc import Sequence
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


class LeakError(BuildError):
    """Something withheld stands in what was written. `leaks` tells what, of which file, and where it was found."""

    SHOWN = 20

    def __init__(self, leaks: Sequence[object]) -> None:
        self.leaks = tuple(leaks)
        rest = len(self.leaks) - self.SHOWN
        lines = [f"\n  {leak}" for leak in self.leaks[: self.SHOWN]] + [f"\n  … and {rest:,} more"] * (rest > 0)
        super().__init__(
            f"{len(self.leaks):,} of the things found in the written site are withheld; nothing was published{''.join(lines)}",
            cure="see whether the file named should be withheld; if it should, this is a bug of ours: please report it",
        )

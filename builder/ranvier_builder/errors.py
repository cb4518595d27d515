"""Everything that can go wrong in a build, as one tree.

BuildError                  what the user sees: message, file, line, cure
├── ConfigError             ranvier.toml, or a flag
├── ReadError               a Neuron that cannot be read
├── EngineError             Pyodide cannot be had, or is not what we pinned
├── OutputError             the output folder cannot be written or swapped in
└── LeakError               what was written depends on what is withheld
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True, order=True)
class Leak:
    """Something in a written file that published content does not give; `source` is the withheld file, where it is known."""

    file: str  # empty: of the site as a whole
    source: str
    line: int
    message: str

    def __str__(self) -> str:
        where = f"{self.source}:{self.line}: " if self.source else ""
        file = f"{self.file}: " if self.file else ""
        return f"{where}{file}{self.message}"


class LeakError(BuildError):
    """What was written depends on what is withheld or private. `leaks` has all that was found."""

    SHOWN = 20

    def __init__(self, leaks: Sequence[Leak]) -> None:
        self.leaks = tuple(sorted(leaks, key=lambda leak: (not leak.source, leak)))  # those first whose source is known
        rest = len(self.leaks) - self.SHOWN
        lines = [f"\n  {leak}" for leak in self.leaks[: self.SHOWN]] + [f"\n  … and {rest:,} more"] * (rest > 0)
        super().__init__(
            f"the site depends on what must not be published; nothing was published{''.join(lines)}",
            cure="see whether the file named is to be withheld, and say so in its `audience`; if it is, please report this",
        )

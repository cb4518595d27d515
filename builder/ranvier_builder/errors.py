"""All errors of a build, as one tree.

BuildError                  shown to the user: message, file, line, cure
├── ConfigError             ranvier.toml, or a flag
├── ReadError               a Neuron that cannot be read
├── EngineError             Pyodide is not available, or is not the pinned version
├── OutputError             the output folder cannot be written or swapped in
└── LeakError               the output depends on withheld content
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


class BuildError(Exception):
    """A build cannot continue. The text names the file, the line if known, and the cure."""

    def __init__(
        self, message: str, *, file: Path | str | None = None, line: int | None = None, cure: str | None = None
    ) -> None:
        self.message = message
        self.file = file
        self.line = line
        self.cure = cure
        super().__init__(str(self))

    def __str__(self) -> str:
        position = "" if self.file is None else f"{self.file}:{self.line}: " if self.line else f"{self.file}: "
        cure = f"\n  cure: {self.cure}" if self.cure else ""
        return f"{position}{self.message}{cure}"


class ConfigError(BuildError):
    """The configuration is invalid."""


class ReadError(BuildError):
    """A content file cannot be read."""


class EngineError(BuildError):
    """The Python engine for the browser is not available, or is not the pinned one."""


class OutputError(BuildError):
    """The output folder cannot be written or swapped in."""


@dataclass(frozen=True, slots=True, order=True)
class Leak:
    """A part of a written file that does not come from published content; `source` is the withheld file, if known."""

    file: str  # empty: the site as a whole
    source: str
    line: int
    message: str

    def __str__(self) -> str:
        position = f"{self.source}:{self.line}: " if self.source else ""
        file = f"{self.file}: " if self.file else ""
        return f"{position}{file}{self.message}"


class LeakError(BuildError):
    """The output depends on withheld or private content. `leaks` has all findings."""

    SHOWN = 20

    def __init__(self, leaks: Sequence[Leak]) -> None:
        self.leaks = tuple(sorted(leaks, key=lambda leak: (not leak.source, leak)))  # those with a known source first
        hidden_count = len(self.leaks) - self.SHOWN
        lines = [f"\n  {leak}" for leak in self.leaks[: self.SHOWN]] + [f"\n  … and {hidden_count:,} more"] * (hidden_count > 0)
        super().__init__(
            f"the site depends on withheld or private content; nothing was published{''.join(lines)}",
            cure="check the `audience` of each named file; if it is correct, please report this error",
        )

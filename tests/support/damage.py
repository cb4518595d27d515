"""Damaged and missing files."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from ranvier import FetchError
from ranvier.store.source import FolderSource
from ranvier_builder.check.findings import SiteHealth


def cut(file: Path) -> None:
    """Remove the last byte of a file."""
    file.write_bytes(file.read_bytes()[:-1])


def flip(file: Path) -> None:
    """Change one bit in the middle of a file."""
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)


def findings_of(health: SiteHealth) -> set[tuple[str, str]]:
    """Return the check and the file of each finding."""
    return {(finding.check, finding.file) for finding in health.findings}


@contextmanager
def damage_files(names: set[str], damage: str) -> Iterator[list[str]]:
    """Let a library read some files damaged ("cut short", "one bit") or not at all ("gone"); yield the names that it read."""
    original, requested = FolderSource.read, list[str]()

    def read(self: FolderSource, name: str) -> bytes:
        data = original(self, name)
        if name not in names:
            return data
        requested.append(name)
        if damage == "gone":
            raise FetchError(name, "gone")
        return data[:-1] if damage == "cut short" else data[:5] + bytes([data[5] ^ 1]) + data[6:]

    with patch.object(FolderSource, "read", read):
        yield requested

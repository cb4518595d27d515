"""Sequences of files named by digest, and sequences of numbers, as the manifest and lists store them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from ranvier.store.format import DIGEST


@dataclass(frozen=True, slots=True)
class Files:
    """A sequence of files of one kind; file i is named by its digest."""

    folder: str
    digests: bytes
    sizes: tuple[int, ...]

    def digest(self, number: int) -> bytes:
        """Return the digest of file `number`."""
        return self.digests[number * DIGEST : (number + 1) * DIGEST]

    def name(self, number: int) -> str:
        """Return the path of file `number`, relative to the base."""
        return f"{self.folder}/{self.digest(number).hex()}.bin"

    def digests_of(self, numbers: Iterable[int]) -> dict[str, bytes]:
        """Return the names and digests of some files."""
        return {self.name(number): self.digest(number) for number in numbers}


def totals(steps: Iterable[int]) -> tuple[int, ...]:
    """Decode a rising sequence of numbers that `steps` encoded."""
    return tuple(accumulate(steps))


def steps(numbers: Iterable[int]) -> list[int]:
    """Encode a rising sequence of numbers as differences, which compress better."""
    row = [*numbers]
    return [b - a for a, b in zip([0, *row], row, strict=False)]


def read_files(folder: str, raw: Any) -> Files:
    """Decode a sequence of files: their digests in one binary, and their sizes."""
    digests, sizes = raw
    return Files(folder, digests, tuple(sizes))

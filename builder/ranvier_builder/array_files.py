"""Arrays that grow with the site, in temporary files: the system moves them to disk when memory is short.

In each function, `folder` is for the file; `None`: the array is in memory.
"""

from __future__ import annotations

import io
import os
import sys
import tempfile
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import DTypeLike, NDArray

Value = TypeVar("Value", bound=np.generic)


class ArrayFile:
    """A file to which arrays are appended, and which then is one array."""

    def __init__(self, kind: DTypeLike, folder: Path | None = None) -> None:
        """Create the file."""
        self._kind = np.dtype(kind)
        self._length = 0
        self._file: Any = io.BytesIO() if folder is None else tempfile.TemporaryFile(dir=folder)

    def append(self, values: NDArray[Any]) -> None:
        """Append values, converted to the file's type."""
        self._file.write(values.astype(self._kind, copy=False).tobytes())
        self._length += values.size

    def array(self) -> NDArray[Any]:
        """Return all values as one array with one dimension, and close the file: the array is still in it."""
        if isinstance(self._file, io.BytesIO):
            return np.frombuffer(self._file.getbuffer(), self._kind)
        with self._file:
            self._file.flush()
            return _mapped(self._file, self._kind, self._length)


def empty_array(length: int, kind: type[Value], folder: Path | None) -> NDArray[Value]:
    """Return an array of zeros."""
    if folder is None:
        return np.zeros(length, kind)
    with tempfile.TemporaryFile(dir=folder) as file:
        allocate(file.fileno(), length * np.dtype(kind).itemsize)
        return _mapped(file, np.dtype(kind), length)


def allocate(file: int, size: int) -> None:
    """Give a file its size. A full disk is an error here; without its blocks, writing to the array would end the process."""
    if sys.platform == "linux" and size:
        os.posix_fallocate(file, 0, size)
    else:
        os.truncate(file, size)


def _mapped(file: Any, kind: np.dtype[Any], length: int) -> NDArray[Any]:
    return np.asarray(np.memmap(file, kind, "r+", shape=(length,))) if length else np.empty(0, kind)

"""The output folder: written beside the old one, then swapped in. A build that fails or is killed leaves the old site whole."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ranvier_builder.errors import OutputError

ENTRY = "_ranvier/entry.json"


@contextmanager
def swapped_in(out: Path, content: Path) -> Iterator[Path]:
    """Give a fresh folder to write into; on success it takes `out`'s place, on failure it is removed.

    Raises:
        OutputError: `out` is or holds something that a build must not replace.

    """
    out = Path(os.path.realpath(out))  # a link stays, and leads to the new site
    backup = out.with_name(f".{out.name}.ranvier-old")
    _recover(out, backup)
    _refuse_to_destroy(out, content)
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        fresh = Path(tempfile.mkdtemp(prefix=f".{out.name}.ranvier-", dir=out.parent))
    except OSError as error:
        raise OutputError(f"cannot be written: {error.strerror}", file=out, cure="name another folder with -o") from None
    try:
        fresh.chmod(0o755)
        yield fresh
        _swap(fresh, out, backup)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def _recover(out: Path, backup: Path) -> None:
    """Undo a swap that was killed halfway: the old site lies under the backup's name."""
    if backup.exists():
        if out.exists():
            shutil.rmtree(backup)
        else:
            backup.rename(out)


def _refuse_to_destroy(out: Path, content: Path) -> None:
    inner, outer = out.resolve(), content.resolve()
    if outer == inner or outer.is_relative_to(inner):
        raise OutputError("holds the content itself", file=out, cure="name another folder with -o")
    if out.exists() and not out.is_dir():
        raise OutputError("is a file", file=out, cure="name a folder with -o")
    if out.is_dir() and any(out.iterdir()) and not (out / ENTRY).is_file():
        raise OutputError(
            "is not empty and was not built by ranvier", file=out, cure="empty it, or name another folder with -o"
        )


def _swap(fresh: Path, out: Path, backup: Path) -> None:
    try:
        if out.exists():
            out.rename(backup)
        fresh.rename(out)
    except OSError as error:
        if not out.exists():
            with suppress(OSError):
                backup.rename(out)
        raise OutputError(f"cannot be swapped in: {error.strerror}", file=out, cure="see who may write there") from None
    shutil.rmtree(backup, ignore_errors=True)

"""The output folder: written beside the old one, then swapped in. A build that fails or is killed leaves the old site whole."""

from __future__ import annotations

import os
import re
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
        fresh = Path(tempfile.mkdtemp(prefix=f".{out.name}.ranvier-new-{os.getpid()}-", dir=out.parent))
    except OSError as error:
        raise OutputError(f"cannot be written: {error.strerror}", file=out, cure="name another folder with -o") from None
    try:
        fresh.chmod(0o755)
        yield fresh
        _swap(fresh, out, backup)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def _recover(out: Path, backup: Path) -> None:
    """Undo what a killed build left: its unfinished folder, and the old site under the backup's name."""
    for left in sorted(out.parent.glob(f".{out.name}.ranvier-new-*")):
        if _abandoned(left):
            shutil.rmtree(left, ignore_errors=True)
    if backup.exists():
        if out.exists():
            _keep_what_is_not_ours(backup, out)
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
    _keep_what_is_not_ours(backup, out)
    shutil.rmtree(backup, ignore_errors=True)


def _abandoned(folder: Path) -> bool:
    """Tell whether the build that began a folder is gone; its process's number is in the folder's name."""
    number = re.search(r"ranvier-new-(\d+)-", folder.name)
    if number is None or os.name == "nt":  # there, asking after a process by signal 0 would end it
        return False
    try:
        os.kill(int(number[1]), 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False


def _keep_what_is_not_ours(backup: Path, out: Path) -> None:
    """Carry over what hosts and version control put beside a site: `.git`, `.well-known`, `CNAME`."""
    for kept in sorted(backup.iterdir()) if backup.is_dir() else ():
        if (kept.name.startswith(".") or kept.name == "CNAME") and not (out / kept.name).exists():
            kept.rename(out / kept.name)

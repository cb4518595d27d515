"""The output folder: written beside the old one, then swapped in. A build that fails or is killed leaves the old site whole."""

from __future__ import annotations

import glob
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ranvier_builder.errors import OutputError

BASE = "_ranvier"
ENTRY = "_ranvier/entry.json"
WRITTEN = "_ranvier/written.txt"
LOADER = "_ranvier/search.js"  # stands in every site that another generator built and `ranvier index` added search to
WORKER = "ranvier-sw.js"  # the service worker, at a built site's top
WORKER_BESIDE = "sw.js"  # the same, in the base, where the rest of the site is somebody else's
BUILDS = "builds.json"  # the builds whose files are in the base
# Files of the base whose names stay whatever is in them.
UNHASHED = frozenset((*(Path(name).name for name in (ENTRY, WRITTEN, LOADER)), WORKER_BESIDE, BUILDS))
_CURE = "name another folder with -o"


@contextmanager
def swapped_in(out: Path, content: Path | None, *, entry: str = ENTRY, cure: str = _CURE) -> Iterator[Path]:
    """Give a fresh folder to write into; on success it takes `out`'s place, on failure it is removed.

    `entry` is the file by which a folder is known to be ours to replace; `content` is what it must not hold.

    Raises:
        OutputError: `out` is or holds something that must not be replaced.

    """
    out = Path(os.path.realpath(out))  # a link stays, and leads to the new site
    if not out.name:
        raise OutputError("is no folder for a site", file=out, cure=cure)
    backup = out.with_name(f".{out.name}.ranvier-old")
    try:
        _recover(out, backup)
        _refuse_to_destroy(out, content, entry, cure)
        out.parent.mkdir(parents=True, exist_ok=True)
        fresh = Path(tempfile.mkdtemp(prefix=f".{out.name}.ranvier-new-", dir=out.parent))
    except OSError as error:
        raise OutputError(f"cannot be written: {error.strerror}", file=out, cure=cure) from None
    with _locked(fresh):
        try:
            yield fresh
            _swap(fresh, out, backup)
        except OSError as error:
            raise OutputError(f"the build stopped: {error}", file=out, cure="see whether the disk is full") from None
        finally:
            shutil.rmtree(fresh, ignore_errors=True)


@contextmanager
def _locked(folder: Path) -> Iterator[bool]:
    """Hold a lock on a folder that the system lets go of when the process ends, however it ends; tell whether it was free."""
    try:
        import fcntl
    except ImportError:  # Windows: nothing is locked, and nothing is taken for abandoned
        yield False
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield True
    except BlockingIOError:
        yield False
    finally:
        os.close(handle)


def _recover(out: Path, backup: Path) -> None:
    """Undo what a killed build left: its unfinished folder, and the old site under the backup's name."""
    for left in sorted(out.parent.glob(f".{glob.escape(out.name)}.ranvier-new-*")):
        with _locked(left) as abandoned:
            if abandoned:
                shutil.rmtree(left, ignore_errors=True)
    if backup.exists():
        if out.exists():
            _keep_what_is_not_ours(backup, out)
            shutil.rmtree(backup)
        else:
            backup.rename(out)


def _refuse_to_destroy(out: Path, content: Path | None, entry: str, cure: str) -> None:
    if content is not None and content.resolve().is_relative_to(out.resolve()):
        raise OutputError("holds the content itself", file=out, cure=cure)
    if out.exists() and not out.is_dir():
        raise OutputError("is a file", file=out, cure=cure)
    if out.is_dir() and any(out.iterdir()) and not (out / entry).is_file():
        raise OutputError("is not empty and was not built by ranvier", file=out, cure=f"empty it, or {cure}")
    if (out / LOADER).is_file() and not (out / WRITTEN).is_file():
        raise OutputError("holds another generator's site, to which ranvier index added search", file=out, cure=cure)


def _swap(fresh: Path, out: Path, backup: Path) -> None:
    try:
        fresh.chmod(0o755)  # until it was proved to hold nothing withheld, nobody else could look into it
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


def _keep_what_is_not_ours(backup: Path, out: Path) -> None:
    """Carry over what others put beside a site: `.git`, `CNAME`, `robots.txt`. What a build wrote is in its own list."""
    of_an_index = (backup / Path(ENTRY).name).is_file() and not (backup / ENTRY).is_file()
    if not backup.is_dir() or of_an_index:  # in a base itself nobody else has anything
        return
    listing = backup / WRITTEN
    ours = set(listing.read_text("utf-8").splitlines()) if listing.is_file() else None
    for kept in sorted(backup.iterdir()):
        foreign = kept.name not in ours if ours is not None else kept.name.startswith(".") or kept.name == "CNAME"
        if foreign and not (out / kept.name).exists():
            kept.rename(out / kept.name)


def list_written(fresh: Path) -> None:
    """Note what stands at the top of a finished site, for the build after this one."""
    (fresh / WRITTEN).write_text("".join(f"{item.name}\n" for item in sorted(fresh.iterdir())), "utf-8", newline="\n")

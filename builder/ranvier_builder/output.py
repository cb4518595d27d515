"""The output folder: written beside the old one, then swapped in. If a build fails or is killed, the old site is unchanged.

A build removes only files that a build wrote: each build lists its files in `written.txt`, and all other files of the old
folder are moved to the new one. If the new site has a file of the same name, nothing is swapped in, and the error names it.
"""

from __future__ import annotations

import errno
import filecmp
import glob
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from ranvier_builder.errors import OutputError
from ranvier_builder.paths import files_below

BASE = "_ranvier"
ENTRY = "entry.json"  # in the base; it marks a folder as ours
WRITTEN = "written.txt"  # in the base: the files that the build wrote
LOADER = "search.js"  # in the base of another generator's site to which `ranvier index` added search
WORKER = "ranvier-sw.js"  # the service worker, at a built site's top
WORKER_BESIDE = "sw.js"  # the same, in the base, if the rest of the site is not ours
LAYERS = "layers"  # in the base: encrypted layers. Not in the list of written files, so that the list says nothing about them
LICENSES = "licenses.txt"  # in the base: the licences of the published software
# Files of the base with fixed names.
UNHASHED = frozenset((ENTRY, WRITTEN, LOADER, WORKER_BESIDE, LICENSES))
_CURE = "name another folder with -o"


@dataclass(frozen=True, slots=True)
class Workspace:
    """Two folders of one build: `site` is swapped in, `scratch` is always removed at the end."""

    site: Path
    scratch: Path


@contextmanager
def replace_output(out: Path, content: Path | None, *, base: str = BASE, cure: str = _CURE) -> Iterator[Workspace]:
    """Return new folders to write into; on success the site replaces `out`, on failure all is removed.

    `base` is the folder below `out` that holds the entry file and the list of written files; `content` must not be inside
    `out`.

    Raises:
        OutputError: `out` is or contains something that must not be replaced, or it cannot be written.

    """
    try:
        out = Path(os.path.realpath(out))  # a link is kept, and points to the new site
        if not out.name or out.is_symlink():
            raise OutputError(
                "is a symbolic link without a target" if out.name else "is not a folder for a site", file=out, cure=cure
            )
        backup = out.with_name(f".{out.name}.ranvier-old")
        _recover(out, backup, base)
        _check_replaceable(out, content, base, cure)
        out.parent.mkdir(parents=True, exist_ok=True)
        temporary = Path(tempfile.mkdtemp(prefix=f".{out.name}.ranvier-new-", dir=out.parent))
    except OSError as error:
        more = f"check the permissions of the folder, or {cure}"
        raise OutputError(f"cannot be written: {error.strerror}", file=out, cure=more) from None
    with _locked(temporary):
        try:
            work = Workspace(temporary / "site", temporary / "scratch")  # private: the site is not proved yet
            work.site.mkdir()
            work.scratch.mkdir()
            yield work
            _swap(work.site, out, backup, base)
        except (OSError, sqlite3.OperationalError) as error:
            cure = "check whether the disk is full, and the permissions of the folder"
            raise OutputError(f"the build stopped: {error}", file=out, cure=cure) from None
        finally:
            shutil.rmtree(temporary, ignore_errors=True)


def list_written(site: Path, base: Path) -> None:
    """List the files of a finished site, for the next build."""
    listing = (base / WRITTEN).relative_to(site).as_posix()
    names = sorted({*files_below(site), listing})
    (base / WRITTEN).write_text("".join(f"{name}\n" for name in names), "utf-8", newline="\n")


@contextmanager
def _locked(folder: Path) -> Iterator[bool]:
    """Hold a lock on a folder, which the system releases when the process ends; yield whether it was free."""
    try:
        import fcntl
    except ImportError:  # Windows: no locks, and no folder counts as abandoned
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


def _recover(out: Path, backup: Path, base: str) -> None:
    """Clean up after a killed build: remove its unfinished folder, and restore the old site from the backup."""
    for folder in sorted(out.parent.glob(f".{glob.escape(out.name)}.ranvier-new-*")):
        with _locked(folder) as is_abandoned:
            if is_abandoned:
                shutil.rmtree(folder, ignore_errors=True)
    if backup.exists():
        if out.exists():
            _keep_foreign_files(backup, out, base)
            with suppress(FileNotFoundError):  # another build that ends now removes it
                shutil.rmtree(backup)
        else:
            backup.rename(out)


def _check_replaceable(out: Path, content: Path | None, base: str, cure: str) -> None:
    if content is not None and Path(os.path.realpath(content)).is_relative_to(out):
        raise OutputError("contains the content folder", file=out, cure=cure)
    if out.exists() and not out.is_dir():
        raise OutputError("is a file", file=out, cure=cure)
    if os.path.ismount(out):  # as in a container
        raise OutputError("is mounted, so it cannot be replaced", file=out, cure="name a folder inside of it")
    if (out / BASE / LOADER).is_file():
        raise OutputError("contains another generator's site, to which ranvier index added search", file=out, cure=cure)
    if not out.is_dir() or not any(out.iterdir()):
        return
    if not (out / base / ENTRY).is_file():
        raise OutputError("is not empty and was not built by ranvier", file=out, cure=f"empty it, or {cure}")
    if not (out / base / WRITTEN).is_file():
        message = "does not list the files that ranvier wrote, so the build cannot know which files it may remove"
        raise OutputError(message, file=out / base / WRITTEN, cure=f"empty the folder, or {cure}")


def _swap(site: Path, out: Path, backup: Path, base: str) -> None:
    _check_collisions(out, site, base)
    try:
        if out.exists():
            out.rename(backup)
        site.rename(out)
    except OSError as error:
        if not out.exists():
            with suppress(OSError):
                backup.rename(out)
        # The folder was renamed, removed or filled since the build started.
        is_race = error.errno in (errno.ENOENT, errno.EEXIST, errno.ENOTEMPTY)
        reason = "another build wrote the folder at the same time" if is_race else error.strerror
        cure = "build again" if is_race else "check the permissions of the folder"
        raise OutputError(f"cannot be swapped in: {reason}", file=out, cure=cure) from None
    _keep_foreign_files(backup, out, base)
    shutil.rmtree(backup, ignore_errors=True)


def _foreign(old: Path, base: str) -> Iterator[str]:
    """Yield the parts of an old site that no build wrote: files, and folders without files of ours."""
    listing = old / base / WRITTEN
    if not listing.is_file():
        return
    written = {*listing.read_text("utf-8").splitlines()}
    folders = {name[:at] for name in written for at, character in enumerate(name) if character == "/"}
    parents = [""]
    for parent in parents:
        with suppress(PermissionError, FileNotFoundError), os.scandir(old / parent) as entries:
            for entry in entries:
                name, is_folder = f"{parent}{entry.name}", entry.is_dir(follow_symlinks=False)
                if is_folder and name in folders:
                    parents.append(f"{name}/")
                elif name != f"{base}/{LAYERS}" and (is_folder or name not in written):
                    yield name


def foreign_files(site: Path) -> list[str]:
    """Return the files of a built site that no build wrote, except those whose path has a name that starts with a dot."""
    names = [name for name in _foreign(site, BASE) if not any(part.startswith(".") for part in name.split("/"))]
    files = [f"{top}/{name}" for top in names if _is_folder(site / top) for name in files_below(site / top)]
    return sorted([*files, *(top for top in names if (site / top).is_file())])


def _check_collisions(old: Path, site: Path, base: str) -> None:
    """Raise an error if a file that no build wrote and a new file have the same name."""
    collisions = [file for name in sorted(_foreign(old, base)) for file in _collisions(old, site, name)]
    if collisions:
        more = f"; the same is true of {len(collisions) - 1:,} more" if len(collisions) > 1 else ""
        message = f"was not written by ranvier, and the new site has a file of that name{more}"
        raise OutputError(message, file=collisions[0], cure="move the file, or rename the page")


def _collisions(old: Path, site: Path, name: str) -> Iterator[Path]:
    """Yield the files below `old / name` that conflict with the new site; two folders are merged, file by file."""
    old_file, new_file = old / name, site / name
    if _is_folder(old_file) and not new_file.is_file():
        for item in sorted(old_file.iterdir()):
            yield from _collisions(old, site, f"{name}/{item.name}")
    elif _is_folder(old_file):
        yield next((file for file in sorted(old_file.rglob("*")) if not _is_folder(file)), old_file)
    elif new_file.exists() and not (
        new_file.is_file() and old_file.is_file() and filecmp.cmp(old_file, new_file, shallow=False)
    ):
        yield old_file
    elif any((site / parent).is_file() for parent in Path(name).parents):
        yield old_file


def _is_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()


def _keep_foreign_files(backup: Path, out: Path, base: str) -> None:
    """Move files that no build wrote into the new site: `.git`, `CNAME`, `robots.txt`, files below a page's folder."""
    for name in sorted(_foreign(backup, base)) if backup.is_dir() else ():
        _move(backup / name, out / name)


def _move(old: Path, new: Path) -> None:
    if _is_folder(old) and new.is_dir():
        for item in sorted(old.iterdir()):
            _move(item, new / item.name)
    elif not new.exists():
        new.parent.mkdir(parents=True, exist_ok=True)
        old.rename(new)

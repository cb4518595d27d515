"""Reading the content: only what changed since the last build is opened."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from ranvier_builder.config import Config
from ranvier_builder.model import Neuron, Warn
from ranvier_builder.read.items import Item, read_item, unread
from ranvier_builder.work import codec
from ranvier_builder.work.database import WorkingDatabase
from ranvier_builder.work.limits import SIMPLER, Unfinished, each, size
from ranvier_builder.work.pool import shared_out

_SETTLED = 2_000_000_000  # ns: a file system may tell times apart no finer than that


@dataclass(frozen=True, slots=True)
class ReadSource:
    """A Neuron as it was read, and the digest of the files that it was read from."""

    neuron: Neuron
    warnings: tuple[Warn, ...]
    digest: bytes


@dataclass(frozen=True, slots=True)
class _Job:
    """What is to be read, and the digest of what was read from it before."""

    item: Item
    digest: bytes


@dataclass(frozen=True, slots=True)
class _Read:
    stamp: bytes
    digest: bytes
    content: tuple[Neuron, tuple[Warn, ...]] | None  # `None`: the files are what they were


def read_items(
    root: Path,
    items: Sequence[Item],
    config: Config,
    database: WorkingDatabase | None,
    executor: Executor | None,
    done: Callable[[int], None],
    *,
    copy: bool = False,
) -> list[ReadSource]:
    """Read every item, in order. One whose files look as they did (size, times, inode) is not opened.

    One that takes too much time or memory is withheld, and is read again by the next build.

    `copy`: the folder is the reduced copy of a content folder. What is remembered of both is kept apart; what was read from a
    file of the content holds for the copy of it where the bytes are the same.
    """
    kept = database.items() if database else {}
    if database and copy:
        kept |= database.items(copy=True)
    sources: dict[str, ReadSource] = {}
    todo = []
    for item in items:
        row = kept.get(item.path)
        if row is not None and row[0] and row[0] == _stamp(root, item):
            sources[item.path] = _remembered(row[1], row[2], row[3])
            done(1)
        else:
            todo.append(_Job(item, row[1] if row is not None else b""))
    fresh = shared_out(partial(_read_batch, root, config), todo, partial(_weight, root), executor, done)
    for job, read in zip(todo, fresh, strict=True):
        if isinstance(read, Unfinished):
            sources[job.item.path] = ReadSource(unread(job.item), (left_out(job.item.path, read),), b"")
        else:
            sources[job.item.path] = _kept(database, job.item.path, read, kept.get(job.item.path), copy)
    if database:
        database.forget_items(sources, copy=copy)
    return [sources[item.path] for item in items]


def left_out(path: str, unfinished: Unfinished) -> Warn:
    """Return the warning that a file is left out."""
    return Warn(path, "limit", f"{unfinished.why}: left out; {SIMPLER}")


def _remembered(digest: bytes, neuron: bytes, warnings: bytes) -> ReadSource:
    return ReadSource(codec.neuron(neuron), codec.warns(codec.unpack(warnings)), digest)


def _kept(
    database: WorkingDatabase | None, path: str, read: _Read, row: tuple[bytes, bytes, bytes, bytes] | None, copy: bool
) -> ReadSource:
    """Take what a process read, or what is remembered of files that turned out to be the same; remember it."""
    if read.content is None:
        assert row is not None
        neuron, warnings = row[2:]
        source = _remembered(read.digest, neuron, warnings)
    else:
        source = ReadSource(*read.content, read.digest)
        neuron, warnings = codec.pack(source.neuron), codec.pack(source.warnings)
    if database:
        database.keep_item(path, read.stamp, read.digest, neuron, warnings, copy=copy)
    return source


def _read_batch(root: Path, config: Config, batch: list[_Job]) -> list[_Read | Unfinished]:
    return each(partial(_read, root, config), batch, partial(_weight, root))


def _weight(root: Path, job: _Job) -> int:
    return size(*(root / path for path in (job.item.path, *job.item.companions)))


def _read(root: Path, config: Config, job: _Job) -> _Read:
    before = _stamp(root, job.item)
    settled = before if _is_settled(before) else b""
    digest = _digest(root, job.item)
    if digest and digest == job.digest:
        return _Read(settled, digest, None)
    neuron, warnings = read_item(root, job.item, config)
    # A file that is being written now may be one thing for the digest and another for the reader: never trust that again.
    whole = bool(before) and before == _stamp(root, job.item)
    return _Read(settled if whole else b"", digest if whole else b"", (neuron, tuple(warnings)))


def _digest(root: Path, item: Item) -> bytes:
    digest = hashlib.sha256()
    for path in (item.path, *item.companions):
        try:
            with (root / path).open("rb") as file:  # a film is not read into memory
                content = hashlib.file_digest(file, "sha256").digest()
        except OSError:
            return b""
        digest.update(path.encode("utf-8", "surrogateescape") + b"\0" + content)
    return digest.digest()


def _stamp(root: Path, item: Item) -> bytes:
    """Say how an item's files look from outside; empty where one is gone."""
    rows = []
    try:
        for path in (item.path, *item.companions):
            seen = (root / path).stat()
            rows.append((path, seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns, seen.st_ino, seen.st_dev))
    except OSError:
        return b""
    return codec.pack(rows)


def _is_settled(stamp: bytes) -> bool:
    """Tell whether no file may still change within the tick in which it changed last: then its looks say enough."""
    return bool(stamp) and max(max(row[2], row[3]) for row in codec.unpack(stamp)) <= time.time_ns() - _SETTLED

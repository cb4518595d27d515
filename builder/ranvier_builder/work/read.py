"""Read the content: only files that changed since the last build are opened."""

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
from ranvier_builder.read.items import Item, read_item, unreadable_neuron
from ranvier_builder.work import codec
from ranvier_builder.work.database import WorkingDatabase
from ranvier_builder.work.limits import SIMPLIFY, Unfinished, each, size
from ranvier_builder.work.page_store import PageMemory
from ranvier_builder.work.pool import map_batches

_SETTLE_TIME = 2_000_000_000  # ns; file systems may have no finer time resolution
_Job = tuple[Item, bytes]  # an item to read, and the digest of its files at the last build


@dataclass(frozen=True, slots=True)
class ReadSource:
    """A Neuron with its warnings."""

    neuron: Neuron
    warnings: tuple[Warn, ...]


@dataclass(frozen=True, slots=True)
class _Result:
    stamp: bytes
    digest: bytes
    content: tuple[Neuron, tuple[Warn, ...]] | None  # `None`: the files are unchanged


def read_items(
    root: Path,
    items: Sequence[Item],
    config: Config,
    database: WorkingDatabase,
    executor: Executor | None,
    progress: Callable[[int], None],
    page_store: PageMemory,
    *,
    copy: bool,
) -> list[ReadSource]:
    """Read every item, in order. An item with unchanged files (size, times, inode) is not opened.

    An item that takes too much time or memory is withheld, and is read again by the next build.

    `copy`: the folder is the reduced copy of a content folder. Both are cached separately; the cached result for a content file
    is also used for its copy if the bytes are equal.
    """

    def stored(source: ReadSource) -> ReadSource:
        return ReadSource(page_store.without_body(source.neuron), source.warnings)

    cached = database.items(copy=copy)
    sources: dict[str, ReadSource] = {}
    todo = []
    for item in items:
        row = cached.get(item.path)
        if row is not None and row[0] and row[0] == _stamp(root, item):
            sources[item.path] = stored(_unpacked(*database.item(item.path, copy=row[2])))
            progress(1)
        else:
            todo.append((item, row[1] if row is not None else b""))
    fresh = map_batches(partial(_read_batch, root, config), todo, partial(_weight, root), executor, progress)
    for (item, _), result in zip(todo, fresh, strict=True):
        if isinstance(result, Unfinished):
            sources[item.path] = ReadSource(unreadable_neuron(item), (skipped_warning(item.path, result),))
        else:
            sources[item.path] = stored(_keep(database, item.path, result, cached.get(item.path), copy))
    database.forget_items(sources, copy=copy)
    return [sources[item.path] for item in items]


def skipped_warning(path: str, unfinished: Unfinished) -> Warn:
    """Return the warning that a file is skipped."""
    return Warn(path, "limit", f"{unfinished.reason}: left out; {SIMPLIFY}")


def _unpacked(neuron: bytes, warnings: bytes) -> ReadSource:
    return ReadSource(Neuron(*codec.unpack(neuron)), codec.decoded(Warn, codec.unpack(warnings)))


def _keep(
    database: WorkingDatabase, path: str, result: _Result, row: tuple[bytes, bytes, bool] | None, copy: bool
) -> ReadSource:
    """Return the fresh result of a process, or the cached result if the files are the same, and cache it."""
    if result.content is None:
        assert row is not None
        neuron, warnings = database.item(path, copy=row[2])
        source = _unpacked(neuron, warnings)
    else:
        source = ReadSource(*result.content)
        neuron, warnings = codec.pack(source.neuron), codec.pack(source.warnings)
    database.keep_item(path, result.stamp, result.digest, neuron, warnings, copy=copy)
    return source


def _read_batch(root: Path, config: Config, batch: list[_Job]) -> list[_Result | Unfinished]:
    return each(partial(_read, root, config), batch, partial(_weight, root))


def _weight(root: Path, job: _Job) -> int:
    item, _ = job
    return size(*(root / path for path in (item.path, *item.companions)))


def _read(root: Path, config: Config, job: _Job) -> _Result:
    item, last_digest = job
    stamp = _stamp(root, item)
    reusable_stamp = stamp if _is_settled(stamp) else b""
    digest = _digest(root, item)
    if digest and digest == last_digest:
        return _Result(reusable_stamp, digest, None)
    neuron, warnings = read_item(root, item, config)
    # A file may have changed between the digest and the reader: then the result is not reused.
    is_unchanged = bool(stamp) and stamp == _stamp(root, item)
    return _Result(reusable_stamp if is_unchanged else b"", digest if is_unchanged else b"", (neuron, tuple(warnings)))


def _digest(root: Path, item: Item) -> bytes:
    digest = hashlib.sha256()
    for path in (item.path, *item.companions):
        try:
            with (root / path).open("rb") as file:  # videos are not read into memory
                content = hashlib.file_digest(file, "sha256").digest()
        except OSError:
            return b""
        digest.update(path.encode("utf-8", "surrogateescape") + b"\0" + content)
    return digest.digest()


def _stamp(root: Path, item: Item) -> bytes:
    """Return the metadata of an item's files; empty if one is missing."""
    rows = []
    try:
        for path in (item.path, *item.companions):
            stat = (root / path).stat()
            rows.append((path, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns, stat.st_ino, stat.st_dev))
    except OSError:
        return b""
    return codec.pack(rows)


def _is_settled(stamp: bytes) -> bool:
    """Return whether all changes are old enough for a reliable stamp: any later change has another time."""
    return bool(stamp) and max(max(row[2], row[3]) for row in codec.unpack(stamp)) <= time.time_ns() - _SETTLE_TIME

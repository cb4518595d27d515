"""Stores written by a test, and snapshots opened from them without an engine."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ranvier.store.format import FORMAT, checked_by_name
from ranvier.store.manifest import read_manifest
from ranvier.store.snapshot import Snapshot
from ranvier.store.source import FolderSource, SparseFile
from ranvier_builder.model import Rendered
from ranvier_builder.write.facts import Collection
from ranvier_builder.write.store import StoreResult, write_store


def write_entry(base: Path, make_store: StoreResult) -> None:
    """Write the entry file that names a store."""
    entry = {"format": FORMAT, "manifest": make_store.manifest, "hot": make_store.hot, "lists": make_store.lists}
    (base / "entry.json").write_text(json.dumps(entry), "utf-8")


def make_store(
    folder: Path, rendered: Sequence[Rendered], assets: dict[str, Path] | None = None, collection: Collection | None = None
) -> StoreResult:
    """Write a store below `folder/base`; `folder/work` keeps the database that it was split from."""
    for name in ("base", "work"):
        (folder / name).mkdir(parents=True)
    result = write_store(folder / "base", folder / "work", rendered, collection or Collection("site"), assets or {})
    write_entry(folder / "base", result)
    return result


class Recording(SparseFile):
    """A page file that records the pages that it received."""

    def __init__(self) -> None:
        super().__init__()
        self.pages: set[int] = set()

    def put(self, first_page: int, data: bytes) -> None:
        super().put(first_page, data)
        self.pages |= set(range(first_page, first_page + len(data) // 4096))


class StoreReader:
    """A snapshot with its page file and its source."""

    def __init__(self, base: Path) -> None:
        self.source = FolderSource(base)
        self.pages = Recording()
        entry = self.source.entry()
        inner = {kind: checked_by_name(entry[kind], self.source.read(entry[kind])) for kind in ("manifest", "hot")}
        self.snapshot = Snapshot(read_manifest(inner["manifest"]), inner["hot"], self.pages)

    def rows(self, sql: str, parameters: tuple[Any, ...] = (), *packs: str) -> list[Any]:
        """Run a query with its packs, and answer its needs."""
        from support.content import drive

        results: list[Any] = drive(self.snapshot.query(sql, parameters, (), packs), self.source)[0]
        return results


@contextmanager
def open_store(base: Path) -> Iterator[StoreReader]:
    """Open a store's snapshot."""
    first = StoreReader(base)
    try:
        yield first
    finally:
        first.snapshot.close()
        first.pages.close()

"""Do the tables of a snapshot agree with each other, with the manifest and with what hits show?"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from ranvier.errors import RanvierError
from ranvier.store.fetch import Steps
from ranvier.store.format import checked, checked_by_name, unpack
from ranvier.store.manifest import SUBSTRING, Leaves, Manifest, read_leaves, read_manifest
from ranvier.store.snapshot import Snapshot
from ranvier.store.source import FolderSource, SparseFile, answer
from ranvier.store.texts import read_shard
from ranvier.store.words import read_words

# Numbers of Neurons in the tables of facts.
_NUMBERS = (
    ("name", "n"),
    ("tag", "n"),
    ("link", "source"),
    ("link", "target"),
    ("derived", "n"),
    ("derived", "source"),
    ("note", "n"),
    ("neuron", "parent"),
)
_CARD = ("id", "seq_id", "slug", "title", "url", "path", "kind", "modality", "lang", "updated")


def read_tables(base: Path, manifest: Manifest) -> tuple[dict[str, Leaves], bool]:
    """Return what is said about each table's posting files, and whether that is all: the pack of substrings may be damaged."""
    pack = manifest.packs.get(SUBSTRING)
    if pack is None:
        return dict(manifest.tables), True
    try:
        name = pack.files.name(0)
        raw: Any = unpack(name, checked(name, (base / name).read_bytes(), pack.files.digest(0)))
        return manifest.tables | {table: read_leaves(leaves) for table, leaves in raw["tables"].items()}, True
    except (OSError, RanvierError, LookupError, TypeError, ValueError, AttributeError):
        return dict(manifest.tables), False


def disagreements(base: Path) -> list[str]:
    """Say where tables, manifest and texts count differently; one sentence each."""
    source = FolderSource(base)
    try:
        entry = source.entry()
        inner = {kind: checked_by_name(entry[kind], source.read(entry[kind])) for kind in ("manifest", "hot")}
        with closing(SparseFile()) as pages:
            with closing(Snapshot(read_manifest(inner["manifest"]), inner["hot"], pages)) as snapshot:
                return [*_rows(source, snapshot), *_facts(source, snapshot), *_words(source, snapshot.manifest)]
    except (sqlite3.Error, RanvierError) as error:
        return [f"the tables cannot be read: {error}"]


def _asked(source: FolderSource, steps: Steps[Any]) -> Any:
    try:
        need = next(steps)
        while True:
            need = steps.send(answer(source, need))
    except StopIteration as done:
        return done.value


def _count(source: FolderSource, snapshot: Snapshot, sql: str, *packs: str) -> int:
    found: int = _asked(source, snapshot.query(sql, (), (), packs))[0][0]
    return found


def _rows(source: FolderSource, snapshot: Snapshot) -> Iterator[str]:
    chunks, neurons = snapshot.manifest.chunk_count, snapshot.manifest.neuron_count
    substrings = chunks if SUBSTRING in snapshot.manifest.packs else 0
    for table, said in (("chunk_fts", chunks), ("neuron_fts", neurons), ("substring_fts", substrings)):
        found = _count(source, snapshot, f"SELECT count(*) FROM {table}_docsize", SUBSTRING)
        if found != said:
            yield f"rows of {table}: the manifest says {said:,}, the table has {found:,}"
    for what, row in (("weights", snapshot.weights), ("links", snapshot.linked)):
        if len(row) != neurons:
            yield f"{what} in the hot pack: {len(row):,}, for {neurons:,} Neurons"


def _facts(source: FolderSource, snapshot: Snapshot) -> Iterator[str]:
    neurons = snapshot.manifest.neuron_count
    found = _count(source, snapshot, "SELECT count(*) FROM neuron", "neuron")
    if found != neurons:
        yield f"Neurons: the manifest says {neurons:,}, the table has {found:,}"
    packs = tuple(snapshot.manifest.packs)
    for table, column in _NUMBERS:
        strange = _count(source, snapshot, f"SELECT count(*) FROM {table} WHERE {column} NOT BETWEEN 1 AND {neurons}", *packs)
        if strange:
            yield f"{strange:,} rows of {table} name a Neuron that is not there ({column})"
    sql = f"SELECT n, {', '.join(_CARD)} FROM neuron ORDER BY n"
    shown = _shown(source, snapshot.manifest)
    other = [n for n, *row in _asked(source, snapshot.query(sql, (), (), ("neuron",))) if shown.get(n) != row]
    if other:
        yield f"{len(other):,} Neurons are called otherwise in the texts than in the table, the first is number {other[0]}"


def _shown(source: FolderSource, manifest: Manifest) -> dict[int, list[Any]]:
    """Return what the texts say of each Neuron, by its number."""
    out = {}
    for number in range(len(manifest.text.sizes)):
        name = manifest.text.name(number)
        for chunk, passage in read_shard(name, checked(name, source.read(name), manifest.text.digest(number))).items():
            out[manifest.neuron_of(chunk)] = [getattr(passage.neuron, field) for field in _CARD]
    return out


def _words(source: FolderSource, manifest: Manifest) -> Iterator[str]:
    last = ""
    for number, first in enumerate(manifest.word_first):
        name = manifest.words.name(number)
        words = read_words(name, checked(name, source.read(name), manifest.words.digest(number)))
        row = [*words]
        if not row or row != sorted(row) or not last < first <= row[0]:
            yield f"the words of {name} are not where the manifest says"
        if not all(1 <= count <= manifest.neuron_count for count in words.values()):
            yield f"{name} counts Neurons that are not there"
        last = row[-1] if row else first

"""Puts the pieces on disk under `_ranvier/`: each named by its digest, the manifest after all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ranvier.store.format import FORMAT, deflate, digest, pack
from ranvier.store.manifest import steps
from ranvier.text import ANALYSER

from ranvier_builder.model import Rendered
from ranvier_builder.write.shards import write_shards
from ranvier_builder.write.snapshot import analysed, write_snapshot
from ranvier_builder.write.split import split_snapshot


@dataclass(frozen=True, slots=True)
class Stored:
    """What the entry file must name, and the number of chunks."""

    manifest: str
    hot: str
    chunks: int


def write_store(base: Path, work: Path, rendered: Sequence[Rendered], site: str, assets: dict[str, Path]) -> Stored:
    """Write everything that a search reads below `base`; `work` is a folder for what is not published."""
    indexed = [one for one in rendered if not one.page.neuron.noindex]
    database = work / "snapshot.sqlite"
    count = write_snapshot(database, (row for one in indexed for row in one.rows or analysed(one.page.neuron, one.chunks)))
    split = split_snapshot(database)
    shards, text_first = write_shards(indexed)
    hot = pack(split.hot)
    manifest = pack(
        {
            "format": FORMAT,
            "analyser": ANALYSER,
            "site": site,
            **split.head,
            "cold_pages": steps(split.head["cold_pages"]),
            "first_leaf": steps(split.head["first_leaf"]),
            "index": _put(base / "index", [deflate(data) for data in split.files]),
            "text": _put(base / "text", [pack(shard) for shard in shards]),
            "text_first": steps(text_first),
            "neuron_first": steps(_firsts(indexed)),
            "chunk_count": count,
            "assets": {name: _seal(file.read_bytes()) for name, file in sorted(assets.items())} | {"hot": _seal(hot)},
        }
    )
    return Stored(_named(base, "manifest", manifest), _named(base, "hot", hot), count)


def _firsts(indexed: Sequence[Rendered]) -> list[int]:
    first, out = 1, []
    for one in indexed:
        out.append(first)
        first += len(one.chunks)
    return out


def _seal(data: bytes) -> list[Any]:
    return [len(data), digest(data)]


def _put(folder: Path, contents: list[bytes]) -> list[Any]:
    """Write files named by their digests; return the digests in one row, and the sizes."""
    folder.mkdir(parents=True)
    for data in contents:
        (folder / f"{digest(data).hex()}.bin").write_bytes(data)
    return [b"".join(map(digest, contents)), [len(data) for data in contents]]


def _named(base: Path, kind: str, data: bytes) -> str:
    name = f"{kind}-{digest(data).hex()}.bin"
    (base / name).write_bytes(data)
    return name

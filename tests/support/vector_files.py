"""Changes the vectors of a built site; all digests up to the entry file are updated."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgpack
from ranvier.store.files import steps
from ranvier.store.format import DIGEST, checked_by_name, deflate, digest, inflate, pack, unpack


class VectorFolder:
    """The vector head and files of a site; `base` is its `_ranvier`. Use `open_vectors`, which writes the changes."""

    def __init__(self, base: Path) -> None:
        self.base = base
        self.entry = json.loads((base / "entry.json").read_bytes())
        name = self.entry["manifest"]
        self.manifest = unpack(name, checked_by_name(name, (base / name).read_bytes()))
        self.files: dict[str, Any] = self.manifest["vectors"]
        self.head: dict[str, Any] = unpack("head", self.read(self.files["head"], 0))

    def row(self, kind: str) -> list[Any]:
        """Return the digests and sizes of the `tokens`, `rows` or `shards`."""
        row: list[Any] = self.files[kind] if kind in self.files else self.head[kind]
        return row

    def name(self, kind: str, number: int) -> str:
        """Return a file's name below the base."""
        return f"vectors/{self.row(kind)[0][number * DIGEST :][:DIGEST].hex()}.bin"

    def read(self, row: list[Any], number: int) -> bytes:
        """Return a file, inflated."""
        name = f"vectors/{row[0][number * DIGEST :][:DIGEST].hex()}.bin"
        return inflate(name, (self.base / name).read_bytes())

    def data(self, kind: str, number: int) -> bytes:
        """Return the inflated data of one of the `tokens`, `rows` or `shards`."""
        return self.read(self.row(kind), number)

    def put(self, kind: str, number: int, data: bytes) -> None:
        """Replace the data of a file."""
        row, packed = self.row(kind), deflate(data)
        old = row[0][number * DIGEST :][:DIGEST]
        (self.base / f"vectors/{old.hex()}.bin").unlink()
        (self.base / f"vectors/{digest(packed).hex()}.bin").write_bytes(packed)
        row[0] = row[0][: number * DIGEST] + digest(packed) + row[0][(number + 1) * DIGEST :]
        row[1][number] = len(packed)

    def tokens(self, number: int) -> dict[str, int]:
        """Return the tokens of a file."""
        tokens, differences = unpack("tokens", self.data("tokens", number))
        return dict(zip(tokens.split("\n"), _sums(differences), strict=True))

    def shard(self, number: int) -> tuple[list[int], bytes]:
        """Return the chunks of a shard, and their vectors."""
        differences, columns = unpack("shard", self.data("shards", number))
        return _sums(differences), columns

    def put_shard(self, number: int, chunks: list[int], columns: bytes) -> None:
        """Put other chunks, or vectors, into a shard."""
        self.put("shards", number, msgpack.packb([steps(chunks), columns], use_bin_type=True))

    def without(self, number: int, place: int) -> None:
        """Remove the vector of one chunk."""
        chunks, columns = self.shard(number)
        count = len(chunks)
        remaining = b"".join(
            columns[at : at + place] + columns[at + place + 1 : at + count] for at in range(0, len(columns), count)
        )
        self.put_shard(number, chunks[:place] + chunks[place + 1 :], remaining)
        shards = unpack("shard_map", self.data("shard_map", 0))
        shards[chunks[place] - 1] = len(self.row("shards")[1])
        self.put("shard_map", 0, msgpack.packb(shards))
        self.head["count"] -= 1

    def close(self) -> None:
        """Write head, manifest and entry file."""
        (self.base / f"vectors/{self.files['head'][0].hex()}.bin").unlink()
        data = deflate(msgpack.packb(self.head, use_bin_type=True))
        self.files["head"] = [digest(data), [len(data)]]
        (self.base / f"vectors/{digest(data).hex()}.bin").write_bytes(data)
        (self.base / self.entry["manifest"]).unlink()
        packed = pack(self.manifest)
        self.entry["manifest"] = f"manifest-{digest(packed).hex()}.bin"
        (self.base / self.entry["manifest"]).write_bytes(packed)
        (self.base / "entry.json").write_text(json.dumps(self.entry))


@contextmanager
def open_vectors(site: Path) -> Iterator[VectorFolder]:
    """Open the vectors of a built site for changes."""
    folder = VectorFolder(site / "_ranvier")
    yield folder
    folder.close()


def _sums(differences: list[int]) -> list[int]:
    out, number = [], 0
    for step in differences:
        number += step
        out.append(number)
    return out

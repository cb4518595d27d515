"""The search data, put together again: every page's bytes, every term, each row's words in their order, every fact.

The core's own reader is used, for that is what anybody would use; nothing of what wrote the data is.
"""

from __future__ import annotations

import json
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing
from hashlib import sha256
from itertools import starmap
from pathlib import Path
from typing import Any, NamedTuple

from ranvier.store.docsize import decode, leaf_page
from ranvier.store.format import checked_by_name, inflate, unpack
from ranvier.store.manifest import Files, Leaves, Manifest, read_leaves, read_manifest
from ranvier.store.texts import Passage, read_shard
from ranvier.store.words import read_words

CHUNKS, NEURONS, SUBSTRINGS = "chunk_fts", "neuron_fts", "substring_fts"
FACTS = ("neuron", "name", "tag", "link", "derived", "note")


class Row(NamedTuple):
    """One column of a row of an index: its terms with a blank between them."""

    table: str
    number: int
    column: str
    terms: str


class Snapshot:
    """A site's search data, opened; to be closed. Raises whatever a damaged one makes the reader raise.

    `entry` names the manifest and the hot pack of an earlier build; without it, those of the entry file are read.
    """

    def __init__(self, base: Path, entry: Any = None) -> None:
        entry = entry or json.loads((base / "entry.json").read_bytes())
        self.hot = str(entry["hot"])
        self.manifest: Manifest = read_manifest(checked_by_name(entry["manifest"], (base / entry["manifest"]).read_bytes()))
        self.postings: set[str] = set()  # files that hold posting leaves and nothing else
        self._base = base
        self._pages: dict[int, bytes] = {}
        self._tables = dict(self.manifest.tables)
        self._hot_pages(unpack(self.hot, checked_by_name(self.hot, (base / self.hot).read_bytes())))
        for pack in self.manifest.packs.values():
            self._hot_pages(unpack("pack", self._read(pack.files, 0)))
        for leaves in self._tables.values():
            self._leaves(leaves)
        self._stack = ExitStack()
        self._db = self._opened()

    def __enter__(self) -> Snapshot:
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def _read(self, files: Files, number: int) -> bytes:
        name = files.name(number)
        return inflate(name, (self._base / name).read_bytes())

    def _hot_pages(self, hot: Any) -> None:
        size = self.manifest.page_size
        for first, data in hot["pages"]:
            self._keep(range(first, first + len(data) // size), data)
        for sizes in hot.get("docsize", {}).values():
            blobs, at = decode(sizes["columns"], sizes["plane"], sizes["large"]), 0
            for page, first_row, rows in sizes["pages"]:
                self._keep([page], leaf_page(size, first_row, blobs[at : at + rows]))
                at += rows
        self._tables |= {table: read_leaves(raw) for table, raw in hot.get("tables", {}).items()}

    def _leaves(self, leaves: Leaves) -> None:
        for number in range(len(leaves.files.sizes)):
            self._keep(leaves.pages_of(number), self._read(leaves.files, number))
            self.postings.add(leaves.files.name(number))

    def _keep(self, numbers: Iterable[int], data: bytes) -> None:
        size = self.manifest.page_size
        for at, number in enumerate(numbers):
            self._pages[number] = data[at * size : (at + 1) * size]

    def _opened(self) -> sqlite3.Connection:
        data = b"".join(self._pages[number] for number in sorted(self._pages))
        file = self._stack.enter_context(tempfile.NamedTemporaryFile(suffix=".db"))
        file.write(data)
        file.flush()
        return self._stack.enter_context(closing(sqlite3.connect(f"file:{file.name}?mode=ro&immutable=1", uri=True)))

    def digest(self, elsewhere: frozenset[str]) -> bytes:
        """Return the SHA-256 of all that is proved together: pages, words and texts, and whatever lies among the vectors.

        `elsewhere` are names below the base that are proved with another build.
        """
        said = sha256(b"".join(self._pages[number] for number in sorted(self._pages)))
        for files in (self.manifest.words, self.manifest.text):
            for number in range(len(files.sizes)):
                said.update(self._read(files, number))
        for file in sorted((self._base / "vectors").rglob("*")):
            if file.relative_to(self._base).as_posix() in elsewhere:
                continue
            said.update(f"{file.name}\0".encode("utf-8", "surrogateescape") + (b"" if file.is_dir() else file.read_bytes()))
        said.update(repr((self.manifest.neuron_first, self.manifest.langs, self.manifest.vectors)).encode())
        return said.digest()

    def vocabulary(self, table: str) -> dict[str, int]:
        """Return every term of an index, and how often it stands there."""
        self._db.execute(f"CREATE VIRTUAL TABLE IF NOT EXISTS temp.{table}_words USING fts5vocab('main', '{table}', 'row')")
        return dict(self._db.execute(f"SELECT term, cnt FROM temp.{table}_words"))

    def rows(self, table: str, where: str = "1") -> Iterator[Row]:
        """Yield the terms of every column of every row in their order, put together from the postings."""
        order = f"SELECT term, doc, col FROM {self._places(table)} WHERE {where} ORDER BY doc, col, offset"
        found = self._db.execute(f"SELECT ?, doc, col, group_concat(term, ' ') FROM ({order}) GROUP BY doc, col", (table,))
        yield from starmap(Row, found)

    def rows_with(self, table: str, terms: Iterable[str]) -> Iterator[Row]:
        """Yield the rows in which some terms stand."""
        places = self._places(table)
        found = (self._db.execute(f"SELECT DISTINCT doc FROM {places} WHERE term = ?", (term,)) for term in terms)
        numbers = sorted({number for rows in found for (number,) in rows})
        yield from self.rows(table, f"doc IN ({', '.join(map(str, numbers))})")

    def _places(self, table: str) -> str:
        name = f"temp.{table}_places"
        self._db.execute(f"CREATE VIRTUAL TABLE IF NOT EXISTS {name} USING fts5vocab('main', '{table}', 'instance')")
        return name

    def facts(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield every row of every other table, by its columns."""
        for table in FACTS:
            found = self._db.execute(f"SELECT * FROM {table}")
            names = [column[0] for column in found.description]
            yield from ((table, dict(zip(names, row, strict=True))) for row in found)

    def words(self) -> set[str]:
        """Return the words that misspelt ones are compared with."""
        files = self.manifest.words
        return {word for number in range(len(files.sizes)) for word in read_words("words", self._read(files, number))}

    def shown(self) -> dict[int, Passage]:
        """Read from the text shards what is shown of each chunk."""
        files = self.manifest.text
        shards = (read_shard("text", self._read(files, number)) for number in range(len(files.sizes)))
        return {number: passage for shard in shards for number, passage in shard.items()}

"""The search data, put together again: every page's bytes, every term, and each row's words in their order.

The core's own reader is used, for that is what anybody would use; nothing of what wrote the data is.
"""

from __future__ import annotations

import json
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import starmap
from pathlib import Path
from typing import Any, NamedTuple

from ranvier.store.docsize import decode, leaf_page
from ranvier.store.format import checked_by_name, inflate, unpack
from ranvier.store.manifest import Manifest, read_manifest
from ranvier.store.texts import NeuronCard

COLUMNS = ("title", "tags", "heading", "body")


class Row(NamedTuple):
    """One column of a row of the index: its terms with a blank between them."""

    number: int
    column: str
    terms: str


class Snapshot:
    """A site's search data. Raises whatever a damaged one makes the reader raise."""

    def __init__(self, base: Path) -> None:
        entry: Any = json.loads((base / "entry.json").read_bytes())
        self.hot = str(entry["hot"])
        self.manifest: Manifest = read_manifest(checked_by_name(entry["manifest"], (base / entry["manifest"]).read_bytes()))
        self._pages: dict[int, bytes] = {}
        self._base = base
        self._hot_pages(unpack(self.hot, checked_by_name(self.hot, (base / self.hot).read_bytes())))
        for number in range(len(self.manifest.index.sizes)):
            name = self.manifest.index.name(number)
            self._keep(self.manifest.pages_of(number), inflate(name, (base / name).read_bytes()))

    def _hot_pages(self, hot: Any) -> None:
        size = self.manifest.page_size
        for first, data in hot["pages"]:
            self._keep(range(first, first + len(data) // size), data)
        sizes = hot["docsize"]
        blobs, at = decode(sizes["columns"], sizes["plane"], sizes["large"]), 0
        for page, first_row, rows in sizes["pages"]:
            self._keep([page], leaf_page(size, first_row, blobs[at : at + rows]))
            at += rows

    def _keep(self, numbers: Any, data: bytes) -> None:
        size = self.manifest.page_size
        for at, number in enumerate(numbers):
            self._pages[number] = data[at * size : (at + 1) * size]

    def vocabulary(self) -> list[str]:
        """Return every term of the index."""
        with self._opened() as db:
            db.execute("CREATE VIRTUAL TABLE temp.words USING fts5vocab('main', 'chunk_fts', 'row')")
            return [str(term) for (term,) in db.execute("SELECT term FROM temp.words")]

    def rows(self) -> Iterator[Row]:
        """Yield the terms of every column of every row in their order, put together from the postings."""
        order = "SELECT term, doc, col FROM temp.places ORDER BY doc, col, offset"
        with self._opened() as db:
            db.execute("CREATE VIRTUAL TABLE temp.places USING fts5vocab('main', 'chunk_fts', 'instance')")
            yield from starmap(Row, db.execute(f"SELECT doc, col, group_concat(term, ' ') FROM ({order}) GROUP BY doc, col"))

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        data = b"".join(self._pages[number] for number in sorted(self._pages))
        with tempfile.NamedTemporaryFile(suffix=".db") as file:
            file.write(data)
            file.flush()
            with closing(sqlite3.connect(f"file:{file.name}?mode=ro&immutable=1", uri=True)) as db:
                yield db

    def shown(self) -> dict[int, dict[str, str]]:
        """Read from the text shards what is shown of each chunk, by the columns of the index."""
        found = {}
        title, tags = NeuronCard._fields.index("title"), NeuronCard._fields.index("tags")
        for number in range(len(self.manifest.text.sizes)):
            name = self.manifest.text.name(number)
            for first, card, chunks in unpack(name, inflate(name, (self._base / name).read_bytes())):
                for chunk, (_, headings, body, *_rest) in enumerate(chunks, first):
                    shown = (card[title], " ".join(card[tags]), " ".join(headings), body)
                    found[chunk] = dict(zip(COLUMNS, shown, strict=True))
        return found

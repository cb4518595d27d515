"""A second reader of the format, written from the format pages of the manual: it imports neither Ranvier nor any package.

    python reader.py SITE TERM

prints the pages that contain a term, best first by FTS5's bm25, as JSON. It fetches the files that a browser would fetch.
"""

import hashlib
import json
import sqlite3
import struct
import sys
import zlib
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path
from typing import Any

FORMAT, ANALYSER = 10, "multi-6"
LARGEST = 256 << 20
# The weights of the columns name, title, tags, heading, path and body: "What goes into which column" on the analyser's page.
WEIGHTS = "0, 3, 3, 3, 1.5, 1"
NUMBERS = dict(zip(range(0xCA, 0xD4), (">f", ">d", ">B", ">H", ">I", ">Q", ">b", ">h", ">i", ">q"), strict=True))
CODES = (0xC4, 0xC5, 0xC6, 0xD9, 0xDA, 0xDB, 0xDC, 0xDD, 0xDE, 0xDF)
LENGTHS = dict(zip(CODES, (">B", ">H", ">I", ">B", ">H", ">I", ">H", ">I", ">H", ">I"), strict=True))


def msgpack(data: bytes, at: int = 0) -> tuple[Any, int]:
    """Read one value; return it and the position after it."""
    code, at = data[at], at + 1
    if code < 0x80:
        return code, at
    if code >= 0xE0:
        return code - 256, at
    if code < 0xC0:
        kind, length = ("map", code & 15) if code < 0x90 else ("list", code & 15) if code < 0xA0 else ("str", code & 31)
    elif code in (0xC0, 0xC2, 0xC3):
        return {0xC0: None, 0xC2: False, 0xC3: True}[code], at
    elif code in NUMBERS:
        form = NUMBERS[code]
        return struct.unpack_from(form, data, at)[0], at + struct.calcsize(form)
    else:
        form = LENGTHS[code]
        length, at = struct.unpack_from(form, data, at)[0], at + struct.calcsize(form)
        kind = "bin" if code < 0xD0 else "str" if code < 0xDC else "list" if code < 0xDE else "map"
    if kind in ("bin", "str"):
        raw = data[at : at + length]
        return (raw if kind == "bin" else raw.decode()), at + length
    values = []
    for _ in range(length * (2 if kind == "map" else 1)):
        value, at = msgpack(data, at)
        values.append(value)
    return (values if kind == "list" else dict(zip(values[::2], values[1::2], strict=True))), at


def varint(number: int) -> bytes:
    """Write a number in the variable-length form of SQLite."""
    out = [number & 127]
    while number := number >> 7:
        out.append(number & 127 | 128)
    return bytes(reversed(out))


def names(pair: list[Any], folder: str) -> list[str]:
    """Return the names of the files of a pair of digests and sizes."""
    return [f"{folder}/{pair[0][12 * at : 12 * at + 12].hex()}.bin" for at in range(len(pair[1]))]


class Site:
    """A built site in a folder."""

    def __init__(self, folder: Path) -> None:
        self._base = folder / "_ranvier"
        entry = json.loads((self._base / "entry.json").read_text("utf-8"))
        if entry["format"] != FORMAT:
            raise ValueError(f"the site has format {entry['format']}")
        self.manifest = self._value(entry["manifest"])
        if (self.manifest["format"], self.manifest["analyser"]) != (FORMAT, ANALYSER):
            raise ValueError(f"the manifest has format {self.manifest['format']} and analyser {self.manifest['analyser']}")
        self._size = self.manifest["page_size"]
        self._database = bytearray(self._size * self.manifest["page_count"])
        self._place(self._value(entry["hot"]))

    def pages(self, term: str) -> list[dict[str, Any]]:
        """Return the pages that contain a term, best first: path, title, and score of FTS5."""
        for name in self._files(term.encode()):
            self._fetch(*name)
        for table in self.manifest["sizes"].values():  # a browser fetches only those of the rows that it ranks
            for name in names(table["files"], "packs"):
                self._sizes(self._value(name))
        database = sqlite3.connect(":memory:")
        database.deserialize(bytes(self._database))
        quoted = '"' + term.replace('"', '""') + '"'
        query = f"SELECT rowid, bm25(neuron_fts, {WEIGHTS}) FROM neuron_fts WHERE neuron_fts MATCH ? ORDER BY 2, 1"
        rows = database.execute(query, (quoted,)).fetchall()
        database.close()
        cards = [(self._card(row), score) for row, score in rows]
        return [{"path": card[5], "title": card[3], "score": -score} for card, score in cards]

    def _bytes(self, name: str) -> bytes:
        """Read a file: compare its digest, then decompress it."""
        data = (self._base / name).read_bytes()
        digest = name.rpartition("/")[2].rpartition("-")[2].removesuffix(".bin")
        if hashlib.sha256(data).hexdigest()[:24] != digest:
            raise ValueError(f"{name} has another digest")
        stream = zlib.decompressobj()
        content = stream.decompress(data, LARGEST)
        if not stream.eof or stream.unused_data:
            raise ValueError(f"{name} is cut short, too large, or has bytes after its end")
        return content

    def _value(self, name: str) -> Any:
        return msgpack(self._bytes(name))[0]

    def _write(self, page: int, data: bytes) -> None:
        self._database[(page - 1) * self._size : (page - 1) * self._size + len(data)] = data

    def _place(self, pack: dict[str, Any]) -> None:
        """Write the pages of the hot pack, of a pack or of a list of words."""
        for first, data in pack["pages"]:
            self._write(first, data)
        for page, step, data in pack["interior"]:
            restored = bytearray(data)
            for at in range(step, len(restored)):
                restored[at] = (restored[at] + restored[at - step]) % 256
            self._write(page, restored)
        for sizes in pack.get("docsize", {}).values():
            self._sizes(sizes)

    def _sizes(self, sizes: dict[str, Any]) -> None:
        """Write docsize pages again: "Building a docsize page again" on the page of the hot pack."""
        totals = iter([code if code < 16 else 8 + code % 8 << code // 8 - 1 for code in sizes["totals"]])
        for page, first, rows in sizes["pages"]:
            cells = [self._cell(row, next(totals), sizes["columns"]) for row in range(first, first + rows)]
            body = b"".join(cells)
            starts = [self._size - len(body) + end for end in accumulate(map(len, cells[:-1]), initial=0)]
            header = struct.pack(">BHHHB", 13, 0, rows, starts[0], 0) + struct.pack(f">{rows}H", *starts)
            self._write(page, header + bytes(self._size - len(header) - len(body)) + body)

    @staticmethod
    def _cell(row: int, total: int, columns: int) -> bytes:
        counts = b""
        for _ in range(columns - 1):
            counts += varint(min(total, 127))
            total -= min(total, 127)
        counts += varint(total)
        return varint(len(counts) + 3) + varint(row) + bytes((3, 0, 12 + 2 * len(counts))) + counts

    def _files(self, term: bytes) -> Iterator[tuple[dict[str, Any], int]]:
        """Yield the files of a term, each as its list and its number there: "From a term to its files"."""
        terms = self.manifest["terms"]
        if terms["list"]:
            listed = terms["list"][0]
        elif not terms["first"]:
            return  # all postings are in the hot pack
        else:
            listed = self._value(names(terms["files"], "packs")[max(0, bisect_right(terms["first"], term) - 1)])
            self._place(listed)
        first = listed["first"]
        start = bisect_left(first, term)
        if start == len(first) or first[start] != term:
            start = max(0, start - 1)
        last = max(0, bisect_right(first, term) - 1)
        yield from ((listed, number) for number in range(start, last + 1))
        for table in listed["tables"].values():
            if table["edges"][last] == term:
                yield listed, last + table["reach"][last]

    def _fetch(self, listed: dict[str, Any], number: int) -> None:
        """Write the pages of an index file: those of `chunk_fts`, then those of `neuron_fts`."""
        content = self._bytes(names(listed["files"], "index")[number])
        pages = []
        for table in ("chunk_fts", "neuron_fts"):
            numbers = [*accumulate(listed["tables"][table]["pages"])]
            pages += [numbers[place] for place in accumulate(listed["tables"][table]["places"][number])]
        for at, page in enumerate(pages):
            self._write(page, content[at * self._size : (at + 1) * self._size])

    def _card(self, neuron: int) -> list[Any]:
        """Return what a hit shows of a page: the card of the part with its first chunk."""
        chunk = [*accumulate(self.manifest["neuron_first"])][neuron - 1]
        firsts, files = [*accumulate(self.manifest["text_first"])], self.manifest["text"]
        name = names(files, "packs" if self.manifest["text_per_list"] else "text")[bisect_right(firsts, chunk) - 1]
        if self.manifest["text_per_list"]:
            steps, digests, sizes = self._value(name)
            name = names([digests, sizes], "text")[bisect_right([*accumulate(steps)], chunk) - 1]
        return next(part[1] for part in reversed(self._value(name)) if part[0] <= chunk)


if __name__ == "__main__":
    print(json.dumps(Site(Path(sys.argv[1])).pages(sys.argv[2])))

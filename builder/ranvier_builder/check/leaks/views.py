"""A written file, opened as an attacker would: unpacked, decoded, taken apart into the strings that it holds."""

from __future__ import annotations

import io
import json
import re
import sqlite3
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from html import unescape
from typing import Any

import msgpack

from ranvier_builder.check.leaks.html import strings_of_html
from ranvier_builder.check.leaks.needles import How

PAGE = 4096  # bytes of a database page
_DEPTH = 6  # of packings inside packings
_LARGEST = 1 << 28  # bytes that one packing may unfold to
_PRINTED = re.compile(rb"[\x09\x0a\x0d\x20-\x7e\x80-\xf4]{6,}")
_WIDE = re.compile(rb"(?:[\x20-\x7e]\x00){6,}|(?:\x00[\x20-\x7e]){6,}")
_TEXT = (".md", ".markdown", ".vtt", ".srt", ".toml", ".yaml", ".yml")
_LINES = (".txt", ".csv", ".log")  # lists: a line says nothing about the next one
_MARKUP = (".xml", ".svg", ".atom", ".rss")
_PAIR = re.compile(r"<!--|-->|<[^<>]*>")
_VALUE = re.compile(r"""=\s*"([^"]*)"|=\s*'([^']*)'""")


@dataclass(frozen=True, slots=True)
class Said:
    """A string, where it stands, and how it is to be searched. `at` is an address, as seen from the file."""

    text: str
    where: str
    how: How = How.TEXT
    at: bool = False


def strings(name: str, data: bytes, where: str = "", depth: int = 0) -> Iterator[Said]:
    """Yield every string that a file holds, whatever its name says that it is."""
    inner = list(_unpacked(data)) if depth < _DEPTH else []
    for part_name, part in inner:
        at = f"{where}{part_name}: " if part_name else where
        if part_name:
            yield Said(part_name, f"{where}file name in an archive", How.TEXT)
        yield from strings(part_name or _bare(name), part, at, depth + 1)
    if inner:
        yield from _printed(data, f"{where}packed bytes")
    elif data.startswith(b"SQLite format 3\0"):
        yield from _database(data, where)
    elif (packed := _msgpack(data)) is not None:
        yield from values(packed, f"{where}text", name, depth)
    else:
        yield from _plain(name, data, where)


def unused(name: str, data: bytes) -> Iterator[Said]:
    """Yield what stands in a file of SQLite pages where no row is: rows left from before, or anything else."""
    for inner in _inflated(data, 15):
        for number, start in enumerate(range(0, len(inner), PAGE), 1):
            page = inner[start : start + PAGE]
            yield from _printed(b"".join(_gaps(page)), f"page {number} of {name}")


def _gaps(page: bytes) -> Iterator[bytes]:
    """Yield the bytes of a table leaf that belong to no cell (SQLite file format, §1.6)."""
    count = int.from_bytes(page[3:5], "big")
    at = 8 + 2 * count
    pointers = sorted(int.from_bytes(page[8 + 2 * cell : 10 + 2 * cell], "big") for cell in range(count))
    for pointer in pointers:
        yield page[at:pointer]
        length, start = _varint(page, pointer)
        _, start = _varint(page, start)
        at = start + length
    yield page[at:]


def _varint(page: bytes, at: int) -> tuple[int, int]:
    value = 0
    for count in range(9):
        byte = page[at + count]
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            break
    return value, at + count + 1


def _bare(name: str) -> str:
    """Take the packing's ending off: `index.html.gz` → `index.html`."""
    return name.rpartition(".")[0] if name.endswith((".gz", ".zz", ".z", ".bin")) else name


def _unpacked(data: bytes) -> Iterator[tuple[str, bytes]]:
    if data[:2] == b"\x1f\x8b":
        yield from (("", part) for part in _inflated(data, 31))
    elif len(data) > 6 and data[0] & 0x0F == 8 and data[0] >> 4 < 8 and int.from_bytes(data[:2], "big") % 31 == 0:
        yield from (("", part) for part in _inflated(data, 15))
    elif b"PK\x05\x06" in data[-70_000:]:
        with suppress(zipfile.BadZipFile, OSError, ValueError), zipfile.ZipFile(io.BytesIO(data)) as archive:
            if archive.comment:
                yield "", archive.comment
            for member in archive.infolist():
                with suppress(Exception):  # one that cannot be read is seen among the packed bytes
                    yield member.filename, archive.read(member) if member.file_size < _LARGEST else b""


def _inflated(data: bytes, window: int) -> Iterator[bytes]:
    """Inflate one stream after the other, and give what stands after the last."""
    while data:
        engine = zlib.decompressobj(window)
        try:
            yield engine.decompress(data, _LARGEST)
        except zlib.error:
            return
        data = engine.unused_data


def _msgpack(data: bytes) -> Any:
    """Read a list or a map of msgpack; `None` where it is neither, whole."""
    if not data or not (0x80 <= data[0] <= 0x9F or 0xDC <= data[0] <= 0xDF):
        return None
    try:
        return msgpack.unpackb(data, raw=False, strict_map_key=False, unicode_errors="replace")
    except Exception:  # its own errors are of many kinds
        return None


def values(value: Any, where: str, name: str, depth: int) -> Iterator[Said]:
    """Yield the strings in a tree of lists and maps, keys too."""
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            yield Said(item, where)
        elif isinstance(item, bytes):
            yield from strings(name, item, f"{where}: bytes: ", depth + 1)
        elif isinstance(item, dict):
            # Keys are mostly the format's own; a single word among them says nothing.
            yield from (Said(str(key), f"{where}: key", How.RAW) for key in item)
            stack += item.values()
        elif isinstance(item, (list, tuple)):
            stack += item


def _plain(name: str, data: bytes, where: str) -> Iterator[Said]:
    text = _decoded(data)
    lower = name.lower()
    if text is None:
        yield from _printed(data, f"{where}bytes")
    elif lower.endswith((".html", ".htm", ".xhtml")) or text[:200].lstrip().lower().startswith(("<!doctype html", "<html")):
        yield from (Said(*one) for one in strings_of_html(text, where))
    elif lower.endswith(_MARKUP) or text.startswith("<?xml"):
        yield from _markup(text, where)
    elif (found := _json(text)) is not None:
        yield from values(found, f"{where}text", name, _DEPTH)
    elif lower.endswith(_LINES):
        yield from (Said(line, f"{where}text") for line in text.splitlines() if line.strip())
    else:
        yield Said(text, f"{where}text", How.TEXT if lower.endswith(_TEXT) else How.RAW)


def _decoded(data: bytes) -> str | None:
    """Read bytes as text; `None` where they are none."""
    for mark, encoding in ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"), (b"\xef\xbb\xbf", "utf-8-sig")):
        if data.startswith(mark):
            return data.decode(encoding, "replace")
    if b"\0" in data[:100_000]:
        return None
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        broken = data[max(0, error.start - 2000) : error.start + 2000]
        return data.decode("latin-1") if sum(byte < 9 or 13 < byte < 32 for byte in broken) == 0 else None


def _printed(data: bytes, where: str) -> Iterator[Said]:
    """Yield what in bytes reads as text, in one byte or two to a letter."""
    runs = [run.decode("utf-8", "replace") for run in _PRINTED.findall(data)]
    if b"\0" in data:
        runs += [run.replace(b"\0", b"").decode("ascii") for run in _WIDE.findall(data)]
    if runs:  # one string of many pieces, for packed bytes are full of scraps
        yield Said("\n\n".join(runs), where, How.BYTES)


def _json(text: str) -> Any:
    if text[:1] not in ("{", "[") and not text[:60].lstrip().startswith(("{", "[")):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _markup(text: str, where: str) -> Iterator[Said]:
    """Yield the text between the tags of XML, and the values of its attributes."""
    at = 0
    for tag in _PAIR.finditer(text):
        if tag.start() > at:
            yield Said(unescape(text[at : tag.start()]), f"{where}text")
        at = tag.end()
        for value in _VALUE.findall(tag.group()):
            yield Said(unescape(value[0] or value[1]), f"{where}attribute", How.RAW)
    yield Said(unescape(text[at:]), f"{where}text")


def _database(data: bytes, where: str) -> Iterator[Said]:
    """Dump every page as bytes, free ones too, and every row of every table that can be read."""
    size = int.from_bytes(data[16:18], "big")
    size = 65536 if size == 1 else size or 4096
    for number, start in enumerate(range(0, len(data), size), 1):
        yield from _printed(data[start : start + size], f"{where}page {number}")
    with tempfile.NamedTemporaryFile(suffix=".db") as file:
        file.write(data)
        file.flush()
        with suppress(sqlite3.Error), closing(sqlite3.connect(f"file:{file.name}?mode=ro&immutable=1", uri=True)) as db:
            yield from _rows(db, where)


def _rows(db: sqlite3.Connection, where: str) -> Iterator[Said]:
    db.text_factory = lambda raw: raw.decode("utf-8", "replace")
    for name, sql in db.execute("SELECT name, sql FROM sqlite_master").fetchall():
        yield Said(f"{name}\n\n{sql or ''}", f"{where}schema", How.RAW)
        quoted = name.replace('"', '""')
        with suppress(sqlite3.Error):
            for row in db.execute(f'SELECT * FROM "{quoted}"'):
                yield from values(list(row), f"{where}table {name}", "", _DEPTH - 1)

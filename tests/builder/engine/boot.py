"""What the core asks of the engine, tried inside it by boot.mjs."""

import abc  # noqa: F401
import array  # noqa: F401
import base64  # noqa: F401
import bisect  # noqa: F401
import codecs
import collections  # noqa: F401
import contextlib  # noqa: F401
import copy
import dataclasses
import datetime
import enum  # noqa: F401
import functools  # noqa: F401
import hashlib
import heapq  # noqa: F401
import html
import importlib
import io  # noqa: F401
import itertools  # noqa: F401
import json
import math  # noqa: F401
import operator  # noqa: F401
import os  # noqa: F401
import pathlib
import re  # noqa: F401
import shutil
import sqlite3
import string
import struct  # noqa: F401
import sys
import tempfile
import textwrap
import time  # noqa: F401
import traceback
import types  # noqa: F401
import typing
import unicodedata
import weakref  # noqa: F401
import zipfile
import zlib


@dataclasses.dataclass(frozen=True, slots=True)
class Point:
    x: int
    tags: tuple[str, ...] = ()


def results() -> str:
    """Return what was found, as JSON; anything that is merely broken raises."""
    plain()
    files()
    return json.dumps({"fts5": fts5(), **zipped(), "unpacked": unpacked()})


def zipped() -> dict[str, object]:
    """Import straight from the zip; msgpack has to find its pure half."""
    sys.path.insert(0, "/core.zip")
    msgpack = importlib.import_module("msgpack")
    stemmer = importlib.import_module("snowballstemmer.english_stemmer").EnglishStemmer()
    again = msgpack.unpackb(msgpack.packb({"a": [1, 2.5, "é"]}))
    return {"msgpack": [again, msgpack.Packer.__module__], "stemmed": stemmer.stemWord("running")}


def unpacked() -> str:
    """Import the same package from where pyodide.unpackArchive put it."""
    sys.path[0] = "/core"
    for name in [name for name in sys.modules if name.split(".")[0] == "msgpack"]:
        del sys.modules[name]
    return str(importlib.import_module("msgpack").__file__)


def fts5() -> list[tuple[int]]:
    database = sqlite3.connect(":memory:")
    database.execute("CREATE VIRTUAL TABLE t USING fts5(title, body, content='')")
    rows = [(1, "hello world", "x"), (2, "other", "hello")]
    database.executemany("INSERT INTO t(rowid, title, body) VALUES (?, ?, ?)", rows)
    wanted = "SELECT rowid FROM t WHERE t MATCH 'hello' AND rank MATCH 'bm25(10, 1)' ORDER BY rank"
    return database.execute(wanted).fetchall()


def plain() -> None:
    assert copy.deepcopy(Point(1, ("a",))) == Point(1, ("a",))
    assert typing.get_type_hints(Point)["x"] is int
    assert json.loads('{"a": 1}'.encode("utf-16")) == json.loads(b'\xef\xbb\xbf{"a": 1}') == {"a": 1}
    assert hashlib.sha256(b"x").hexdigest().startswith("2d711642")
    assert zlib.decompress(zlib.compress(b"y", wbits=-15), wbits=-15) == b"y"
    assert html.unescape("&eacute;") == unicodedata.normalize("NFC", "e\u0301")
    assert datetime.date.fromisoformat("2026-01-02").year == 2026
    assert (string.Template("$a").substitute(a=1), textwrap.dedent(" b")) == ("1", "b")
    for encoding in ("ascii", "latin-1", "utf-8", "utf-8-sig", "utf-16", "cp437"):
        assert codecs.lookup(encoding).decode(codecs.encode("a", encoding))[0] == "a"
    try:
        json.loads("{")
    except ValueError:
        assert "JSONDecodeError" in traceback.format_exc()


def files() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        with zipfile.ZipFile(folder / "a.zip", "w") as archive:
            archive.writestr("pkg/é.txt", "text")
        shutil.unpack_archive(folder / "a.zip", folder)
        assert [path.name for path in folder.rglob("*.txt")] == ["é.txt"]

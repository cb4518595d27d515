"""The functions of the engine that the core uses. boot.mjs runs them inside the engine."""

import abc  # noqa: F401
import array  # noqa: F401
import bisect  # noqa: F401
import codecs
import collections  # noqa: F401
import dataclasses
import functools  # noqa: F401
import hashlib
import heapq  # noqa: F401
import io  # noqa: F401
import itertools  # noqa: F401
import json
import math  # noqa: F401
import os  # noqa: F401
import re
import sqlite3
import struct  # noqa: F401
import sys
import time  # noqa: F401
import traceback
import types  # noqa: F401
import typing
import unicodedata
import zlib


@dataclasses.dataclass(frozen=True, slots=True)
class Point:
    x: int
    tags: tuple[str, ...] = ()


class Pair(typing.NamedTuple):
    x: int
    y: str = "a"

    def swapped(self) -> tuple[str, int]:
        return self.y, self.x


T = typing.TypeVar("T")


class Box(typing.Generic[T]):
    def __init__(self, value: T) -> None:
        self.inside = value


def results(host: object, boots: str) -> str:
    """Return what was found, as JSON; anything that is merely broken raises. `boots` are the modules of a boot."""
    plain()
    return json.dumps({"fts5": fts5(), "called": called(host), "error": failed(), "idle": idle(boots.split())})


def called(host: object) -> list[object]:
    """Call methods of an object of JavaScript, as SQLite's reads do."""
    return [list(host.both("méthode", 3)), host.joined(["a", "b"])]  # type: ignore[attr-defined]


class Later(Exception):
    """One of the core's."""


def failed() -> str:
    """Tell an error with what led to it, as Pyodide does for JavaScript: by files and functions."""
    try:
        try:
            _ = 1 / 0
        except ZeroDivisionError as error:
            error.add_note("a note")
            raise Later("too late") from error
    except Later as error:
        return "".join(traceback.format_exception(error))


def idle(names: list[str]) -> list[str]:
    """Name modules that ship and that neither a boot nor the core imports; encodings are asked for by name."""
    core = "datetime hashlib heapq json sqlite3".split()
    for name in core:
        __import__(name)
    return [name for name in names if name not in sys.modules and not name.startswith("encodings.")]


def fts5() -> list[tuple[int]]:
    database = sqlite3.connect(":memory:")
    database.execute("CREATE VIRTUAL TABLE t USING fts5(title, body, content='')")
    rows = [(1, "hello world", "x"), (2, "other", "hello")]
    database.executemany("INSERT INTO t(rowid, title, body) VALUES (?, ?, ?)", rows)
    query = "SELECT rowid FROM t WHERE t MATCH 'hello' AND rank MATCH 'bm25(10, 1)' ORDER BY rank"
    return database.execute(query).fetchall()


def plain() -> None:
    assert dataclasses.replace(Point(1), x=2).x == 2
    assert [field.name for field in dataclasses.fields(Point)] == ["x", "tags"]
    assert (Pair(1), Pair(1)._replace(y="b"), Pair(3, "c").swapped()) == ((1, "a"), (1, "b"), ("c", 3))
    assert Box[int](3).inside == 3
    assert typing.cast("list[int]", "x") == "x"
    assert json.loads('{"a": 1}') == json.loads(b'{"a": 1}') == {"a": 1}
    assert hashlib.sha256(b"x").hexdigest().startswith("2d711642")
    assert zlib.decompress(zlib.compress(b"y", wbits=-15), wbits=-15) == b"y"
    assert unicodedata.normalize("NFC", "e\u0301") == "é"
    for encoding in ("ascii", "us-ascii", "latin-1", "latin1", "iso-8859-1", "utf-8", "utf8", "U8"):
        assert codecs.lookup(encoding).decode(codecs.encode("a", encoding))[0] == "a"
    assert traceback.format_exception(json.JSONDecodeError("not", "{", 1)) == [
        "json.decoder.JSONDecodeError: not: line 1 column 2 (char 1)\n"
    ]
    assert re.compile("a(.)").sub(r"\1\g<1>", "ab") == "bb"
    assert re.compile("[[x]").split("a[b") == ["a", "b"]  # the interpreter warns of such a pattern

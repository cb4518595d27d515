"""What the core asks of the engine, tried inside it by boot.mjs."""

import abc  # noqa: F401
import array  # noqa: F401
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
import io  # noqa: F401
import itertools  # noqa: F401
import json
import math  # noqa: F401
import operator  # noqa: F401
import os  # noqa: F401
import pathlib
import re  # noqa: F401
import sqlite3
import struct  # noqa: F401
import sys
import time  # noqa: F401
import traceback
import types  # noqa: F401
import typing
import unicodedata
import weakref  # noqa: F401
import zlib


@dataclasses.dataclass(frozen=True, slots=True)
class Point:
    x: int
    tags: tuple[str, ...] = ()


def results(host: object, boots: str) -> str:
    """Return what was found, as JSON; anything that is merely broken raises. `boots` are the modules of a boot."""
    plain()
    return json.dumps({"fts5": fts5(), "called": called(host), "error": failed(), "idle": idle(boots.split())})


def called(host: object) -> list[object]:
    """Call methods of an object of JavaScript, as SQLite's reads do."""
    return [list(host.both("méthode", 3)), host.joined(["a", "b"])]  # type: ignore[attr-defined]


def failed() -> str:
    """A traceback names the function, though no line."""
    try:
        _ = 1 / 0
    except ZeroDivisionError as error:
        lines = traceback.format_exception(error)
    assert "failed" in "".join(lines)
    return lines[-1].strip()


def idle(listed: list[str]) -> list[str]:
    """Name modules that ship and that neither a boot nor the core imports; encodings are asked for by name."""
    core = "datetime glob hashlib heapq json pathlib sqlite3".split()
    for name in core:
        __import__(name)
    return [name for name in listed if name not in sys.modules and not name.startswith("encodings.")]


def fts5() -> list[tuple[int]]:
    database = sqlite3.connect(":memory:")
    database.execute("CREATE VIRTUAL TABLE t USING fts5(title, body, content='')")
    rows = [(1, "hello world", "x"), (2, "other", "hello")]
    database.executemany("INSERT INTO t(rowid, title, body) VALUES (?, ?, ?)", rows)
    wanted = "SELECT rowid FROM t WHERE t MATCH 'hello' AND rank MATCH 'bm25(10, 1)' ORDER BY rank"
    return database.execute(wanted).fetchall()


def plain() -> None:
    assert copy.deepcopy(Point(1, ("a",))) == Point(1, ("a",))
    assert dataclasses.replace(Point(1), x=2).x == 2
    assert typing.get_type_hints(Point)["x"] is int
    assert json.loads('{"a": 1}') == json.loads(b'{"a": 1}') == {"a": 1}
    assert hashlib.sha256(b"x").hexdigest().startswith("2d711642")
    assert zlib.decompress(zlib.compress(b"y", wbits=-15), wbits=-15) == b"y"
    assert unicodedata.normalize("NFC", "e\u0301") == "é"
    assert datetime.date.fromisoformat("2026-01-02").year == 2026
    assert pathlib.PurePosixPath("a/b").name == "b"
    for encoding in ("ascii", "latin-1", "utf-8"):
        assert codecs.lookup(encoding).decode(codecs.encode("a", encoding))[0] == "a"
    try:
        json.loads("{")
    except ValueError:
        assert "JSONDecodeError" in traceback.format_exc()

"""One SQLite file for each pair of a content and an output folder, in the user's cache. It may be deleted at any time.

A build without a cache uses a temporary database, because the reduced copy and the site have most pages in common.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
import sys
import tempfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Any

from platformdirs import user_cache_path

from ranvier_builder.config import Config
from ranvier_builder.errors import OutputError
from ranvier_builder.model import Row
from ranvier_builder.package_files import read_files
from ranvier_builder.work import codec

_SOURCES = (".html", ".py", ".sql", ".toml", ".xml")  # endings of files that change the output
# Their output is cached, so another version of any of them invalidates the database.
_LIBRARIES = (
    *("jinja2 latex2mathml markdown-it-py mdit-py-plugins msgpack nh3 numpy pygments pypdf".split()),
    *("python-frontmatter pyyaml rich selectolax snowballstemmer".split()),
)


@dataclass(frozen=True, slots=True)
class Memory:
    """Folder of the working databases (`None`: the user's cache), and whether to start with an empty one."""

    folder: Path | None = None
    fresh: bool = False

    @property
    def place(self) -> Path:
        """The folder, also if it is the user's cache."""
        return self.folder or user_cache_path("ranvier") / "work"

    def check(self, content: Path, out: Path) -> None:
        """Raise `OutputError` if the folder would be published: it is in the site, or in the content and not hidden there."""
        folder = self.folder and Path(os.path.realpath(self.folder))
        for place, parent in (("site", out), ("content", content)):
            parent = Path(os.path.realpath(parent))
            if folder is None or not folder.is_relative_to(parent):
                continue
            is_hidden = any(part.startswith(".") for part in folder.relative_to(parent).parts)
            if place == "site" or not is_hidden:
                message = f"is inside of the {place}, and the cache contains private text"
                raise OutputError(message, file=folder, cure="name another folder with --cache")


class WorkingDatabase:
    """The cached results of earlier builds. Each method raises `OutputError` if the database fails."""

    def __init__(self, connection: sqlite3.Connection, file: Path) -> None:
        self._db = connection
        self._file = file

    def items(self, *, copy: bool = False) -> dict[str, tuple[bytes, bytes, bool]]:
        """Return stamp, digest and whether it is of the reduced copy, by path. Items that only the content has are included."""
        sql = "SELECT path, stamp, digest, copy FROM item WHERE copy <= ? ORDER BY copy"
        return {path: (stamp, digest, bool(is_copy)) for path, stamp, digest, is_copy in self._run(sql, (copy,))}

    def item(self, path: str, *, copy: bool = False) -> tuple[bytes, bytes]:
        """Return an item's Neuron and warnings."""
        ((neuron, warnings),) = self._run("SELECT neuron, warnings FROM item WHERE copy = ? AND path = ?", (copy, path))
        return neuron, warnings

    def keep_item(self, path: str, stamp: bytes, digest: bytes, neuron: bytes, warnings: bytes, *, copy: bool = False) -> None:
        """Cache the result of reading an item."""
        self._run("INSERT OR REPLACE INTO item VALUES (?, ?, ?, ?, ?, ?)", (copy, path, stamp, digest, neuron, warnings))

    def pages(self) -> dict[str, bytes]:
        """Return the key of each page, by path."""
        return dict(self._run("SELECT path, key FROM page"))

    def lookups(self, path: str) -> bytes:
        """Return a page's link lookups with their results."""
        ((lookups,),) = self._run("SELECT lookups FROM page WHERE path = ?", (path,))
        return bytes(lookups)

    def page(self, path: str) -> tuple[str, bytes]:
        """Return a page's HTML and parts."""
        ((html, parts),) = self._run("SELECT html, parts FROM page WHERE path = ?", (path,))
        return html, parts

    def rows(self, path: str) -> tuple[Row, ...]:
        """Return the terms of a page's chunks."""
        columns = "name, title, tags, heading, path, body, overlap"
        rows = self._run(f"SELECT {columns} FROM chunk WHERE page = ? ORDER BY ordinal", (path,))
        interned = dict[Any, Any]()  # interned: title, tags and path are equal in all chunks
        return tuple(Row(*(interned.setdefault(value, value) for value in row)) for row in rows)

    def keep_page(self, path: str, key: bytes, lookups: bytes, html: str, parts: bytes, rows: Iterable[Row]) -> None:
        """Cache the rendered parts of a page."""
        self._run("INSERT OR REPLACE INTO page VALUES (?, ?, ?, ?, ?)", (path, key, lookups, html, parts))
        self._run("DELETE FROM chunk WHERE page = ?", (path,))
        columns = "page, ordinal, name, title, tags, heading, path, body, overlap"
        self._run_all(
            f"INSERT INTO chunk({columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            ((path, at, *row) for at, row in enumerate(rows)),
        )

    def value(self, key: str) -> Any:
        """Return a value of the last build; `None` if unknown."""
        return next((codec.unpack(value) for (value,) in self._run("SELECT value FROM meta WHERE key = ?", (key,))), None)

    def keep_value(self, key: str, value: Any) -> None:
        """Cache a value instead of that of the last build: the schema has the keys."""
        self._run("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, codec.pack(value)))

    def frame(self, file: str, inputs: bytes) -> str | None:
        """Return a file's cached HTML, if its inputs are the same."""
        rows = self._run("SELECT html FROM frame WHERE file = ? AND inputs = ?", (file, inputs))
        return next((str(html) for (html,) in rows), None)

    def keep_frame(self, file: str, inputs: bytes, html: str) -> None:
        """Cache the output of a template."""
        self._run("INSERT OR REPLACE INTO frame VALUES (?, ?, ?)", (file, inputs, html))

    def forget_frames(self, current: Iterable[str]) -> None:
        """Remove cached files that are no longer written."""
        obsolete = {file for (file,) in self._run("SELECT file FROM frame")} - {*current}
        self._run_all("DELETE FROM frame WHERE file = ?", [(file,) for file in sorted(obsolete)])

    def forget_items(self, current: Iterable[str], *, copy: bool = False) -> None:
        """Remove cached items that no longer exist."""
        obsolete = {path for (path,) in self._run("SELECT path FROM item WHERE copy = ?", (copy,))} - {*current}
        self._run_all("DELETE FROM item WHERE copy = ? AND path = ?", [(copy, path) for path in sorted(obsolete)])

    def forget_pages(self, current: Iterable[str]) -> None:
        """Remove cached pages that no longer exist or are no longer published."""
        obsolete = [(path,) for path in sorted(self.pages().keys() - {*current})]
        self._run_all("DELETE FROM page WHERE path = ?", obsolete)
        self._run_all("DELETE FROM chunk WHERE page = ?", obsolete)

    def commit(self) -> None:
        """Commit the results of this build so far."""
        self._run("COMMIT")
        self._run("BEGIN IMMEDIATE")

    def _run(self, sql: str, values: tuple[Any, ...] = ()) -> list[Any]:
        with self._database_errors():
            return self._db.execute(sql, values).fetchall()

    def _run_all(self, sql: str, rows: Iterable[tuple[Any, ...]]) -> None:
        with self._database_errors():
            self._db.executemany(sql, rows)

    @contextmanager
    def _database_errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            cure = "use --fresh to ignore the cache, or --cache DIR for another folder"
            raise OutputError(f"the working database failed: {error}", file=self._file, cure=cure) from None


class NoDatabase(WorkingDatabase):
    """A working database that stays empty: it caches nothing."""

    def __init__(self) -> None:
        pass

    def _run(self, sql: str, values: tuple[Any, ...] = ()) -> list[Any]:
        return []

    def _run_all(self, sql: str, rows: Iterable[tuple[Any, ...]]) -> None:
        pass


@contextmanager
def working_database(content: Path, out: Path, config: Config, memory: Memory | None) -> Iterator[WorkingDatabase]:
    """Open the working database of two folders. It is recreated if it is damaged, or of another version or config.

    Yield a temporary one if caching is off or impossible: another build uses the file, or the cache cannot be written.
    """
    folder = memory and memory.place
    file = folder / f"{_name(content, out)}.sqlite" if folder else None
    connection = _open(file, _salt(config), memory.fresh) if file and memory else None
    if connection is None or file is None:
        connection, file = _open_temporary(), Path(tempfile.gettempdir())
    with closing(connection):
        yield WorkingDatabase(connection, file)


def _open_temporary() -> sqlite3.Connection:
    """Open a temporary database: SQLite keeps it in memory, and writes large data to an unnamed file."""
    connection = sqlite3.connect("", isolation_level=None)
    connection.execute("PRAGMA journal_mode = OFF")
    return _initialise(connection, b"")


def _open(file: Path, salt: bytes, fresh: bool) -> sqlite3.Connection | None:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        return _open_locked(file, salt, fresh)
    except (OSError, sqlite3.Error):
        return None


def _open_locked(file: Path, salt: bytes, fresh: bool) -> sqlite3.Connection:
    """Open a file with an exclusive lock; an unwanted, invalid or damaged file is deleted first, unless a build uses it."""
    connection = _connect(file)
    try:
        connection.execute("BEGIN IMMEDIATE")
        if not fresh and _stored_salt(connection) == salt and connection.execute("PRAGMA quick_check").fetchone() == ("ok",):
            return connection
    except sqlite3.OperationalError:  # another build uses it
        connection.close()
        raise
    except sqlite3.DatabaseError:  # not a database, or damaged
        pass
    connection.close()
    file.unlink()
    connection = _connect(file)
    connection.execute("PRAGMA journal_mode = TRUNCATE")
    return _initialise(connection, salt)


def _connect(file: Path) -> sqlite3.Connection:
    os.close(os.open(file, os.O_CREAT | os.O_RDWR, 0o600))  # it contains private text
    return sqlite3.connect(file, timeout=0.2, isolation_level=None)


def _stored_salt(connection: sqlite3.Connection) -> Any:
    if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'meta'").fetchone():
        return None
    row = connection.execute("SELECT value FROM meta WHERE key = 'salt'").fetchone()
    return row and row[0]


def _initialise(connection: sqlite3.Connection, salt: bytes) -> sqlite3.Connection:
    connection.executescript(files("ranvier_builder.work").joinpath("schema.sql").read_text("utf-8"))
    connection.execute("INSERT INTO meta VALUES ('salt', ?)", (salt,))
    connection.execute("BEGIN IMMEDIATE")
    return connection


def _name(content: Path, out: Path) -> str:
    return hashlib.sha256(f"{content.resolve()}\0{out.resolve()}".encode("utf-8", "surrogateescape")).hexdigest()[:24]


def _salt(config: Config) -> bytes:
    """Return a digest of everything except the content that affects results: code, versions of libraries, config."""
    versions = [sys.version_info[:2], sqlite3.sqlite_version, zlib.ZLIB_RUNTIME_VERSION, *map(version, _LIBRARIES)]
    digest = hashlib.sha256(repr((config, versions)).encode())
    for package in ("ranvier_builder", "ranvier", "ranvier_themes"):
        for name, data in read_files(files(package), _SOURCES, f"{package}/"):
            digest.update(name.encode() + b"\0" + hashlib.sha256(data).digest())
    return digest.digest()

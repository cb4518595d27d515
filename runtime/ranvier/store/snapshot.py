"""An opened snapshot: SQLite over pages that arrive when they are needed.

This module does no I/O: its methods are generators that yield a `Need` and receive the bytes. Before a query runs, the
manifest tells which files contain its terms (on a large site, lists that are fetched one round earlier tell it). So all files
are fetched in one parallel round, together with the packs of the tables in the query. If a page is still missing, SQLite's read
fails; the page is fetched, and the query runs again.

Several searches may run at once: control changes only at a yield, and all of them share the fetched files.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from ranvier.store.compact import decode, leaf_page, restored
from ranvier.store.fetch import Steps, fetch, gather
from ranvier.store.files import totals
from ranvier.store.format import unpack
from ranvier.store.manifest import SUBSTRING, Bounds, Leaves, Manifest, read_leaves
from ranvier.store.tables import WORDS
from ranvier.store.terms import TermLookup, read_term_list
from ranvier.store.words import Words

if TYPE_CHECKING:
    from ranvier.store.vectors import Vectors

__all__ = ["PageFile", "Snapshot", "Steps", "TermLookup"]

_PACK = -1  # sorts before the files of its tables
_LIST, _TERMS = "lists", "terms"  # owners of pieces: lists of the files of words, and these files; lists sort first
_SIZES = "sizes of "  # prefix of the owner of row sizes; the name of the table follows
_FREQUENT = 2  # files of postings: the rows of such a term are usually in all files of row sizes
_FEW_SIZES = 32_000  # bytes of all row sizes of a table: to fetch them takes no longer than a round
_ROWS = 256  # rows whose sizes are read together


class PageFile(Protocol):
    """A database file with only some of its pages. Page numbers are SQLite's, from 1."""

    @property
    def path(self) -> str:
        """The path for SQLite, quoted for a URI."""

    def reserve(self, page_size: int, page_count: int) -> None:
        """Make an empty file with the size of the whole database."""

    def put(self, first_page: int, data: bytes) -> None:
        """Write a run of pages."""

    def take_misses(self) -> list[int]:
        """Return the missing pages that were read since the last call, or all that may have been read."""


class _Piece(NamedTuple):
    """A file that holds pages: a posting file of a table or of words, or a list of these, by its number; or a pack.

    `listed`: the number of the list that names a file of words, which has its `number` within that list.
    """

    owner: str
    number: int = _PACK
    listed: int = 0


class Translations(NamedTuple):
    """The pages that exist in several languages."""

    langs: tuple[str, ...]  # BCP 47 tags; the site's own language first
    groups: dict[int, int]  # Neuron → the first of its translations, or itself
    languages: dict[int, int]  # Neuron → position of its language in `langs`


class Snapshot:
    """The database of a snapshot. `misses` counts the files that were not planned.

    `weights` has a byte for each Neuron (number n at n - 1), sixteenths of its weight; `linked` one for the number of Neurons
    that link to it, at most 255; `newest` has the newest version of each Neuron that has one; `repeats` has, for each
    chunk that repeats an earlier one, the first such chunk; `translations` is `None` if no page has any; `tuning` has the
    search settings of the site's configuration.
    """

    def __init__(self, manifest: Manifest, hot: bytes, pages: PageFile) -> None:
        self.manifest = manifest
        self.misses = 0
        self._pages = pages
        self._loaded: set[_Piece] = set()
        self.vocabulary = Words(manifest)
        self._lists = dict(enumerate(manifest.terms.whole))
        self._present = set[TermLookup]()  # terms whose postings and row sizes are here
        self._vectors: Vectors | None = None
        self._early: dict[str, bytes] = {}
        pages.reserve(manifest.page_size, manifest.page_count)
        raw: Any = unpack("the hot pack", hot)
        self.weights: bytes = raw["weights"]
        self.linked: bytes = raw["linked"]
        self.newest = _map_of(raw["versions"])
        self.repeats = _map_of(raw["repeats"])
        self.translations = _translations(raw["translations"]) if "translations" in raw else None
        self.tuning: dict[str, Any] = raw["tuning"]
        self._store_pages(raw)
        self._leaves: dict[str, Leaves] = {}  # of the tables of loaded packs
        self._db = self._connect()

    @property
    def vectors(self) -> Vectors | None:
        """The vectors, or `None`."""
        files = self.manifest.vectors
        if self._vectors is None and files is not None:
            from ranvier.store.vectors import Vectors  # only semantic searches need it

            self._vectors = Vectors(files, self._early)
        return self._vectors

    def take(self, files: Mapping[str, bytes]) -> None:
        """Accept files of vectors before a search needs them, by name; they are checked when they are used."""
        self._early.update(files)

    def close(self) -> None:
        """Close the database."""
        self._db.close()

    def query(
        self, sql: str, parameters: tuple[Any, ...] = (), lookups: Iterable[TermLookup] = (), packs: Iterable[str] = ()
    ) -> Steps[list[Any]]:
        """Fetch the postings of the terms and the packs of the tables, run a query, and return all rows."""
        yield from self.fetch_terms(lookups, packs)
        return (yield from self._rows(sql, parameters))

    def _rows(self, sql: str, parameters: tuple[Any, ...]) -> Steps[list[Any]]:
        while True:
            try:
                return self._db.execute(sql, parameters).fetchall()
            except sqlite3.DatabaseError as error:
                missed = set() if _is_sql_error(error) else self._missed()
                if not missed:
                    raise
            # SQLite may have cached a failed page; a new connection has an empty cache.
            self.misses += len(missed)
            self._db.close()
            self._db = self._connect()
            yield from self._fetch(missed)

    def fetch_terms(self, lookups: Iterable[TermLookup] = (), packs: Iterable[str] = ()) -> Steps[None]:
        """Fetch the posting files of terms, and packs by name; an empty pack has no file.

        This takes one round if the manifest names the files of the terms. On a large site lists name them, and for substrings
        their pack; these are fetched one round before.
        """
        terms = [term for term in dict.fromkeys(lookups) if term not in self._present]
        pieces = {_Piece(name) for name in packs if name in self.manifest.packs}
        needs_substrings = SUBSTRING in self.manifest.packs and {term.table for term in terms} - self._leaves.keys() - {*WORDS}
        pieces |= {_Piece(SUBSTRING)} if needs_substrings else set()
        lists = {_Piece(_LIST, number) for term in terms for number in self._lists_of(term) if number not in self._lists}
        yield from self._fetch(pieces | lists | self._planned_files(terms) | self._sizes_for(terms))
        if lists or needs_substrings:  # they name the files of the terms
            yield from self._fetch(self._planned_files(terms) | self._sizes_for(terms))
        yield from self._fetch_sizes(terms)
        self._present.update(terms)

    def _fetch_sizes(self, terms: list[TermLookup]) -> Steps[None]:
        """Fetch the sizes of all rows that have any of some terms. bm25 reads them; the postings tell which rows these are."""
        pieces: set[_Piece] = set()
        new = (term for term in terms if term.table in self.manifest.sizes)
        for term in sorted(new, key=lambda term: (term.table, term.term, term.prefix)):
            if self._has_sizes(term.table, pieces):
                continue  # it takes long to find the rows of a frequent term
            files, quoted = self.manifest.sizes[term.table], term.term.replace('"', '""')
            sql = f"SELECT DISTINCT rowid / {_ROWS} FROM {term.table} WHERE {term.table} MATCH ?"
            for (run,) in (yield from self._rows(sql, (f'"{quoted}"{"*" * term.prefix}',))):
                numbers = files.files_of(run * _ROWS, (run + 1) * _ROWS - 1)
                pieces |= {_Piece(f"{_SIZES}{term.table}", number) for number in numbers}
        yield from self._fetch(pieces)

    def _sizes_for(self, terms: list[TermLookup]) -> set[_Piece]:
        """Return all row sizes of a table if they are small, or a term is frequent in it.

        This saves a round, and the time to find the rows.
        """
        pieces: set[_Piece] = set()
        for term in terms:
            sizes = self.manifest.sizes.get(term.table)
            if sizes and (sum(sizes.files.sizes) <= _FEW_SIZES or len([*self._files_of(term)]) >= _FREQUENT):
                pieces |= {_Piece(f"{_SIZES}{term.table}", number) for number in range(len(sizes.first))}
        return pieces

    def _has_sizes(self, table: str, requested: set[_Piece]) -> bool:
        """Tell whether all row sizes of a table are here or requested."""
        pieces = (_Piece(f"{_SIZES}{table}", number) for number in range(len(self.manifest.sizes[table].first)))
        return all(piece in self._loaded or piece in requested for piece in pieces)

    @property
    def names_all_files(self) -> bool:
        """Tell whether the manifest names all posting files of words, so that `everything` can fetch them."""
        return not self.manifest.terms.first

    @property
    def size(self) -> int:
        """The size of `everything` in bytes."""
        files = [self.manifest.words, *(part.files for part in self._lists.values())]
        files += [pack.files for name, pack in self.manifest.packs.items() if name != SUBSTRING]
        return sum(sum(part.sizes) for part in files)

    def everything(self) -> Steps[None]:
        """Fetch all postings, facts and words in one round, without substrings, which are larger than the rest."""
        pieces = {_Piece(name) for name in self.manifest.packs if name != SUBSTRING}
        for number, part in self._lists.items():
            pieces |= {_Piece(_TERMS, at, number) for at in range(len(part.files.sizes))}
        yield from gather(self._fetch(pieces), self.vocabulary.everything())

    def _planned_files(self, terms: list[TermLookup]) -> set[_Piece]:
        return {piece for term in terms for piece in self._files_of(term)}

    def _lists_of(self, term: TermLookup) -> Iterable[int]:
        return self.manifest.terms.lists_of(term.term, prefix=term.prefix) if term.table in WORDS else ()

    def _files_of(self, term: TermLookup) -> Iterator[_Piece]:
        """Yield the posting files of a term, as far as their list is here."""
        if term.table in WORDS:
            for number in self._lists_of(term):
                if (part := self._lists.get(number)) is not None:
                    files = part.files_of(term.table, term.term, prefix=term.prefix)
                    yield from (_Piece(_TERMS, at, number) for at in sorted(files))
        elif (bounds := self._bounds(term.table)) is not None:
            yield from (_Piece(term.table, at) for at in bounds.files_of(term.term, prefix=term.prefix))

    def _bounds(self, table: str) -> Bounds | None:
        return self._leaves[table].bounds if table in self._leaves else self.manifest.bounds.get(table)

    def _fetch(self, pieces: set[_Piece]) -> Steps[None]:
        todo = sorted(pieces - self._loaded)  # packs first: they have the page maps of the posting files
        digests = [self._name_and_digest(piece) for piece in todo]
        files = yield from fetch(dict(digests))
        for piece, (name, _) in zip(todo, digests, strict=True):
            self._store(piece, name, files[name])

    def _name_and_digest(self, piece: _Piece) -> tuple[str, bytes]:
        number = max(piece.number, 0)
        if piece.number == _PACK:
            files = self.manifest.packs[piece.owner].files
        elif piece.owner == _LIST:
            files = self.manifest.terms.lists
        elif piece.owner.startswith(_SIZES):
            files = self.manifest.sizes[piece.owner.removeprefix(_SIZES)].files
        elif piece.owner == _TERMS:
            files = self._lists[piece.listed].files
        else:
            bounds = self._bounds(piece.owner)
            assert bounds is not None
            files = bounds.files
        return files.name(number), files.digest(number)

    def _store(self, piece: _Piece, name: str, data: bytes) -> None:
        if piece in self._loaded:  # another search has loaded it
            return
        if piece.number == _PACK:
            raw: Any = unpack(name, data)
            self._store_pages(raw)
            self._leaves |= {table: read_leaves(leaves) for table, leaves in raw.get("tables", {}).items()}
        elif piece.owner == _LIST:
            raw = unpack(name, data)
            self._store_pages(raw)
            self._lists[piece.number] = read_term_list(raw)
        elif piece.owner.startswith(_SIZES):
            self._store_sizes(unpack(name, data))
        elif piece.owner == _TERMS:
            self._put(self._lists[piece.listed].pages_of(piece.number), data)
        else:
            self._put(self._leaves[piece.owner].pages_of(piece.number), data)
        self._loaded.add(piece)

    def _missed(self) -> set[_Piece]:
        """Return the missing files of the last query. If the page file cannot tell, large files come last."""
        missed = {piece for page in self._pages.take_misses() for piece in self._files_with(page)} - self._loaded
        return {piece for piece in missed if not piece.owner.startswith(SUBSTRING)} or missed

    def _files_with(self, page: int) -> set[_Piece]:
        """Return the files that may hold a page: the contents behind a missing list are unknown."""
        for number, part in self._lists.items():
            if (at := next(part.files_with(page), None)) is not None:
                return {_Piece(_TERMS, at, number)}
        for table, leaves in self._leaves.items():
            if (number := leaves.file_of_page(page)) >= 0:
                return {_Piece(table, number)}
        packs = self.manifest.packs
        if (name := next((name for name, pack in packs.items() if page in pack), None)) is not None:
            return {_Piece(name)}
        lists = {_Piece(_LIST, number) for number in range(len(self.manifest.terms.lists.sizes))}
        for table, files in self.manifest.sizes.items():
            lists |= {_Piece(f"{_SIZES}{table}", number) for number in range(len(files.first))}
        return lists | ({_Piece(SUBSTRING)} if SUBSTRING in packs else set())

    def _store_pages(self, raw: Any) -> None:
        for first, data in raw["pages"]:
            self._pages.put(first, data)
        for page, step, data in raw["interior"]:
            self._pages.put(page, restored(data, step))
        for sizes in raw.get("docsize", {}).values():
            self._store_sizes(sizes)

    def _store_sizes(self, sizes: Any) -> None:
        blobs = decode(sizes["columns"], sizes["totals"])
        at = 0
        for page, first_row, rows in sizes["pages"]:
            self._pages.put(page, leaf_page(self.manifest.page_size, first_row, blobs[at : at + rows]))
            at += rows

    def _put(self, numbers: Sequence[int], data: bytes) -> None:
        size = self.manifest.page_size
        for _, run in groupby(enumerate(numbers), lambda pair: pair[1] - pair[0]):
            pairs = list(run)
            self._pages.put(pairs[0][1], data[pairs[0][0] * size : (pairs[-1][0] + 1) * size])

    def _connect(self) -> sqlite3.Connection:
        # A server's threads may use a snapshot one after the other.
        return sqlite3.connect(f"file:{self._pages.path}?mode=ro&immutable=1", uri=True, check_same_thread=False)


def _is_sql_error(error: sqlite3.DatabaseError) -> bool:
    """Tell whether the SQL is invalid; any other error may be a missing page."""
    return error.sqlite_errorcode == sqlite3.SQLITE_ERROR and not str(error).startswith("vtable constructor failed")


def _translations(raw: Any) -> Translations:
    langs, steps, distances, languages = raw
    numbers = totals(steps)
    groups = {number: number - distance for number, distance in zip(numbers, distances, strict=True)}
    return Translations(tuple(langs), groups, dict(zip(numbers, languages, strict=True)))


def _map_of(columns: tuple[Iterable[int], Iterable[int]]) -> dict[int, int]:
    """Read a map from numbers, as steps, to numbers."""
    keys, values = columns
    return dict(zip(totals(keys), values, strict=True))

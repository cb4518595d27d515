"""An engine over a folder: what the command line, a server and scripts use."""

from __future__ import annotations

import time
from dataclasses import replace
from types import TracebackType
from typing import TYPE_CHECKING, TypeVar

from ranvier.engine import Engine
from ranvier.errors import FetchError
from ranvier.query.expansion import Expander
from ranvier.requests import Caller, RetrieveRequest, Scope, SearchRequest, parse_request
from ranvier.store.snapshot import Steps
from ranvier.types import Backlink, RetrieveResult, SearchResult

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Unpack

    from ranvier.options import RetrieveOptions, SearchOptions
    from ranvier.suggest import Suggestion

T = TypeVar("T")
Answer = TypeVar("Answer", SearchResult, RetrieveResult)


class Library:
    """An `Engine` over a folder.

    >>> with open_snapshot("public") as library:
    ...     library.search("how to install", tags=["guide"]).hits[0].title
    """

    def __init__(self, folder: Path, expander: Expander | None = None) -> None:
        # Imported here: no browser has it.
        from ranvier.store.source import FolderSource, SparseFile

        self.source = FolderSource(folder)
        entry = self.source.entry()
        files = {name: self.source.read(name) for name in (entry["manifest"], entry["hot"])}
        self._pages = SparseFile()
        try:
            self.engine = Engine.open(files, self._pages, expander)
        except BaseException:
            self._pages.close()
            raise

    def __enter__(self) -> Library:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the database and remove its temporary file."""
        self.engine.close()
        self._pages.close()

    def search(self, query: str, **options: Unpack[SearchOptions]) -> SearchResult:
        """Search. `options` are the fields of `SearchRequest` and of `Scope`, by name: `limit=5, tags=["api"], explain=True`.

        Raises:
            RequestError: an unknown option, or an invalid value.
            ForbiddenError: the caller may not search.
            FetchError: a file of the snapshot is missing or damaged.

        """
        return self.timed(self.engine.search(parse_request(SearchRequest, query, options)))

    def retrieve(self, query: str, **options: Unpack[RetrieveOptions]) -> RetrieveResult:
        """Retrieve passages, `max_chars` characters at most; options and errors as for `search`."""
        return self.timed(self.engine.retrieve(parse_request(RetrieveRequest, query, options)))

    def backlinks(self, item: str, *, audience: str = "curator") -> tuple[Backlink, ...]:
        """Return the Neurons that link to a Neuron, named by id, path, slug or title (S2)."""
        return self.run(self.engine.backlinks(Scope(item=item).item, Caller(audience).level))

    def suggest(self, query: str, *, limit: int = 8, page_lang: str = "") -> tuple[Suggestion, ...]:
        """Return titles, aliases, headings and tags that match an unfinished query, best first.

        With `page_lang`, only one translation of each page: the one in this language, or else in the site's.
        """
        request = SearchRequest(query, limit, page_lang=page_lang)
        return self.run(self.engine.suggest(request.query, limit, request.page_lang))

    def run(self, steps: Steps[T]) -> T:
        """Answer a search's needs from the folder until it is done.

        The search receives the error of an unreadable file, and may continue without it (X1).

        Raises:
            ValueError: the library is closed.

        """
        self._pages.require_open()
        try:
            need = next(steps)
            while True:
                try:
                    files = self.source.answer(need)
                except FetchError as error:
                    need = steps.throw(error)
                else:
                    need = steps.send(files)
        except StopIteration as stop:
            result: T = stop.value
            return result

    def timed(self, steps: Steps[Answer]) -> Answer:
        """Do the same as `run`, and set the result's `timing`."""
        started = time.perf_counter()
        result = self.run(steps)
        return replace(result, timing={"total_ms": round((time.perf_counter() - started) * 1000, 3)})


def open_snapshot(folder: str | Path, expander: Expander | None = None) -> Library:
    """Open a built site's folder for searching; raise `FetchError` or `FormatError` if it is not one."""
    # Imported here too: no browser has it.
    from pathlib import Path

    return Library(Path(folder), expander)

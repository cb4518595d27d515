"""The Markdown and the rendered texts of pages on disk during a build, so that a large site needs less memory."""

from __future__ import annotations

import marshal
import tempfile
import threading
from dataclasses import replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from ranvier_builder.model import Chunk, Link, Neuron, Page, Rendered, Row, Section, StoredText, Terms
from ranvier_builder.work.codec import decoded
from ranvier_builder.write.analyse import terms_of

_VERSION = 2  # version of marshal's format in which equal values give equal bytes
_Span = tuple[int, int]  # offset and length of a part in the file


class PageMemory:
    """Leaves the texts of pages in memory."""

    folder: Path | None = None  # for temporary files

    def without_body(self, neuron: Neuron) -> Neuron:
        """Return the Neuron."""
        return neuron

    def put(self, rendered: Rendered) -> Rendered:
        """Return the page."""
        return rendered


class PageStore(PageMemory):
    """A temporary file with the texts of pages. Only the process that wrote it reads it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._file = tempfile.TemporaryFile(dir=folder)  # buffered: a full disk is an error, and no short write
        self._end = 0
        self._lock = threading.Lock()  # the threads of a process pool pickle stored texts

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def without_body(self, neuron: Neuron) -> Neuron:
        """Write the Markdown of a Neuron; return a Neuron that reads it on access."""
        if isinstance(neuron.markdown, StoredText):
            return neuron
        return replace(neuron, markdown=StoredText(partial(self.read, self._append(marshal.dumps(neuron.markdown, _VERSION)))))

    def put(self, rendered: Rendered) -> Rendered:
        """Write a page's texts; return a page that reads each text on access."""
        analysed = terms_of(rendered)
        links = [(link.target, link.to, link.line, link.external, link.file) for link in rendered.links]
        targets = [("", slug) for slug in rendered.targets()]
        sections = [(part.anchor, part.headings, part.levels) for part in rendered.sections]
        chunks = [(chunk.anchor, chunk.headings, chunk.body, chunk.spans) for chunk in rendered.chunks]
        terms: Any = [*map(tuple, analysed.rows)], tuple(analysed.whole), analysed.words
        parts = [marshal.dumps(part, _VERSION) for part in (rendered.html, links, targets, sections, chunks, terms)]
        html, *spans = map(self._append, parts)
        digest = sha256(b"".join(parts[2:])).digest()
        return StoredPage(self, rendered.page, rendered.media, html, tuple(spans), digest)

    def read(self, span: _Span) -> Any:
        """Read one part."""
        with self._lock:
            self._file.seek(span[0])
            return marshal.loads(self._file.read(span[1]) or b"")

    def _append(self, part: bytes) -> _Span:
        with self._lock:
            self._file.seek(self._end)
            self._file.write(part)
            span = self._end, len(part)
            self._end += len(part)
        return span


class StoredPage(Rendered):
    """A page whose texts and links are in a page store. `digest` is a digest of its searchable parts."""

    __slots__ = ("_html", "_spans", "_store", "digest")
    _html: _Span | None  # `None`: without text
    _spans: tuple[_Span, ...]  # of links, their targets, sections, chunks and terms
    _store: PageStore
    digest: bytes

    def __init__(
        self,
        page_store: PageStore,
        page: Page,
        media: tuple[str, ...],
        html: _Span | None,
        spans: tuple[_Span, ...],
        digest: bytes,
    ) -> None:
        values = {"page": page, "media": media, "_html": html, "_spans": spans, "_store": page_store, "digest": digest}
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def without_text(self, page: Page) -> Rendered:
        """Return the searchable parts of the page, with another Neuron; of links, only the published targets."""
        return StoredPage(self._store, page, (), None, self._spans, self.digest)

    @property
    def html(self) -> str:
        """The page's HTML."""
        return str(self._store.read(self._html)) if self._html is not None else ""

    @property
    def links(self) -> tuple[Link, ...]:
        """The page's links."""
        return decoded(Link, self._read(0 if self._html is not None else 1))

    @property
    def sections(self) -> tuple[Section, ...]:
        """The page's sections, without their blocks."""
        return tuple(Section(anchor, headings, levels, ()) for anchor, headings, levels in self._read(2))

    @property
    def chunks(self) -> tuple[Chunk, ...]:
        """The page's chunks."""
        return decoded(Chunk, self._read(3))

    @property
    def terms(self) -> Terms:
        """The searchable terms of the page."""
        rows, whole, words = self._read(4)
        return Terms(decoded(Row, rows), Row(*whole), words)

    def _read(self, part: int) -> Any:
        return self._store.read(self._spans[part])

"""The Markdown and the rendered texts of pages on disk during a build, so that a large site needs less memory.

Other processes of this machine can read the rendered pages, which are all published. The Markdown is also that of withheld
files, so it is in a file without a name: nothing of it remains on the disk if the build is killed.
"""

from __future__ import annotations

import marshal
import tempfile
import threading
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import IO, Any

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


class PartFile:
    """A file of values, each read by its offset and length. A pickled one reads the same file, if it has a name."""

    def __init__(self, file: IO[bytes]) -> None:
        self.file = file  # buffered: a full disk is an error, and no short write
        self._end = 0
        self._lock = threading.Lock()  # the threads of a process pool pickle stored texts

    def __reduce__(self) -> tuple[Callable[[str], PartFile], tuple[str]]:
        """Pickle the file's name."""
        with self._lock:
            self.file.flush()
        return _reopened, (str(self.file.name),)

    def append(self, value: bytes) -> _Span:
        """Write a value in marshal's format."""
        with self._lock:
            self.file.seek(self._end)
            self.file.write(value)
            span = self._end, len(value)
            self._end += len(value)
        return span

    def read(self, span: _Span) -> Any:
        """Read one value."""
        with self._lock:
            self.file.seek(span[0])
            return marshal.loads(self.file.read(span[1]) or b"")


def _reopened(name: str) -> PartFile:
    return PartFile(Path(name).open("rb"))  # closed when the last page is freed


class PageStore(PageMemory):
    """Temporary files with the texts of pages."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._bodies = PartFile(tempfile.TemporaryFile(dir=folder))
        self._pages = PartFile((folder / "pages").open("xb+"))

    def close(self) -> None:
        """Close the files."""
        for part_file in (self._bodies, self._pages):
            part_file.file.close()

    def without_body(self, neuron: Neuron) -> Neuron:
        """Write the Markdown of a Neuron; return a Neuron that reads it on access."""
        if isinstance(neuron.markdown, StoredText):
            return neuron
        span = self._bodies.append(marshal.dumps(neuron.markdown, _VERSION))
        return replace(neuron, markdown=StoredText(partial(self._bodies.read, span)))

    def put(self, rendered: Rendered) -> Rendered:
        """Write a page's texts; return a page that reads each text on access."""
        analysed = terms_of(rendered)
        links = [(link.target, link.to, link.line, link.external, link.file) for link in rendered.links]
        targets = [("", slug) for slug in rendered.targets()]
        sections = [(part.anchor, part.headings, part.levels) for part in rendered.sections]
        chunks = [(chunk.anchor, chunk.headings, chunk.body, chunk.spans) for chunk in rendered.chunks]
        terms: Any = [*map(tuple, analysed.rows)], tuple(analysed.whole), analysed.words
        parts = [marshal.dumps(part, _VERSION) for part in (rendered.html, links, targets, sections, chunks, terms)]
        html, *spans = map(self._pages.append, parts)
        digest = sha256(b"".join(parts[2:])).digest()
        return StoredPage(self._pages, rendered.page, rendered.media, html, tuple(spans), digest)


class StoredPage(Rendered):
    """A page whose texts and links are in a page store. `digest` is a digest of its searchable parts."""

    __slots__ = ("_file", "_html", "_spans", "digest")
    _html: _Span | None  # `None`: without text
    _spans: tuple[_Span, ...]  # of links, their targets, sections, chunks and terms
    _file: PartFile
    digest: bytes

    def __init__(
        self, file: PartFile, page: Page, media: tuple[str, ...], html: _Span | None, spans: tuple[_Span, ...], digest: bytes
    ) -> None:
        values = {"page": page, "media": media, "_html": html, "_spans": spans, "_file": file, "digest": digest}
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle where the texts are."""
        return StoredPage, (self._file, self.page, self.media, self._html, self._spans, self.digest)

    def without_text(self, page: Page) -> Rendered:
        """Return the searchable parts of the page, with another Neuron; of links, only the published targets."""
        return StoredPage(self._file, page, (), None, self._spans, self.digest)

    @property
    def html(self) -> str:
        """The page's HTML."""
        return str(self._file.read(self._html)) if self._html is not None else ""

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
        return self._file.read(self._spans[part])

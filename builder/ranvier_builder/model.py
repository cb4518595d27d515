"""The values that the stages of a build hand on: frozen, slotted, defined once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ranvier_builder.embed.models import Embedder

# Told before each stage: its name, and how many steps it has (0: unknown). Called with ("", n) after each n steps.
Progress = Callable[[str, int], None]

# What a warning can be about; the report counts by it, and the manual says what each means.
KINDS = (
    "frontmatter",  # it is there and cannot be read
    "field",  # a value that is not what the field takes
    "encoding",
    "audience",
    "name",  # hidden folders, files that clash
    "markup",  # another system's syntax that could not be understood
    "link",
    "media",
    "duplicate",
    "empty",
    "leak",  # words of a withheld file in a written one; the twin has them too
    "limit",  # it takes too much time or memory, or is too large
)


@dataclass(frozen=True, slots=True)
class Warn:
    """Something odd that a build lived with. Printed as `file:line: message`."""

    file: str
    kind: str  # one of `KINDS`
    message: str
    line: int = 0

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.message}" if self.line else f"{self.file}: {self.message}"


@dataclass(frozen=True, slots=True)
class Neuron:
    """A Markdown file with frontmatter, read but not yet rendered (N1). Nothing here has passed the audience gate."""

    path: str  # relative to the content folder, with slashes
    title: str
    body: str  # Markdown, claim anchors and comments stripped, other systems' syntax put into Markdown
    line: int = 1  # of the file, on which the body begins
    id: str = ""
    kind: str = "page"
    tags: tuple[str, ...] = ()
    audience: tuple[str, ...] | None = None  # None: the file does not say
    aliases: tuple[str, ...] = ()
    summary: str = ""
    confidence: float | None = None
    source_type: str = ""
    derived_from: tuple[str, ...] = ()
    user_note: str = ""
    user_note_shared: bool = False
    created: str = ""
    updated: str = ""
    parent: str = ""
    role: str = ""
    lang: str = ""
    lang_guessed: bool = False  # nothing but the small words of its text says it
    weight: float = 1.0
    order: float | None = None  # among the pages of its folder
    label: str = ""  # what menus call it; empty: the title
    addresses: tuple[str, ...] = ()  # where another system publishes it, or once did
    noindex: bool = False
    modality: str = "text"  # text, image, audio, pdf (N7)
    files: tuple[str, ...] = ()  # media that the Neuron stands for: withheld with it, published with it
    extra: tuple[
        tuple[str, str], ...
    ] = ()  # other frontmatter fields of one value (N3); published only where config names them


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of a table of contents. `path` is a page's, relative to the content folder; empty: a section without a page."""

    path: str
    label: str
    depth: int


@dataclass(frozen=True, slots=True)
class Outline:
    """What a site's settings say of its pages. `folders`: path → a number among its siblings, and a label.

    `title` is the site's name; empty where none is set.
    """

    entries: tuple[Entry, ...] = ()
    folders: Mapping[str, tuple[float | None, str]] = field(default_factory=dict)
    title: str = ""


@dataclass(frozen=True, slots=True)
class Page:
    """A published Neuron with its place on the site. Only the audience gate's survivors become pages."""

    neuron: Neuron
    seq: int  # 1 is the first page of the site
    seq_id: str  # `<site>_<8 hex>` [000]
    slug: str  # "guide/install"; "" is the home page
    url: str  # percent-encoded, relative to the site's root: "guide/install/"
    is_index: bool  # stands for its folder


@dataclass(frozen=True, slots=True)
class Section:
    """What stands under one heading. Each block is a paragraph, or lines that keep their breaks."""

    anchor: str
    headings: tuple[str, ...]
    levels: tuple[int, ...]
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph of prose, or preformatted lines."""

    text: str
    lines: bool = False


@dataclass(frozen=True, slots=True)
class Chunk:
    """What is searched and retrieved: some 500 characters under one heading (C1, C2)."""

    anchor: str
    headings: tuple[str, ...]
    body: str


@dataclass(frozen=True, slots=True)
class Link:
    """A link as its author wrote it, and where it leads: a row of the link table (N4)."""

    target: str  # as written
    to: str | None  # slug of a published page, or `None`
    line: int = 0
    external: bool = False
    file: bool = False  # it leads to a media file


@dataclass(frozen=True, slots=True)
class Row:
    """What of one chunk is searched: the analyser's terms, with a blank between them. `name` is a whole name as one term."""

    name: str
    title: str
    tags: str
    heading: str
    path: str
    body: str
    again: int = 0  # of the body's terms, the first so many are the last of the row before: chunks overlap


@dataclass(frozen=True, slots=True)
class Terms:
    """What of a page is searched."""

    rows: tuple[Row, ...]  # one for each chunk
    whole: Row  # of the Neuron; its body is empty here, for the rows say it
    words: str  # for the vocabulary: as written, folded, sorted, one to a line


@dataclass(frozen=True, slots=True)
class Rendered:
    """A page as HTML that is safe to send, with its sections."""

    page: Page
    html: str
    sections: tuple[Section, ...]
    chunks: tuple[Chunk, ...]
    media: tuple[str, ...] = ()  # local files it shows, relative to the content folder
    links: tuple[Link, ...] = ()
    terms: Terms | None = None  # `None`: not analysed yet

    def bare(self, page: Page, links: tuple[Link, ...]) -> Rendered:
        """Return what of the page is searched, with another Neuron and other links."""
        sections = tuple(Section(section.anchor, section.headings, section.levels, ()) for section in self.sections)
        return Rendered(page, "", sections, self.chunks, (), links, self.terms)


@dataclass(slots=True)
class Report:
    """What a build did. Filled in by the stages, printed at the end."""

    read: int = 0
    published: int = 0
    withheld: dict[str, int] = field(default_factory=dict)  # reason → how many
    first: dict[str, str] = field(default_factory=dict)  # reason → the first file that was withheld for it
    chunks: int = 0
    vectors: int = 0  # chunks that are found by their meaning, too
    model: str = ""  # what found it
    reads: tuple[str, ...] = ()  # the languages that the model reads; empty: any
    files: int = 0
    bytes: int = 0
    seconds: float = 0.0
    links: int = 0
    unresolved: int = 0
    warnings: list[Warn] = field(default_factory=list)

    def stored(self, chunks: int, vectors: int, model: Embedder | None) -> None:
        """Take down what there is to search."""
        self.chunks, self.vectors = chunks, vectors
        self.model, self.reads = (model.name, model.langs) if model is not None else ("", ())

    def weigh(self, written: Path) -> None:
        """Count the files of what was written, and their bytes."""
        sizes = [file.stat().st_size for file in written.rglob("*") if file.is_file()]
        self.files, self.bytes = len(sizes), sum(sizes)

    def kinds(self) -> dict[str, int]:
        """Count the warnings by kind, in the order of `KINDS`."""
        counted = Counter(warning.kind for warning in self.warnings)
        return {kind: counted[kind] for kind in KINDS if counted[kind]}

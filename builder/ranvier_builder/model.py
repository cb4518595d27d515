"""The values that the stages of a build exchange: frozen, slotted, defined once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

# Called before each stage with its name and its number of steps (0: unknown), and with ("", n) after each n steps.
Progress = Callable[[str, int], None]


def silent(_: str, __: int) -> None:
    """Ignore progress."""


# Kinds of warnings; the report counts by kind, and the manual explains each.
KINDS = (
    "frontmatter",  # present, but cannot be read
    "field",  # invalid value of a field
    "encoding",
    "audience",
    "name",  # hidden folders, files that clash
    "markup",  # another system's syntax that could not be converted
    "link",
    "media",
    "duplicate",
    "empty",
    "leak",  # words of a withheld file in a written one; the twin has them too
    "limit",  # it takes too much time or memory, or is too large
)


@dataclass(frozen=True, slots=True)
class Warn:
    """A problem that does not stop the build. Printed as `file:line: message`."""

    file: str
    kind: str  # one of `KINDS`
    message: str
    line: int = 0

    def __post_init__(self) -> None:
        """Remove a line before the first: the text of a home page can be longer than the front matter that has its words."""
        object.__setattr__(self, "line", max(0, self.line))

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.message}" if self.line else f"{self.file}: {self.message}"


class StoredText:
    """A text that is not in memory: `str()` reads it. A pickled one is a plain string."""

    __slots__ = ("_read",)

    def __init__(self, read: Callable[[], str]) -> None:
        """Store the function that reads the text."""
        self._read = read

    def __str__(self) -> str:
        """Read the text."""
        return self._read()

    def __reduce__(self) -> tuple[type[str], tuple[str]]:
        """Pickle the text, because another process cannot read it."""
        return str, (str(self),)


@dataclass(frozen=True, slots=True)
class Neuron:
    """A Markdown file with frontmatter, read but not yet rendered (N1). It has not passed the audience gate."""

    path: str  # relative to the content folder, with slashes
    title: str
    markdown: str | StoredText  # without claim anchors and comments, with other systems' syntax converted
    line: int = 1  # line of the file on which the body starts
    id: str = ""
    kind: str = "page"
    tags: tuple[str, ...] = ()
    audience: tuple[str, ...] | None = None  # None: not in the file
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
    lang_guessed: bool = False  # derived only from the function words of its text
    weight: float = 1.0
    order: float | None = None  # among the pages of its folder
    label: str = ""  # name in menus; empty: the title
    has_title: bool = True  # from its front matter, or a heading of level 1
    heading_below: str = ""  # the heading right below a title of level 1, which may be a banner
    # Of its tables of contents: labels and targets of other pages; a caption has no target.
    contents: tuple[tuple[str, str], ...] = ()
    addresses: tuple[str, ...] = ()  # current and old addresses in another system
    translation: str = ""  # the same for all translations of a page
    noindex: bool = False
    unlisted: bool = False  # in no menu and list
    is_snippet: bool | None = None  # text that pages include, not a page; None: as the nearest index file says
    snippets_below: bool | None = None  # of an index file: whether the files in its folder are snippets
    withholds_below: bool = False  # of an index file: the pages in its folder that name no audience are withheld
    modality: str = "text"  # text, image, audio, pdf (N7)
    files: tuple[str, ...] = ()  # media of the Neuron: withheld or published with it
    # Other frontmatter fields with a single value (N3); published only if the config names them.
    extra: tuple[tuple[str, str], ...] = ()

    @property
    def body(self) -> str:
        """The Markdown; each access may read it from a file."""
        return str(self.markdown)


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of a table of contents. `path` is a page's, relative to the content folder; empty: a section without a page.

    `is_index` is true for the page of the section on the line above.
    """

    path: str
    label: str
    depth: int
    is_index: bool = False


@dataclass(frozen=True, slots=True)
class Setting:
    """A value of a settings file, which is that of another system or `is_own`."""

    value: str
    file: str
    line: int = 0
    is_own: bool = False


@dataclass(frozen=True, slots=True)
class Outline:
    """A site's settings about its pages. `folders`: path → position among its siblings, and label.

    `pages` has the same for pages, by their paths without suffix; an index page has that of its folder.
    `title` is the site's name; empty if not set. `excluded` has the paths, without claims, of files that settings
    keep out of the site, each with the name of the settings file. `held_folders` are those that a field for all of
    their files withholds, each with the name of the file that has it. `bundles` are pages that decide about the documents
    in their folder. `warnings` are about settings that cannot be used. `place` is the path of the content in its git
    repository. `identity` has the logo and similar settings by our names. `is_wiki`: names of files have hyphens for blanks.
    `repository` is the name of the top folder of that repository, or of the content folder. `unsearched` and `unlisted` are the
    folders and the pages that are in no search and in no menu.
    """

    entries: tuple[Entry, ...] = ()
    folders: Mapping[str, tuple[float | None, str]] = field(default_factory=dict)
    title: str = ""
    pages: Mapping[str, tuple[float | None, str]] = field(default_factory=dict)
    excluded: Mapping[str, str] = field(default_factory=dict)
    held_folders: Mapping[str, str] = field(default_factory=dict)
    bundles: frozenset[str] = frozenset()
    warnings: tuple[Warn, ...] = ()
    place: str = ""
    identity: Mapping[str, Setting] = field(default_factory=dict)
    is_wiki: bool = False
    repository: str = ""
    unsearched: frozenset[str] = frozenset()
    unlisted: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Page:
    """A published Neuron with its place on the site. Only Neurons that passed the audience gate become pages."""

    neuron: Neuron
    seq: int  # 1 is the first page of the site
    seq_id: str  # `<site>_<8 hex>` [000]
    slug: str  # "guide/install"; "" is the home page
    url: str  # percent-encoded, relative to the site's root: "guide/install/"
    is_index: bool  # the index page of its folder


@dataclass(frozen=True, slots=True)
class Section:
    """The text under one heading. Each block is a paragraph, or lines with their breaks."""

    anchor: str
    headings: tuple[str, ...]
    levels: tuple[int, ...]
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph of prose, a row of a table, or preformatted lines."""

    text: str
    lines: bool = False
    kind: int = 0  # PROSE, CODE or TABLE of `ranvier.store.texts`


@dataclass(frozen=True, slots=True)
class Chunk:
    """The unit of search and retrieval: about 500 characters under one heading (C1, C2)."""

    anchor: str
    headings: tuple[str, ...]
    body: str
    spans: tuple[int, ...] = ()  # where code and tables are in the body: start, length and kind of each


@dataclass(frozen=True, slots=True)
class Link:
    """A link as written, and its target: a row of the link table (N4)."""

    target: str  # as written
    to: str | None  # slug of a published page, or `None`
    line: int = 0
    external: bool = False
    file: bool = False  # it leads to a media file


class Row(NamedTuple):
    """The searched terms of one chunk, separated by blanks. `name` has whole names as single terms."""

    name: str
    title: str
    tags: str
    heading: str
    path: str
    body: str
    overlap: int = 0  # number of terms at the start of the body that repeat the end of the row before: chunks overlap


@dataclass(frozen=True, slots=True)
class Terms:
    """The searched terms of a page."""

    rows: tuple[Row, ...]  # one for each chunk
    whole: Row  # of the Neuron; its body is empty here, because the rows contain it
    words: str  # for the vocabulary: as written, folded, sorted, one per line


@dataclass(frozen=True, slots=True)
class Rendered:
    """A page as HTML that is safe to send, with its sections."""

    page: Page
    html: str
    sections: tuple[Section, ...]
    chunks: tuple[Chunk, ...]
    media: tuple[str, ...] = ()  # local files that it shows, relative to the content folder
    links: tuple[Link, ...] = ()
    terms: Terms | None = None  # `None`: not analysed yet

    def without_text(self, page: Page) -> Rendered:
        """Return only the searched data of the page, with another Neuron; of links, only the published targets."""
        sections = tuple(Section(section.anchor, section.headings, section.levels, ()) for section in self.sections)
        links = tuple(Link("", slug) for slug in self.targets())
        return Rendered(page, "", sections, self.chunks, (), links, self.terms)

    def targets(self) -> list[str]:
        """Return the slugs of the published pages to which it links."""
        return [link.to for link in self.links if link.to is not None]


@dataclass(slots=True)
class Report:
    """Results of a build. Filled in by the stages, printed at the end."""

    read: int = 0
    published: int = 0
    withheld: dict[str, int] = field(default_factory=dict)  # reason → count
    first: dict[str, str] = field(default_factory=dict)  # reason → first file that was withheld for it
    chunks: int = 0
    vectors: int = 0  # chunks that can be found by meaning
    model: str = ""  # name of the embedding model
    lacks_model: bool = False  # no search by meaning, because the model is not installed
    model_langs: tuple[str, ...] = ()  # the languages that the model supports; empty: any
    files: int = 0
    bytes: int = 0
    seconds: float = 0.0
    links: int = 0
    unresolved: int = 0
    warnings: list[Warn] = field(default_factory=list)
    audience: str = "public"  # of the build
    audiences: dict[str, str] = field(default_factory=dict)  # page's address → smallest audience that may see it, if not public

    def weigh(self, folder: Path) -> None:
        """Count the written files and their bytes."""
        sizes = [file.stat().st_size for file in folder.rglob("*") if file.is_file()]
        self.files, self.bytes = len(sizes), sum(sizes)

    def kinds(self) -> dict[str, int]:
        """Count the warnings by kind, in the order of `KINDS`."""
        counts = Counter(warning.kind for warning in self.warnings)
        return {kind: counts[kind] for kind in KINDS if counts[kind]}

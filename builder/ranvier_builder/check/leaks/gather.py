"""The content folder → needles, and what strikes needles out because a reader may see it anyway."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from fnmatch import fnmatch
from functools import partial
from hashlib import sha256
from itertools import chain
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import unquote

from ranvier_builder.check.leaks.frontmatter import plain, texts
from ranvier_builder.check.leaks.needles import Mark, Needles
from ranvier_builder.check.leaks.own import frames, own_phrases, own_texts
from ranvier_builder.check.leaks.prose import REDACTED, Prose, anchored, html_comments, literal, read, rendered
from ranvier_builder.check.leaks.sources import DOCUMENTS, MARKDOWN, TRANSCRIPTS, Content, Source
from ranvier_builder.check.leaks.words import Address, address, below, uncovered, words
from ranvier_builder.config import Config

_CLAIM = re.compile(r"\{#claim-([0-9A-Za-z]+)\}")
_HEADING = re.compile(r"^#[ \t]+(.+?)[ \t]*#*[ \t]*$|^(\S.*)\n=+[ \t]*$", re.MULTILINE)
_HASHTAG = re.compile(r"(?<![\w&/#\[({\"'=])#([^\W\d_][\w/-]*)")
_NAMELESS = {"index", "_index", "readme"}
_TITLES = ("title", "linktitle")
_ALIASES = ("aliases", "alias")
_SPOKEN = (*TRANSCRIPTS, *DOCUMENTS)
_PUBLISHED_FIELDS = frozenset(
    """title aliases alias tags tag summary description kind id lang updated lastmod created date role source_type confidence
    weight modality audience""".split()
)
# One word of these says nothing about a file: too many files of any kind say the same.
_COMMON_FIELDS = {"kind", "lang", "layout", "type", "draft", "audience", "role", "noindex", "weight", "user_note_shared"}
_OWN_NAMES = ("search", "404", "media", "ranvier", "sitemap-xml", "favicon-svg", "nojekyll")  # at the top of every site
_RESERVED = ("search", "404")  # a page of that name gets another address
_MODALITIES = "page daily section text image audio pdf"  # what the search data says that a page is
_FEW = 2  # files
_SHORTEST_SECRET, _LONGEST_WORD = 5, 100  # letters of a single word that a published file keeps to itself
_MARKUP_WORDS = "checked disabled checkbox footnote footnotes anonymous metadata button submit"  # in attributes of any page
_PDF_PAGES = 999  # "Page 7": headings of a PDF's pages
_BATCH = 64  # bodies that a process reads at a time


@dataclass(slots=True)
class Gathered:
    """What is searched for, and what explains a find: the published files' own words."""

    needles: Needles
    seen: list[str] = field(default_factory=list)  # what readers see of published files
    joined: list[str] = field(default_factory=list)  # names side by side, as the index has them
    markdown: list[str] = field(default_factory=list)  # their bodies, to be rendered where a find asks for it
    bodies: list[str] = field(default_factory=list)  # the same as written
    titles: list[str] = field(default_factory=list)
    frames: list[tuple[str, str]] = field(default_factory=list)  # what the theme says before and after something
    withheld: list[tuple[str, str]] = field(default_factory=list)  # path and text of withheld files
    _drawn: list[str] | None = None

    def digest(self) -> bytes:
        """Digest all that the search data are compared with; what renders it is made of the same."""
        said = sha256(self.needles.digest())
        for text in (*chain.from_iterable(self.withheld), "\0", *self.seen, *self.joined, *self.markdown):
            said.update(text.encode("utf-8", "surrogatepass") + b"\0")
        return said.digest()

    def renderings(self) -> Iterator[str]:
        """Yield published bodies as a renderer would show them; it takes time, so only where there is a find, and once."""
        if self._drawn is None:
            self._drawn = [*map(rendered, self.markdown), *map(literal, self.bodies)]
        yield from self._drawn
        yield from (plain for text in self.seen for plain in uncovered(text))
        yield from (f"{before} {title} {after}" for before, after in self.frames for title in self.titles)


def gather(content: Content, config: Config, executor: Executor | None = None) -> Gathered:
    """Read needles off the withheld files and private parts, and strike out what is public."""
    hidden = _Hidden(content, config.url)
    found = Gathered(Needles())
    for source in content.withheld:
        prose = read(source.head.body)
        _withheld(found.needles, source, prose, config)
        found.withheld.append((source.path, source.text))
    if content.withheld:
        _paths(found.needles, content)
    prose_of = _read_all(content.published, hidden, config, executor)
    told = Counter(word for one in content.published for word in {_one_word(text) for _, text in _unpublished(one, config)})
    for source in content.published:
        _private(found.needles, source, prose_of[source.path], config, told)
    if not found.needles:
        return found
    found.seen = [text for one in content.published for text in _seen(one, prose_of[one.path], config)]
    found.seen += _of_the_site(content, config)
    found.joined = [text for one in content.published for text in _joined(one)]
    found.markdown = [prose_of[one.path].markdown for one in content.published]
    found.bodies = [one.head.body for one in content.published]
    found.titles = list(dict.fromkeys(title for one in content.published for title in (*_titles(one), *_folders(one))))
    found.frames = frames(config.theme)
    found.needles.allow(found.seen)
    found.needles.allow(_seq_id(one, config) for one in content.published)  # a copied file says the same id again
    found.needles.allow(own_phrases(config.theme), single=False)
    for name in _OWN_NAMES:
        found.needles.allow_path((name,))
    for source in content.published:
        found.needles.allow_path(address(source.path))
        found.needles.allow_path(_place(source))
    for names in _numbered(content):
        found.needles.allow_path(names)
        found.needles.allow([names[-1]], single=False)
    return found


def _place(source: Source) -> Address:
    """Return the address of a page, or of what is a page by itself without being Markdown."""
    return address(str(PurePosixPath(source.path).with_suffix("")) if source.path.lower().endswith(_SPOKEN) else source.path)


def _numbered(content: Content) -> Iterator[Address]:
    """Yield what pages may be called whose address is another's: `notes-2`."""
    counts = Counter(_place(source) for source in content.published)
    for names, count in counts.items():
        taken = count + any(names == (one,) for one in _RESERVED)
        for number in range(2, taken + 2 if taken > 1 else 0):
            yield (*names[:-1], f"{names[-1] if names else 'home'}-{number}")


def _folders(source: Source) -> Iterator[str]:
    yield from PurePosixPath(source.path).parts[:-1]


def _read_all(sources: Sequence[Source], hidden: _Hidden, config: Config, executor: Executor | None) -> dict[str, Prose]:
    job = partial(_read_batch, hidden, config.redact_private_links)
    bodies = [_CLAIM.sub("", one.head.body) for one in sources]
    batches = [bodies[at : at + _BATCH] for at in range(0, len(bodies), _BATCH)]
    read_batches = executor.map(job, batches) if executor is not None and len(batches) > 1 else map(job, batches)
    return dict(zip((one.path for one in sources), chain.from_iterable(read_batches), strict=True))


def _read_batch(hidden: _Hidden, redact: bool, bodies: list[str]) -> list[Prose]:
    return [read(body, hidden.names, redact, hidden.ours) for body in bodies]


class _Hidden:
    """Tells whether a link's target names a withheld file: by path, by the end of it, by title or alias."""

    def __init__(self, content: Content, url: str) -> None:
        self._url = url
        self._names = {tuple(words(name)) for one in content.withheld for name in _names(one)}
        self._names -= {tuple(words(name)) for one in content.published for name in _names(one)}
        self._names.discard(())

    def names(self, target: str) -> bool:
        if not self._names:
            return False
        bare = unquote(target.partition("#")[0].strip())
        last = PurePosixPath(bare).name
        ending = PurePosixPath(last).suffix.lower()
        return tuple(words(bare)) in self._names or tuple(words(last.removesuffix(ending if ending in MARKDOWN else ""))) in (
            self._names
        )

    def ours(self, target: str) -> bool:
        return below(target, self._url) is not None


def _names(source: Source) -> Iterator[str]:
    yield from _titles(source)
    yield from (alias for key in _ALIASES for alias in _listed(source.fields.get(key)))


def _titles(source: Source) -> Iterator[str]:
    yield from (title for key in _TITLES if (title := plain(source.fields.get(key))))
    if match := _HEADING.search(source.head.body):
        yield match[1] or match[2]
    stem = PurePosixPath(source.path).stem
    if stem.lower() not in _NAMELESS:
        yield stem


def _listed(value: Any) -> list[str]:
    if isinstance(value, str):
        value = value.split(",")
    return [found for item in (value if isinstance(value, list) else [value]) if (found := plain(item))]


def _withheld(needles: Needles, source: Source, prose: Prose, config: Config) -> None:
    """Add everything that a withheld file says or is called."""
    get, of = source.fields.get, source.path
    for title in _titles(source):
        needles.phrase(title, Mark("title", of))
    for alias in (alias for key in _ALIASES for alias in _listed(get(key))):
        needles.phrase(alias, Mark("alias", of))
    for tag in (*_listed(get("tags")), *_listed(get("tag")), *_HASHTAG.findall(source.head.body)):
        for part in (tag, *tag.split("/")):
            needles.phrase(part, Mark("tag", of))
    needles.phrase(plain(get("id")), Mark("id", of))
    needles.phrase(_seq_id(source, config), Mark("id", of))
    for note in texts(get("user_note")):
        needles.phrase(note, Mark("note", of))
    _fields(needles, source)
    for heading in prose.headings:
        needles.phrase(heading, Mark("text", of), single=False)
    for text in (*prose.body, *prose.comments):
        needles.phrase(text, Mark("text", of))
    _claims(needles, source, config)


def _fields(needles: Needles, source: Source) -> None:
    """Add every value of the frontmatter; of one that cannot be read, what stands behind each colon."""
    for name, value in source.fields.items():
        for text in texts(value):
            needles.phrase(text, Mark("field", source.path), single=name not in _COMMON_FIELDS and len(text) > 3)
    for line in source.head.raw.split("\n") if source.head.broken else ():
        needles.phrase(line.partition(":")[2], Mark("field", source.path))


def _private(needles: Needles, source: Source, prose: Prose, config: Config, told: Mapping[str, int]) -> None:
    """Add what a published file keeps to itself: notes, comments, fields that are not published, anchors of claims."""
    get, of = source.fields.get, source.path
    if get("user_note_shared") is not True:
        for note in texts(get("user_note")):
            needles.phrase(note, Mark("note", of))
    sent = html_comments(source.head.body) if config.trusted_html else frozenset()
    for comment in prose.comments:
        if comment not in sent:
            needles.phrase(comment, Mark("text", of), single=bool(_one_word(comment)))
    for name, text in _unpublished(source, config):
        # What many files say is a name of something technical: `layout: default`.
        single = name not in _COMMON_FIELDS and 0 < told[_one_word(text)] <= _FEW and bool(_one_word(text))
        needles.phrase(text, Mark("field", of), single=single)
    _claims(needles, source, config)


def _unpublished(source: Source, config: Config) -> Iterator[tuple[str, str]]:
    for name, value in source.fields.items():
        if name not in _PUBLISHED_FIELDS and name != "user_note" and not _searched(name, config):
            yield from ((name, text) for text in texts(value))


def _one_word(text: str) -> str:
    """Return the word of a text that has one, long enough to be told from others; else nothing."""
    found = words(text) if len(text) < _LONGEST_WORD else []
    return found[0] if len(found) == 1 and len(found[0]) >= _SHORTEST_SECRET and not found[0].isdecimal() else ""


def _searched(name: str, config: Config) -> bool:
    return any(fnmatch(name, glob.lower()) for glob in config.search_fields)


def _seq_id(source: Source, config: Config) -> str:
    key = (plain(source.fields.get("id")) or source.path).encode("utf-8", "surrogatepass")
    return f"{config.name} {sha256(key).hexdigest()[:8]}"


def _claims(needles: Needles, source: Source, config: Config) -> None:
    if config.publish_for != "curator" or source.withheld:
        for claim in _CLAIM.findall(source.text):
            needles.claims.setdefault(claim.lower(), Mark("id", source.path))


def _seen(source: Source, prose: Prose, config: Config) -> Iterator[str]:
    """Yield what a reader may see of a published file."""
    for name, value in source.fields.items():
        if _searched(name, config):
            yield name
        if name in _PUBLISHED_FIELDS or _searched(name, config):
            yield from (_CLAIM.sub("", text) for text in texts(value))
        elif name == "user_note" and source.fields.get("user_note_shared") is True:
            yield from texts(value)
    shown = [(name, value) for name, value in source.fields.items() if _searched(name, config)]
    yield "\n".join(f"{name}: {', '.join(_listed(value))}" for name, value in shown)
    yield from (_CLAIM.sub("", text) for text in prose.seen)
    path = source.path
    yield from (path, *(PurePosixPath(name).stem for name in path.split("/")))
    yield from map(anchored, _titles(source))


def _joined(source: Source) -> Iterator[str]:
    """Yield the names of a file in one row: the index has title and aliases in one column."""
    aliases = " ".join(alias for key in _ALIASES for alias in _listed(source.fields.get(key)))
    yield from (f"{title} {aliases}" for title in _titles(source))


def _paths(needles: Needles, content: Content) -> None:
    """Add the addresses of withheld files, and of folders in which nothing else lies."""
    for source in content.withheld:
        _path(needles, address(source.path), source.path)
    for path in sorted(content.media_withheld):
        _path(needles, address(path), path)


def _path(needles: Needles, names: Address, of: str) -> None:
    if not names or (len(names) == 1 and len(names[0]) < 3):
        return
    needles.paths.setdefault(names, Mark("path", of))
    for stop in range(1, len(names)):
        if len("".join(names[:stop])) > 2:
            needles.folders.setdefault(names[:stop], Mark("path", of))


def _of_the_site(content: Content, config: Config) -> Iterable[str]:
    """Yield what the site and its theme say of themselves."""
    yield from (config.title, config.name, config.description, config.search_placeholder, config.url, config.lang)
    yield from (content.root.resolve().name, REDACTED, _MODALITIES, _MARKUP_WORDS)
    yield from ("WordLlama 256", Path(config.search.model).resolve().name)  # what the head of vectors calls its model
    yield from (PurePosixPath(path).name for path in content.media if path not in content.media_withheld)
    if any(one.path.lower().endswith(DOCUMENTS) for one in content.published):
        yield "\n\n".join(f"Page {number}" for number in range(1, _PDF_PAGES + 1))
    yield from own_texts(config.theme)

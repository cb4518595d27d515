"""The content folder as the check sees it: which files may be published, and which are withheld, and why."""

from __future__ import annotations

import os
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import Any

from ranvier_builder.check.leaks.frontmatter import Head, audience_of, decoded, head_of
from ranvier_builder.config import Config

MARKDOWN = (".md", ".markdown", ".mdx")
TRANSCRIPTS = (".vtt", ".srt")
DOCUMENTS = (".pdf",)
_LARGEST = 64 << 20  # bytes; no text is larger, and a device has no end
_SEES = {"public": {"public"}, "tool": {"public", "tool"}, "curator": {"public", "tool", "curator"}}
# Other people's texts by the thousand, and every version of every file in a packing of its own: nothing reads them.
_TOOLS = {".git", ".hg", ".svn", ".venv", "node_modules"}


@dataclass(frozen=True, slots=True)
class Source:
    """A text of the content folder, with the check's own verdict."""

    path: str
    head: Head
    text: str
    withheld: str = ""  # the reason; empty where the file may be published

    @property
    def fields(self) -> Any:
        """The frontmatter, keys in lower case."""
        return self.head.fields


@dataclass(slots=True)
class Content:
    """Everything in a content folder."""

    root: Path
    published: list[Source] = field(default_factory=list)
    withheld: list[Source] = field(default_factory=list)
    media: list[str] = field(default_factory=list)  # every other file's path
    media_withheld: set[str] = field(default_factory=set)  # those that a withheld file of the same name rules
    media_published: set[str] = field(default_factory=set)  # those that a published one rules


def read_content(root: Path, config: Config, out: Path | None = None) -> Content:
    """Read a content folder; what `out` holds is not content though it may lie inside."""
    found, texts = Content(root), list[str]()
    for path in sorted(_files(root.resolve(), out.resolve() if out else None)):
        (texts if path.lower().endswith((*MARKDOWN, *TRANSCRIPTS, *DOCUMENTS)) else found.media).append(path)
    for path in texts:
        if path.lower().endswith(MARKDOWN):
            source = _page(root, path, config)
            (found.withheld if source.withheld else found.published).append(source)
    _media(found, texts, config)
    return found


def _files(root: Path, out: Path | None) -> Iterator[str]:
    for at, folders, files in os.walk(root):
        here = Path(at)
        folders[:] = sorted(name for name in folders if name not in _TOOLS and here / name != out and not _is_site(here / name))
        for name in sorted(files):
            file = here / name
            if file.is_file() and file.stat().st_size <= _LARGEST:
                yield file.relative_to(root).as_posix().encode("utf-8", "replace").decode()


def _is_site(folder: Path) -> bool:
    """Tell whether a folder is a built site, or one that is being built: no page of it is anybody's source."""
    return ".ranvier-" in folder.name or (folder / "_ranvier" / "entry.json").is_file()


def _bytes(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError:
        return b""


def _page(root: Path, path: str, config: Config) -> Source:
    text = decoded(_bytes(root / path))
    head = head_of(text)
    reason = _not_content(root, path, config) or _refused(audience_of(head, text, config.audience_fields), config)
    return Source(path, head, text, reason)


def _not_content(root: Path, path: str, config: Config) -> str:
    if any(_matches(path, glob) for glob in config.exclude):
        return "excluded"
    hidden = any(name.startswith(".") for name in path.split("/"))
    if hidden and not any(_matches(path, glob) for glob in config.include):
        return "hidden"
    file = (root / path).resolve()
    return "" if file.is_relative_to(root.resolve()) else "outside of the folder"


def _matches(path: str, glob: str) -> bool:
    """Read a glob as people mean it: `./drafts/` is the folder and what lies below, and `**/` is no folder, too."""
    wanted = _composed(glob).removeprefix("./").strip("/")
    plain = PurePosixPath(_composed(path))
    above = [str(folder) for folder in plain.parents[:-1]]
    return any(fnmatchcase(one, form) for one in (str(plain), *above) for form in {wanted, wanted.replace("**/", "")} if form)


def _composed(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def _refused(said: list[tuple[str, ...]] | None, config: Config) -> str:
    if said is None:
        said = [(config.default_audience,)] if config.default_audience else None
    if said is None:
        return "no audience"
    names = {theirs.lower(): ours for theirs, ours in config.audience.items()} | {one: one for one in _SEES["curator"]}
    for field_words in said:  # where several fields name an audience, each has to let the reader in
        if not {names.get(word) for word in field_words} & _SEES[config.publish_for]:
            return "audience"
    return ""


def _media(found: Content, texts: list[str], config: Config) -> None:
    """A page rules the files whose names begin with its own; a file without one is ruled by the default audience."""
    pages: dict[str, list[Source]] = defaultdict(list)
    for source in (*found.published, *found.withheld):
        pages[_folded(str(PurePosixPath(source.path).with_suffix("")))].append(source)
    spoken = [path for path in texts if path.lower().endswith((*TRANSCRIPTS, *DOCUMENTS))]
    rulers = {path: [page for stem in _stems(path) for page in pages.get(stem, ())] for path in (*found.media, *spoken)}
    for path, ruled in rulers.items():
        if any(source.withheld for source in ruled):
            found.media_withheld.add(path)
        elif ruled:
            found.media_published.add(path)
    _same_files(found, rulers)
    for path in spoken:
        found.media.append(path)
        _spoken(found, path, rulers[path], config)


def _stems(path: str) -> Iterator[str]:
    """Yield what a page may be called that rules a file: `talk.en.vtt` → `talk`, `talk.en`, `talk.en.vtt`."""
    folder, slash, name = _folded(path).rpartition("/")
    ends = [at for at, sign in enumerate(name) if sign == "." and at]
    yield from (f"{folder}{slash}{name[:end]}" for end in (*ends, len(name)))


def _folded(path: str) -> str:
    return _composed(path).casefold()


def _same_files(found: Content, paths: Iterable[str]) -> None:
    """A link, hard or symbolic, to a withheld file is that file under another name."""
    seals = {path: seal for path in paths if (seal := _seal(found.root / path))} if found.media_withheld else {}
    withheld = {seals.get(path) for path in found.media_withheld}
    same = {path for path, seal in seals.items() if seal in withheld}
    found.media_withheld |= same
    found.media_published -= same


def _seal(file: Path) -> tuple[int, int] | None:
    try:
        found = file.stat()
    except OSError:
        return None
    return (found.st_dev, found.st_ino) if found.st_ino else None


def _spoken(found: Content, path: str, ruled: list[Source], config: Config) -> None:
    """Take the words of a transcript or a document: withheld or published as the file is."""
    reason = "withheld" if path in found.media_withheld else ""
    if not ruled and not reason:
        reason = _not_content(found.root, path, config) or _refused(None, config)
    text = _document(found.root / path) if path.lower().endswith(DOCUMENTS) else decoded(_bytes(found.root / path))
    (found.withheld if reason else found.published).append(Source(path, Head({}, text), text, reason))


def _document(file: Path) -> str:
    """Read a PDF's words, where the library for it is installed."""
    try:
        from pypdf import PdfReader
    except ImportError:
        return ""
    try:
        return "\n\n".join(page.extract_text() for page in PdfReader(file).pages)
    except Exception:  # whatever a damaged file makes it raise
        return ""

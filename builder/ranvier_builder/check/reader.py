"""The content folder for the proof: which files may be published, which are withheld, and why.

It shares no code with the reader and the gate that it checks.
"""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

from ranvier_builder.check.canvas import canvas_header
from ranvier_builder.check.header import Header, decode, header_of, normalize
from ranvier_builder.check.withholding import audiences, withholds_below
from ranvier_builder.config import Config
from ranvier_builder.paths import CANVAS, MEDIA, PAGES, is_draft, is_draft_folder

TRANSCRIPTS = (".vtt", ".srt")
DOCUMENTS = (".pdf",)
_ATTACHMENTS = tuple(MEDIA - {*DOCUMENTS, *TRANSCRIPTS})  # of Azure DevOps and GitBook, in a hidden folder
_SEES = {"public": {"public"}, "tool": {"public", "tool"}, "curator": {"public", "tool", "curator"}}
_HEADING = re.compile(r"^#[ \t]+(\S.*)$", re.MULTILINE)
# Folders of tools, with texts of other authors and compressed versions of files. They are never read.
_TOOL_FOLDERS = {".git", ".hg", ".svn", ".venv", "node_modules"}


@dataclass(frozen=True, slots=True)
class StrictSource:
    """A file of the content folder, with the verdict of the proof."""

    path: str
    withheld: str  # the reason; empty if the file may be published
    names: tuple[str, ...] = ()  # id, titles and aliases, if they are needed
    has_audience: bool = True
    withholds_below: bool = False  # an index file: files in its folder without an audience are withheld


@dataclass(slots=True)
class Content:
    """All content of a folder under the settings; excluded and hidden files are not content."""

    root: Path
    pages: list[StrictSource] = field(default_factory=list)  # Markdown
    files: list[StrictSource] = field(default_factory=list)  # other files that may be published
    others: list[str] = field(default_factory=list)  # files that are published only if a page includes them
    held_folders: set[str] = field(default_factory=set)  # files in them without an audience are withheld

    @property
    def withheld(self) -> list[StrictSource]:
        """All pages and files that may not be published."""
        return [source for source in (*self.pages, *self.files) if source.withheld]

    def holds(self, path: str) -> bool:
        """Return whether the folder of a file withholds it, if it has no audience."""
        return is_draft(path) or not self.held_folders.isdisjoint(map(str, PurePosixPath(path).parents))

    def holds_media(self, path: str, published: set[str]) -> bool:
        """Return whether the folder of a file withholds it, and no page in it, or in one below that one, is `published`."""
        folders = [*map(str, PurePosixPath(path).parents)]
        end = next((at for at, folder in enumerate(folders) if folder in published), len(folders))
        return any(folder in self.held_folders or is_draft_folder(PurePosixPath(folder).name) for folder in folders[:end])


def read_content(root: Path, config: Config, out: Path | None = None) -> Content:
    """Read a content folder; the folder `out` is not content, even inside it."""
    content = Content(root)
    media = []
    for path in sorted(_files(root.resolve(), out.resolve() if out else None, config)):
        if path.lower().endswith(PAGES):
            content.pages.append(_page(root, path, config))
        elif path.lower().endswith(tuple(MEDIA)):
            media.append(path)
        else:
            content.others.append(path)
    content.held_folders |= {str(PurePosixPath(page.path).parent) for page in content.pages if page.withholds_below}
    for at, page in enumerate(content.pages):
        if not (page.has_audience or page.withheld) and content.holds(page.path):
            content.pages[at] = _page(root, page.path, config, is_held=True)
    content.files = _judge_files(content, media, config)
    return content


def _files(root: Path, out: Path | None, config: Config) -> Iterator[str]:
    for at, folders, names in os.walk(root):
        folder = Path(at)
        tools = {name for name in _TOOL_FOLDERS if not any(name in glob.split("/") for glob in config.include)}
        folders[:] = sorted(
            name for name in folders if name not in tools and folder / name != out and not _is_site(folder / name)
        )
        for name in sorted(names):
            file = folder / name
            path = file.relative_to(root).as_posix()
            if file.is_file() and _is_utf8(path) and _is_content(root, path, config):
                yield path


def _is_utf8(path: str) -> bool:
    return path == path.encode("utf-8", "replace").decode()


def _is_site(folder: Path) -> bool:
    """Return whether a folder is a built site, finished or not: its pages are not content."""
    entry = folder / "_ranvier" / "entry.json"
    return ".ranvier-" in folder.name or os.path.isfile(entry)  # noqa: PTH113 (it is false for a folder without permission)


def _is_content(root: Path, path: str, config: Config) -> bool:
    if any(_matches(path, glob) for glob in config.exclude):
        return False
    hidden = [name for name in path.split("/") if name.startswith(".")]
    is_attachment = hidden in ([".attachments"], [".gitbook"]) and path.lower().endswith(_ATTACHMENTS)
    if hidden and not is_attachment and not any(_matches(path, glob) for glob in config.include):
        return False
    return (root / path).resolve().is_relative_to(root.resolve())


def _matches(path: str, glob: str) -> bool:
    """Match a path with a glob: `./drafts/` is the folder and everything below it, and `**/` also matches no folder."""
    pattern = normalize("NFC", glob).removeprefix("./").strip("/")
    plain = PurePosixPath(normalize("NFC", path))
    parents = [str(folder) for folder in plain.parents[:-1]]
    forms = {pattern, pattern.replace("**/", "")} - {""}
    return any(fnmatchcase(name, form) for name in (str(plain), *parents) for form in forms)


def _page(root: Path, path: str, config: Config, *, is_held: bool = False) -> StrictSource:
    text = read_text(root / path)
    header, text = (canvas_header(text), "") if path.lower().endswith(CANVAS) else header_of(text)
    readings = audiences(header, text, config.audience_fields, is_mdx=path.lower().endswith(".mdx"))
    has_audience = readings is not None
    reason = _refusal([()] if is_held and not has_audience else readings, config)
    names = tuple(_names(header, text)) if reason or config.redact_private_links else ()
    is_index = PurePosixPath(path).name.lower().partition(".")[0] in ("index", "_index")
    return StrictSource(path, reason, names, has_audience, is_index and withholds_below(header))


def read_text(file: Path, errors: str = "replace") -> str:
    """Return a file's text; empty if it cannot be opened."""
    try:
        return decode(file.read_bytes(), errors)
    except OSError:
        return ""


def _names(header: Header, text: str) -> Iterator[str]:
    yield from (heading.rstrip().rstrip("#").rstrip() for heading in _HEADING.findall(text))
    for name in ("id", "title", "aliases", "alias"):
        value = header.fields.get(name)
        yield from (item for item in (value if isinstance(value, list) else [value]) if isinstance(item, str) and item)


def _refusal(readings: list[tuple[str, ...]] | None, config: Config) -> str:
    if readings is None:
        readings = [(config.default_audience,)] if config.default_audience else None
    if readings is None:
        return "no audience"
    readers = _SEES[config.publish_for]
    return "" if all(known_words(words, config) & readers for words in readings) else "audience"


def known_words(words: tuple[str, ...], config: Config) -> set[str]:
    """Return the audiences that words name, also by the names in the settings."""
    names = {name.lower(): audience for name, audience in config.audience.items()} | {name: name for name in _SEES["curator"]}
    return {names[word] for word in words if word in names}


def _judge_files(content: Content, media: list[str], config: Config) -> list[StrictSource]:
    """Judge files: a page rules files with its name as prefix, and the default audience rules documents without a page."""
    pages: dict[str, list[StrictSource]] = defaultdict(list)
    for page in content.pages:
        pages[_with_folded_name(str(PurePosixPath(page.path).with_suffix("")))].append(page)
    rulers = {path: [page for stem in _stems(path) for page in pages.get(stem, ())] for path in media}
    published = {str(PurePosixPath(page.path).parent) for page in content.pages if not page.withheld}
    withheld_paths = {path for path, pages_above in rulers.items() if any(page.withheld for page in pages_above)}
    withheld_paths.update(path for path in media if content.holds_media(path, published))
    private = [*withheld_paths, *(page.path for page in content.pages if page.withheld)]
    withheld = {inode_of(content.root / path) for path in private} - {None}
    files = []
    for path in media:
        is_hard_link = bool(withheld) and inode_of(content.root / path) in withheld
        is_withheld = path in withheld_paths or is_hard_link
        has_no_page = not rulers[path] and path.lower().endswith((*TRANSCRIPTS, *DOCUMENTS))
        reason = _refusal([()] if content.holds(path) else None, config) if has_no_page else ""
        files.append(StrictSource(path, "a withheld page" if is_withheld else reason))
    return files


def included_sources(content: Content, included: Iterable[str], config: Config) -> list[StrictSource]:
    """Judge included files. All are withheld without a published default audience; so are files that are not content."""
    paths = {*content.others, *(source.path for source in content.files)}
    sources = {source.path: source for source in _judge_files(content, sorted(paths.intersection(included)), config)}
    unknown = StrictSource("", "no content")
    defaults = {path: _default_refusal(content, path, config) for path in sorted(included)}
    return [StrictSource(path, sources.get(path, unknown).withheld or default) for path, default in defaults.items()]


def _default_refusal(content: Content, path: str, config: Config) -> str:
    """Judge a file that is no page by the default audience, and by its own front matter; JSON without other text is data."""
    header, text = header_of(read_text(content.root / path))
    is_data = header.kind == "json" and re.match(r"\s*(?:\Z|\{\s*\")", text[header.body :])
    own = audiences(header, text[: header.body], config.audience_fields) if header.kind and not is_data else None
    return _refusal([()] if content.holds(path) else None, config) or _refusal(own, config)


def _stems(path: str) -> Iterator[str]:
    """Yield possible names of a page that rules a file in its folder: `talk.en.vtt` → `talk`, `talk.en`, `talk.en.vtt`."""
    folder, slash, name = _with_folded_name(path).rpartition("/")
    ends = [at for at, character in enumerate(name) if character == "." and at]
    yield from (f"{folder}{slash}{name[:end]}" for end in (*ends, len(name)))


def _with_folded_name(path: str) -> str:
    folder, slash, name = path.rpartition("/")
    return f"{folder}{slash}{fold_path(name)}"


def fold_path(path: str) -> str:
    """Fold a path or a name: case and the encoding of accents do not matter."""
    return normalize("NFC", normalize("NFC", path).casefold())


def inode_of(file: Path) -> tuple[int, int] | None:
    """Return a key that all hard links of a file share; `None` if it is unknown."""
    try:
        stat = file.stat()
    except OSError:
        return None
    return (stat.st_dev, stat.st_ino) if stat.st_ino else None

"""Paths of a content folder: relative, with slashes. Also the kinds of files, and the comparison of names."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path, PurePosixPath

from ranvier_builder.composed import composed

INDEXES = ("index", "_index", "readme")  # names of files that are the index page of their folder
MARKDOWN = (".md", ".markdown", ".mdx", ".qmd", ".rmd")
CANVAS = ".canvas"  # cards on a board, by Obsidian
PAGES = (*MARKDOWN, CANVAS)  # each file is a page, with an audience of its own
HTML = (".html", ".htm")  # files that only `ranvier index` reads
_DRAFTS = "_drafts"  # the folder of unpublished pages of Jekyll
MARKUP = (".rst", ".adoc", ".asciidoc", ".ipynb", ".org")  # pages of other systems, which nothing reads
EXTRACTED = (".pdf", ".vtt", ".srt")  # files with extracted text (N7)
IMAGES = frozenset(".png .jpg .jpeg .gif .svg .webp .avif .bmp .ico".split())
AUDIO = frozenset(".mp3 .ogg .oga .opus .wav .flac .m4a".split())
VIDEO = frozenset(".mp4 .m4v .webm .ogv .mov".split())
COMPANIONS = IMAGES | AUDIO | VIDEO  # files that a Markdown file or transcript of the same name describes
MEDIA = COMPANIONS | frozenset((*EXTRACTED, ".txt", ".csv", ".zip"))


_EXPORT_ID = re.compile(r"(?<=\S) [0-9a-f]{12}[48][0-9a-f]{3}[89ab][0-9a-f]{15}\Z")  # a UUID, and not any digest
_ACRONYMS = frozenset(
    """ai api aws ci cli cpu css csv db dns faq gpu gui html http https id ide io ios json jwt llm mcp orm os pdf php rpc sdk
    seo sql ssh ssl sso tcp tls toml udp ui uri url ux vm vpn xml yaml""".split()
)


def without_export_id(name: str) -> str:
    """Remove the id that Notion adds to the names of exported pages and folders: `Plan 0123456789ab4def8123456789abcdef`."""
    return _EXPORT_ID.sub("", name)


def folder_label(name: str) -> str:
    """Return the words of a folder's lower-case name: `http-api` → `HTTP API`, `getting-started` → `Getting started`."""
    name = name.removeprefix("docusaurus-plugin-content-")  # folders of its translations
    words = [word.upper() if word in _ACRONYMS else word for word in name.split("-")]
    return " ".join([words[0] if words[0].lower() in _ACRONYMS else words[0].capitalize(), *words[1:]])


def page_name(path: str) -> str:
    """Return the path of a page without its suffix; of an index page, the folder."""
    name = str(PurePosixPath(path).with_suffix(""))
    folder, _, last = name.rpartition("/")
    return folder if last.lower() in INDEXES else name


def is_page(path: str) -> bool:
    """Return whether a file is a page."""
    return suffix(path) in PAGES


def is_draft(path: str) -> bool:
    """Return whether a file is in a folder of drafts, or has a name such as `a.draft.md` or `a.draft.de.md`."""
    *folders, name = path.lower().split("/")
    return ".draft." in name or any(map(is_draft_folder, folders))


def is_draft_folder(name: str) -> bool:
    """Return whether a folder is called `_drafts`, or has a name such as `plans.draft`, as in Nuxt Content."""
    return name.lower() == _DRAFTS or name.lower().endswith(".draft")


def suffix(path: str) -> str:
    """Return a file's ending, like `PurePosixPath.suffix` in a fifth of the time: `a/B.PNG` → `.png`."""
    name = path.rstrip("/").rpartition("/")[2]
    at = name.rfind(".")
    return name[at:].lower() if 0 < at < len(name) - 1 else ""


def fold(name: str) -> str:
    """Make names comparable: ignore case and the encoding of accents."""
    return name.lower() if name.isascii() else composed(composed(name).casefold())


def is_utf8(path: str) -> bool:
    """Tell whether a name can be written to a file."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def files_below(folder: Path) -> list[str]:
    """Return the sorted names of all files below a folder, relative to it.

    Links to folders are not followed; folders that may not be read are left out.
    """
    names, folders = list[str](), [""]
    for parent in folders:
        with suppress(PermissionError), os.scandir(folder / parent) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    folders.append(f"{parent}{entry.name}/")
                elif _is_file(entry):
                    names.append(f"{parent}{entry.name}")
    return sorted(names)


def _is_file(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_file()
    except OSError:  # a link to itself
        return False


def identity(file: Path) -> tuple[int, int] | None:
    """Return a value that is equal for all names of one file; `None` if there is no file."""
    try:
        stat = file.stat()
    except OSError:
        return None
    return stat.st_dev, stat.st_ino


def file_version(file: Path) -> tuple[int, ...]:
    """Return numbers that change when a file is replaced; empty if it is missing."""
    try:
        status = file.stat()
    except OSError:
        return ()
    return status.st_mtime_ns, status.st_ino, status.st_size

"""Walks a content folder, in the same order on every machine, and never leaves it."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from ranvier_builder.errors import ReadError
from ranvier_builder.model import Warn
from ranvier_builder.paths import EXTRACTED, MEDIA, PAGES, is_utf8, suffix
from ranvier_builder.read.globs import Globs

# Large folders of tools, without content. They are read only if `include` names them.
_TOOL_FOLDERS = frozenset((".git", ".hg", ".svn", ".obsidian", ".foam", ".trash", ".venv", "node_modules"))
_ATTACHMENTS = (".attachments", ".gitbook")  # folders with the pictures of all pages. Their pages and PDFs are not read


@dataclass(frozen=True, slots=True)
class Walk:
    """The files of a content folder, as sorted relative paths with slashes, and warnings."""

    files: tuple[str, ...]
    warnings: tuple[Warn, ...]


def walk(folder: Path, include: tuple[str, ...] = (), exclude: tuple[str, ...] = (), snippets: Iterable[str] = ()) -> Walk:
    """List the files below a folder.

    Folders and files with a dot prefix are skipped, unless a glob of `include` matches; `exclude` has priority over `include`.
    A symbolic link is followed only to a content file inside the folder. No file is opened. A hidden folder of `snippets` is
    not reported: its files are parts of pages, and `include` would publish them as pages.

    Raises:
        ReadError: the folder is missing.

    """
    if not folder.is_dir():
        raise ReadError("is not a folder", file=folder, cure="name the folder that holds your Markdown files")
    walker = _Walker(folder.resolve(), include, exclude, snippets)
    walker.run()
    return Walk(
        tuple(sorted(walker.files)), tuple(sorted(walker.warnings, key=lambda warning: (warning.file, warning.message)))
    )


class _Walker:
    """Collects files; a hidden folder is walked too, to count the skipped files."""

    def __init__(self, root: Path, include: tuple[str, ...], exclude: tuple[str, ...], snippets: Iterable[str]) -> None:
        self.files: list[str] = []
        self.warnings: list[Warn] = []
        self._root = root
        self._include = include
        self._included = Globs(include)
        self._excluding = Globs(exclude)
        self._snippets = {_hidden_folder(path) for path in snippets}
        self._hidden = Counter[str]()  # topmost hidden folder → number of its Markdown files that are not read
        self._stack = [("", "")]  # folders to walk, each with its topmost hidden ancestor

    def run(self) -> None:
        while self._stack:
            folder, hidden_folder = self._stack.pop()
            try:
                with os.scandir(self._root / folder) as entries:
                    for entry in sorted(entries, key=lambda entry: entry.name):
                        self._visit(entry, f"{folder}/{entry.name}".lstrip("/"), hidden_folder)
            except OSError as error:
                if not folder:
                    raise ReadError(f"cannot be read: {error.strerror}", file=self._root, cure="make it readable") from None
                self._warn(folder, f"cannot be read: {error.strerror}")
        for glob in self._excluding.idle:
            file, line = glob.location
            self.warnings.append(Warn(file, "name", f"exclude: {glob!r} matches no file or folder", line))
        for folder, count in self._hidden.items():
            if folder in self._snippets:
                continue
            files = "1 Markdown file is" if count == 1 else f"{count} Markdown files are"
            self._warn(folder, f'{files} not read in this hidden folder; to read it, put "{folder}/*" in `include`')

    def _visit(self, entry: os.DirEntry[str], path: str, hidden_folder: str) -> None:
        if not is_utf8(path):
            if entry.is_dir(follow_symlinks=False) or _is_content(path):
                printable = path.encode("utf-8", "backslashreplace").decode()
                self._warn(printable, "has a name that is not UTF-8: left out; rename it")
        elif self._excluding.match(path):
            return
        elif entry.is_symlink():
            self._link(path, hidden_folder)
        elif entry.is_dir(follow_symlinks=False):
            self._folder(path, hidden_folder)
        elif entry.is_file(follow_symlinks=False):
            self._file(path, hidden_folder)
        elif _is_content(path):
            self._warn(path, "is neither a file nor a folder: left out, and not opened")

    def _folder(self, path: str, hidden_folder: str) -> None:
        name = path.rpartition("/")[2]
        if self._excluding.match(f"{path}/") or _is_output(self._root / path):
            return
        if name in _TOOL_FOLDERS and not any(name in glob.split("/") for glob in self._include):
            return
        self._stack.append((path, hidden_folder or (path if _is_hidden(name) else "")))

    def _file(self, path: str, hidden_folder: str) -> None:
        is_visible = not hidden_folder and not _is_hidden(path.rpartition("/")[2])
        if is_visible or _is_attachment(path, hidden_folder) or self._included.match(path):
            self.files.append(path)
        elif suffix(path) not in PAGES:
            return
        elif hidden_folder:
            self._hidden[hidden_folder] += 1
        else:
            self._warn(path, f'is not read, because its name begins with a dot; to read it, put "{path}" in `include`')

    def _link(self, path: str, hidden_folder: str) -> None:
        file = self._root / path
        if not _is_content(path):
            if file.is_dir():
                self._warn(path, "is a symbolic link to a folder: not followed")
            return
        try:
            target = file.resolve(strict=True)
        except (OSError, RuntimeError):
            self._warn(path, "is a symbolic link without a target: left out")
            return
        if any(_is_output(parent) for parent in target.parents if parent.is_relative_to(self._root)):
            return
        if not target.is_relative_to(self._root):
            name = os.path.relpath(target, self._root).encode("utf-8", "backslashreplace").decode()
            cure = "copy the file to this place, or build a folder that contains both"
            self._warn(path, f"is a symbolic link out of the content folder, to {name}: left out; {cure}")
        elif not target.is_file() or not self._is_readable(target.relative_to(self._root).as_posix()):
            self._warn(path, "is a symbolic link to a file that is not read: left out")
        else:
            self._file(path, hidden_folder)

    def _is_readable(self, path: str) -> bool:
        """Return whether a file is read under its own path too: a link does not publish a hidden file."""
        if self._excluding.match(path) or any(self._excluding.match(f"{folder}/") for folder in PurePosixPath(path).parents):
            return False
        is_visible = not any(_is_hidden(part) for part in path.split("/"))
        return is_visible or self._included.match(path)

    def _warn(self, path: str, message: str) -> None:
        self.warnings.append(Warn(path, "name", message))


def limited_bytes(root: Path, path: str, bytes_max: int) -> tuple[bytes | None, list[Warn]]:
    """Return the bytes of a document or a transcript; `None` and a warning if it is too large or cannot be read."""
    try:
        if (root / path).stat().st_size <= bytes_max:
            return (root / path).read_bytes(), []
        message = f"is larger than {bytes_max // 1_000_000} MB: its text is left out"
    except OSError as error:
        message = f"cannot be read: {error.strerror}"
    return None, [Warn(path, "media", message)]


def _is_content(path: str) -> bool:
    return suffix(path) in PAGES or suffix(path) in EXTRACTED


def _is_output(folder: Path) -> bool:
    """Return whether a folder is a built site, or the partial output of a build: it contains no content."""
    entry = folder / "_ranvier" / "entry.json"
    return ".ranvier-" in folder.name or os.path.isfile(entry)  # noqa: PTH113 (it is false for a folder without permission)


def _hidden_folder(path: str) -> str:
    """Return the topmost hidden folder of a path; empty if there is none."""
    parts = path.split("/")
    first = next((at for at, part in enumerate(parts) if _is_hidden(part)), -1)
    return "/".join(parts[: first + 1])


def _is_attachment(path: str, hidden_folder: str) -> bool:
    is_of_wiki = hidden_folder.rpartition("/")[2] in _ATTACHMENTS and "/." not in path[len(hidden_folder) :]
    return is_of_wiki and suffix(path) in MEDIA and not _is_content(path)


def _is_hidden(name: str) -> bool:
    return name.startswith(".") or name in _TOOL_FOLDERS

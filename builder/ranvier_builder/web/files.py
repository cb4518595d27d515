"""The HTML files of a built site, in the same order on every machine, and only from its folder."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from ranvier_builder.errors import ReadError
from ranvier_builder.model import Warn
from ranvier_builder.output import BASE
from ranvier_builder.paths import is_utf8, suffix
from ranvier_builder.read.globs import Globs

HTML = (".html", ".htm", ".xhtml")
# Generated files that are not content: error pages, search pages, word indexes, source code, ownership verification.
_NOT_A_PAGE = re.compile(
    r"(?:[a-z]{2}(?:-[a-z]{2,4})?/)?(?:"
    r"(?:404|500|50x|offline|search|search-results|genindex(?:-[\w.-]+)?|py-modindex|theindex)(?:/index)?\.x?html?"
    r"|(?:_modules|_static|_sources|_pagefind|pagefind)/.*"
    r"|google[0-9a-f]{16}\.html)"
    # Copies of chapters, for MathJax, in GAPDoc.
    r"|(?:[^/]+/)*chap\w+_mj\.html"
    # Source code in Doxygen (`main_8cpp_source.html`), Javadoc and rustdoc.
    r"|(?:[^/]+/)*(?:[\w-]+_8[\w-]+_source\.html|src-html/.+|src/.+\.rs\.html)",
    re.IGNORECASE,
)


@dataclass(slots=True)
class SiteFiles:
    """Paths relative to the site's folder, with slashes; the numbers of other and of excluded HTML files; warnings."""

    pages: list[str] = field(default_factory=list)
    no_pages: int = 0
    excluded: int = 0
    warnings: list[Warn] = field(default_factory=list)


def site_files(site: Path, exclude: tuple[str, ...]) -> SiteFiles:
    """Find the pages of a site; raise `ReadError` if its folder is missing, or one in it cannot be read."""
    if not site.is_dir():
        raise ReadError("is not a folder", file=site, cure="name the folder that your site generator writes to")
    files, excluding = SiteFiles(), Globs(exclude)
    for path in sorted(_html(site)):
        if not path.isprintable() or not is_utf8(path):
            printable = path.encode("utf-8", "backslashreplace").decode()
            files.warnings.append(Warn(printable, "name", "has a name that cannot be part of an address; it was left out"))
        elif excluding.match(path):
            files.excluded += 1
        elif _NOT_A_PAGE.fullmatch(path):
            files.no_pages += 1
        else:
            files.pages.append(path)
    # A settings file that `ranvier build` shares may have patterns of Markdown files.
    for glob in (glob for glob in excluding.idle if suffix(glob) in ("", *HTML)):
        file, line = glob.location
        message = f"exclude: {glob!r} matches no HTML file; remove it, or write the path of a file below the site's folder"
        files.warnings.append(Warn(file, "name", message, line))
    return files


def _html(site: Path) -> Iterator[str]:
    root = site.resolve()
    for at, folders, files in os.walk(root, onerror=_unreadable):
        top = Path(at) == root
        folders[:] = sorted(name for name in folders if not name.startswith(".") and not (top and name == BASE))
        names = set(files)
        for name in files:
            file = Path(at, name)
            if name.startswith(".") or file.suffix.lower() not in HTML or (name == "index.htm" and "index.html" in names):
                continue
            if file.is_file() and file.resolve().is_relative_to(root):
                yield file.relative_to(root).as_posix()


def _unreadable(error: OSError) -> None:
    raise ReadError(f"cannot be read: {error.strerror}", file=error.filename, cure="make it readable, or remove it")

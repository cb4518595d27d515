"""Check the pages of a finished site: links, anchors, the sitemap, and the addresses of hits (M1)."""

from __future__ import annotations

import errno
import os
import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from stat import S_ISREG
from urllib.parse import unquote, urlsplit

from selectolax.lexbor import LexborHTMLParser

from ranvier_builder.check.findings import Finding, SiteHealth
from ranvier_builder.model import Progress
from ranvier_builder.render.html import anchors_of
from ranvier_builder.web.charset import decode

_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:|//", re.IGNORECASE)
_LOC = re.compile(r"<loc>\s*([^<]*?)\s*</loc>")
_BASE = "_ranvier/"
_EXCERPT = 80  # characters of a link in a message
_NO_ANCHOR = ("top", "")  # valid in browsers without an element, also as `TOP`
_REMOVED = re.compile(r"[\t\n\r]")  # browsers remove them from an address


@dataclass(slots=True)
class _Target:
    """A link target: the first `href` that leads to it, the first page with such a link, and the number of pages."""

    href: str
    first: str
    count: int = 0


def check_pages(site: Path, out: SiteHealth, progress: Progress) -> None:
    """Check every HTML page below a folder and its links, and that hits lead to pages."""
    files = _files(site)
    html = [file for file in sorted(files) if file.endswith((".html", ".htm")) and not file.startswith(_BASE)]
    prefix = _prefix(site)
    targets: dict[tuple[str, str], _Target] = {}
    anchors: dict[str, set[str]] = {}
    progress("Checking pages", len(html))
    for file in html:
        progress("", 1)
        try:
            page = LexborHTMLParser(decode(_read(site / file))[0])
        except OSError as error:
            out.findings.append(Finding("broken_link", file, 0, f"cannot be read: {error.strerror}"))
            continue
        anchors[file] = anchors_of(page)
        out.links += _record_links(page, file, prefix, targets)
    out.pages = len(html)
    for (path, anchor), target in sorted(targets.items()):
        out.findings += _check_target(target, path, _file_of(path, files), anchor, anchors)
    for url in sorted(out.urls):
        if _file_of(unquote(url), files) is None:
            out.findings.append(Finding("broken_link", "_ranvier", 0, f"a hit leads to {url!r}, but this page does not exist"))
    out.findings += _sitemap(site, files, prefix)


def _read(page: Path) -> bytes:
    if not S_ISREG(page.stat().st_mode):  # a pipe or a device may never end
        raise OSError(errno.EINVAL, "it is not a regular file")
    return page.read_bytes()


def _files(site: Path) -> frozenset[str]:
    """Return every file of a site, except files in folders whose names begin with a dot."""
    files = set[str]()
    for folder, folders, names in os.walk(site):
        relative = Path(folder).relative_to(site).as_posix()
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        files |= {posixpath.normpath(f"{relative}/{name}") for name in names}
    return frozenset(files)


def _prefix(site: Path) -> str:
    """Return the site's base path, for example `/docs/`, from the home page's canonical address or the sitemap."""
    home = site / "index.html"
    if home.is_file():
        link = LexborHTMLParser(home.read_bytes()).css_first("link[rel=canonical]")
        if link is not None:
            return _folder(str(link.attributes.get("href") or ""))
    return _folder(min(_locations(site), key=len, default=""))


def _folder(url: str) -> str:
    try:
        path = urlsplit(url).path
    except ValueError:
        return "/"
    return path[: path.rfind("/") + 1] or "/"


def _record_links(page: LexborHTMLParser, file: str, prefix: str, targets: dict[tuple[str, str], _Target]) -> int:
    """Record the targets of a page's links; return the number of links."""
    base = page.css_first("base[href]")
    folder = posixpath.join(posixpath.dirname(file), str(base.attributes["href"] or "") if base is not None else "")
    page_targets = set[tuple[str, str]]()
    count = 0
    for node in page.css("[href], [src]"):
        href = _REMOVED.sub("", str(node.attributes.get("href") or node.attributes.get("src") or "")).strip()
        if not href or _SCHEME.match(href) or node.tag == "base":
            continue
        count += 1
        target = _target_of(href, file, folder, prefix)
        if target in page_targets:
            continue
        page_targets.add(target)
        targets.setdefault(target, _Target(href[:_EXCERPT], file)).count += 1
    return count


def _target_of(href: str, file: str, folder: str, prefix: str) -> tuple[str, str]:
    path, _, anchor = href.partition("#")
    path = unquote(path.partition("?")[0])
    if not path:
        return file, anchor
    if path.startswith("/"):
        below_base = path.removeprefix(prefix) if path.startswith(prefix) else path
        return below_base.lstrip("/") or ".", anchor
    full_path = posixpath.normpath(posixpath.join(folder, path))
    return (f"{full_path}/" if path.endswith("/") and full_path != "." else full_path), anchor


def _file_of(path: str, files: frozenset[str]) -> str | None:
    """Return the file that a static host would send for a path: the file itself, its index, or the page of that name."""
    name = path.strip("/")
    if name in ("", "."):
        return "index.html" if "index.html" in files else None
    # `dir/` is a folder's index; without the slash hosts differ, and each of the three is accepted.
    for candidate in (name, f"{name}/index.html", f"{name}.html"):
        if candidate in files:
            return candidate
    return "" if name.startswith("../") else None  # files outside the site are not checked


def _check_target(target: _Target, path: str, file: str | None, anchor: str, anchors: dict[str, set[str]]) -> Iterator[Finding]:
    more = f", also on {target.count - 1:,} other pages" if target.count > 1 else ""
    if file is None:
        # Pages of one build with the `_ranvier/` of another: an incomplete upload, and search does not start.
        check = "missing_file" if path.startswith(_BASE) else "broken_link"
        yield Finding(check, target.first, 0, f"{target.href}: no such file{more}")
    elif file in anchors and anchor.lower() not in _NO_ANCHOR and not anchor.startswith((":~:", "/", "!")):
        if not {anchor, unquote(anchor)} & anchors[file]:
            yield Finding("broken_heading", target.first, 0, f"{file} has no anchor {anchor[:_EXCERPT]!r}{more}")


def _locations(site: Path) -> list[str]:
    file = site / "sitemap.xml"
    return _LOC.findall(file.read_text("utf-8", "replace")) if file.is_file() else []


def _sitemap(site: Path, files: frozenset[str], prefix: str) -> Iterator[Finding]:
    for location in _locations(site):
        try:
            path = unquote(urlsplit(location).path)
        except ValueError:
            path = location
        if _file_of(path.removeprefix(prefix), files) is None:
            yield Finding("sitemap", "sitemap.xml", 0, f"{location[:_EXCERPT]} is not a page")

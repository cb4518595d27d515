"""Reads the order of pages and the site's title from settings of other tools.

They are settings, like `ranvier.toml`: they order and label published pages, and do not publish any. Some also name files that
are not pages.
"""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from html import unescape
from pathlib import Path, PurePosixPath
from typing import Any

from ranvier_builder.composed import composed
from ranvier_builder.language_names import language_name
from ranvier_builder.markdown.claims import strip_claims
from ranvier_builder.markdown.javascript import literal
from ranvier_builder.markdown.parser import html_words
from ranvier_builder.model import Entry, Outline, Warn
from ranvier_builder.paths import PAGES, suffix
from ranvier_builder.read import hugo
from ranvier_builder.read.excluded import excluded_pages
from ranvier_builder.read.finders import ENCRYPTED, MINTLIFY
from ranvier_builder.read.hidden import hidden_pages
from ranvier_builder.read.mkdocs import excluded_by, languages, mkdocs_settings, mkdocs_warnings, source_folder
from ranvier_builder.read.positions import AZURE, read_positions
from ranvier_builder.read.settings import failures, load, python_strings, text_of_file, value_at
from ranvier_builder.read.sidebars import read_sidebars
from ranvier_builder.read.values import text_of, words_of

BOOK = "book.toml"
_JUPYTER_BOOK = ("_toc.yml", "myst.yml", "documents.yaml")  # the last one is that of the guides of Rails
_GROUPS = ("languages", "versions", "products", "tabs", "anchors", "dropdowns", "menu", "groups", "pages")
_GROUP_LABELS = ("group", "tab", "anchor", "dropdown", "product", "version", "item")
# Keys in the tables of contents of these systems and of Quarto.
_LISTS = tuple("parts subtrees chapters sections entries children contents documents".split())
_LABELS = ("title", "caption", "text", "section", "part", "name")
_QUARTO = "_quarto.yml"
HUGO = tuple(f"../{name}" for name in (*hugo.NAMES, "config.toml"))
# Settings of a site with its content folder, relative to it, and the key of its title.
_TITLES = (
    ("_config.yml", "title"),
    *((name, "title") for name in HUGO),
    (_QUARTO, "website.title"),
    (_QUARTO, "book.title"),
    ("myst.yml", "project.title"),
    ("book.json", "title"),  # of HonKit
)
_DOCSIFY = re.compile(r"\$docsify\s*=\s*(?=\{)")
_DOCSIFY_FILES = ("_coverpage.md", "_navbar.md", "_sidebar.md")
_GITHUB = frozenset(("_Sidebar.md", "_Footer.md"))  # of a wiki of GitHub
_COMMON = ("config.toml", "config.yaml", "config.yml")
_IGNORED = "the settings cannot be read and are ignored, also those that leave pages out; correct them, or remove the file"
_UNCLEAR = "the fields cannot be read, so the files in this folder are withheld; correct them, or remove the file"
_MAX_DEPTH = 20


def read_outline(folder: Path, files: Iterable[str]) -> Outline:
    """Read the outline of a content folder; an unreadable settings file is ignored, with a warning."""
    with failures() as failed:
        outline = _outline(folder, files)
    root, problems = folder.resolve(), dict[str, Warn]()
    for file, (reason, line) in failed.items():
        name = Path(os.path.relpath(file.parent.resolve() / file.name, root)).as_posix()
        if suffix(name) not in PAGES and (not _is_common(file) or hugo.names_address(file)):
            message = _UNCLEAR if name in outline.held_folders.values() else _IGNORED
            problems[name] = Warn(name, "field", f"{message}: {reason}", line)
    return replace(outline, warnings=(*outline.warnings, *(problems[name] for name in sorted(problems))))


def _is_common(file: Path) -> bool:
    """Return whether other programs have files with this name, too: `data/data.json` is seldom of Eleventy."""
    return file.name in (*_COMMON, f"{file.parent.name}.json")


def _outline(folder: Path, files: Iterable[str]) -> Outline:
    names = sorted(files)
    mkdocs = [_mkdocs(*settings, names) for settings in mkdocs_settings(folder)]
    outlines = [*mkdocs, *(_mintlify(load(folder / name)) for name in MINTLIFY)]
    outlines.append(sidebars := read_sidebars(folder))
    entries = next((outline.entries for outline in outlines if outline.entries), ()) or _jupyter_book(folder)
    # The nav of MkDocs may name a file that another system leaves out. MyST writes what it lists and excludes itself; Sphinx,
    # Quarto and VitePress do not.
    tables = (*(outline.entries for outline in mkdocs), _chapters_of(load(folder / "myst.yml")))
    listed = {entry.path for table in tables for entry in table}
    pages_by_name = {path.rpartition(".")[0]: path for path in names if suffix(path) in PAGES}
    entries = tuple(replace(entry, path=pages_by_name.get(entry.path.removesuffix(".html"), entry.path)) for entry in entries)
    pages, folders = read_positions(folder, names, sidebars.folders)
    is_wiki = folder.resolve().name.endswith(".wiki") or not _GITHUB.isdisjoint(names) or (folder / AZURE).is_file()
    others = list[tuple[str, dict[str, Any]]]()
    excluded_by_name, held_folders, bundles, warnings = excluded_pages(folder, names, others)
    unsearched, unlisted = hidden_pages(folder, names, others)
    left_out = {path: name for path, name in excluded_by_name.items() if path not in listed or name == ENCRYPTED}
    for outline in outlines:
        left_out |= outline.excluded
    excluded = {strip_claims(path): name for path, name in left_out.items()}
    warnings += (warning for outline in mkdocs for warning in outline.warnings)
    titles = (*(outline.title for outline in outlines), *_titles(folder, names))
    title, top = next(filter(None, titles), ""), _top(folder.resolve())
    inner = folder.resolve().relative_to(top).as_posix()  # GitHub reads `/docs/a.md` from the top
    outline = Outline(entries, folders, title, pages, excluded, held_folders, frozenset(bundles), tuple(warnings), inner)
    return replace(outline, is_wiki=is_wiki, repository=top.name, unsearched=unsearched, unlisted=unlisted)


def _titles(folder: Path, names: Sequence[str]) -> Iterator[str]:
    yield book_setting(folder, "book.title")
    yield from (site_setting(folder, name, key) for name, key in _TITLES)
    yield from (words_of(name) for name in python_strings(folder / "conf.py", "project")[-1:])  # of Sphinx
    if not {*_DOCSIFY_FILES}.isdisjoint(names):
        yield _docsify_name(text_of_file(folder / "index.html"))


def _docsify_name(page: str) -> str:
    """Return the name of a site of docsify from the settings in its page; empty if it is a picture."""
    settings = next((literal(page[match.end() :]) for match in _DOCSIFY.finditer(page)), None)
    name = words_of(settings.get("name")) if isinstance(settings, dict) else ""
    return "" if "<" in name else name


def _top(folder: Path) -> Path:
    """Return the top folder of the git repository of a folder; the folder if it is in none."""
    return next((parent for parent in (folder, *folder.parents) if (parent / ".git").exists()), folder)


def _mkdocs(file: Path, settings: dict[str, Any], place: str, names: Iterable[str]) -> Outline:
    nav, name, names = settings.get("nav"), settings.get("site_name"), [*names]
    entries = [*_entries(nav, place, 0)] if isinstance(nav, list) else []
    for locale, language in languages(settings).items():
        base = posixpath.normpath(posixpath.join(place, locale))
        has_folder, nav = any(path.startswith(f"{base}/") for path in names), language.get("nav")
        if isinstance(nav, list) and language.get("default") is True:
            entries = entries or [*_entries(nav, base if has_folder else place, 0)]
        elif isinstance(nav, list) and has_folder:
            entries += [Entry("", words_of(language.get("name")) or locale, 0), *_entries(nav, base, 1)]
    excluded = dict.fromkeys(excluded_by(settings, place, names), file.name)
    return Outline(tuple(entries), title=words_of(name), excluded=excluded, warnings=tuple(mkdocs_warnings(file, settings)))


def _mintlify(settings: Any) -> Outline:
    """Return the title and the navigation of Mintlify's `docs.json`, or of the older `mint.json`."""
    navigation = value_at(settings, "navigation")
    groups = {"groups": navigation} if isinstance(navigation, list) else navigation
    entries = tuple(_group(groups, 0, 0)) if isinstance(groups, dict) else ()
    return Outline(entries, title=words_of(settings.get("name")) if entries else "")


def _group(group: dict[str, Any], depth: int, level: int) -> Iterator[Entry]:
    """Yield the pages of a group: the path of a page has no suffix, and a group can have a page of its own, its `root`."""
    words = next(filter(None, (words_of(group.get(name)) for name in _GROUP_LABELS)), "")
    words = words or language_name(words_of(group.get("language")))
    root = text_of(group.get("root")) or ""
    if is_entry := bool(root or words):
        yield Entry(root.strip("/"), words, depth)
    lists = [items for name in _GROUPS if isinstance(items := group.get(name), list)] if level < _MAX_DEPTH else []
    for item in (item for items in lists for item in items):
        if isinstance(item, dict):
            yield from _group(item, depth + is_entry, level + 1)
        elif isinstance(item, str):
            yield Entry(item.strip("/"), "", depth + is_entry)


def site_setting(folder: Path, name: str, keys: str) -> str:
    """Return a text in the settings of a site; those in the folder above belong to a folder `content` only."""
    return text_at(load(folder / name) if folder.resolve().name == "content" or "/" not in name else None, keys)


def text_at(settings: Any, keys: str) -> str:
    """Return the text in settings below these keys, with dots between them; empty if there is none."""
    return words_of(value_at(settings, keys))


def _jupyter_book(folder: Path) -> tuple[Entry, ...]:
    """Return the table of contents of a Jupyter Book, that of Sphinx or `project: {toc: …}` of MyST; or that of Quarto."""
    quarto = load(folder / _QUARTO)
    site = value_at(quarto, "website") or value_at(quarto, "book")
    sidebar = site.get("sidebar", site) if isinstance(site, dict) else None
    return next(filter(None, map(_chapters_of, (*(load(folder / name) for name in _JUPYTER_BOOK), sidebar))), ())


def _chapters_of(settings: Any) -> tuple[Entry, ...]:
    project = value_at(settings, "project")
    toc = project.get("toc") if isinstance(project, dict) else settings
    lists = [toc.get(name) for name in _LISTS] if isinstance(toc, dict) else [toc]
    return tuple(entry for chapters in lists for entry in _chapters(chapters))


def _chapters(items: Any, depth: int = 0, level: int = 0) -> Iterator[Entry]:
    """Yield an entry for each page and each titled section, whose title can be its page; other maps only contain lists."""
    for item in items if isinstance(items, list) and level < _MAX_DEPTH else ():
        if isinstance(item, dict):
            path = text_of(item.get("file") or item.get("href")) or _guide(item.get("url"))
            words = next(filter(None, (words_of(item.get(name)) for name in _LABELS)), "")
            path, words = (words, "") if suffix(words) in PAGES else (path, words)
            if is_entry := bool(path or words):
                yield Entry(str(PurePosixPath(path)) if path else "", words, depth)
            for name in _LISTS:
                yield from _chapters(item.get(name), depth + is_entry, level + 1)
        elif isinstance(item, str) and suffix(item) in PAGES:
            yield Entry(str(PurePosixPath(item)), "", depth)


def _guide(url: Any) -> str:
    """Return the page of a guide of Rails, `a.html`; empty for an address elsewhere."""
    return url if isinstance(url, str) and url.endswith(".html") and ":" not in url else ""


def book_setting(folder: Path, keys: str) -> str:
    """Return a text in the settings of an mdBook if its pages are in the folder."""
    for file in (folder / BOOK, folder.resolve().parent / BOOK):
        settings = load(file)
        book = value_at(settings, "book")
        if isinstance(book, dict) and source_folder(file, book, "src", "src").is_relative_to(folder.resolve()):
            return text_at(settings, keys)
    return ""


def _entries(items: list[Any], base: str, depth: int) -> Iterator[Entry]:
    """Yield the lines of a nav; a first page without a label, `guide/index.md`, is that of its section, as in Material."""
    for at, item in enumerate(items if depth < _MAX_DEPTH else ()):
        pairs = item.items() if isinstance(item, dict) else [("", item)]
        for label, value in pairs:
            words = composed(text_of(label) or "")
            words = html_words(words) if "</" in words else unescape(words)  # MkDocs takes labels as HTML
            if isinstance(value, list):
                yield Entry("", words, depth)
                yield from _entries(value, base, depth + 1)
            elif isinstance(value, str) and ":" not in value:
                is_index = depth > 0 and not (at or label) and PurePosixPath(value).stem in ("index", "README")
                yield Entry(str(PurePosixPath(base, value)), words, depth, is_index)

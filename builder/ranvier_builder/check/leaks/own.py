"""What is the program's own: files, byte for byte, in which there is nothing of anybody's content; and what it says itself."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import fields
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from ranvier.store.manifest import Leaves, Manifest, VectorFiles
from ranvier_themes import theme_path

from ranvier_builder.assets import modules, pack_core, pack_langs
from ranvier_builder.engine import EngineFiles, pinned, ready

_JINJA = re.compile(r"\{[{%#][^{}]*[}%#]\}")
_TAGS = re.compile(r"<[^<>]*>")
_ATTRIBUTE = re.compile(r'\b(?!class\b)[\w-]+="([^"{}]*)"')
_CLASSES = re.compile(r'\bclass="([^"]*)"')
# Words around one thing that is computed, on its line, tags left out: "Pages in {{ title }}".
_FRAME = re.compile(r"([^{}\n]*)\{\{[^{}]*\}\}([^{}\n]*)")
_FILES = """index.html 404.html sitemap.xml robots.txt favicon.svg written.txt entry.json style.css search-2 404-2 builds.json
ranvier-sw.js sw.js offline"""
_MARKUP = """task-list-item-checkbox contains-task-list task-list-item footnote-ref footnote-backref footnote-item
footnote-anchor
footnotes-list footnotes-sep callout-title callout-content heading-anchor align-left align-right align-center tab-label tab-list
math-inline math-block level-1 level-2 level-3 level-4 level-5 level-6 is-section noopener-noreferrer"""


@cache
def own_digests(theme: str, langs: tuple[str, ...] = ()) -> frozenset[str]:
    """Return the SHA-256 of every file that a build copies from the installed packages for a site in some languages."""
    found = {sha256(data).hexdigest() for data in (*_below(files("ranvier_web")), *modules().values())}
    found |= {sha256(data).hexdigest() for data in _below(theme_path(theme).joinpath("static"))}
    packed = [pack_core(), pack_langs(langs) or b""]
    if (prepared := ready(packed[0], EngineFiles(Path(), pinned.VERSION, pinned.FILES))) is not None:
        packed += [prepared.core, *([prepared.snapshot.read_bytes()] if prepared.snapshot else [])]
    return frozenset({*found, *(sha256(data).hexdigest() for data in packed), *pinned.FILES.values()})


def _below(folder: Traversable) -> Iterator[bytes]:
    yield from (file.read_bytes() for file in _files(folder))


def own_texts(theme: str) -> Iterator[str]:
    """Yield what a theme says to readers. Word by word and phrase by phrase: what a template computes in between parts them."""
    for text in _templates(theme):
        yield _TAGS.sub("\n\n", _JINJA.sub("\n\n", text))
        yield "\n\n".join(_ATTRIBUTE.findall(text))


def own_phrases(theme: str) -> Iterator[str]:
    """Yield names that the program gives: files, styles, keys, tables. A word of them by itself is nobody's."""
    yield from (*_FILES.split(), *_MARKUP.split(), *pinned.FILES)
    yield from (field.name for kind in (Manifest, Leaves, VectorFiles) for field in fields(kind))
    yield from _names(files("ranvier_web"))
    yield from _names(theme_path(theme).joinpath("static"))
    for text in _templates(theme):
        yield from (one for value in _CLASSES.findall(text) for one in _JINJA.sub(" ", value).split())
    with closing(sqlite3.connect(":memory:")) as db:
        db.executescript(files("ranvier.store").joinpath("schema.sql").read_text("utf-8"))
        # As it stands in the database's first page: type, name, table and statement, with nothing in between.
        rows = db.execute("SELECT type || name || tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
    yield from (one for names, sql in rows for one in (sql, names + sql))
    yield "".join(names + sql for names, sql in reversed(rows))


def frames(theme: str) -> list[tuple[str, str]]:
    """Return what a theme writes before and after what it computes, where that is a word."""
    found = [match for text in _templates(theme) for match in _FRAME.findall(_TAGS.sub("", text)) if "".join(match).strip()]
    return list(dict.fromkeys(found))


def _templates(theme: str) -> Iterator[str]:
    for file in _files(theme_path(theme)):
        if file.name.endswith((".html", ".xml", ".txt", ".toml", ".json")):
            yield file.read_text("utf-8")


def _names(folder: Traversable) -> Iterator[str]:
    yield from (file.name for file in _files(folder))


def _files(folder: Traversable) -> Iterator[Traversable]:
    for item in sorted(folder.iterdir(), key=lambda one: one.name):
        if not item.is_dir():
            yield item
        elif item.name not in ("vendor", "types", "__pycache__"):
            yield from _files(item)

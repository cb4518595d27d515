"""Reads the sidebars of Docusaurus (`sidebars.js`) and VitePress (`.vitepress/config.js`), as far as they are literals."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from ranvier_builder.markdown.javascript import Value, literal
from ranvier_builder.model import Entry, Outline

_DOCUSAURUS, _VITEPRESS = "sidebars", ".vitepress/config"
_SUFFIXES = (".js", ".ts", ".mjs", ".cjs", ".mts", ".json")
_OBJECT = re.compile(
    r"(?:\bmodule\.exports\s*=|\bexport\s+default|\bdefineConfig\(|\b(?:const|let|var)\s+\w+(?:\s*:[^=;{]*)?\s*=)\s*(?=\{)|\A\s*(?=\{)"
)
_LABELS = ("label", "text")
_MAX_BYTES, _MAX_OBJECTS = 200_000, 10  # of a file
_MAX_DEPTH = 12


def read_sidebars(folder: Path) -> Outline:
    """Return the pages of all sidebars, one after the other, and the title of a VitePress site."""
    parent = folder.resolve().parent
    for settings in (item for place in (folder, parent, parent / "website") for item in _objects(place / _DOCUSAURUS)):
        if entries := tuple(entry for items in settings.values() for entry in _entries(items, 0)):
            return Outline(entries)
    for settings in _objects(folder / _VITEPRESS):
        theme = settings.get("themeConfig")
        sidebar = theme.get("sidebar") if isinstance(theme, dict) else None
        lists = [*sidebar.values()] if isinstance(sidebar, dict) else [sidebar]
        lists = [items.get("items") if isinstance(items, dict) else items for items in lists]
        if entries := tuple(entry for items in lists for entry in _entries(items, 0)):
            return Outline(entries, title=_text(settings, ("title",)))
    return Outline()


def _objects(stem: Path) -> Iterator[dict[str, Value]]:
    """Yield the objects that a module exports, or assigns to variables."""
    for suffix in _SUFFIXES:
        file = stem.with_name(stem.name + suffix)
        try:
            text = file.read_text("utf-8-sig") if file.is_file() and file.stat().st_size <= _MAX_BYTES else ""
        except (OSError, UnicodeDecodeError):
            continue
        for match in islice(_OBJECT.finditer(text), _MAX_OBJECTS):
            value = literal(text[match.end() :])
            if isinstance(value, dict):
                yield value


def _entries(items: Value, depth: int) -> Iterator[Entry]:
    for item in items if isinstance(items, list) and depth < _MAX_DEPTH else ():
        if isinstance(item, str):
            yield Entry(item.strip("/"), "", depth)
        elif isinstance(item, dict):
            yield from _entry(item, depth)


def _entry(item: dict[str, Value], depth: int) -> Iterator[Entry]:
    """Yield the entry of a page or a category, and the entries in it; `{"Label": […]}` is a category, too."""
    inner = item.get("items")
    if inner is None and "type" not in item and not _text(item, _LABELS):
        for label, items in item.items():
            if isinstance(items, list):
                yield Entry("", label, depth)
                yield from _entries(items, depth + 1)
        return
    link = item.get("link")
    path = link if isinstance(link, str) else _text(link if isinstance(link, dict) else item, ("id",))
    label = _text(item, _LABELS)
    if is_entry := bool(label or path) and "://" not in path and item.get("type") not in ("link", "html"):
        yield Entry(path.removesuffix(".html").strip("/"), label, depth)
    yield from _entries(inner, depth + is_entry)


def _text(item: dict[str, Value], names: tuple[str, ...]) -> str:
    return next((" ".join(text.split()) for name in names if isinstance(text := item.get(name), str)), "")

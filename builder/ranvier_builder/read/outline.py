"""The order that a tree brings along in its settings: `nav` of mkdocs.yml, `_category_.json` or `.yml` of folders.

They are settings, as `ranvier.toml` is: they order and label what is published, and publish nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import Any

import yaml

from ranvier_builder.composed import composed
from ranvier_builder.model import Entry, Outline
from ranvier_builder.read import bounds
from ranvier_builder.read.values import plain

_NAV = ("mkdocs.yml", "mkdocs.yaml")
_CATEGORY = ("_category_.json", "_category_.yml", "_category_.yaml")
_BYTES_MAX = 1_000_000
_DEEPEST = 20
_FARTHEST = 1e9


def read_outline(folder: Path, files: Iterable[str]) -> Outline:
    """Read what orders a content folder; a file that cannot be read orders nothing."""
    found = (_nav(folder, at / name) for at in (folder, folder.resolve().parent) for name in _NAV)
    categories = {str(PurePosixPath(path).parent): path for path in files if path.rpartition("/")[2] in _CATEGORY}
    folders = {name: _category(folder / path) for name, path in sorted(categories.items())}
    return Outline(next(filter(None, found), ()), {name: said for name, said in folders.items() if said is not None})


class _Loader(bounds.BoundedLoader):
    """YAML whose own tags mean nothing here: `!ENV`, `!!python/name:…`."""


_Loader.add_multi_constructor("", lambda *_: None)


def _loaded(file: Path) -> Any:
    try:
        if not file.is_file() or file.stat().st_size > _BYTES_MAX:
            return None
        text = file.read_text("utf-8-sig")
        return json.loads(text) if file.suffix == ".json" else yaml.load(text, Loader=_Loader)
    except Exception:  # the YAML library lets errors of many kinds out
        return None


def _nav(folder: Path, file: Path) -> tuple[Entry, ...]:
    settings = _loaded(file)
    if not isinstance(settings, dict) or not isinstance(settings.get("nav"), list):
        return ()
    base, root = (file.parent / (plain(settings.get("docs_dir")) or "docs")).resolve(), folder.resolve()
    return tuple(_entries(settings["nav"], base.relative_to(root).as_posix(), 0)) if base.is_relative_to(root) else ()


def _entries(items: list[Any], base: str, depth: int) -> Iterator[Entry]:
    for item in items if depth < _DEEPEST else ():
        pairs = item.items() if isinstance(item, dict) else [("", item)]
        for label, value in pairs:
            said = composed(plain(label) or "")
            if isinstance(value, list):
                yield Entry("", said, depth)
                yield from _entries(value, base, depth + 1)
            elif isinstance(value, str) and ":" not in value:
                yield Entry(str(PurePosixPath(base, value)), said, depth)


def _category(file: Path) -> tuple[float | None, str] | None:
    said = _loaded(file)
    if not isinstance(said, dict):
        return None
    position, label = said.get("position"), said.get("label")
    words = composed(plain(label) or "") if isinstance(label, str) else ""
    if isinstance(position, (int, float)) and not isinstance(position, bool) and abs(position) < _FARTHEST:
        return float(position), words
    return None, words

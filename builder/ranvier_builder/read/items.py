"""The content folder → its items: the files that make one Neuron each; and each item → a Neuron."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from ranvier_builder.config import Config
from ranvier_builder.model import Neuron, Warn
from ranvier_builder.read.attach import attach
from ranvier_builder.read.files import EXTRACTED, MARKDOWN, walk
from ranvier_builder.read.media import COMPANIONS
from ranvier_builder.read.names import fold
from ranvier_builder.read.neuron import read_neuron

_DECIDES = (*MARKDOWN, *EXTRACTED)  # of files with the same name, the first of these kinds


@dataclass(frozen=True, slots=True)
class Item:
    """All files that one Neuron is made of, relative to the content folder. `path` says its name and its audience."""

    path: str
    companions: tuple[str, ...] = ()


def content_items(folder: Path, config: Config) -> tuple[list[Item], list[Warn]]:
    """List what a folder holds, sorted by path, and what was odd about it.

    `talk.md`, `talk.vtt` and `talk.mp3` are one item: whoever may read the first may have the others.

    Raises:
        ReadError: there is no such folder.

    """
    walked = walk(folder, config.include, config.exclude)
    named: dict[tuple[str, str], list[str]] = {}
    for path in walked.files:
        file = PurePosixPath(path)
        if file.suffix.lower() in _DECIDES or file.suffix.lower() in COMPANIONS:
            named.setdefault((str(file.parent), fold(file.stem)), []).append(path)
    items = [item for files in named.values() for item in _items(files)]
    return sorted(items, key=lambda item: item.path), list(walked.warnings)


def _items(files: Iterable[str]) -> list[Item]:
    """Make items of files with the same name: two Markdown files are two, and the first takes what is beside them."""
    ranked = sorted(files, key=_rank)
    if _rank(ranked[0])[0] == len(_DECIDES):
        return []  # pictures and sounds alone are nobody's text
    pages = [path for path in ranked if PurePosixPath(path).suffix.lower() in MARKDOWN] or ranked[:1]
    beside = sorted(path for path in ranked if path not in pages)
    return [Item(pages[0], tuple(beside)), *map(Item, pages[1:])]


def _rank(path: str) -> tuple[int, str]:
    suffix = PurePosixPath(path).suffix.lower()
    return _DECIDES.index(suffix) if suffix in _DECIDES else len(_DECIDES), path


def read_item(root: Path, item: Item, config: Config) -> tuple[Neuron, list[Warn]]:
    """Read one item: Markdown with what is beside it, or a file whose text is taken out of it.

    Raises:
        ReadError: its Markdown file cannot be opened at all.

    """
    path = PurePosixPath(item.path)
    if path.suffix.lower() not in MARKDOWN:
        neuron = Neuron(item.path, unicodedata.normalize("NFC", path.stem), "", id=item.path)
        return attach(root, neuron, (item.path, *item.companions))
    neuron, warnings = read_neuron(root, item.path, config)
    if not item.companions:
        return neuron, warnings
    neuron, more = attach(root, neuron, item.companions)
    return neuron, [*warnings, *more]

"""The content folder → its items, the files of one Neuron each; and each item → a Neuron."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from ranvier.text import primary

from ranvier_builder.audience import AUDIENCES, is_withheld_draft
from ranvier_builder.config import Config
from ranvier_builder.model import Neuron, Warn
from ranvier_builder.paths import COMPANIONS, EXTRACTED, HTML, MARKUP, MEDIA, fold, identity, is_page, suffix
from ranvier_builder.read.attach import attach
from ranvier_builder.read.files import walk
from ranvier_builder.read.language import language_of
from ranvier_builder.read.mkdocs import snippet_folders
from ranvier_builder.read.neuron import read_neuron

_Name = tuple[str, str]  # a folder, and the case-folded name that groups files in it


@dataclass(frozen=True, slots=True)
class Item:
    """All files of one Neuron, relative to the content folder. The file `path` determines its name and its audience.

    The companions can include other Markdown files of the same name, and several names of the same file.
    """

    path: str
    companions: tuple[str, ...] = ()


class Listing(NamedTuple):
    """The contents of a folder: its items and all its files, sorted by path, and warnings."""

    items: list[Item]
    warnings: list[Warn]
    files: tuple[str, ...]


def content_items(folder: Path, config: Config) -> Listing:
    """List the contents of a folder, in one walk.

    `talk.md`, `talk.vtt`, `talk.en.vtt` and `talk.mp3` are one item: the audience of the first is the audience of the others.

    Raises:
        ReadError: the folder is missing.

    """
    listing = walk(folder, config.include, config.exclude, snippet_folders(folder))
    pages: dict[_Name, list[str]] = {}
    for path in filter(is_page, listing.files):
        pages.setdefault(_name_of(path), []).append(path)
    owners: dict[str, list[str]] = {}  # file → pages that determine its audience
    files_without_page: dict[_Name, list[str]] = {}
    for path in (path for path in listing.files if suffix(path) in MEDIA):
        if pages_above := [page for name in _names(path) for page in pages.get(name, ())]:
            owners[path] = pages_above
        else:
            files_without_page.setdefault(_name_of(path), []).append(path)
    _share_owners(folder, [page for group in pages.values() for page in group], owners, files_without_page)
    files_of_page: dict[str, list[str]] = {}
    for path, pages_above in owners.items():
        for page in pages_above:
            files_of_page.setdefault(page, []).append(path)
    items = [_page(page, files_of_page.get(page, []), owners) for group in pages.values() for page in group]
    items += [item for group in files_without_page.values() for item in _items_without_page(group)]
    return Listing(sorted(items, key=lambda item: item.path), list(listing.warnings), listing.files)


def unread_pages(folder: Path, files: Iterable[str], config: Config) -> list[Warn]:
    """Return one warning about the HTML files of a folder, which are no pages, and one about those in other markup.

    Templates of a theme do not count.
    """
    theme = Path(config.theme_dir).resolve() if config.theme_dir else None
    candidates = [path for path in files if suffix(path) in (*HTML, *MARKUP)]
    candidates = [path for path in candidates if theme is None or not (folder / path).resolve().is_relative_to(theme)]
    html = [path for path in candidates if suffix(path) in HTML]
    markup = [path for path in candidates if suffix(path) in MARKUP]
    return [
        *_unread(html, "HTML file", "no HTML; use `ranvier index` for finished HTML, or list them under `exclude`"),
        *_unread(markup, "file", "only Markdown; convert them to Markdown, or list them under `exclude`"),
    ]


def _unread(paths: list[str], kind: str, reason: str) -> list[Warn]:
    if not paths:
        return []
    count = f"this {kind} is" if len(paths) == 1 else f"this and {len(paths) - 1:,} more {kind}s are"
    return [Warn(paths[0], "name", f"{count} not published, because `ranvier build` reads {reason}")]


def _name_of(path: str) -> _Name:
    return str(PurePosixPath(path).parent), fold(PurePosixPath(path).stem)


def _names(path: str) -> Iterator[_Name]:
    """Yield the names of pages that own a file, the nearest first: `talk.en.vtt` → `talk.en.vtt`, `talk.en`, `talk`."""
    folder, name = str(PurePosixPath(path).parent), fold(PurePosixPath(path).name)
    while name:
        yield folder, name
        name = name.rpartition(".")[0]


def _share_owners(
    folder: Path, pages: list[str], owners: dict[str, list[str]], files_without_page: dict[_Name, list[str]]
) -> None:
    """Extend ownership by pages to all names (links) of the same file: each name of a file is equally private."""
    by_file: dict[tuple[int, int], list[str]] = {}
    media = [*owners, *(path for group in files_without_page.values() for path in group)]
    for path in (*pages, *media) if media else ():
        if (file := identity(folder / path)) is not None:
            by_file.setdefault(file, []).append(path)
    for names in by_file.values():
        owning_pages = sorted({page for path in names for page in owners.get(path, [path] if is_page(path) else ())})
        for path in names if len(names) > 1 and owning_pages else ():
            if is_page(path):
                continue
            if path not in owners:
                files_without_page[_name_of(path)].remove(path)
            owners[path] = [*owners.get(path, ()), *(page for page in owning_pages if page not in owners.get(path, ()))]


def _page(page: str, files: list[str], owners: dict[str, list[str]]) -> Item:
    """Return the item of a page; it includes the other pages that own its files, because their audiences can differ."""
    others = {other for path in files for other in owners[path]} - {page}
    return Item(page, tuple(sorted((*others, *files))))


def _items_without_page(files: list[str]) -> list[Item]:
    """Return the item of a PDF or a transcript; pictures and sounds alone are not an item."""
    ranked = sorted((path for path in files if suffix(path) in (*EXTRACTED, *COMPANIONS)), key=_rank)
    return [Item(ranked[0], tuple(sorted(ranked[1:])))] if ranked and suffix(ranked[0]) in EXTRACTED else []


def _rank(path: str) -> tuple[int, str]:
    return EXTRACTED.index(suffix(path)) if suffix(path) in EXTRACTED else len(EXTRACTED), path


def read_item(root: Path, item: Item, config: Config) -> tuple[Neuron, list[Warn]]:
    """Read one item: Markdown with its companions, or a file with extractable text. Also detect its language.

    Raises:
        ReadError: its Markdown file cannot be opened.

    """
    neuron, warnings = _read(root, item, config)
    if neuron.lang:
        return neuron, warnings
    lang, is_guessed = language_of(neuron.path, f"{neuron.title}\n\n{neuron.body}")
    is_site_lang = lang.lower() in (config.lang.lower(), primary(config.lang))  # `zh-TW` is not, on a site in `zh-CN`
    return replace(neuron, lang="" if is_site_lang else lang, lang_guessed=is_guessed), warnings


def _read(root: Path, item: Item, config: Config) -> tuple[Neuron, list[Warn]]:
    if not is_page(item.path):
        return attach(root, _without_text(item), (item.path, *item.companions))
    neuron, warnings = read_neuron(root, item.path, config)
    files = tuple(path for path in item.companions if not is_page(path))
    if not files:
        return neuron, warnings
    other_pages = [path for path in item.companions if is_page(path)]
    names = _audience_names(neuron, config)
    conflicting_pages = [path for path in other_pages if _audience_names(read_neuron(root, path, config)[0], config) != names]
    attachments = [path for path in files if _is_shown_on(item.path, path, other_pages, conflicting_pages)]
    for path in conflicting_pages:
        warnings.append(Warn(item.path, "audience", f"{path} applies to some of the same files and has another audience", 1))
    if attachments:  # the names nearest to the page's first: `talk.vtt` before `talk.en.vtt`
        neuron, new_warnings = attach(root, neuron, sorted(attachments, key=lambda path: (path.count("."), path)))
        warnings = [*warnings, *new_warnings]
    return replace(neuron, files=files), warnings


def unreadable_neuron(item: Item) -> Neuron:
    """Return the Neuron of an unreadable item: it and its files have no audience."""
    files = tuple(path for path in (item.path, *item.companions) if not is_page(path))
    return replace(_without_text(item), audience=(), files=files)


def _without_text(item: Item) -> Neuron:
    return Neuron(item.path, unicodedata.normalize("NFC", PurePosixPath(item.path).stem), "", id=item.path)


def _audience_names(neuron: Neuron, config: Config) -> tuple[str, ...]:
    """Return the audiences of a page in Ranvier's names; unknown names are ignored (A2)."""
    default = () if is_withheld_draft(neuron) else (config.default_audience,)
    words = default if neuron.audience is None else neuron.audience
    return tuple(sorted({config.audience.get(word, word) for word in words} & {*AUDIENCES}))


def _is_shown_on(page: str, file: str, other_pages: list[str], conflicting_pages: list[str]) -> bool:
    """Return whether a page shows a file: it is the nearest by name, and no owner has a different audience."""
    ranks = {name: rank for rank, name in enumerate(_names(file))}
    if _name_of(page) not in ranks or any(_name_of(page_path) in ranks for page_path in conflicting_pages):
        return False
    nearest = min((page, *other_pages), key=lambda candidate: (ranks.get(_name_of(candidate), len(ranks)), candidate))
    return nearest == page

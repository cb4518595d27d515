"""Titles of pages that depend on the rest of the site, and the title of a site without a setting for it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from urllib.parse import unquote

from ranvier_builder.composed import composed
from ranvier_builder.model import Entry, Neuron, Page
from ranvier_builder.paths import INDEXES, folder_label
from ranvier_builder.render.translations import without_tag

_MIN_PAGES, _MIN_SHARE = 3, 0.2  # with the same banner
# Titles of home pages, and names of content folders, that do not name a site.
_NO_NAMES = frozenset("content contents doc docs documentation home introduction overview pages source src welcome".split())


def site_titles(neurons: Sequence[Neuron], entries: Iterable[Entry], name: str, lang: str, *, is_wiki: bool) -> list[Neuron]:
    """Return the pages with their titles; `name` and `lang` are those of the site. In a wiki, hyphens stand for blanks.

    A page without a title of its own has that of the table of contents, or its file's name without a language. If many pages
    have the name of the site, or the title of its home page, above another heading, it is a banner: the title is the heading
    below it.
    """
    labels = _labels(entries)
    names = {name, *(neuron.title for neuron in neurons if neuron.path.rpartition(".")[0].lower() in INDEXES)}
    groups = defaultdict[str, list[str]](list)
    for neuron in neurons:
        if neuron.heading_below and neuron.title in names:
            groups[neuron.title].append(neuron.heading_below)
    min_pages = max(_MIN_PAGES, _MIN_SHARE * len(neurons))
    # The same headings below it are those of a template.
    banners = {
        title for title, headings in groups.items() if len(headings) >= min_pages and len({*headings}) > len(headings) / 2
    }
    words = {neuron.path: _wiki_title(neuron) if is_wiki else _without_language(neuron, lang) for neuron in neurons}
    return [_titled(neuron, labels.get(neuron.path) or words[neuron.path], banners) for neuron in neurons]


def _wiki_title(neuron: Neuron) -> str:
    """Return the title in the name of a file: `Set-Up` is *Set Up*, and Azure DevOps writes `%2D` for a hyphen."""
    stem = PurePosixPath(neuron.path).stem
    return composed(unquote(stem.replace("-", " "))).strip() if neuron.title == composed(stem) else ""


def _without_language(neuron: Neuron, site_lang: str) -> str:
    """Return the title of `setup.de.md` without one, *setup*; of `guide/index.de.md`, *Guide*; else nothing."""
    path, lang = PurePosixPath(neuron.path), neuron.lang or site_lang
    name = without_tag(path.stem, lang) if lang and not neuron.has_title and neuron.title == composed(path.stem) else ""
    return (folder_label(path.parent.name) if path.parent.name else name) if name.lower() in INDEXES else name


def _labels(entries: Iterable[Entry]) -> dict[str, str]:
    """Return the label of each page. A page with several entries has none: they are its sections."""
    entries = [entry for entry in entries if entry.path]
    counts = Counter(entry.path for entry in entries)
    return {entry.path: entry.label for entry in entries if entry.label and counts[entry.path] == 1}


def _titled(neuron: Neuron, label: str, banners: set[str]) -> Neuron:
    if label and not neuron.has_title:
        return replace(neuron, title=label)
    return replace(neuron, title=neuron.heading_below) if neuron.title in banners and neuron.heading_below else neuron


def site_title(pages: Iterable[Page], folder: str, repository: str) -> str:
    """Return the title of the home page, or if it has none that names a site, the name of the content folder or repository."""
    folder = repository if folder.lower() in _NO_NAMES else folder
    home = next((page.neuron for page in pages if not page.slug), None)
    if home is None or home.title.lower() in (*INDEXES, PurePosixPath(home.path).stem.lower()):
        return folder
    return next((name for name in (home.title, folder) if name.lower() not in _NO_NAMES), home.title)

"""Titles of pages that depend on the rest of the site."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from ranvier_builder.model import Entry, Neuron
from ranvier_builder.paths import INDEXES

_MIN_PAGES, _MIN_SHARE = 3, 0.2  # with the same banner


def site_titles(neurons: Sequence[Neuron], entries: Iterable[Entry], name: str = "") -> list[Neuron]:
    """Return the pages with their titles; `name` is the site's.

    A page without a title of its own has that of the table of contents. If many pages have the name of the site, or the title
    of its home page, above another heading, it is a banner: the title is the heading below it.
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
    return [_titled(neuron, labels.get(neuron.path, ""), banners) for neuron in neurons]


def _labels(entries: Iterable[Entry]) -> dict[str, str]:
    """Return the label of each page. A page with several entries has none: they are its sections."""
    entries = [entry for entry in entries if entry.path]
    counts = Counter(entry.path for entry in entries)
    return {entry.path: entry.label for entry in entries if entry.label and counts[entry.path] == 1}


def _titled(neuron: Neuron, label: str, banners: set[str]) -> Neuron:
    if label and not neuron.has_title:
        return replace(neuron, title=label)
    return replace(neuron, title=neuron.heading_below) if neuron.title in banners and neuron.heading_below else neuron

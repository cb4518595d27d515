"""Titles of pages that depend on the rest of the site."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from ranvier_builder.model import Entry, Neuron

_MIN_PAGES, _MIN_SHARE = 3, 0.2  # with the same banner


def site_titles(neurons: Sequence[Neuron], entries: Iterable[Entry]) -> list[Neuron]:
    """Return the pages with their titles.

    A page without a title of its own has that of the table of contents. A heading that many pages have above another one, such
    as the name of the project, is a banner: the title is the heading below it.
    """
    labels: dict[str, str] = {}
    for entry in entries:
        labels.setdefault(entry.path, entry.label)
    pages_of = Counter(neuron.title for neuron in neurons if neuron.heading_below)
    min_pages = max(_MIN_PAGES, _MIN_SHARE * len(neurons))
    banners = {title for title, count in pages_of.items() if count >= min_pages}
    return [_titled(neuron, labels.get(neuron.path, ""), banners) for neuron in neurons]


def _titled(neuron: Neuron, label: str, banners: set[str]) -> Neuron:
    if label and not neuron.has_title:
        return replace(neuron, title=label)
    return replace(neuron, title=neuron.heading_below) if neuron.title in banners and neuron.heading_below else neuron

"""The reading order and menu labels of a tree's pages, as other systems define them.

A table of contents has priority (`SUMMARY.md`, the `nav` of MkDocs), then a page's or a folder's own number, then a number at
the start of a file name.
"""

from __future__ import annotations

import posixpath
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import PurePosixPath
from urllib.parse import unquote

from ranvier_builder.audience import readers_see
from ranvier_builder.model import Entry, Neuron
from ranvier_builder.render.names import without_ending

Place = tuple[int, float]  # source (0 a table of contents, 1 a number, 2 none), and number
NO_PLACE: Place = (2, 0.0)

_SUMMARIES = ("summary", "langs")  # the second of GitBook, with a book for each language
_SIDEBAR = "_sidebar"  # of docsify and of wikis of GitHub
_OF_GITHUB = re.compile(r"https://github\.com/[^/]+/[^/]+/wiki/")  # authors copy the addresses of pages of the wiki
_LINE = re.compile(
    r"(?P<indent>[ \t]*)(?:(?P<mark>[-*+]|\d{1,4}[.)])[ \t]+)?\[(?P<label>[^\n]*?)\]\(<?(?P<target>[^()\n<>]*)>?\)[ \t]*\Z"
)
_ITEM = re.compile(
    r"(?P<indent>[ \t]*)(?P<mark>[-*+]|\d{1,4}[.)])[ \t]+(?:\[\[(?P<link>[^\[\]\n]+)\]\]|(?P<label>[^\[\]()\n]*))[ \t]*\Z"
)
_NUMBER = re.compile(r"(\d{1,3})(?:-(\d{1,3}))?-(?=[^\W\d])")
_PIECES = re.compile(r"(\d+)", re.ASCII)
_MAX_DEPTH = 20  # levels of pages below pages
_MAX_PATTERNS = 20  # `guide/*` in the tables of contents of a page: each is compared with all pages below its folder
_SEARCH_WEIGHT = 10  # the largest search weight; if any is larger, all weights mean an order


def natural_key(title: str) -> tuple[tuple[str, int, str], ...]:
    """Return a sort key that puts `Chapter 2` before `Chapter 10`."""
    pieces = _PIECES.split(title.lower())
    digits = [piece.lstrip("0") for piece in pieces[1::2]] + [""]
    return tuple((words, len(number), number) for words, number in zip(pieces[::2], digits, strict=True))


def split_number(slug: str) -> tuple[Place, str]:
    """Split the number from the last part of an address: `guide/01-intro` → its place, `intro`."""
    name = slug.rpartition("/")[2]
    number = _NUMBER.match(name)
    if number is None:
        return NO_PLACE, name
    return (1, int(number[1]) + int(number[2] or 0) / 1000), name[number.end() :]


def is_contents(neuron: Neuron) -> bool:
    """Return whether a page is a table of contents, `_sidebar.md`, or `SUMMARY.md` or `LANGS.md` of nearly only links."""
    if (stem := PurePosixPath(neuron.path).stem.lower()) not in _SUMMARIES:
        return stem == _SIDEBAR
    lines = [line for line in neuron.body.splitlines() if line.strip() and not line.startswith(("#", "---"))]
    return len(lines) > 1 and sum(_LINE.match(line) is not None for line in lines) > 0.8 * len(lines)


def contents(neuron: Neuron, levels: Mapping[str, int]) -> Iterator[Entry]:
    """Yield the entries of a table of contents. An entry without a target is a chapter that is not written yet.

    `levels`: the smallest audience that may see each page, by path. An entry has no label if more readers see its page than
    the table.
    """
    folder, open_indents = posixpath.dirname(neuron.path), list[int]()
    for line in neuron.body.splitlines():
        match = _LINE.match(line) or _ITEM.match(line)
        if match is None:
            continue
        indent = len(match["indent"].expandtabs(4))
        while open_indents and open_indents[-1] >= indent:
            open_indents.pop()
        label, target = _label_and_target(match)
        path = posixpath.normpath(posixpath.join(folder, target)) if target else ""
        label = re.sub(r"[`*]|\\(?=\W)", "", label).strip()
        yield Entry(path, label if readers_see(levels, path, neuron.path) else "", len(open_indents))
        if match["mark"]:
            open_indents.append(indent)


def _label_and_target(line: re.Match[str]) -> tuple[str, str]:
    """Split a line of a table of contents; `[[Label|Page name]]` leads to `Page-name`, and a line without a link nowhere."""
    if line.re is _LINE:
        return line["label"], unquote(_OF_GITHUB.sub("", line["target"]).partition("#")[0].partition(" ")[0].strip())
    label, _, name = (line["link"] or "").rpartition("|")
    name = name.partition("#")[0].strip()
    return label or name or line["label"], name.replace(" ", "-")


def toctrees(neurons: Iterable[Neuron], levels: Mapping[str, int]) -> Iterator[Entry]:
    """Yield the entries of the tables of contents in pages, Sphinx's `toctree`: each page has those of its own below it."""
    pages = {without_ending(neuron.path): neuron for neuron in sorted(neurons, key=lambda neuron: neuron.path)}
    stems = sorted(pages)
    lists = {stem: list(_listed(neuron, pages, stems, levels)) for stem, neuron in pages.items() if neuron.contents}
    listed_stems = {stem for rows in lists.values() for _, stem in rows}
    visited_stems = set[str]()
    # First the pages that no page lists; those that list each other begin with the one in the topmost folder.
    for stem in sorted(lists, key=lambda stem: (stem in listed_stems, stem.count("/") if stem in listed_stems else 0, stem)):
        yield from _nested(stem, "", 0, lists, pages, visited_stems)


def _listed(neuron: Neuron, pages: dict[str, Neuron], stems: list[str], levels: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    """Yield the captions of a page, and the pages below them, each with its label; a caption has no page."""
    folder, patterns = posixpath.dirname(neuron.path), 0
    for label, target in neuron.contents:
        path = without_ending(
            posixpath.normpath(target.strip("/") if target.startswith("/") else posixpath.join(folder, target))
        )
        if not target:
            yield label, ""
        elif path in pages:
            yield label if readers_see(levels, pages[path].path, neuron.path) else "", path
        elif "*" in target and (patterns := patterns + 1) <= _MAX_PATTERNS:
            yield from (("", stem) for stem in sorted(_matches(path, stems), key=natural_key))


def _matches(pattern: str, stems: list[str]) -> Iterator[str]:
    """Yield the sorted paths that a pattern matches; its `*` and `?` match no slash."""
    prefix = re.split(r"[*?]", pattern, maxsplit=1)[0]
    expression = re.compile(re.escape(pattern).replace(r"\*", "[^/]*").replace(r"\?", "[^/]"))
    for at in range(bisect_left(stems, prefix), len(stems)):
        if not stems[at].startswith(prefix):
            return
        if expression.fullmatch(stems[at]):
            yield stems[at]


def _nested(
    stem: str,
    label: str,
    depth: int,
    lists: dict[str, list[tuple[str, str]]],
    pages: dict[str, Neuron],
    visited_stems: set[str],
) -> Iterator[Entry]:
    """Yield a page and the pages below it; a page that several lists name is below the first."""
    if stem in visited_stems or depth > _MAX_DEPTH:
        return
    visited_stems.add(stem)
    yield Entry(pages[stem].path, label, depth)
    level = depth + 1
    for words, path in lists.get(stem, ()):
        if path:
            yield from _nested(path, words, level, lists, pages, visited_stems)
        else:
            level = depth + 1 + bool(words)
            yield from (Entry("", words, depth + 1),) if words else ()


def ordered(neurons: Iterable[Neuron]) -> list[Neuron]:
    """Use `weight` as the order, as in Hugo, if any weight is larger than search weights can be."""
    neurons = list(neurons)
    if max((neuron.weight for neuron in neurons), default=1) <= _SEARCH_WEIGHT:
        return neurons
    return [
        replace(neuron, weight=1.0, order=neuron.order if neuron.order is not None or neuron.weight == 1 else neuron.weight)
        for neuron in neurons
    ]

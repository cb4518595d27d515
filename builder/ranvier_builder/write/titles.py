"""Names of pages → the files for suggestions (`ranvier.store.titles`), deflated JSON.

A site of up to about 1,500 pages has one file. On a larger site names are distributed by the prefixes of their words. For a
prefix with too many names a file holds the best of them. The root lists which file has what.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from pathlib import Path
from typing import Any

from ranvier.store.format import deflate, digest
from ranvier.store.titles import ALIAS, HEADING, TAG, TITLE, Name, TitleNames, slug, utf16
from ranvier.suggest import ranked
from ranvier.text import CLAIM
from ranvier.text.keys import beginnings, keys

from ranvier_builder.model import Neuron, Rendered
from ranvier_builder.write.analyse import menu_names
from ranvier_builder.write.files import compact_json, deflated_json, put

WHOLE = 160_000  # bytes of JSON: a smaller site has a single file
RUN = 40_000  # bytes of a file of prefixes, before compression
HEAD = 14_000  # bytes of a file with the best names of one prefix: about a hundred, eight are shown
LONGEST = 160  # characters of a name; a longer heading is a paragraph
LEVELS = (2, 3)
_ROW, _PAGE = 8, 8  # bytes of overhead of a name and of a page, besides their strings
Beginnings = dict[str, set[int]]  # prefix → rows of names


def write_titles(
    base: Path, indexed: Sequence[Rendered], folders: Mapping[str, Any] | None = None, older: Set[int] = frozenset()
) -> list[Any]:
    """Write the files below `base / "titles"`; return their concatenated digests, and their sizes.

    The root is first, the folders are last; each is missing if there are none. `older` are pages that have a newer version,
    numbered from 1: their names are left out.
    """
    contents = files(page_names(indexed, older)) if indexed else []
    contents += [deflated_json(folders)] if folders else []
    return put(base / "titles", contents)


def page_names(rendered: Sequence[Rendered], older: Set[int] = frozenset()) -> TitleNames:
    """Return all names of pages, except `older` ones, numbered from 1.

    A name counts once for a page.
    """
    numbers = tuple(number for number in range(len(rendered)) if number + 1 not in older)
    indexed = [rendered[number] for number in numbers]
    titles = [shown_name(page.page.neuron.title) for page in indexed]
    page_keys = [{key} for key in keys(titles)]
    names = [Name(TITLE, page, title) for page, title in enumerate(titles)]
    for candidates in (_aliases(indexed), _headings(indexed)):
        unique = list(candidates)
        for name, key in zip(unique, keys([name.text for name in unique]), strict=True):
            if key.strip() and key not in page_keys[name.page]:
                page_keys[name.page].add(key)
                names.append(name)
    names += sorted({*_tags(indexed)}, key=lambda name: (name.text, name.page))
    return TitleNames(
        numbers, tuple(page.page.url for page in indexed), tuple(names), tuple(keys([name.text for name in names]))
    )


def files(names: TitleNames) -> list[bytes]:
    """Write names as files, the root first."""
    whole = compact_json(_columns(names))
    if len(whole) <= WHOLE:
        return [deflate(whole)]
    shares = _PrefixFiles(names)
    heads = [(start, deflated_json(_columns(_subset(names, rows)))) for start, rows in shares.heads]
    runs = [(start, deflated_json(_columns(_subset(names, rows)))) for start, rows in shares.runs()]
    contents = [data for _, data in (*heads, *runs)]
    root = {
        "heads": [start for start, _ in heads],
        "runs": [start for start, _ in runs],
        "files": [digest(data).hex() for data in contents],
    }
    return [deflated_json(root), *dict.fromkeys(contents)]


def shown_name(text: str) -> str:
    """Put a name on one line, without claim anchors, and cut it at a blank if it is too long."""
    line = " ".join(CLAIM.sub("", text).split())
    if len(line) <= LONGEST:
        return line
    return f"{line[:LONGEST].rpartition(' ')[0] or line[: LONGEST - 1]}…"


def other_names(neuron: Neuron) -> list[str]:
    """Return the aliases of a page as results show them, without former addresses, and its label in menus."""
    names = (alias for alias in neuron.aliases if not alias.startswith("/"))
    return [shown_name(name) for name in (*names, *menu_names(neuron))]


def _aliases(indexed: Sequence[Rendered]) -> Iterator[Name]:
    for page, rendered in enumerate(indexed):
        yield from (Name(ALIAS, page, name) for name in other_names(rendered.page.neuron))


def _headings(indexed: Sequence[Rendered]) -> Iterator[Name]:
    for page, rendered in enumerate(indexed):
        for section in rendered.sections:
            if section.headings and section.levels[-1] in LEVELS:
                yield Name(HEADING, page, shown_name(section.headings[-1]), section.anchor)


def _tags(indexed: Sequence[Rendered]) -> Iterator[Name]:
    return (
        Name(TAG, page, shown_name(tag))
        for page, rendered in enumerate(indexed)
        for tag in rendered.page.neuron.tags
        if tag.strip()
    )


def _columns(names: TitleNames) -> dict[str, Any]:
    """Lay out names by kind, so that similar data are adjacent."""
    kinds = {kind: [name for name in names.names if name.kind == kind] for kind in (TITLE, ALIAS, HEADING, TAG)}
    counts = defaultdict[int, int](int)
    tagged = defaultdict[str, list[int]](list)
    for name in kinds[HEADING]:
        counts[name.page] += 1
    for name in kinds[TAG]:
        tagged[name.text].append(name.page)
    columns = {
        "titles": [name.text for name in kinds[TITLE]],
        "urls": names.urls,
        "aliases": [name.text for name in kinds[ALIAS]],
        "alias_pages": [name.page for name in kinds[ALIAS]],
        "headings": [name.text for name in kinds[HEADING]],
        "heading_counts": [counts[page] for page in range(len(names.urls))],
        "anchors": [0 if name.anchor == slug(name.text) else name.anchor for name in kinds[HEADING]],
        "tags": list(tagged),
        "tag_pages": list(tagged.values()),
    }
    all_here = names.numbers == tuple(range(len(names.numbers)))
    return columns if all_here else columns | {"numbers": names.numbers}


def _subset(names: TitleNames, rows: Iterable[int]) -> TitleNames:
    """Return a file with some names and their pages."""
    pages = sorted({names.names[row].page for row in rows})
    place = {page: at for at, page in enumerate(pages)}
    included = sorted({*rows, *pages})  # the page's title is always included: titles are the first rows
    return TitleNames(
        tuple(names.numbers[page] for page in pages),
        tuple(names.urls[page] for page in pages),
        tuple(names.names[row]._replace(page=place[names.names[row].page]) for row in included),
        tuple(names.keys[row] for row in included),
    )


def _common_prefix(text: str, other: str) -> str:
    """Return the common prefix of two texts; of the first and last of sorted texts, it is common to all."""
    different = (at for at, (a, b) in enumerate(zip(text, other, strict=False)) if a != b)
    return text[: next(different, min(len(text), len(other)))]


class _PrefixFiles:
    """Names distributed by the prefixes that can be typed for them: a tree of prefixes, cut when a file is full."""

    def __init__(self, names: TitleNames) -> None:
        self._names = names
        self.heads: list[tuple[str, list[int]]] = []  # prefixes with too many names, and the best names of each
        self._leaves: list[tuple[str, set[int]]] = []
        self._bytes = [len(name.text.encode("utf-8", "replace")) + len(name.anchor) + _ROW for name in names.names]
        for page, url in enumerate(names.urls):  # titles are the first rows
            self._bytes[page] += len(url) + _PAGE
        rows: Beginnings = defaultdict(set)
        for row, name in enumerate(names.names):
            for beginning in beginnings(name.text):
                rows[beginning].add(row)
        self._branch(rows)

    def runs(self) -> Iterator[tuple[str, set[int]]]:
        """Yield the first prefix and the names of each other file; prefixes are added while they fit."""
        start, rows, size = "", set[int](), 0
        for leaf, more in self._leaves:
            size += self._size(more, rows)
            if rows and size > RUN:
                yield start, rows
                start, rows, size = "", set(), self._size(more)
            start, rows = start or leaf, rows | more
        if rows:
            yield start, rows

    def _branch(self, node: Beginnings) -> None:
        """Cut by the next character, in UTF-16 order, which is the lookup order of files."""
        prefix = _common_prefix(min(node), max(node))
        if prefix:
            self.heads.append((prefix, self._best_names({row for rows in node.values() for row in rows}, prefix)))
        children = defaultdict[str, Beginnings](dict)
        for beginning, rows in node.items():
            if len(beginning) > len(prefix):
                children[beginning[: len(prefix) + 1]][beginning] = rows
        for start, child in sorted(children.items(), key=lambda item: utf16(item[0])):
            all_rows = {row for rows in child.values() for row in rows}
            if self._size(all_rows) <= RUN:
                self._leaves.append((start, all_rows))
            else:
                self._branch(child)

    def _best_names(self, candidates: set[int], start: str) -> list[int]:
        """Return the names that are suggested first for a prefix, as many as fit into a file."""
        names, rows = self._names, sorted(candidates)
        subset = replace(names, names=tuple(names.names[row] for row in rows), keys=tuple(names.keys[row] for row in rows))
        best, size = list[int](), 0
        included = set[int]()
        for at in ranked(subset, [start]):
            size += self._size([rows[at]], included)
            if size > HEAD:
                break
            best.append(rows[at])
            included |= {rows[at], names.names[rows[at]].page}
        return best

    def _size(self, rows: Iterable[int], included: Set[int] = frozenset()) -> int:
        """Return the approximate bytes that some names add to a file; a page's title is included with any of its names."""
        added = {number for row in rows for number in (row, self._names.names[row].page)} - included
        return sum(self._bytes[row] for row in added)

"""Pages that are versions of one page: `docs/7.4/routing.md` and `docs/7.5/routing.md`.

Their paths differ in one folder that is called like a version, their titles are equal, and most of their words are, too: a
second volume with the same chapters is not a second version.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from pathlib import PurePosixPath

from ranvier_builder.model import Rendered

ALIKE = 0.5  # share of the words of two pages that both have; less, and they are two pages
_NUMBER = re.compile(
    r"(?:v|version-|release-)?(?P<parts>\d+(?:\.(?:\d+|x))*)(?P<unstable>[.-]?(?:dev|alpha|beta|rc|pre|next)[.-]?\d*)?"
)
_STABLE = ("stable", "latest", "current")
_UNSTABLE = ("next", "dev", "main", "master", "unstable", "nightly", "canary", "edge", "preview")

Age = tuple[int, tuple[int, ...]]  # a larger one is preferred


def newest_versions(indexed: Sequence[Rendered]) -> dict[int, int]:
    """Return the newest version of each page that is another version of it; Neurons are numbered from 1, in order.

    The newest is a page whose path names no version, else one called like `latest`, else the highest number. Unstable versions
    such as `next` come last.
    """
    groups = defaultdict[tuple[str, str], list[tuple[Age, int]]](list)
    for number, page in enumerate(indexed, 1):
        neuron = page.page.neuron
        path, age = _without_version(PurePosixPath(neuron.path))
        groups[path, neuron.title.casefold()].append((age, number))
    newest: dict[int, int] = {}
    for versions in groups.values():
        if len({age for age, _ in versions}) > 1:
            (_, number), *others = sorted(versions, reverse=True)
            newest |= {other: number for _, other in others if _is_alike(indexed[number - 1], indexed[other - 1])}
    return dict(sorted(newest.items()))


def _without_version(path: PurePosixPath) -> tuple[str, Age]:
    """Return a path without its first folder that is called like a version, and the age of that version."""
    for at, folder in enumerate(path.parts[:-1]):
        if (age := _age(folder)) is not None:
            return "/".join((*path.parts[:at], *path.parts[at + 1 :])), age
    return str(path), (3, ())


def _age(folder: str) -> Age | None:
    """Return the age of a version; `None` if a folder is not called like one, as a bare number is not: it may be a year."""
    name = folder.lower()
    if name in _STABLE or name in _UNSTABLE:
        return (2 if name in _STABLE else 0), ()
    number = _NUMBER.fullmatch(name)
    if number is None or name.isdecimal():
        return None
    parts = tuple(10**9 if part == "x" else int(part) for part in number["parts"].split("."))
    return (0 if number["unstable"] else 1), parts


def _is_alike(page: Rendered, other: Rendered) -> bool:
    words, others = (set(item.terms.words.split("\n")) if item.terms else set[str]() for item in (page, other))
    return len(words & others) >= ALIKE * len(words | others)

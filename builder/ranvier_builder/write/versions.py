"""Pages that are versions of one page: `docs/7.4/routing.md` and `docs/7.5/routing.md`.

Their paths differ in one folder with the name of a version, their titles are equal, and they have most words in common: a
second volume with the same chapters is not a second version.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

import numpy as np

from ranvier_builder.model import Rendered
from ranvier_builder.write.analyse import terms_of
from ranvier_builder.write.impacts import Impacts, ranges
from ranvier_builder.write.postings import Ints, Ints32

MIN_SHARED = 0.5  # share of the words of two pages that both have; less, and they are two pages
_NUMBER = re.compile(
    r"(?:v|version-|release-)?(?P<parts>\d+(?:\.(?:\d+|x))*)(?P<unstable>[.-]?(?:dev|alpha|beta|rc|pre|next)[.-]?\d*)?"
)
_STABLE = ("stable", "latest", "current")
_UNSTABLE = ("next", "dev", "main", "master", "unstable", "nightly", "canary", "edge", "preview")

MIN_SCORE = 1  # score of the other versions: they come last

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


def lead_by_newest(impacts: Impacts, newest: Mapping[int, int], pages: int) -> Impacts:
    """For each term, give one version of a page the best score of all its versions, and the others the lowest score.

    It is the newest version if that has the term, else the version with the best score. A search does the same
    (`ranvier.rank.versions`).

    Args:
        impacts: scores of pages, which are numbered from 0.
        newest: result of `newest_versions`.
        pages: number of pages.

    """
    if not newest:
        return impacts
    lead = np.arange(pages)
    lead[np.array([*newest]) - 1] = np.array([*newest.values()]) - 1
    blocks = [_lead_block(impacts, lead, low, high) for low, high in ranges(impacts.starts)]
    return replace(impacts, score=np.concatenate(blocks))


def _lead_block(impacts: Impacts, lead: Ints, low: int, high: int) -> Ints32:
    """Return the scores of a range of terms."""
    rows = slice(int(impacts.starts[low]), int(impacts.starts[high]))
    page, score = impacts.page[rows], impacts.score[rows]
    term = np.repeat(np.arange(high - low), np.diff(impacts.starts[low : high + 1]))
    group = term * len(lead) + lead[page]
    order = np.lexsort((page, -score, page != lead[page], group))
    firsts = np.flatnonzero(np.diff(group[order], prepend=-1))
    scores = np.full_like(score, MIN_SCORE)
    scores[order[firsts]] = np.maximum.reduceat(score[order], firsts)
    return scores


def _without_version(path: PurePosixPath) -> tuple[str, Age]:
    """Return a path without its first folder with the name of a version, and the age of that version."""
    for at, folder in enumerate(path.parts[:-1]):
        if (age := _age(folder)) is not None:
            return "/".join((*path.parts[:at], *path.parts[at + 1 :])), age
    return str(path), (3, ())


def _age(folder: str) -> Age | None:
    """Return the age of a version; `None` if a folder has another name. A number alone is no version: it may be a year."""
    name = folder.lower()
    if name in _STABLE or name in _UNSTABLE:
        return (2 if name in _STABLE else 0), ()
    number = _NUMBER.fullmatch(name)
    if number is None or name.isdecimal():
        return None
    parts = tuple(10**9 if part == "x" else int(part) for part in number["parts"].split("."))
    return (0 if number["unstable"] else 1), parts


def _is_alike(page: Rendered, other: Rendered) -> bool:
    words, others = ({*terms_of(item).words.split("\n")} for item in (page, other))
    return len(words & others) >= MIN_SHARED * len(words | others)

"""Database pages in the format of packs, lists and the hot pack: in runs, interior table pages separately."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Any

from ranvier.store.interior import differences

from ranvier_builder.write.btree import Pages


def layout(pages: Pages, numbers: Iterable[int]) -> dict[str, Any]:
    """Return `pages`, the runs as `[first page, bytes]`, and `interior`, each page as `[page, size of a cell, differences]`."""
    cells = {number: pages.interior_cell(number) for number in sorted(numbers)}
    runs = page_runs(number for number, size in cells.items() if not size)
    return {
        "pages": [[first, b"".join(map(pages.page, range(first, first + count)))] for first, count in runs],
        "interior": [[number, size, differences(pages.page(number), size)] for number, size in cells.items() if size],
    }


def page_numbers(raw: Mapping[str, Any], size: int) -> list[int]:
    """Return the pages of `size` bytes in a layout, in order."""
    runs = [number for first, data in raw["pages"] for number in range(first, first + len(data) // size)]
    return sorted([*runs, *(number for number, _, _ in raw["interior"])])


def page_runs(numbers: Iterable[int]) -> list[tuple[int, int]]:
    """Return the first of each run of consecutive numbers, and its length."""
    runs = []
    for _, group in groupby(enumerate(numbers), lambda pair: pair[1] - pair[0]):
        run = [number for _, number in group]
        runs.append((run[0], len(run)))
    return runs

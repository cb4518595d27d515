"""What a word gains a page whose title or heading is that word, or begins with it: `ranvier.rank.tiers.Exact`, in bulk."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import takewhile

from ranvier import text
from ranvier.rank.tiers import MIN_BEGUN, Exact

from ranvier_builder.model import Terms

NOWHERE = -1  # in place of a chunk: the page as a whole


def beginning(known: Sequence[str], start: str) -> Iterable[str]:
    """Return what of some sorted texts begins so."""
    first = bisect_left(known, start)
    return takewhile(lambda one: one.startswith(start), (known[at] for at in range(first, len(known))))


def names_of(word: str, langs: Iterable[str]) -> tuple[str, ...]:
    """Return a word as names hold it, as it is written first; nothing where it has no letter."""
    written = text.name(word, text.AS_WRITTEN)
    return (*dict.fromkeys((written, *(text.name(word, lang) for lang in langs))),) if written else ()


class Gains:
    """Knows the names of some pages and of their chunks, both numbered from 0."""

    def __init__(self, pages: Iterable[Terms], exact: Exact) -> None:
        titles, headings = _Names(), _Names()
        chunk = 0
        for page, terms in enumerate(pages):
            titles.add(terms.whole.name, page, NOWHERE)
            for row in terms.rows:
                headings.add(row.name, page, chunk)
                chunk += 1
        self._sides = titles.sorted(), headings.sorted()
        whole = (exact.title, exact.heading)
        self._gains = (whole, tuple(one - exact.ending for one in whole), tuple(one * exact.begun for one in whole))

    def of(self, called: Sequence[str]) -> dict[int, tuple[float, int]]:
        """Return for each page that gains something how much, and the chunk below the heading, or `NOWHERE`.

        Of several reasons the first counts, as it does in a search: the word as it is written, then but for its ending, then
        as a beginning; each time titles first.

        Args:
            called: what `names_of` makes of a word.

        """
        if not called:
            return {}
        written, others = called[0], called
        begins = len(written.removesuffix("=")) >= MIN_BEGUN
        found: dict[int, tuple[float, int]] = {}
        for kind, gains in enumerate(self._gains):
            for side, gain in zip(self._sides, gains, strict=True):
                names = (written,) if kind == 0 else others if kind == 1 else side.beginning(written) if begins else ()
                for page, chunk in (place for name in names for place in side.places.get(name, ())):
                    found.setdefault(page, (gain, chunk))
        return found


class _Names:
    def __init__(self) -> None:
        self.places = defaultdict[str, list[tuple[int, int]]](list)
        self._known: list[str] = []

    def add(self, names: str, page: int, chunk: int) -> None:
        for name in names.split():
            self.places[name].append((page, chunk))

    def sorted(self) -> _Names:
        self._known = sorted(self.places)
        return self

    def beginning(self, start: str) -> Iterable[str]:
        return beginning(self._known, start)

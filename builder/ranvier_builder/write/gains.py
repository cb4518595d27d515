"""The gain of a page if its title or heading equals a word or starts with it: `ranvier.rank.tiers.Exact`, in bulk."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import takewhile

from ranvier.rank.tiers import MIN_PREFIX, Exact

from ranvier_builder.model import Terms

NO_CHUNK = -1  # instead of a chunk: the page as a whole


def beginning(ordered: Sequence[str], start: str) -> Iterable[str]:
    """Return the texts with a prefix, from a sorted sequence."""
    first = bisect_left(ordered, start)
    return takewhile(lambda text: text.startswith(start), (ordered[at] for at in range(first, len(ordered))))


class Gains:
    """The names of pages and of their chunks; both are numbered from 0."""

    def __init__(self, pages: Iterable[Terms], exact: Exact) -> None:
        titles, headings = (defaultdict[str, list[tuple[int, int]]](list) for _ in range(2))  # name → pages and chunks
        self._by_title_term = defaultdict[str, list[int]](list)
        chunk = 0
        for page, terms in enumerate(pages):
            for name in terms.whole.name.split():
                titles[name].append((page, NO_CHUNK))
            for term in dict.fromkeys(terms.whole.title.split()):
                self._by_title_term[term].append(page)
            for row in terms.rows:
                for name in row.name.split():
                    headings[name].append((page, chunk))
                chunk += 1
        self._places = titles, headings
        self._names = sorted(titles), sorted(headings)
        whole = (exact.title, exact.heading)
        self._gains = (whole, tuple(gain - exact.ending for gain in whole), tuple(gain * exact.prefix for gain in whole))
        self._exact = exact

    def of(self, names: Sequence[str], terms: Iterable[str]) -> dict[int, tuple[float, int]]:
        """Return the gain of each page with a gain, and the chunk below the matched heading, or `NO_CHUNK`.

        The largest gain counts, as in a search; of equal gains the first.

        Args:
            names: result of `ranvier.query.understand.name_terms` for a word.
            terms: the word's terms in the index.

        """
        if not names:
            return {}
        best: dict[int, tuple[float, int]] = {}
        for page, gain, chunk in (*self._by_name(names), *self._in_titles(terms)):
            best_gain, place = best.get(page, (0.0, NO_CHUNK))
            if gain > best_gain:
                # A matched heading is a more exact target than a title.
                best[page] = gain, place if chunk == NO_CHUNK else chunk
        return best

    def _by_name(self, names: Sequence[str]) -> Iterable[tuple[int, float, int]]:
        first = names[0]
        can_be_prefix = len(first.removesuffix("=")) >= MIN_PREFIX
        for kind, gains in enumerate(self._gains):
            for places, ordered, gain, is_title in zip(self._places, self._names, gains, (True, False), strict=True):
                matched_names = (names[:1], names, beginning(ordered, first) if can_be_prefix else ())[kind]
                chunk_of: dict[int, int] = {}
                for page, chunk in (place for name in matched_names for place in places.get(name, ())):
                    chunk_of.setdefault(page, chunk)
                if chunk_of:
                    gain = gain if is_title else self._exact.shared(gain, len(chunk_of))
                    yield from ((page, gain, chunk) for page, chunk in chunk_of.items())

    def _in_titles(self, terms: Iterable[str]) -> Iterable[tuple[int, float, int]]:
        pages = {page for term in terms for page in self._by_title_term.get(term, ())}
        yield from ((page, self._exact.stepped(self._exact.part), NO_CHUNK) for page in pages)

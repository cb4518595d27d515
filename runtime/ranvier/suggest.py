"""Suggestions while a reader types: titles, aliases, headings and tags, before any search.

A page's own script gives the same answers without Python (`ranvier_web/instant`). The rules of both:

fold    what is typed and what is called are compared by their keys (`ranvier.text.keys`): case, accents, compatibility forms
        and punctuation say nothing, `+` and `#` behind a letter do. At most 200 code points of a query are looked at.
match   every word of the query begins a word of the name, or begins at a hump of it. For a heading, words may also be found in
        its page's title, but one in itself.
order   1. a title that is the query     2. an alias that is      3. a title that begins so    4. a title with all words
        5. an alias that begins so       6. one with all words    7. a heading that is         8. that begins so
        9. with all words               10. with some, the others in the title                11. a tag that is
       12. that begins so               13. with all words
        Then the shorter text (code points), the page that comes first on the site, the name that comes first in its file.
cut     at most three of a page, and `limit` in all.
files   a small site has one. Of a larger one the root and one more are read: for the query's longest word of those that not too
        many names have, else for its longest; of two, for the first. That file has all names with such a word, or the best.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ranvier.errors import FormatError
from ranvier.store.fetch import Steps
from ranvier.store.titles import HEADING, KINDS, Guide, TitleFiles, TitleNames
from ranvier.text.keys import DEEPEST, marked, units
from ranvier.types import NameKind

OF_A_PAGE = 3
MOST = 100
# By kind, the tiers of a name that is the query, begins so, has all words, has some with the others in its page's title.
_TIERS = ((0, 2, 3), (1, 4, 5), (6, 7, 8, 9), (10, 11, 12))


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A name that matches. `text` is it in pieces, of which every second one is what was typed; none is escaped."""

    kind: NameKind
    text: tuple[str, ...]
    title: str  # of its page
    url: str
    anchor: str = ""


class Suggester:
    """Suggestions from the files that a root names. `root` is its digest; empty where there is none."""

    def __init__(self, root: bytes) -> None:
        self._root = root.hex()
        self._files = TitleFiles()

    def suggest(self, query: str, limit: int = 8) -> Steps[tuple[Suggestion, ...]]:
        """Return the matching names, best first, in at most two rounds of one file each.

        Raises:
            FetchError: a file could not be had, or is not what its name says.

        """
        wanted = units(query)
        if not self._root or not wanted:
            return ()
        root = yield from self._files.get(self._root)
        if isinstance(root, Guide):
            seal = root.file_of(looked_up(root, wanted))
            if not seal:
                return ()
            root = yield from self._files.get(seal)
        if isinstance(root, Guide):
            raise FormatError("a root of names names another root")
        best = chosen(root, ranked(root, wanted), min(max(limit, 1), MOST))
        return tuple(_suggestion(root, row, wanted) for row in best)


def looked_up(guide: Guide, wanted: Sequence[str]) -> str:
    """Return the beginning by which names are looked up: the longest that is no head."""
    clipped = [unit[:DEEPEST] for unit in wanted]
    return min(clipped, key=lambda unit: (guide.is_head(unit), -len(unit)))


def ranked(names: TitleNames, wanted: Sequence[str]) -> list[int]:
    """Return the rows of all matching names, best first."""
    begun = [f" {unit}" for unit in wanted]
    matches = []
    for row, (name, key) in enumerate(zip(names.names, names.keys, strict=True)):
        if begun[0] in key or len(begun) > 1:
            how = _how(key, names.keys[name.page] if name.kind == HEADING and len(begun) > 1 else "", begun)
            if how >= 0:
                matches.append((_TIERS[name.kind][how], len(name.text), names.numbers[name.page], row))
    return [row for *_, row in sorted(matches)]


def chosen(names: TitleNames, rows: Sequence[int], limit: int) -> list[int]:
    """Cut a ranking to a number of names, with at most three of one page."""
    out, times = [], Counter[int]()
    for row in rows:
        page = names.names[row].page
        times[page] += 1
        if times[page] <= OF_A_PAGE:
            out.append(row)
            if len(out) == limit:
                break
    return out


def _how(key: str, title: str, begun: Sequence[str]) -> int:
    """Tell how a name matches: 0 it is the query, 1 begins so, 2 has all words, 3 with its title's; -1 not."""
    missing = [unit for unit in begun if unit not in key]
    if missing:
        return 3 if title and len(missing) < len(begun) and all(unit in title for unit in missing) else -1
    typed = "".join(begun)
    if key.startswith(typed):
        return 0 if key[len(typed) : len(typed) + 1] in ("", "\t") else 1
    return 2


def _suggestion(names: TitleNames, row: int, wanted: Sequence[str]) -> Suggestion:
    kind, page, text, anchor = names.names[row]
    return Suggestion(KINDS[kind], marked(text, wanted), names.names[page].text, names.urls[page], anchor)

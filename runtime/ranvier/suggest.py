"""Suggestions while a reader types: titles, aliases, headings and tags, before any search.

A page's own script gives the same answers without Python (`ranvier_web/instant`). The rules of both:

fold    a query and a name are compared by their keys (`ranvier.text.keys`): case, accents, compatibility forms and punctuation
        are ignored, except `+` and `#` after a letter. Only the first 200 code points of a query are used.
match   every word of the query is a prefix of a word of the name, or of a part that begins at a hump. For a heading, words may
        also match its page's title, but at least one must match the heading.
order   1. a title equal to the query    2. an equal alias
        3. a title with the query as prefix  4. a title with all words      5. and 6. the same, with an unfinished word
        7. an alias with the prefix      8. with all words              9. and 10. the same, with an unfinished word
       11. an equal heading             12. with the prefix            13. with all words
       14. with some words, the others in the title                15. to 17. as 12 to 14, with an unfinished word
       18. an equal tag                 19. with the prefix            20. with all words
       21. and 22. the same, with an unfinished word
        A word of the query is unfinished in a name that has it only as the beginning of a longer word: `mark` in `Markdown`.
        Ties: the shorter text (code points), the page that is first on the site, the name that is first in its file.
limit   at most three names of a page, and `limit` in total.
files   a small site has one file. On a larger site the root and one more file are read: the file of the query's longest word
        that is not a head, else of its longest word; ties: the first. It has all names with such a word, or the best.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ranvier.errors import FormatError
from ranvier.store.fetch import Steps
from ranvier.store.snapshot import Translations
from ranvier.store.titles import HEADING, KINDS, Guide, TitleFiles, TitleNames
from ranvier.text.keys import MAX_PREFIX_LENGTH, split_matches, units
from ranvier.types import NameKind

PER_PAGE = 3
MAX_LIMIT = 100
# By kind, the tiers of a name that equals the query, has it as prefix, has all words, has some (the title has the others).
# After them come those of names with an unfinished word: as many, without the first.
_TIERS = ((0, 2, 3), (1, 6, 7), (10, 11, 12, 13), (17, 18, 19))


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A name that matches. `text` is the name in pieces; every second piece is a match. It is not escaped."""

    kind: NameKind
    text: tuple[str, ...]
    title: str  # of its page
    url: str
    anchor: str = ""


class Suggester:
    """Suggestions from the files that a root names. `root` is its digest, or empty."""

    def __init__(self, root: bytes) -> None:
        self._root = root.hex()
        self._files = TitleFiles()

    def suggest(
        self, query: str, limit: int = 8, page_lang: str = "", translations: Translations | None = None
    ) -> Steps[tuple[Suggestion, ...]]:
        """Return the matching names, best first, in at most two rounds of one file each.

        With `page_lang`, only one translation of each page: the one in this language, or else in the site's.

        Raises:
            FetchError: a file cannot be fetched, or does not match its digest.

        """
        query_units = units(query)
        if not self._root or not query_units:
            return ()
        root = yield from self._files.get(self._root)
        if isinstance(root, Guide):
            file = root.file_of(lookup_prefix(root, query_units))
            if not file:
                return ()
            root = yield from self._files.get(file)
        if isinstance(root, Guide):
            raise FormatError("a root of names names another root")
        rows = ranked(root, query_units)
        if page_lang and translations:
            neurons = [root.numbers[root.names[row].page] + 1 for row in rows]
            own = _nearest(neurons, translations, page_lang)
            rows = [row for row, neuron in zip(rows, neurons, strict=True) if neuron in own]
        best = select(root, rows, min(max(limit, 1), MAX_LIMIT))
        return tuple(_suggestion(root, row, query_units) for row in best)


def _nearest(neurons: Sequence[int], translations: Translations, page_lang: str) -> frozenset[int]:
    """Return Neurons without those that have a translation among them which is nearer to the language of a page."""
    from ranvier.rank.versions import distances  # most sites have one language

    places = distances(translations, page_lang)
    nearest: dict[int, int] = {}
    for neuron in sorted({*neurons}, key=lambda number: (places[translations.languages.get(number, 0)], number)):
        nearest.setdefault(translations.groups.get(neuron, neuron), neuron)
    return frozenset(nearest.values())


def lookup_prefix(guide: Guide, query_units: Sequence[str]) -> str:
    """Return the prefix to look up: the longest one that is not a head, else the longest."""
    clipped = [unit[:MAX_PREFIX_LENGTH] for unit in query_units]
    return min(clipped, key=lambda unit: (guide.is_head(unit), -len(unit)))


def ranked(names: TitleNames, query_units: Sequence[str]) -> list[int]:
    """Return the rows of all matching names, best first."""
    prefixes = [f" {unit}" for unit in query_units]
    matches = []
    for row, (name, key) in enumerate(zip(names.names, names.keys, strict=True)):
        if prefixes[0] in key or len(prefixes) > 1:
            title = names.keys[name.page] if name.kind == HEADING and len(prefixes) > 1 else ""
            rank = _match_rank(key, title, prefixes)
            if rank >= 0:
                tiers = _TIERS[name.kind]
                offset = len(tiers) - 1 if rank and _is_unfinished(f"{key} {title} ", prefixes) else 0
                matches.append((tiers[rank] + offset, len(name.text), names.numbers[name.page], row))
    return [row for *_, row in sorted(matches)]


def select(names: TitleNames, rows: Sequence[int], limit: int) -> list[int]:
    """Cut a ranking to a number of names, with at most three of one page."""
    out, counts = [], Counter[int]()
    for row in rows:
        page = names.names[row].page
        counts[page] += 1
        if counts[page] <= PER_PAGE:
            out.append(row)
            if len(out) == limit:
                break
    return out


def _match_rank(key: str, title: str, prefixes: Sequence[str]) -> int:
    """Rank a match: 0 equal to the query, 1 with it as prefix, 2 with all words, 3 only together with its title; -1 none."""
    missing = [unit for unit in prefixes if unit not in key]
    if missing:
        return 3 if title and len(missing) < len(prefixes) and all(unit in title for unit in missing) else -1
    query_key = "".join(prefixes)
    if key.startswith(query_key):
        return 0 if key[len(query_key) : len(query_key) + 1] in ("", "\t") else 1
    return 2


def _is_unfinished(key: str, prefixes: Sequence[str]) -> bool:
    """Tell whether a key has one of the units only as the beginning of longer words."""
    pieces = key.replace("\t", " ")
    return not all(f"{unit} " in pieces for unit in prefixes)


def _suggestion(names: TitleNames, row: int, query_units: Sequence[str]) -> Suggestion:
    kind, page, text, anchor = names.names[row]
    return Suggestion(KINDS[kind], split_matches(text, query_units), names.names[page].text, names.urls[page], anchor)

"""Known items: queries that are the title of one page, or a heading of one page.

`titles` and `headings` occur on one page only, in any case: a query cannot ask for "LICENSE" and not for "License". `phrases`
are headings of two to six words that no other page has with the same letters as a heading; another page may have them as its
title. The comparison with other engines uses these.
"""

import random
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

from ranvier_builder.model import Rendered

MAX_QUERIES = 200  # queries of a kind
SEED = 7
_PLAIN = re.compile(r"[A-Za-z][A-Za-z ]+")

NamedItem = tuple[str, str]  # a title or heading, and the address of the page that has it


def kinds(result: Sequence[Rendered], limit: int = MAX_QUERIES) -> dict[str, list[NamedItem]]:
    """Return queries of each kind, with the page that each is from."""
    titles = [(item.page.neuron.title, item.page.url) for item in result]
    heads = [(section.headings[-1], item.page.url) for item in result for section in item.sections if section.headings]
    unique = _on_one_page([*titles, *heads], str.casefold)
    return {
        "titles": _picked((pair for pair in titles if pair in unique), limit),
        "headings": _picked((pair for pair in heads if pair in unique), limit),
        "phrases": _picked((pair for pair in _on_one_page(heads, str) if 2 <= len(pair[0].split()) <= 6), limit),
    }


def _on_one_page(pairs: list[NamedItem], key: Callable[[str], str]) -> set[NamedItem]:
    """Return the names with a key that occurs on one page only."""
    pages = defaultdict(set)
    for name, url in pairs:
        pages[key(name)].add(url)
    return {pair for pair in pairs if len(pages[key(pair[0])]) == 1}


def _picked(pairs: Iterable[NamedItem], limit: int) -> list[NamedItem]:
    names = sorted({pair for pair in pairs if _PLAIN.fullmatch(pair[0])})
    random.Random(SEED).shuffle(names)
    return names[:limit]

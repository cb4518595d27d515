"""Known items: queries that are the title of one page, or a heading that stands on one page alone.

`titles` and `headings` stand on one page only, however upper and lower case are written: nobody can ask for "LICENSE" and not
for "License". `phrases` are headings of two to six words that no other page has in the same letters, though it may have them as
its title: the measure of the comparison with other engines.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

from ranvier_builder.model import Rendered

MOST = 200  # queries of a kind
SEED = 7
_PLAIN = re.compile(r"[A-Za-z][A-Za-z ]+")

Named = tuple[str, str]  # a title or heading, and the address of the page that has it


def kinds(result: Sequence[Rendered], most: int = MOST) -> dict[str, list[Named]]:
    """Return queries of each kind, with the page that each is from."""
    titles = [(item.page.neuron.title, item.page.url) for item in result]
    heads = [(section.headings[-1], item.page.url) for item in result for section in item.sections if section.headings]
    alone = _alone([*titles, *heads], str.casefold)
    return {
        "titles": _picked((pair for pair in titles if pair in alone), most),
        "headings": _picked((pair for pair in heads if pair in alone), most),
        "phrases": _picked((pair for pair in _alone(heads, str) if 2 <= len(pair[0].split()) <= 6), most),
    }


def _alone(pairs: list[Named], same: Callable[[str], str]) -> set[Named]:
    """What stands on one page only."""
    pages = defaultdict(set)
    for name, url in pairs:
        pages[same(name)].add(url)
    return {pair for pair in pairs if len(pages[same(pair[0])]) == 1}


def _picked(pairs: Iterable[Named], most: int) -> list[Named]:
    once = sorted({pair for pair in pairs if _PLAIN.fullmatch(pair[0])})
    random.Random(SEED).shuffle(once)
    return once[:most]

"""Floors of relevance: names of pages and sections of the manual find their pages: as written, misspelt, and unfinished.

MRR@10 by page over up to 200 names of a kind, each of which stands on one page alone. The measured values are 1.000, .961,
.984, .957, .968 and .923. The floors leave room for some more pages, and for nothing else.
"""

from collections.abc import Callable
from statistics import fmean

import pytest
import ranvier
from ranvier_builder.pipeline import survey
from support.content import OPEN
from support.known_items import NamedItem, kinds
from support.sites import EXAMPLE


@pytest.fixture(scope="module")
def items() -> dict[str, list[NamedItem]]:
    return kinds(survey(EXAMPLE / "content", OPEN).rendered)


def misspelt(name: str) -> str:
    """Swap two letters in the middle of the longest word; leave out names of short words."""
    word = max(name.split(), key=len)
    at = len(word) // 2
    return name.replace(word, word[: at - 1] + word[at] + word[at - 1] + word[at + 1 :], 1) if len(word) >= 6 else ""


def unfinished(name: str) -> str:
    """Leave out the last two letters of a name."""
    return name[:-2] if len(name) >= 6 else ""


@pytest.mark.parametrize(
    ("kind", "spell", "prefix", "floor"),
    [
        ("titles", str, False, 0.99),
        ("headings", str, False, 0.96),
        ("titles", misspelt, False, 0.96),
        ("headings", misspelt, False, 0.95),
        ("titles", unfinished, True, 0.96),
        ("headings", unfinished, True, 0.91),
    ],
    ids=["titles", "headings", "misspelt titles", "misspelt headings", "unfinished titles", "unfinished headings"],
)
def test_names_find_their_pages(
    manual: ranvier.Library,
    items: dict[str, list[NamedItem]],
    kind: str,
    spell: Callable[[str], str],
    prefix: bool,
    floor: float,
) -> None:
    """M2, L1: no change of the ranking may lose names."""
    pairs = [(query, url) for name, url in items[kind] if (query := spell(name))]
    pages = [[hit.url for hit in manual.search(query, limit=10, prefix=prefix).hits] for query, _ in pairs]
    ranks = [urls.index(url) + 1 if url in urls else 0 for (_, url), urls in zip(pairs, pages, strict=True)]
    assert len(ranks) > 50
    behind = [pair for pair, rank in zip(pairs, ranks, strict=True) if rank != 1]
    assert fmean(1 / rank if rank else 0 for rank in ranks) >= floor, behind

"""Known-item search: queries that are the title of one page, or a heading that stands on one page alone. MRR@10 by page.

`titles` and `headings` stand on one page only, however upper and lower case are written: nobody can ask for "LICENSE" and not
for "License". `phrases` are headings of two to six words that no other page has in the same letters, though it may have them as
its title: the measure of the comparison with other engines.
"""

from __future__ import annotations

import argparse
import random
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import ranvier
from common import PUBLIC, indexed
from ranvier_builder.model import Rendered
from ranvier_builder.pipeline import survey

MOST = 200  # queries of a kind
SEED = 7
_PLAIN = re.compile(r"[A-Za-z][A-Za-z ]+")

Named = tuple[str, str]  # a title or heading, and the address of the page that has it


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("content", type=Path)
    parser.add_argument("--preset", default="", help="a preset other than the default")
    parser.add_argument("--misses", type=int, default=0, metavar="N", help="show N queries of a kind that were not first")
    args = parser.parse_args()
    with indexed(args.content) as site, ranvier.open_snapshot(site) as library:
        options = {"preset": args.preset} if args.preset else {}
        for kind, pairs in kinds(survey(args.content, PUBLIC).rendered).items():
            _measure(library, kind, pairs, options, args.misses)


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


def _measure(library: ranvier.Library, kind: str, pairs: list[Named], options: dict[str, str], misses: int) -> None:
    ranks = []
    for query, url in pairs:
        urls = [hit.url for hit in library.search(query, limit=10, **options).hits]
        ranks.append(urls.index(url) + 1 if url in urls else 0)
        if misses > 0 and ranks[-1] != 1:
            misses -= 1
            print(f"    {query!r}: {url} at {ranks[-1] or 'none'}, first {urls[0] if urls else 'nothing'}")
    count = len(ranks) or 1
    mrr = sum(1 / rank for rank in ranks if rank) / count
    print(f"{kind:10} {len(ranks):4} queries   MRR@10 {mrr:.3f}   first {ranks.count(1) / count:.3f}   missed {ranks.count(0)}")


if __name__ == "__main__":
    main()

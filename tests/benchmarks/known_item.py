"""Known-item search: MRR@10 by page. `tests/support/known_items.py` describes the queries."""

import argparse
from pathlib import Path

import ranvier
from common import PUBLIC, indexed
from ranvier_builder.pipeline import survey
from support.known_items import NamedItem, kinds


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("content", type=Path)
    parser.add_argument("--preset", default="", help="a preset other than the default")
    parser.add_argument("--misses", type=int, default=0, metavar="N", help="show N queries of a kind whose page is not first")
    args = parser.parse_args()
    with indexed(args.content) as site, ranvier.open_snapshot(site) as library:
        options = {"preset": args.preset} if args.preset else {}
        for kind, pairs in kinds(survey(args.content, PUBLIC).rendered).items():
            _measure(library, kind, pairs, options, args.misses)


def _measure(library: ranvier.Library, kind: str, pairs: list[NamedItem], options: dict[str, str], misses: int) -> None:
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

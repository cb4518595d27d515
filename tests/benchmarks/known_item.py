"""Known-item search: queries that are a page's title, or a heading that stands once on the whole site. MRR@10 by page."""

from __future__ import annotations

import random
import re
import sys
from collections import Counter
from pathlib import Path

import ranvier
from common import built
from ranvier_builder import Config
from ranvier_builder.pipeline import survey


def main() -> None:
    """Print the figures for titles and for headings."""
    content = Path(sys.argv[1])
    found = survey(content, Config(default_audience="public")).rendered
    titles = [(one.page.neuron.title, one.page.url) for one in found]
    heads = [(section.headings[-1], one.page.url) for one in found for section in one.sections if section.headings]
    with built(content) as site, ranvier.open_snapshot(site) as library:
        for name, pairs in (("titles", titles), ("headings", heads)):
            _measure(library, name, pairs, Counter(text for text, _ in [*titles, *heads]))


def _measure(library: ranvier.Library, name: str, pairs: list[tuple[str, str]], counts: Counter[str]) -> None:
    once = sorted({pair for pair in pairs if counts[pair[0]] == 1 and re.fullmatch(r"[A-Za-z][A-Za-z ]+", pair[0])})
    random.Random(7).shuffle(once)
    ranks = []
    for query, url in once[:200]:
        urls = [hit.url for hit in library.search(query, limit=10).hits]
        ranks.append(urls.index(url) + 1 if url in urls else 0)
    mrr = sum(1 / rank for rank in ranks if rank) / len(ranks)
    top = ranks.count(1) / len(ranks)
    print(f"{name:10} {len(ranks):4} queries   MRR@10 {mrr:.3f}   first {top:.3f}   missed {ranks.count(0)}")


main()

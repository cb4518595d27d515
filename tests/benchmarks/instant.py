"""Instant lists beside the engine: how many of its first ten hits, how often its first one, how many bytes for a query.

Queries are headings of the content, and two to four words that follow each other in its sentences; seeded.
"""

from __future__ import annotations

import argparse
import random
import re
from pathlib import Path
from statistics import mean, median

import brotli
import ranvier
from common import PUBLIC, indexed
from ranvier_builder.pipeline import survey
from support.instant import Lists

MOST = 200  # queries
SEED = 7
SHOWN = 10
_WORDS = re.compile(r"[^\W\d_]+(?:[ -][^\W\d_]+)*")
_FOLDERS = ("index", "packs", "text", "words", "titles", "vectors")


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("content", type=Path)
    parser.add_argument("--misses", type=int, default=0, metavar="N", help="show N queries whose first hit is another one")
    asked = parser.parse_args()
    queries = _queries(asked.content)
    with indexed(asked.content) as site, ranvier.open_snapshot(site) as library:
        base = site / "_ranvier"
        _sizes(base)
        for strategy in ("bm25", "auto"):
            _measure(library, base, queries, strategy, asked.misses)


def _queries(content: Path) -> list[str]:
    """Return as many headings as samples of sentences, each once."""
    found = survey(content, PUBLIC).rendered
    heads = {section.headings[-1] for one in found for section in one.sections if section.headings}
    dice = random.Random(SEED)
    samples = set()
    for body in sorted({chunk.body for one in found for chunk in one.chunks}):
        for sentence in _WORDS.findall(body):
            words, many = sentence.split(" "), dice.randint(2, 4)
            if len(words) >= many:
                at = dice.randint(0, len(words) - many)
                samples.add(" ".join(words[at : at + many]))
    return [query for kind in (heads, samples) for query in dice.sample(sorted(kind), min(MOST // 2, len(kind)))]


def _sizes(base: Path) -> None:
    files = {folder: [file.read_bytes() for file in (base / folder).glob("*")] for folder in (*_FOLDERS, "lists")}
    rest = sum(len(data) for folder in _FOLDERS for data in files[folder])
    lists = files["lists"]
    raw, packed = sum(map(len, lists)), sum(len(brotli.compress(data, quality=5)) for data in lists)
    shares = f"{raw / rest:.1%} and {packed / rest:.1%} of the index"
    print(f"{len(lists)} files of lists, {raw:,} bytes, {packed:,} in Brotli: {shares}")


def _measure(library: ranvier.Library, base: Path, queries: list[str], strategy: str, misses: int) -> None:
    overlaps, firsts, sizes = [], [], []
    for query in queries:
        lists = Lists(base)
        instant = [hit.url for hit in lists.search(f"{query} ")]
        engine = [hit.url for hit in library.search(query, limit=SHOWN, strategy=strategy).hits]
        if not engine:
            continue
        overlaps.append(len({*engine} & {*instant}) / len(engine))
        firsts.append(instant[:1] == engine[:1])
        sizes.append(sum(len(brotli.compress(data, quality=5)) for data in lists.read.values()))
        if misses > 0 and not firsts[-1]:
            misses -= 1
            print(f"    {query!r}: {instant[:1]} for {engine[0]}, which stands at {_place(engine[0], instant)}")
    print(
        f"{strategy:5} {len(overlaps)} queries   overlap {mean(overlaps):.3f}   same first {mean(firsts):.3f}"
        f"   bytes, root included: median {median(sizes):,.0f}, most {max(sizes):,}"
    )


def _place(url: str, urls: list[str]) -> int | str:
    return urls.index(url) + 1 if url in urls else "none"


if __name__ == "__main__":
    main()

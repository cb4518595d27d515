"""Instant lists beside the engine: how many of its first ten hits they have, how often its first hit, and bytes of a query.

Queries are headings of the content, and two to four successive words of its sentences, with a fixed seed. A judged collection
(see `relevance.py`) has its own queries; for it, the script prints nDCG@10 of both.
"""

import argparse
import random
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import mean, median

import ranvier
from common import PUBLIC, indexed
from ranvier_builder.evaluate.measures import Query, scores
from ranvier_builder.pipeline import survey
from relevance import read, write
from support.instant import Lists

MAX_QUERIES = 200  # queries
SEED = 7
MAX_ROWS = 10
_WORDS = re.compile(r"[^\W\d_]+(?:[ -][^\W\d_]+)*")
_FOLDERS = ("index", "packs", "text", "words", "titles", "vectors")


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("content", type=Path)
    parser.add_argument("--misses", type=int, default=0, metavar="N", help="show N queries with another first hit")
    args = parser.parse_args()
    with _content(args.content) as (content, queries):
        with indexed(content) as site, ranvier.open_snapshot(site) as library:
            base = site / "_ranvier"
            _sizes(base)
            for strategy in ("bm25", "auto"):
                _measure(library, base, queries, strategy, args.misses)


@contextmanager
def _content(folder: Path) -> Iterator[tuple[Path, list[Query]]]:
    """Yield a folder of Markdown and its queries; a judged collection is written as Markdown. Grades are by address."""
    if not (folder / "queries.jsonl").is_file():
        yield folder, [Query(text, text, {}) for text in _queries(folder)]
        return
    collection = read(folder, MAX_QUERIES)
    with tempfile.TemporaryDirectory(prefix="ranvier-bench-") as content:
        pages = write(collection, Path(content))
        yield Path(content), [*collection.judged({f"{Path(path).stem}/": doc for path, doc in pages.items()})]


def _queries(content: Path) -> list[str]:
    """Return headings and samples of sentences in equal numbers, without duplicates."""
    result = survey(content, PUBLIC).rendered
    heads = {section.headings[-1] for item in result for section in item.sections if section.headings}
    rng = random.Random(SEED)
    samples = set()
    for body in sorted({chunk.body for item in result for chunk in item.chunks}):
        for sentence in _WORDS.findall(body):
            words, count = sentence.split(" "), rng.randint(2, 4)
            if len(words) >= count:
                at = rng.randint(0, len(words) - count)
                samples.add(" ".join(words[at : at + count]))
    return [query for kind in (heads, samples) for query in rng.sample(sorted(kind), min(MAX_QUERIES // 2, len(kind)))]


def _sizes(base: Path) -> None:
    files = {folder: [file.stat().st_size for file in (base / folder).glob("*")] for folder in (*_FOLDERS, "lists")}
    index, lists = sum(sum(files[folder]) for folder in _FOLDERS), files["lists"]
    print(f"{len(lists)} files of lists, {sum(lists):,} bytes: {sum(lists) / index:.1%} of the index")


def _measure(library: ranvier.Library, base: Path, queries: list[Query], strategy: str, misses: int) -> None:
    answered_queries, engines, instants, sizes = [], [], [], []
    for query in queries:
        lists = Lists(base)
        instant = [hit.url for hit in lists.search(f"{query.text} ")]
        engine = [hit.url for hit in library.search(query.text, limit=MAX_ROWS, strategy=strategy).hits]
        if not engine:
            continue
        answered_queries.append(query)
        engines.append(engine)
        instants.append(instant)
        sizes.append(sum(map(len, lists.read.values())))
        if misses > 0 and instant[:1] != engine[:1]:
            misses -= 1
            print(f"    {query.text!r}: {instant[:1]} for {engine[0]}, at rank {_place(engine[0], instant)}")
    pairs = [*zip(engines, instants, strict=True)]
    overlap = mean(len({*engine} & {*instant}) / len(engine) for engine, instant in pairs)
    first = mean(engine[:1] == instant[:1] for engine, instant in pairs)
    print(
        f"{strategy:5} {len(pairs)} queries   overlap {overlap:.3f}   same first {first:.3f}"
        f"   bytes, root included: median {median(sizes):,.0f}, most {max(sizes):,}"
    )
    if any(query.grades for query in answered_queries):
        figures = [mean(scores(answered_queries, run, ["nDCG@10"])["nDCG@10"]) for run in (instants, engines)]
        print("      nDCG@10: lists {:.3f}, engine {:.3f}".format(*figures))


def _place(url: str, urls: list[str]) -> int | str:
    return urls.index(url) + 1 if url in urls else "none"


if __name__ == "__main__":
    main()

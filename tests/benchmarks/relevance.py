"""Relevance on judged collections, beside plain FTS5: nDCG@10, recall@100, MRR, success@5.

A collection is a folder with `docs.jsonl` (id, title, text), `queries.jsonl` (id, text) and `qrels.tsv` (query, document,
grade). Its documents are written as Markdown, built by the real builder and searched as a site is. Plain FTS5 is `porter
unicode61` over whole documents: BM25, the title counting three times, the words of the query joined by OR without English stop
words. If the interval contains 0, the difference may be chance.
"""

import argparse
import json
import re
import sqlite3
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from common import indexed
from ranvier_builder.evaluate.bootstrap import Interval, paired
from ranvier_builder.evaluate.measures import MEASURES, Query, scores
from ranvier_builder.evaluate.site import Site, Variant

DEPTH = 100  # hits

# The stop words of the plain set-up. The list is separate, so that the measure stays when the engine's stop words change.
STOP_WORDS = frozenset(
    """a about an and are as at be been but by can could did do does for from had has have how i if in into is it its
    me my no not of on or our should so than that the their them then there these they this those to was we were what
    when where which while who why will with would you your""".split()
)
_WORD = re.compile(r"\w+")
_MARKUP = re.compile(r"([\\`*_{}\[\]<>#|~$%^&!=+:@()-])")

Run = list[list[str]]  # for each query its documents, best first


@dataclass(frozen=True, slots=True)
class Collection:
    """Documents, queries and judgments; without queries that have no relevant document."""

    name: str
    docs: dict[str, tuple[str, str]]  # id → title, text
    queries: dict[str, str]
    qrels: dict[str, dict[str, int]]

    @property
    def lang(self) -> str:
        """The language at the end of the name, or English: `xquad_de` → `de`."""
        ending = re.search(r"_([a-z]{2})$", self.name)
        return ending.group(1) if ending else "en"

    def judged(self, pages: Mapping[str, str] | None = None) -> tuple[Query, ...]:
        """Return the queries with judgments of documents, or of pages, if `pages` has the document of each page."""
        page_of = {doc: page for page, doc in pages.items()} if pages is not None else {doc: doc for doc in self.docs}
        grades = {name: {page_of[doc]: grade for doc, grade in judged.items()} for name, judged in self.qrels.items()}
        return tuple(Query(name, text, grades[name]) for name, text in self.queries.items())


def read(folder: Path, limit: int) -> Collection:
    """Read a collection with at most `limit` queries, evenly distributed (0: all)."""
    docs = {str(doc["id"]): (doc.get("title") or "", doc["text"]) for doc in _lines(folder / "docs.jsonl")}
    qrels: dict[str, dict[str, int]] = defaultdict(dict)
    for line in (folder / "qrels.tsv").read_text("utf-8").splitlines():
        query, doc, grade = line.split("\t")
        if doc in docs and int(grade) > 0:
            qrels[query][doc] = int(grade)
    queries = {str(line["id"]): line["text"] for line in _lines(folder / "queries.jsonl") if str(line["id"]) in qrels}
    names = list(queries)
    if 0 < limit < len(names):
        names = [names[at * len(names) // limit] for at in range(limit)]
    return Collection(folder.name, docs, {name: queries[name] for name in names}, {name: qrels[name] for name in names})


def _lines(file: Path) -> Iterator[dict[str, str]]:
    with file.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def plain(collection: Collection) -> Run:
    """Search with plain FTS5."""
    names = list(collection.docs)
    with closing(sqlite3.connect(":memory:")) as db:
        db.execute("CREATE VIRTUAL TABLE t USING fts5(title, body, tokenize = 'porter unicode61')")
        db.executemany("INSERT INTO t(title, body) VALUES (?, ?)", collection.docs.values())
        statement = "SELECT rowid FROM t WHERE t MATCH ? ORDER BY bm25(t, 3, 1), rowid LIMIT ?"
        run = []
        for query in collection.queries.values():
            words = _WORD.findall(query.lower())
            words = [word for word in words if word not in STOP_WORDS] or words
            match = " OR ".join(f'"{word}"' for word in words)
            run.append([names[row - 1] for (row,) in db.execute(statement, (match, DEPTH))] if words else [])
    return run


def ranvier_run(collection: Collection, method: Variant) -> Run:
    """Build a site of the documents and search it."""
    with tempfile.TemporaryDirectory(prefix="ranvier-bench-") as temporary:
        content = Path(temporary)
        names = write(collection, content)
        with indexed(content) as folder, Site(folder) as site:
            result = site.run(collection.judged(), method, DEPTH)
        return [[names[page] for page in pages] for pages in result.pages]


def write(collection: Collection, content: Path) -> dict[str, str]:
    """Write the documents as Markdown files; return path → id.

    File names have letters only: an id may be an address, and queries with numbers would match numbers in file names.
    """
    names = {}
    for at, (name, (title, text)) in enumerate(collection.docs.items()):
        path = f"{_letters(at)}.md"
        head = {"lang": collection.lang} | ({"title": title} if title else {})
        lines = (f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in head.items())
        (content / path).write_text("\n".join(["---", *lines, "---", "", _markdown(text), ""]), "utf-8")
        names[path] = name
    return names


def _letters(number: int) -> str:
    return "zq" + "".join(chr(97 + number // 26**place % 26) for place in (3, 2, 1, 0))


def _markdown(text: str) -> str:
    """Escape a text as Markdown: a text of several lines is a code block, any other text is a paragraph."""
    if "\n" not in text:
        return re.sub(r"^(\d+)([.)])", r"\1\\\2", _MARKUP.sub(r"\\\1", text.strip()))
    fence = "`" * (max((len(run) for run in re.findall("`+", text)), default=0) + 3)
    return f"{fence}\n{text}\n{fence}"


def _row(name: str, count: int | str, pairs: Iterable[tuple[float, float]], difference: Interval | None) -> str:
    figures = "   ".join(f"{before:.3f} → {after:.3f}" for before, after in pairs)
    interval = f"   [{difference.low:+.3f}, {difference.high:+.3f}]" if difference else ""
    return f"{name:22} {count:>7}  {figures}{interval}"


def main() -> None:
    """Print a row for each collection, and their mean."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+", help="collections, or one folder of collections")
    parser.add_argument("--preset", default="default", help="a preset other than the default")
    parser.add_argument("--strategy", default="auto", help="bm25, vector or rag; default: by the query")
    parser.add_argument("--queries", type=int, default=0, metavar="N", help="at most N queries of a collection")
    args = parser.parse_args()
    method = Variant(args.preset, args.strategy)
    below = [item for folder in args.folders for item in ([folder] if (folder / "docs.jsonl").is_file() else folder.iterdir())]
    heads = "   ".join(f"{name:13}" for name in MEASURES)
    print(f"{'plain FTS5 → Ranvier':22} queries  {heads}   nDCG@10, 95 % of the difference")
    means = []
    for folder in sorted(item for item in below if (item / "docs.jsonl").is_file()):
        collection = read(folder, args.queries)
        before, after = (scores(collection.judged(), run) for run in (plain(collection), ranvier_run(collection, method)))
        means.append([(fmean(before[name]), fmean(after[name])) for name in MEASURES])
        difference = paired(before["nDCG@10"], after["nDCG@10"])
        print(_row(collection.name, len(collection.queries), means[-1], difference), flush=True)
    total = [(fmean(item[0] for item in column), fmean(item[1] for item in column)) for column in zip(*means, strict=True)]
    print(_row(f"mean of {len(means)}", "", total, None))


if __name__ == "__main__":
    main()

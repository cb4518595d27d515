"""Native SQLite FTS5 over whole pages: `python fts5.py PAGES DATABASE` makes the index.

English stemmer, titles ten times, headings three times, as the JavaScript libraries. The pages that have all words of
a query come first, then those that have any of them but stop words.
"""

import json
import re
import sqlite3
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

_WORD = re.compile(r"\w+")
_SEARCH = """SELECT rows.url FROM pages JOIN rows ON rows.rowid = pages.rowid WHERE pages MATCH ?
    ORDER BY bm25(pages, 10, 3, 1), pages.rowid LIMIT ?"""
# A separate list, as in `relevance.py`: the measure stays when the engine's stop words change.
_STOP = frozenset(
    "a an and are as at be by can do does for from how i in is it my of on or so that the this to what when why with".split()
)


def build(pages: Path, database: Path) -> None:
    """Index pages; the text is not stored."""
    database.unlink(missing_ok=True)
    with closing(sqlite3.connect(database)) as db:
        columns = "title, headings, text, content = '', tokenize = 'porter unicode61'"
        db.execute(f"CREATE VIRTUAL TABLE pages USING fts5({columns})")
        db.execute("CREATE TABLE rows(rowid INTEGER PRIMARY KEY, url TEXT, title TEXT)")
        for number, line in enumerate(pages.read_text("utf-8").splitlines(), 1):
            page = json.loads(line)
            db.execute(
                "INSERT INTO pages(rowid, title, headings, text) VALUES (?, ?, ?, ?)",
                (number, page["title"], page["headings"], page["text"]),
            )
            db.execute("INSERT INTO rows VALUES (?, ?, ?)", (number, page["url"], page["title"]))
        db.execute("INSERT INTO pages(pages) VALUES ('optimize')")
        db.commit()
        db.execute("VACUUM")


def search(db: sqlite3.Connection, query: str, limit: int) -> list[str]:
    """Return the addresses of the best pages."""
    words = _WORD.findall(query.lower())
    if not words:
        return []
    matches = (" ".join(map(_quoted, words)), " OR ".join(map(_quoted, [word for word in words if word not in _STOP] or words)))
    urls = [url for match in matches for (url,) in db.execute(_SEARCH, (match, limit))]
    return list(dict.fromkeys(urls))[:limit]


def run_queries(database: Path, queries: list[str], limit: int) -> Iterator[tuple[list[str], float]]:
    """Yield the addresses for each query, and the milliseconds."""
    with closing(sqlite3.connect(database)) as db:
        for query in queries:
            began = time.perf_counter()
            urls = search(db, query, limit)
            yield urls, (time.perf_counter() - began) * 1000


def _quoted(word: str) -> str:
    return f'"{word}"'


if __name__ == "__main__":
    build(Path(sys.argv[1]), Path(sys.argv[2]))

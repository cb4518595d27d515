"""I1, L1: bm25 with title 10, content 1, tags 5, as in [001]."""

import sqlite3

import pytest
from conformance.server import MakeSite
from ranvier import text
from support.whole_site import open_site, page

# Title, content, tags; each row has other counts of `kite` in its columns. The index rounds rows of 16 terms or more.
ROWS = [
    ("kite", "words that say nothing at all", "one"),
    ("alpha", "words that say nothing at all", "kite"),
    ("beta", "kite words that say nothing", "two"),
    ("gamma", "kite kite kite kite kite kite kite kite", "three"),
    ("kite kite", "kite", "kite"),
    ("delta", "a kite in a text that goes on for a while", "four"),
    ("epsilon kite", "words", "five"),
    ("zeta", "no word of it", "kite six"),
    *((f"rest {at}", "something else entirely", "seven") for at in range(24)),
]


def files() -> dict[str, str]:
    """Return the rows as Markdown. Every path has one word, because [001] does not index paths."""
    return {f"p{at:02}.md": page(content, title=title, tags=tags.split()) for at, (title, content, tags) in enumerate(ROWS)}


def by_sqlite(query: str) -> list[tuple[str, float]]:
    """Run the statement of [001] in SQLite on the same rows, with the columns that this index adds: name and path."""
    db = sqlite3.connect(":memory:")
    columns = "title, content, tags, name, path"
    db.execute(f"CREATE VIRTUAL TABLE pages_fts USING fts5({columns}, content='', tokenize=\"ascii tokenchars '='\")")
    for at, (title, content, tags) in enumerate(ROWS):
        terms = [" ".join(text.terms(column)) for column in (title, content, tags)]
        path = f"p{at:02}"
        names = " ".join([text.name(title), path, *[title.replace(" ", "")] * (" " in title)])
        row = (at, *terms, names, path)
        db.execute(f"INSERT INTO pages_fts(rowid, {columns}) VALUES (?, ?, ?, ?, ?, ?)", row)
    score = "bm25(pages_fts, 10.0, 1.0, 5.0, 0.0, 0.0)"
    sql = f"SELECT rowid, {score} AS score FROM pages_fts WHERE pages_fts MATCH ? ORDER BY score, rowid"
    rows = [(ROWS[rowid][0], abs(score)) for rowid, score in db.execute(sql, (query,))]
    db.close()
    return rows


@pytest.mark.parametrize("query", ["kite", "words OR kite", "kite six", "kite AND words", "seven"])
def test_scores_agree_with_bm25_of_sqlite(make_site: MakeSite, query: str) -> None:
    """I1, L1, [001]: rows, order and scores of `bm25(pages_fts, 10.0, 1.0, 5.0)`; scores are |BM25|."""
    with open_site(make_site(files())) as library:
        hits = library.search(query, preset="desktop", limit=100).hits
    expected = by_sqlite(query.replace("words", *text.terms("words")))
    assert [hit.title for hit in hits] == [title for title, _ in expected]
    assert [hit.score for hit in hits] == pytest.approx([score for _, score in expected], abs=2e-6)
    assert all(hit.score >= 0 for hit in hits)


FIELDS = {  # the same word once in each field of three pages of the same length
    "a.md": page("one two three heron", title="Body", tags=["first"]),
    "b.md": page("one two three four", title="Tag", tags=["heron"]),
    "c.md": page("one two three four", title="Heron", tags=["second"]),
    "d.md": page("# Heading\n\n## Heron\n\none two three", tags=["third"]),
} | {f"z{at}.md": page(f"rest {at} two three", title="Rest", tags=["fourth"]) for at in range(12)}


def test_title_counts_more_than_tags_than_content(make_site: MakeSite) -> None:
    """I1, [001]: headings are content."""
    with open_site(make_site(FIELDS)) as library:
        hits = library.search("heron", preset="desktop").hits
    assert [hit.title for hit in hits][:2] == ["Heron", "Tag"]
    scores = {hit.title: hit.score for hit in hits}
    assert scores["Heron"] > scores["Tag"] > scores["Body"] > 0
    assert scores["Heading"] == pytest.approx(scores["Body"], rel=0.2)

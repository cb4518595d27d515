"""Judged queries (M2): their file formats, and measures computed by hand."""

import math
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from ranvier_builder import BuildError
from ranvier_builder.evaluate.bootstrap import Interval, bootstrap, paired
from ranvier_builder.evaluate.measures import Query, scores
from ranvier_builder.evaluate.pages import Pages
from ranvier_builder.evaluate.queries import read_judged
from ranvier_builder.evaluate.site import Site
from support.content import build_tree, write_tree

TREE: dict[str, str | bytes] = {
    "index.md": "# Harbours\n\nAll about quays.\n",
    "guide/index.md": "# Guide\n\nHow to moor.\n",
    "guide/quay.md": "---\nid: quay-1\naliases: [Wharf]\n---\n# The quay\n\nA quay of granite.\n\n## Depth\n\nDeep water.\n",
    "guide/pier.md": "# Pier\n\nA pier is no quay.\n",
    "old/pier.md": "# Pier\n\nA pier of wood, torn down.\n",
    "notes/c#.md": "# Signs\n\nA path with a sign.\n",
    "secret.md": "---\naudience: curator\n---\n# Ledger\n\nWhat the harbour costs.\n",
    "unsaid.md": "---\nnoindex: true\n---\n# Unsaid\n\nNot searched.\n",
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with Site(build_tree(tmp_path_factory.mktemp("harbour"), TREE)) as opened:
        yield opened


@pytest.fixture(scope="module")
def pages(site: Site) -> Pages:
    return Pages.of(site)


A, B, C = "a.md", "b.md", "c.md"
TENTH = [f"{number}.md" for number in range(9)]


@pytest.mark.parametrize(
    ("grades", "results", "ndcg", "recall", "rr", "success"),
    [
        ({A: 1}, [A, B], 1.0, 1.0, 1.0, 1.0),
        ({A: 1}, [B, A], 1 / math.log2(3), 1.0, 1 / 2, 1.0),
        ({A: 1}, [B, C], 0.0, 0.0, 0.0, 0.0),
        ({A: 1}, [], 0.0, 0.0, 0.0, 0.0),
        ({A: 1, B: 1}, [A], 1 / (1 + 1 / math.log2(3)), 1 / 2, 1.0, 1.0),
        # A grade is a gain as it is, and halves at rank 3: log2(3 + 1).
        ({A: 1, B: 2}, [B, C, A], (2 + 1 / 2) / (2 + 1 / math.log2(3)), 1.0, 1.0, 1.0),
        ({A: 2, B: 1}, [B, A], (1 + 2 / math.log2(3)) / (2 + 1 / math.log2(3)), 1.0, 1.0, 1.0),
        # A page that was judged as not relevant counts like a page that was not judged.
        ({A: 1, B: 0}, [B, A], 1 / math.log2(3), 1.0, 1 / 2, 1.0),
        ({A: 1, B: -1}, [B, A], 1 / math.log2(3), 1.0, 1 / 2, 1.0),
        # The limits: five pages for success, ten for nDCG.
        ({A: 1}, [*TENTH[:4], A], 1 / math.log2(6), 1.0, 1 / 5, 1.0),
        ({A: 1}, [*TENTH[:5], A], 1 / math.log2(7), 1.0, 1 / 6, 0.0),
        ({A: 1}, [*TENTH, A], 1 / math.log2(11), 1.0, 1 / 10, 0.0),
        ({A: 1}, [*TENTH, B, A], 0.0, 1.0, 1 / 11, 0.0),
    ],
)
def test_measures_by_hand(
    grades: dict[str, int], results: list[str], ndcg: float, recall: float, rr: float, success: float
) -> None:
    """M2: nDCG@10, recall@100, MRR, success@1, success@5."""
    queries = [Query("other", "x", {C: 1}), Query("this", "x", grades)]
    values = scores(queries, [[C], results])
    expected = {"nDCG@10": ndcg, "recall@100": recall, "MRR": rr, "success@1": float(rr == 1), "success@5": success}
    assert {name: item[1] for name, item in values.items()} == pytest.approx(expected, abs=1e-9)
    assert {value[0] for value in values.values()} == {1.0}, "another query's values are its own"


def test_only_requested_measures_are_computed() -> None:
    assert scores([Query("a", "x", {A: 1})], [[A]], ["MRR"]) == {"MRR": [1.0]}


def test_bootstrap_intervals_are_seeded() -> None:
    """M2: equal values give equal bounds; the width is as expected."""
    same = bootstrap([0.25] * 30)
    assert same == Interval(0.25, 0.25, 0.25)
    coin = [0.0, 1.0] * 200  # standard error √(.25 / 400) = .025, so that 95 % lie within ±.049
    result = bootstrap(coin)
    assert result == bootstrap(coin)
    assert result.mean == 0.5
    assert result.low == pytest.approx(0.451, abs=0.006)
    assert result.high == pytest.approx(0.549, abs=0.006)


def test_differences_are_paired() -> None:
    """Small consistent differences are significant even if the queries vary much."""
    before = [at / 100 for at in range(90)]
    after = [value + 0.01 for value in before]
    result = paired(before, after)
    assert result == pytest.approx((0.01, 0.01, 0.01))
    assert not result.holds_zero
    assert bootstrap(before).high > bootstrap(after).low, "unpaired, they overlap"
    assert paired(before, before) == Interval(0.0, 0.0, 0.0)
    assert paired(before, before).holds_zero
    assert paired([0.0, 1.0] * 10, [1.0, 0.0] * 10).holds_zero


QUAY = (
    *("guide/quay.md", " guide/quay.md ", "/guide/quay.md", "guide/quay", "guide/quay/", "/guide/quay/index.html"),
    *("https://harbour.example/guide/quay/?q=x#depth", "quay-1", "The quay", "the QUAY", "wharf", "quay"),
)


@pytest.mark.parametrize(
    ("name", "paths"),
    [
        *((name, ["guide/quay.md"]) for name in QUAY),
        ("/", ["index.md"]),
        ("guide/", ["guide/index.md"]),
        ("notes/c#.md", ["notes/c#.md"]),
        ("Pier", ["guide/pier.md", "old/pier.md"]),
        *((name, []) for name in ("pier.md", "nowhere", "secret.md", "Ledger", "Unsaid", "http://[", "")),
    ],
)
def test_pages_are_named_by_path_title_alias_or_id(pages: Pages, name: str, paths: list[str]) -> None:
    """M2: a file path means that file. Withheld and unsearched pages have no name."""
    assert list(pages.find(name)) == paths


QUERIES = "1\tgranite quay\n2\told pier\n"
JUDGED = (Query("1", "granite quay", {"guide/quay.md": 2, "guide/pier.md": 0}), Query("2", "old pier", {"old/pier.md": 1}))


def write_files(
    folder: Path, queries: str | bytes, qrels: str | bytes | None, name: str = "queries.tsv"
) -> tuple[Path, Path | None]:
    write_tree(folder, {name: queries} if qrels is None else {name: queries, "qrels.tsv": qrels})
    return folder / name, None if qrels is None else folder / "qrels.tsv"


BEIR_QRELS = "query-id\tcorpus-id\tscore\n1\tguide/quay.md\t2\n1\tguide/pier.md\t0\n2\told/pier.md\t1\n"


@pytest.mark.parametrize(
    ("name", "queries", "qrels"),
    [
        ("queries.tsv", QUERIES, "1\tguide/quay.md\t2\n1\tguide/pier/\t0\n2\told/pier.md\t1\n"),
        ("queries.tsv", QUERIES, "1\tThe quay\t2\n1\tguide/pier\t0\n2\told/pier.md\n"),
        ("queries.tsv", QUERIES, "1\t0\tguide/quay.md\t2\n1\t0\tguide/pier.md\t0\n2\tQ0\told/pier.md\t1\n"),
        ("queries.tsv", QUERIES, "1 0 guide/quay.md 2\n1 0 guide/pier.md 0\n2 0 old/pier.md 1\n"),
        ("queries.tsv", QUERIES, "2\told/pier.md\t1\n1\twharf\t2\n1\tguide/quay.md\t2\n1\tguide/pier.md\t0"),
        (
            "queries.tsv",
            b"\xef\xbb\xbf# id, text\r\n1\tgranite quay\r\n\r\n#\r\n2\told pier",
            b"\xef\xbb\xbf1\tguide/quay.md\t2\r1\tguide/pier.md\t0\r# the old one\r2\told/pier.md\t1\r",
        ),
        ("queries.jsonl", '{"_id": "1", "text": "granite quay"}\n{"id": 2, "text": "old\\npier"}\n', BEIR_QRELS),
        (
            "queries.jsonl",
            '{"_id": "0", "text": "x"}\n\n{"_id": "1", "text": "granite quay"}\n{"_id": "2", "text": "old pier"}',
            BEIR_QRELS,
        ),
        (
            "topics.txt",
            "<top>\n<num> Number: 1\n<title> granite quay\n\n<desc> Description:\nA quay.\n</top>\n"
            "<top><num>2</num><title>Topic: old\n pier</title></top>\n<top><num>3<title>never judged</top>",
            "1 0 guide/quay.md 2\n1 0 guide/pier.md 0\n2 0 old/pier.md 1\n3 0 guide/pier.md 0\n",
        ),
    ],
)
def test_trec_beir_and_tsv_files_are_read(
    pages: Pages, tmp_path: Path, name: str, queries: str | bytes, qrels: str | bytes
) -> None:
    """M2: three or four columns, tabs or blanks, BOM, any line ends, blank lines, comments, any order. Queries without a
    relevant page are left out.
    """
    assert read_judged(pages, *write_files(tmp_path, queries, qrels, name)) == JUDGED


def test_one_file_with_queries_and_pages(pages: Pages, tmp_path: Path) -> None:
    """M2: a query may begin like a comment."""
    files = write_files(tmp_path, "# ours\ngranite quay\tguide/quay.md\t2\n#port\tPier, old\ngranite quay\tWharf\t2\n", None)
    with pytest.raises(BuildError, match=r"queries\.tsv:3: no page in the search has the name 'Pier, old'"):
        read_judged(pages, *files)
    files = write_files(tmp_path, "# ours\ngranite quay\tguide/quay.md\t2\n#port\told/pier.md\n", None)
    assert read_judged(pages, *files) == (
        Query("granite quay", "granite quay", {"guide/quay.md": 2}),
        Query("#port", "#port", {"old/pier.md": 1}),
    )


def test_csv_file_is_read(pages: Pages, tmp_path: Path) -> None:
    """M2: with or without a header; a query without a page is unanswerable."""
    rows = '"granite, quay",guide/quay.md,2\r\nold pier,/old/pier/,\r\n\r\n"granite, quay",Wharf,2\r\ncook rice,,\r\n'
    expected = (
        Query("granite, quay", "granite, quay", {"guide/quay.md": 2}),
        Query("old pier", "old pier", {"old/pier.md": 1}),
        Query("cook rice", "cook rice", {}),
    )
    for head in ("", "Query,Expected URL,grade\r\n", "Question,URL\r\n"):
        (tmp_path / "queries.csv").write_text(f"\ufeff{head}{rows}", "utf-8", newline="")
        assert read_judged(pages, tmp_path / "queries.csv") == expected


OTHER_FORMATS: list[tuple[str, str, tuple[str, ...]]] = [
    (
        "q.csv",
        "query,page\n\nquay\n",
        ("q.csv:3: a judgment must have two or three columns, with commas", "cure: query,page,grade"),
    ),
    ("q.csv", "query,page\n", ("q.csv: contains no query", "cure: write one query per line: query,page")),
    ("q.csv", ",guide/quay.md\n", ("q.csv:1: a judgment must have two or three columns",)),
    ("q.csv", 'quay,"guide/quay.md\n', ("q.csv:1: is not valid CSV: unexpected end of data", "cure: put a cell with a comma")),
    ("q.csv", "quay,guide/quay.md,high\n", ("q.csv:1: a grade must be an integer, not 'high'",)),
    ("q.csv", "pier,old/pier.md\npier,\n", ("q.csv:1: query 'pier' has a page, and a line without one",)),
    ("q.csv", "pier,old/pier.md,0\n", ("q.csv:1: query 'pier' has no relevant page",)),
    ("q.jsonl", '{"_id": "1", "text": "x"}\n[1]\n', ("q.jsonl:2: a query must have an _id and a text", 'cure: {"_id"')),
    ("q.jsonl", '{"_id": "1", "text": " "}\n', ("q.jsonl:1: a query must have an _id and a text",)),
    ("q.jsonl", "\n{\n", ("q.jsonl:2: the line is not valid JSON",)),
    ("q.jsonl", '{"_id": 1, "text": "x"}\n{"_id": "1", "text": "y"}\n', ("q.jsonl:2: there are two queries '1'",)),
    ("q.txt", "\n<top>\n<num> 1\n</top>\n", ("q.txt:2: a topic must have a <num> and a <title>",)),
]
TSV: list[tuple[str | bytes, str | None, tuple[str, ...]]] = [
    ("1 granite quay\n", "", ("queries.tsv:1: a query must have two columns", "cure: id TAB text")),
    ("# x\n\n1\t\n", "", ("queries.tsv:3: a query must have two columns",)),
    ("1\ta\tb\n", "", ("queries.tsv:1: a query must have two columns",)),
    ("1\ta\n2\tb\n1\tc\n", "", ("queries.tsv:3: there are two queries '1'; the first is in line 1",)),
    (QUERIES, "1\twharf\n", ("queries.tsv:2: query '2' has no relevant page", "give it a page in qrels.tsv")),
    (QUERIES, "1\twharf\n2\twharf\t0\n", ("queries.tsv:2: query '2' has no relevant page",)),
    ("\n", "\n", ("queries.tsv: contains no query", "cure: write one query per line: id TAB text")),
    ("<top><num>1<title>x", "1\twharf\t0\n", ("qrels.tsv: names no relevant page", "with a grade of 1 or more")),
    (QUERIES, "1\twharf\n3\twharf\n", ("qrels.tsv:2: there is no query '3'", "add it to the queries")),
    (QUERIES, "1\n", ("qrels.tsv:1: a judgment must have two or three columns", "cure: id TAB page TAB grade")),
    (QUERIES, "1\t0\twharf\t1\t1\n", ("qrels.tsv:1: a judgment must have two or three columns",)),
    (QUERIES, "id\tpage\tgrade\n", ("qrels.tsv:1: a grade must be an integer, not 'grade'", "put `# ` before")),
    (QUERIES, "1\twharf\t1.5\n", ("qrels.tsv:1: a grade must be an integer, not '1.5'",)),
    (QUERIES, "1\twharf\t١\n", ("qrels.tsv:1: a grade must be an integer",)),
    (QUERIES, "1\twharf\t1\n1\tguide/quay.md\t2\n", ("qrels.tsv:2: guide/quay.md has the grades 1 and 2 for '1'",)),
    (QUERIES, "1\tpier\n", ("qrels.tsv:1: 2 pages have the name 'pier'", "by its path: guide/pier.md, old/pier.md")),
    (QUERIES, "1\tguide/quai.md\n", ("qrels.tsv:1: no page in the search has the name 'guide/quai.md'", "'guide/quay.md'?")),
    (QUERIES, "1\tquai.md\n2\tgone\n", ("qrels.tsv:1: no page", "; nor the page in line 2")),
    (QUERIES, "1\ta\n" + "2\tb\n" * 7, ("; nor those in lines 2, 3, 4, 5, 6 and 2 more",)),
    (QUERIES, "1\txyzzyplugh\n", ("run ranvier search SITE --return-all to list all pages",)),
    (QUERIES, "1\tsecret.md\n", ("qrels.tsv:1: no page in the search has the name 'secret.md'",)),
    (QUERIES, "1\tguide/quay.md#depth\n", ("judge the page 'guide/quay.md': sections are not measured separately",)),
    (b"1\tcaf\xc3\xa9\n2\tcaf\xe9\n", "", ("queries.tsv:2: is not UTF-8",)),
    ("1\tx\n".encode("utf-16"), "", ("queries.tsv:1: is not UTF-8", "save the file as UTF-8 text")),
    ("granite\n", None, ("queries.tsv:1: a judgment must have two or three columns", "cure: text TAB page TAB grade")),
    ("granite\twharf\t0\n", None, ("queries.tsv:1: query 'granite' has no relevant page",)),
]


@pytest.mark.parametrize(
    ("name", "queries", "qrels", "messages"),
    [
        *((name, text, None if name == "q.csv" else "1\twharf\n", messages) for name, text, messages in OTHER_FORMATS),
        *(("queries.tsv", *row) for row in TSV),
    ],
)
def test_errors_in_judgment_files_name_line_and_cure(
    pages: Pages, tmp_path: Path, name: str, queries: str | bytes, qrels: str | None, messages: tuple[str, ...]
) -> None:
    """M2."""
    with pytest.raises(BuildError) as caught:
        read_judged(pages, *write_files(tmp_path, queries, qrels, name))
    for part in messages:
        assert part in str(caught.value)


def test_very_long_page_name_gets_no_suggestion(pages: Pages, tmp_path: Path) -> None:
    with pytest.raises(BuildError, match="no page in the search"):
        read_judged(pages, *write_files(tmp_path, "1\tx\n", f"1\t{'guide/' * 100_000}\n"))


PIECES = st.sampled_from(
    [*'\t\t\t\n\n\r# 10é\x00\u2028\ufeff,"', "-2", "wharf", "pier", "guide/quay.md", "\ud800", '{"_id": "1"', "<top>"]
)
ANYTHING = st.lists(PIECES, max_size=40).map(lambda parts: "".join(parts).encode("utf-8", "surrogatepass"))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(name=st.sampled_from(["queries.tsv", "queries.csv", "queries.jsonl"]), queries=ANYTHING, qrels=st.none() | ANYTHING)
def test_random_judgment_files_are_read_or_refused(
    pages: Pages, tmp_path: Path, name: str, queries: bytes, qrels: bytes | None
) -> None:
    """M2: the error names the file."""
    try:
        result, message = read_judged(pages, *write_files(tmp_path, queries, qrels, name)), ""
    except BuildError as error:
        result, message = (), str(error)
    assert bool(result) is not message.startswith(str(tmp_path))

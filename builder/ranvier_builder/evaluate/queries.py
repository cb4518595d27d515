"""Queries and relevance judgments: hand-written tables, BEIR's or TREC's files → frozen values.

Two files: `id TAB text`, BEIR's JSON lines or TREC's topics, and `id TAB page TAB grade`, or TREC's four columns `id 0 page
grade`. One file: `text TAB page TAB grade`, or a CSV of `query,page,grade`, where an empty page means that no page is
relevant. A missing grade is 1. Blank lines, lines that start with `# `, BOM and CRLF are ignored; anything else that is
invalid is an error with its file, its line and a cure.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from ranvier_builder.errors import BuildError
from ranvier_builder.evaluate.measures import Query
from ranvier_builder.evaluate.pages import Pages
from ranvier_builder.evaluate.query_files import Row, Texts, read_csv, read_rows, read_texts

_GRADE = re.compile(r"[+-]?[0-9]{1,4}")
_MAX_LISTED = 5


class _Judgment(NamedTuple):
    line: int
    query: str
    page: str  # empty: no page is relevant
    grade: str


def read_judged(pages: Pages, queries: Path, qrels: Path | None = None) -> tuple[Query, ...]:
    """Read queries and judgments, in the order of the queries; without `qrels`, one file holds both.

    For BEIR's and TREC's files, queries without a relevant page are skipped: these collections have many.

    Raises:
        BuildError: a line that cannot be read, a query without a relevant page, a page that the site does not have.

    """
    if qrels is None:
        is_csv = queries.suffix.lower() == ".csv"
        rows = read_csv(queries) if is_csv else read_rows(queries)
        judgments = [_judgment(queries, row, "query" if is_csv else "text") for row in rows]
        texts = {judgment.query: judgment.query for judgment in judgments}
        declared = Texts(texts, {judgment.query: judgment.line for judgment in reversed(judgments)})
    else:
        declared = read_texts(queries)
        judgments = [_judgment(qrels, row, "id") for row in read_rows(qrels, blanks=True)]
    grades_by_query = _grades_by_query(qrels or queries, judgments, declared, pages)
    unanswered = {judgment.query for judgment in judgments if not judgment.page}
    answered = {id_ for id_, grades in grades_by_query.items() if any(grade > 0 for grade in grades.values())}
    if declared.partial:
        grades_by_query = {id_: grades for id_, grades in grades_by_query.items() if id_ in answered}
    for id_, grades in grades_by_query.items():
        if id_ in unanswered and grades:
            cure = "remove one of the two lines"
            raise BuildError(
                f"query {id_!r} has a page, and a line without one", file=queries, line=declared.lines[id_], cure=cure
            )
        if id_ not in answered | unanswered:
            cure = f"give it a page in {(qrels or queries).name} with a grade of 1 or more, or remove the query"
            raise BuildError(f"query {id_!r} has no relevant page", file=queries, line=declared.lines[id_], cure=cure)
    if not grades_by_query and declared.texts:
        raise BuildError("names no relevant page", file=qrels, cure="id TAB page TAB grade, with a grade of 1 or more")
    if not grades_by_query:
        columns = "id TAB text" if qrels else "query,page" if queries.suffix.lower() == ".csv" else "text TAB page"
        raise BuildError("contains no query", file=queries, cure=f"write one query per line: {columns}")
    return tuple(Query(id_, declared.texts[id_], grades) for id_, grades in grades_by_query.items())


def _judgment(file: Path, row: Row, first: str) -> _Judgment:
    line, cells = row
    if len(cells) == 4 and first == "id":
        cells = (cells[0], *cells[2:])  # TREC: the second column is unused
    is_csv = first == "query"
    if is_csv and len(cells) == 3 and not cells[2]:
        cells = cells[:2]  # spreadsheets write empty cells
    if len(cells) not in (2, 3) or not all(cells[::2] if is_csv else cells):
        cure, separator = ("query,page,grade", "commas") if is_csv else (f"{first} TAB page TAB grade", "tabs")
        raise BuildError(
            f"a judgment must have two or three columns, with {separator} between them", file=file, line=line, cure=cure
        )
    query, page, grade = (*cells, "1")[:3]
    if not _GRADE.fullmatch(grade):
        cure = "use 2 for very good, 1 for good, 0 for not relevant; put `# ` before a header line"
        raise BuildError(f"a grade must be an integer, not {grade!r}", file=file, line=line, cure=cure)
    return _Judgment(line, query, page, grade)


def _grades_by_query(file: Path, judgments: list[_Judgment], declared: Texts, pages: Pages) -> dict[str, dict[str, int]]:
    query_ids = {judgment.query for judgment in judgments} if declared.partial else declared.texts.keys()
    graded: dict[str, dict[str, int]] = {id_: {} for id_ in declared.texts if id_ in query_ids}
    unmatched: list[_Judgment] = []
    for judgment in judgments:
        if judgment.query not in graded:
            cure = "add it to the queries, or remove the line"
            raise BuildError(f"there is no query {judgment.query!r}", file=file, line=judgment.line, cure=cure)
        if not judgment.page:
            continue
        if (path := _page(file, judgment, pages)) is None:
            unmatched.append(judgment)
            continue
        grade = graded[judgment.query].setdefault(path, int(judgment.grade))
        if grade != int(judgment.grade):
            message = f"{path} has the grades {grade} and {int(judgment.grade)} for {judgment.query!r}"
            raise BuildError(message, file=file, line=judgment.line, cure="remove one of the two lines")
    if unmatched:
        raise _unmatched_error(file, unmatched, pages)
    return graded


def _page(file: Path, judgment: _Judgment, pages: Pages) -> str | None:
    paths = pages.find(judgment.page)
    if len(paths) > 1:
        cure = f"name the page by its path: {', '.join(paths[:_MAX_LISTED])}"
        raise BuildError(f"{len(paths)} pages have the name {judgment.page!r}", file=file, line=judgment.line, cure=cure)
    return paths[0] if paths else None


def _unmatched_error(file: Path, unmatched: list[_Judgment], pages: Pages) -> BuildError:
    first = unmatched[0]
    message = f"no page in the search has the name {first.page!r}"
    if others := [str(judgment.line) for judgment in unmatched[1:]]:
        more = f" and {len(others) - _MAX_LISTED:,} more" if len(others) > _MAX_LISTED else ""
        message += (
            f"; nor those in lines {', '.join(others[:_MAX_LISTED])}{more}"
            if len(others) > 1
            else f"; nor the page in line {others[0]}"
        )
    page, _, anchor = first.page.partition("#")
    nearest_page = pages.nearest(first.page)
    cure = f"did you mean {nearest_page!r}?" if nearest_page else "run ranvier search SITE --return-all to list all pages"
    if anchor and pages.find(page):
        cure = f"judge the page {page!r}: sections are not measured separately"
    return BuildError(message, file=file, line=first.line, cure=cure)

"""Queries and what was judged relevant to them: tables that a person writes, or TREC's → frozen values.

Two files: `id TAB text`, and `id TAB page TAB grade`, or TREC's four columns `id 0 page grade`. One file: `text TAB page TAB
grade`. A grade that is left out is 1. Blank lines, lines that begin with `# `, BOM and CRLF are passed over; anything else
that is not right is an error with its file, its line and a cure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ranvier_builder.errors import BuildError

if TYPE_CHECKING:
    from ranvier_builder.evaluate.pages import Pages

_LINE_END = re.compile(r"\r\n|\r|\n")
_COMMENT = re.compile(r"#(\s|$)")  # `#tag` may begin a query
_GRADE = re.compile(r"[+-]?[0-9]{1,4}")
_LISTED = 5


@dataclass(frozen=True, slots=True)
class Query:
    """A query, and what was judged: path of a page → grade. 1 or more is relevant, and more is better."""

    id: str
    text: str
    grades: Mapping[str, int]


class _Row(NamedTuple):
    """A line that says something: its number, and its columns."""

    line: int
    cells: tuple[str, ...]


class _Judgment(NamedTuple):
    line: int
    query: str
    page: str
    grade: str


def read_judged(pages: Pages, queries: Path, qrels: Path | None = None) -> tuple[Query, ...]:
    """Read queries and judgments, in the order of the queries; without `qrels`, the one file holds both.

    Raises:
        BuildError: a line that cannot be read, a query without a relevant page, a page that the site does not have.

    """
    if qrels is None:
        judged = [_judgment(queries, row, "text") for row in _rows(queries)]
        texts, at = (
            {judgment.query: judgment.query for judgment in judged},
            {judgment.query: judgment.line for judgment in reversed(judged)},
        )
    else:
        texts, at = _texts(queries)
        judged = [_judgment(qrels, row, "id") for row in _rows(qrels, blanks=True)]
    graded = _graded(qrels or queries, judged, texts, pages)
    for id_, grades in graded.items():
        if not any(grade > 0 for grade in grades.values()):
            cure = f"give it a page in {(qrels or queries).name} with a grade of 1 or more, or take it out"
            raise BuildError(f"query {id_!r} has no relevant page", file=queries, line=at[id_], cure=cure)
    if not graded:
        raise BuildError("holds no query", file=queries, cure="one on each line: id TAB text, or text TAB page")
    return tuple(Query(id_, texts[id_], grades) for id_, grades in graded.items())


def _texts(file: Path) -> tuple[dict[str, str], dict[str, int]]:
    """Read `id TAB text`; return the text and the line of each id."""
    texts: dict[str, str] = {}
    at: dict[str, int] = {}
    for line, cells in _rows(file):
        if len(cells) != 2 or not all(cells):
            raise BuildError("a query is two columns, with a tab between them", file=file, line=line, cure="id TAB text")
        id_, text = cells
        if id_ in texts:
            raise BuildError(f"there are two queries {id_!r}; the first is in line {at[id_]}", file=file, line=line)
        texts[id_], at[id_] = text, line
    return texts, at


def _judgment(file: Path, row: _Row, first: str) -> _Judgment:
    line, cells = row
    if len(cells) == 4 and first == "id":
        cells = (cells[0], *cells[2:])  # TREC: the second column says nothing
    if len(cells) not in (2, 3) or not all(cells):
        cure = f"{first} TAB page TAB grade"
        raise BuildError("a judgment is two or three columns, with tabs between them", file=file, line=line, cure=cure)
    query, page, grade = (*cells, "1")[:3]
    if not _GRADE.fullmatch(grade):
        cure = "2 very good, 1 good, 0 not; put `# ` before a line of headings"
        raise BuildError(f"a grade is a whole number, not {grade!r}", file=file, line=line, cure=cure)
    return _Judgment(line, query, page, grade)


def _graded(file: Path, judged: list[_Judgment], texts: Mapping[str, str], pages: Pages) -> dict[str, dict[str, int]]:
    graded: dict[str, dict[str, int]] = {id_: {} for id_ in texts}
    lost: list[_Judgment] = []
    for judgment in judged:
        if judgment.query not in graded:
            cure = "add it to the queries, or take the line out"
            raise BuildError(f"there is no query {judgment.query!r}", file=file, line=judgment.line, cure=cure)
        if (path := _page(file, judgment, pages)) is None:
            lost.append(judgment)
            continue
        grade = graded[judgment.query].setdefault(path, int(judgment.grade))
        if grade != int(judgment.grade):
            message = f"{path} is judged {grade} and {int(judgment.grade)} for {judgment.query!r}"
            raise BuildError(message, file=file, line=judgment.line, cure="leave one of the two lines")
    if lost:
        raise _lost(file, lost, pages)
    return graded


def _page(file: Path, judgment: _Judgment, pages: Pages) -> str | None:
    paths = pages.find(judgment.page)
    if len(paths) > 1:
        cure = f"say which by its path: {', '.join(paths[:_LISTED])}"
        raise BuildError(f"{len(paths)} pages are called {judgment.page!r}", file=file, line=judgment.line, cure=cure)
    return paths[0] if paths else None


def _lost(file: Path, lost: list[_Judgment], pages: Pages) -> BuildError:
    first = lost[0]
    message = f"no page that is searched is called {first.page!r}"
    if others := [str(judgment.line) for judgment in lost[1:]]:
        more = f" and {len(others) - _LISTED:,} more" if len(others) > _LISTED else ""
        message += (
            f"; nor are those of lines {', '.join(others[:_LISTED])}{more}" if len(others) > 1 else f"; nor line {others[0]}'s"
        )
    page, _, anchor = first.page.partition("#")
    near = pages.nearest(first.page)
    cure = f"did you mean {near!r}?" if near else "ranvier search SITE --return-all lists them"
    if anchor and pages.find(page):
        cure = f"judge the page, {page!r}: sections by themselves are not measured"
    return BuildError(message, file=file, line=first.line, cure=cure)


def _rows(file: Path, *, blanks: bool = False) -> Iterator[_Row]:
    """Yield the lines that say something, cut at tabs; with `blanks`, TREC's, which has no tab, at blanks."""
    for number, line in enumerate(_lines(file), 1):
        content = line.strip()
        if not content or _COMMENT.match(content):
            continue
        cells: Iterable[str] = line.split("\t") if "\t" in line or not blanks else content.split()
        yield _Row(number, tuple(cell.strip() for cell in cells))


def _lines(file: Path) -> list[str]:
    try:
        return _LINE_END.split(file.read_bytes().decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = len(_LINE_END.split(error.object[: error.start].decode("utf-8", "replace")))
        raise BuildError("is not UTF-8", file=file, line=line, cure="save it as UTF-8 text, tabs between columns") from None
    except OSError as error:
        raise BuildError(f"cannot be read: {error.strerror}", file=file) from None

"""Query files → their texts: hand-written tables, BEIR's JSON lines, TREC's topics.

Every reader returns the text of each query and its line, in the order of the file.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from ranvier_builder.errors import BuildError

_LINE_END = re.compile(r"\r\n|\r|\n")
_COMMENT = re.compile(r"#(\s|$)")  # a query may start with `#tag`
_TOPIC = re.compile(r"<top>(.*?)(?=</?top>|\Z)", re.DOTALL | re.IGNORECASE)
_NUMBER = re.compile(r"<num>\s*(?:number:)?\s*([^\s<]+)", re.IGNORECASE)
_TITLE = re.compile(r"<title>\s*(?:topic:)?\s*([^<]*[^\s<])", re.IGNORECASE)
_BEIR_HEADINGS = ("query-id", "corpus-id")  # column headings of its judgments
# Column headings of a CSV table. The second column alone is not enough: a page may be called "URL".
_CSV_HEADINGS = (("query", "question", "search", "text"), ("page", "path", "url", "address"))


class Row(NamedTuple):
    """A line with content: its number, and its columns."""

    line: int
    cells: tuple[str, ...]


class Texts(NamedTuple):
    """The text of each query, and its line. `partial`: the file may contain queries without judgments."""

    texts: dict[str, str]
    lines: dict[str, int]
    partial: bool = False


def read_texts(file: Path) -> Texts:
    """Read queries without judgments: `id TAB text`, JSON lines with `_id` and `text`, or TREC's topics.

    Raises:
        BuildError: a query that cannot be read, or a duplicate id; with its line.

    """
    text = read_text(file)
    partial = True
    if file.suffix.lower() in (".jsonl", ".ndjson"):
        rows = _json_lines(file, text)
    elif text.lstrip().lower().startswith("<top>"):
        rows = _topics(file, text)
    else:
        rows, partial = _table(file), False
    texts: dict[str, str] = {}
    lines: dict[str, int] = {}
    for line, id_, query in rows:
        if id_ in texts:
            raise BuildError(f"there are two queries {id_!r}; the first is in line {lines[id_]}", file=file, line=line)
        texts[id_], lines[id_] = query, line
    return Texts(texts, lines, partial)


def read_rows(file: Path, *, blanks: bool = False) -> Iterator[Row]:
    """Yield the lines with content, split at tabs; with `blanks`, lines without a tab are split at blanks, for TREC.

    The headings of BEIR's judgments are skipped.
    """
    for number, line in enumerate(_LINE_END.split(read_text(file)), 1):
        content = line.strip()
        if not content or _COMMENT.match(content):
            continue
        cells: Iterable[str] = line.split("\t") if "\t" in line or not blanks else content.split()
        row = Row(number, tuple(cell.strip() for cell in cells))
        if row.cells[:2] != _BEIR_HEADINGS:
            yield row


def read_csv(file: Path) -> Iterator[Row]:
    """Yield the rows of a table with commas; a first row of headings, such as `query,page`, is skipped.

    Raises:
        BuildError: a row is not valid CSV.

    """
    reader = csv.reader(io.StringIO(read_text(file), newline=""), strict=True)
    try:
        for cells in reader:
            row = Row(reader.line_num, tuple(cell.strip() for cell in cells))
            if any(row.cells) and not (row.line == 1 and _is_heading(row.cells)):
                yield row
    except csv.Error as error:
        cure = 'put a cell with a comma or a quote in quotes: "one, two",page.md'
        raise BuildError(f"is not valid CSV: {error}", file=file, line=reader.line_num, cure=cure) from None


def _is_heading(cells: Sequence[str]) -> bool:
    first, second = (cell.lower() for cell in (*cells, "", "")[:2])
    return first == _CSV_HEADINGS[0][0] or (first in _CSV_HEADINGS[0] and second in _CSV_HEADINGS[1])


def read_text(file: Path) -> str:
    """Read a UTF-8 file, with or without a byte order mark; raise `BuildError` with the first invalid line."""
    try:
        return file.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = len(_LINE_END.split(error.object[: error.start].decode("utf-8", "replace")))
        raise BuildError(
            "is not UTF-8", file=file, line=line, cure="save the file as UTF-8 text, with tabs between the columns"
        ) from None
    except OSError as error:
        raise BuildError(f"cannot be read: {error.strerror}", file=file) from None


def _table(file: Path) -> Iterator[tuple[int, str, str]]:
    for line, cells in read_rows(file):
        if len(cells) != 2 or not all(cells):
            raise BuildError("a query must have two columns, with a tab between them", file=file, line=line, cure="id TAB text")
        yield line, *cells


def _json_lines(file: Path, text: str) -> Iterator[tuple[int, str, str]]:
    cure = '{"_id": "q1", "text": "how do I install it"}'
    for number, line in enumerate(_LINE_END.split(text), 1):
        if not line.strip():
            continue
        try:
            raw = json.loads(line)
        except (ValueError, RecursionError):
            raise BuildError("the line is not valid JSON", file=file, line=number, cure=cure) from None
        fields = raw if isinstance(raw, dict) else {}
        id_, query = fields.get("_id", fields.get("id")), fields.get("text")
        if not isinstance(id_, (str, int)) or not str(id_).strip() or not isinstance(query, str) or not query.strip():
            raise BuildError("a query must have an _id and a text", file=file, line=number, cure=cure)
        yield number, str(id_).strip(), " ".join(query.split())


def _topics(file: Path, text: str) -> Iterator[tuple[int, str, str]]:
    for topic in _TOPIC.finditer(text):
        line = len(_LINE_END.split(text[: topic.start()]))
        number, title = _NUMBER.search(topic[1]), _TITLE.search(topic[1])
        if number is None or title is None:
            raise BuildError("a topic must have a <num> and a <title>", file=file, line=line, cure="<num> 301 <title> words")
        yield line, number[1], " ".join(title[1].split())

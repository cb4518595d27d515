"""Query analysis: the terms of the index, and the other forms in which the index may have a word."""

from __future__ import annotations

from ranvier.text.analyse import pieces
from ranvier.text.languages import fold, primary
from ranvier.text.units import BARE, LAST, PART, QUERY_ONLY, WHOLE, Piece
from ranvier.text.unspaced import is_unspaced

MAX_FORMS = 6
MAX_NAME = 120  # characters of a title that are compared

TermRow = tuple[str, ...]


def forms(text: str, langs: tuple[str, ...] = ("en",)) -> tuple[TermRow, ...]:
    """Return the forms that the index may have of a word: rows of adjacent terms, the row of its parts last.

    `getUserName` → `("getusernam",)`, `("get", "user", "name")`. A plain word has one row for each of its stems.
    """
    readings = [_pieces(text, lang) for lang in dict.fromkeys(primary(lang) for lang in langs)]
    wholes = [_row(pieces, without=(PART, BARE)) for pieces in readings]
    streams = [_row(pieces, without=(QUERY_ONLY,)) for pieces in readings]
    parts = [other for pieces in readings for other in _versions(_row(pieces, without=(WHOLE, QUERY_ONLY, BARE)))]
    rows = list(dict.fromkeys(row for row in (*wholes, *streams, *parts) if row))
    # A match of a row is also a match of every row inside it.
    distinct = [row for row in rows if not any(other != row and _contains(row, other) for other in rows)]
    return (*distinct[: MAX_FORMS - 1], distinct[-1]) if len(distinct) > MAX_FORMS else tuple(distinct)


def row(phrase: str, lang: str = "en") -> TermRow:
    """Return the terms of a phrase as in the index: `"日本語"` → `("日本", "本語")`."""
    return _row(_pieces(phrase, lang), without=(QUERY_ONLY,))


AS_WRITTEN = "und"  # a language without stemming: BCP 47's undetermined


def name(text: str, lang: str = "en") -> str:
    """Return one term for a whole text, to look up a title: `Getting started` → `get=start=`; `""` without letters."""
    joined = "=".join(_row(_pieces(text, lang), without=(WHOLE, QUERY_ONLY, BARE)))[:MAX_NAME]
    return f"{joined}=" if joined else ""


def unfinished(word: str, langs: tuple[str, ...] = ("en",)) -> str | None:
    """Fold the last word of an unfinished text without stemming: `get_Use` → `use`; `None` if there is none.

    In a script without blanks it is the last pair of characters, or the only character.
    """
    query_pieces = _pieces(word, langs[0])
    if not query_pieces:
        return None
    last = query_pieces[-1]
    if is_unspaced(last.term):
        return last.term
    return fold(word[last.start : last.end], langs[0]) or None


def _pieces(text: str, lang: str) -> list[Piece]:
    """Read a query. The last character of its last run is dropped, because more may follow it in the index."""
    split = pieces(text, lang)
    if len(split) > 1 and split[-1].role == LAST and split[-2].end == split[-1].end:
        split.pop()
    return split


def _row(pieces: list[Piece], without: tuple[int, ...]) -> TermRow:
    return tuple(piece.term for piece in pieces if piece.role not in without)


def _versions(row: TermRow) -> tuple[TermRow, ...]:
    """Return a row and its variants: `v1`, `10` is also `1`, `10`, and vice versa."""
    if len(row) < 2 or not all(part.lstrip("v").isdigit() for part in row[:2]):
        return (row,)
    number = row[0].lstrip("v")
    return (f"v{number}", *row[1:]), (number, *row[1:])


def _contains(row: TermRow, inner: TermRow) -> bool:
    return any(row[at : at + len(inner)] == inner for at in range(len(row) - len(inner) + 1))

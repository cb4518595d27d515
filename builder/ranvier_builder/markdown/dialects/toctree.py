"""Tables of contents in pages, Sphinx's `{toctree}`: they are not shown, and define the order and the hierarchy of pages.

A directive becomes a mark, because the comments of a page are not known yet: one in a comment disappears with the comment.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

Row = tuple[str, str]  # label and target of a page; a row without a target is the caption of the next rows, or empty

_MARK = re.compile(r"\ue004(?P<hex>(?:[0-9a-f]{2})*)\ue002")


def mark(rows: Iterable[Row]) -> str:
    """Return the mark of a table of contents."""
    text = "\0".join(f"{label}\n{target}" for label, target in rows)
    return f"\ue004{text.encode('utf-8', 'replace').hex()}\ue002"


def without_marks(body: str) -> tuple[str, tuple[Row, ...]]:
    """Remove the marks from a body, and return the rows of its tables of contents."""
    rows = list[Row]()
    for match in _MARK.finditer(body):
        for row in bytes.fromhex(match["hex"]).decode("utf-8", "replace").split("\0"):
            label, _, target = row.partition("\n")
            rows.append((label, target))
    return (_MARK.sub("", body), tuple(rows)) if rows else (body, ())

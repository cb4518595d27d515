"""A site of a few pages with many sections, for the parity tests: it has features of a large index, and is built in seconds.

15,000 chunks: the posting lists of common terms have an index of their own, and the sizes of rows come in files of their own.
"""

from __future__ import annotations

from pathlib import Path

from ranvier_builder import build
from support.content import OPEN, write_tree
from support.queries import Question

PAGES, SECTIONS = 10, 1500
_TERMS = ("alpha", "alpha beta", '"alpha beta"', "alpha w5 gamma3", "entry 7 of 3", "what is alpha")
_QUERIES = (*_TERMS, "gamma*", "beta -w5", "b* OR g*")


def many_sections(folder: Path) -> Path:
    """Write the pages in a folder and build the site; return the site."""
    content = folder / "content"
    write_tree(content, {f"{number}.md": _page(number) for number in range(PAGES)})
    build(content, folder / "public", OPEN)
    return folder / "public"


def _page(number: int) -> str:
    sections = (f"## Entry {at} of {number}\n\nalpha beta w{at % 97} gamma{at % 7}\n" for at in range(SECTIONS))
    return "\n".join((f"# Page {number}\n", *sections))


def questions() -> list[Question]:
    """Return searches for terms of all sections, of some sections, and of one section; and one for an unfinished word."""
    whole = [Question("search", query, {"limit": limit}) for query in _QUERIES for limit in (1, 8, 50)]
    return [*whole, Question("search", "a NOT beta", {"prefix": True})]

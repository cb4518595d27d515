"""The numbers of chapters before their names, as books have them: `Chapter 26. `, `25.1. `, `10.4 `, `A.2. `."""

from __future__ import annotations

import re

_NUMBER = re.compile(
    r"\A(?:(?:Chapter|Appendix|Part|Section)\s+)?(?:\d{1,3}|[A-Z])(?:(?:\.\d{1,3})*\.|(?:\.\d{1,3})+)\s+(?=\w)"
)


def without_number(name: str) -> str:
    """Return a title or a heading without the number of its chapter."""
    return _NUMBER.sub("", name)

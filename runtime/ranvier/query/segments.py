"""Segments: rules of the site that choose the strategy of a query (Q3, [002])."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ranvier.errors import RequestError
from ranvier.requests import STRATEGIES


@dataclass(frozen=True, slots=True)
class Segment:
    """A rule: queries that match `pattern` use `strategy` and, if `path` is set, search only that folder."""

    name: str
    pattern: str
    strategy: str = "auto"
    path: str = ""

    def __post_init__(self) -> None:
        """Raise `RequestError` for an unknown strategy or an invalid pattern."""
        if self.strategy not in STRATEGIES:
            raise RequestError(f"segment {self.name!r}: strategy must be one of {', '.join(STRATEGIES)}, not {self.strategy!r}")
        try:
            re.compile(self.pattern)
        except re.error as error:
            raise RequestError(f"segment {self.name!r}: {self.pattern!r} is not a regular expression: {error}") from None

    def covers(self, query: str) -> bool:
        """Tell whether the pattern matches a query; case is ignored."""
        return re.search(self.pattern, query, re.IGNORECASE) is not None

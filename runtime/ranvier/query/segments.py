"""Segments: rules of the site that choose the strategy of a query (Q3, [002])."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
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


def first_match(segments: Iterable[Segment], query: str) -> Segment | None:
    """Return the first segment that covers a query. Segments are in order of priority."""
    return next((segment for segment in segments if segment.covers(query)), None)


def read_segments(raw: Iterable[Mapping[str, str]]) -> tuple[Segment, ...]:
    """Read the segments of a snapshot; raise `RequestError` for invalid ones."""
    return tuple(Segment(**fields) for fields in raw)

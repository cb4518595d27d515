"""Segments: a site's own rules of which strategy answers which queries (Q3, [002])."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ranvier.errors import RequestError
from ranvier.requests import STRATEGIES


@dataclass(frozen=True, slots=True)
class Segment:
    """Queries that `pattern` is found in are answered by `strategy`, and, where `path` is set, from that folder alone."""

    name: str
    pattern: str
    strategy: str = "auto"
    path: str = ""

    def __post_init__(self) -> None:
        """Refuse a strategy that there is not, and a pattern that is none."""
        if self.strategy not in STRATEGIES:
            raise RequestError(f"segment {self.name!r}: strategy must be one of {', '.join(STRATEGIES)}, not {self.strategy!r}")
        try:
            re.compile(self.pattern)
        except re.error as error:
            raise RequestError(f"segment {self.name!r}: {self.pattern!r} is not a regular expression: {error}") from None

    def covers(self, query: str) -> bool:
        """Tell whether a query is this segment's; case does not matter."""
        return re.search(self.pattern, query, re.IGNORECASE) is not None


def first_match(segments: Iterable[Segment], query: str) -> Segment | None:
    """Return the first segment that covers a query: they are in order of priority."""
    return next((segment for segment in segments if segment.covers(query)), None)


def read_segments(raw: Iterable[Mapping[str, str]]) -> tuple[Segment, ...]:
    """Read segments as a snapshot holds them; raise `RequestError` for what is none."""
    return tuple(Segment(**fields) for fields in raw)

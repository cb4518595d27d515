"""A query with its relevance judgments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Query:
    """A query and its judgments: path of a page → grade. 1 or more is relevant, and more is better.

    Without grades, no page of the site answers it.
    """

    id: str
    text: str
    grades: Mapping[str, int]

"""Comparison of answers of CPython with those of a browser."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import ranvier
from playwright.sync_api import Browser
from ranvier.bridge import camel
from ranvier.types import to_plain
from support.browser import Tab, opened_tab
from support.queries import Question
from support.sites import serving

TOLERANCE = 1e-9
_BATCH = 50  # questions in one message: the answers to all questions have many megabytes


def compare(expected: Any, actual: Any, path: str = "") -> list[str]:
    """Return the differences of two answers; floats may differ by `TOLERANCE`."""
    if isinstance(expected, dict) and isinstance(actual, dict):
        if expected.keys() != actual.keys():
            return [f"{path}: {sorted(expected)} != {sorted(actual)}"]
        keys = [key for key in expected if key != "timing"]
        return [line for key in keys for line in compare(expected[key], actual[key], f"{path}.{key}")]
    if isinstance(expected, list) and isinstance(actual, list) and len(expected) == len(actual):
        pairs = enumerate(zip(expected, actual, strict=True))
        return [line for at, pair in pairs for line in compare(*pair, f"{path}[{at}]")]
    if isinstance(expected, float) or isinstance(actual, float):
        return [] if abs(expected - actual) <= TOLERANCE else [f"{path}: {expected!r} != {actual!r}"]
    return [] if expected == actual else [f"{path}: {expected!r} != {actual!r}"]


def plain(result: object) -> Any:
    """Return a result as the bridge sends it."""
    return json.loads(json.dumps(to_plain(result, camel)))


def answer_of(library: ranvier.Library, question: Question) -> dict[str, Any]:
    """Answer a question in CPython; an error is an answer, too."""
    call = getattr(library, question.method)
    try:
        return {"done": plain(call(question.query, **question.options))}
    except ranvier.RanvierError as error:
        return {"name": "RanvierError", "code": error.code, "message": str(error)}


def in_browser(tab: Tab, questions: Sequence[Question]) -> list[dict[str, Any]]:
    """Answer questions in the browser."""
    requests = [
        (method, query, {camel(name): value for name, value in options.items()}) for method, query, options in questions
    ]
    return [answer for at in range(0, len(requests), _BATCH) for answer in tab.ask_all(requests[at : at + _BATCH])]


@dataclass(frozen=True)
class Sides:
    """A site that is open in CPython and in a browser. Answers of CPython are cached."""

    library: ranvier.Library
    tab: Tab
    content: Path
    _expected: dict[str, list[dict[str, Any]]] = field(default_factory=dict)

    def expected(self, questions: Sequence[Question]) -> list[dict[str, Any]]:
        """Answer questions in CPython."""
        key = json.dumps(questions)
        if key not in self._expected:
            self._expected[key] = [answer_of(self.library, question) for question in questions]
        return self._expected[key]

    def differences(self, questions: Sequence[Question]) -> dict[str, list[str]]:
        """Answer questions on both sides; return the first differences of each question with different answers."""
        rows = zip(questions, self.expected(questions), in_browser(self.tab, questions), strict=True)
        result = ((question, compare(*pair)) for question, *pair in rows)
        return {f"{method} {query[:60]!r} {options}": lines[:3] for (method, query, options), lines in result if lines}


@contextmanager
def open_both_sides(chromium: Browser, site: Path, content: Path) -> Iterator[Sides]:
    """Open a built site in CPython and in a new tab."""
    with serving(site) as server, ranvier.open_snapshot(site) as library, opened_tab(chromium) as tab:
        tab.open_engine(server.url, shared=False)
        yield Sides(library, tab, content)

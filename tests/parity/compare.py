"""Comparison of an answer of CPython with one of a browser."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import ranvier
from playwright.sync_api import Browser
from ranvier.bridge import camel, camelised
from ranvier.types import to_plain
from support.browser import Tab, opened_tab
from support.queries import Question
from support.sites import serving

TOLERANCE = 1e-9
_BATCH = 50  # questions to one crossing: an answer of all would be a message of many megabytes


def same(ours: Any, theirs: Any, where: str = "") -> list[str]:
    """Return the differences of two answers; floats may differ by `TOLERANCE`."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        if ours.keys() != theirs.keys():
            return [f"{where}: {sorted(ours)} != {sorted(theirs)}"]
        return [line for key in ours if key != "timing" for line in same(ours[key], theirs[key], f"{where}.{key}")]
    if isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        return [line for at, pair in enumerate(zip(ours, theirs, strict=True)) for line in same(*pair, f"{where}[{at}]")]
    if isinstance(ours, float) or isinstance(theirs, float):
        return [] if abs(ours - theirs) <= TOLERANCE else [f"{where}: {ours!r} != {theirs!r}"]
    return [] if ours == theirs else [f"{where}: {ours!r} != {theirs!r}"]


def plain(result: object) -> Any:
    """What the bridge would send."""
    return json.loads(json.dumps(camelised(to_plain(result))))


def answered(library: ranvier.Library, question: Question) -> dict[str, Any]:
    """Ask in CPython; an error is an answer, too."""
    ask = getattr(library, question.what)
    try:
        return {"done": plain(ask(question.query, **question.options))}
    except ranvier.RanvierError as error:
        return {"name": "RanvierError", "code": error.code, "message": str(error)}


def in_browser(tab: Tab, questions: Sequence[Question]) -> list[dict[str, Any]]:
    """Ask several questions in the browser."""
    requests = [(what, query, {camel(name): value for name, value in options.items()}) for what, query, options in questions]
    return [answer for at in range(0, len(requests), _BATCH) for answer in tab.ask_all(requests[at : at + _BATCH])]


@dataclass(frozen=True)
class Sides:
    """A site that is open in CPython and in a browser. Each question is asked once on each side."""

    library: ranvier.Library
    tab: Tab
    content: Path
    _ours: dict[str, list[dict[str, Any]]] = field(default_factory=dict)

    def ours(self, questions: Sequence[Question]) -> list[dict[str, Any]]:
        """Answer several questions in CPython."""
        key = json.dumps(questions)
        if key not in self._ours:
            self._ours[key] = [answered(self.library, question) for question in questions]
        return self._ours[key]

    def differences(self, questions: Sequence[Question]) -> dict[str, list[str]]:
        """Ask everything on both sides; return the first differences of each question whose answers are not the same."""
        pairs = zip(questions, self.ours(questions), in_browser(self.tab, questions), strict=True)
        result = ((question, same(pair, other)) for question, pair, other in pairs)
        return {f"{what} {query[:60]!r} {options}": lines[:3] for (what, query, options), lines in result if lines}


@contextmanager
def both_sides(chromium: Browser, site: Path, content: Path) -> Iterator[Sides]:
    """Open a built site here and in a tab of its own."""
    with serving(site) as served, ranvier.open_snapshot(site) as library, opened_tab(chromium) as tab:
        tab.open_engine(served.url)
        yield Sides(library, tab, content)

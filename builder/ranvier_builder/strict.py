"""Warnings for people: grouped, without terminal control characters; and the error of `--strict`."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from ranvier_builder.errors import BuildError
from ranvier_builder.model import KINDS, Report, Warn

_MAX_LISTED = 5  # of each kind: enough to understand the problem
# Control characters move a terminal's cursor or change its colours; format characters change the direction of later text.
_ESCAPED_CATEGORIES = frozenset(("Cc", "Cf", "Cs", "Co", "Zl", "Zp"))


# Inside a text these join or separate letters, as Persian, Hindi and emoji need; terminals do not interpret them.
_INVISIBLE_IN_WORDS = frozenset("\t\n\xad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff")


def visible(text: str) -> str:
    """Escape characters that a terminal would interpret or hide: a file's name may contain any character."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        char.encode("unicode_escape").decode() if unicodedata.category(char) in _ESCAPED_CATEGORIES else char for char in text
    )


def visible_lines(text: str) -> str:
    """Apply `visible` to each line."""
    return "\n".join(map(visible, text.split("\n")))


def visible_text(text: str) -> str:
    """Escape control characters in a text of several lines, and characters that change the direction of later text."""
    return "".join(visible(char) if not (char.isprintable() or char in _INVISIBLE_IN_WORDS) else char for char in text)


def by_kind(warnings: list[Warn]) -> dict[str, list[Warn]]:
    """Group warnings, in the order of `KINDS`; within a kind the order is kept."""
    groups: dict[str, list[Warn]] = {kind: [] for kind in KINDS}
    for warning in warnings:
        groups.setdefault(warning.kind, []).append(warning)
    return {kind: group for kind, group in groups.items() if group}


def strict_error(report: Report) -> BuildError:
    """Return the error of a strict build with warnings: their number, and the first few of each kind."""
    total = len(report.warnings)
    counts = ", ".join(f"{count:,} {kind}" for kind, count in report.kinds().items())
    lines = "".join(f"\n  {line}" for line in _lines(report.warnings))
    message = f"{total:,} {'warning' if total == 1 else 'warnings'} ({counts}); a strict build fails on warnings{lines}"
    return BuildError(message, cure="correct the content; a build with --verbose and without --strict prints all warnings")


def _lines(warnings: list[Warn]) -> Iterator[str]:
    for kind, group in by_kind(warnings).items():
        yield from (visible(str(warning)) for warning in group[:_MAX_LISTED])
        if len(group) > _MAX_LISTED:
            yield f"… and {len(group) - _MAX_LISTED:,} more of kind {kind}"

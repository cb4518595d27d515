"""A scope → SQL over the fact tables (S1). One statement finds the Neurons of the scope; legs get their numbers."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from ranvier import text
from ranvier.query.filters import days, tag_key
from ranvier.requests import AUDIENCES, Scope, well_formed
from ranvier.store.tables import NEURONS

# A Neuron is named by id, path, slug, title, alias or file name.
IS = "(id = ? OR path = ? OR slug = ? OR n IN (SELECT n FROM name WHERE name = ?))"
_SUBTREE = f"""n IN (WITH RECURSIVE subtree(n) AS (
  SELECT n FROM neuron WHERE {IS} AND level <= ? UNION SELECT neuron.n FROM neuron JOIN subtree ON neuron.parent = subtree.n
) SELECT n FROM subtree)"""
# The date of a Neuron: that of a daily note, else of its last change, else of its creation.
DATE = "coalesce(nullif(day, ''), nullif(updated, ''), created)"
TOP = len(AUDIENCES) - 1  # the level that may see everything


class Condition(NamedTuple):
    """An SQL condition on table `neuron`, its values, and the packs that it reads."""

    sql: str
    values: tuple[Any, ...]
    packs: frozenset[str]


class ScopeFilter:
    """The Neurons that a search may find. `None` means all."""

    def __init__(self, numbers: Iterable[int] | None = None) -> None:
        self.numbers = None if numbers is None else frozenset(numbers)

    def __contains__(self, neuron: int) -> bool:
        return self.numbers is None or neuron in self.numbers

    @property
    def is_empty(self) -> bool:
        """Whether no Neuron is in the scope."""
        return self.numbers is not None and not self.numbers

    def condition(self, table: str, chunks_of: Callable[[int], Iterable[int]]) -> tuple[str, tuple[str, ...]]:
        """Return a condition on the rowids of a table of words, to append to another condition, with its value.

        Its rows are Neurons or chunks; `chunks_of` returns the chunks of a Neuron.
        """
        if self.numbers is None:
            return "", ()
        rows = self.numbers if table == NEURONS else {chunk for neuron in self.numbers for chunk in chunks_of(neuron)}
        # The plus keeps SQLite from a separate search, with bm25, for each number.
        return " AND +rowid IN (SELECT value FROM json_each(?))", (json.dumps(sorted(rows)),)


def condition(scope: Scope, level: int = TOP, sees: int | None = None) -> Condition | None:
    """Return a scope as a condition; `None` if it does not narrow.

    `level` is the caller's level (A5). `sees` is the same level if the audience filter runs after recall: an ancestor that the
    caller may not see has no descendants.
    """
    sees = level if sees is None else sees
    parts = [*_column_conditions(scope, sees), *_name_conditions(scope, sees)]
    if level < TOP:
        parts.append(("level <= ?", (level,), ()))
    if not parts:
        return None
    values = tuple(value for _, part_values, _ in parts for value in part_values)
    packs = frozenset(("neuron", *(pack for _, _, part_packs in parts for pack in part_packs)))
    return Condition(" AND ".join(sql for sql, _, _ in parts), values, packs)


Part = tuple[str, tuple[Any, ...], tuple[str, ...]]


def _column_conditions(scope: Scope, level: int) -> list[Part]:
    parts: list[Part] = []
    for column in ("kind", "modality", "role"):
        for negation, values in _by_sign(getattr(scope, column)):
            parts.append((f"{negation}{column} COLLATE NOCASE IN ({_marks(values)})", values, ()))
    for negation, langs in _by_sign(scope.lang):  # `pt` includes `pt-BR`
        alternatives = " OR ".join("lang = ? COLLATE NOCASE OR lang LIKE ? ESCAPE '\\'" for _ in langs)
        values = tuple(value for lang in langs for value in (lang, f"{_literal(lang)}-%"))
        parts.append((f"{negation}({alternatives})", values, ()))
    for negation, paths in _by_sign(scope.path):
        conditions, arguments = zip(*(_in_path(path, level) for path in paths), strict=True)
        parts.append((f"{negation}({' OR '.join(conditions)})", sum(arguments, ()), ()))
    if scope.time:
        first, last = days(scope.time) or ("9", "0")  # no page: those without a date have an empty one
        parts.append((f"substr({DATE}, 1, 10) BETWEEN ? AND ?", (first, last), ()))
    return parts


def _name_conditions(scope: Scope, level: int) -> list[Part]:
    parts: list[Part] = []
    for negation, tags in _by_sign(scope.tags):
        keys = tuple(map(tag_key, tags))
        parts.append((f"{negation}n IN (SELECT n FROM tag WHERE tag IN ({_marks(keys)}))", keys, ("tag",)))
    if scope.titles:
        alternatives = " OR ".join(IS for _ in scope.titles)
        parts.append((f"({alternatives})", tuple(value for title in scope.titles for value in names(title)), ()))
    if scope.item:
        parts.append((IS, names(scope.item), ()))
    if scope.ancestor:
        parts.append((_SUBTREE, (*names(scope.ancestor), level), ()))
    return parts


def _by_sign(values: tuple[str, ...]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the values that narrow a scope, and then, without their minus, those that leave pages out; none of no values."""
    if wanted := tuple(value for value in values if value[0] != "-"):
        yield "", wanted
    if unwanted := tuple(value[1:] for value in values if value[0] == "-"):
        yield "NOT ", unwanted


def names(name: str) -> tuple[str, str, str, str]:
    """Return the values to compare with ids, paths, slugs and names of Neurons."""
    name = well_formed(name)
    return name, name, name.strip("/"), text.name(name, text.AS_WRITTEN)


def _marks(values: tuple[Any, ...]) -> str:
    return ", ".join("?" * len(values))


def _literal(text: str) -> str:
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


def _in_path(path: str, level: int) -> tuple[str, tuple[Any, ...]]:
    """Return a condition and its values: a file or folder, or, if no path that the caller sees begins so, one in a folder.

    Names of files are as their system writes them: macOS may take accents apart.
    """
    forms = dict.fromkeys(unicodedata.normalize(form, path.strip("/")) for form in ("NFC", "NFD"))
    plain = ("".join(f"[{sign}]" if sign in "[?" else sign for sign in form) for form in forms)
    globs = tuple(glob for form in plain for glob in (form, f"{form}/*"))
    begins = " OR ".join("path GLOB ?" for _ in globs)
    sql = f"({begins} OR ({begins}) AND 1 NOT IN (SELECT 1 FROM neuron WHERE level <= ? AND ({begins})))"
    return sql, (*globs, *(f"*/{glob}" for glob in globs), level, *globs)

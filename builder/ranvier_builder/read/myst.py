"""Reads whether a site is of MyST, and the substitutions, `{{ name }}`, of the site and of a page."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ranvier_builder.read.settings import load, python_strings, python_strings_by_name, scalars, value_at

_KEYS = (
    ("_config.yml", "parse.myst_substitutions"),
    ("_config.yml", "sphinx.config.myst_substitutions"),
    ("myst.yml", "project.substitutions"),
)
_FILES = ("substitutions.yaml", "reuse/substitutions.yaml")  # which `conf.py` reads in the documentation of Canonical
_PARSERS = frozenset(("myst_parser", "myst_nb"))  # extensions of Sphinx
_FIELDS = ("myst.substitutions", "substitutions")  # of a page, for MyST-Parser and for MyST


def is_site_of_myst(folder: Path) -> bool:
    """Return whether the settings of a site say that its pages are of MyST."""
    extensions = {*python_strings(folder / "conf.py", "extensions")}
    has_book = all(load(folder / file) for file in ("_config.yml", "_toc.yml"))
    return has_book or isinstance(load(folder / "myst.yml"), dict) or not _PARSERS.isdisjoint(extensions)


def site_substitutions(folder: Path) -> tuple[tuple[str, str], ...]:
    """Return the substitutions that the settings of a site have, sorted by name."""
    maps = (
        python_strings_by_name(folder / "conf.py", "myst_substitutions"),
        *(load(folder / file) for file in _FILES),
        *(value_at(load(folder / file), keys) for file, keys in _KEYS),
    )
    return tuple(sorted(_values(maps).items()))


def page_substitutions(fields: dict[str, Any]) -> dict[str, str]:
    """Return the substitutions that the front matter of a page has."""
    return _values(value_at(fields, keys) for keys in _FIELDS)


def _values(maps: Iterable[Any]) -> dict[str, str]:
    return {name: text for values in maps if isinstance(values, dict) for name, text in scalars("", values, 1)}

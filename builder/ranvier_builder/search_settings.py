"""A site's settings of its search: pins, segments, synonyms, preset numbers. `ranvier.toml` → frozen values."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from typing import Any

from ranvier import RequestError, text
from ranvier.query.segments import Segment

from ranvier_builder.audience import AUDIENCES
from ranvier_builder.toml_lines import Path

WORDLLAMA = "wordllama"  # a model without a folder
_SWITCHES = ("substring", "vectors", "abbreviations")  # true or false
_PATH = re.compile(r"\*|/$")  # a glob or a folder, of a setting such as `exclude` that stands below the wrong table
_PRESET_ERROR = re.compile(r"\w+((?:\.\w+)*) (?:has no '([^']*)')?")


class SettingError(Exception):
    """An invalid value of a setting. `path` is its position: `("pins", 0, "query")`."""

    def __init__(self, path: Path, message: str, cure: str | None = None) -> None:
        self.path = path
        self.message = message
        self.cure = cure
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class Pin:
    """Pages that are first for a query. Each is given by its path, id, address or title."""

    query: str
    pages: tuple[str, ...]
    location: tuple[str, int] = field(default=("ranvier.toml", 0), compare=False)  # file and line, for a warning


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """The table `[search]`.

    `preset`: numbers that override the default's. `substring`: whether parts of words are indexed. `vectors`: whether there is
    a search by meaning; `None`: if its model is installed. `model`: "wordllama", or the folder of another model, for
    `model_langs` (empty: any language).
    `abbreviations`: whether common ones are synonyms.
    """

    preset: Mapping[str, Any] = field(default_factory=dict)
    substring: bool = True
    vectors: bool | None = None
    model: str = WORDLLAMA
    model_langs: tuple[str, ...] = ()
    abbreviations: bool = True


def read_pins(raw: Any, locate: Callable[[Path], tuple[str, int]]) -> tuple[Pin, ...]:
    """Read `[[pins]]`; `locate` returns the file and line of a value."""
    cure = 'write query = "install" and pages = ["guide/install.md"] below [[pins]]'
    pins = []
    for number, table in enumerate(_tables(raw, "pins", cure)):
        position: Path = ("pins", number)
        _check_names(table, ("query", "pages"), position)
        query, pages = table.get("query"), table.get("pages")
        if not isinstance(query, str) or not text.name(query):
            raise SettingError((*position, "query"), "query of a pin must be a string with at least one word", cure)
        if not _is_strings(pages) or not pages:
            raise SettingError((*position, "pages"), "pages of a pin must be a list of strings", cure)
        pins.append(Pin(query, tuple(pages), locate((*position, "pages"))))
    return tuple(pins)


def read_segments(raw: Any) -> tuple[Segment, ...]:
    """Read `[[segments]]`: rules in order, each with a unique name."""
    cure = 'write name = "code", pattern = "function|class" and strategy = "bm25" below [[segments]]'
    segments: dict[str, Segment] = {}
    for number, table in enumerate(_tables(raw, "segments", cure)):
        position: Path = ("segments", number)
        _check_names(table, tuple(field.name for field in fields(Segment)), position)
        for key in ("name", "pattern"):
            if not table.get(key):
                raise SettingError((*position, key), f"a segment must have a {key}", cure)
        for key, value in table.items():
            if not isinstance(value, str):
                raise SettingError((*position, key), f"{key} of a segment must be a string, not {value!r}", cure)
        segment = segment_of(table, position)
        if segment.name in segments:
            raise SettingError((*position, "name"), f"there are two segments {segment.name!r}")
        segments[segment.name] = segment
    return tuple(segments.values())


def segment_of(table: Mapping[str, str], position: Path = ()) -> Segment:
    """Return a segment; raise `SettingError` for an unknown strategy or an invalid pattern."""
    try:
        return Segment(**table)
    except RequestError as error:
        is_pattern = "regular expression" in str(error)
        key = "pattern" if is_pattern else "strategy"
        cure = "write a backslash before a bracket or a sign such as + that stands for itself" if is_pattern else None
        raise SettingError((*position, key), str(error), cure) from None


def read_synonyms(raw: Any) -> dict[str, tuple[str, ...]]:
    """Read `[synonyms]`: a word or phrase → others that a search for it also finds."""
    cure = 'write, for example, k8s = ["kubernetes"] below [synonyms]'
    if not isinstance(raw, dict):
        raise SettingError(("synonyms",), "synonyms must be a table", cure)
    for word, others in raw.items():
        words = (word, *others) if _is_strings(others) and others else ("",)
        if not all(text.name(word) and not _PATH.search(word) for word in words):
            raise SettingError(("synonyms", word), f"synonyms of {word!r} must be a list of words", cure)
    return {word: tuple(others) for word, others in raw.items()}


def read_audiences(raw: Any) -> dict[str, str]:
    """Read `[audience]`: another system's name of an audience, in lower case → ours."""
    cure = f'write, for example, ITPro = "public" below [audience], with one of {", ".join(AUDIENCES)} on the right'
    if not isinstance(raw, dict):
        raise SettingError(("audience",), "audience must be a table", cure)
    for name, audience in raw.items():
        if name.lower() in AUDIENCES or audience not in AUDIENCES:
            raise SettingError(("audience", name), f"audience cannot map {name!r} to {audience!r}", cure)
    return {name.lower(): audience for name, audience in raw.items()}


def read_search(raw: Any) -> SearchSettings:
    """Read `[search]`; all numbers of `preset` must exist in the default preset."""
    if not isinstance(raw, dict):
        raise SettingError(("search",), "search must be a table", "write, for example, substring = false below [search]")
    _check_names(raw, tuple(field.name for field in fields(SearchSettings)), ("search",))
    for name in _SWITCHES:
        if not isinstance(raw.get(name, True), bool):
            raise SettingError(("search", name), f"{name} must be true or false", f"{name} = false")
    model, langs = raw.get("model", WORDLLAMA), raw.get("model_langs", [])
    if not isinstance(model, str) or not model.strip():
        raise SettingError(("search", "model"), "model must be the name of a folder", 'model = "models/potion-base-8M"')
    if not _is_strings(langs):
        raise SettingError(("search", "model_langs"), "model_langs must be a list of languages", 'model_langs = ["en", "de"]')
    numbers = raw.get("preset", {})
    if numbers:
        from ranvier.presets import overlay, preset  # imports the whole pipeline: most sites do not need it

        try:
            overlay(preset("default"), numbers)
        except RequestError as error:
            cure = "write, for example, k = 10 below [search.preset.fuse]; the manual's page on presets has all names"
            raise SettingError(("search", "preset", *_error_path(str(error))), f"search.preset: {error}", cure) from None
    langs = [text.primary(lang) for lang in langs]
    switches = {name: raw[name] for name in _SWITCHES if name in raw}
    return SearchSettings(numbers, model=model, model_langs=tuple(langs), **switches)


def _tables(raw: Any, name: str, cure: str) -> list[dict[str, Any]]:
    if isinstance(raw, list) and all(isinstance(table, dict) for table in raw):
        return raw
    raise SettingError((name,), f"{name} must be a list of tables", cure)


def _check_names(table: Mapping[str, Any], names: tuple[str, ...], position: Path) -> None:
    for key in table:
        if key not in names:
            matches = get_close_matches(key, names, 1)
            cure = f"did you mean {matches[0]!r}?" if matches else f"use one of {', '.join(names)}"
            raise SettingError((*position, key), f"{position[0]} has no {key!r}", cure)


def _is_strings(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) and item.strip() for item in value)


def _error_path(message: str) -> Path:
    """Return the path of the value that a message is about: `default.fuse has no 'kk'` → `("fuse", "kk")`."""
    match = _PRESET_ERROR.match(message)
    return (*match[1].split(".")[1:], *filter(None, (match[2],))) if match else ()

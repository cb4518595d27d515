"""The values of a frontmatter → typed fields. An invalid value is reported with its line, never guessed."""

from __future__ import annotations

import datetime
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Any

from ranvier_builder.composed import composed, stream_safe
from ranvier_builder.markdown.claims import strip_claims
from ranvier_builder.model import Warn
from ranvier_builder.read.frontmatter import Split
from ranvier_builder.read.scalars import spelling_of

# All names of Ranvier's fields: they never become an `extra`, whatever globs the config has.
FIELDS = frozenset(
    """id title kind tags tag audience aliases alias summary description confidence source_type derived_from user_note
    user_note_shared created date updated lastmod parent role lang weight noindex""".split()
)
_DATE = re.compile(r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?:$|[T\s].*$)", re.DOTALL)
_MILLISECONDS = re.compile(r"\d{12,13}", re.ASCII)  # since 1970: Dendron's dates
_TRUE, _FALSE = {"true", "yes", "on", "1"}, {"false", "no", "off", "0", ""}
_ORDERS = ("sidebar_position", "nav_order", "sort_rank", "order")  # of Docusaurus, Just the Docs, Prometheus and others
_LABELS = ("sidebar_label", "sidebartitle", "nav_label", "nav_title", "linktitle")
_MENUS = ("sidebar", "eleventynavigation")  # maps of Starlight and Eleventy
_MAX_ORDER = 1e9
_ADDRESSES, _FORMER_ADDRESSES = ("slug", "permalink", "url"), ("redirect_from", "redirects")
_ADDRESS = re.compile(r"(?:https?://[^/\s]+)?/?[^\s:?#]{1,400}")
_MAX_DEPTH = 4  # nested lists


def text_of(value: Any) -> str | None:
    """Return a scalar as text, as its author wrote it: `0.88` → "0.88", `true` → "true"; `None` if it is not a scalar."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (datetime.date, datetime.datetime, datetime.time)):
        return value.isoformat()
    if not isinstance(value, (str, int, float)):
        return None
    value = value if (text := spelling_of(value)) is None else text
    try:
        # YAML can contain half of a surrogate pair, which cannot be encoded.
        return strip_claims(
            stream_safe(str(value)).encode("utf-8", "replace").decode().replace("\0", "").replace("\ufeff", "")
        ).strip()
    except ValueError:  # an integer with thousands of digits
        return None


def words_of(value: Any) -> str:
    """Return a string as text; empty for any other value."""
    return composed(text_of(value) or "") if isinstance(value, str) else ""


def date_of(text: str) -> str:
    """Read a date, `2024-1-5`, `2024/01/05`, RFC 3339, milliseconds: → "2024-01-05", or "" if it is not a date."""
    match = _DATE.match(text.strip())
    try:
        if _MILLISECONDS.fullmatch(text.strip()):
            return datetime.datetime.fromtimestamp(int(text) // 1000, datetime.UTC).date().isoformat()
        return datetime.date(int(match[1]), int(match[3]), int(match[4])).isoformat() if match else ""
    except ValueError:
        return ""


class Fields:
    """The values of a frontmatter, converted to the expected types."""

    def __init__(self, path: str, parts: Split) -> None:
        self.warnings: list[Warn] = []
        self.path = path
        self._parts = parts

    def __contains__(self, name: str) -> bool:
        return name in self._parts.fields

    def warn(self, name: str, message: str, kind: str = "field") -> None:
        """Add a warning for a field, with its line."""
        self.warnings.append(Warn(self.path, kind, message, self._parts.lines.get(name, 1)))

    def text(self, *names: str) -> str:
        """Read the first existing field of `names` as text."""
        for name in names:
            if name in self:
                text = text_of(self._parts.fields[name])
                if text is None:
                    self.warn(name, f"{name} must be a string, but is {_describe(self._parts.fields[name])}: left out")
                return composed(text or "")
        return ""

    def texts(self, *names: str) -> tuple[str, ...]:
        """Read a list, a comma-separated string, or nested lists, as texts; empty texts are skipped."""
        for name in names:
            if name in self:
                invalid: list[Any] = []
                items = _flat(self._parts.fields[name], invalid)
                if invalid:
                    self.warn(name, f"{name} must be a list of strings, but contains {_describe(invalid[0])}: left out")
                return items
        return ()

    def number(
        self, name: str, low: float = -math.inf, high: float = math.inf, words: Mapping[str, float] | None = None
    ) -> float | None:
        """Read a number within limits, or a word that means a number."""
        value = self._parts.fields.get(name)
        if value is None or value == "":
            return None
        if isinstance(value, str) and value.strip().lower() in (words or {}):
            return (words or {})[value.strip().lower()]
        number = _number(value)
        if math.isfinite(number) and low <= number <= high:
            return number
        bounds = f" from {low:g} to {high:g}" if math.isfinite(low) else ""
        self.warn(name, f"{name} must be a number{bounds}, but is {_describe(value)}: left out")
        return None

    def date(self, *names: str) -> str:
        """Read the first non-empty field of `names` as a date."""
        for name in names:
            value = self._parts.fields.get(name)
            value = value.get(names[0]) if isinstance(value, dict) and names[0] in value else value  # of Material for MkDocs
            if name in self and value is not None and value != "":
                date = value.date().isoformat() if isinstance(value, datetime.datetime) else date_of(text_of(value) or "")
                if not date:
                    self.warn(name, f"{name} must be a date such as 2024-01-31, but is {_describe(value)}: left out")
                return date
        return ""

    def order(self) -> float | None:
        """Read the sort number of other systems."""
        for name, value in (*((name, self._parts.fields.get(name)) for name in _ORDERS), *self._in_menus("order")):
            if value is None or value == "":
                continue
            if abs(number := _number(value)) < _MAX_ORDER:
                return number
            if name == "order":  # other programs use it, too
                continue
            key = f"{name}.order" if name in _MENUS else name
            kind = "a number" if math.isnan(number) else f"a number below {_MAX_ORDER:,.0f}"
            self.warn(name, f"{key} must be {kind}, but is {_describe(value)}: left out")
        return None

    def label(self) -> str:
        """Read the label of a page in the menus of other systems."""
        inner = (value for key in ("label", "title", "key") for _, value in self._in_menus(key))
        values = (*(self._parts.fields.get(name) for name in _LABELS), *inner)
        words = (text_of(value) for value in values if isinstance(value, str))
        return composed(" ".join(next(filter(None, words), "").split()))

    def _in_menus(self, key: str) -> Iterator[tuple[str, Any]]:
        """Yield a value of the maps about menus."""
        menus = ((name, self._parts.fields.get(name)) for name in _MENUS)
        return ((name, menu.get(key)) for name, menu in menus if isinstance(menu, dict))

    def addresses(self) -> tuple[str, ...]:
        """Read the addresses, current and former, of a page in another system; addresses with placeholders are skipped.

        A page that had the address of the home page is not the home page.
        """
        former = [item for item in self._addresses(_FORMER_ADDRESSES) if item != "/"]
        return (*self._addresses(_ADDRESSES), *former)

    def _addresses(self, names: tuple[str, ...]) -> Iterator[str]:
        values = [value for name in names if (value := self._parts.fields.get(name)) is not None]
        items = [item for value in values for item in (value if isinstance(value, list) else [value])]
        return (item for item in items if isinstance(item, str) and _ADDRESS.fullmatch(item))

    def only_true(self, name: str) -> bool:
        """Read a switch that shares private text: only `true` turns it on."""
        value = self._parts.fields.get(name)
        if value is not None and not isinstance(value, bool):
            self.warn(name, f"{name} must be true or false, but is {_describe(value)}: not shared")
        return value is True

    def switch(self, name: str) -> bool:
        """Read a switch that hides something; an unclear value turns it on."""
        text = text_of(self._parts.fields.get(name))
        if text is None or text.lower() not in _TRUE | _FALSE:
            self.warn(name, f"{name} must be true or false, but is {_describe(self._parts.fields[name])}: treated as true")
            return True
        return text.lower() in _TRUE

    def extra(self, globs: tuple[str, ...], excluded_fields: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
        """Read the other fields that match the config's globs, as texts; nested fields are skipped."""
        excluded = FIELDS | {name.lower() for name in excluded_fields}
        return tuple(
            (name, text)
            for name, value in self._parts.fields.items()
            if name not in excluded and is_named(name, globs) and (text := _line(value))
        )


def is_named(field: str, globs: Iterable[str]) -> bool:
    """Return whether a field matches a glob of `search_fields`, ignoring case."""
    return any(fnmatchcase(field.lower(), glob.lower()) for glob in globs)


def _number(value: Any) -> float:
    try:
        return math.nan if isinstance(value, bool) else float(value)
    except (ValueError, OverflowError, TypeError):
        return math.nan


def _line(value: Any) -> str:
    items = value if isinstance(value, list) else [value]
    return ", ".join(" ".join(text.split()) for item in items if (text := text_of(item)))


def _flat(value: Any, invalid: list[Any], depth: int = 0) -> tuple[str, ...]:
    if isinstance(value, str):
        value = value.split(",")
    if not isinstance(value, (list, tuple)):
        value = [value]
    items: list[str] = []
    for item in value:
        if isinstance(item, (list, tuple)) and depth < _MAX_DEPTH:
            items += _flat(item, invalid, depth + 1)
        elif (text := text_of(item)) is None:
            invalid.append(item)
        elif text:
            items.append(text)
    return tuple(items)


def _describe(value: Any) -> str:
    """Describe a value briefly: `a map`, `'soon'`."""
    if isinstance(value, dict):
        return "a map"
    if isinstance(value, (list, tuple)):
        return "a list"
    try:
        text = repr(value) if isinstance(value, str) else str(value)
    except ValueError:
        return "a number too long to print"
    text = text.encode("utf-8", "backslashreplace").decode()
    return text if len(text) <= 40 else f"{text[:40]}…"

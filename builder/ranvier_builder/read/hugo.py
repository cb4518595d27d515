"""Settings of Hugo and Zola: regular expressions of excluded paths, and pages with resources in their folder."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from warnings import catch_warnings, simplefilter

from ranvier_builder.paths import PAGES, suffix
from ranvier_builder.read.settings import folded, load, strings_at

_CONFIG_BYTES_MAX = 100_000  # of a file that cannot be read
# Settings of Hugo, and the files that may be those of Hugo or Zola: these have one of the addresses. Other programs have a
# `config.yaml` with an address, too.
NAMES = ("hugo.toml", "hugo.yaml", "hugo.yml", "hugo.json")
_STEMS = ("config", "config/_default/hugo", "config/_default/config")
_HUGO_OR_ZOLA = tuple(f"{stem}.{ending}" for stem in _STEMS for ending in ("toml", "yaml", "yml"))
_ADDRESSES = frozenset(("baseurl", "base_url"))
_ADDRESS_LINE = re.compile(rb"^[\"']?base_?url\b", re.IGNORECASE | re.MULTILINE)
_HUGO_KEYS = frozenset("defaultcontentlanguage ignorefiles languagecode markup menu menus module taxonomies theme".split())
_EXPRESSION_MAX = 1000  # characters of a regular expression of Hugo


def bundle_indexes(place: Path, names: Iterable[str]) -> set[str]:
    """Return the pages with resources in their folder: in Hugo and Zola, `index.md` and `index.de.md` in inner folders."""
    inner = (name for name in names if suffix(name) in PAGES and name.count("/") > 1 and name.startswith("content/"))
    indexes = {name for name in inner if name.rpartition("/")[2].partition(".")[0] == "index"}
    return indexes if indexes and _has_bundles(place) else set()


def _has_bundles(place: Path) -> bool:
    may_be_hugo = (place / name for name in _HUGO_OR_ZOLA if load(place / name) is None)
    return any((place / name).is_file() for name in NAMES) or any(_hugo(place)) or any(map(names_address, may_be_hugo))


def names_address(file: Path) -> bool:
    """Return whether a file that cannot be read may be that of Hugo or Zola: other programs have a `config.yaml`, too."""
    with suppress(OSError), file.open("rb") as stream:
        return _ADDRESS_LINE.search(stream.read(_CONFIG_BYTES_MAX)) is not None
    return False


def _hugo(place: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the files with the settings of Hugo, or of Zola, and the settings by lower-case key."""
    for name in (*NAMES, *_HUGO_OR_ZOLA):
        fields = folded(load(place / name))
        is_yaml = name not in NAMES and not name.endswith(".toml")
        if fields and (name in NAMES or not _ADDRESSES.isdisjoint(fields)) and not (is_yaml and _HUGO_KEYS.isdisjoint(fields)):
            yield name, fields


def ignored_expressions(place: Path) -> Iterator[tuple[str, str, re.Pattern[str] | None]]:
    """Yield Hugo's regular expressions for paths that are no pages, `ignoreFiles`, each with the name of its file."""
    for name, fields in _hugo(place):
        yield from ((name, text, _quick(text)) for text in strings_at(fields, "ignorefiles"))


def _quick(text: str) -> re.Pattern[str] | None:
    """Compile a regular expression; `None` if Python reads it in another way, or could need much time for a long path."""
    text = re.sub(r"\A\^?\.\*(?![*+?])|(?<!\\)\.\*\$?\Z", "", text)  # at the ends, they change no match
    plain = re.sub(r"\\.", "", text)
    repetitions, groups, options = (len(re.findall(signs, plain)) for signs in (r"[*+{]", r"\(", r"\?"))
    if len(text) > _EXPRESSION_MAX or repetitions > 1 or groups > 1 or options > 2 or re.search(r"\)[*+{]", plain):
        return None
    with suppress(re.error, FutureWarning), catch_warnings():
        simplefilter("error")  # of a class in a class, `[[:alpha:]]`
        return re.compile(text)
    return None

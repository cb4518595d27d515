"""One normalisation for needles, for what is allowed and for what was written: words, and addresses as words.

Scripts that put no blanks between words are read by the character, so that a title of two signs is found inside a line.
"""

from __future__ import annotations

import posixpath
import re
import unicodedata
from collections.abc import Iterator
from urllib.parse import unquote, urlsplit

# Thai and Lao, Myanmar, Khmer, kana, Han with its extensions.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3041-\u30ff\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
_WORD = re.compile(rf"[{_UNSPACED}]|[^\W_{_UNSPACED}]+")
_ASCII_WORD = re.compile(r"[a-z0-9]+")
_ENDING = re.compile(r"\.(?:md|mdx|markdown|html?)\Z")
# What an address can be made of, as it stands in running text; a blank ends it, so `%20` and `-` stand for blanks.
_TOKEN = re.compile(r"[^\s\"'<>()\[\]{}|,;=`*]+")
_SCHEME = re.compile(r"(?:[a-z][a-z0-9+.-]*:)?//")
_ABSOLUTE = re.compile(r"[a-z][a-z0-9+.-]+:|//", re.IGNORECASE)
_ESCAPED = re.compile(r"\\u([0-9a-fA-F]{4})")
_MIXED = re.compile(rf"[{_UNSPACED}]")

Words = list[str]
Address = tuple[str, ...]

GRAM = 5  # words; longer phrases are searched as all their runs of five


def words(text: str) -> Words:
    """Return the words of a text, folded: `"Größe_2 of IT"` → `["grösse", "2", "of", "it"]`."""
    if text.isascii():
        return _ASCII_WORD.findall(text.lower())
    return _WORD.findall(unicodedata.normalize("NFKC", text).casefold())


def uncovered(text: str) -> Iterator[str]:
    """Yield what a text says when `%20` and `\\u0020` in it are read as the signs that they stand for."""
    if "%" in text and (plain := unquote(text)) != text:
        yield plain
    if "\\u" in text and (plain := _ESCAPED.sub(lambda match: chr(int(match[1], 16)), text)) != text:
        yield plain.encode("utf-8", "replace").decode()


def is_unspaced(word: str) -> bool:
    """Tell whether a word is a sign of a script that puts no blanks between words."""
    return _MIXED.match(word) is not None


def is_absolute(url: str) -> bool:
    """Tell whether an address names its scheme or its host: `mailto:`, `//example.org/`."""
    return _ABSOLUTE.match(url.lstrip()) is not None


def below(url: str, site: str) -> str | None:
    """Read an address of the site itself, however it is spelt, as a path from its root; `None` where it is another's."""
    try:
        found, home = urlsplit(url.strip()), urlsplit(site)
        if not found.hostname or found.hostname != home.hostname or found.scheme.lower() not in ("", "http", "https"):
            return None
    except ValueError:
        return None
    path, base = (posixpath.normpath(f"/{unquote(one).strip('/')}").rstrip("/") for one in (found.path, home.path))
    inside = f"{path}/".casefold().startswith(f"{base}/".casefold())
    return (path[len(base) :] or "/") + (f"#{found.fragment}" if found.fragment else "") if inside else None


def grams(found: Words, size: int) -> Iterator[tuple[str, ...]]:
    """Yield every run of `size` words."""
    return zip(*(found[at:] for at in range(size)), strict=False)


def segment(name: str) -> str:
    """Fold one name of a path: `"Merger%20Plans!.md"` → `"merger-plans"`; empty where it has no letter or digit."""
    return "-".join(words(_ENDING.sub("", unquote(name).lower())))


def address(path: str) -> Address:
    """Fold a path or an address to its names; `index` and `readme` stand for their folder."""
    bare = path.partition("#")[0].partition("?")[0].replace("\\", "/")
    found = [segment(name) for name in bare.split("/") if name not in ("", ".", "..")]
    names = tuple(name for name in found if name)
    return names[:-1] if names and names[-1] in ("index", "readme") else names


def addresses(text: str) -> Iterator[Address]:
    """Yield what in a text could be a path, a file's name or an address; of an address, the part after its host."""
    if "/" not in text and "." not in text and "\\" not in text:
        return
    for token in _TOKEN.findall(text.lower()):
        if "/" in token or "\\" in token or "." in token[:-1]:
            scheme = _SCHEME.match(token)
            names = address(token[scheme.end() :].partition("/")[2] if scheme else token)
            if names:
                yield names

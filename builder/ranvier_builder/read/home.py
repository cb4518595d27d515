"""The front matter of a home page of VitePress, VuePress and Starlight, which has its words there: the same as Markdown."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ranvier_builder.read.values import text_of

FIELDS = ("hero", "herotext", "tagline", "actions", "actiontext", "actionlink", "features")
_SIGNS = re.compile(r"[\\`*_{}\[\]<>#|~$%]")
_MAX_ITEMS = 100
Clean = Callable[[str], str]


def home_page(fields: Mapping[str, Any], clean: Clean) -> str:
    """Return the Markdown of the hero and the features of a page; empty if it has none. `clean` filters each text."""
    is_home = fields.get("home") is True or fields.get("herotext")
    hero = fields.get("hero") or ({name: fields.get(name) for name in FIELDS} if is_home else None)
    if not isinstance(hero, Mapping):
        return ""
    title = _words(clean, hero, "name", "herotext")
    actions = " · ".join(filter(None, (_link(clean, item, "text", "link") for item in _maps(hero.get("actions")))))
    action = _link(clean, hero, "actiontext", "actionlink")
    features = "\n".join(_features(fields, clean))
    words = (_words(clean, hero, name) for name in ("text", "tagline"))
    parts = (f"# {title}" if title else "", *words, actions or action, features)
    return "".join(f"{part}\n\n" for part in parts if part)


def _features(fields: Mapping[str, Any], clean: Clean) -> Iterator[str]:
    for item in _maps(fields.get("features")):
        title, details = _link(clean, item, "title", "link"), _words(clean, item, "details")
        if title or details:
            yield f"- {': '.join(filter(None, (f'**{title}**' if title else '', details)))}"


def _maps(value: Any) -> list[dict[str, Any]]:
    return [item for item in value[:_MAX_ITEMS] if isinstance(item, dict)] if isinstance(value, list) else []


def _link(clean: Clean, item: Mapping[str, Any], words: str, address: str) -> str:
    text, target = _words(clean, item, words), re.sub(r"[<>\s]", "", text_of(item.get(address)) or "")
    return f"[{text}](<{target}>)" if text and target else text


def _words(clean: Clean, item: Mapping[str, Any], *names: str) -> str:
    """Return the first text of a map in one line: its tags are removed, and the signs of Markdown are no markup."""
    texts = (value for name in names if isinstance(value := item.get(name), str))
    text = clean(next(filter(str.strip, texts), ""))  # before its signs are escaped, and while its comments are complete
    return _SIGNS.sub(r"\\\g<0>", " ".join(re.sub(r"<[^<>]*>", " ", text).split()))

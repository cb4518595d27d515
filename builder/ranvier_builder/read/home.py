"""The front matter of a home page of VitePress, VuePress and Starlight, which has its words there: the same as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from ranvier_builder.read.values import text_of

FIELDS = ("hero", "herotext", "tagline", "actions", "actiontext", "actionlink", "features")
_SIGNS = re.compile(r"[\\`*_{}\[\]<>#|~$%]")
_MAX_ITEMS = 100


def home_page(fields: Mapping[str, Any]) -> str:
    """Return the Markdown of the hero and the features of a page; empty if it has none."""
    hero = fields.get("hero") or (fields if fields.get("home") is True or fields.get("herotext") else None)
    if not isinstance(hero, Mapping):
        return ""
    title = _words(hero, "name", "herotext")
    actions = " · ".join(filter(None, (_link(item, "text", "link") for item in _maps(hero.get("actions")))))
    action = _link(hero, "actiontext", "actionlink")
    features = "\n".join(_features(fields))
    parts = (f"# {title}" if title else "", _words(hero, "text"), _words(hero, "tagline"), actions or action, features)
    return "".join(f"{part}\n\n" for part in parts if part)


def _features(fields: Mapping[str, Any]) -> Iterator[str]:
    for item in _maps(fields.get("features")):
        title, details = _link(item, "title", "link"), _words(item, "details")
        if title or details:
            yield f"- {': '.join(filter(None, (f'**{title}**' if title else '', details)))}"


def _maps(value: Any) -> list[dict[str, Any]]:
    return [item for item in value[:_MAX_ITEMS] if isinstance(item, dict)] if isinstance(value, list) else []


def _link(item: Mapping[str, Any], words: str, address: str) -> str:
    text, target = _words(item, words), re.sub(r"[<>\s]", "", text_of(item.get(address)) or "")
    return f"[{text}](<{target}>)" if text and target else text


def _words(item: Mapping[str, Any], *names: str) -> str:
    """Return the first text of a map in one line: its tags are removed, and the signs of Markdown are no markup."""
    texts = (value for name in names if isinstance(value := item.get(name), str))
    text = next(filter(str.strip, texts), "")
    return _SIGNS.sub(r"\\\g<0>", " ".join(re.sub(r"<[^<>]*>", " ", text).split()))

"""The tags of the published pages, and the address of each tag's page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ranvier_builder.paths import fold
from ranvier_builder.render.node import Node
from ranvier_builder.render.order import natural_key
from ranvier_builder.render.slugs import free_slug, segment


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag in its most frequent spelling, its address below the folder of tags, and its pages in reading order."""

    name: str
    slug: str
    nodes: tuple[Node, ...]


def tags_of(nodes: Iterable[Node]) -> dict[str, Tag]:
    """Return all tags by their folded names, in natural order. `Python` and `python` are one tag."""
    spellings: dict[str, Counter[str]] = {}
    tagged: dict[str, dict[str, Node]] = {}
    for node in nodes:
        for name in node.page.neuron.tags if node.page else ():
            spellings.setdefault(fold(name), Counter())[name] += 1
            tagged.setdefault(fold(name), {})[node.slug] = node
    slugs = _slugs(tagged)
    names = {key: min(counter, key=lambda name: (-counter[name], name)) for key, counter in spellings.items()}
    keys = sorted(tagged, key=lambda key: (natural_key(key), key))
    return {key: Tag(names[key], slugs[key], tuple(tagged[key].values())) for key in keys}


def _slugs(keys: Iterable[str]) -> Mapping[str, str]:
    """Assign a unique address to each folded name: `c` and `c#` → `c` and `c-2`."""
    preferred = {key: segment(key) for key in sorted(keys)}
    first_keys = {slug: key for key, slug in reversed(preferred.items())}  # the first key of each address
    used_slugs, numbers = set(preferred.values()), dict[str, int]()
    slugs = {}
    for key, slug in preferred.items():
        if first_keys[slug] != key:
            slug = free_slug(slug, used_slugs, numbers)
            used_slugs.add(slug)
        slugs[key] = slug
    return slugs


def free_folder(name: str, slugs: Iterable[str]) -> str:
    """Return the folder for generated pages: `tags`, or `_tags` if a published page has this address or one below it."""
    return f"_{name}" if any(slug == name or slug.startswith(f"{name}/") for slug in slugs) else name

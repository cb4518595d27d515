"""The paths at which another system publishes the pages of a site, from its absolute links."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from urllib.parse import unquote

from ranvier_builder.paths import MEDIA, suffix

_ABSOLUTE = re.compile(r"""(?:\]\([ \t]*<?|\]:[ \t]*<?|\bhref=["'])(/(?!/)[^\s()<>"'#?{}]+)""")
_MIN_LINKS = 5
_MAX_FOLDERS = 5  # of a base path


def absolute_links(text: str) -> list[str]:
    """Return the paths of the links in a text that begin at the host's root: `/a/b` of `[b](/a/b#c)`."""
    return _ABSOLUTE.findall(text) if "/" in text else []


def base_paths(paths: Mapping[str, int], is_target: Callable[[str], bool], is_page: Callable[[str], bool]) -> tuple[str, ...]:
    """Return the folders without which most links that begin with them lead to pages: `a/b`, if `/a/b/guide` is `guide.md`.

    `paths` are those of absolute links, with the number of links. `is_target` tells whether a link is right as it is, and
    `is_page` whether a path from the content's root has a page.
    """
    links, hits = Counter[str](), Counter[str]()
    for path, count in paths.items():
        if suffix(path) in MEDIA or is_target(path):  # to tell whether a file is a target, it is read
            continue
        folders = unquote(path).strip("/").split("/")
        prefixes = ["/".join(folders[:at]) for at in range(1, min(len(folders), _MAX_FOLDERS + 1))]
        links.update(dict.fromkeys(prefixes, count))
        if prefix := next((name for at, name in enumerate(prefixes, 1) if is_page("/".join(folders[at:]))), ""):
            hits[prefix] += count
    return tuple(sorted(prefix for prefix, count in hits.items() if count >= _MIN_LINKS and count * 2 > links[prefix]))

"""Reads whether the Markdown of a site is MDX, as that of Docusaurus is unless the settings name another format."""

from __future__ import annotations

import re
from pathlib import Path

from ranvier_builder.read.settings import script

_FILES = tuple(f"docusaurus.config.{ending}" for ending in ("js", "ts", "mjs", "cjs", "mts"))
_OTHER_FORMAT = re.compile(r"""\bformat["']?\s*:\s*["'`](?:md|detect)["'`]""")
_FOLDERS_MAX = 5  # the content folder, and those above it: that of a translation is `i18n/de/NAME/current`


def is_site_of_mdx(folder: Path) -> bool:
    """Return whether `.md` files in a content folder are MDX."""
    root = folder.resolve()
    places = (root, *root.parents[: _FOLDERS_MAX - 1], root.parent / "website")
    texts = [text for place in places for name in _FILES if (text := script(place / name))]
    return bool(texts) and not _OTHER_FORMAT.search(texts[0])

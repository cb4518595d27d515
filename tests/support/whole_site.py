"""Sites of all audiences, as on a server (A5)."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import ranvier
from ranvier.presets import Preset
from ranvier_builder import Config

from support.content import build_tree


def page(body: str, **fields: object) -> str:
    """Write a Markdown file with frontmatter: `page("# Title", tags=["a"])`."""
    text = "".join(f"{name}: {json.dumps(value)}\n" for name, value in fields.items())
    return f"---\n{text}---\n{body}\n"


def whole_site(folder: Path, files: Mapping[str, str], *, vectors: bool = False) -> Path:
    """Build a site of all audiences; pages without an audience are for curators."""
    config = Config(title="Wiki", name="myprod", publish_for="curator", default_audience="curator")
    return build_tree(folder, files, config, vectors=vectors)


@contextmanager
def open_site(site: Path, preset: Preset | None = None) -> Iterator[ranvier.Library]:
    """Open a site; `preset` replaces the preset of every search."""
    with ranvier.open_snapshot(site) as library:
        if preset is not None:
            library.engine.preset = lambda name: preset  # type: ignore[method-assign]
        yield library

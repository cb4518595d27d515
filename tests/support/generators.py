"""Small sites built by MkDocs and Sphinx in this process."""

from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import ranvier
import yaml
from click.testing import CliRunner
from mkdocs.__main__ import cli
from sphinx.cmd.build import build_main

from support.content import write_tree

BOWLINE = "A loop that neither slips nor jams."
# Only the theme's own files, so that no test requests another host.
THEMES: dict[str, dict[str, Any]] = {
    "material": {"name": "material", "font": False},
    "mkdocs": {"name": "mkdocs", "highlightjs": False},
    "readthedocs": {"name": "readthedocs", "highlightjs": False},
}
PAGES = {
    "index.md": "# Harbour\n\nA handbook for sailors.\n",
    "knots.md": f"# Knots\n\nRopes made fast.\n\n## The bowline\n\n{BOWLINE}\n\n## The reef knot\n\nFlat and simple.\n",
    "boats/ketch.md": "# Ketch\n\nTwo masts. See [the bowline](../knots.md#the-bowline).\n",
}
RST = {
    "index.rst": "Harbour\n=======\n\nA handbook for sailors.\n\n.. toctree::\n\n   knots\n   boats/ketch\n",
    "knots.rst": (
        f"Knots\n=====\n\nRopes made fast.\n\nThe bowline\n-----------\n\n{BOWLINE}\n\n"
        "The reef knot\n-------------\n\nFlat and simple.\n\n.. py:function:: tie(rope, end)\n\n   Make the rope fast.\n"
    ),
    "boats/ketch.rst": "Ketch\n=====\n\nTwo masts.\n",
}


def run_mkdocs(folder: Path, settings: Mapping[str, Any], pages: Mapping[str, str] = PAGES) -> tuple[int, str]:
    """Write a site below a folder, run `mkdocs build --strict`, and return its exit code and its messages."""
    write_tree(folder / "docs", dict(pages))
    settings = {"site_name": "Harbour", "site_url": "https://example.org/docs/", "plugins": ["ranvier"], **settings}
    (folder / "mkdocs.yml").write_text(yaml.safe_dump(settings), "utf-8")
    result = CliRunner().invoke(cli, ["build", "--strict", "-f", str(folder / "mkdocs.yml")])
    return result.exit_code, result.output


def mkdocs_site(folder: Path, settings: Mapping[str, Any], pages: Mapping[str, str] = PAGES) -> Path:
    """Build a site by MkDocs; a warning is an error. Return its output folder."""
    code, output = run_mkdocs(folder, settings, pages)
    assert code == 0, output
    return folder / "site"


def run_sphinx(folder: Path, settings: str, builder: str = "html", pages: Mapping[str, str] = RST) -> tuple[int, str]:
    """Write a site below a folder, build it by Sphinx, and return its exit code and its messages."""
    # A theme changes the list `templates_path` in place: a new list keeps the default list unchanged for the next site.
    base = "project = 'Harbour'\nextensions = ['ranvier_builder.integrations.sphinx']\ntemplates_path = []\n"
    write_tree(folder / "docs", {**pages, "conf.py": f"{base}{settings}\n"})
    with redirect_stdout(StringIO()) as out, redirect_stderr(StringIO()) as errors:
        code = build_main(["-W", "--keep-going", "-b", builder, str(folder / "docs"), str(folder / "site")])
    return code, out.getvalue() + errors.getvalue()


def sphinx_site(folder: Path, settings: str, builder: str = "html", pages: Mapping[str, str] = RST) -> Path:
    """Build a site by Sphinx; a warning is an error. Return its output folder."""
    code, output = run_sphinx(folder, settings, builder, pages)
    assert code == 0, output
    return folder / "site"


def urls(site: Path, query: str) -> list[str]:
    """Return the addresses of the hits of a query."""
    with ranvier.open_snapshot(site) as library:
        return [f"{hit.url}#{hit.anchor}" if hit.anchor else hit.url for hit in library.search(query).hits]

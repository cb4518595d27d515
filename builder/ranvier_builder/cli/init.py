"""`ranvier init`: the settings, a first page and a workflow for a new site."""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import Any

import click
from ranvier import __version__

from ranvier_builder.cli.group import FOLDER
from ranvier_builder.config import FILE, find_config, is_address
from ranvier_builder.errors import BuildError, OutputError
from ranvier_builder.paths import INDEXES, MARKDOWN, suffix
from ranvier_builder.read.neuron import read_neuron
from ranvier_builder.render.slugs import is_home
from ranvier_builder.strict import visible

ALL, MARKED = "all", "marked"
WORKFLOW = ".github/workflows/ranvier.yml"
_USUAL_FOLDERS = ("docs", "notes", "content")  # names of folders with notes
_NO_NOTES = ("readme", "changelog", "contributing", "license", "security", "code_of_conduct")  # of a project, not of a site

_SETTINGS = """\
# All settings: ranvier's manual, page "Configuration".
title = {title}
{url}lang = "en" # language of pages without a known language
"""
_PUBLISH_ALL = """\

# Every note is published. To keep one private, write `audience: curator` at its top.
default_audience = "public"
"""
_PUBLISH_MARKED = """\

# Only notes with `audience: public` at their top are published. To publish every note:
# default_audience = "public"
"""
_LINE_BREAKS = """\

# Each line of a paragraph is a line on the page. Remove this if "Strict line breaks" is on in Obsidian.
line_breaks = true
"""
_VAULT = """\

# Notes with the property `publish: true` are published, too.
audience_fields = ["publish"]

[audience]
true = "public"
"""
_PAGE = """\
---
title: {title}
audience: public
---

This is the first page. Change it, and add more Markdown files beside it.

## Next

- Link to another note by its title or its file name: `[[Another note]]`.
- Put `tags: [garden]` at the top of a note. The site has a page for each tag.
"""
_WORKFLOW_TEXT = """\
# Builds the site after each push, and publishes it on GitHub Pages.
# Once, in the repository's settings: Pages, Source: GitHub Actions.
name: Publish the site

on:
  push:
    branches: [main]
  workflow_dispatch:

permissions:
  contents: read
  pages: write
  id-token: write

concurrency:
  group: pages

jobs:
  publish:
    runs-on: ubuntu-latest
    environment:
      name: github-pages
      url: ${{{{ steps.deployment.outputs.page_url }}}}
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-python@v5
        with:
          python-version: "3.12"
      - run: |
          pip install "ranvier[vectors]=={version}"
          ranvier build {notes} --output public
          ranvier check public
      - uses: actions/upload-pages-artifact@v3
        with:
          path: public
      - id: deployment
        uses: actions/deploy-pages@v4
"""


class _Address(click.ParamType):  # type: ignore[type-arg]  # generic since click 8.4
    """The address of a site, as an option and as an answer."""

    name = "text"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if not is_address(value):
            self.fail(f"{value} is not an address such as https://example.org/notes/", param, ctx)
        return value


class _Folder(click.ParamType):  # type: ignore[type-arg]
    """A folder inside FOLDER, as an option and as an answer."""

    name = "text"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        FOLDER.convert(value, param, ctx)
        path = PurePosixPath(value.replace(os.sep, "/"))
        if path.is_absolute() or ".." in path.parts:
            self.fail(f"{value} is not a folder inside FOLDER", param, ctx)
        return str(path)


@click.command(epilog="Example: ranvier init --yes")
@click.argument("folder", type=FOLDER, default=Path())
@click.option("--title", help="Title of the site. Default: the name of FOLDER.")
@click.option("--notes", type=_Folder(), help="Folder of the Markdown files, inside FOLDER. Default: a folder that has some.")
@click.option(
    "--publish",
    type=click.Choice((ALL, MARKED)),
    help=f"Which notes to publish: all, or only those marked as public. Default: {MARKED}.",
)
@click.option("--url", type=_Address(), help="Address of the published site, for the feed and the sitemap. Default: none.")
@click.option("--yes", is_flag=True, help="Ask nothing, and use the defaults.")
def init(folder: Path, title: str | None, notes: str | None, publish: str | None, url: str | None, yes: bool) -> None:
    """Start a site in FOLDER: write ranvier.toml, a first page and a workflow for GitHub. Existing files stay as they are."""
    if folder.exists() and not folder.is_dir():
        raise OutputError("is not a folder", file=folder, cure="ranvier init FOLDER")

    def answer(value: str | None, question: str, default: str, **options: Any) -> str:
        if value is None:
            value = default if yes else _ask(question, default, **options)
        return value

    title = answer(title, "Title of the site", folder.resolve().name or "Notes")
    notes = answer(notes, "Folder of your notes", _notes_folder(folder), type=_Folder())
    publish = answer(publish, "Publish all notes, or only marked ones", MARKED, type=click.Choice((ALL, MARKED)))
    url = answer(url, "Address of the site, if you know it", "", type=_Address(), show_default=False)
    content = folder / notes
    vault = (content / ".obsidian").is_dir()
    top = _repository(folder)
    notes_path = PurePosixPath(os.path.relpath(content.resolve(), top).replace(os.sep, "/"))
    settings = (content if notes == "." else content.parent) / FILE  # a build looks for it in these two folders
    _write(settings, lambda: _settings(title, url, publish, vault), find_config(content))
    _write(content / "index.md", lambda: _PAGE.format(title=json.dumps(title, ensure_ascii=False)), _home(content))
    _write(top / WORKFLOW, lambda: _WORKFLOW_TEXT.format(version=__version__, notes=shlex.quote(str(notes_path))))
    # Obsidian would list the Markdown files of a site in the vault.
    out_path = os.path.relpath(content.resolve().parent / "public") if vault else "public"
    content_path, out_path = (visible(shlex.quote(name)) for name in (str(content), out_path))
    click.echo(f"\nNext: ranvier build {content_path} --output {out_path} && ranvier serve {out_path}")


def _ask(question: str, default: str, **options: Any) -> str:
    try:
        return str(click.prompt(question, default, **options))
    except click.Abort:
        if sys.stdin.isatty():  # Ctrl-C
            raise
        click.echo()
        raise BuildError(
            "the questions need a terminal", cure="ranvier init --yes uses the defaults and asks nothing"
        ) from None


def _notes_folder(folder: Path) -> str:
    """Return the folder that most likely has the notes: a vault itself, a folder with Markdown, or a new one."""
    if (folder / ".obsidian").is_dir():
        return "."
    candidates = [
        name for name in _USUAL_FOLDERS if (folder / name).is_dir() and any(map(_is_page, (folder / name).rglob("*")))
    ]
    pages = [file for file in folder.glob("*") if _is_page(file) and file.stem.lower() not in _NO_NOTES]
    return candidates[0] if candidates else "." if pages else "notes"


def _is_page(file: Path) -> bool:
    return suffix(file.name) in MARKDOWN and file.is_file()


def _repository(folder: Path) -> Path:
    """Return the top folder of the git repository that contains a folder; without a repository, the folder itself."""
    start = folder.resolve()
    return next((parent for parent in (start, *start.parents) if (parent / ".git").exists() and parent != Path.home()), start)


def _home(content: Path) -> Path | None:
    """Return the page that is the site's home page already."""
    pages = sorted(file for file in content.glob("*") if _is_page(file))
    indexes = (file for file in pages if file.stem.lower() in INDEXES)
    return next(indexes, None) or next((file for file in pages if is_home(read_neuron(content, file.name)[0])), None)


def _settings(title: str, url: str, publish: str, vault: bool) -> str:
    """Return the text of `ranvier.toml`. A string of JSON is a string of TOML, but for one control character."""
    quoted = json.dumps(title, ensure_ascii=False).replace("\x7f", "")
    address = f"url = {json.dumps(url)}\n" if url else '# url = "https://example.org/notes/" # for feed.xml and sitemap.xml\n'
    rule = _PUBLISH_ALL if publish == ALL else _PUBLISH_MARKED + (_VAULT if vault else "")
    return _SETTINGS.format(title=quoted, url=address) + (_LINE_BREAKS if vault else "") + rule


def _write(file: Path, text: Callable[[], str], existing: Path | None = None) -> None:
    """Write a new file, or say that there is one."""
    existing = existing or (file if file.exists() else None)
    if existing is not None:
        click.echo(f"Kept   {_display_path(existing)}: it is there already")
        return
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("x", encoding="utf-8", newline="\n") as stream:
            stream.write(text())
    except OSError as error:
        raise OutputError(f"cannot be written: {error.strerror}", file=file, cure="name another FOLDER") from None
    click.echo(f"Wrote  {_display_path(file)}")


def _display_path(file: Path) -> str:
    return visible(str(file.relative_to(Path.cwd()) if file.is_relative_to(Path.cwd()) else file))

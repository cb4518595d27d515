"""The order of the stages, and nothing else: read → gate → render → chunk → write → swap in."""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TypeVar

from ranvier import __version__
from ranvier.store.format import FORMAT

from ranvier_builder.assets import Assets, write_assets
from ranvier_builder.audience import Gate
from ranvier_builder.chunk import chunks
from ranvier_builder.config import Config
from ranvier_builder.model import Neuron, Page, Rendered, Report, Warn
from ranvier_builder.output import ENTRY, list_written, swapped_in
from ranvier_builder.read.files import content_files
from ranvier_builder.read.html import sections
from ranvier_builder.read.links import Links
from ranvier_builder.read.markdown import render
from ranvier_builder.read.neuron import read_neuron
from ranvier_builder.read.slugs import pages as place
from ranvier_builder.site.render import Look, Site, copy_media
from ranvier_builder.site.tree import Tree
from ranvier_builder.write.store import Stored, write_store

T = TypeVar("T")
# Told before each stage: its name, and how many steps it has (0: unknown). Called with ("", 1) after each step.
Progress = Callable[[str, int], None]

# What Pyodide's loader brings by `fetch`; its modules come by `import`. The worker asks for these before the loader can.
_FETCHED = ("pyodide.asm.wasm", "python_stdlib.zip")


def build(content: Path, out: Path, config: Config, progress: Progress | None = None) -> Report:
    """Build a site from a folder of Markdown.

    Raises:
        BuildError: with the file, the line where there is one, and the cure. The old site is as it was.

    """
    tell = progress or (lambda stage, count: None)
    report, started = Report(), time.perf_counter()
    with swapped_in(out, content) as fresh:
        neurons = _read(content, config, report, tell)
        admitted = Gate(config.publish_for, config.default_audience, config.audience).admit(neurons)
        report.withheld, report.published = admitted.withheld, len(admitted.neurons)
        report.warnings += admitted.warnings
        placed = place(admitted.neurons, config.name)
        report.warnings += _same_ids(placed)
        links = Links(content, placed)
        rendered = _render(placed, links, report, tell)
        _write(fresh, content, config, placed, links, rendered, report, tell)
        written = [file for file in fresh.rglob("*") if file.is_file()]
        report.files, report.bytes = len(written), sum(file.stat().st_size for file in written)
    report.seconds = time.perf_counter() - started
    return report


def _read(content: Path, config: Config, report: Report, tell: Progress) -> list[Neuron]:
    neurons = []
    paths = list(content_files(content, config.exclude))
    for path in _stepping("Reading", paths, tell):
        neuron, warnings = read_neuron(content, path)
        neurons.append(neuron)
        report.warnings += warnings
    report.read = len(neurons)
    return neurons


def _render(placed: list[Page], links: Links, report: Report, tell: Progress) -> list[Rendered]:
    out = []
    for page in _stepping("Rendering", placed, tell):
        root = "../" * (page.slug.count("/") + 1) if page.slug else ""
        html = render(page, links, root)
        found = sections(html.html)
        out.append(Rendered(page, html.html, found, chunks(found, page.neuron.summary), tuple(html.media)))
        report.warnings += html.warnings
    return out


def _write(
    fresh: Path,
    content: Path,
    config: Config,
    placed: list[Page],
    links: Links,
    rendered: list[Rendered],
    report: Report,
    tell: Progress,
) -> None:
    base = fresh / "_ranvier"
    base.mkdir()
    tell("Packing the engine", 0)
    assets = write_assets(base, config.theme, lambda message: tell(message, 0))
    tell("Indexing", 0)
    with tempfile.TemporaryDirectory(prefix="ranvier-") as work:
        stored = write_store(base, Path(work), rendered, config.name, assets.files)
    report.chunks = stored.chunks
    tell("Writing pages", 0)
    tree = Tree(placed, _site_title(content, config, placed))
    Site(fresh, config, tree, Look(assets.web, assets.theme), {one.page.slug: one for one in rendered}).write()
    copy_media(links, content, fresh, rendered)
    _favicon(fresh, base / assets.theme)
    (fresh / ".nojekyll").touch()  # GitHub Pages would leave out folders that begin with an underscore
    list_written(fresh)
    _entry(fresh, tree.root.title, config, assets, stored)


def _same_ids(placed: list[Page]) -> list[Warn]:
    first: dict[str, Page] = {}
    return [
        Warn(page.neuron.path, f"has the same id as {first[page.neuron.id].neuron.path}: {page.neuron.id!r}")
        for page in placed
        if first.setdefault(page.neuron.id, page) is not page
    ]


def _favicon(fresh: Path, theme: Path) -> None:
    icon = theme / "favicon.svg"
    if icon.is_file():
        (fresh / "favicon.svg").write_bytes(icon.read_bytes())


def _entry(fresh: Path, title: str, config: Config, assets: Assets, stored: Stored) -> None:
    """Write the one file without a digest in its name, last: until it is there, nothing points at the new files."""
    entry = {
        "format": FORMAT,
        "version": __version__,
        "site": {"title": title, "lang": config.lang},
        "api": f"{assets.web}/api.js",
        "engine": f"{assets.engine}/",
        "engineFiles": {name: assets.files[f"{assets.engine}/{name}"].stat().st_size for name in _FETCHED},
        "core": assets.core,
        "manifest": stored.manifest,
        "hot": stored.hot,
    }
    (fresh / ENTRY).write_text(json.dumps(entry, ensure_ascii=False, indent=1) + "\n", "utf-8", newline="\n")


def _site_title(content: Path, config: Config, placed: list[Page]) -> str:
    home = next((page.neuron.title for page in placed if not page.slug), "")
    return config.title or home or content.resolve().name


def _stepping(stage: str, items: Iterable[T], tell: Progress) -> Iterator[T]:
    todo = list(items)
    tell(stage, len(todo))
    for item in todo:
        yield item
        tell("", 1)

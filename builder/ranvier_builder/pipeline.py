"""The order of the stages, and nothing else: read → gate → render → write → prove → swap in."""

from __future__ import annotations

import time
from collections.abc import Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ranvier_builder.assets import seals
from ranvier_builder.audience import Admitted, Gate
from ranvier_builder.check import Proofs, find_leaks
from ranvier_builder.config import Config
from ranvier_builder.errors import LeakError, ReadError
from ranvier_builder.model import Neuron, Page, Progress, Rendered, Report, Warn
from ranvier_builder.output import BASE, Workspace, list_written, swapped_in
from ranvier_builder.publish import Publication, publish
from ranvier_builder.read.items import content_items
from ranvier_builder.render.backlinks import backlinks
from ranvier_builder.render.links import Links
from ranvier_builder.render.slugs import clashes
from ranvier_builder.render.slugs import pages as place
from ranvier_builder.render.tree import Tree
from ranvier_builder.site.offline import write_worker
from ranvier_builder.site.render import Look, Site, copy_media
from ranvier_builder.strict import strict_error
from ranvier_builder.tuning import tune
from ranvier_builder.work import Memory, Source, WorkingDatabase, read_items, render_pages, working_database
from ranvier_builder.write.entry import name_build


@dataclass(frozen=True, slots=True)
class Survey:
    """All that a build knows before it writes anything. `neurons` and `warnings` tell of what is withheld, too."""

    neurons: tuple[Neuron, ...]
    admitted: Admitted
    rendered: tuple[Rendered, ...]
    links: Links
    tree: Tree
    warnings: tuple[Warn, ...]
    tuning: Mapping[str, Any]


def build(
    content: Path,
    out: Path,
    config: Config,
    progress: Progress | None = None,
    *,
    executor: Executor | None = None,
    memory: Memory | None = None,
) -> Report:
    """Build a site from a folder of Markdown.

    Work is shared out to `executor`, where there is one; with a `memory`, what did not change since the last build is not
    done again. Neither changes a byte of what is written.

    Raises:
        BuildError: with the file, the line where there is one, and the cure. The old site is as it was.

    """
    tell = progress or _silent
    started = time.perf_counter()
    with swapped_in(out, content) as work, working_database(content, out, config, memory) as database:
        found = survey(content, config, tell, executor=executor, database=database)
        if not found.neurons:  # an emptied folder must not empty a site
            raise ReadError("holds nothing that could be a page", file=content, cure="name the folder with your Markdown files")
        report = _report(found)
        if config.strict and report.warnings:
            raise strict_error(report)
        _write(work, content, config, found, report, tell, database)
        _prove(work.site, content, config, tell, executor, database)
        report.weigh(work.site)
    report.seconds = time.perf_counter() - started
    return report


def survey(
    content: Path,
    config: Config,
    progress: Progress | None = None,
    *,
    executor: Executor | None = None,
    database: WorkingDatabase | None = None,
) -> Survey:
    """Read, gate, place and render a folder of Markdown; nothing is written but the memory of it."""
    tell = progress or _silent
    items, warnings, files = content_items(content, config)
    tell("Reading", len(items))
    sources = read_items(content, items, config, database, executor, lambda count: tell("", count))
    admitted = Gate(config.publish_for, config.default_audience, config.audience).admit(one.neuron for one in sources)
    placed = place(admitted.neurons, config.name)
    links = Links(content, placed, files, config, _refused(sources, admitted))
    tell("Rendering", len(placed))
    drawn = render_pages(placed, links, config, database, executor, lambda count: tell("", count))
    if database:
        database.commit()
    warnings += [warning for one in sources for warning in one.warnings]
    tree = Tree(placed, _site_title(content, config, placed))
    warnings += [*admitted.warnings, *clashes(placed), *_same_ids(placed), *tree.warnings]
    warnings += [warning for _, told in drawn for warning in told]
    neurons, rendered = tuple(one.neuron for one in sources), tuple(one for one, _ in drawn)
    tuned = tune(config, rendered)
    return Survey(neurons, admitted, rendered, links, tree, (*warnings, *tuned.warnings), tuned.values)


def _prove(
    site: Path, content: Path, config: Config, tell: Progress, executor: Executor | None, database: WorkingDatabase | None
) -> None:
    """Search what was written for what is withheld (A3). Raise `LeakError` where there is any."""
    proofs = Proofs(database.proofs() if database else frozenset())
    # After an earlier proof little is left to do, and starting processes for it would cost more than they save.
    leaks = find_leaks(site, content, config, tell, executor=None if proofs.known else executor, proofs=proofs)
    if leaks:
        raise LeakError(leaks)
    if database:
        database.keep_proofs(proofs.new)
        database.commit()


def _refused(sources: list[Source], admitted: Admitted) -> frozenset[str]:
    """Return the media of withheld Neurons: no link of a published one makes them public."""
    return frozenset(file for one in sources if one.neuron.path not in admitted.levels for file in one.neuron.files)


def _report(found: Survey) -> Report:
    links = [link for one in found.rendered for link in one.links]
    return Report(
        read=len(found.neurons),
        published=len(found.rendered),
        withheld=found.admitted.withheld,
        links=len(links),
        unresolved=sum(not (link.external or link.file or link.to is not None) for link in links),
        warnings=list(found.warnings),
    )


def _write(
    work: Workspace,
    content: Path,
    config: Config,
    found: Survey,
    report: Report,
    tell: Progress,
    database: WorkingDatabase | None,
) -> None:
    site, base = work.site, work.site / BASE
    base.mkdir()

    def write_our_worker(web: str) -> str | None:
        return write_worker(site, web, config.offline)

    assets = publish(base, work.scratch, publication_of(found, config), config, tell, report, write_our_worker)
    tell("Writing pages", 0)
    rendered = {one.page.slug: one for one in found.rendered}
    look = Look(assets.web, assets.theme, seals(assets))
    Site(site, config, found.tree, look, rendered, backlinks(found.rendered), database).write()
    copy_media(found.links, content, site, found.rendered)
    _favicon(site, base / assets.theme)
    (site / ".nojekyll").touch()  # GitHub Pages would leave out folders that begin with an underscore
    name_build(base, site)
    list_written(site, base)


def publication_of(found: Survey, config: Config) -> Publication:
    """Return what of a survey is published."""
    return Publication(found.tree.root.title, config.lang, found.rendered, found.tree, found.tuning, found.admitted.levels)


def _same_ids(placed: list[Page]) -> list[Warn]:
    first: dict[str, Page] = {}
    return [
        Warn(page.neuron.path, "duplicate", f"has the same id as {first[page.neuron.id].neuron.path}: {page.neuron.id!r}")
        for page in placed
        if first.setdefault(page.neuron.id, page) is not page
    ]


def _favicon(site: Path, theme: Path) -> None:
    icon = theme / "favicon.svg"
    if icon.is_file():
        (site / "favicon.svg").write_bytes(icon.read_bytes())


def _site_title(content: Path, config: Config, placed: list[Page]) -> str:
    home = next((page.neuron.title for page in placed if not page.slug), "")
    return config.title or home or content.resolve().name


def _silent(_: str, __: int) -> None:
    """Take progress and say nothing."""

"""The order of the stages: read → gate → render → write → prove → swap in."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from ranvier_builder.audience import Gate
from ranvier_builder.check.copy import Secret
from ranvier_builder.check.proof import Proof, tree_digest
from ranvier_builder.check.scan import FileScan, LeakHit
from ranvier_builder.config import Config, check_config
from ranvier_builder.errors import LeakError, ReadError
from ranvier_builder.heap import rare_collections, trim_heap
from ranvier_builder.model import Outline, Progress, Report, Warn, silent
from ranvier_builder.output import BASE, WORKER, list_written, replace_output
from ranvier_builder.overrides import site_overrides
from ranvier_builder.publish import publish
from ranvier_builder.read.identity import read_identity
from ranvier_builder.read.items import content_items, unread_pages
from ranvier_builder.read.language import drop_rare_guesses
from ranvier_builder.read.mkdocs import read_syntax
from ranvier_builder.read.outline import read_outline
from ranvier_builder.read.snippets import excluded, hidden
from ranvier_builder.reading import Reading, excluded_files, nothing_published, unpublishable_files, with_includes
from ranvier_builder.render.links import Links, backlinks
from ranvier_builder.render.order import contents, is_contents, ordered, toctrees
from ranvier_builder.render.site_titles import site_title, site_titles
from ranvier_builder.render.slugs import clashes, same_ids
from ranvier_builder.render.slugs import pages as place
from ranvier_builder.render.tree import Tree
from ranvier_builder.reuse import StoreCache, write_store_once
from ranvier_builder.site.identity import site_identity
from ranvier_builder.site.render import Site, copy_media
from ranvier_builder.strict import strict_error
from ranvier_builder.survey import Survey
from ranvier_builder.work.database import Memory, NoDatabase, WorkingDatabase, working_database
from ranvier_builder.work.limits import Unfinished
from ranvier_builder.work.page_store import PageMemory, PageStore
from ranvier_builder.work.pool import background, map_items
from ranvier_builder.work.read import read_items
from ranvier_builder.work.render import render_pages
from ranvier_builder.write.entry import name_build

_SCAN_SPEED = 8  # a file is scanned in an eighth of the time that Markdown of its size takes
_MANY_PAGES = 256  # from here on, the time that the lists take is longer than the start of a process


def build(
    content: Path,
    out: Path,
    config: Config,
    progress: Progress = silent,
    *,
    executor: Executor | None = None,
    memory: Memory | None = None,
    final_out: Path | None = None,
) -> Report:
    """Build a site from a folder of Markdown, and prove that nothing withheld or private has changed a byte of it.

    Work is distributed over `executor`, if any; with a `memory`, unchanged parts of the last build are reused. Neither changes
    a byte of the output. `final_out` is the final output folder, if `out` is only a part of it.

    Raises:
        BuildError: with the file, the line if known, and the cure. The old site is unchanged.

    """
    started = time.perf_counter()
    check_config(config)
    if memory:
        memory.check(content, final_out or out)
    with rare_collections(), ExitStack() as stack:
        work = stack.enter_context(replace_output(out, content))
        config = replace(config, syntax=read_syntax(content))
        database_key = final_out / config.publish_for if final_out else out
        database = stack.enter_context(working_database(content, database_key, config, memory))
        page_store = stack.enter_context(closing(PageStore(work.scratch)))
        stages = Stages(
            config, progress, executor, database, page_store, StoreCache.unpack(database.value("store"), out / BASE)
        )
        reading = stages.read_published(content, final_out or out)
        proof = stages.proof(reading, work.scratch, final_out or out)
        survey = stages.survey(reading)
        del reading  # the survey has what is needed of it
        report = survey.report(config.publish_for)
        if config.strict and report.warnings:
            raise strict_error(report)
        stages.write(survey, work.site, work.scratch, report)
        del survey  # the proof needs its memory
        report.warnings += stages.prove(proof, work.site)
        database.keep_value("store", stages.stores.record())
        database.commit()
        report.weigh(work.site)
    report.seconds = time.perf_counter() - started
    return report


def survey(content: Path, config: Config, progress: Progress = silent, *, executor: Executor | None = None) -> Survey:
    """Read, gate, place and render a folder of Markdown; nothing is written."""
    stages = Stages(config, progress, executor).with_syntax(content)
    return stages.survey(stages.read(content))


@dataclass(frozen=True, slots=True)
class Stages:
    """The stages of one build, and their shared state."""

    config: Config
    progress: Progress = silent
    executor: Executor | None = None
    database: WorkingDatabase = field(default_factory=NoDatabase)
    page_store: PageMemory = field(default_factory=PageMemory)
    stores: StoreCache = field(default_factory=StoreCache)
    outline: Outline | None = None  # of the content, for its reduced copy
    # pages that need too much time or memory: published without text, in the twin and in the site
    unfinished: dict[str, Unfinished] = field(default_factory=dict)

    def with_syntax(self, content: Path) -> Stages:
        """Return the same stages, with the syntax that the settings of another system turn on for the content."""
        return replace(self, config=replace(self.config, syntax=read_syntax(content)))

    def read_published(self, content: Path, out: Path) -> Reading:
        """Read a folder; raise `ReadError` if no file of it is published. `out` is the folder of its site."""
        reading = self.read(content)
        if not reading.sources:  # otherwise an empty folder would replace the site by an empty one
            raise ReadError(
                "contains no file that can become a page", file=content, cure="name the folder with your Markdown files"
            )
        if not reading.admitted.neurons:
            raise nothing_published(reading, out)
        return reading

    def read(self, content: Path, *, copy: bool = False) -> Reading:
        """Read a folder and gate its content; `copy`: the folder is the reduced copy of another."""
        config = self.config
        items, warnings, files = content_items(content, config)
        self.progress("Reading", len(items))
        outline = self.outline or replace(read_outline(content, files), identity=read_identity(content, config))
        sources = read_items(content, items, config, self.database, self.executor, self._step, self.page_store, copy=copy)
        if outline.excluded:
            sources = [replace(source, neuron=excluded(source.neuron, outline.excluded)) for source in sources]
        if outline.unsearched or outline.unlisted:
            sources = [replace(source, neuron=hidden(source.neuron, outline)) for source in sources]
        gate = Gate(config.publish_for, config.default_audience, config.audience)
        admitted = gate.admit((source.neuron for source in sources), outline.bundles, outline.held_folders)
        admitted = replace(admitted, neurons=drop_rare_guesses(admitted.neurons))
        warnings += [warning for source in sources for warning in source.warnings]
        warnings += outline.warnings
        reading = Reading(content, tuple(sources), admitted, files, (*warnings, *admitted.warnings), outline)
        reading = replace(reading, unpublishable=unpublishable_files(reading, gate, config))
        reading = with_includes(reading, gate, config, self.page_store)
        unread = unread_pages(content, (path for path in files if path not in reading.included), config)
        return replace(reading, warnings=(*reading.warnings, *unread))

    def survey(self, reading: Reading) -> Survey:
        """Place and render the admitted Neurons."""
        config, neurons = self.config, reading.admitted.neurons
        tables = [neuron for neuron in neurons if is_contents(neuron)]
        levels = reading.admitted.levels
        table_entries = (entry for neuron in tables for entry in contents(neuron, levels))
        entries = (*reading.outline.entries, *table_entries, *toctrees(neurons, levels))
        table_paths = {neuron.path for neuron in tables}
        name = config.title or reading.outline.title
        titled = (neuron for neuron in neurons if neuron.path not in table_paths)
        neurons_with_titles = site_titles([*titled], entries, name, config.lang, is_wiki=reading.outline.is_wiki)
        pages = place(ordered(neurons_with_titles), config.name, config.lang)
        bases = replace(config, base_paths=(*config.base_paths, reading.outline.place))
        withheld = reading.withheld
        files = (path for path in reading.files if path not in withheld)
        links = Links(reading.content, pages, files, bases, reading.unpublishable | excluded_files(reading), levels)
        self.progress("Rendering", len(pages))
        results = render_pages(pages, links, config, self.database, self.executor, self._step, self.unfinished, self.page_store)
        self.database.commit()
        pages = [page.page for page, _ in results]
        title = name or site_title(pages, reading.content.resolve().name, reading.outline.repository)
        tree = Tree(pages, title, replace(reading.outline, entries=entries), config.lang)
        warnings = [*reading.warnings, *clashes(pages, config.lang), *same_ids(pages), *tree.warnings]
        warnings += [warning for _, page_warnings in results for warning in page_warnings]
        neurons, rendered = tuple(source.neuron for source in reading.sources), tuple(page for page, _ in results)
        tuning, tuning_warnings = site_overrides(config, rendered)
        identity = site_identity(reading.outline.identity, links.media)
        warnings += [*tuning_warnings, *identity.warnings]
        return Survey(neurons, reading.admitted, rendered, links.media, tree, tuple(warnings), tuning, identity)

    def write(self, survey: Survey, site: Path, scratch: Path, report: Report) -> None:
        """Write a site into an empty folder."""
        trim_heap()
        base, config = site / BASE, self.config
        base.mkdir()
        published = survey.publication(config)
        executor = self.executor if len(survey.rendered) >= _MANY_PAGES else None
        write = partial(write_store_once, cache=self.stores, start=partial(background, executor))
        assets = publish(base, scratch, published, config, self.progress, report, site / WORKER, write)
        self.progress("Writing pages", 0)
        rendered = {page.page.slug: page for page in survey.rendered}
        links, variables = backlinks(survey.rendered), survey.identity.variables
        Site(site, config, survey.tree, assets, rendered, links, survey.media, self.database, variables).write()
        copy_media(survey.media, site, survey.rendered, survey.identity.files)
        if (icon := base / assets.theme / "favicon.svg").is_file():
            shutil.copyfile(icon, site / icon.name)  # browsers look for it there
        (site / ".nojekyll").touch()  # GitHub Pages skips folders that start with an underscore
        name_build(base, site)
        list_written(site, base)

    def proof(self, reading: Reading, scratch: Path, out: Path | None = None) -> Proof:
        """Start the proof: make a copy without withheld content, and build the copy.

        It is built before the site, so that all reused results were made without withheld content. If the digest of the site
        for this copy is already known, the copy is built only if the new site differs, and then without reuse.
        """
        published = reading.admitted.paths
        admitted = published.union(reading.files) - reading.withheld - reading.unpublishable
        with_reuse = replace(self, outline=reading.outline)
        without_reuse = replace(with_reuse, database=NoDatabase(), stores=StoreCache())
        proof = Proof(
            reading.content,
            self.config,
            scratch,
            admitted,
            published,
            without_reuse._build_copy,
            out=out,
            included=reading.included,
            scan_files=partial(_scan_files, self.executor),
        )
        copy, _ = self.database.value("proof") or (b"", b"")
        if proof.copy.differs and copy != proof.copy.digest:
            proof.build_twin(with_reuse._build_copy)
        return proof

    def prove(self, proof: Proof, site: Path) -> list[Warn]:
        """Finish the proof: raise `LeakError` if the site differs from its twin; return the warnings of a text scan."""
        if not proof.copy.differs:
            self.database.commit()
            return []
        self.progress("Proving", 0)
        digest, database = tree_digest(site), self.database
        is_known = database.value("proof") == (proof.copy.digest, digest)
        differences = [] if is_known else proof.compare(site)
        hits, clean_digests = proof.scan(site, differences, database.value("clean") or ())
        if differences:
            raise LeakError(list(proof.leaks(site, differences, hits)))
        database.keep_value("proof", (proof.copy.digest, digest))
        database.keep_value("clean", sorted(clean_digests))
        database.commit()
        return _leak_warnings(hits)

    def _build_copy(self, content: Path, site: Path, scratch: Path) -> None:
        stages = replace(self, progress=silent)
        stages.write(stages.survey(stages.read(content, copy=True)), site, scratch, Report())

    def _step(self, count: int) -> None:
        self.progress("", count)


def _scan_files(executor: Executor | None, scan: FileScan, names: Sequence[str]) -> Iterator[tuple[bytes, list[Secret]]]:
    return map_items(scan, names, lambda name: (scan.site / name).stat().st_size // _SCAN_SPEED, executor)


def _leak_warnings(hits: list[LeakHit]) -> list[Warn]:
    """Return one warning for each text, even if several files contain it."""
    files: dict[tuple[str, int, str], list[str]] = {}
    for hit in hits:
        files.setdefault((hit.path, hit.line, hit.words), []).append(hit.file)
    return [
        Warn(path, "leak", f"occurs in {_files_phrase(names)}, but in no published text: {words!r}", line)
        for (path, line, words), names in sorted(files.items())
    ]


def _files_phrase(files: list[str]) -> str:
    return f"{files[0]} and {len(files) - 1} more files" if len(files) > 1 else files[0]

"""Published pages → the search files below `_ranvier/`: shared by `ranvier build` and `ranvier index`."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any

from ranvier_builder.assets import Assets, write_assets
from ranvier_builder.config import Config
from ranvier_builder.embed.models import lacks_model, model_of
from ranvier_builder.model import Progress, Rendered, Report
from ranvier_builder.output import LICENSES
from ranvier_builder.render.tree import Tree
from ranvier_builder.site.theme import load_theme
from ranvier_builder.write.entry import write_entry
from ranvier_builder.write.facts import Collection, ancestors, languages
from ranvier_builder.write.folders import folder_columns
from ranvier_builder.write.listing import write_lists_of_files
from ranvier_builder.write.store import StoreResult, write_store


@dataclass(frozen=True, slots=True)
class Publication:
    """The published content of a site, for any generator."""

    title: str
    lang: str
    rendered: Sequence[Rendered]
    tree: Tree
    tuning: Mapping[str, Any]
    levels: Mapping[str, int] = field(default_factory=dict)  # path → 0 public, 1 tool, 2 curator; default: public
    has_folder_pages: bool = True  # each folder without a page of its own has a generated one


def publish(
    base: Path,
    scratch: Path,
    publication: Publication,
    config: Config,
    progress: Progress,
    report: Report,
    worker: Path,
    write: Callable[..., StoreResult] | None = None,
) -> Assets:
    """Write all search files below `base`, the entry file last.

    Args:
        base: the empty `_ranvier` folder.
        scratch: a folder for unpublished files.
        publication: the published content.
        config: the site's settings.
        progress: receives the progress.
        report: receives the counts.
        worker: the service worker's file, in the base or in the folder that contains it.
        write: is called instead of `write_store`, with the same arguments.

    Returns:
        The names of the files that pages refer to.

    """
    rendered = publication.rendered
    progress("Packing the engine", 0)
    langs = languages(rendered, config.lang)
    assets = write_assets(base, load_theme(config).static, lambda message: progress(message, 0), langs)
    (base / LICENSES).write_bytes((files("ranvier_web") / LICENSES).read_bytes())
    progress("Indexing", 0)
    collection = collection_of(publication, config)
    stored = (write or write_store)(base, scratch, rendered, collection, assets.files)
    report.chunks, report.vectors = stored.chunks, stored.vectors
    report.lacks_model = lacks_model(config.search)
    if collection.model is not None:
        report.model, report.model_langs = collection.model.name, collection.model.langs
    extra_fields = write_lists_of_files(base) | {"offline": write_worker(worker, base, assets.web, config.offline)}
    write_entry(base, publication.title, publication.lang, assets, stored, extra_fields)
    return assets


def collection_of(publication: Publication, config: Config) -> Collection:
    """Return the data for index writing that is not part of the pages themselves."""
    return Collection(
        config.name,
        config.lang,
        above=ancestors(publication.tree, publication.rendered),
        levels=publication.levels,
        folders=folder_columns(publication.tree, publication.rendered, publication.has_folder_pages),
        tuning=publication.tuning,
        substring=config.search.substring,
        model=model_of(config.search),
    )


def write_worker(file: Path, base: Path, web: str, works_offline: bool) -> str | None:
    """Write a site's service worker. It only imports current modules; its name is fixed, because browsers identify it by name.

    Args:
        file: in the site's root, so that its scope includes every page; or in the base, if the rest of the site is not ours.
        base: the `_ranvier` folder.
        web: the name of the modules' folder below the base.
        works_offline: whether the site works offline. Otherwise the worker removes an older worker.

    Returns:
        Its address relative to the base, for `entry.json`; `None` if the site does not work offline.

    """
    modules = (base / web).relative_to(file.parent).as_posix()
    module = "service-worker" if works_offline else "removal"
    file.write_text(f'import "./{modules}/offline/{module}.js";\n', "utf-8", newline="\n")
    return Path(os.path.relpath(file, base)).as_posix() if works_offline else None

"""The search files of a site and of its reduced copy: made once, where both are made from the same.

The copy's come first, so that what is used again was made without what is withheld. What the files are made from is cut down
to what may be in them, and all that is left is compared: a page's own Markdown, which is never in them, tells nothing.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from ranvier_builder.model import Link, Page, Rendered
from ranvier_builder.work import codec
from ranvier_builder.work.page_store import StoredPage
from ranvier_builder.write.facts import Collection
from ranvier_builder.write.store import StoreResult, write_store


@dataclass(slots=True)
class StoreCache:
    """The search files that were written last. `files` are relative to `base`."""

    key: bytes = b""  # a digest of all that they were made from
    base: Path = Path()
    files: tuple[Path, ...] = ()
    stored: StoreResult | None = None


def write_store_once(
    base: Path, work: Path, rendered: Sequence[Rendered], collection: Collection, assets: dict[str, Path], cache: StoreCache
) -> StoreResult:
    """Do what `write_store` does; where the last files were made from the same, take those."""
    pages = [_searched(page) for page in rendered]
    key = _key(pages, collection, assets)
    if cache.stored is not None and cache.key == key:
        for file in cache.files:
            _take(cache.base / file, base / file)
        return cache.stored
    before = _files(base)
    cache.stored = None
    stored = write_store(base, work, pages, collection, assets)
    cache.key, cache.base, cache.files, cache.stored = key, base, tuple(sorted(_files(base) - before)), stored
    return stored


def _searched(rendered: Rendered) -> Rendered:
    """Leave out of a page what its search files are not made from."""
    neuron = rendered.page.neuron
    note = neuron.user_note if neuron.user_note_shared else ""
    bare = replace(neuron, line=0, audience=None, order=None, user_note=note, addresses=(), files=(), extra=())
    bare = replace(bare, body="", summary="", parent="", label="", lang_guessed=False)
    page = Page(bare, rendered.page.seq, rendered.page.seq_id, rendered.page.slug, rendered.page.url, rendered.page.is_index)
    links = tuple(Link("", link.to) for link in rendered.links if link.to is not None)
    return rendered.bare(page, links)


def _key(pages: Sequence[Rendered], collection: Collection, assets: Mapping[str, Path]) -> bytes:
    model = collection.model and (collection.model.name, collection.model.langs)
    plain = [sorted(value.items()) if isinstance(value, Mapping) else value for value in (collection.above, collection.levels)]
    rest = (collection.name, collection.lang, *plain, repr(collection.tuning), collection.substring, model)
    seal = sha256(repr(rest).encode("utf-8", "surrogatepass"))
    for name, file in sorted(assets.items()):
        seal.update(name.encode() + b"\0" + sha256(file.read_bytes()).digest())
    for page in pages:
        texts = page.digest if isinstance(page, StoredPage) else codec.pack((page.sections, page.chunks, page.terms))
        seal.update(sha256(codec.pack((page.page, page.links, texts))).digest())
    return seal.digest()


def _files(base: Path) -> set[Path]:
    return {file.relative_to(base) for file in base.rglob("*") if file.is_file()}


def _take(file: Path, target: Path) -> None:
    """Make a file a name of another rendered; a copy where the file system has rendered name for each."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with suppress(OSError):
        os.link(file, target)
        return
    shutil.copyfile(file, target)

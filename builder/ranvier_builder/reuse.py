"""Cache the search files of a site: one build writes them once for the site and its reduced copy; the next build reuses them.

They are reused if their input is the same, and if each file still has the digest in its name. The reduced copy is written
first, so reused files contain no withheld content. The key covers all input that the files can contain; a page's Markdown is
never in them, and is not part of the key.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from ranvier.store.format import digest

from ranvier_builder.embed.models import StaticModel
from ranvier_builder.model import Page, Rendered
from ranvier_builder.paths import files_below
from ranvier_builder.work import codec
from ranvier_builder.work.page_store import StoredPage
from ranvier_builder.write.facts import Collection
from ranvier_builder.write.store import Start, StoreResult, start_later, write_store


@dataclass(slots=True)
class StoreCache:
    """The search files of the last run. `files` are relative to `base`, and each has its digest in its name."""

    key: bytes = b""  # digest of their input
    base: Path = Path()
    files: tuple[str, ...] = ()
    stored: StoreResult | None = None

    @classmethod
    def unpack(cls, record: Any, base: Path) -> StoreCache:
        """Return the search files of the last build, which are below `base`."""
        if record is None:
            return cls()
        key, names, stored = record
        return cls(key, base, names, StoreResult(*stored))

    def record(self) -> tuple[Any, ...]:
        """Return a record for the next build."""
        return self.key, self.files, self.stored

    def is_intact(self) -> bool:
        """Return whether the digest in each file's name is the digest of its bytes."""
        try:
            return all(digest((self.base / name).read_bytes()).hex() in name.rpartition("/")[2] for name in self.files)
        except OSError:
            return False


def write_store_once(
    base: Path,
    work: Path,
    rendered: Sequence[Rendered],
    collection: Collection,
    assets: dict[str, Path],
    *,
    cache: StoreCache,
    start: Start = start_later,
) -> StoreResult:
    """Call `write_store`, or reuse the last files if their input is the same."""
    pages = [_search_data(page) for page in rendered]
    key = _key(pages, collection, assets)
    if cache.stored is not None and cache.key == key and cache.is_intact():
        for name in cache.files:
            _link_or_copy(cache.base / name, base / name)
        return cache.stored
    old_names = {*files_below(base)}
    cache.stored = None
    stored = write_store(base, work, pages, collection, assets, start)
    written = tuple(name for name in files_below(base) if name not in old_names)
    cache.key, cache.base, cache.files, cache.stored = key, base, written, stored
    return stored


def _search_data(rendered: Rendered) -> Rendered:
    """Return a page with only the data that the search files use."""
    neuron = rendered.page.neuron
    note = neuron.user_note if neuron.user_note_shared else ""
    neuron = replace(neuron, line=0, audience=None, order=None, user_note=note, addresses=(), files=(), extra=())
    neuron = replace(neuron, markdown="", summary="", parent="", lang_guessed=False)
    page = Page(neuron, rendered.page.seq, rendered.page.seq_id, rendered.page.slug, rendered.page.url, rendered.page.is_index)
    return rendered.without_text(page)


def _key(pages: Sequence[Rendered], collection: Collection, assets: Mapping[str, Path]) -> bytes:
    model = collection.model and _model_digest(collection.model)
    plain = [sorted(value.items()) if isinstance(value, Mapping) else value for value in (collection.above, collection.levels)]
    settings = (repr(collection.tuning), repr(collection.folders), collection.substring, model)
    inputs = (collection.name, collection.lang, *plain, *settings)
    hasher = sha256(repr(inputs).encode("utf-8", "surrogatepass"))
    for name, file in sorted(assets.items()):
        hasher.update(name.encode() + b"\0" + sha256(file.read_bytes()).digest())
    for page in pages:
        parts = page.digest if isinstance(page, StoredPage) else (page.links, page.sections, page.chunks, page.terms)
        hasher.update(sha256(codec.pack((page.page, parts))).digest())
    return hasher.digest()


def _model_digest(model: StaticModel) -> bytes:
    reader = model.tokenizer
    facts = (model.name, model.langs, model.rows.dtype.str, reader.kind, sorted(reader.options.items()), reader.vocabulary)
    hasher = sha256(repr(facts).encode("utf-8", "surrogatepass"))
    hasher.update(model.rows.tobytes())
    return hasher.digest()


def _link_or_copy(file: Path, target: Path) -> None:
    """Hard-link a file; copy it if the file system has no hard links."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with suppress(OSError):
        os.link(file, target)
        return
    shutil.copyfile(file, target)

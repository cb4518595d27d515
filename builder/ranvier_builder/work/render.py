"""Render pages: a page is rendered again only if its file, or the target of one of its links, changed.

This is the verifying trace of build systems (Mokhov, Mitchell, Peyton Jones: Build systems à la carte, 2018): a page's HTML is
stored with its link lookups and their results; if the results are still the same, so is the HTML.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from functools import partial
from hashlib import sha256

from ranvier_builder.config import Config
from ranvier_builder.model import Chunk, Link, Page, Rendered, Row, Terms, Warn
from ranvier_builder.render.chunk import chunks
from ranvier_builder.render.html import sections
from ranvier_builder.render.links import Links
from ranvier_builder.render.markdown import render
from ranvier_builder.render.transclusion import embedded_pages
from ranvier_builder.work import codec
from ranvier_builder.work.database import WorkingDatabase
from ranvier_builder.work.limits import SIMPLIFY, Unfinished, each
from ranvier_builder.work.page_store import PageMemory
from ranvier_builder.work.pool import is_small, map_batches, shared
from ranvier_builder.write.analyse import analyse, terms_of

Lookups = tuple[tuple[tuple[str, str, str], tuple[str, ...] | None], ...]
_Job = tuple[Page, tuple[Page, ...]]  # a page, and the pages whose text it may embed
RenderedPage = tuple[Rendered, tuple[Warn, ...], Lookups]


def render_pages(
    pages: Sequence[Page],
    links: Links,
    config: Config,
    database: WorkingDatabase,
    executor: Executor | None,
    progress: Callable[[int], None],
    unfinished: dict[str, Unfinished],
    page_store: PageMemory,
) -> list[tuple[Rendered, tuple[Warn, ...]]]:
    """Render every page, in order. A page that takes too much time or memory has no text; the next build tries it again.

    `unfinished` has such pages by path: pages in it are skipped, and new ones are added.
    """
    cached = database.pages()
    embedded = embedded_pages(pages, links)
    results: dict[str, tuple[Rendered, tuple[Warn, ...]]] = {}
    todo = []
    for page in pages:
        path = page.neuron.path
        key = cached.get(path)
        if key and key == _key(page, embedded.get(path, ())) and _same_targets(links, database.lookups(path)):
            rendered, warnings = _from_cache(page, database)
            results[path] = page_store.put(rendered), warnings
            progress(1)
        elif path not in unfinished:
            todo.append((page, embedded.get(path, ())))
    executor = None if is_small(todo, _weight) else executor  # so that nothing is pickled for it
    with shared((links, config), executor, page_store.folder) as context:
        outcomes = map_batches(partial(_render_batch, context), todo, _weight, executor, progress)
        for (page, texts), outcome in zip(todo, outcomes, strict=True):
            if isinstance(outcome, Unfinished):
                unfinished[page.neuron.path] = outcome
                continue
            rendered, warnings, lookups = outcome
            # The page that another process returns is a copy, with its Markdown in memory.
            results[page.neuron.path] = page_store.put(replace(rendered, page=page)), warnings
            _store(database, _key(page, texts), rendered, warnings, lookups)
    for page in pages:
        if page.neuron.path not in results:
            rendered, warnings = _without_text(page, unfinished[page.neuron.path], links, config)
            results[page.neuron.path] = page_store.put(rendered), warnings
    database.forget_pages(results)
    return [results[page.neuron.path] for page in pages]


def render_page(page: Page, links: Links, config: Config, embedded: tuple[Page, ...] = ()) -> RenderedPage:
    """Render one page, split it into chunks, and compute their terms; `embedded` are the pages whose text it may embed."""
    root = "../" * (page.slug.count("/") + 1) if page.slug else ""
    html = render(page, links, root, config, embedded)
    parts = sections(html.html)
    page_chunks = chunks(parts, page.neuron.summary, page.neuron.extra)
    terms = analyse(page.neuron, page_chunks, config.lang, (page.slug, page.url))
    rendered = Rendered(page, html.html, parts, page_chunks, tuple(html.media), tuple(html.links), terms)
    return rendered, tuple(html.warnings), tuple(sorted(html.lookups.items()))


def _without_text(page: Page, unfinished: Unfinished, links: Links, config: Config) -> tuple[Rendered, tuple[Warn, ...]]:
    rendered, warnings, _ = render_page(replace(page, neuron=replace(page.neuron, markdown="")), links, config)
    message = f"{unfinished.reason}: published without its text; {SIMPLIFY}"
    return rendered, (*warnings, Warn(page.neuron.path, "limit", message))


def _render_batch(context: Callable[[], tuple[Links, Config]], pages: list[_Job]) -> list[RenderedPage | Unfinished]:
    links, config = context()
    return each(lambda job: render_page(job[0], links, config, job[1]), pages, _weight)


def _weight(job: _Job) -> int:
    return len(job[0].neuron.body) + sum(len(page.neuron.body) for page in job[1])


def _key(page: Page, embedded: tuple[Page, ...]) -> bytes:
    """Return a key of a page's inputs except link targets: its Neuron after the gate, the texts it embeds, and its slug."""
    texts = [(text.slug, text.neuron.path, text.neuron.title, text.neuron.body) for text in embedded]
    return sha256(codec.pack((page.neuron, texts))).digest() + page.slug.encode("utf-8", "surrogatepass")


def _same_targets(links: Links, lookups: bytes) -> bool:
    return all(links.look_up(lookup) == target for lookup, target in codec.unpack(lookups))


def _store(database: WorkingDatabase, key: bytes, rendered: Rendered, warnings: tuple[Warn, ...], lookups: Lookups) -> None:
    terms = terms_of(rendered)
    parts = codec.pack((rendered.sections, rendered.chunks, rendered.media, rendered.links, terms.whole, terms.words, warnings))
    database.keep_page(rendered.page.neuron.path, key, codec.pack(lookups), rendered.html, parts, terms.rows)


def _from_cache(page: Page, database: WorkingDatabase) -> tuple[Rendered, tuple[Warn, ...]]:
    html, data = database.page(page.neuron.path)
    parts, page_chunks, media, links, whole, words, warnings = codec.unpack(data)
    terms = Terms(database.rows(page.neuron.path), Row(*whole), words)
    rendered = Rendered(
        page, html, codec.sections(parts), codec.decoded(Chunk, page_chunks), media, codec.decoded(Link, links), terms
    )
    return rendered, codec.decoded(Warn, warnings)

"""I3: during a build, page texts are on disk and not in memory; the output has the same bytes."""

import pickle
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from unittest.mock import patch

import pytest
from ranvier_builder import build, publish
from ranvier_builder.config import Config
from ranvier_builder.model import Link, Rendered, Section, StoredText
from ranvier_builder.reuse import _key
from ranvier_builder.search_settings import SearchSettings
from ranvier_builder.survey import Survey
from ranvier_builder.work import codec
from ranvier_builder.work.page_store import PageMemory, PageStore
from ranvier_builder.work.pool import pool
from ranvier_builder.write.analyse import analyse
from ranvier_builder.write.facts import Collection
from support.content import generated, read_tree, stub_assets, write_tree

FILES: dict[str, str | bytes] = {
    "index.md": "# Harbour\n\nBoats, tides. <!-- a secret -->\n\n## Boats\n\nSee [tides](tides.md).",
    "tides.md": "---\ntags: [sea]\nnote: mine\n---\n# Tides\n\nIt rises, “they” say.\n\n## Spring\n\nHigh.",
    "cellar.md": "---\naudience: curator\n---\n# Cellar\n\nDungeon.",
}


@pytest.fixture
def page_store(tmp_path: Path) -> Iterator[PageStore]:
    with closing(PageStore(tmp_path)) as store:
        yield store


def pages() -> list[Rendered]:
    rendered = []
    for item in generated(3):
        sections = (Section("a", ("A",), (2,), ()), Section("b", ("A", "B \ud800"), (2, 3), ()))
        terms = analyse(item.page.neuron, item.chunks)
        rendered.append(replace(item, html=f"<p>“{item.page.slug}”", sections=sections, terms=terms, links=(Link("x", "y"),)))
    return rendered


def test_page_store_returns_stored_pages(page_store: PageStore) -> None:
    """In any order, also after later writes."""
    plain = pages()
    pages_of_store = [page_store.put(item) for item in plain[:2]]
    assert pages_of_store[1].chunks == plain[1].chunks
    pages_of_store.append(page_store.put(plain[2]))
    for item, other in reversed([*zip(pages_of_store, plain, strict=True)]):
        assert (item.html, item.sections, item.chunks, item.terms) == (other.html, other.sections, other.chunks, other.terms)
        assert (item.page, item.links, item.media) == (other.page, other.links, other.media)


def test_other_processes_read_stored_pages(page_store: PageStore) -> None:
    plain = pages()
    stored = [page_store.put(item) for item in plain]
    with pool(2) as executor:
        assert executor
        texts = executor.submit(partial(getattr, stored[1]), "html"), executor.submit(partial(getattr, stored[2]), "terms")
        assert [text.result() for text in texts] == [plain[1].html, plain[2].terms]


def test_markdown_has_no_file_name(page_store: PageStore, tmp_path: Path) -> None:
    """Markdown of withheld files must not remain if a build is killed."""
    page_store.without_body(replace(pages()[0].page.neuron, markdown="It is secret."))
    assert [file.name for file in tmp_path.iterdir()] == ["pages"]


def test_markdown_is_read_on_access(page_store: PageStore) -> None:
    """A process that gets a pickled Neuron has no access to the file: it gets the text."""
    plain = [replace(item.page.neuron, markdown=f"It is long \ud800 {item.page.slug}.") for item in pages()]
    stored = [page_store.without_body(neuron) for neuron in plain]
    assert [neuron.body for neuron in stored] == [neuron.body for neuron in plain]
    assert pickle.loads(pickle.dumps(stored)) == plain
    assert codec.pack(stored) == codec.pack(plain)
    assert all(isinstance(neuron.markdown, StoredText) and page_store.without_body(neuron) is neuron for neuron in stored)


def test_search_files_depend_on_page_texts_only(page_store: PageStore) -> None:
    """Not on HTML or on the place in the store."""
    rendered = pages()[0]

    def key(page: Rendered) -> bytes:
        return _key([page_store.put(page).without_text(page.page)], Collection("site"), {})

    terms = rendered.terms
    assert terms is not None
    assert key(rendered) == key(rendered) == key(replace(rendered, html="<p>other"))
    others = [
        replace(rendered, chunks=(*rendered.chunks[:-1], replace(rendered.chunks[-1], body="other"))),
        replace(rendered, sections=rendered.sections[:1]),
        replace(rendered, terms=replace(terms, words="other")),
        replace(rendered, terms=replace(terms, rows=terms.rows[:-1])),
        replace(rendered, links=()),
    ]
    assert key(rendered) == key(replace(rendered, links=tuple(replace(link, target="other") for link in rendered.links)))
    assert len({key(rendered), *map(key, others)}) == 1 + len(others)


def test_no_page_text_is_in_memory_while_writing(tmp_path: Path) -> None:
    """Neither of published nor of withheld pages, nor copies of processes; the site is the same without a page store."""
    many = {f"buoys/{number}.md": f"# Buoy {number}" for number in range(64)}  # so many that processes render them
    content = write_tree(tmp_path / "content", FILES | many)
    config = Config(default_audience="public", search=SearchSettings(vectors=False))
    results: list[bool] = []

    def noted(survey: Survey, settings: Config) -> publish.Publication:
        neurons = (*survey.neurons, *survey.admitted.neurons, *(page.page.neuron for page in survey.rendered))
        nodes = [node.page.neuron for node in survey.tree if node.page is not None]
        results.append(any(neuron.markdown and isinstance(neuron.markdown, str) for neuron in (*neurons, *nodes)))
        return publication(survey, settings)

    publication = Survey.publication
    with patch.object(publish, "write_assets", stub_assets), patch.object(Survey, "publication", noted):
        with pool(2) as executor:
            build(content, tmp_path / "stored", config, executor=executor)
        assert results == [False, False]  # of the reduced copy, and of the site
        with patch.multiple(PageStore, put=PageMemory.put, without_body=PageMemory.without_body):
            build(content, tmp_path / "plain", config)
    assert results == [False, False, True, True]
    assert read_tree(tmp_path / "stored") == read_tree(tmp_path / "plain")

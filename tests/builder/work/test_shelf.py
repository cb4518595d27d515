"""I3: while a build runs, the texts of its pages are on disk and not in memory; what is made of them has the same bytes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import pytest
from ranvier_builder import Config, build, pipeline, publish
from ranvier_builder.config import Config as Settings
from ranvier_builder.model import Link, Rendered, Section
from ranvier_builder.reuse import _key
from ranvier_builder.search_settings import SearchSettings
from ranvier_builder.work import Shelf
from ranvier_builder.write.analyse import analysed
from ranvier_builder.write.facts import Collection
from support.content import generated, stub_assets, write_tree

FILES: dict[str, str | bytes] = {
    "index.md": "# Harbour\n\nBoats, tides. <!-- a secret -->\n\n## Boats\n\nSee [tides](tides.md).",
    "tides.md": "---\ntags: [sea]\nnote: mine\n---\n# Tides\n\nIt rises, “they” say.\n\n## Spring\n\nHigh.",
    "cellar.md": "---\naudience: curator\n---\n# Cellar\n\nDungeon.",
}


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    with closing(Shelf(tmp_path / "pages")) as one:
        yield one


def pages() -> list[Rendered]:
    made = []
    for one in generated(3):
        sections = (Section("a", ("A",), (2,), ()), Section("b", ("A", "B \ud800"), (2, 3), ()))
        terms = analysed(one.page.neuron, one.chunks)
        made.append(replace(one, html=f"<p>“{one.page.slug}”", sections=sections, terms=terms, links=(Link("x", "y"),)))
    return made


def test_a_page_reads_what_was_put(shelf: Shelf) -> None:
    """In any order, and after others were put."""
    plain = pages()
    shelved = [shelf.put(one) for one in plain[:2]]
    assert shelved[1].chunks == plain[1].chunks
    shelved.append(shelf.put(plain[2]))
    for one, other in reversed([*zip(shelved, plain, strict=True)]):
        assert (one.html, one.sections, one.chunks, one.terms) == (other.html, other.sections, other.chunks, other.terms)
        assert (one.page, one.links, one.media) == (other.page, other.links, other.media)


def test_markdown_is_let_go_of(shelf: Shelf) -> None:
    one = pages()[0]
    page = replace(one.page, neuron=replace(one.page.neuron, body="It is long."))
    assert shelf.put(replace(one, page=page)).page == one.page


def test_search_files_are_of_the_same_pages(shelf: Shelf) -> None:
    """Each text counts; what is no part of the search files does not: HTML, and where a page was put."""
    one = pages()[0]

    def key(page: Rendered) -> bytes:
        return _key([shelf.put(page).bare(page.page, page.links)], Collection("site"), {})

    terms = one.terms
    assert terms is not None
    assert key(one) == key(one) == key(replace(one, html="<p>other"))
    others = [
        replace(one, chunks=(*one.chunks[:-1], replace(one.chunks[-1], body="other"))),
        replace(one, sections=one.sections[:1]),
        replace(one, terms=replace(terms, words="other")),
        replace(one, terms=replace(terms, rows=terms.rows[:-1])),
        replace(one, links=()),
    ]
    assert len({key(one), *map(key, others)}) == 1 + len(others)


def test_no_text_is_in_memory_when_a_site_is_written(tmp_path: Path) -> None:
    """Neither the pages' nor that of what is withheld; the site is what it is without a shelf."""
    content = write_tree(tmp_path / "content", FILES)
    config = Config(default_audience="public", search=SearchSettings(vectors=False))
    seen: list[bool] = []

    def noted(survey: pipeline.Survey, settings: Settings) -> publish.Publication:
        neurons = (*survey.neurons, *survey.admitted.neurons, *(one.page.neuron for one in survey.rendered))
        nodes = [node.page.neuron for node in survey.tree if node.page is not None]
        seen.append(any(neuron.body for neuron in (*neurons, *nodes)))
        return publication(survey, settings)

    publication = pipeline.publication_of
    with patch.object(publish, "write_assets", stub_assets), patch.object(pipeline, "publication_of", noted):
        build(content, tmp_path / "shelved", config)
        assert seen == [False, False]  # of the reduced copy, and of the site
        with patch.object(Shelf, "put", lambda _, one: one):
            build(content, tmp_path / "plain", config)
    assert seen == [False, False, True, True]
    written = [tmp_path / "shelved", tmp_path / "plain"]
    sites = [{file.relative_to(site): file.read_bytes() for file in site.rglob("*") if file.is_file()} for site in written]
    assert sites[0] == sites[1]

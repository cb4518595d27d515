"""A3: the build is broken in many ways, so that withheld text reaches a later stage; the proof finds each.

A broken stage takes the text from the pages that the build withholds, as a real mistake does. The copy has no such pages.
"""

from __future__ import annotations

import dataclasses
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from leaks.tree import CONFIG, garden
from ranvier import text
from ranvier.text import terms
from ranvier_builder import audience, build, pipeline, publish, reuse
from ranvier_builder.errors import Leak, LeakError
from ranvier_builder.markdown import dialects
from ranvier_builder.markdown.dialects.source import MarkdownSource
from ranvier_builder.model import Neuron, Page, Row
from ranvier_builder.pipeline import Reading, Stages
from ranvier_builder.read import items, neuron, values
from ranvier_builder.site.render import Site
from ranvier_builder.survey import Survey
from ranvier_builder.work import render as rendering
from ranvier_builder.work.database import Memory, NoDatabase
from ranvier_builder.write import shards, snapshot, store, vectors
from ranvier_builder.write.facts import Facts
from support.content import build_without_engine, read_tree, stub_assets

Break = Callable[[], AbstractContextManager[Any]]
MERGER = "plans/merger.md"
withheld: dict[str, Neuron] = {}  # pages that the current build withholds


@contextmanager
def watching() -> Iterator[None]:
    """Before each stage, note what the gate has withheld of the folder that the stage works on; its text is gone after one."""
    neurons: dict[str, Neuron] = {}

    def recording(name: str, sources: Callable[[Any], list[Neuron]]) -> AbstractContextManager[Any]:
        true = getattr(Stages, name)

        def stage(self: Stages, subject: Reading | Survey, *args: Any, **options: Any) -> Any:
            result = sources(subject)
            neurons.update({item.path: item for item in result if item.body})
            withheld.clear()
            withheld.update(
                {item.path: neurons.get(item.path, item) for item in result if item.path not in subject.admitted.paths}
            )
            return true(self, subject, *args, **options)

        return patch.object(Stages, name, stage)

    with (
        recording("survey", lambda reading: [source.neuron for source in reading.sources]),
        recording("write", lambda first: first.neurons),
    ):
        yield


def leaking(owner: Any, name: str, change: Callable[[Any, Neuron], Any]) -> Break:
    """Change the result of a function with data of a withheld page, if the content has this page."""
    true = getattr(owner, name)

    def fail(*args: Any, **kwargs: Any) -> Any:
        result = true(*args, **kwargs)
        return change(result, withheld[MERGER]) if MERGER in withheld else result

    return lambda: patch.object(owner, name, fail)


def replaced(owner: Any, name: str, by: Any) -> Break:
    return lambda: patch.object(owner, name, by)


def without_audience() -> AbstractContextManager[Any]:
    neurons = items.read_neuron

    def read_neuron(*args: Any) -> Any:
        page, warnings = neurons(*args)
        return dataclasses.replace(page, audience=None), warnings

    return patch.object(items, "read_neuron", read_neuron)


def all_neurons(folder: Path, config: Any) -> Any:
    return items.content_items(folder, dataclasses.replace(config, exclude=(), include=("*", ".trash/*")))


def adding_html(markup: Callable[[Neuron], str]) -> Break:
    def change(html: Any, page: Neuron) -> Any:
        html.html += markup(page)
        return html

    return leaking(rendering, "render", change)


def copying(media: Any, out: Path, *files: Any) -> None:
    TRUE_COPY(media, out, *files)
    root = media._root
    (out / "_media").mkdir(exist_ok=True)
    for file in ("plans/map.png", "talk.mp3"):
        if (root / file).exists():
            shutil.copyfile(root / file, out / "_media" / f"0-{Path(file).name}")


TRUE_COPY = pipeline.copy_media
TRUE_EXTRA = values.Fields.extra
TRUE_LINKS = pipeline.Links


def a_page(of: Neuron) -> Page:
    return Page(of, 1, "site_1", "public", "public/", False)


def page_with(**values: Callable[[Neuron], Any]) -> Break:
    return leaking(Site, "_page", lambda page, of: page | {name: value(of) for name, value in values.items()})


def analysing(change: Callable[[Row, Neuron], Row]) -> Break:
    """Change each row of the index."""

    def rows(page_terms: Any, of: Neuron) -> Any:
        return dataclasses.replace(page_terms, rows=tuple(change(row, of) for row in page_terms.rows))

    return leaking(rendering, "analyse", rows)


def facts(name: str, change: Callable[[list[Any], Neuron], list[Any]]) -> Break:
    """Change the rows of a table."""
    return leaking(Facts, name, lambda rows, of: change(list(rows), of))


def put(row: Row, column: str, value: str) -> Row:
    return row._replace(**{column: value})  # type: ignore[arg-type]


def grams(column: int, words: Callable[[Neuron], str]) -> Break:
    """Add parts of words to a column of the substring table."""

    def change(rows: Any, of: Neuron) -> Any:
        return [(*row[:column], f"{row[column]} {text.trigrams(words(of))}", *row[column + 1 :]) for row in rows]

    return leaking(snapshot, "_substrings", change)


def numbered(page: Page) -> Page:
    return dataclasses.replace(page, seq_id=f"site_{len(withheld):08x}")


def keep_comments(source: MarkdownSource) -> None:
    for sign in ("%%", "<!--", "-->"):
        source.text = source.text.replace(sign, "")


def sentence(of: Neuron) -> str:
    return next(line for line in of.body.splitlines() if line.startswith("We will buy"))


def replace_passage(passages: list[Any], of: Neuron) -> list[Any]:
    """Embed a withheld text in the place of a published one."""
    (number, passage), *args = passages
    return [(number, dataclasses.replace(passage, body=of.body)), *args]


GATE: dict[str, tuple[Break, set[str]]] = {
    # how the gate is broken → the pages that it admits; the proof fails before the twin is built
    "it admits everybody": (
        replaced(audience.Gate, "reason_to_withhold", lambda self, first: ""),
        {MERGER, "broken.md", "ja.md", "short.md", "talk.md", "tool/agents.md"},
    ),
    "it takes an unknown audience for public": (
        replaced(audience.Gate, "_audience_of", lambda self, word: word if word in audience.AUDIENCES else "public"),
        {"partners.md"},
    ),
    "it shows the public what is for tools": (replaced(audience, "_SEES", {"public": {"public", "tool"}}), {"tool/agents.md"}),
    "it shows the public everything": (replaced(audience, "_SEES", {"public": set(audience.AUDIENCES)}), {MERGER, "short.md"}),
    "reading loses the audience": (without_audience, {"partners.md", "misspelt.md", "empty.md", "unclosed.md"}),
    "what cannot be read falls to the default": (
        replaced(neuron, "audience", lambda parts, *args: None if parts.problem else ("curator",)),
        {"broken.md", "unclosed.md", "misspelt.md"},
    ),
}
STAGES: dict[str, Break] = {
    "excluded and hidden files are read": replaced(pipeline, "content_items", all_neurons),
    "comments are rendered": replaced(dialects, "drop_comments", keep_comments),
    "claims' anchors are sent": replaced(neuron, "strip_claims", lambda body: body),
    "notes are published that nobody shared": replaced(
        audience, "_published", lambda first, names: dataclasses.replace(first, user_note_shared=True)
    ),
    "fields that nobody named are published": replaced(
        values.Fields, "extra", lambda self, *args: TRUE_EXTRA(self, ("*",), ())
    ),
    "a link leads to a withheld page": adding_html(lambda of: f'<a href="/{of.path.removesuffix(".md")}/">the other plan</a>'),
    "a link says its target's title": adding_html(lambda of: f"<p>{of.title}</p>"),
    "a page says how many are withheld": adding_html(lambda of: f"<p>{len(withheld)}</p>"),
    "a class shows that something is withheld": adding_html(lambda of: '<p class="more"></p>'),
    "links are resolved among all pages": replaced(pipeline, "place", None),
    "a private note is the kind in each card": leaking(shards, "card", lambda card, of: card._replace(kind=of.user_note)),
    "a private note is in the page's description": page_with(summary=lambda of: of.user_note),
    "a withheld page's tag is listed": page_with(tags=lambda of: list(of.tags)),
    "a backlink comes from a withheld page": leaking(
        pipeline, "backlinks", lambda result, of: {"guide/planting": (a_page(of),)}
    ),
    "media of withheld pages are copied": replaced(pipeline, "copy_media", copying),
    "rows of the index hold withheld words": analysing(
        lambda row, of: put(row, "body", " ".join((row.body, *terms(sentence(of)))))
    ),
    "the index holds a withheld alias": analysing(lambda row, of: put(row, "title", f"{row.title} oakmantl")),
    "the index holds a withheld path": analysing(lambda row, of: put(row, "path", "plan merger")),
    "a name is a withheld title": analysing(lambda row, of: put(row, "name", text.name(of.title))),
    "a row of a whole page holds withheld words": leaking(
        rendering,
        "analyse",
        lambda made, of: dataclasses.replace(made, whole=put(made.whole, "heading", " ".join(terms(sentence(of))))),
    ),
    "a withheld word is in the vocabulary": leaking(
        rendering, "analyse", lambda made, of: dataclasses.replace(made, words=f"{made.words}\ncopperfinch")
    ),
    "substrings hold a withheld sentence": grams(2, sentence),
    "substrings hold a withheld title": grams(0, lambda of: of.title),
    "a withheld title is in the table of pages": facts(
        "_neurons", lambda rows, of: [(*row[:4], of.title, *row[5:]) for row in rows]
    ),
    "a withheld path is in the table of pages": facts(
        "_neurons", lambda rows, of: [(*row[:6], of.path, *row[7:]) for row in rows]
    ),
    "a page of another audience is in the table of pages": facts(
        "_neurons", lambda rows, of: [(*row[:13], 1, *row[14:]) for row in rows]
    ),
    "a withheld title is in the table of names": facts("_names", lambda rows, of: [*rows, (text.name(of.title), 1)]),
    "a withheld tag is in the table of tags": facts("_tags", lambda rows, of: [("zephyrine", 1, 0), *rows]),
    "a link leads to a page that is not there": facts("_link_rows", lambda rows, of: [(1, 3)]),
    "a page comes from one that is not there": facts("_derived", lambda rows, of: [(1, 3)]),
    "a pin names a withheld page": leaking(
        publish, "collection_of", lambda made, of: dataclasses.replace(made, tuning={"pins": {"x": [of.path]}})
    ),
    "pages are numbered with the withheld ones": leaking(pipeline, "place", lambda pages, of: [*map(numbered, pages)]),
    "a file's name counts the withheld": leaking(
        store, "write_hashed", lambda name, of: name.replace("manifest-", "manifest-1")
    ),
}


def broken_links() -> AbstractContextManager[Any]:
    """Let links find withheld pages: they are placed for that, and taken away again."""
    place = pipeline.place

    def links(content: Path, placed: list[Page], *args: Any) -> Any:
        return TRUE_LINKS(content, place([page.neuron for page in placed] + [*withheld.values()], "site"), *args)

    return patch.object(pipeline, "Links", links)


STAGES["links are resolved among all pages"] = broken_links
VECTORS: dict[str, Break] = {
    "a withheld text is embedded": leaking(vectors, "_passages", replace_passage),
    "a withheld text is counted in weights": leaking(
        vectors, "embed_site", lambda site, of: dataclasses.replace(site, rows=site.rows + len(withheld))
    ),
    "tokens are ordered by withheld texts": leaking(
        vectors, "embed_site", lambda site, of: dataclasses.replace(site, counts=site.counts[::-1])
    ),
    "clusters are others where something is withheld": leaking(
        vectors, "clusters", lambda groups, of: [groups[0][:1], groups[0][1:], *groups[1:]]
    ),
}


@pytest.fixture
def no_page_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    """The site takes no page of the twin, which is not broken."""
    monkeypatch.setattr(pipeline, "working_database", lambda *_: nullcontext(NoDatabase()))


@pytest.fixture
def leaks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, no_page_cache: None) -> Callable[..., tuple[Leak, ...]]:
    keys = map(str.encode, map(str, range(99)))
    monkeypatch.setattr(reuse, "_key", lambda *_: next(keys))  # the site takes no search file of the twin either

    def build(breakage: Break, more: dict[str, str | bytes] | None = None, *, vectors: bool = False) -> tuple[Leak, ...]:
        content = garden(tmp_path / "content", more)
        with watching(), breakage(), pytest.raises(LeakError) as caught:
            build_without_engine(content, tmp_path / "out", CONFIG, vectors=vectors)
        assert not (tmp_path / "out").exists(), "no site was published"
        return caught.value.leaks

    return build


@pytest.mark.parametrize("name", GATE)
def test_broken_gate_is_found(name: str, leaks: Callable[..., tuple[Leak, ...]]) -> None:
    """A1: the error names all files that it admits."""
    breakage, expected = GATE[name]
    assert expected <= {leak.source for leak in leaks(breakage)}


@pytest.mark.parametrize("name", STAGES)
def test_broken_stage_is_found(name: str, leaks: Callable[..., tuple[Leak, ...]]) -> None:
    """A2: text, title, tag, link, term, number, name, order."""
    results = leaks(STAGES[name])
    assert results
    for leak in results:
        assert leak.file
        assert leak.message


GARDENER = {f"more{at}.md": f"# Page {at}\n\nThe gardener number {at} waters roses and digs beds.\n" for at in range(40)}


@pytest.mark.parametrize("name", VECTORS)
def test_broken_embedding_is_found(name: str, leaks: Callable[..., tuple[Leak, ...]]) -> None:
    """A2, I4: vectors, weights and clusters depend on published texts only."""
    results = leaks(VECTORS[name], GARDENER, vectors=True)
    assert results
    assert all(leak.file.startswith("_ranvier/") for leak in results)


def test_reused_results_are_those_of_the_copy(tmp_path: Path) -> None:
    """If something is withheld, a result that both builds use was computed from the copy."""
    content = garden(tmp_path / "content", GARDENER)
    build_without_engine(content, tmp_path / "clean", CONFIG, vectors=True)
    for number, breakage in enumerate(
        (
            STAGES["substrings hold a withheld title"],
            STAGES["a withheld title is in the table of names"],
            STAGES["a link says its target's title"],
            STAGES["rows of the index hold withheld words"],
            VECTORS["tokens are ordered by withheld texts"],
        )
    ):
        with watching(), breakage():
            build_without_engine(content, tmp_path / str(number), CONFIG, vectors=True)
        assert read_tree(tmp_path / str(number)) == read_tree(tmp_path / "clean"), number


@pytest.mark.usefixtures("no_page_cache")
def test_search_files_are_made_once(tmp_path: Path) -> None:
    """A3: for a site with private parts, they are written again only if the pages differ."""
    content, stores = garden(tmp_path / "content"), list[int]()
    with patch.object(reuse, "write_store", lambda *args: stores.append(1) or store.write_store(*args)):
        build_without_engine(content, tmp_path / "out", CONFIG)
        assert stores == [1]
        with watching(), STAGES["a withheld word is in the vocabulary"](), pytest.raises(LeakError):
            build_without_engine(content, tmp_path / "out", CONFIG)
    assert stores == [1, 1, 1]


def test_copy_does_not_use_results_of_the_site(tmp_path: Path) -> None:
    """A3: if the copy is known and the site has changed, the working database of the site is no proof."""
    content, memory = garden(tmp_path / "content"), Memory(tmp_path / "cache")
    with patch.object(publish, "write_assets", stub_assets):
        build(content, tmp_path / "out", CONFIG, memory=memory)
        with closing(sqlite3.connect(next((tmp_path / "cache").glob("*.sqlite")))) as database:
            database.execute("DELETE FROM page")
            database.commit()
        with watching(), STAGES["a link says its target's title"](), pytest.raises(LeakError):
            build(content, tmp_path / "out", CONFIG, memory=memory)


@pytest.mark.parametrize(
    ("name", "line"), [("a link says its target's title", 2), ("a private note is in the page's description", 8)]
)
def test_leak_names_its_source_and_line(name: str, line: int, leaks: Callable[..., tuple[Leak, ...]]) -> None:
    results = [leak for leak in leaks(STAGES[name]) if leak.source == MERGER]
    assert line in {leak.line for leak in results}
    assert all(str(leak).startswith(f"{MERGER}:{leak.line}: {leak.file}: contains ") for leak in results)


def test_all_leaks_are_reported_at_once(leaks: Callable[..., tuple[Leak, ...]]) -> None:
    """Those with a known source come first."""
    result = leaks(STAGES["a link says its target's title"])
    assert len({leak.file for leak in result}) > 2
    assert [bool(leak.source) for leak in result] == sorted((bool(leak.source) for leak in result), reverse=True)

"""A3: break the build in one way after the other; the leak check must find each, and say of which file."""

from __future__ import annotations

import dataclasses
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from leaks.tree import CONFIG, garden
from ranvier import text
from ranvier.text import terms
from ranvier_builder import audience, pipeline, publish
from ranvier_builder.check import Leak
from ranvier_builder.errors import LeakError
from ranvier_builder.model import Neuron, Page, Row
from ranvier_builder.read import items, neuron
from ranvier_builder.site.render import Site
from ranvier_builder.work import render as rendering
from ranvier_builder.write import shards, snapshot
from ranvier_builder.write.facts import Facts
from support.content import build_without_engine

Break = Callable[[], AbstractContextManager[Any]]


def wrapped(owner: Any, name: str, after: Callable[[Any], Any]) -> Break:
    """Replace a function by one that changes what it returns."""
    true = getattr(owner, name)
    return lambda: patch.object(owner, name, lambda *args, **kwargs: after(true(*args, **kwargs)))


def replaced(owner: Any, name: str, by: Any) -> Break:
    return lambda: patch.object(owner, name, by)


def without_audience(found: tuple[Neuron, list[Any]]) -> tuple[Neuron, list[Any]]:
    return dataclasses.replace(found[0], audience=None), found[1]


def adding_html(markup: str) -> Callable[[Any], Any]:
    def after(html: Any) -> Any:
        html.html += markup
        return html

    return after


def all_neurons(folder: Path, config: Any) -> Any:
    return items.content_items(folder, dataclasses.replace(config, exclude=(), include=("*", ".trash/*")))


def copying(true: Callable[..., None]) -> Callable[..., None]:
    def copy_media(links: Any, out: Path, rendered: Any) -> None:
        true(links, out, rendered)
        (out / "_media").mkdir(exist_ok=True)
        for name in ("plans/map.png", "talk.mp3"):
            shutil.copyfile(links._media._root / name, out / "_media" / f"0-{Path(name).name}")

    return copy_media


def a_page(title: str) -> Page:
    return Page(Neuron("public.md", title, ""), 1, "site_1", "public", "public/", False)


def page_with(**values: Any) -> Break:
    return wrapped(Site, "_page", lambda page: page | values)


def analysing(change: Callable[[Row], Row]) -> Break:
    """Change each row of the index."""
    return wrapped(rendering, "analysed", lambda made: dataclasses.replace(made, rows=tuple(map(change, made.rows))))


def facts(name: str, change: Callable[[Any], Any]) -> Break:
    """Change the rows of a table."""
    return wrapped(Facts, name, change)


def said_in(row: Row, column: str) -> Row:
    return dataclasses.replace(row, **{column: " ".join(terms(SECRET_SENTENCE))})  # type: ignore[arg-type]


SECRET_SENTENCE = "We will buy the neighbour's garden before anybody hears of it."
MUTATIONS: dict[str, tuple[Break, set[tuple[str, str]]]] = {
    # what is broken → how; some of (kind, withheld file) that must be found
    "the gate admits everybody": (
        replaced(audience.Gate, "reason_to_withhold", lambda self, one: ""),
        {("title", "plans/merger.md"), ("text", "broken.md"), ("title", "ja.md"), ("text", "short.md")},
    ),
    "the gate takes an unknown audience for public": (
        replaced(audience.Gate, "_ours", lambda self, word: word if word in audience.AUDIENCES else "public"),
        {("title", "partners.md"), ("text", "partners.md"), ("path", "partners.md")},
    ),
    "the gate shows the public what is for tools": (
        replaced(audience, "_SEES", {"public": {"public", "tool"}}),
        {("title", "tool/agents.md"), ("text", "tool/agents.md"), ("path", "tool/agents.md")},
    ),
    "the gate shows the public everything": (
        replaced(audience, "_SEES", {"public": set(audience.AUDIENCES)}),
        {("text", "talk.vtt"), ("title", "short.md"), ("field", "plans/merger.md"), ("tag", "plans/merger.md")},
    ),
    "reading loses the audience": (
        wrapped(items, "read_neuron", without_audience),
        {
            ("text", "partners.md"),
            ("text", "misspelt.md"),
            ("text", "empty.md"),
            ("text", "unclosed.md"),
            ("text", "roadmap.md"),
        },
    ),
    "what cannot be read falls to the default": (
        replaced(neuron, "_audience", lambda parts, *rest: None if parts.problem else ("curator",)),
        {("text", "broken.md"), ("text", "unclosed.md"), ("text", "misspelt.md")},
    ),
    "excluded and hidden files are read": (
        replaced(pipeline, "content_items", all_neurons),
        {("text", "drafts/old.md"), ("text", ".trash/gone.md")},
    ),
    "a private note is the kind in each card": (
        wrapped(shards, "card", lambda card: card._replace(kind="brindlewick keeps the spare key of the greenhouse")),
        {("note", "guide/planting.md")},
    ),
    "a private note is in the page's description": (
        page_with(summary="foxglimmer objects to the price"),
        {("note", "plans/merger.md")},
    ),
    "fields that nobody named are published": (
        page_with(extra=[{"name": "x", "value": "ask the marrowfield team before any change"}]),
        {("field", "guide/planting.md")},
    ),
    "comments are rendered": (
        wrapped(rendering, "render", adding_html("<p>quillfeather wrote this paragraph while it rained</p>")),
        {("text", "guide/planting.md")},
    ),
    "HTML comments are sent": (
        wrapped(rendering, "render", adding_html("<!-- thornmere says that the second bed is a mistake -->")),
        {("text", "guide/planting.md")},
    ),
    "claims' anchors are sent": (
        wrapped(rendering, "render", adding_html('<a id="claim-ab12cd34"></a>')),
        {("id", "guide/planting.md")},
    ),
    "a link leads to a withheld page": (
        wrapped(rendering, "render", adding_html('<a href="/plans/merger/">the other plan</a>')),
        {("path", "plans/merger.md")},
    ),
    "a link says its target's title": (
        wrapped(rendering, "render", adding_html("<p>Merger <em>with</em> Lanternfold</p>")),
        {("title", "plans/merger.md")},
    ),
    "a tag that only a withheld page has is listed": (page_with(tags=["zephyrine/deal"]), {("tag", "plans/merger.md")}),
    "a backlink comes from a withheld page": (
        replaced(pipeline, "backlinks", lambda rendered: {"guide/planting": (a_page("Merger with Lanternfold"),)}),
        {("title", "plans/merger.md")},
    ),
    "media of withheld pages are copied": (
        replaced(pipeline, "copy_media", copying(pipeline.copy_media)),
        {("media", "plans/map.png"), ("media", "talk.mp3")},
    ),
    "rows of the index hold withheld words": (
        analysing(lambda row: dataclasses.replace(row, body=" ".join((row.body, *terms(SECRET_SENTENCE))))),
        {("text", "plans/merger.md")},
    ),
    "the index holds a withheld alias": (
        analysing(lambda row: dataclasses.replace(row, title=row.title + " oakmantl")),
        {("text", "plans/merger.md")},
    ),
    "the index holds a withheld path": (
        analysing(lambda row: dataclasses.replace(row, path="plan hollowmer northern")),
        {("text", "partners.md")},
    ),
    "a name is a withheld title": (
        analysing(lambda row: dataclasses.replace(row, name=text.name("Merger with Lanternfold"))),
        {("title", "plans/merger.md"), ("text", "plans/merger.md")},
    ),
    "a row of a whole page holds withheld words": (
        wrapped(rendering, "analysed", lambda made: dataclasses.replace(made, whole=said_in(made.whole, "heading"))),
        {("text", "plans/merger.md")},
    ),
    "a withheld word is in the vocabulary": (
        wrapped(rendering, "analysed", lambda made: dataclasses.replace(made, words=(*made.words, "copperfinch"))),
        {("text", "plans/merger.md")},
    ),
    "substrings hold a withheld sentence": (
        wrapped(snapshot, "_substrings", lambda rows: [(*row[:2], text.trigrams(SECRET_SENTENCE)) for row in rows]),
        {("text", "plans/merger.md")},
    ),
    "substrings hold a withheld title": (
        wrapped(snapshot, "_substrings", lambda rows: [(text.trigrams("Merger with Lanternfold"), *row[1:]) for row in rows]),
        {("text", "plans/merger.md")},
    ),
    "substrings hold a withheld word after the text": (
        wrapped(snapshot, "_substrings", lambda rows: [(*row[:2], f"{row[2]} {text.trigrams('Silverbriar')}") for row in rows]),
        {("text", "short.md")},
    ),
    "substrings hold withheld Japanese": (
        wrapped(snapshot, "_substrings", lambda rows: [(*row[:2], text.trigrams("古い温室を取り壊して")) for row in rows]),
        {("text", "ja.md")},
    ),
    "a withheld title is in the table of pages": (
        facts("_neurons", lambda rows: [(*row[:4], "Merger with Lanternfold", *row[5:]) for row in rows]),
        {("title", "plans/merger.md")},
    ),
    "a withheld path is in the table of pages": (
        facts("_neurons", lambda rows: [(*row[:6], "plans/merger.md", "plans", *row[8:]) for row in rows]),
        {("path", "plans/merger.md")},
    ),
    "a page of another audience is in the table of pages": (
        facts("_neurons", lambda rows: [(*row[:13], 1, *row[14:]) for row in rows]),
        {("path", "")},
    ),
    "a withheld title is in the table of names": (
        facts("_names", lambda rows: [*rows, (text.name("Merger with Lanternfold"), 1)]),
        {("title", "plans/merger.md"), ("text", "plans/merger.md")},
    ),
    "a withheld tag is in the table of tags": (
        facts("_tags", lambda rows: [("zephyrine", 1, 0), ("zephyrine/deal", 1, 1)]),
        {("tag", "plans/merger.md")},
    ),
    "a link leads to a page that is not there": (facts("_linked", lambda rows: [(1, 4)]), {("path", "")}),
    "a page comes from one that is not there": (facts("_derived", lambda rows: [(1, 9)]), {("path", "")}),
    "a note is published that nobody shared": (
        facts("_notes", lambda rows: [(2, "brindlewick keeps the spare key of the greenhouse")]),
        {("note", "guide/planting.md")},
    ),
    "a pin names a withheld page": (
        wrapped(publish, "collection_of", lambda made: dataclasses.replace(made, tuning={"pins": {"x": ["plans/merger.md"]}})),
        {("path", "plans/merger.md")},
    ),
}


@pytest.fixture
def broken(tmp_path: Path) -> Iterator[Callable[[Break], tuple[Leak, ...]]]:
    def build(how: Break) -> tuple[Leak, ...]:
        with how(), pytest.raises(LeakError) as caught:
            build_without_engine(garden(tmp_path / "content"), tmp_path / "out", CONFIG)
        assert not (tmp_path / "out").exists(), "nothing was swapped in"
        return caught.value.leaks  # type: ignore[return-value]

    return build


@pytest.mark.parametrize("name", MUTATIONS)
def test_a_broken_build_is_found(name: str, broken: Callable[[Break], tuple[Leak, ...]]) -> None:
    how, expected = MUTATIONS[name]
    leaks = broken(how)
    assert expected <= {(leak.kind, leak.of) for leak in leaks}, "\n".join(map(str, leaks))
    assert all(leak.file and leak.where and leak.excerpt for leak in leaks)


PLAIN = "---\ntitle: Garden planting\naliases: [Everybody digs]\naudience: curator\n---\nNothing.\n"


@pytest.mark.parametrize("said", ["Garden planting", "Everybody digs", "The garden planting of everybody"])
def test_a_title_of_words_that_everybody_says(said: str, tmp_path: Path) -> None:
    """Each of its words stands in published pages: only as a name, in this order, it is a secret."""
    content = garden(tmp_path / "content", {"plain.md": PLAIN})
    found = {}
    for where, how in (
        ("row", analysing(lambda row: dataclasses.replace(row, name=text.name(said)))),
        ("table", facts("_names", lambda rows: [*rows, (text.name(said), 1)])),
    ):
        with how(), pytest.raises(LeakError) as caught:
            build_without_engine(content, tmp_path / where, CONFIG)
        found[where] = {(leak.kind, leak.of) for leak in caught.value.leaks}
    kind = "alias" if said == "Everybody digs" else "title"
    assert found == {"row": {(kind, "plain.md")}, "table": {(kind, "plain.md")}}


def test_a_name_that_a_heading_explains(tmp_path: Path) -> None:
    """The same words as a published page's own heading are no leak, though a withheld page is called so."""
    more = {"plain.md": PLAIN, "open.md": "# Another page\n\n## Garden planting\n\nAs everybody digs.\n"}
    assert build_without_engine(garden(tmp_path / "content", more), tmp_path / "out", CONFIG).published == 4


def test_the_unbroken_build_is_clean(tmp_path: Path) -> None:
    """The same tree, nothing broken: no find, and three pages."""
    assert build_without_engine(garden(tmp_path / "content"), tmp_path / "out", CONFIG).published == 3

"""A site of all audiences shows a caller nothing of the Neurons that the caller may not see (A5)."""

from __future__ import annotations

from pathlib import Path

import pytest
from ranvier import Caller, Library
from ranvier.presets import NAMES
from ranvier_builder import Config
from support.content import build_tree
from support.shared import library_fixture
from support.whole_site import open_site, page, whole_site

PRIVATE, PUBLIC = {"audience": ["curator"]}, {"audience": ["public"]}
TREE = {
    "guide/install.md": page("# Install\n\nInstall the kestrel tool.", tags=["setup"], **PUBLIC),
    "guide/usage.md": page("# Usage\n\nUse the kestrel tool. See [[Install]].", tags=["setup"], **PUBLIC),
    "guide/api.md": page("# Names\n\nCall `getPageBundle` here.", **PUBLIC),
    "guide/semver.md": page("# Versions\n\nIt follows semver.", **PUBLIC),
    "secret/index.md": page("# Zanzibar\n\nThe codename is xylophonic. See [[Install]] and [[Usage]].", **PRIVATE),
    "secret/plan.md": page("# Plan\n\nA xylophonic kestrel tool. See [[Install]] and [[Usage]].", **PRIVATE),
    "secret/child.md": page("# Child\n\nA kestrel child.", parent="secret/index.md", **PUBLIC),
}
library = library_fixture(whole_site, TREE)


def corrected(library: Library, query: str, audience: str = "public") -> list[str]:
    result = library.search(query, caller=Caller(audience))
    return [notice.subject for notice in result.notices if notice.code == "corrected"]


@pytest.mark.parametrize(
    "query", ["xylophonicc", "instal xylophonicc", "installl xylophonicc qqq", "zanzibbar", "kestrel zanzibra"]
)
def test_spelling_suggests_no_word_of_a_hidden_neuron(library: Library, query: str) -> None:
    """A5: a word that only hidden Neurons have corrects no query."""
    text = " ".join(corrected(library, query))
    assert "zanzibar" not in text
    assert "xylophonic" not in text.replace("xylophonicc", "")
    assert corrected(library, "xylophonicc", "curator") == ["xylophonic"]


@pytest.mark.parametrize("name", NAMES)
def test_scope_of_a_hidden_ancestor_is_empty(library: Library, name: str) -> None:
    """A5, S1: a visible child does not reveal that its hidden parent exists."""
    for ancestor in ("Zanzibar", "secret/index.md"):
        options = {"preset": name, "ancestor": ancestor}
        assert [hit.title for hit in library.search("child", caller=Caller("public"), **options).hits] == []
        assert [hit.title for hit in library.search("child", caller=Caller("curator"), **options).hits] == ["Child"]


@pytest.mark.parametrize(
    ("name", "stage", "public", "curator"),
    [
        ("default", "linked", {"1 link to it"}, {"3 links to it", "2 links to it"}),
        ("vault", "graph", {"1 connection", "2 connections"}, {"4 connections", "5 connections"}),
        ("vault", "folder", {"guide: 2 of 4"}, {"guide: 2 of 4", "secret: 2 of 3"}),
    ],
)
def test_explain_counts_only_visible_links_and_folders(
    library: Library, name: str, stage: str, public: set[str], curator: set[str]
) -> None:
    """A5, P3: the numbers in an explanation count visible Neurons only."""
    for audience, reasons in (("public", public), ("curator", curator)):
        result = library.search("kestrel tool", preset=name, caller=Caller(audience), explain=True)
        steps = [step for hit in result.hits if hit.explain for step in hit.explain.steps]
        assert {step.reason for step in steps if step.stage == stage} == reasons


def test_time_filter_takes_its_hundred_from_visible_neurons(tmp_path: Path) -> None:
    """L6, S1, A5, [004]: a hidden Neuron takes no place among the hundred."""
    files = {f"h{at:03}.md": page(f"# Hidden {at}", updated="2026-05-02", **PRIVATE) for at in range(101)}
    files["p.md"] = page("# Public", updated="2026-05-01", **PUBLIC)
    with open_site(whole_site(tmp_path, files)) as site:
        hits = site.search("time:2026-05-01..2026-05-02", preset="vault", caller=Caller("public")).hits
    assert [hit.title for hit in hits] == ["Public"]


INCLUDING = {
    "index.md": page(
        '# Home\n\nWords {{#include plan.rs}}\n\n```{literalinclude} plan.en.rs\n```\n\n--8<-- "open.rs"', **PUBLIC
    ),
    "plan.md": page("# Plan", **PRIVATE),
    "own.md": page("# Own\n\n{{#include plan.rs}}", **PRIVATE),
    "plan.rs": "zanzibar",
    "plan.en.rs": "xylophone",
    "open.rs": "marimba",
}


def test_pages_include_no_file_of_a_page_for_fewer_readers(tmp_path: Path) -> None:
    """A5: such a file belongs to the page of its name, and a site of all audiences has both."""
    config = Config(publish_for="curator", default_audience="public")
    with open_site(build_tree(tmp_path, INCLUDING, config)) as site:
        ids = {word: [hit.id for hit in site.search(f'"{word}"').hits] for word in ("zanzibar", "xylophone", "marimba")}
    assert ids == {"zanzibar": ["own.md"], "xylophone": [], "marimba": ["index.md"]}


NAMING = {
    "index.md": page("# Home\n\nWords {doc}`hidden` [](hidden.md) {ref}`label` {{#include hidden.md}}", **PUBLIC),
    "hidden.md": page("# Zanzibar\n\n(label)=\n## Xylophone\n\nMarimba\n\n```{toctree}\nVibraphone <untitled>\n```", **PRIVATE),
    "untitled.md": page("Words without a title", **PUBLIC),
    "SUMMARY.md": page("- [Home](index.md)\n- [Glockenspiel](untitled.md)", **PRIVATE),
}


def test_pages_show_no_name_and_no_text_of_pages_for_fewer_readers(tmp_path: Path) -> None:
    """A5: links without words, labels, tables of contents and includes."""
    with open_site(whole_site(tmp_path, NAMING)) as site:
        for word in ("zanzibar", "xylophone", "marimba", "vibraphone", "glockenspiel"):
            hits = site.search(f'"{word}"', caller=Caller("public")).hits
            assert [hit.id for hit in hits if word in repr(hit).lower()] == [], word
        titles = {hit.title.lower() for hit in site.search("words", caller=Caller("public")).hits}
        assert titles == {"home", "untitled"}
        assert site.search("marimba", caller=Caller("curator")).hits[0].id == "hidden.md"

"""The tree (N5): folders, and parents that pages name; daily notes by their day (N6)."""

from __future__ import annotations

import pytest
from ranvier_builder.model import Neuron
from ranvier_builder.render.slugs import pages
from ranvier_builder.render.tree import Tree


def tree(*neurons: Neuron) -> Tree:
    return Tree(pages(neurons, "s"), "Site")


def neuron(path: str, title: str = "", parent: str = "", **more: str) -> Neuron:
    return Neuron(path, title or path.removesuffix(".md"), "", **{"id": path, "parent": parent, **more})  # type: ignore[arg-type]


def drawn(found: Tree) -> list[str]:
    """Draw a tree as lines, each with its way from the root."""
    return ["/".join([*(above.title for above in found.above(node.slug)[1:]), node.title]) for node in found if node.slug]


def test_folders() -> None:
    found = tree(neuron("b.md"), neuron("a/x.md", "X"), neuron("a/deep-folder/y.md", "Y"), neuron("a/index.md", "The A"))
    assert drawn(found) == ["b", "The A", "The A/X", "The A/Deep folder", "The A/Deep folder/Y"]
    assert [node.slug for node in found.below("a/deep-folder")] == ["a/deep-folder", "a/deep-folder/y"]


@pytest.mark.parametrize(
    "said", ["guide-id", "guide/start.md", "/guide/start", "start", "Getting started", "[[Getting started]]"]
)
def test_a_parent_by_id_path_name_or_title(said: str) -> None:
    """N5: the page moves with all that is below it; its address stays."""
    found = tree(
        neuron("guide/start.md", "Getting started", id="guide-id"),
        neuron("notes/index.md", "Notes", said),
        neuron("notes/one.md", "One"),
        neuron("zoo.md", "Zoo"),
    )
    assert drawn(found) == [
        "Zoo",
        "Guide",
        "Guide/Getting started",
        "Guide/Getting started/Notes",
        "Guide/Getting started/Notes/One",
    ]
    assert found.warnings == []
    assert [node.slug for node in found.above("notes/one")] == ["", "guide", "guide/start", "notes"]
    assert [node.slug for node in found.below("guide/start")] == ["guide/start", "notes", "notes/one"]
    menu = found.menu("notes/one")
    assert menu[1]["children"][0]["children"][0]["children"][0]["current"] is True


def test_a_relative_parent() -> None:
    assert drawn(tree(neuron("a/x.md", "X", "../b.md"), neuron("b.md", "B"))) == ["B", "B/X"]


def test_a_folder_that_is_left_empty_goes() -> None:
    found = tree(neuron("a/deep/x.md", "X", "b"), neuron("b.md", "B"))
    assert drawn(found) == ["B", "B/X"]
    found = tree(neuron("a/deep/x.md", "X", "b"), neuron("a/y.md", "Y"), neuron("b.md", "B"))
    assert drawn(found) == ["A", "A/Y", "B", "B/X"]


@pytest.mark.parametrize(
    ("neurons", "told"),
    [
        ([neuron("a.md", parent="a")], ["a.md: parent 'a' is this page itself: ignored"]),
        ([neuron("a.md", parent="nobody")], ["a.md: parent 'nobody' is no published page: ignored"]),
        (
            [neuron("a.md", parent="b"), neuron("b.md", parent="a")],
            ["b.md: parent 'a' is below this page already: ignored"],
        ),
        (
            [neuron("a.md", parent="b"), neuron("b.md", parent="c"), neuron("c.md", parent="a")],
            ["c.md: parent 'a' is below this page already: ignored"],
        ),
        (
            [neuron("a/index.md", parent="a/x"), neuron("a/x.md")],
            ["a/index.md: parent 'a/x' is below this page already: ignored"],
        ),
        ([neuron("index.md", parent="x"), neuron("x.md")], ["index.md: parent 'x' is below this page already: ignored"]),
    ],
)
def test_cycles_and_unknown_parents_are_reported_and_ignored(neurons: list[Neuron], told: list[str]) -> None:
    """N5, N9."""
    found = tree(*neurons)
    assert [str(warning) for warning in found.warnings] == told
    assert {warning.kind for warning in found.warnings} == {"field"}
    assert len(list(found)) == len({page.slug for page in pages(neurons, "s")} | {""})


def test_a_withheld_parent_is_an_unknown_one() -> None:
    """A2: nothing of it is in the tree; the page stays in its folder."""
    found = tree(neuron("a/x.md", "X", "Thornmere"))
    assert drawn(found) == ["A", "A/X"]


def test_a_chain_without_end() -> None:
    """N9: navigation of a thousand levels is nobody's; the rest of the chain stays where it was."""
    found = tree(*(neuron(f"p{number:04}.md", parent=f"p{number - 1:04}" if number else "") for number in range(1000)))
    assert max(len(found.above(node.slug)) for node in found) <= 42
    assert len(list(found)) == 1001
    assert found.menu("p0039")


def test_deep_folders() -> None:
    """N9: as deep as a file system goes."""
    found = tree(neuron("a/" * 1000 + "x.md"))
    assert len(found.above("a/" * 1000 + "x")) == 1001
    assert found.menu("a/" * 1000 + "x")


def test_daily_notes_the_newest_first() -> None:
    """N6: after the other pages, before folders."""
    found = tree(
        neuron("log/2026-01-31.md"),
        neuron("log/2026-11-02.md", "A named day"),
        neuron("log/x.md", "2025-12-24"),
        neuron("log/about.md", "Zebra"),
        neuron("log/y.md", "Dated", kind="daily", created="2026-06-01"),
        neuron("log/sub/z.md"),
    )
    assert [node.title for node in found.root.children[0].children] == [
        "Zebra",
        "A named day",
        "Dated",
        "log/2026-01-31",
        "2025-12-24",
        "Sub",
    ]


def test_a_large_folder_is_listed_in_part() -> None:
    """A page of a flat folder must not carry the titles of all others: the list leads on to the section's page."""
    many = tree(*(neuron(f"n{number:04}.md") for number in range(500)), neuron("deep/a.md"), neuron("deep/b.md"))
    for slug, expected in (("n0000", range(100)), ("n0250", range(200, 300)), ("n0499", range(401, 500))):
        menu = many.menu(slug)
        assert len(menu) == 101
        assert [entry["url"] for entry in menu if entry["url"].startswith("n")] == [f"n{number:04}/" for number in expected]
        assert menu[-1] == {"title": "", "url": "", "current": False, "open": False, "more": 501, "children": []}
        assert sum(entry["current"] for entry in menu) == 1
    (deep,) = [entry for entry in many.menu("deep/a") if entry["url"] == "deep/"]
    assert [child["url"] for child in deep["children"]] == ["deep/a/", "deep/b/"]

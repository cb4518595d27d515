"""Which files make one Neuron (N7, N8), and whose audience rules them (A1)."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from ranvier_builder import Config
from ranvier_builder.audience import Gate
from ranvier_builder.read.items import Item, content_items, read_item

Tree = Callable[[dict[str, str | bytes]], Path]
VTT = "WEBVTT\n\n00:01.000 --> 00:02.000\nWe speak.\n"


@pytest.mark.parametrize(
    ("files", "items"),
    [
        (["b.md", "a/c.markdown", "A.mdx"], [Item("A.mdx"), Item("a/c.markdown"), Item("b.md")]),
        (["talk.md", "talk.vtt", "talk.mp3"], [Item("talk.md", ("talk.mp3", "talk.vtt"))]),
        (["talk.vtt", "talk.mp3"], [Item("talk.vtt", ("talk.mp3",))]),
        (["talk.srt", "talk.vtt"], [Item("talk.vtt", ("talk.srt",))]),
        (["scan.pdf"], [Item("scan.pdf")]),
        (["scan.pdf", "scan.md", "Scan.PNG"], [Item("scan.md", ("Scan.PNG", "scan.pdf"))]),
        (["talk.mp3", "photo.jpg", "x.txt", "y.zip"], []),  # nobody's text
        (["photo.jpg", "photo.md"], [Item("photo.md", ("photo.jpg",))]),
        (["a/photo.jpg", "b/photo.md"], [Item("b/photo.md")]),  # beside it, and not elsewhere
        (["x.md", "x.markdown", "x.pdf"], [Item("x.markdown"), Item("x.md", ("x.pdf",))]),
        (["x.md", "x.txt"], [Item("x.md")]),
        (["Cafe\u0301.md", "Caf\u00e9.pdf"], [Item("Cafe\u0301.md", ("Caf\u00e9.pdf",))]),
    ],
)
def test_items(tree: Tree, files: list[str], items: list[Item]) -> None:
    """N7: files with the same name are one Neuron; the sidecar in Markdown says its name."""
    found, warnings = content_items(tree({file: "" for file in files}), Config())
    assert (found, warnings) == (items, [])


def test_include_exclude_and_what_was_odd(tree: Tree) -> None:
    folder = tree({"a.md": "", "b.md": "", ".c/d.md": "", ".e/f.md": ""})
    items, warnings = content_items(folder, Config(include=(".c/*",), exclude=("b.md",)))
    assert [item.path for item in items] == [".c/d.md", "a.md"]
    assert [warning.file for warning in warnings] == [".e"]


def test_a_sidecar_rules_its_files(tree: Tree) -> None:
    """A1: what lies beside a Neuron is as private as it is; what has no sidecar says nothing, and falls to the default."""
    head = "---\ntitle: The talk\naudience: curator\ntags: [spoken]\n---\nIts body.\n"
    folder = tree(
        {"talk.md": head, "talk.vtt": VTT, "talk.mp3": b"x", "open.vtt": VTT, "plain.md": "---\naudience: public\n---\nx"}
    )
    items, _ = content_items(folder, Config())
    neurons = {item.path: read_item(folder, item, Config())[0] for item in items}
    talk = neurons["talk.md"]
    assert (talk.title, talk.audience, talk.tags, talk.modality) == ("The talk", ("curator",), ("spoken",), "audio")
    assert talk.files == ("talk.mp3", "talk.vtt")
    assert talk.body.index("Its body.") < talk.body.index("We speak.")
    assert neurons["open.vtt"].audience is None
    assert neurons["open.vtt"].files == ("open.vtt",)
    assert [neuron.path for neuron in Gate().admit(neurons.values()).neurons] == ["plain.md"]


def test_reading_travels(tree: Tree) -> None:
    """Items are read in other processes."""
    folder = tree({"a.md": "# A"})
    read = pickle.loads(pickle.dumps(partial(read_item, folder, Item("a.md"), Config())))
    assert read()[0].title == "A"

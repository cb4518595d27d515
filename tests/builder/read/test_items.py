"""Which files make one Neuron (N7, N8), and which audience applies to them (A1)."""

from pathlib import Path

import pytest
from ranvier_builder import Config
from ranvier_builder.audience import Gate
from ranvier_builder.model import Neuron
from ranvier_builder.read.items import Item, content_items, read_item, unread_pages
from support.content import OPEN, Tree

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
        (["talk.mp3", "photo.jpg", "x.txt", "y.zip"], []),  # it belongs to no page
        (["photo.jpg", "photo.md"], [Item("photo.md", ("photo.jpg",))]),
        (["a/photo.jpg", "b/photo.md"], [Item("b/photo.md")]),  # beside it, and not elsewhere
        (["x.md", "x.markdown", "x.pdf"], [Item("x.markdown", ("x.md", "x.pdf")), Item("x.md", ("x.markdown", "x.pdf"))]),
        (["x.md", "x.markdown"], [Item("x.markdown"), Item("x.md")]),
        (["x.md", "x.txt", "x.exe"], [Item("x.md", ("x.txt",))]),
        (["talk.md", "talk.en.vtt", "talks.vtt"], [Item("talk.md", ("talk.en.vtt",)), Item("talks.vtt")]),
        (["paper.pdf.md", "paper.pdf"], [Item("paper.pdf.md", ("paper.pdf",))]),
        (["a.md", "a.b.md", "a.b.png"], [Item("a.b.md", ("a.b.png", "a.md")), Item("a.md", ("a.b.md", "a.b.png"))]),
        (["Cafe\u0301.md", "Caf\u00e9.pdf"], [Item("Cafe\u0301.md", ("Caf\u00e9.pdf",))]),
    ],
)
def test_files_with_one_name_are_one_item(tree: Tree, files: list[str], items: list[Item]) -> None:
    """N7: a Markdown sidecar names its file."""
    result, warnings, _ = content_items(tree({file: "" for file in files}), Config())
    assert (result, warnings) == (items, [])


def test_items_respect_include_and_exclude_and_report_files(tree: Tree) -> None:
    folder = tree({"a.md": "", "b.md": "", ".c/d.md": "", ".e/f.md": ""})
    items, warnings, _ = content_items(folder, Config(include=(".c/*",), exclude=("b.md",)))
    assert [item.path for item in items] == [".c/d.md", "a.md"]
    assert [warning.file for warning in warnings] == [".e"]


def test_sidecar_audience_applies_to_its_files(tree: Tree) -> None:
    """A1: a file without a sidecar gets the default audience."""
    head = "---\ntitle: The talk\naudience: curator\ntags: [spoken]\n---\nIts body.\n"
    folder = tree(
        {"talk.md": head, "talk.vtt": VTT, "talk.mp3": b"x", "open.vtt": VTT, "plain.md": "---\naudience: public\n---\nx"}
    )
    items, _, _ = content_items(folder, Config())
    neurons = {item.path: read_item(folder, item, Config())[0] for item in items}
    talk = neurons["talk.md"]
    assert (talk.title, talk.audience, talk.tags, talk.modality) == ("The talk", ("curator",), ("spoken",), "audio")
    assert talk.files == ("talk.mp3", "talk.vtt")
    assert talk.body.index("Its body.") < talk.body.index("We speak.")
    assert neurons["open.vtt"].audience is None
    assert neurons["open.vtt"].files == ("open.vtt",)
    assert [neuron.path for neuron in Gate().admit(neurons.values()).neurons] == ["plain.md"]


def read_all(folder: Path) -> dict[str, Neuron]:
    return {item.path: read_item(folder, item, OPEN)[0] for item in content_items(folder, OPEN).items}


def test_file_of_two_pages_is_withheld_if_one_page_is(tree: Tree) -> None:
    """A1, A2."""
    folder = tree({"talk.md": "Open.", "talk.mdx": "---\naudience: curator\n---\n", "talk.vtt": VTT, "talk.csv": "a,b"})
    for neuron in read_all(folder).values():
        assert neuron.files == ("talk.csv", "talk.vtt")
        assert "We speak" not in neuron.body
    folder = tree({"talk.md": "Open.", "talk.mdx": "Open, too.", "talk.vtt": VTT})
    assert [("We speak" in neuron.body) for neuron in read_all(folder).values()] == [True, False]


def test_all_transcripts_of_a_page_are_read(tree: Tree) -> None:
    folder = tree({"talk.md": "Open.", "talk.vtt": VTT, "talk.srt": VTT, "talk.de.vtt": VTT.replace("We speak", "Wir reden")})
    body = read_all(folder)["talk.md"].body
    assert body.index("We speak") < body.index("Wir reden")
    assert body.count("We speak") == 1


def test_hard_and_symbolic_links_share_one_audience(tree: Tree) -> None:
    """A2: a link does not publish what its page withholds."""
    folder = tree({"talk.md": "---\naudience: curator\n---\n", "talk.vtt": VTT, "talk.png": b"p", "else/open.vtt": VTT})
    (folder / "b.vtt").symlink_to("talk.vtt")
    (folder / "else" / "c.png").hardlink_to(folder / "talk.png")
    neurons = read_all(folder)
    assert sorted(neurons) == ["else/open.vtt", "talk.md"]
    assert set(neurons["talk.md"].files) == {"b.vtt", "else/c.png", "talk.png", "talk.vtt"}
    assert neurons["talk.md"].body.count("We speak") == 1


@pytest.mark.parametrize(
    "settings",
    [
        "markdown_extensions:\n  - toc\n  - pymdownx.snippets:\n      base_path: docs/.snippets\n",
        "markdown_extensions:\n  pymdownx.snippets:\n    base_path: [includes, ./docs/.snippets/parts]\n",
        "markdown_extensions: [pymdownx.snippets: {base_path: .}]\n",
        "markdown_extensions: [{pymdownx.snippets: [1]}, 2]\n",
        'markdown_extensions: [pymdownx.snippets: {base_path: "\\0\\ud800"}]\n',
        "markdown_extensions: [",
    ],
)
def test_hidden_folder_of_snippets_is_not_reported(tree: Tree, settings: str) -> None:
    """N9: to read it would publish the parts of pages as pages."""
    folder = tree({"mkdocs.yml": settings, "docs/a.md": "", "docs/.snippets/parts/b.md": "", "docs/.other/c.md": ""}) / "docs"
    files = [warning.file for warning in content_items(folder, Config()).warnings]
    assert files == ([".other"] if "docs/.snippets" in settings else [".other", ".snippets"])


def test_loop_of_links_is_no_folder_of_snippets(tree: Tree) -> None:
    settings = "markdown_extensions: [pymdownx.snippets: {base_path: docs/loop/x}]\n"
    folder = tree({"mkdocs.yml": settings, "docs/a.md": ""}) / "docs"
    (folder / "loop").symlink_to("loop")
    assert [item.path for item in content_items(folder, Config()).items] == ["a.md"]


def test_unread_pages_are_counted_once(tree: Tree) -> None:
    """N9: without the templates of a theme, and without excluded and hidden files."""
    names = ["a.md", "b/x.html", "b/y.HTM", "c.html", "drafts/d.html", ".e/f.html", "look/templates/page.html"]
    folder = tree(dict.fromkeys(names, ""))
    config = Config(exclude=("drafts/*",), theme_dir=str(folder / "look"))
    (warning,) = unread_pages(folder, content_items(folder, config).files, config)
    assert str(warning) == (
        "b/x.html: this and 2 more HTML files are not published, because `ranvier build` reads no HTML; "
        "use `ranvier index` for finished HTML, or list them under `exclude`"
    )
    assert unread_pages(folder, ["a.md"], config) == []
    (warning,) = unread_pages(folder, ["a.md", "b.adoc", "c/d.rst"], config)
    assert str(warning) == (
        "b.adoc: this and 1 more files are not published, because `ranvier build` reads only Markdown; "
        "convert them to Markdown, or list them under `exclude`"
    )

"""Media (N7): files beside a Neuron, their text and their players; and under which names they are published (A2)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from ranvier_builder import Config
from ranvier_builder.model import Neuron
from ranvier_builder.read.files import walk
from ranvier_builder.read.items import content_items, read_item
from ranvier_builder.render.addresses import Html
from ranvier_builder.render.html import sections
from ranvier_builder.render.links import Links
from ranvier_builder.render.markdown import render
from ranvier_builder.render.media import Media, is_still
from ranvier_builder.render.slugs import pages
from support.pdf import pdf

Tree = Callable[[dict[str, str | bytes]], Path]
VTT = "WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ada>We speak of axons.\n\n01:05.000 --> 01:06.000\nAnd more.\n"
HOSTILE = (
    "[[Secret plan]] ![x](y.png) <script>alert(1)</script> **b** {{< ref >}} {#claim-0a1b2c3d} %%c%% `d` $e$ # f http://g.h/"
)


def rendered(folder: Path, path: str) -> tuple[Neuron, Html]:
    """Read and render one item of a folder."""
    items, _, _ = content_items(folder, Config())
    read = [read_item(folder, item, Config())[0] for item in items]
    placed = pages(read, "s")
    page = next(page for page in placed if page.neuron.path == path)
    return page.neuron, render(page, Links(folder, placed, walk(folder).files), "../" * (page.slug.count("/") + 1))


def test_a_pdf_is_a_neuron(tree: Tree) -> None:
    """N7: a title, one section for each page, and the way to that page of the file."""
    folder = tree({"docs/scan #1.pdf": pdf(["An axon."], ["Its sheath."], title="On nerves")})
    neuron, html = rendered(folder, "docs/scan #1.pdf")
    assert (neuron.title, neuron.modality, neuron.files, neuron.audience) == ("On nerves", "pdf", ("docs/scan #1.pdf",), None)
    found = sections(html.html)
    assert [(section.anchor, section.headings) for section in found] == [
        ("", ()),
        ("page-1", ("Page 1",)),
        ("page-2", ("Page 2",)),
    ]
    assert [block.text for section in found for block in section.blocks] == ["scan #1.pdf", "An axon.", "Its sheath."]
    (name,) = {link.partition("#")[0] for link in html.html.split('"') if "_media/" in link}
    assert name.endswith("-scan%20%231.pdf")
    assert f'<a href="{name}#page=2"' in html.html
    assert html.media == ["docs/scan #1.pdf"]
    assert html.warnings == []


def test_a_transcript_is_a_neuron(tree: Tree) -> None:
    """N7: with a player where there is something to play; each minute leads to its second."""
    neuron, html = rendered(tree({"talk.vtt": VTT, "talk.mp3": b"sound"}), "talk.vtt")
    assert (neuron.title, neuron.modality, neuron.files) == ("talk", "audio", ("talk.vtt", "talk.mp3"))
    assert '<audio controls="" src="../_media/' in html.html
    assert "-talk.mp3#t=65" in html.html
    assert [(section.anchor, [block.text for block in section.blocks]) for section in sections(html.html)] == [
        ("0001", ["Ada: We speak of axons."]),
        ("0105", ["And more."]),
    ]
    assert html.media == ["talk.mp3"]
    assert html.warnings == []


@pytest.mark.parametrize(
    ("files", "modality", "holds"),
    [
        ({"x.md": "words", "x.mp4": b"f", "x.srt": "1\n00:00:01,0 --> 00:00:02,0\nsaid"}, "audio", ["words", "<video", "said"]),
        ({"x.md": "words", "x.mp3": b"s"}, "audio", ["words", "<audio"]),
        ({"x.md": "words ![[x.mp3]]", "x.mp3": b"s"}, "audio", ["words", "<audio"]),
        ({"x.md": "# Words\n\nwords", "x.pdf": pdf(["text"], title="Other")}, "pdf", ["words", "text"]),
        ({"x.md": "# Words\n\nwords", "x.jpg": b"p"}, "image", ["words", '<figure><img src="../_media/', 'alt="Words"']),
        ({"x.md": "words ![a](x.jpg)", "x.jpg": b"p"}, "text", ["words", 'alt="a"']),
        ({"x.vtt": VTT}, "audio", ["axons"]),
        ({"x.srt": "1\n00:00:01,0 --> 00:00:02,0\nsaid"}, "audio", ["said"]),
        ({"x.pdf": b"broken"}, "pdf", ["x.pdf</a>"]),
        ({"x.pdf": pdf(["text"]), "x.vtt": VTT}, "pdf", ["text", "axons"]),
    ],
)
def test_what_lies_beside(tree: Tree, files: dict[str, str | bytes], modality: str, holds: list[str]) -> None:
    """N7: the Neuron's own words first, then those of its files; each is shown once."""
    neuron, html = rendered(tree(files), next(iter(files)))
    assert neuron.modality == modality
    at = [html.html.index(one) for one in holds]
    assert at == sorted(at)
    assert html.html.count("<audio") + html.html.count("<video") + html.html.count("<img") <= 1
    assert html.warnings == []


@pytest.mark.parametrize("name", ["x.pdf", "x.vtt"])
def test_an_extracted_text_is_text(tree: Tree, name: str) -> None:
    """A2, A6: nothing in it is Markdown, a link, a tag, a comment or a citation's mark."""
    raw = (
        pdf([HOSTILE])
        if name == "x.pdf"
        else f"WEBVTT\n\n00:01.000 --> 00:02.000\n{HOSTILE.replace('<script>', '&lt;script>')}"
    )
    neuron, html = rendered(tree({name: raw, "Secret plan.md": "x", "y.png": b"p"}), name)
    text = " ".join(block.text for section in sections(html.html) for block in section.blocks)
    assert "[[Secret plan]] ![x](y.png) <script>alert(1)" in text
    assert "**b** {{< ref >}}" in text
    assert "%%c%% `d` $e$ # f http://g.h/" in text
    assert "claim-0a1b2c3d" not in html.html
    assert "secret-plan" not in html.html
    assert neuron.tags == ()
    assert not [path for path in html.media if path.endswith(".png")]


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("![a described picture](pic.png)", "a described picture"),
        ("![[pic.png|a caption]]", "a caption"),
        ("![[pic.png|a caption|300]]", "a caption"),
        ("<figure>\n<img src='pic.png' alt='a picture'>\n<figcaption>a caption</figcaption>\n</figure>", "a picture a caption"),
        ("<img src=pic.png alt='told in HTML'>", "told in HTML"),
        ("![words of a missing one](gone.png)", "words of a missing one"),
    ],
)
def test_a_picture_is_found_by_its_words(tree: Tree, body: str, found: str) -> None:
    """N7: alternative text and captions are the page's text."""
    _, html = rendered(tree({"a.md": body, "pic.png": b"p"}), "a.md")
    (section,) = sections(html.html)
    assert " ".join(block.text for block in section.blocks) == found


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("deep/secret folder/pic.png", "2d711642b726-pic.png"),
        ("a b#c?.png", "2d711642b726-a b#c-.png"),  # no system's forbidden signs
        ("Cafe\u0301.png", "2d711642b726-Caf\u00e9.png"),
        (f"{'ü' * 120}.png", f"2d711642b726-{'ü' * 75}.png"),
    ],
)
def test_published_names(tree: Tree, path: str, name: str) -> None:
    """A2: by content, without folders; short enough for every file system."""
    assert Media(tree({path: "x"}), [path]).published(path) == name


def test_a_file_that_is_gone_has_no_name(tmp_path: Path) -> None:
    assert Media(tmp_path, ["gone.png"]).published("gone.png") is None


@pytest.mark.parametrize(
    ("svg", "still"),
    [
        ('<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/><use href="#a"/></svg>', True),
        ('<svg><image href="data:image/png;base64,AAAA"/></svg>', True),
        ("<svg><script>alert(1)</script></svg>", False),
        ("<svg><s:script>alert(1)</s:script></svg>", False),
        ('<svg onload="alert(1)"/>', False),
        ('<svg><a href="javascript:alert(1)">x</a></svg>', False),
        ('<svg><a xlink:href="java&#115;cript:alert(1)">x</a></svg>', False),
        ("<svg><foreignObject/></svg>", False),
        ('<!DOCTYPE svg [<!ENTITY x "y">]><svg/>', False),
        ('<svg><image href="https://elsewhere.example/x.png"/></svg>', False),
    ],
)
def test_an_svg_is_a_picture_or_is_not_published(svg: str, still: bool) -> None:
    assert is_still(svg.encode()) is still
    assert not is_still(svg.encode("utf-16"))

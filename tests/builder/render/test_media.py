"""Media (N7): files beside a Neuron, their text, their players, and their published names (A2)."""

from pathlib import Path

import pytest
from ranvier_builder import Config
from ranvier_builder.errors import ReadError
from ranvier_builder.model import Neuron
from ranvier_builder.read.items import content_items, read_item
from ranvier_builder.render.addresses import Html
from ranvier_builder.render.html import sections
from ranvier_builder.render.media import Media
from support.content import Tree
from support.pdf import pdf
from support.pictures import JPEG, MP3, MP4, PNG, SECRET, another, private_png, seal
from support.rendered import render_neurons

VTT = "WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ada>We speak of axons.\n\n01:05.000 --> 01:06.000\nAnd more.\n"
HOSTILE = (
    "[[Secret plan]] ![x](y.png) <script>alert(1)</script> **b** {{< ref >}} {#claim-0a1b2c3d} %%c%% `d` $e$ # f http://g.h/"
)


def render_item(folder: Path, path: str) -> tuple[Neuron, Html]:
    """Read and render one item of a folder."""
    items, _, _ = content_items(folder, Config())
    neurons = [read_item(folder, item, Config())[0] for item in items]
    return next(neuron for neuron in neurons if neuron.path == path), render_neurons(folder, neurons, path)


@pytest.mark.parametrize("strip_metadata", [True, False])
def test_picture_with_the_ending_of_another_format_is_published_with_its_own(tree: Tree, strip_metadata: bool) -> None:
    """N9: browsers show it."""
    folder = tree({"a.jpg": PNG, "b.PNG": JPEG, "c.JPEG": JPEG, "d.png": b"<html>", "e.webp": MP4})
    media = Media(folder, ["a.jpg", "b.PNG", "c.JPEG", "d.png", "e.webp"], strip_metadata=strip_metadata)
    names = [media.name(path)[0] for path in ("a.jpg", "b.PNG", "c.JPEG", "d.png", "e.webp")]
    assert [name.rpartition("-")[2] for name in names] == ["a.png", "b.jpg", "c.JPEG", "", ""]
    media.write("a.jpg", folder)
    assert (folder / names[0]).read_bytes().startswith(b"\x89PNG")


def test_pdf_is_a_neuron_with_a_section_per_page(tree: Tree) -> None:
    """N7: each section links to its page of the file."""
    folder = tree({"docs/scan #1.pdf": pdf(["An axon."], ["Its sheath."], title="On nerves")})
    neuron, html = render_item(folder, "docs/scan #1.pdf")
    assert (neuron.title, neuron.modality, neuron.files, neuron.audience) == ("On nerves", "pdf", ("docs/scan #1.pdf",), None)
    result = sections(html.html)
    anchors = [(section.anchor, section.headings) for section in result]
    assert anchors == [("", ()), ("page-1", ("Page 1",)), ("page-2", ("Page 2",))]
    assert [block.text for section in result for block in section.blocks] == ["scan #1.pdf", "An axon.", "Its sheath."]
    (name,) = {link.partition("#")[0] for link in html.html.split('"') if "_media/" in link}
    assert name.endswith("-scan%20%231.pdf")
    assert f'<a href="{name}#page=2"' in html.html
    assert html.media == ["docs/scan #1.pdf"]
    assert html.warnings == []


def test_transcript_is_a_neuron_with_a_player(tree: Tree) -> None:
    """N7: each minute links to its second."""
    neuron, html = render_item(tree({"talk.vtt": VTT, "talk.mp3": MP3}), "talk.vtt")
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
        ({"x.md": "words", "x.mp4": MP4, "x.srt": "1\n00:00:01,0 --> 00:00:02,0\nsaid"}, "audio", ["words", "<video", "said"]),
        ({"x.vtt": VTT, "x.mp4": MP4}, "audio", ["<video", '<track kind="captions" src="../_media/', 'label="x">', "axons"]),
        ({"x.vtt": VTT, "x.mp3": MP3}, "audio", ['-x.mp3"></audio>', "axons"]),
        ({"x.md": "words", "x.mp3": MP3}, "audio", ["words", "<audio"]),
        ({"x.md": "words ![[x.mp3]]", "x.mp3": MP3}, "audio", ["words", "<audio"]),
        ({"x.md": "# Words\n\nwords", "x.pdf": pdf(["text"], title="Other")}, "pdf", ["words", "text"]),
        ({"x.md": "# Words\n\nwords", "x.jpg": JPEG}, "image", ["words", "<figure><img", 'src="../_media/', 'alt="Words"']),
        ({"x.md": "words ![a](x.jpg)", "x.jpg": JPEG}, "text", ["words", 'alt="a"']),
        ({"x.vtt": VTT}, "audio", ["axons"]),
        ({"x.srt": "1\n00:00:01,0 --> 00:00:02,0\nsaid"}, "audio", ["said"]),
        ({"x.pdf": b"%PDF-broken"}, "pdf", ["x.pdf</a>"]),
        ({"x.pdf": pdf(["text"]), "x.vtt": VTT}, "pdf", ["text", "axons"]),
    ],
)
def test_files_beside_a_neuron_follow_its_text(
    tree: Tree, files: dict[str, str | bytes], modality: str, holds: list[str]
) -> None:
    """N7: each file is shown once."""
    neuron, html = render_item(tree(files), next(iter(files)))
    assert neuron.modality == modality
    at = [html.html.index(hold) for hold in holds]
    assert at == sorted(at)
    assert html.html.count("<audio") + html.html.count("<video") + html.html.count("<img") <= 1
    assert html.warnings == []


@pytest.mark.parametrize("name", ["x.pdf", "x.vtt"])
def test_extracted_text_is_not_parsed_as_markdown(tree: Tree, name: str) -> None:
    """A2, A6: it has no markup, link, tag, comment or claim anchor."""
    cue = HOSTILE.replace("<script>", "&lt;script>")
    raw = pdf([HOSTILE]) if name == "x.pdf" else f"WEBVTT\n\n00:01.000 --> 00:02.000\n{cue}"
    neuron, html = render_item(tree({name: raw, "Secret plan.md": "x", "y.png": PNG}), name)
    text = " ".join(block.text for section in sections(html.html) for block in section.blocks)
    assert "[[Secret plan]] ![x](y.png) <script>alert(1)" in text
    assert "**b** {{< ref >}}" in text
    assert "%%c%% `d` $e$ # f http://g.h/" in text
    assert "claim-0a1b2c3d" not in html.html
    assert "secret-plan" not in html.html
    assert neuron.tags == ()
    assert not [path for path in html.media if path.endswith(".png")]


@pytest.mark.parametrize(
    ("body", "result"),
    [
        ("![a described picture](pic.png)", "a described picture"),
        ("![[pic.png|a caption]]", "a caption"),
        ("![[pic.png|a caption|300]]", "a caption"),
        ("<figure>\n<img src='pic.png' alt='a picture'>\n<figcaption>a caption</figcaption>\n</figure>", "a picture a caption"),
        ("<img src=pic.png alt='told in HTML'>", "told in HTML"),
        ("![words of a missing one](gone.png)", "words of a missing one"),
    ],
)
def test_alt_text_and_captions_are_searchable(tree: Tree, body: str, result: str) -> None:
    """N7."""
    _, html = render_item(tree({"a.md": body, "pic.png": PNG}), "a.md")
    (section,) = sections(html.html)
    assert " ".join(block.text for block in section.blocks) == result


DIGEST = seal(PNG)


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("deep/secret folder/pic.png", f"{DIGEST}-pic.png"),
        ("a b#c?.png", f"{DIGEST}-a b#c-.png"),  # no characters that a system forbids
        ("Cafe\u0301.png", f"{DIGEST}-Caf\u00e9.png"),
        (f"{'ü' * 120}.png", f"{DIGEST}-{'ü' * 75}.png"),
        ("con.png", f"{DIGEST}-con.png"),  # a device on Windows, without the digest
        ("photo\u202egpj.png", f"{DIGEST}-photo-gpj.png"),  # reads as photogpn.jpg
        ("a\nb\x1b[31m\x9b.png", f"{DIGEST}-a-b-[31m-.png"),
        ("a\u200bb\U000e0041.png", f"{DIGEST}-a-b-.png"),
    ],
)
def test_published_media_names_have_a_digest_and_no_folder(tree: Tree, path: str, name: str) -> None:
    """A2: they are short, and have no invisible characters."""
    assert Media(tree({path: PNG}), [path]).name(path) == (name, "")


def test_missing_media_file_has_no_name(tmp_path: Path) -> None:
    assert Media(tmp_path, ["gone.png"]).name("gone.png") == ("", "it cannot be read")


PRIVATE_TOO = private_png().replace(b"Author", b"Writer")


def test_media_name_does_not_depend_on_metadata(tree: Tree) -> None:
    """A2: two pictures that differ in metadata only are one published file."""
    media = Media(tree({"a.png": private_png(), "b/a.png": PRIVATE_TOO}), ["a.png", "b/a.png"])
    assert media.name("a.png") == media.name("b/a.png")
    plain = Media(media._root, ["a.png"], strip_metadata=False)
    assert plain.name("a.png") != media.name("a.png")


def test_media_file_that_changes_during_the_build_stops_it(tree: Tree, tmp_path: Path) -> None:
    """A2."""
    root = tree({"a.png": private_png()})
    media = Media(root, ["a.png"])
    name, _ = media.name("a.png")
    media.write("a.png", tmp_path)
    assert SECRET not in (tmp_path / name).read_bytes()
    assert seal((tmp_path / name).read_bytes()) == name[:12]
    for replacement in (another(7), b"<script>"):
        (root / "a.png").write_bytes(replacement)
        with pytest.raises(ReadError, match="changed while"):
            media.write("a.png", tmp_path)


@pytest.mark.parametrize(
    "body", ["![a map](map.png)", "![[map.png]]", "[[map.png|words]]", "<img src='map.png' alt=x>", "[x](map.png)"]
)
def test_refused_media_file_is_reported_with_page_and_reason(tree: Tree, body: str) -> None:
    """N9: the page keeps the label."""
    _, html = render_item(tree({"a.md": f"# A\n\n{body}\n", "map.png": "<svg onload=alert(1)>"}), "a.md")
    (warning,) = html.warnings
    assert str(warning) == "a.md:3: this file is not published, its format is not PNG: map.png"
    assert html.media == []
    assert "_media" not in html.html


SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h9"/></svg>'


def test_link_to_an_html_file_is_reported_with_the_reason(tree: Tree) -> None:
    """N4, N9: only if the file is there, and read; the page shows the same as for a missing file."""
    body = "[the manual](manual.html#a) [gone](gone.html) [old](../old/x.htm) [hidden](../.y/z.html)\n"
    result = render_item(tree({"a/b.md": body, "a/manual.html": "x", "old/x.htm": "x", ".y/z.html": "x"}), "a/b.md")[1]
    assert [warning.message for warning in result.warnings] == [
        "this file is not published, because `ranvier build` reads no HTML: manual.html#a",
        "a link leads to no published page: gone.html",
        "this file is not published, because `ranvier build` reads no HTML: ../old/x.htm",
        "a link leads to no published page: ../.y/z.html",
    ]
    assert result.html == "<p>the manual gone old hidden</p>\n"


@pytest.mark.parametrize(
    ("name", "data", "size"),
    [
        ("a.png", PNG, "8x6"),
        ("a.svg", SVG.replace(b"<svg", b'<svg width="30.4" height="20"'), "30x20"),
        ("a.svg", SVG, ""),
        ("a.png", PNG[:20], ""),
        ("a.mp3", MP3, ""),
    ],
)
def test_size_of_a_picture_is_read_from_its_first_bytes(tree: Tree, name: str, data: bytes, size: str) -> None:
    """N7: a page does not move while its pictures load."""
    folder = tree({name: data})
    assert Media(folder, [name]).size(name) == size

"""Canvas files of Obsidian: pages with a list of cards, through the same gate as notes (N8, A1)."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
import ranvier
from ranvier_builder import Config, Report
from ranvier_builder.read.canvas import canvas_to_markdown
from ranvier_builder.read.neuron import read_neuron
from support.content import OPEN, build_without_engine, write_tree

Card = dict[str, Any]


def card(kind: str, y: int = 0, x: int = 0, **fields: Any) -> Card:
    return {"id": f"{kind}{y}{x}", "type": kind, "x": x, "y": y, "width": 100, "height": 50, "color": "4", **fields}


def canvas(*cards: Card, **properties: Any) -> str:
    metadata = {"metadata": {"version": "1.0-1.0", "frontmatter": properties}} if properties else {}
    return json.dumps({"nodes": cards, "edges": [{"id": "e", "fromNode": "a", "toNode": "b", "label": "arrow"}], **metadata})


def build_vault(tmp_path: Path, files: dict[str, str | bytes], config: Config = OPEN) -> tuple[Path, Report]:
    report = build_without_engine(write_tree(tmp_path / "vault", files), tmp_path / "public", config)
    return tmp_path / "public", report


def html(site: Path, page: str) -> str:
    return (site / page / "index.html").read_text()


def test_cards_are_a_list_from_top_to_bottom() -> None:
    """N8: and from left to right; groups are headings, below the cards outside of them."""
    board = canvas(
        card("text", 300, 20, text="third"),
        card("group", 500, 0, label="A group", width=400, height=200),
        card("text", 550, 200, text="inside, right"),
        card("text", 550, 10, text="inside, left\n\nwith two paragraphs"),
        card("text", 0, 200, text="second"),
        card("text", 0, 0, text="# first\n"),
        card("text", 900, 0, text=" "),
        card("link", 310, 0, url="https://example.org/a?b=c"),
        card("link", 320, 0, url="javascript:alert(1)"),
    )
    assert canvas_to_markdown(board) == (
        "- ### first\n\n- second\n\n- third\n\n- <https://example.org/a?b=c>\n\n"
        "## A group\n\n- inside, left\n\n  with two paragraphs\n\n- inside, right\n"
    )


def test_headings_of_a_card_are_below_those_of_the_page(tmp_path: Path) -> None:
    """N8: but for lines of code."""
    text = "# Plan\n\n##### Deep\n\n```sh\n# a comment\n```\n"
    assert canvas_to_markdown(canvas(card("text", text=text))).split("\n")[::2][:3] == ["- ### Plan", "  ##### Deep", "  ```sh"]
    site, _ = build_vault(tmp_path, {"Board.canvas": canvas(card("text", text=text)), "a.md": "# A\n"})
    assert re.findall(r"<(h\d) id", html(site, "board")) == ["h1", "h3", "h5"]
    assert "# a comment" in html(site, "board")


def test_card_is_in_the_smallest_group_around_it() -> None:
    """N8."""
    outer = card("group", 0, 0, label="Outer", width=1000, height=1000)
    inner = card("group", 100, 100, label="Inner", width=300, height=300)
    board = canvas(outer, inner, card("text", 150, 150, text="deep"), card("text", 800, 10, text="flat"))
    assert canvas_to_markdown(board) == "## Outer\n\n- flat\n\n## Inner\n\n- deep\n"


def test_canvas_is_a_page_with_links_and_backlinks(tmp_path: Path) -> None:
    """N8, N4: cards with files are links by the names of the files; pictures are shown."""
    board = canvas(
        card("file", 0, file="notes/Plan.md", subpath="#Next steps"),
        card("file", 1, file="notes/Map.canvas"),
        card("file", 2, file="notes/kestrel.svg"),
        card("text", 3, text="A **zygomatic** card. See [[Plan]] and [the map](notes/Map.canvas)."),
    )
    files: dict[str, str | bytes] = {
        "My board.canvas": board,
        "notes/Plan.md": "# The plan\n\n## Next steps\n\nGo.\n",
        "notes/Map.canvas": canvas(card("text", text="A map, and ![[My board.canvas]]")),
        "notes/kestrel.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0h9v9z"/></svg>',
    }
    site, report = build_vault(tmp_path, files)
    assert report.warnings == []
    page = html(site, "my-board")
    assert "<title>My board" in page
    assert '<a href="../notes/plan/#next-steps" rel="noopener noreferrer">Plan</a>' in page
    assert page.count('href="../notes/map/"') >= 2
    assert 'src="../_media/' in page
    assert "<strong>zygomatic</strong>" in page
    assert "arrow" not in page
    with ranvier.open_snapshot(site) as library:
        assert [hit.title for hit in library.search("zygomatic").hits] == ["My board"]
        assert {link.title for link in library.backlinks("notes/Plan.md")} == {"My board"}
        assert {link.title for link in library.backlinks("My board.canvas")} == {"Map"}


def test_note_keeps_name_and_address_beside_a_canvas(tmp_path: Path) -> None:
    """N8, N4: `[[Plan]]` is the note, and `[[Plan.canvas]]` is the canvas."""
    files: dict[str, str | bytes] = {
        "Plan.canvas": canvas(card("text", text="A board.")),
        "Plan.md": "# Plan\n",
        "a.md": "[[Plan]] and [[Plan.canvas]]\n",
    }
    site, _ = build_vault(tmp_path, files)
    assert 'href="../plan/" rel="noopener noreferrer">Plan</a>' in html(site, "a")
    assert 'href="../plan-2/" rel="noopener noreferrer">Plan.canvas</a>' in html(site, "a")
    assert "A board." in html(site, "plan-2")


@pytest.mark.parametrize(
    ("properties", "config", "is_open"),
    [
        ({}, Config(), False),
        ({}, OPEN, True),
        ({"audience": "public"}, Config(), True),
        ({"audience": "curator"}, OPEN, False),
        ({"publish": False}, OPEN, False),
        ({"publish": True}, Config(), False),
        ({"publish": True}, Config(audience_fields=("publish",), audience={"true": "public"}), True),
        ({"publish": False}, Config(audience_fields=("publish",), audience={"true": "public", "false": "curator"}), False),
        ({"Audience": "public", "audience": "curator"}, OPEN, False),
        ({"audiences": "public"}, OPEN, False),
    ],
)
def test_canvas_passes_the_same_gate_as_a_note(
    tmp_path: Path, properties: dict[str, Any], config: Config, is_open: bool
) -> None:
    """A1, A2, N8: by its properties or the default."""
    board = canvas(card("text", text="A zygomatic secret."), card("file", 9, file="Home.md"), **properties)
    files: dict[str, str | bytes] = {"Board.canvas": board, "Home.md": "---\naudience: public\n---\nSee [[Board.canvas]].\n"}
    if "publish" in config.audience_fields:
        files["Home.md"] = "---\npublish: true\n---\nSee [[Board.canvas]].\n"
    site, report = build_vault(tmp_path, files, config)
    assert report.published == 1 + is_open
    assert (site / "board").exists() == is_open
    assert any(b"zygomatic" in file.read_bytes() for file in site.rglob("*.html")) == is_open


@pytest.mark.parametrize(
    "text",
    [
        "{", "[]", '{"nodes": {}}', '{"nodes": [1]}', '{"nodes": [], "metadata": {"frontmatter": 1}}',
        '{"a": 1, "A": 2}', "[" * 9999,
    ],
)  # fmt: skip
def test_unreadable_canvas_is_withheld(tmp_path: Path, text: str) -> None:
    """A1, N9: with a warning that names it."""
    site, report = build_vault(tmp_path, {"Board.canvas": text, "a.md": "# A\n"})
    assert report.published == 1
    assert [warning.file for warning in report.warnings] == ["Board.canvas"]
    assert "is not a canvas that can be read" in report.warnings[0].message
    assert not (site / "board").exists()


def test_properties_of_a_canvas_are_those_of_a_note(tmp_path: Path) -> None:
    """N1, N2, A3: fields that are not published do not reach the site."""
    fields = {"title": "Roadmap", "tags": ["plan/next"], "owner": "zygomatic-owner", "audience": ["public", "zygo-club"]}
    board = canvas(card("text", text="Words %%a hidden remark%% and {#claim-0a1b2c3d} more."), **fields)
    site, report = build_vault(tmp_path, {"Board.canvas": board, "b.md": "# B\n"}, OPEN)
    (neuron, _) = read_neuron(tmp_path / "vault", "Board.canvas")
    assert (neuron.title, neuron.tags, neuron.audience) == ("Roadmap", ("plan/next",), ("public", "zygo-club"))
    everything = b"".join(file.read_bytes() for file in site.rglob("*") if file.is_file())
    assert b"Roadmap" in everything
    for secret in (b"zygomatic", b"hidden remark", b"0a1b2c3d", b"zygo-club"):
        assert secret not in everything
    assert {warning.kind for warning in report.warnings} == {"audience"}


def test_card_of_a_withheld_note_does_not_name_it(tmp_path: Path) -> None:
    """A2, N8: the author of a canvas drops a file on it, and writes no words."""
    files: dict[str, str | bytes] = {
        "Board.canvas": canvas(card("file", file="deals/Merger of kestrels.md"), card("text", 9, text="Words.")),
        "deals/Merger of kestrels.md": "---\naudience: curator\n---\nSecret.\n",
    }
    site, report = build_vault(tmp_path, files)
    assert "private note" in html(site, "board")
    for file in site.rglob("*"):
        assert not file.is_file() or b"Merger of" not in file.read_bytes(), file
    (warning,) = [warning for warning in report.warnings if warning.kind == "link"]
    assert (warning.file, warning.line) == ("Board.canvas", 0)


def test_texts_of_cards_cannot_change_the_page(tmp_path: Path) -> None:
    """N8, N9: strange values, and HTML."""
    board = canvas(
        card("text", text="<script>alert(1)</script><b onclick=x>bold</b>"),
        card("file", 1, file="a]] [[b"),
        card("file", 2, file=7),
        card("unknown", 3, text="unknown"),
        {"x": "1", "y": None, "type": "text", "text": "no place", "width": float("nan")},
        card("text", 4, text="half \ud800 letter"),
    )
    site, _ = build_vault(tmp_path, {"Board.canvas": board, "a.md": "# A\n"})
    page = html(site, "board")
    assert "alert(1)" not in page
    assert "onclick" not in page
    assert "no place" in page
    assert "unknown" not in page

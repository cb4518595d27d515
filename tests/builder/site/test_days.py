"""The feed of dated pages, and the calendar of daily notes (G3)."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from ranvier_builder import Config
from ranvier_builder.model import Neuron, Page
from ranvier_builder.render.node import Node
from ranvier_builder.site.days import calendar_of, newest
from ranvier_builder.site.titles import Titles
from selectolax.lexbor import LexborHTMLParser
from support.content import Tree, build_tree

ATOM = "{http://www.w3.org/2005/Atom}"
URL = "https://x.example/docs"

LINK = Titles("en", "en").link


def node(slug: str, **fields: str) -> Node:
    page = Page(Neuron(f"{slug}.md", slug, "", **fields), 1, "s_1", slug, f"{slug}/", False)  # type: ignore[arg-type]
    return Node(slug, slug, page)


def test_newest_pages_come_first() -> None:
    """G3: by the day on which they were written, then by path; 30 at most; never by a clock."""
    nodes = [node("b", created="2026-01-02"), node("a", created="2026-01-02", updated="2026-02-03"), node("2026-01-03")]
    nodes += [node("undated"), node("changed", updated="2026-01-01"), node("odd", created="2026-13-45")]
    entries = newest(nodes)
    assert [f"{entry['path']} {entry['published']} {entry['updated']}" for entry in entries] == [
        *("2026-01-03.md 2026-01-03 2026-01-03", "a.md 2026-01-02 2026-02-03"),
        *("b.md 2026-01-02 2026-01-02", "changed.md 2026-01-01 2026-01-01"),
    ]
    assert newest(nodes[::-1]) == entries
    assert len(newest([node(f"n{number:03}", created="2026-01-01") for number in range(50)])) == 30


def test_feed_is_well_formed_and_escaped(tmp_path: Path) -> None:
    """G3: titles are untrusted; withheld and unlisted pages are not in it."""
    title = '<b> & "q" \' ]]> \x0b\ufffe end'
    files: dict[str, str | bytes] = {
        "a.md": f"---\ntitle: {json.dumps(title)}\nsummary: 'One\n\n  ]]> <two>'\n"
        "created: 2026-01-02\nupdated: 2026-01-04\n---\nText.\n",
        "b c.md": "---\ntitle: B\ncreated: 2026-01-03\n---\nText.\n",
        "hidden.md": "---\ntitle: Hidden\ncreated: 2026-05-03\nnoindex: true\n---\nText.\n",
        "secret.md": "---\ntitle: Secret\ncreated: 2026-06-03\naudience: curator\n---\nText.\n",
    }
    out = build_tree(tmp_path, files, Config(title="S & T", url=URL, default_audience="public", description="<d>"))
    feed = ElementTree.fromstring((out / "feed.xml").read_bytes())
    entries = feed.findall(f"{ATOM}entry")
    assert [entry.findtext(f"{ATOM}id") for entry in entries] == [f"{URL}/b-c/", f"{URL}/a/"]
    assert (entries[1].findtext(f"{ATOM}title") or "").startswith('<b> & "q" \' ]]> ')
    assert " ".join((entries[1].findtext(f"{ATOM}summary") or "").split()) == "One ]]> <two>"
    assert feed.findtext(f"{ATOM}updated") == "2026-01-04T00:00:00Z"
    assert feed.findtext(f"{ATOM}title") == "S & T"
    html = LexborHTMLParser((out / "a" / "index.html").read_text("utf-8"))
    (link,) = html.css('link[type="application/atom+xml"]')
    assert link.attributes["href"] == "../feed.xml"
    assert b"Secret" not in (out / "feed.xml").read_bytes()


@pytest.mark.parametrize(("url", "text"), [("", "---\ncreated: 2026-01-02\n---\nText.\n"), (URL, "Text.\n")])
def test_no_feed_without_an_address_or_a_date(tmp_path: Path, url: str, text: str) -> None:
    """G3: ids of entries are absolute."""
    out = build_tree(tmp_path, {"a.md": text}, Config(url=url, default_audience="public"))
    assert not (out / "feed.xml").exists()
    assert "atom+xml" not in (out / "a" / "index.html").read_text("utf-8")


def test_months_have_whole_weeks() -> None:
    """N6, G3: from Monday; the daily note comes before other pages of its day."""
    months = calendar_of(
        [node("other", created="2026-02-01"), node("2026-02-01"), node("2025-12-31"), node("0000-00-00")], LINK
    )
    assert [(month["id"], month["year"], month["month"]) for month in months] == [("2026-02", 2026, 2), ("2025-12", 2025, 12)]
    weeks = months[0]["weeks"]
    assert all(len(week) == 7 for week in weeks)
    assert [cell["day"] for cell in weeks[0]] == [0, 0, 0, 0, 0, 0, 1]
    assert [note["title"] for note in weeks[0][6]["notes"]] == ["2026-02-01", "other"]


def test_calendar_is_written_for_daily_notes_only(tree: Tree, tmp_path: Path) -> None:
    """N6, G3, A2."""
    files: dict[str, str | bytes] = {
        "2026-02-01.md": "# <Long> day\n",
        "b.md": "---\ncreated: 2026-02-03\n---\nText.\n",
        "2026-03-01.md": "---\naudience: curator\n---\nText.\n",
    }
    out = build_tree(tmp_path, files)
    page = LexborHTMLParser((out / "calendar" / "index.html").read_text("utf-8"))
    assert [node.text() for node in page.css(".month h2")] == ["February 2026"]
    assert [(link.text(), link.attributes["href"]) for link in page.css("td a")] == [("1", "../2026-02-01/"), ("3", "../b/")]
    assert [link.text() for link in page.css(".month li a")] == ["<Long> day", "b"]
    out = build_tree(tmp_path / "other", {"z.md": "---\ncreated: 2026-02-03\n---\nText.\n"})
    assert not (out / "calendar").exists()

"""N9: small hostile files are read and rendered within the time limit."""

from functools import partial
from pathlib import Path

import pytest
from ranvier_builder import Config
from ranvier_builder.model import Page
from ranvier_builder.read.items import Item, read_item
from ranvier_builder.render.links import Links
from ranvier_builder.web.page import read_page
from ranvier_builder.work import limits
from ranvier_builder.work.limits import Unfinished
from ranvier_builder.work.render import render_page

CONFIG = Config(default_audience="public")
MARKS = "a" + "\u0301\u0316" * 100_000


@pytest.fixture(autouse=True)
def _no_time_for_large_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "SECONDS_A_MEGABYTE", 0)


def read_and_draw(root: Path, path: str) -> None:
    neuron, _ = read_item(root, Item(path), CONFIG)
    render_page(Page(neuron, 1, "x", "a", "a/", False), Links(root, [], (), CONFIG), CONFIG)


@pytest.mark.timeout(120)
@pytest.mark.parametrize(
    "text",
    [
        f"---\ntitle: {MARKS}\ntags: [{MARKS}]\nparent: {MARKS}\n---\n",
        f"# {MARKS}\n\n#{MARKS} [[{MARKS}]] <h2>{MARKS}</h2>\n\n{MARKS}\n",
        "```perl\n" + "s{{{" * 24_000 + "\n```\n",
    ],
    ids=["marks in frontmatter", "marks in text", "listing"],
)
def test_hostile_markdown_is_rendered_in_time(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.md").write_text(text)
    assert not isinstance(*limits.each(partial(read_and_draw, tmp_path), ["a.md"], len), Unfinished)


@pytest.mark.timeout(120)
def test_hostile_html_is_read_in_time() -> None:
    html = f"<meta http-equiv=refresh content='{'1' * 200_000}'><p>Words"
    assert not isinstance(*limits.each(partial(read_page, "a.html"), [html.encode()], len), Unfinished)

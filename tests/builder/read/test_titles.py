"""The first heading is the title of a page, as readers see it (N1)."""

import pytest
from ranvier_builder.read.titles import title_of


@pytest.mark.parametrize(
    ("body", "title"),
    [
        ("# Use *the* [CLI](cli.md)", "Use the CLI"),
        ('# <img src="logo.png" width=30> My Project', "My Project"),
        ('# <a name="top"></a>Title', "Title"),
        ("# Title<br>sub", "Title sub"),
        ("# Title[^1]\n\n[^1]: note", "Title"),
        ("# [Title][r]\n\n[r]: x.md", "Title"),
        ("# [[wl|lab]]", "lab"),
        ("# ==m== ~~old~~", "m old"),
        ('# <abbr title="x">y</abbr> `z`', "y z"),
        ("# Array<T>", "Array<T>"),
        ("# <script>no</script> yes", "yes"),
        ("# ![logo](x.png) Name", "Name"),
        ("# ![logo](x.png)", "logo"),
        ("# Title {#own} #", "Title"),
        ("# Title #", "Title"),
        ("# Title {#own}", "Title"),
        ("<pre>\n# comment\n</pre>\n\n# Title", "Title"),
        ("<div>\n# comment\n</div>\n\n# Title", "Title"),
        ("```\n# comment\n```\n# Title", "Title"),
        ("Two\nlines\n===\n\n# Other", "Two lines"),
        ("text\n# Title", "Title"),
        ("- item\n===\n\n# Title", "Title"),
        ('<h1 align="center">My\n<b>Project</b></h1>\n\n# Other', "My Project"),
        ('<div align="center"><h1>A &amp; B</h1></div>', "A & B"),
        ("# First\n\n<h1>Second</h1>", "First"),
        ("<h1><img src=x></h1>\n\n# Title", "Title"),
        ("<h1>open\n\ntext", ""),
        ("#tag\n\n## Part", ""),
        ("## What Is *Ownership*?\n\ntext\n\n### Rules\n", "What Is Ownership?"),
        ('\n<a id="old"></a>\n\n## Title', "Title"),
        ("[![build](x.svg)](y) ![b](z.svg)\n\n### Title", "Title"),
        ("Title\n-----\n", "Title"),
        ("text\n\n## Part\n\n# Title", ""),
        ("## Title\n\n# Other", "Title"),
        ("text\n\nPart\n----\n\n# Title", ""),
        ("text\n## Part", ""),
        ("- item\n\n## Part", ""),
        ("", ""),
    ],
)
def test_first_heading_is_plain_text(body: str, title: str) -> None:
    assert title_of(body).words == title


@pytest.mark.parametrize("unit", ["<h1>", "<h1>\n", "# \n", "<pre>\n", "<div>\n# x\n", "a\n", "a\n===", "[a]: b\n", "<a>"])
def test_title_takes_linear_time(unit: str) -> None:
    """N9: the timeout of the test is the limit."""
    title_of(unit * (500_000 // len(unit)))


@pytest.mark.parametrize(
    ("body", "below"),
    [
        ("# Banner\n\n## Part\n\ntext", "Part"),
        ('<h1 align="center">Banner</h1>\n\n<!-- x -->\n![a](b)\n\n# Part', "Part"),
        ("Banner\n===\nPart\n---\n", "Part"),
        ("# Banner\n\n<h1>Part</h1>", "Part"),
        ("# Title\n\ntext\n\n## Part", ""),
        ("# Title\n\ntext\n\n# Part", ""),
        ("# Title\n\ntext <h1>Part</h1>", ""),
        ("## Title\n\n### Part", ""),
    ],
)
def test_heading_right_below_a_banner(body: str, below: str) -> None:
    assert title_of(body).heading_below == below

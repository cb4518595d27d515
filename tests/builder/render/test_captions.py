"""Captions of pictures (N7): the title of a picture that is a paragraph of its own."""

from pathlib import Path

import pytest
from ranvier_builder.model import Neuron, Page
from ranvier_builder.render.html import sections
from ranvier_builder.render.links import Links
from ranvier_builder.render.markdown import render


def html(body: str) -> str:
    page = Page(Neuron("a.md", "T", body), 1, "s_1", "a", "a/", False)
    return render(page, Links(Path(), [page]), "../").html


def test_title_of_a_picture_is_its_caption() -> None:
    """N7: shown and searched; it is untrusted text."""
    figure = html('![words](https://x.example/p.png "A <b>caption</b> & \\"more\\"")\n')
    assert figure == (
        '<figure><img src="https://x.example/p.png" alt="words">'
        '<figcaption>A &lt;b&gt;caption&lt;/b&gt; &amp; "more"</figcaption></figure>\n'
    )
    assert [block.text for section in sections(figure) for block in section.blocks] == ["words", 'A <b>caption</b> & "more"']


@pytest.mark.parametrize(
    "body",
    [
        "![words](https://x.example/p.png)",
        'before ![words](https://x.example/p.png "caption")',
        '- ![words](https://x.example/p.png "caption")',
        '[![words](https://x.example/p.png "caption")](https://x.example/)',
        '![words](missing.png "caption")',
    ],
)
def test_other_pictures_are_no_figures(body: str) -> None:
    """N7."""
    assert "<fig" not in html(body)

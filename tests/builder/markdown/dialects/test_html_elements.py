"""HTML elements whose contents are Markdown (N8), as in Python-Markdown."""

import re
from collections.abc import Callable
from typing import Any

import markdown
import pytest
from ranvier_builder import Config
from ranvier_builder.markdown.parser import parser
from support.rendered import RenderFile

See = Callable[..., Any]
_PYTHON = markdown.Markdown(extensions=["md_in_html", "fenced_code"])


def normalised(html: str) -> str:
    """Remove the blanks and the line ends around tags."""
    return re.sub(r" ?(</?[a-z0-9]+(?: [^<>]*)?>) ?", r"\1", " ".join(html.replace(" />", ">").split()))


@pytest.mark.parametrize(
    "text",
    [
        "<div markdown>\n## H\ntext *a*\n</div>",
        '<div class="grid cards" markdown>\n\n-   a *b*\n\n    more\n\n- [c](d.md)\n\n</div>\n\nafter *d*',
        '<div class="x markdown y" markdown="1" title="a">text *a*</div> tail *b*',
        'para *a*\n<section markdown="block">text *a*\n\n*b*</section>\nmore *b*',
        '<p markdown="1">*a*\n# b</p>',
        '<p markdown="block">a *b*\n\n- c\n</p>',
        "<table markdown>\n<tr markdown>\n<td markdown>*a*</td>\n<td markdown>*b*</td>\n</tr>\n</table>",
        "<details markdown>\n<summary>S *x*</summary>\nbody *b*\n\n- a\n</details>",
        '<details markdown="1"><summary markdown="span">S *x*</summary>\nbody *b*\n</details>',
        "<div markdown>\n<div>*raw*</div>\n*md*\n</div>",
        "<div markdown>\n```\n</div>\n```\n*md*\n</div>",
        "<div markdown>\n    code *a*\n</div>",
        '<div\n  class="a"\n  markdown>\n  *a*\n\n  *b*\n</div>',
        "`<div markdown>` *a*",
        "x <b>*a*</b> y",
    ],
)
def test_markdown_in_elements_is_that_of_python_markdown(text: str) -> None:
    assert normalised(parser().render(text)) == normalised(_PYTHON.reset().convert(text))


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("> <div markdown>\n> *a*\n> </div>\n\nb", "<blockquote>\n<div>\n<p><em>a</em></p>\n</div>\n</blockquote>\n<p>b</p>\n"),
        (
            "- a\n\n    <div markdown>\n    *b*\n    </div>\n",
            "<ul>\n<li>\n<p>a</p>\n<div>\n<p><em>b</em></p>\n</div>\n</li>\n</ul>\n",
        ),
        ("<div markdown>\n  <div markdown>\n    *a*\n  </div>\n</div>", "<div>\n<div>\n<p><em>a</em></p>\n</div>\n</div>\n"),
        ("<div>\n*a*\n</div>", "<div>\n*a*\n</div>"),
        (
            '<figure markdown="span">\n  ![T](https://a.example/x.png){ width="300" }\n  <figcaption>C</figcaption>\n</figure>',
            '<figure><img src="https://a.example/x.png" alt="T" width="300">\n<figcaption>C</figcaption></figure>\n',
        ),
        ('<div markdown="0">\n*a*\n</div>', "<div>\n*a*\n</div>"),
        ("<div markdown>\n<script>x()</script>\n*a*\n</div>", "<div>\n\n<p><em>a</em></p>\n</div>\n"),
    ],
)
def test_elements_in_other_blocks(render_file: RenderFile, text: str, html: str) -> None:
    """The page is sanitised, so the attribute is not in it."""
    assert render_file(text).html == html


def test_unclosed_element_is_html_and_reported(render_file: RenderFile) -> None:
    """N9: a problem in the contents keeps its line."""
    result = render_file("a\n\n<div markdown>\n*b*\n\n<section markdown>\n\n::: note\n</section>\n")
    assert result.html.startswith("<p>a</p>\n<div>\n*b*\n")
    assert result.problems == (
        "3: <div> is not closed by </div>; its contents are not read as Markdown",
        "8: a block that begins here is not closed; shown as it is",
    )


@pytest.mark.parametrize(
    "text",
    [
        "<div markdown>\n" * 1700,
        "<div markdown>\n\n" * 1000 + "</div>\n\n" * 1000,
        "<p markdown>*a*</p> " * 6_600,
        "<p markdown>- > *a*</p> - > " * 3_300,
        '<div markdown a="' * 6_600,
        "<div markdown>\n" + "- <div markdown>\n" * 1700 + "</div>" * 1700,
        "<p markdown></div>" * 6_600,
        "<div markdown" + " " * 33_000,
        "<" + "a markdow" * 16_500,
    ],
)
@pytest.mark.timeout(20)
def test_hostile_elements_take_linear_time(render_file: RenderFile, text: str) -> None:
    assert len(render_file(text, config=Config()).html) < 10 * len(text)

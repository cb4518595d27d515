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


TABLE = "<table>\n<tbody>\n<tr>\n<td>a</td>\n</tr>\n<tr>\n<td>b</td>\n</tr>\n</tbody>\n</table>"
ROWS = (
    "<table>\n  <tbody>\n    <tr>\n      <td>a</td>\n    </tr>\n{}\n    <tr>\n    <td>b</td>\n    </tr>\n  </tbody>\n</table>"
)


@pytest.mark.parametrize(
    ("text", "html"),
    [
        (ROWS.format(""), TABLE),
        (ROWS.format("    {% if x %}\n"), TABLE),
        ("<div>\n<ul>\n\n    <li>a <!-- hidden --></li>\n\n</ul>\n</div>", "<div>\n<ul>\n<li>a </li>\n</ul>\n</div>"),
        ("<ul>\n\n    <li>a {% comment %}hidden{% endcomment %}</li>\n\n</ul>", "<ul>\n<li>a </li>\n</ul>"),
        (
            "<table>\n<tr>\n    <td>\n\n      a `b`\n\n      c\n\n    </td>\n</tr>\n</table>",
            "<td>\n<p>a <code>b</code></p>\n<p>c</p>\n</td>",
        ),
        ("<table>\n<tr>\n<td>\n\n    code\n\n</td>\n</tr>\n</table>", "<pre><code>code\n</code></pre>"),
        ("<details>\n\n    <li>a</li>\n\n</details>", "&lt;li&gt;a&lt;/li&gt;"),
        ("<ul>\n\n- words\n\n        <li>a</li>\n\n</ul>", "&lt;li&gt;a&lt;/li&gt;"),
        ("<ul><li>a</li></ul>\n\n    <li>a</li>", "&lt;li&gt;a&lt;/li&gt;"),
        ("```\n<table>\n\n    <tr>\n```\n\n    <tr>", "&lt;table&gt;\n\n    &lt;tr&gt;"),
    ],
)
def test_tags_behind_a_blank_line_of_a_table_are_no_code(render_file: RenderFile, text: str, html: str) -> None:
    """N8, A2: as in Python-Markdown and kramdown; in other elements and below Markdown they are code, as in CommonMark."""
    rendered = re.sub(r"\n\s*(?=<)", "\n", render_file(text).html)
    assert html in rendered
    assert "hidden" not in rendered


def test_unclosed_script_below_capitals_whose_small_forms_are_longer_does_not_hide_the_page(render_file: RenderFile) -> None:
    result = render_file("İ" * 60 + " <script>x</script>\n\n<script>\n\n**after** it\n")
    assert "<strong>after</strong>" in result.html


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

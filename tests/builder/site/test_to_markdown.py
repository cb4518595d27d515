"""HTML of pages as Markdown (G2)."""

from pathlib import Path

import pytest
from ranvier_builder.model import Neuron, Page
from ranvier_builder.render.links import Links
from ranvier_builder.render.markdown import render
from ranvier_builder.site.to_markdown import to_markdown


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ("<p>One  <em>two</em>\n<strong>three</strong> <s>four</s></p><p>five</p>", "One *two* **three** ~~four~~\n\nfive"),
        ('<h2 id="a">A <code>b_c</code></h2>', "## A b_c"),
        ('<p><a href="../b/#c d">x</a> <a>y</a> <a href="/z"> </a></p>', "[x](../b/#c%20d) y"),
        ('<p><img src="a(1).png" alt="A [b]"></p>', "![A \\[b\\]](a%281%29.png)"),
        ('<p><img src="data:image/png;base64,AA" alt="dot"></p>', "dot"),
        ('<pre><code class="language-c++">a\n```\n b\n</code></pre>', "````c++\na\n```\n b\n````"),
        ("<p><code>a`b</code> <code>`c</code></p>", "``a`b`` `` `c ``"),
        ("<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul>", "- a\n- b\n  - c"),
        ('<ol start="9"><li><p>a</p><p>b</p></li><li>c</li></ol>', "9. a\n\n   b\n\n10. c"),
        ('<ul><li><input type="checkbox" checked> a</li><li><input type="checkbox"> b</li></ul>', "- [x] a\n- [ ] b"),
        ("<blockquote><p>a</p><pre>b\n\nc</pre></blockquote>", "> a\n>\n> ```\n> b\n>\n> c\n> ```"),
        ('<aside class="callout"><p class="callout-title">Note</p><p>a</p></aside>', "> **Note**\n>\n> a"),
        (
            "<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>x|y</td><td></td></tr></tbody></table>",
            "| a | b |\n| --- | --- |\n| x\\|y |  |",
        ),
        ("<dl><dt>Term</dt><dd>Words</dd></dl><hr><p>z</p>", "**Term**\n\nWords\n\n---\n\nz"),
        ("<details><summary>More</summary>text</details>", "**More**\n\ntext"),
        ("<p>a<br>b</p>", "a\\\nb"),
        ("<p>a<br>\n b</p>", "a\\\nb"),
        ('<p><audio src="a.mp3" title="Song"></audio></p>', "[Song](a.mp3)"),
        (
            "<h2>E <math><mi>E</mi><annotation>e_1</annotation></math></h2><p>a <math><mi>x</mi><annotation>x_1 < y"
            '</annotation></math> b</p><p><math display="block"><mi>x</mi></math></p>',
            "## E e_1\n\na $`x_1 < y`$ b\n\n```math\nx\n```",
        ),
        ("<span>a<div>b</div>c</span>", "a\n\nb\n\nc"),
        # Text that looks like Markdown or HTML is escaped, and invisible text is left out.
        ("<p>a*b* _c_ d_e `f` [g](h) \\ ~~i~~</p>", "a\\*b\\* \\_c\\_ d_e \\`f\\` \\[g\\](h) \\\\ \\~~i\\~~"),
        ("<p>&lt;script&gt; &amp;amp; 1 &lt; 2 &amp; 3</p>", "\\<script> \\&amp; 1 \\< 2 & 3"),
        ("<p># a</p><p>- b</p><p>1. c</p><p>&gt; d</p><p>2024 e</p>", "\\# a\n\n\\- b\n\n1\\. c\n\n\\> d\n\n2024 e"),
        ("<p>a</p><!-- secret --><script>secret()</script><style>secret</style>", "a"),
        ("<h1>a\n# b</h1>", "# a # b"),
    ],
)
def test_elements_become_their_markdown(html: str, markdown: str) -> None:
    """G2."""
    assert to_markdown(html) == markdown


def test_escaped_text_is_the_same_when_it_is_rendered() -> None:
    """G2: Markdown of a page, rendered again, shows the same words."""
    text = "<p>a*b* _c_ <code>`x`</code> [g](h) # 1. ~~ &amp;lt; &lt;b&gt; | \\</p><ul><li>- 2</li></ul>"
    page = Page(Neuron("a.md", "T", to_markdown(text)), 1, "s_1", "a", "a/", False)
    html_of_markdown = render(page, Links(Path(), [page]), "../").html
    assert to_markdown(html_of_markdown) == to_markdown(text)
    assert html_of_markdown.count("<li>") == 1


def test_addresses_are_converted() -> None:
    """G2."""
    html = '<p><a href="b/">b</a> <img src="c.png" alt="c"></p>'
    assert to_markdown(html, lambda href: f"https://x.example/{href}") == (
        "[b](https://x.example/b/) ![c](https://x.example/c.png)"
    )


@pytest.mark.parametrize("tag", ["blockquote", "ul><li", "div", "em", "code", "table><tr><td"])
def test_deep_nesting_needs_no_deep_stack_and_little_text(tag: str) -> None:
    """G2: content is untrusted."""
    text = to_markdown(f"<{tag}>" * 10_000 + "<p>deep</p>")
    assert "deep" in text
    assert len(text) < 10 * 10_000

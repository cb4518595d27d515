"""Pages of Quarto and R Markdown show what a reader of their HTML sees (N9, A2)."""

import pytest
from support.rendered import RenderFile


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ('::: {.content-hidden when-format="html"}\nhidden\n:::\n\nwords', "words"),
        ('::: {.content-hidden when-format="pdf"}\nwords\n:::', "words"),
        ('::: {.content-hidden unless-format="html"}\nwords\n:::', "words"),
        ("words\n\n::: encrypt password=hidden\n\nhidden\n\n::: tip\nhidden\n:::\n\nhidden", "words"),  # without an end
        ("::: encrypt password=hidden\n::: tip\nhidden\n:::\n\nhidden\n:::\n\nwords", "words"),  # of VuePress
        ("::: {.content-hidden}\n:::: {.a}\nhidden\n::::\n:::\n\nwords", "words"),
        ('::: {.content-visible when-format="html:js"}\nwords\n:::', "words"),
        ('::: {.content-visible when-format="pdf"}\nhidden\n:::\n\nwords', "words"),
        ('::: {.content-visible when-profile="team"}\nhidden\n:::\n\nwords', "words"),  # in doubt, the text is hidden
        ("words [hidden]{.content-hidden}", "words"),
        ('words [hidden [a](b.md)\nx]{.a .content-visible when-format="pdf"}', "words"),
        ('[words]{.content-visible when-format="html"} `[x]{.hidden}`', "[words] [x]{.hidden}"),
        ("[a](b.md) [c]{.hiddenness} words", "a [c] words"),
        ("::: {#x .hidden}\nhidden\n:::\n\nwords", "words"),
        ("<!--\n::: {.hidden}\n-->\nwords\n<!--\n:::\n-->", "words"),
        ("words\n\n::: {.hidden}\n%%\n:::\nhidden\n%%\n:::", "words"),  # the div does not end within the comment
        ('::: {.column width="40%"}\nwords\n:::', "words"),
        ("::: {#fig-a layout-ncol=2}\nwords\n:::", "words"),
        ("::: {.callout-note}\n## The *title*\n\nwords\n:::", "The title / words"),
        ('::: {.callout-tip title="T"}\nwords\n:::', "T / words"),
        ('::: {.callout-tip collapse="true" title="The T"}\nwords\n:::', "The T / words"),
        ('::: {.callout-note appearance="simple" icon="false"}\nwords\n:::', "Note / words"),
        ("::: {#nte-x .callout-note}\n## T\nwords\n:::", "T / words"),
        ('::: note {a="b" c="d"}\nwords\n:::', "Note / words"),
        ("```{r}\n#| label: x\n\nplot(1)\n```", "plot(1)"),
        ("```{python}\n#| echo: false\nhidden\n```\n\nwords", "words"),
        ("```{r setup, include=FALSE}\nhidden\n```\n\nwords", "words"),
        ("```{r x, echo=FALSE}\nhidden\n```\n\nwords", "words"),
        ("```r\n#| echo: false\nx\n```", "#| echo: false\nx"),
    ],
)
def test_text_of_divs_and_cells(render_file: RenderFile, body: str, text: str) -> None:
    assert render_file(body, "a.qmd").text == text


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        ("<details>\n```text\nx\n```\n</details>", '<details>\n<pre><code class="language-text">x'),
        ('<div class="a">\n```\nx\n```\n</div>', '<div class="a">\n<pre><code>x'),
        ("<details>\n<summary>S</summary>\n~~~\nx\n~~~\n</details>", "<summary>S</summary>\n<pre><code>x"),
        ("::: {.callout-note}\n<details>\n```\nx\n```\n</details>\n:::", "<details>\n<pre><code>x"),
        ("````\n<details>\n```\nx\n```\n</details>\n````", "<pre><code>&lt;details&gt;\n```\nx"),
        ("<details>\n*x*\n</details>", "<details>\n<p><em>x</em></p>"),
        ("<details>\n<b>*x*</b>\n</details>", "<b>*x*</b>"),
    ],
)
def test_code_and_text_directly_below_a_tag(render_file: RenderFile, body: str, shown: str) -> None:
    """N9: as with Pandoc's `markdown_in_html_blocks`; in Markdown of others, it is HTML."""
    assert shown in render_file(body, "a.qmd").html
    is_code_first = body.startswith("````")
    assert ("<pre>" in render_file(body, "a.md").html) == is_code_first


def test_callout_that_collapses(render_file: RenderFile) -> None:
    body = '::: {.callout-tip collapse="true"}\n## T\nwords\n:::'
    start = '<details class="callout callout-tip">\n<summary class="callout-title">T</summary>'
    assert render_file(body, "a.qmd").html.startswith(start)


def test_kind_of_a_callout_with_an_id(render_file: RenderFile) -> None:
    assert '<aside class="callout callout-warning">' in render_file("::: {#wrn-x .callout-warning}\nx\n:::", "a.qmd").html


def test_lines_of_a_cell_keep_their_numbers(render_file: RenderFile) -> None:
    body = "```{r}\n#| label: x\nplot(1)\n```\n"
    assert render_file(body, "a.qmd").neuron.body == "\n```{r}\nplot(1)\n```\n"

"""Extensions of Python-Markdown and variables of mkdocs-macros: only where the settings of a site turn them on (N9)."""

import pytest
from ranvier_builder import Config
from ranvier_builder.markdown.dialects.extensions import ARITHMATEX, ATTRIBUTES, CARET, KEYS, OPTIONS, TILDE
from ranvier_builder.syntax import Syntax
from support.rendered import RenderFile


def config(*extensions: str, **variables: str) -> Config:
    return Config(syntax=Syntax(".", tuple(sorted(extensions)), tuple(sorted(variables.items()))))


@pytest.mark.parametrize(
    ("extension", "body", "html"),
    [
        (TILDE, "H~2~O", "<p>H<sub>2</sub>O</p>"),
        (TILDE, "~~old~~ ~a b~ ~/a `H~2~O` <code>H~2~O</code>", "<s>old</s> ~a b~ ~/a <code>H~2~O</code> <code>H~2~O</code>"),
        (TILDE, "H~<b>2</b>~ ~`c`~", "<p>H~<b>2</b>~ ~<code>c</code>~</p>"),
        (TILDE, "https://a.example/~b/~c", 'noreferrer">https://a.example/~b/~c</a>'),
        (CARET, "Ca^2+^ Name^&trade;^", "<p>Ca<sup>2+</sup> Name^™^</p>"),
        (CARET, "A^T^ and 10^23^", "<p>A<sup>T</sup> and 10<sup>23</sup></p>"),
        (CARET, "word^[†](#n)^", '<p>word<sup><a href="#n" rel="noopener noreferrer">†</a></sup></p>'),
        (KEYS, '++a++ or ++"Any <key>"++', "<kbd>A</kbd> or <kbd>Any &lt;key&gt;</kbd>"),
        (KEYS, "{++new++}", "<p>{++new++}</p>"),
        (ARITHMATEX, "a \\(x\\)", '<p>a <math display="inline"><semantics><mrow><mi>x</mi></mrow>'),
        (ARITHMATEX, "\\[ x \\]", '<div class="math"><math display="block"><semantics><mrow><mi>x</mi></mrow>'),
        (ARITHMATEX, "`\\(x\\)` \\\\(x\\\\) \\[a\\] b", "<p><code>\\(x\\)</code> \\(x\\) [a] b</p>"),
        (ATTRIBUTES, "[a](#b){ .md-button target=_blank }", '<a href="#b" class="md-button" rel="noopener noreferrer">a</a>'),
        (ATTRIBUTES, "**a**{.md-button} `b`{.md-button} (c){.md-button}", "<p><strong>a</strong> <code>b</code> (c)</p>"),
        (ATTRIBUTES, "[a](#b){ .x onclick=y }", '<p><a href="#b" rel="noopener noreferrer">a</a></p>'),
    ],
)
def test_html_of_an_extension(render_file: RenderFile, extension: str, body: str, html: str) -> None:
    assert html in render_file(body, config=config(extension)).html


@pytest.mark.parametrize(
    ("body", "html"),
    [
        ("H~2~O A^T^", "<p>H~2~O A^T^</p>"),
        ("++a++ \\(x\\)", "<p>++a++ (x)</p>"),
        ("\\[ x \\]", "<p>[ x ]</p>"),
        ("[a](#b){ .md-button }", '<p><a href="#b" rel="noopener noreferrer">a</a></p>'),
        ("{{ version }}", "<p>{{ version }}</p>"),
    ],
)
def test_no_extension_is_on_by_default_or_in_another_folder(render_file: RenderFile, body: str, html: str) -> None:
    elsewhere = Config(syntax=Syntax("docs", tuple(sorted(OPTIONS)), (("version", "1"),)))
    assert render_file(body).html.strip() == render_file(body, config=elsewhere).html.strip() == html


def test_title_and_text_have_the_words_without_signs(render_file: RenderFile) -> None:
    page = render_file("# About H~2~O\n\nCO~2~ and A^T^", config=config(TILDE, CARET))
    assert (page.neuron.title, page.text) == ("About H2O", "CO2 and AT")


@pytest.mark.parametrize(
    ("body", "html"),
    [
        ("{{ version }} {{- a.b -}} {{ none }}", "<p>1.2 x {{ none }}</p>"),
        ("`{{ version }}`\n\n    {{version}}", "<p><code>1.2</code></p>\n<pre><code>1.2\n</code></pre>"),
        ("{% raw %}{{ version }}{% endraw %} {{ version }}", "<p>{{ version }} 1.2</p>"),
        (
            "{{ version | upper }} {{ version() }} {{{ version }}}",
            "<p>{{ version | upper }} {{ version() }} {{{ version }}}</p>",
        ),
        ("---\nrender_macros: false\n---\n{{ version }}", "<p>{{ version }}</p>"),
        ("---\nignore_macros: true\n---\n{{ version }}", "<p>{{ version }}</p>"),
        ("{{ html }}", "<p><b>a</b></p>"),
        ("a <!-- secret {{ end }} note --> b", "<p>a  b</p>"),
        ("a {% comment %}{{ version }} note {% endcomment %} b", "<p>a  b</p>"),
    ],
)
def test_variables_are_replaced_before_markdown_is_parsed(render_file: RenderFile, body: str, html: str) -> None:
    """A value is content: it is sanitised, and it cannot end a comment."""
    values = {"version": "1.2", "a.b": "x", "html": "<b onclick=x>a</b><script>y</script>", "end": "-->"}
    assert render_file(body, config=config(**values)).html.strip() == html

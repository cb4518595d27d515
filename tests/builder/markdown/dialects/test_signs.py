"""Comments, attribute lists, block ids, highlights, mathematics and drawings (N9, A2)."""

import pytest
from support.rendered import RenderFile


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("a <!-- hidden --> b", "a b"),
        ("a\n<!--\nhidden\n\nhidden\n-->\nb", "a / b"),
        ("`<!-- shown -->`", "<!-- shown -->"),
        ("a %%hidden%% b", "a b"),
        ("a\n\n%%\nhidden\n\nhidden", "a"),
        ("a\n\n<!-- hidden\n\nhidden", "a"),
        ("a\n{::comment}\nhidden\n{:/comment}\nb", "a / b"),
        ("a {# hidden #} b {# id } c #}", "a b {# id } c #}"),
        ("a\n\n[//]: # (hidden)\n[comment]: <> (hidden)\n\nb", "a / b"),
        ("a\n\n{#\nhidden {{ x }}\n\nhidden # {% y %}\n#}\n\nb", "a / b"),
        ("a {#- hidden -#} b {% # hidden: 5% %} c {%- # hidden -%} `{% # x %}`", "a b c {% # x %}"),
        ("- a\n\n      {% comment %}\n      hidden\n\n      {% endcomment %}\n\n      b", "a / b"),
        ("a\n\n    {%- comment -%} hidden {%- endcomment -%}\n\n>     {{< comment >}} hidden {{< /comment >}}", "a"),
        ("a\n\n    {% # hidden %}\n\nb", "a / b"),
        ("{% raw %}\n    {% comment %} x {% endcomment %}\n{% endraw %}", "{% comment %} x {% endcomment %}"),
        ("```\n{% comment %} x {% endcomment %}\n```", "{% comment %} x {% endcomment %}"),
        ("100%% of it", "100%% of it"),
        ("It was 100%% on Monday.\n\n%% hidden: ask Bob %%", "It was 100%% on Monday."),
        ("see a%%20b\n\n%%hidden%% x", "see a%%20b / x"),
        ("see a%%20b and %%hidden%% x", "see a%%20b and x"),
        ("a %% hidden %% b", "a b"),
        ("%% 100%% sure, hidden %% b", "b"),
        ("%%hidden%% it was 100%% today", "it was 100%% today"),
        ("5 %% of it, %%hidden%% x", "5 x"),  # in doubt, the text is hidden
        ("word%%hidden%% (%%hidden%%) x", "word () x"),
        ("- %%\n  hidden\n\n  hidden\n  %%\n\nx", "x"),
        ("> a\n> %%\n> hidden\n>\n> hidden\n> %%\n\nx", "a / x"),
        ("%%\nhidden\n%% x", "x"),
        ("- %% of the total\n\nx", "%% of the total / x"),
        ("a {/* hidden */} b", "a b"),
        ("a {>>hidden\nhidden<<} b", "a b"),
        ("a {{!-- hidden --}} b <%-- hidden --%> c", "a b c"),
        ("a\n{::comment}\nhidden\n{:/}\nb", "a / b"),
        ("$x %%hidden%% y$", "x y"),  # a comment in any other element
        ("# Page\n\n## Title { #own }\n\nx", "Title / x"),
        ("# Page\n\n## Title {: .a #own b='c'}\n\nx", "Title / x"),
        ("# Page\n\n## Title ## {: #own toc }\n\nx", "Title / x"),
        ("# Page\n\n## Returns {: ok }\n\nx", "Returns {: ok } / x"),
        ("para\n{: .note }", "para"),
        ("{:toc}\n\nx", "x"),
        ("x\n\n## Contents\n{: .no_toc .text-delta }\n\n1. TOC\n{:toc}\n\n---\n\n- a\n{: .wide }", "x / a"),
        ("x\n\n- item\n{: toc-class }", "x / item"),
        ("```rust,ignore\n# fn main() {\n#[test]\nfn a() {}\n# }\n```", "#[test]\nfn a() {}"),
        ("```rust\n# fn main() {\nlet a;\n# }\n```", "let a;"),
        ("```rust\n# use a::B;\nlet b;\n#\n# b.c()\n```", "let b;"),
        ("```rust\n# #[cfg(test)]\nfn a() {}\n```", "fn a() {}"),
        ("```rust\nlet a;\n# // not shown\n```", "let a;"),
        ('```rust\nlet a = "\n# Title\n";\n```', 'let a = "\n# Title\n";'),
        ("```js\na // [!code ++]\n// highlight-next-line\nb // [!code]\n```", "a\nb // [!code]"),
        ("[TOC]\n\n[[_toc_]]\n\nx [toc]", "x [toc]"),
        ("![](x.png){ width=300 } b `c`{.py}", "b c"),
        ("a {braces} {a b} {}", "a {braces} {a b} {}"),
        ("f(x) { return 1 }", "f(x) { return 1 }"),
        ("text ^abc-1", "text"),
        ("- a ^b\n- c", "a / c"),
        ("2 ^ 3 and x^y", "2 ^ 3 and x^y"),
        ("`x ^c`", "x ^c"),
        ("==marked *so*==", "marked so"),
        ("a == b == c", "a == b == c"),
        ("=== three ===", "=== three ==="),
        ("$x^2$ and $$y$$", "x^2 and y"),
        ("$$\n\\frac{a}{b}\n$$", "\\frac{a}{b}"),
        ("\\[\na \\\\ b\n\\]", "a \\\\ b"),
        ("\\[optional\\] text", "[optional] text"),
        ("It costs $5 and $6.", "It costs $5 and $6."),
        ("$5, or 6$ each", "$5, or 6$ each"),
        ("US$5 and US$6", "US$5 and US$6"),
        ("$HOME and $PATH, Pa$$word1", "$HOME and $PATH, Pa$$word1"),
        ("`$x$`", "$x$"),
        ("a \\$x$ b", "a $x$ b"),
        ("term\n: meaning", "term / meaning"),
        ("~~gone~~ x[^1]\n\n[^1]: note", "gone x / note"),
        ("```{ .python .annotate }\nx\n```", "x"),
        ("<code>[[x]] $y$ ==z== ^[q]</code> $w$", "[[x]] $y$ ==z== ^[q] w"),
        ("<kbd>==a==</kbd> and <code> ==b==", "==a== and b"),
        ("the pattern ^[a-z]+$ and (^[0-9])", "the pattern ^[a-z]+$ and (^[0-9])"),
        ("note^[said here]", "note / said here"),
        ("a ^2\nb ^2\nc ^id", "a ^2 b ^2 c"),
        ("| a |\n|---|\n| m ^2 |", "a / m ^2"),
        ("(a==b && c==d)", "(a==b && c==d)"),
        ("x==y== z", "x==y== z"),
        ("这是==重点==的", "这是重点的"),
        ("**급증(spike)**할", "급증(spike)할"),
        ("这是**“图”依赖**的", "这是“图”依赖的"),
        ("a * b * c, 2*3*4", "a * b * c, 234"),
    ],
)
def test_text_of_inline_signs(render_file: RenderFile, body: str, text: str) -> None:
    assert render_file(body).text == text


@pytest.mark.parametrize(
    ("body", "html"),
    [
        ("# Page\n\n## Title { #own-id }", '<h2 id="own-id">'),
        ("# Page\n\n## Title {#a.b .c}", '<h2 id="a.b">'),
        ("# Page\n\n## Title :id=other", '<h2 id="other">'),  # of docsify
        ("text ^abc-1", '<span id="block-abc-1"></span>'),
        ("==m==", "<mark>m</mark>"),
        ("$a<b$", '<annotation encoding="application/x-tex">a&lt;b</annotation></semantics></math>'),
        ("$$\na\n$$", '<div class="math"><math display="block">'),
        ("```{ .python }\nimport x\n```", '<code class="language-python">'),
        ("```yaml\na: 1 # (1)!\nb: 2 # (2)\n# a (3)! b\n```", "# (1)</span>"),
        ('![A](https://e.example/a.png){ .c width="300" }', 'alt="A" width="300">'),
        ("| a |\n|---|\n| ![](https://e.example/a.png){width=30px} |", 'alt="" width="30">'),
        ('![A](https://e.example/a.png){ max-width="300" data-width=50% }', 'alt="A">'),
        (
            '```js title="src/<main>.js" {1}\nx\n```',
            '<p class="code-title">src/&lt;main&gt;.js</p>\n<pre><code class="language-js">',
        ),
        (
            '```toml {file="hugo.toml" copy=true}\nx = 1\n```',
            '<p class="code-title">hugo.toml</p>\n<pre><code class="language-toml">',
        ),
        (
            "- ``` { .py filename='a b.py' }\n  x\n  ```",
            '<li>\n<p class="code-title">a b.py</p>\n<pre><code class="language-py">',
        ),
        ('```js title="a \\"b\\" &quot;c&quot;"\nx\n```', '<p class="code-title">a "b" "c"</p>'),
        ("```js my-title=x.title=y\nx\n```", '<pre><code class="language-js">'),
        ("```rust,ignore\nfn a() {}\n```", '<pre><code class="language-rust"><span'),
        ("```js{1,3}:line-numbers [a.js]\nx\n```", '<pre><code class="language-js">'),
        ("term\n: meaning", '<dl>\n<dt id="term">term</dt>\n<dd>meaning</dd>\n</dl>'),
        # Names of emoji in addresses stay.
        ("<https://e.example/?q=:x:>", "?q=:x:"),
        ("[a](https://e.example/?q=:x:)", "?q=:x:"),
        ("[a][b]\n\n[b]: https://e.example/?q=:x:", "?q=:x:"),
        ("<a href='https://e.example/?q=:x:'>a</a>", "?q=:x:"),
        ("[[Note :x: b]]", "Note :x: b"),
    ],
)
def test_html_of_inline_signs(render_file: RenderFile, body: str, html: str) -> None:
    assert html in render_file(body).html


HIDDEN = "is not closed: nothing after it is shown"


@pytest.mark.parametrize(
    ("body", "text", "problem"),
    [
        ("%% printf\n\n%% hidden %%\n\nhidden", "shown", f"%% {HIDDEN}"),  # three signs have no unique pair
        ("%% hidden\n\nhidden", "shown", f"%% {HIDDEN}"),
        ("<!-- hidden\n\nhidden", "shown", f"<!-- {HIDDEN}"),
        ("{>> words\n\nwords", "shown / {>> words / words", "{>> is not closed; shown as it is"),  # no comment there
    ],
)
def test_comment_without_an_end_hides_the_rest_and_is_reported(
    render_file: RenderFile, body: str, text: str, problem: str
) -> None:
    """A2, N9: the editor of the author shows it this way, too. Only text in CriticMarkup stays."""
    result = render_file(f"shown\n\n{body}")
    assert result.text == text
    assert "hidden" not in result.neuron.body
    assert result.problems == (f"3: a comment {problem}",)


@pytest.mark.parametrize("path", ["a.md", "a.mdx"])
@pytest.mark.parametrize("remark", ["<!-- hidden -->", "<!-- hidden\n    hidden -->", "{/* hidden */}"])
def test_html_below_a_comment_is_no_code(render_file: RenderFile, remark: str, path: str) -> None:
    """N9: an empty line in place of the comment would end the HTML above it."""
    bracket = "\n" if path == "a.mdx" else ""  # alone on its line it begins no quote
    body = f'<figure id="x"{bracket}>\n    {remark}\n    {remark}\n    <b>words</b>\n</figure>\n\nx\n{remark}\n\n    code'
    html = render_file(body, path).html
    assert "<b>words</b>" in html
    assert html.count("<pre>") == 1
    assert "hidden" not in html
    assert "<!--" not in html


DRAWING = """---
excalidraw-plugin: parsed
---
==⚠  Switch to EXCALIDRAW VIEW in the MORE OPTIONS menu of this document. ⚠==

A note beside it.

%%
# Excalidraw Data

## Text Elements
Axon hillock ^ab12CD34

Myelin ^ef56GH78

%%
## Drawing
```compressed-json
N4KAkARALgngDgUwgLgAQQQDwMYEMA2AlgCYBOuA7hADTgQBuCpAzoQPYB2KqATL
```
%%
"""


@pytest.mark.parametrize("drawing", [DRAWING, DRAWING.replace("%%\n", "", 1).replace("%%\n", "", 1)])
def test_words_of_a_drawing_are_read(render_file: RenderFile, drawing: str) -> None:
    text = render_file(drawing).text
    for word in ("A note beside it.", "Axon hillock", "Myelin"):
        assert word in text
    for word in ("N4KAk", "EXCALIDRAW", "ab12CD34", "Drawing", "json"):
        assert word not in text


@pytest.mark.parametrize(
    ("body", "title", "text"),
    [
        ("% podman-kube\\-down 1\n\n## NAME\n\nx", "podman-kube-down(1)", "NAME / x"),
        ('% "CONTAINERD" 8 "May 2020"\n%\n\n# NAME\n\nx', "CONTAINERD(8)", "CONTAINERD(8) / NAME / x"),
        ("\n% ctr(1)\n% Someone\n% 2020-01-02\n\nx", "ctr(1)", "x"),
        ("% A *title*\n% Someone\n\nx", "A title", "x"),
        ("% TODO: ask\n\n# Install\n\nx", "Install", "% TODO: ask / Install / x"),
        ("% of all\nusers\n\nx", "a", "% of all users / x"),
        ("a\n\n% b\n\nx", "a", "a / % b / x"),
    ],
)
def test_title_block_is_a_heading(render_file: RenderFile, body: str, title: str, text: str) -> None:
    result = render_file(body)
    assert (result.neuron.title, result.text) == (title, text)


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (":tada: and :tada::bug:, (:x:) and :no_such:", "🎉 and 🎉🐛, (❌) and :no_such:"),
        ("a:x:b 1:x: http://a.example/:x: ::x::", "a:x:b 1:x: http://a.example/:x: ::x::"),
        ("`:x:` <code>:x:</code> and $:x:$\n\n```\n:x:\n```", ":x: :x: and :x: / :x:"),
        ("- :material-home:{ .lg } Home\n- :octicons-file-16: `a`", "Home / a"),
        ("| a | b |\n|:-:|:--|\n| :material-check: | :octicons-x-16: |", "a | b / ✔ | ✘"),
        (":material-check:{ .a } :x:{ .b } :no_such:{ .c }", "✔ ❌ :no_such:{ .c }"),
        ("# :rocket: Start\n\nwords", "words"),
        ("# T\n\n## A :rocket:\n\n## A :material-home:", "A :rocket: / A"),  # the anchor is `a-rocket`
        (r"\:x:", ":x:"),
    ],
)
def test_names_of_emoji_and_icons(render_file: RenderFile, body: str, text: str) -> None:
    assert render_file(body).text == text
    assert not render_file(body).neuron.title.startswith(":")


def test_title_above_the_place_of_contents_stays(render_file: RenderFile) -> None:
    """N9: kramdown leaves such a heading out of the table of contents, not out of the page."""
    assert render_file("# The page\n{: .no_toc }\n\n1. TOC\n{:toc}\n\n## First\n\nx").neuron.title == "The page"

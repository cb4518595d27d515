"""MyST's directives are shown as a reader of a Sphinx site sees them (N9, A2)."""

from time import process_time

import pytest
from support.rendered import RenderFile


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("```{note}\n*words*\n```", "Note / words"),
        ("~~~{tip} My *title*\nwords\n~~~", "My title / words"),
        ('```{note} A [link](#x) and "more"\n:class: wide\n\nwords\n```', 'A link and "more" / words'),
        ("```{warning}\n---\nclass: wide\nname: x\n---\nwords\n```", "Warning / words"),
        ("```{seealso}\nwords\n```", "See also / words"),
        ("```{versionadded} 1.2\n```", "Added in version 1.2"),
        (":::{versionchanged} 1.2 The name\nwords\n:::", "Changed in version 1.2: The name / words"),
        ("```{deprecated} 1.3\nwords\n```", "Deprecated since version 1.3 / words"),
        ("```{dropdown} More\n:open:\nwords\n```", "More / words"),
        ("````{tip}\n```{note}\nin\n```\nout\n````", "Tip / Note / in / out"),
        ("- a\n\n  ```{note}\n  in\n  ```\n- b", "a / Note / in / b"),
        ("> ```{note}\n> :class: x\n> in\n> ```\n\nout", "Note / in / out"),
        ("::::{grid} 2\n:::{grid-item-card} T\n:link-type: ref\nwords\n:::\n::::", "T / words"),
        ("::::{tab-set}\n:::{tab-item} A\n:sync: a\nwords\n:::\n::::", "A / words"),
        (":::{admonition} T\n:class: tip\nwords\n:::", "T / words"),
        ("```{toctree}\n:maxdepth: 2\n\nother\n```\n\nwords", "words"),
        (":::{toctree}\nother\n:::\n\nwords", "words"),
        ("```{testsetup}\nimport x\n```\n\nwords", "words"),
        (":orphan:\n:tocdepth: 2\n\nwords", "words"),
        ("```{todo}\nhidden\n```\n\nwords", "words"),
        (":::{only} latex\nhidden\n:::\n\n```{only} html\nwords\n```", "words"),
        ("```{only} not html\nhidden\n```\n\nwords", "words"),
        (":::{only} (html or latex) and not latex\nwords\n:::\n\n:::{only} not (latex or html)\nhidden\n:::", "words"),
        (":::{only} not latex\nwords\n:::\n\n:::{only} html and draft\nhidden\n:::", "words"),
        (":::{only} html latex\nwords\n:::\n\n:::{only}\nhidden\n:::", "words"),
        ('```{raw} html\n<div class="film"><b>words</b>\n<script>hidden</script></div>\n```', "words"),
        ("```{raw} latex\nhidden\n```\n\n:::{raw} html\n:class: x\n\n<p>words</p>\n:::", "words"),
        ("```{note}\n:name: a\n:  b\n:class: x\nwords\n```", "Note / words"),
        ("```{mermaid}\n:align: center\n\ngraph TD\n```", "graph TD"),
        ("```{unknown} x\n:a: b\n\nwords\n```", ":a: b\n\nwords"),
        ("a\n\n```{unknown} x --help\n:a: b\n\n```\n\n> ```{unknown}\n> ```", "a / x --help"),
        (":::{parsed-literal}\n[GET /a](rest-a) b\n:::\n\n```{code}\n[a](b)\n```", "GET /a b / [a](b)"),
        ("```{note}\nwords", "words"),
        ("````\n```{note}\nwords\n```\n````", "```{note}\nwords\n```"),
        ("`:::{note}`", ":::{note}"),
        ("(a)=\n# T\n\nwords\n% hidden\nmore\n\n```\n% x\n```\n\n50\n %% 5", "words / more / % x / 50"),
        ("(a)=\n# T\n\n- a\n\n    % hidden\n\n> b\n> % hidden\n> c\n\n    % code", "a / b / c / % code"),
        ("(a)=\n# T\n\nB\n\n: c\n\n    % hidden\n    d\n\n1. e\n\n   - f\n     % hidden\n\n     g", "B / c / d / e / f / g"),
        ("(a)=\n# T\n\nB\n- % hidden\n- c\n- > 1. % hidden\n\n[^1]: % hidden\n\nD\n: % hidden\n  e", "B / c / D / e"),
        (":::{card}\nHead\n^^^\nwords\n+++\nFoot\n:::\n\n+++ {}\n\nx", "Head / words / Foot / x"),
        (":::{card}\n:link: https://a.example\nwords\n:::", "https://a.example / words"),
        ("words\n\n+++\n^^^", "words / +++ ^^^"),
        ("```{note}\n% hidden\nwords\n```", "Note / words"),
        ("(a)=\n# T\n\n- a\n- % hidden\n\n> 1. % hidden\n>    b\n\n-% c", "a / b / -% c"),
        ("words\n% shown", "words % shown"),
        ("`/users/{id}` and `${name}`\n% shown", "/users/{id} and ${name} % shown"),
        ("words\n% shown\n\n```{r}\nx\n```", "words % shown / x"),
        ("a\n\n```{include} other.md\n:literal:\n```", "a"),
        ("```{eval-rst}\n```\n\nbelow", "below"),  # it stopped the build
    ],
)
def test_text_of_directives(render_file: RenderFile, body: str, text: str) -> None:
    assert render_file(body).text == text


@pytest.mark.parametrize(
    ("body", "html"),
    [
        ("```{admonition} T\n:class: tip\nx\n```", '<aside class="callout callout-tip">'),
        ("```{dropdown} T\nx\n```", '<details class="callout callout-note">'),
        ("```{code-block} python\n:linenos:\n\nimport x\n```", '<pre><code class="language-python"><span'),
        (":::{code} python\nimport x\n:::", '<pre><code class="language-python"><span'),
        ('```{code-block}\n:caption: a "b"\n\nx\n```', '<p class="code-title">a "b"</p>\n<pre><code class="language-text">x'),
        ("> ```{sourcecode} sh\n> :name: x\n>\n> ls\n> ```", '<pre><code class="language-sh">ls\n</code></pre>\n</blockquote>'),
        ("```{math}\n:label: a\n\nx\n```", '<div class="math"><math display="block">'),
        ("```{image} https://x.example/a.png\n:alt: An [axon]\n```", '<img src="https://x.example/a.png" alt="An [axon]">'),
        ("```{figure} https://x.example/a.png\n:name: a\n\n*Text*\n```", 'alt=""></p>\n<p><em>Text</em></p>'),
        ("```{figure} https://x.example/a.png\n:alt: An axon\n: is: long\n:name: a\n```", 'alt="An axon is: long"></p>'),
        ("```{figure} https://x.example/a.png\n*Text*\n```", 'alt=""><br>\n<em>Text</em></p>'),
        (":::{glossary}\n:sorted:\n\nAxon\n  A *fibre*.\n\nSoma\n  A body.\n:::", '">Axon</dt>\n<dd>A <em>fibre</em>.</dd>'),
        ("```{glossary}\nAxon\n  A fibre.\n```", '<dl>\n<dt id="axon">Axon</dt>\n<dd>A fibre.</dd>\n</dl>'),
        (":::{grid-item-card} T\n:link: https://x.example/\nx\n:::", '<p class="box-title"><a href="https://x.example/"'),
        ("```admonish\n**x**\n```", 'callout-note">\n<p class="callout-title">Note</p>\n<p><strong>x</strong>'),
        (
            '~~~admonish bug.a title="A *b*" id="c"\n```\nx\n```\n~~~',
            'danger">\n<p class="callout-title">A <em>b</em></p>\n<pre>',
        ),
        ('> ```admonish "A"\n> x\n> ```', 'note">\n<p class="callout-title">A</p>\n<p>x</p>\n</aside>\n</blockquote>'),
        (
            "```ad-tip\ntitle: A *b*\ncollapse: open\n\nx\n```",
            'tip">\n<p class="callout-title">A <em>b</em></p>\n<p>x</p>\n</aside>',
        ),
        ("```ad-mine\n**x**\n```", 'callout-note">\n<p class="callout-title">Note</p>\n<p><strong>x</strong>'),
        ("```admonisher\nx\n```", '<code class="language-admonisher">'),
        (
            "```{list-table} T\n:header-rows: 1\n* - A\n  - B\n* - a\n  - * b\n```",
            '<div>\n<p class="box-title">T</p>\n<table>\n<thead>\n<tr>\n<th>A</th>\n<th>B</th>\n</tr>\n</thead>\n'
            "<tbody>\n<tr>\n<td>a</td>\n<td>\n<ul>\n<li>b</li>\n</ul>\n</td>\n</tr>\n</tbody>\n</table>\n</div>",
        ),
        (":::{list-table}\n* - a\n\n    :::{note}\n    b\n    :::\n:::", "<table>\n<tbody>\n<tr>\n<td>\n<p>a</p>\n<aside"),
        (":::{list-table}\n* words\n  - a\n:::", "<div>\n<ul>\n<li>words\n<ul>\n<li>a</li>\n</ul>\n</li>\n</ul>\n</div>"),
        (":::{list-table}\n* ```\n  a\n  ```\n  - b\n:::", "<div>\n<ul>\n<li>\n<pre>"),
    ],
)
def test_html_of_directives(render_file: RenderFile, body: str, html: str) -> None:
    assert html in render_file(body).html


@pytest.mark.parametrize(
    "body",
    [
        "```{note}\n```python\nx\n```\n\n<!-- hidden -->",  # the listing is not closed in the note
        "```{note}\n%%\n```\n\n%% hidden %%",
        "```{figure} a.png\n%%\n```\n\n%% hidden %%",
        "```{note}\n<!-- hidden -->\n```",
        ":::{code-block} html\n<!-- hidden -->\n:::",
        ":::{math}\n%% hidden %%\n:::",
        ":::{toctree}\n<!--\n:::\nhidden\n-->",
        ":::{image} https://x.example/a.png\n:alt: <!-- hidden -->\n:::",
        ":::{image} https://x.example/a.png\n:alt: a\n: <!-- hidden -->\n:::",
        ":::{raw} html\n<!--\n:::\nhidden\n-->",
        "```{raw} html\n%%\n```\n\n%% hidden %%",
    ],
)
def test_directive_shows_no_comment(render_file: RenderFile, body: str) -> None:
    """A2: neither a comment of prose becomes code, nor a sign of code the end of a comment."""
    assert "hidden" not in render_file(body).html


@pytest.mark.parametrize(
    ("body", "contents"),
    [
        ("```{toctree}\n:caption: Use\n\na\nThe *b* <c/d.md>\ne*\n```", (("Use", ""), ("", "a"), ("The *b*", "c/d.md"))),
        (":::{toctree}\n:glob:\ne*\n:::\n\n> ```{toctree}\n> a\n> ```", (("", ""), ("", "e*"), ("", ""), ("", "a"))),
        ("<!--\n```{toctree}\nA secret <a>\n```\n-->", ()),
        ("```{toctree}\nb\n%%\nA secret <a>\n%%\n```", ()),
        ("````\n```{toctree}\na\n```\n````", ()),
    ],
)
def test_contents_of_a_toctree(render_file: RenderFile, body: str, contents: tuple[tuple[str, str], ...]) -> None:
    """N5: a commented one defines nothing."""
    result = render_file(body)
    assert result.neuron.contents == contents
    assert "\ue004" not in result.neuron.body


def test_unclosed_code_in_a_directive_is_reported(render_file: RenderFile) -> None:
    result = render_file("words\n\n```{note}\n```python\nx\n```\n\nwords")
    assert result.problems == ("3: code in a directive is not closed: the directives are shown as they are",)


def test_include_with_options_is_reported(render_file: RenderFile) -> None:
    result = render_file("a\n\n```{include} other.md\n:start-line: " + "9" * 5000 + "\n```\n")
    assert result.problems == ("3: an include with options is not read, and left out: other.md",)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (".. currentmodule:: a.b", ""),
        (".. note:: T\n   :class: x\n\n   See :ref:`x <y>`, ``b`` and `S <https://a.example/>`_.", "T / See x, b and S."),
        (".. automodule:: a.b\n   :members:\n\n.. a comment\n   hidden\n\nEnd", "a.b / End"),
        (
            ".. option:: -x\n\n  :Type: ``str``\n\n  Words.\n\n  .. versionadded:: 1.0",
            "-x / Type: str / Words. / Added in version 1.0",
        ),
        (
            ".. option:: -x\n\n  .. versionadded:: 1.0\n  .. versionchanged:: 1.1\n     Words.",
            "-x / Added in version 1.0 / Changed in version 1.1 / Words.",
        ),
        ("Some ``x``\\ s.", "Some xs."),
        (".. tip::\n\n   A\n\n   .. code-block:: py\n\n      b()", "Tip / A / b()"),
        (".. code-block:: py\n   :linenos:\n\n   b()\n\n   c()\n\nd", "b()\n\nc() / d"),
        (".. list-table::\n   :header-rows: 1\n\n   * - H\n     - I\n   * - :func:`~a.j`\n     - k", "H | I / j | k"),
        ("..\n   <!-- private -->", "..\n   <!-- private -->"),
        ("..\n   hidden\n\n..\thidden\n\thidden\n\n..\n\nEnd", "End"),
        ("* a\n\n  .. hidden\n     hidden\n\n  b", "a / b"),
        (".. note::\n   a\n\n   .. Only:: latex\n\n      hidden", "Note / a"),
        (".. tip::\n   a\n\n   .. raw:: latex\n\n      hidden", "Tip / a"),
        ("".join(f"{'   ' * depth}.. a::\n\n" for depth in range(7)) + f"{'   ' * 7}hidden", ""),
    ],
)
def test_text_of_restructuredtext(render_file: RenderFile, text: str, expected: str) -> None:
    """Text with the signs of a comment or of a name stays a listing: there, they are no markup."""
    body = f"```{{eval-rst}}\n{text}\n```\n\nbelow"
    page = render_file(body)
    assert page.text == " / ".join(filter(None, [expected, "below"]))
    assert page.neuron.body.count("\n") == body.count("\n")


def test_many_directives_of_restructuredtext(render_file: RenderFile) -> None:
    """Each copied all lines below it."""
    begin = process_time()
    render_file("```{eval-rst}\n" + ".. a::\n" * 60_000 + "```\n")
    assert process_time() - begin < 8

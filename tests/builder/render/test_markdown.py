"""Markdown is rendered to safe HTML (G1, N4, A2)."""

from collections.abc import Callable

import pytest
from ranvier_builder import Config
from ranvier_builder.markdown import elements
from ranvier_builder.model import Neuron
from ranvier_builder.render.addresses import Html
from ranvier_builder.render.html import sections
from selectolax.lexbor import LexborHTMLParser
from support.content import Tree
from support.pictures import PDF, PNG, seal
from support.rendered import render_neurons

Render = Callable[..., Html]


@pytest.fixture
def html(tree: Tree) -> Render:
    root = tree({"pic.png": PNG, "guide/doc.pdf": PDF})

    def html(body: str, path: str = "guide/here.md", title: str = "Here", *, trusted: bool = False) -> Html:
        neurons = [
            Neuron(path, title, body, id="1"),
            Neuron("index.md", "Home", "", id="2"),
            Neuron("other page.md", "Other", "# v1.2 notes", id="3"),
        ]
        return render_neurons(root, neurons, path, Config(trusted_html=trusted))

    return html


@pytest.mark.parametrize(
    "hostile",
    [
        "<script>alert(1)</script>",
        "<SCRIPT SRC=//x.example></SCRIPT>",
        "<scr<script>ipt>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "<p onclick='alert(1)'>x</p>",
        "<a href='javascript:alert(1)'>x</a>",
        "<a href='JaVa\tScript:alert(1)'>x</a>",
        "<a href='&#106;avascript:alert(1)'>x</a>",
        "<a href='data:text/html,<script>alert(1)</script>'>x</a>",
        "<a href='vbscript:x'>x</a>",
        "[x](javascript:alert(1))",
        "[x](JAVASCRIPT:alert(1))",
        "[x](data:text/html;base64,PHNjcmlwdD4=)",
        "![x](javascript:alert(1))",
        "<iframe src='https://x.example'></iframe>",
        "<object data=x></object><embed src=x>",
        "<form action=x><button>x</button></form>",
        "<input type=text autofocus onfocus=alert(1)>",
        "<svg onload=alert(1)><script>alert(1)</script></svg>",
        "<math><mtext></mtext><style><img src=x onerror=alert(1)></style></math>",
        "<style>body { display: none }</style>",
        "<link rel=stylesheet href=x><meta http-equiv=refresh content=0><base href=//x.example/>",
        "<video src=x onerror=alert(1)><source src='javascript:alert(1)'></video>",
        "<video poster='javascript:alert(1)'></video>",
        "<p style='position:fixed'>x</p>",
        "<template><script>alert(1)</script></template>",
        "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
        "`<script>alert(1)</script>`",
        "```<script>\n<script>alert(1)</script>\n```",
        "```html\n<script>alert(1)</script>\n```",
        "| a |\n|---|\n| <script>alert(1)</script> |",
        "[^1]\n\n[^1]: <script>alert(1)</script>",
        "[[<script>alert(1)</script>]]",
        '![[x" onerror=alert(1) "|<img src=x onerror=alert(1)>]]',
        "# <img src=x onerror=alert(1)>",
        '[x](https://x.example "a\\" onclick=\\"alert(1)")',
    ],
)
def test_rendered_html_has_no_active_content(html: Render, hostile: str) -> None:
    """There is no script, handler, frame, form or script URL."""
    tree = LexborHTMLParser(f"<body>{html(hostile).html}</body>")
    assert tree.body is not None
    for node in tree.body.traverse():
        assert node.tag not in {
            *"""script style iframe object embed form button svg annotation-xml mglyph link meta base template""".split()
        }
        for name, value in node.attributes.items():
            assert not name.startswith("on"), name
            assert name != "style"
            bare = "".join((value or "").split()).lower()
            if name in ("href", "src", "poster", "action", "data"):
                assert not bare.startswith(("javascript:", "data:", "vbscript:")), bare
        if node.tag == "input":
            assert (node.attributes.get("type"), "disabled" in node.attributes) == ("checkbox", True)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("*a* **b** ~~c~~ `d`", "<p><em>a</em> <strong>b</strong> <s>c</s> <code>d</code></p>"),
        ("| a |\n|---|\n| b |", "<td>b</td>"),
        ("- [x] done", "<input"),
        ("<details open><summary>s</summary>x</details>", '<details open="">'),
        ("x[^1]\n\n[^1]: note", "note"),
        ("```python\nimport x\n```", '<span class="kn">import</span>'),
        ("```mjs\nlet x\n```", '<span class="kd">let</span>'),
        ("```nosuchlanguage\na < b\n```", "a &lt; b"),
        ("a < b & c", "a &lt; b &amp; c"),
    ],
)
def test_markdown_and_allowed_html_are_rendered(html: Render, body: str, expected: str) -> None:
    assert expected in html(body).html


@pytest.mark.parametrize(
    "raw",
    [
        '<script>go("a<b")</script>',
        "<style>p { color: red }</style>",
        '<form action="https://x.example"><button onclick="go()">x</button></form>',
        '<my-tag data-x="1">x</my-tag>',
        '<p style="color: red">x</p>',
    ],
)
def test_trusted_html_is_not_sanitised(html: Render, raw: str) -> None:
    assert raw in html(f"{raw}\n", trusted=True).html
    assert raw not in html(f"{raw}\n").html


def test_links_in_trusted_html_are_rewritten(html: Render) -> None:
    """A2."""
    body = '<p><a href="../index.md">x</a> <a href="secret/plan.md">y</a> <img src="plan.png"></p>\n'
    result = html(body, trusted=True).html
    assert 'href="../../"' in result
    assert "plan" not in result


def test_links_are_relative_to_the_page_folder(html: Render) -> None:
    assert 'href="../other-page/"' in html("[x](../other%20page.md)", path="start/index.md").html
    assert 'href="../../guide/here/"' in html("[x](here.md)").html


def test_media_of_a_page_is_collected(html: Render) -> None:
    result = html("![a](../pic.png) [b](doc.pdf) ![[/pic.png]] <img src='../pic.png'>")
    assert set(result.media) == {"pic.png", "guide/doc.pdf"}
    assert result.html.count(f'src="../../_media/{seal(PNG)}-pic.png"') == 3


@pytest.mark.parametrize("sign", ["#", "##"])
def test_id_of_a_removed_title_heading_stays(html: Render, sign: str) -> None:
    rendered = html(f"{sign} Here {{#own}}\n\ntext").html
    assert rendered.startswith('<div id="own"></div>')
    assert "Here" not in rendered


def test_other_headings_are_kept(html: Render) -> None:
    assert html("# Another\n\ntext").html.startswith('<h1 id="another">Another</h1>')
    assert '<h2 id="here">Here</h2>' in html("## Part\n\n## Here").html
    assert html("Two\nlines\n===\n").html.startswith('<h1 id="two-lines">')


@pytest.mark.parametrize(
    "headings",
    [
        ["Usage", "Usage", "Usage"],
        ["A", "A", "A-1"],
        ["A-1", "A", "A"],
        ["A", "A-1", "A", "A-1", "A-1-1"],
        ["$", "!", "日本"],
        ["v1.2", "v12"],
        ["C++", "C"],
        ["_content", "_linked-from"],
    ],
)
def test_heading_anchors_are_unique(html: Render, headings: list[str]) -> None:
    """C2: and differ from those of the theme."""
    anchors = [section.anchor for section in sections(html("\n\n".join(f"## {name}\n\ntext" for name in headings)).html)]
    assert all(anchors)
    assert len({"_content", "_linked-from", *anchors}) == len(headings) + 2, anchors


@pytest.mark.parametrize(
    ("above", "ids"),
    [
        ('<a id="usage"></a>', 1),
        ("<a name='usage'></a>\n", 1),
        ('<span id=usage></span><a id="more"></a>', 2),
        ('<div id="usage"></div>\n', 1),
        ("[](){#usage}", 1),
        ("(usage)=\n", 1),
        ('<a id="usage-2"></a>', 2),
        ('<a id="usages"></a>', 2),
    ],
)
def test_anchor_above_a_heading_is_not_on_the_page_twice(html: Render, above: str, ids: int) -> None:
    """C2."""
    page = html(f"Text.\n\n{above}\n## Usage\n").html
    assert page.count(' id="') == ids
    assert '<h2 id="usage">' in page


def test_deep_nesting_and_long_lines_are_rendered(html: Render) -> None:
    """N9."""
    assert "deep" in html("> " * 30 + "deep").html
    assert html(">" * 3000 + " deep").html
    assert html("- " * 1000 + "deep").html
    assert html("[" * 5000).html
    assert html("<b>" * 3000 + "deep").html
    assert len(html("word " * 26_000).html) > 128_000
    assert html("```mermaid\n" + "graph TD\n" * 3000).html


@pytest.mark.parametrize("target", ["//a℀b", "x" * 5000 + ".png", "//[x", "%00", "..", "/", "http://[", "\\"])
def test_malformed_link_targets_do_not_crash(html: Render, target: str) -> None:
    """N9."""
    for body in (f"[words]({target})", f"![words]({target})", f"[[{target}|words]]", f"![[{target}|words]]"):
        assert "words" in html(body).html


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("one <int> two\n\nthree", ["one &lt;int&gt; two", "three"]),
        ("one <path> two", ["&lt;path&gt; two"]),
        ("one <text> and <annotation> two", ["&lt;text&gt; and &lt;annotation&gt; two"]),
        ("one <script> two\n\n**three**", ["&lt;script&gt; two", "<strong>three</strong>"]),
        ("<script> two\n\n**three**", ["&lt;script&gt; two", "<strong>three</strong>"]),
        ("> <style> two\n\n**three**\n\n</style>", ["&lt;style&gt; two", "<strong>three</strong>"]),
        ("one <template> two\n\nthree", ["&lt;template&gt; two", "three"]),
        ("<iframe src=x>\n\nthree", ["&lt;iframe", "three"]),
        ("one <object> <object></object> two\n\nthree", ["&lt;object&gt;", "two", "three"]),
        ("the <title> element\n\n**three**", ["&lt;title&gt; element", "<strong>three</strong>"]),
        ("the <plaintext> element\n\n**three**", ["&lt;plaintext&gt; element", "<strong>three</strong>"]),
        ("Replace <your-token> here", ["Replace &lt;your-token&gt; here"]),
        ("an Array<T> of it", ["Array&lt;T&gt; of it"]),
        ("(?P<name>x) y", ["(?P&lt;name&gt;x) y"]),
        ("vector<int> v; std::map<K,V> w", ["vector&lt;int&gt; v; std::map&lt;K,V&gt; w"]),
        ("<pre>vector<int> v</pre>", ["<pre>vector&lt;int&gt; v</pre>"]),
        ("<div>\nvector<int v\n</div>\n\nthree", ["vector&lt;int v", "three"]),
        ("a </script> b </int> c", ["a &lt;/script&gt; b &lt;/int&gt; c"]),
        ("one <svg> two", ["one &lt;svg&gt; two"]),
    ],
)
def test_unknown_or_unclosed_tags_are_shown_as_text(html: Render, body: str, expected: list[str]) -> None:
    """G1, N9: the text after them is kept."""
    result = html(body)
    for part in expected:
        assert part in result.html
    assert any(warning.kind == "markup" and "shown as text" in warning.message for warning in result.warnings)


def test_unknown_tags_are_reported_once_with_their_line(html: Render) -> None:
    (warning,) = html("a\n\nb\nc <int> d <int> e <long>\n").warnings
    assert (warning.kind, warning.line, warning.message) == ("markup", 4, "`<int>` is not HTML: shown as text")


@pytest.mark.parametrize(
    "body",
    [
        "one <script>if (a<b && '</b>') x()</script> two",
        '<script>\nif (a<b && "x) y()\n\nhidden</script>\n\none two',
        "one <svg><path d='M0'/><text>drawn</text></svg> two",
        "<svg>\n<g>\n\n<path d='M0'/>\n\n</g>\n</svg>\n\none two",
        "one <object><object>x</object>hidden</object> two",
        "one <font>large</font> <button>two",
        "<!-- <int> --> one two",
    ],
)
def test_closed_html_elements_are_sanitised(html: Render, body: str) -> None:
    result = html(body)
    assert "one" in result.html
    assert "two" in result.html
    assert "&lt;" not in result.html
    assert "hidden" not in result.html
    assert result.warnings == []


@pytest.mark.parametrize(
    "body",
    [
        "<div hidden>\n\nowl\n\n</div>",
        'a <span hidden="">owl</span> b',
        "<DIV STYLE='color: red; DISPLAY: NONE'><p hidden>owl</p>\n</DIV>",
        "| a |\n|---|\n| <b style='display:none'>owl</b> |",
        '<div title="a > b" hidden>owl</div>',
        '<p style="color: red; display : none">owl</p>\n<p style="display:\nnone">owl</p>',
    ],
)
def test_hidden_elements_are_left_out(html: Render, body: str) -> None:
    """G1: without their attribute, the reader would see them."""
    assert "owl" not in html(body).html


@pytest.mark.parametrize(
    "body",
    [
        '<div role="tabpanel" hidden>owl</div>',
        '<div hidden="until-found">owl</div>',
        '<i aria-hidden="true">owl</i>',
        "`<b hidden>owl`",
    ],
)
def test_tabs_and_folded_elements_are_not_hidden(html: Render, body: str) -> None:
    assert "owl" in html(body).html


@pytest.mark.parametrize(
    "name", sorted(elements.HTML_ELEMENTS | elements.RAW | {"object", "template", "plaintext", "svg", "math"})
)
def test_no_html_element_hides_the_text_after_it(html: Render, name: str) -> None:
    """G1."""
    for body in (f"one <{name}> two\n\nthree", f"<{name}>\ntwo\n\nthree", f"- one <{name} x='> two\n\nthree"):
        result = html(body).html
        assert "two" in result
        assert "three" in result
        assert "&lt;/" not in result


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("- [ ] do", '<ul class="contains-task-list">\n<li class="task-list-item"><input class="task-list-item-checkbox"'),
        ("- [ ] do", 'aria-label="Not done"'),
        ("- [x] did", 'aria-label="Done"'),
        ("1. [X] did", 'checked="checked"'),
        ("- a\n  - [x] b", '<li>a\n<ul class="contains-task-list">'),
        ("- [/] half", '<span class="task-other">/</span> half'),
        ("- [?] what", '<span class="task-other">?</span> what'),
        ("- [a] b", "<li>[a] b</li>"),
        ("- [/](x://y) b", "<li><a"),
    ],
)
def test_task_lists_are_rendered(html: Render, body: str, expected: str) -> None:
    result = html(body).html
    assert expected.replace('="checked"', "").replace('="disabled"', "") in result.replace('=""', "")


@pytest.mark.parametrize(
    ("body", "has_heading"),
    [
        ("# Here\n\ntext", False),
        ("## Here\n\ntext", False),
        ("Here\n====\n\ntext", False),
        ("#   Here   #\n\ntext", False),
        ("# Here<br>\n\ntext", False),
        ("# *Here*[^1]\n\ntext\n\n[^1]: x", False),
        ('<h1 align="center">Here</h1>\n\ntext', False),
        ("# ![](../pic.png) Here\n\ntext", True),
        ("# <img src='../pic.png'> Here\n\ntext", True),
        ("# ![[/pic.png]] Here\n\ntext", True),
        ("<h1><img src='../pic.png'> Here</h1>\n\ntext", True),
    ],
)
def test_title_heading_is_removed_unless_it_has_a_picture(html: Render, body: str, has_heading: bool) -> None:
    page = html(body).html
    assert ("<h1" in page) == ("Here" in page) == has_heading
    assert "text" in page


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<Badge type='tip' /> words", "words"),
        ("a <Tabs>inner</Tabs> b", "a inner b"),
        ('<my-element kind="x">\ninner\n</my-element>', "inner"),
        ("<Card title=x>inner", "inner"),
        ('<iframe src="https://x.example/v" title="A film" />\n\nwords', "<p>words</p>"),
        ("a <object data='x'/> b", "a  b"),
    ],
)
def test_component_tags_are_removed_and_their_text_is_kept(html: Render, body: str, expected: str) -> None:
    """A tag that is closed or has attributes belongs to another system. So does an HTML tag that closes itself, as in JSX."""
    result = html(body)
    assert expected in result.html
    assert "&lt;" not in result.html
    assert result.warnings == []


@pytest.mark.parametrize("more", ["# Two", "<h1>Two</h1>"])
def test_title_stays_above_a_second_heading_of_the_first_level(html: Render, more: str) -> None:
    """The theme shows the title only above a text without such a heading."""
    assert '<h1 id="one">One</h1>' in html(f"# One\n\ntext\n\n{more}\n\ntext", title="One").html
    assert "<h1" not in html("# One\n\ntext\n\n## Two\n\ntext", title="One").html

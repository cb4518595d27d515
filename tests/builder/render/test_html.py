"""HTML is split into sections (C1, C2, N8): they hold what a reader sees."""

import pytest
from ranvier.store.texts import CODE
from ranvier_builder.model import Block, Section
from ranvier_builder.render.html import sections, shallow


def test_sections_have_anchor_and_heading_path() -> None:
    """C2."""
    result = sections("<p>Intro</p><h2 id=a>A</h2><p>1</p><h3 id=b>B</h3><p>2</p><h2 id=c>C</h2><p>3</p><h4 id=d>D</h4>")
    assert result == (
        Section("", (), (), (Block("Intro"),)),
        Section("a", ("A",), (2,), (Block("1"),)),
        Section("b", ("A", "B"), (2, 3), (Block("2"),)),
        Section("c", ("C",), (2,), (Block("3"),)),
        Section("d", ("C", "D"), (2, 4), ()),
    )


def test_empty_page_has_no_sections() -> None:
    assert sections("") == ()
    assert sections("<p> </p><pre>\n</pre>") == ()


@pytest.mark.parametrize(
    ("html", "blocks"),
    [
        ("<p>one <b>two</b>\n three</p>", ["one two three"]),
        ("<p>one</p><p>two</p>", ["one", "two"]),
        ("text<p>p</p>tail", ["text", "p", "tail"]),
        ("<ul><li>a</li><li>b <p>c</p></li></ul>", ["a", "b", "c"]),
        ("one<br>two", ["one two"]),
        ("<table><tr><th>a</th><th>b</th></tr><tr><td>c</td><td>d</td></tr></table>", ["a | b", "c | d"]),
        ("<p>see <img alt='a dog' src=x> here</p>", ["see a dog here"]),
        ("<p>un<em>brok</em>en</p>", ["unbroken"]),
        ("<p>e\u0301</p>", ["é"]),
        ("<p>a&amp;b &lt;c&gt;</p>", ["a&b <c>"]),
        (
            "<p>a</p><script>no()</script><style>no{}</style><template>no</template><nav>no</nav><svg><text>no</text></svg>",
            ["a"],
        ),
        ("<!-- no --><p>a</p>", ["a"]),
        ("<blockquote><p>q</p></blockquote><details><summary>s</summary>d</details>", ["q", "s", "d"]),
    ],
)
def test_text_blocks_of_html(html: str, blocks: list[str]) -> None:
    assert [block.text for section in sections(html) for block in section.blocks] == blocks


def test_code_blocks_keep_their_lines() -> None:
    (section,) = sections("<p>before</p><pre><code>\na <span>b</span>\n\n  c\n</code></pre><p>after</p>")
    assert section.blocks == (Block("before"), Block("a b\n\n  c", lines=True, kind=CODE), Block("after"))


def test_empty_class_hides_no_text() -> None:
    """Only embedded texts, claims and the links of footnotes are skipped, by their classes."""
    html = '<p class="">a</p><p class>b</p><p><span class="">c</span></p>'
    html += '<div class="embedded-text">d</div><sup class="claim">e</sup>'
    html += '<sup class="footnote-ref">[1]</sup><a class="footnote-backref">↩︎</a>'
    (section,) = sections(html)
    assert [block.text for block in section.blocks] == ["a", "b", "c"]


def test_headings_are_plain_text() -> None:
    (section,) = sections("<h2 id=x> A <code>b_c</code>\n <em>d</em><sup class=footnote-ref>[1]</sup></h2>")
    assert section.headings == ("A b_c d",)


def test_heading_levels_may_be_skipped() -> None:
    headings = [section.headings for section in sections("<h4>D</h4><h2>B</h2><h5>E</h5><h1>A</h1>")]
    assert headings == [("D",), ("B",), ("B", "E"), ("A",)]


def test_deep_nesting_is_read() -> None:
    """N9."""
    assert sections("<div>" * 20_000 + "deep" + "</div>" * 20_000)[0].blocks[0].text == "deep"


def test_nesting_of_option_elements_is_limited() -> None:
    """N9: headings keep each `option` open, and parsers take quadratic time in the depth."""
    html = "<option><h2>x</h2>" * 20 + "<option><h2>x" * 30_000
    assert shallow(html).count("<option>") == 20_000
    assert shallow("<option>x" * 600) == "<option>x" * 600

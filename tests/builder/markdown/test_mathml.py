"""G1, N9: TeX becomes MathML, and wrong TeX stays as it is written, with a warning."""

import time
from pathlib import Path
from typing import Any

import pytest
from ranvier_builder.markdown.mathml import MAX_LENGTH, TexError, mathml
from ranvier_builder.pipeline import survey
from selectolax.lexbor import LexborHTMLParser
from support.content import OPEN, write_tree


def page(folder: Path, body: str) -> Any:
    """Return the survey of a page `a.md`."""
    return survey(write_tree(folder, {"a.md": f"# A\n\n{body}\n"}), OPEN)


@pytest.mark.parametrize(
    ("tex", "part"),
    [
        ("x^2", "<msup><mi>x</mi><mn>2</mn></msup>"),
        (r"\frac{a}{b}", "<mfrac><mrow><mi>a</mi></mrow><mrow><mi>b</mi></mrow></mfrac>"),
        ("a < b & c", None),
        (r"\text{<script>alert(1)</script>}", "<mtext>&lt;script&gt;alert(1)&lt;/script&gt;</mtext>"),
        (
            r"\begin{aligned} a &= b \\ c &= d \end{aligned}",
            '<mtr><mtd columnalign="right"><mi>a</mi></mtd><mtd columnalign="left">',
        ),
        (r"\begin{align} a &= b \label{one} \nonumber \end{align}", "<mi>b</mi></mtd></mtr></mtable>"),
        (r"\mathop{\rm argmin} x", "<mo>argmin</mo>"),
        (r"\alpha \leq \infty", "<mi>α</mi><mo>≤</mo><mo>∞</mo>"),
    ],
)
def test_tex_becomes_mathml(tex: str, part: str | None) -> None:
    """G1."""
    if part is None:
        with pytest.raises(TexError, match="in the wrong place"):
            mathml(tex, display=False)
        return
    assert part in mathml(tex, display=False)


@pytest.mark.parametrize(
    ("tex", "message"),
    [
        ("{", "no available tokens"),
        (r"\frac{a}", "an argument is missing"),
        (r"\left( x", "extra left or missing right"),
        ("x_", "missing super script or subscript"),
        ("a_1_2", "double subscripts"),
        (r"\foo{x}", r"the command \\foo is not known"),
        (r"\newcommand{\a}{\a\a}\a", r"\\newcommand is not supported"),
        ("{" * 4_000, "."),
        ("x" * (MAX_LENGTH + 1), "more than 5,000 characters"),
        (r"\sqrt[" * 500, "."),
    ],
)
def test_wrong_tex_is_an_error_that_says_why(tex: str, message: str) -> None:
    """N9."""
    with pytest.raises(TexError, match=message):
        mathml(tex, display=True)


@pytest.mark.parametrize(
    "part", ["x^{", "{}", r"\left(", "'", "x_1^2", r"\\", "&", r"\begin{matrix}", r"\text{$", r"\hat", r"\not"]
)
def test_long_formulas_take_linear_time(part: str) -> None:
    """N9: 5,000 characters take 10 ms; a quadratic rule would take seconds."""
    start = time.process_time()
    for tex in ((part * MAX_LENGTH)[:MAX_LENGTH], (part * MAX_LENGTH)[: MAX_LENGTH * 9 // 10] + "}" * (MAX_LENGTH // 10)):
        try:
            mathml(tex, display=False)
        except TexError:
            continue
    assert time.process_time() - start < 5


@pytest.mark.parametrize(
    ("body", "display"),
    [
        ("In $x^2$ a line.", False),
        ("In $`x^2`$ a line.", False),
        ("In $$x^2$$ a line.", True),
        ("$$\nx^2\n$$", True),
        ("\\[\nx^2\n\\]", True),
        ("```math\nx^2\n```", True),
        ("Words.\n\n\\begin{equation}\nx^2\n\\end{equation}", True),
        ("| a |\n|---|\n| $x^2$ |", False),
        ("> [!tip] Box\n> $x^2$", False),
    ],
)
def test_page_shows_formulas_and_the_search_reads_their_tex(tmp_path: Path, body: str, display: bool) -> None:
    """G1, C1: the text of the page has the TeX once, without the letters of the formula."""
    (html_page,) = page(tmp_path, body).rendered
    (math,) = LexborHTMLParser(html_page.html).css("math")
    assert math.attributes.get("display") == ("block" if display else "inline")
    assert math.css_first("msup").text() == "x2"
    words = " ".join(block.text for section in html_page.sections for block in section.blocks)
    assert words.count("x^2") == 1
    assert "x2" not in words


def test_environment_ends_in_its_paragraph(tmp_path: Path) -> None:
    """Punctuation may follow it; text between two environments stays text."""
    environment = "\\begin{align}\nx &= y\n\\end{align}"
    (html_page,) = page(tmp_path, f"{environment}.\n\n## Part\n\nWords.\n\n{environment}\n").rendered
    assert html_page.html.count("<math") == 2
    assert [section.headings for section in html_page.sections] == [(), ("Part",)]
    divided = "\\begin{align}\nx\n\nWords.\n\\end{align}"
    for text in (divided, f"{environment} words", f"{environment[:-1]}\n\n{environment[-5:]}"):
        (html_page,) = page(tmp_path, text).rendered
        assert "<math" not in html_page.html


@pytest.mark.parametrize("part", ["\\begin{align}\nx\n", "\\begin{align}\n\n", "> \\begin{align}\n> x\n"])
def test_environments_without_an_end_take_linear_time(tmp_path: Path, part: str) -> None:
    page(tmp_path, "words\n")  # imports
    start = time.process_time()
    page(tmp_path, part * 3000)
    assert time.process_time() - start < 5


def test_heading_with_a_formula_has_its_tex_once(tmp_path: Path) -> None:
    """C2: in its anchor, the contents and the chunks."""
    (html_page,) = page(tmp_path, "## Energy $E=mc^2$ here\n\nwords").rendered
    (section,) = html_page.sections
    assert (section.anchor, section.headings[-1]) == ("energy-emc2-here", "Energy E=mc^2 here")


def test_wrong_tex_is_reported_with_its_line(tmp_path: Path) -> None:
    """N9."""
    result = page(tmp_path, "One\n$a$ two\n$\\foo x$.\n\n$$\n\\frac{a}\n$$\n\n```math\n{\n```")
    html = result.rendered[0].html
    assert r'<code class="math">\foo x</code>' in html
    assert r'<pre class="math">\frac{a}</pre>' in html
    assert [(warning.kind, warning.line, warning.message) for warning in result.warnings] == [
        ("markup", 5, r"the formula `\foo x` is shown as its source: the command \foo is not known"),
        ("markup", 7, r"the formula `\frac{a}` is shown as its source: an argument is missing"),
        ("markup", 11, "the formula `{` is shown as its source: no available tokens"),
    ]


@pytest.mark.parametrize(
    "hostile",
    [
        r"$\href{javascript:alert(1)}{x}$",
        r"$\style{background:url(//x.example)}{x}$",
        r"$\text{<img src=x onerror=alert(1)>}$",
        r"$\text{&lt;img src=x onerror=alert(1)&gt;}$",
        "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=alert(1)&gt;'>",
        "<math href=javascript:alert(1)><mi xlink:href=javascript:alert(1) onclick=alert(1)>x</mi></math>",
        '<math><annotation-xml encoding="text/html"><script>alert(1)</script></annotation-xml></math>',
        "<math><maction actiontype=statusline xlink:href='javascript:alert(1)'>x</maction></math>",
        "<math><mi><style><img src=x onerror=alert(1)></style></mi></math>",
        "<math><annotation><p><img src=x onerror=alert(1)></annotation></math>",
    ],
)
def test_mathml_is_sanitised(tmp_path: Path, hostile: str) -> None:
    """A2: parsed again, the page has no script, handler, style or address from a formula."""
    (html_page,) = page(tmp_path, hostile).rendered
    body = LexborHTMLParser(f"<body>{html_page.html}</body>").body
    assert body is not None
    for node in body.traverse():
        assert node.tag not in {"script", "style", "annotation-xml", "maction", "mglyph", "a"}
        assert not {"href", "xlink:href", "style", "onerror", "onclick", "src"}.intersection(node.attributes)

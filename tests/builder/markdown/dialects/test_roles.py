"""MyST's roles and labels are shown as a reader of a Sphinx site sees them (N9, A2)."""

import pytest
from ranvier_builder import Config
from support.rendered import RenderFile


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("{ref}`the words <target>` and {ref}`target`", "the words and target"),
        ("{ref}`genindex`, {ref}`search` and {ref}`Modules <modindex>`", "Index, Search Page and Modules"),
        ("{doc}`/guide/start`, {doc}`Start <guide/start>`", "start, Start"),
        ("{term}`axon`, {abbr}`MRI (Magnetic Resonance Imaging)`, {guilabel}`&File`", "axon, MRI, File"),
        ("{func}`os.path.join`, {py:class}`~pathlib.Path`, {mod}`!os`", "os.path.join, Path, os"),
        ("{meth}`.Hub.start` and {meth}`!.Hub.stop`", "Hub.start and Hub.stop"),
        ("{external+python:py:func}`open`, {any}`a <b>`, {file}`~/a`, {samp}`a <b>`", "open, a, ~/a, a <b>"),
        ("H{sub}`2`O, {pep}`8`, {unknown}`x`, {octicon}`report;1em`y", "H2O, PEP 8, x, y"),
        ("{sub}`2`, {cite:p}`a`, {pypi}`words <target>`, \\{x}`a`, ${x}`b`", "2, a, words, {x}a, ${x}b"),
        ("{unknown}`x` and `` {other}`y` ``", "{unknown}x and {other}`y`"),
        ("{math}`a^2`", "a^2"),
        ("# T\n\n## The {class}`Axon` class", "The Axon class"),
        ("{ref}`<b>x` and {term}`a < b > c`", "<b>x and a < b > c"),
        ("`` {ref}`x` `` and ${x}`y` and \\{ref}`x` and {ref}`open", "{ref}`x` and ${x}y and {ref}x and {ref}`open"),
        ("<code>{ref}`x`</code>", "{ref}x"),
        ("(a-label)=\n# Title\n\nwords", "words"),
        ("(a-label)=\n## Title\n\nwords", "words"),
        ("para\n(a-label)=\nwords", "para / words"),
        ("Solve\n(a+b)=\nc", "Solve (a+b)= c"),
        ("f(x)=\n\n(a)= b\n\n(last)=", "f(x)= / (a)= b / (last)="),
        ("```\n(a)=\nb\n```", "(a)=\nb"),
    ],
)
def test_text_of_roles_and_labels(render_file: RenderFile, body: str, text: str) -> None:
    assert render_file(body).text == text


@pytest.mark.parametrize(
    ("body", "html"),
    [
        ("{func}`a.b`", "<code>a.b</code>"),
        ("{kbd}`Ctrl`", "<kbd>Ctrl</kbd>"),
        ("{doc}`a`", '<a href="../a/" rel="noopener noreferrer">a</a>'),
        ("# T\n\n(part)=\n## A *part*\n\n{ref}`part`", '<a href="#part" rel="noopener noreferrer">A part</a>'),
        ("# T\n\n(part)=\n## A part", '<div id="part"></div>\n<h2 id="a-part">A part</h2>'),
        ("# T\n\n(part)=\n## Part", '<div></div>\n<h2 id="part">Part</h2>'),
        ("(howto:1_Größe)=\nwords [a](<howto:1_Größe>)", '<div id="howto-1-groe"></div>\n<p>words <a href="#howto-1-groe"'),
        ("(_1)=\nwords", '<div id="label"></div>'),
        ("(part)=\nwords", '<div id="part"></div>\n<p>words</p>'),
        ("(part)=\nwords [a](part) [b](#part)", '<a href="#part" rel="noopener noreferrer">a</a> <a href="#part"'),
        ("{ref}`x <script>`", "<p>x</p>"),
        ("{download}`x <javascript:alert(1)>`", "<p>x</p>"),
    ],
)
def test_html_of_roles_and_labels(render_file: RenderFile, body: str, html: str) -> None:
    assert html in render_file(body).html


def test_heading_below_a_label_is_the_title(render_file: RenderFile) -> None:
    for heading in ("# The {class}`Axon`", "## The {class}`Axon`"):
        assert render_file(f"(a-label)=\n{heading}\n\nwords").neuron.title == "The Axon"


def test_link_to_a_label_is_not_reported(render_file: RenderFile) -> None:
    assert render_file("(part)=\nwords [a](part)").problems == ()


def test_name_in_a_role_is_redacted(render_file: RenderFile) -> None:
    """A withheld page's name is not shown, if the settings require it."""
    redacting = Config(redact_private_links=True)
    assert "plan" not in render_file("{doc}`/secret/plan`", config=redacting).html
    for body in ("{ref}`secret-plan`", "(a)=\n# T\n\n[](#secret.plan)"):
        assert render_file(body, config=redacting).text == "private note"

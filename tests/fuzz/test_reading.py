"""Random files: frontmatter, Neurons, HTML, chunks (N9, C1, A2)."""

import re
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from ranvier_builder.audience import AUDIENCES
from ranvier_builder.markdown.dialects import to_markdown
from ranvier_builder.model import Block, Neuron, Section
from ranvier_builder.read.frontmatter import split
from ranvier_builder.read.neuron import read_neuron
from ranvier_builder.render.chunk import OVERLAP, TARGET, chunks
from ranvier_builder.render.html import sections
from selectolax.lexbor import LexborHTMLParser
from support.rendered import render_neurons

VALUES = st.sampled_from(
    [
        "x",
        "[a, b",
        "{a: b}",
        "null",
        "2024-01-01",
        "1e999",
        "9" * 400,
        "!!int 1", "!!bool maybe", "!!timestamp x", "&a [*a]", "*a", "|\n  text", "- x", "'", '"\\ud800"', "~",
    ]
)  # fmt: skip
KEYS = st.sampled_from(
    ["title", "tags", "audience", "id", "weight", "confidence", "created", "aliases", "noindex", "kind", "? [a]", "<<", "1", ""]
)
LINES = st.lists(st.tuples(KEYS, VALUES).map(": ".join), max_size=5).map("\n".join)
FRONT = st.builds(
    "{}\n{}\n{}\n{}".format,
    st.sampled_from(["---", "+++", "--- ", "title: x", "Note: x"]),
    LINES,
    st.sampled_from(["---", "+++", "...", ""]),
    st.text(max_size=20),
)


@given(st.one_of(st.text(max_size=100), FRONT))
@settings(max_examples=200)
@example("---\n" * 40)
@example("---\na: " + "[" * 3000 + "\n---\n")
@example("+++\na = " + "[" * 3000 + "\n+++\n")
@example("---\na: " + "{a: " * 3000 + "\n---\n")
def test_frontmatter_never_raises(text: str) -> None:
    """N9: it is read, or there is a problem; the body is the end of the file."""
    result = split(text)
    assert text.endswith(result.body)
    assert all(isinstance(key, str) for key in result.fields)
    if result.problem:
        assert result.fields == {} or result.kind == "audience"
        assert 1 <= result.line <= text.count("\n") + 1


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fuzz")


@given(
    st.one_of(
        st.binary(max_size=200),
        FRONT.map(lambda text: text.encode("utf-8", "replace")),
        FRONT.map(lambda text: text.encode("utf-16", "replace")),
    )
)
@settings(max_examples=150)
def test_random_bytes_are_a_neuron(folder: Path, raw: bytes) -> None:
    """N9: its texts can be encoded as UTF-8."""
    (folder / "any.md").write_bytes(raw)
    neuron, warnings = read_neuron(folder, "any.md")
    assert neuron.title
    assert neuron.id
    assert "\r" not in neuron.body
    assert "\0" not in neuron.body
    assert "{#claim-" not in neuron.body or not re.search(r"\{#claim-[0-9A-Za-z]+\}", neuron.body)
    assert neuron.audience is None or all(word == word.lower() for word in neuron.audience)
    assert all(str(warning).startswith("any.md:") for warning in warnings)
    for text in (neuron.title, neuron.body, neuron.summary, *neuron.tags, *neuron.aliases):
        text.encode()


@given(st.sampled_from(AUDIENCES), st.text(max_size=30), st.text("#abc: \n[]{}'\"-", max_size=20))
@settings(max_examples=100)
def test_neuron_with_an_audience_never_gets_the_default(folder: Path, audience: str, body: str, junk: str) -> None:
    """A1: with any other frontmatter, the audience is read, or the page is withheld."""
    (folder / "page.md").write_text(f"---\naudience: {audience}\nother: {junk}\n---\n{body}", "utf-8", errors="replace")
    neuron, _ = read_neuron(folder, "page.md")
    assert neuron.audience in ((), (audience,)) or "audience" in junk


MARKUP = st.lists(
    st.sampled_from(
        [
            "<", ">", "</", "script", "<script>", "<img src=x onerror=", "alert(1)", "javascript:", "[x](", ")", "![", "](",
            "`", "```\n", "\n", "\n\n", "# ", "- ", "> ", "| a |\n|---|\n", "<a href='", "'>", '"', "<svg onload=", "<!--",
            "-->", "&lt;", "[[", "]]", "|", "*", "_", "text", "é", "\x00", "<iframe src=", "<style>", "[^1]", "[^1]: ",
            "<p title='", "data:text/html,", "&#106;", "\t",
        ]
    ),
    max_size=30,
).map("".join)  # fmt: skip


@given(st.one_of(MARKUP, st.text(max_size=80)))
@settings(max_examples=150)
def test_random_markdown_has_no_active_content(folder: Path, body: str) -> None:
    neurons = [Neuron("here.md", "Here", body, id="1"), Neuron("other.md", "Other", "", id="2")]
    rendered = render_neurons(folder, neurons, "here.md")
    tree = LexborHTMLParser(f"<body>{rendered.html}</body>")
    assert tree.body is not None
    for node in tree.body.traverse():
        assert node.tag not in {"script", "style", "iframe", "object", "embed", "form", "svg", "math", "base", "meta", "link"}
        for name, value in node.attributes.items():
            assert not name.startswith("on")
            assert not re.sub(r"[\s\0]", "", value or "").lower().startswith(("javascript:", "data:text")) or name not in (
                "href",
                "src",
            )
    result = sections(rendered.html)
    assert all(section.blocks or section.headings for section in result)
    assert chunks(result)


SYNTAX = (
    "{{< {{</ >}} {{% %}} />}} note details code-toggle {% raw endraw comment %} {{ }} ::: :::tip :::: /// //// | !!! ??? "
    "=== [! [!note] [!INCLUDE ] ( ) < > </ /> <A <Tabs> </Tabs> { } {# {: .x } %% <!-- --> ` ``` ~~~ $ $$ == ^id import "
    "export const from 'a' > - * _ # : \\ {#claim-0a1b2c3d} {#cl aim-1} [[ ]] &lt; é \u200b"
).split(" ")
MIXTURE = st.lists(st.one_of(st.sampled_from([*SYNTAX, "\n", "\n\n", "    ", " ", "a"]), st.text(max_size=3)), max_size=40).map(
    "".join
)


@given(MIXTURE, st.sampled_from(["any.md", "any.mdx", "any.excalidraw.md"]))
@settings(max_examples=200)
def test_mixed_dialects_lose_no_word(folder: Path, mixture: str, path: str) -> None:
    """N9, A6: no crash, no claim anchor, the same number of lines, and text outside of syntax is readable."""
    (folder / path).write_text(f"kestrel\n\n{mixture}\n", "utf-8", errors="replace")
    neuron, _ = read_neuron(folder, path)
    rendered = render_neurons(folder, [neuron], path)
    assert "#claim-" not in neuron.body + rendered.html
    raw = (folder / path).read_bytes().decode().replace("\r\n", "\n").replace("\r", "\n")
    assert neuron.body.count("\n") == raw.count("\n")
    assert "kestrel" in "".join(block.text for section in sections(rendered.html) for block in section.blocks)


LINE_STARTS = (
    "", "    ", "> ", "- ", "1. ", "\t", ": ", "!!! note\n    ", "> - ", '=== "a"\n\n    ', "[^1]: ", ":::note\n", "# ",
)  # fmt: skip
PIECES = (
    "word ``` ~~~ ` `` %%osprey%% <!--osprey--> <pre> </pre> <code> </code> --- |a| |---| <div> </div> $x $ {%raw%} === "
    "<script> \\` + ![a [x]( ::: /// :::a.b"
).split(" ")
LAID_OUT = st.lists(
    st.builds("{}{}{}".format, st.sampled_from(LINE_STARTS), st.sampled_from(PIECES), st.sampled_from(["\n", "\n\n", " "])),
    max_size=12,
).map("".join)


@given(LAID_OUT)
@settings(max_examples=200)
@example("> - word\n!!! note\n    %%osprey%%\n")
@example("- > ::: a.b\n        %%osprey%%\n")
@example("</code>\n# a\n        b %%osprey%%\n")
def test_comments_are_hidden(folder: Path, body: str) -> None:
    """A2: in any surroundings, except in code."""
    (folder / "laid.md").write_text(body, "utf-8")
    rendered = render_neurons(folder, [read_neuron(folder, "laid.md")[0]], "laid.md")
    assert "osprey" not in re.sub(r"<(code|pre)\b.*?</\1>| id=\"[^\"]*\"", "", rendered.html, flags=re.DOTALL)


@pytest.mark.parametrize(
    "unit", ["{{<", "{{< a >}}", "{% raw %}", "{{", ":::\n", "::: a\n", "[!", "<A>", "<A ", "$", "$$a\n", "%%", "<!--", "{"]
)
def test_many_repetitions_of_one_sign_take_linear_time(unit: str) -> None:
    """N9: in quadratic time, this exceeds the timeout of the test."""
    text = unit * (250_000 // len(unit))
    for path in ("a.md", "a.mdx"):
        body, _ = to_markdown(text, path)
        assert body.count("\n") == text.count("\n")


WORD = st.text("abcdeé日.!?\"')]", min_size=1, max_size=40)
PROSE = st.lists(WORD, min_size=1, max_size=120).map(" ".join)
BLOCK = st.one_of(
    PROSE.map(Block), st.lists(PROSE, min_size=1, max_size=6).map(lambda rows: Block("\n".join(rows), lines=True))
)
SECTIONS = st.lists(st.lists(BLOCK, max_size=4).map(lambda blocks: Section("a", ("A",), (2,), tuple(blocks))), max_size=4)


@given(SECTIONS)
@settings(max_examples=150)
def test_chunks_lose_no_word(source: list[Section]) -> None:
    """C1: every word in its order, and no chunk much above the limit."""
    result = chunks(tuple(source))
    assert all(len(chunk.body) <= TARGET + OVERLAP + 2 for chunk in result)
    text = iter("\n".join(chunk.body for chunk in result).split())
    for word in (word for section in source for block in section.blocks for word in block.text.split()):
        assert word in text, "the iterator continues after the last word"


@given(st.lists(st.text("ab =(){}", min_size=1, max_size=TARGET - 20), min_size=1, max_size=30))
@settings(max_examples=100)
def test_chunks_cut_no_line(lines: list[str]) -> None:
    """C1."""
    result = chunks((Section("a", (), (), (Block("\n".join(lines), lines=True),)),))
    output = [line for chunk in result for line in chunk.body.split("\n")]
    assert [line for line in output if line.strip()] == [line for line in lines if line.strip()]

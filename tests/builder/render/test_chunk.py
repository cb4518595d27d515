"""Sections are split into chunks (C1, C2)."""

import itertools
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest
from ranvier_builder.model import Block, Chunk, Section
from ranvier_builder.render.chunk import OVERLAP, TARGET, chunks
from ranvier_builder.render.html import sections

Trace = Callable[[FrameType, str, object], Any]


def section(*blocks: Block, anchor: str = "a", headings: tuple[str, ...] = ("A",)) -> Section:
    return Section(anchor, headings, tuple(range(2, 2 + len(headings))), blocks)


def bodies(*blocks: Block) -> list[str]:
    return [chunk.body for chunk in chunks((section(*blocks),))]


def words(count: int, start: int = 0) -> str:
    return " ".join(f"word{number}" for number in range(start, start + count))


def test_short_section_is_one_chunk() -> None:
    """C2: a chunk has its anchor and its headings."""
    assert chunks((section(Block("One."), Block("Two."), headings=("A", "B")),)) == (Chunk("a", ("A", "B"), "One.\n\nTwo."),)


def test_empty_page_is_one_empty_chunk() -> None:
    assert chunks(()) == (Chunk("", (), ""),)


def test_heading_without_text_is_a_chunk_unless_a_subheading_follows() -> None:
    deeper = section(Block("text"), headings=("A", "B"), anchor="b")
    assert [chunk.headings for chunk in chunks((section(), deeper))] == [("A", "B")]
    assert [chunk.headings for chunk in chunks((section(), section(Block("x"), headings=("C",))))] == [("A",), ("C",)]
    assert [chunk.headings for chunk in chunks((deeper, section()))] == [("A", "B"), ("A",)]


def test_summary_is_the_first_chunk_unless_the_text_begins_with_it() -> None:
    text = section(Block("In short. And more."))
    assert [chunk.body for chunk in chunks((text,), "A summary.")] == ["A summary.", "In short. And more."]
    assert [chunk.body for chunk in chunks((text,), "In short.")] == ["In short. And more."]
    assert chunks((), "A summary.") == (Chunk("", (), "A summary."),)


def test_extra_fields_are_a_chunk_before_the_text() -> None:
    """N3: after the summary."""
    text, extra = section(Block("Text.")), (("product", "Kestrel"), ("version", "1.5"))
    assert [chunk.body for chunk in chunks((text,), "", extra)] == ["product: Kestrel\nversion: 1.5", "Text."]
    assert [chunk.body for chunk in chunks((text,), "Sum.", extra)] == ["Sum.", "product: Kestrel\nversion: 1.5", "Text."]
    assert chunks((), "", extra) == (Chunk("", (), "product: Kestrel\nversion: 1.5"),)


def test_long_summary_is_split() -> None:
    result = chunks((), words(500))
    assert {word for chunk in result for word in chunk.body.split()} == {*words(500).split()}
    assert all(len(chunk.body) <= TARGET + OVERLAP + 2 for chunk in result)


@pytest.mark.parametrize(
    "text",
    [
        'He said "stop." Then he left.',
        "(See above.) More here.",
        "One.  Two!\u00a0Three? Four… Five",
        "“Really?” she asked. ‘Yes.’ Then (no.) [x.] end.",
        "Version 1.2. Then 1.3.",
    ],
)
def test_splitting_into_sentences_keeps_the_text(text: str) -> None:
    """A snippet shows the text of the page."""
    assert "".join(bodies(Block(text))).split() == text.split()


def test_long_text_is_split_between_sentences() -> None:
    sentences = [f"This is sentence number {number} of a long section about nothing much." for number in range(40)]
    result = bodies(Block(" ".join(sentences)))
    assert len(result) > 3
    for body in result:
        assert len(body) <= TARGET + OVERLAP + 2
        assert body.startswith("This")
        assert body.endswith("much.")


def test_chunks_of_a_section_overlap_by_one_sentence() -> None:
    """C1."""
    result = bodies(Block(" ".join(f"Sentence {number} says a few words to be cut." for number in range(40))))
    assert len(result) > 2
    for before, after in itertools.pairwise(result):
        last = before[before.rindex("Sentence") :]
        assert after.startswith(last)
        assert len(last) <= OVERLAP


def test_long_sentence_is_not_repeated_as_overlap() -> None:
    long = words(20) + "."
    assert len(long) > OVERLAP
    result = bodies(*[Block(long)] * 12)
    assert sum(body.count(long) for body in result) == 12


def test_lines_of_code_and_tables_are_not_split() -> None:
    """C1."""
    lines = [f"line_{number} = call({'x' * (number % 90)})" for number in range(200)]
    result = bodies(Block("\n".join(lines), lines=True))
    assert len(result) > 10
    assert [line for body in result for line in body.split("\n")] == lines
    assert all(len(body) <= TARGET for body in result)


def test_code_is_not_repeated_as_overlap() -> None:
    result = bodies(Block("short code", lines=True), Block(words(80)), Block("more code", lines=True))
    assert "\n".join(result).count("short code") == 1
    assert "\n".join(result).count("more code") == 1


def test_indentation_of_code_is_kept() -> None:
    code = "def f():\n    if x:\n        return 1"
    assert bodies(Block(code, lines=True)) == [code]


def test_line_longer_than_a_chunk_is_split_at_blanks() -> None:
    line = words(400)
    result = bodies(Block(line, lines=True))
    assert " ".join(result) == line
    assert all(len(body) <= TARGET for body in result)


def test_long_line_without_blanks_is_split() -> None:
    result = bodies(Block("x" * 1234, lines=True))
    assert [len(body) for body in result] == [500, 500, 234]


LONG_LINES = ["a", "word ", ". ", " ", '".', ".\"')", "a.b ", "。"]


def steps(text: str, lines: bool) -> int:
    """Count the lines of Python that cutting a text takes: the same number on every machine."""
    count = 0

    def trace(frame: FrameType, event: str, _: object) -> Trace:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        bodies(Block(text, lines=lines))
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize("lines", [False, True])
@pytest.mark.parametrize("piece", LONG_LINES)
def test_splitting_a_long_line_takes_linear_time(piece: str, lines: bool) -> None:
    """C1, N9."""
    text = piece * (16_000 // len(piece))
    assert steps(text * 2, lines) <= 2.2 * steps(text, lines) + 100


@pytest.mark.parametrize("lines", [False, True])
@pytest.mark.parametrize("piece", LONG_LINES)
def test_line_of_128_000_characters_is_split_without_loss(piece: str, lines: bool) -> None:
    """N9."""
    text = piece * (128_000 // len(piece))
    result = bodies(Block(text, lines=lines))
    assert all(len(body) <= TARGET + OVERLAP + 2 for body in result)
    assert len("".join("".join(result).split())) >= len("".join(text.split()))


def test_spans_of_code_and_tables() -> None:
    """B6: a chunk has the positions of its code and its tables, also in the text that it repeats from the previous chunk."""
    table = "<table><tr><th>x</th><th>y</th></tr><tr><td>1</td><td>2</td></tr></table>"
    (chunk,) = chunks(sections(f"<p>Before.</p><pre>a = 1\nb</pre><p>Between.</p>{table}"))
    parts = [(chunk.body[start : start + length], kind) for start, length, kind in zip(*[iter(chunk.spans)] * 3, strict=True)]
    assert parts == [("a = 1\nb", 1), ("x | y\n\n1 | 2", 2)]


def test_repeated_row_is_in_a_span() -> None:
    rows = "".join(f"<tr><td>{'w' * 30} {at}</td><td>cell</td></tr>" for at in range(40))
    result = chunks(sections(f"<table>{rows}</table>"))
    assert len(result) > 1
    for chunk in result:
        assert chunk.spans == (0, len(chunk.body), 2)

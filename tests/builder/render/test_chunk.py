"""Sections → chunks (C1, C2)."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest
from ranvier_builder.model import Block, Chunk, Section
from ranvier_builder.render.chunk import OVERLAP, TARGET, chunks

Trace = Callable[[FrameType, str, object], Any]


def section(*blocks: Block, anchor: str = "a", headings: tuple[str, ...] = ("A",)) -> Section:
    return Section(anchor, headings, tuple(range(2, 2 + len(headings))), blocks)


def bodies(*blocks: Block) -> list[str]:
    return [chunk.body for chunk in chunks((section(*blocks),))]


def words(count: int, start: int = 0) -> str:
    return " ".join(f"word{number}" for number in range(start, start + count))


def test_a_short_section_is_one_chunk() -> None:
    """C2: it knows its anchor and its headings."""
    assert chunks((section(Block("One."), Block("Two."), headings=("A", "B")),)) == (Chunk("a", ("A", "B"), "One.\n\nTwo."),)


def test_a_page_of_nothing_is_one_empty_chunk() -> None:
    assert chunks(()) == (Chunk("", (), ""),)


def test_a_bare_heading_is_a_chunk_unless_a_deeper_one_carries_it_on() -> None:
    deeper = section(Block("text"), headings=("A", "B"), anchor="b")
    assert [chunk.headings for chunk in chunks((section(), deeper))] == [("A", "B")]
    assert [chunk.headings for chunk in chunks((section(), section(Block("x"), headings=("C",))))] == [("A",), ("C",)]
    assert [chunk.headings for chunk in chunks((deeper, section()))] == [("A", "B"), ("A",)]


def test_a_summary_is_the_first_chunk_unless_the_page_begins_with_it() -> None:
    text = section(Block("In short. And more."))
    assert [chunk.body for chunk in chunks((text,), "A summary.")] == ["A summary.", "In short. And more."]
    assert [chunk.body for chunk in chunks((text,), "In short.")] == ["In short. And more."]
    assert chunks((), "A summary.") == (Chunk("", (), "A summary."),)


def test_other_fields_are_found_as_lines_of_a_chunk() -> None:
    """N3: after the summary, before the text."""
    text, extra = section(Block("Text.")), (("product", "Kestrel"), ("version", "1.5"))
    assert [chunk.body for chunk in chunks((text,), "", extra)] == ["product: Kestrel\nversion: 1.5", "Text."]
    assert [chunk.body for chunk in chunks((text,), "Sum.", extra)] == ["Sum.", "product: Kestrel\nversion: 1.5", "Text."]
    assert chunks((), "", extra) == (Chunk("", (), "product: Kestrel\nversion: 1.5"),)


def test_a_long_summary_is_cut_as_any_text() -> None:
    assert all(len(chunk.body) <= TARGET + OVERLAP + 2 for chunk in chunks((), words(500)))


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
def test_cutting_into_sentences_changes_no_character(text: str) -> None:
    """What a reader sees in a snippet is what the page says, blanks apart."""
    assert "".join(bodies(Block(text))).split() == text.split()


def test_long_prose_is_cut_between_sentences() -> None:
    sentences = [f"This is sentence number {number} of a long section about nothing much." for number in range(40)]
    result = bodies(Block(" ".join(sentences)))
    assert len(result) > 3
    for body in result:
        assert len(body) <= TARGET + OVERLAP + 2
        assert body.startswith("This")
        assert body.endswith("much.")


def test_chunks_of_one_section_overlap_by_a_sentence() -> None:
    """C1."""
    result = bodies(Block(" ".join(f"Sentence {number} says a few words to be cut." for number in range(40))))
    for before, after in itertools.pairwise(result):
        last = before[before.rindex("Sentence") :]
        assert after.startswith(last)
        assert len(last) <= OVERLAP


def test_a_long_last_sentence_is_not_said_again() -> None:
    long = words(20) + "."
    assert len(long) > OVERLAP
    result = bodies(*[Block(long)] * 12)
    assert sum(body.count(long) for body in result) == 12


def test_lines_are_never_cut_in_the_middle() -> None:
    """C1: code and table rows."""
    lines = [f"line_{number} = call({'x' * (number % 90)})" for number in range(200)]
    result = bodies(Block("\n".join(lines), lines=True))
    assert len(result) > 10
    assert [line for body in result for line in body.split("\n")] == lines
    assert all(len(body) <= TARGET for body in result)


def test_code_is_not_said_again_as_overlap() -> None:
    result = bodies(Block("short code", lines=True), Block(words(80)), Block("more code", lines=True))
    assert "\n".join(result).count("short code") == 1
    assert "\n".join(result).count("more code") == 1


def test_indentation_is_kept() -> None:
    code = "def f():\n    if x:\n        return 1"
    assert bodies(Block(code, lines=True)) == [code]


def test_a_line_longer_than_a_chunk_is_cut_at_blanks() -> None:
    line = words(400)
    result = bodies(Block(line, lines=True))
    assert " ".join(result) == line
    assert all(len(body) <= TARGET for body in result)


def test_a_line_without_blanks_is_cut_all_the_same() -> None:
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
def test_a_long_line_takes_time_in_proportion(piece: str, lines: bool) -> None:
    """C1, N9."""
    once = piece * (16_000 // len(piece))
    assert steps(once * 2, lines) <= 2.2 * steps(once, lines) + 100


@pytest.mark.parametrize("lines", [False, True])
@pytest.mark.parametrize("piece", LONG_LINES)
def test_a_line_of_128_000_characters(piece: str, lines: bool) -> None:
    """N9: cut, and nothing of it lost."""
    text = piece * (128_000 // len(piece))
    result = bodies(Block(text, lines=lines))
    assert all(len(body) <= TARGET + OVERLAP + 2 for body in result)
    assert len("".join("".join(result).split())) >= len("".join(text.split()))

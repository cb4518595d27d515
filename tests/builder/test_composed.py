"""Composed characters: the same text has the same characters, and a row of marks costs no more than other text."""

from __future__ import annotations

import unicodedata

import pytest
from ranvier_builder import composed as module
from ranvier_builder.composed import composed


@pytest.mark.parametrize("text", ["", "plain", "Caf\u0065\u0301", "\u1112\u1161\u11ab", "\ufb01", "a" + "\u0301\u0316" * 15])
def test_text_as_people_write_it(text: str) -> None:
    """N9: up to 30 marks on a letter, nothing is added."""
    assert composed(text) == unicodedata.normalize("NFC", text)
    assert composed(text, "NFKC") == unicodedata.normalize("NFKC", text)


def test_a_long_row_of_marks_is_parted(monkeypatch: pytest.MonkeyPatch) -> None:
    """N9: `unicodedata.normalize` never gets more marks in a row than 30; it would take the square of their number."""
    rows: list[int] = []

    def normalize(form: str, text: str) -> str:
        marks = "".join("x" if unicodedata.combining(character) else " " for character in text)
        rows.append(max(map(len, marks.split()), default=0))
        return text

    monkeypatch.setattr(module.unicodedata, "normalize", normalize)
    bomb = "a" + "\u0301\u0316" * 1000 + "b"
    assert composed(bomb).replace("\u034f", "") == bomb
    assert rows == [30]


def test_twice_is_the_same() -> None:
    text = composed("a" + "\u0301\u0316\u093c" * 100)
    assert composed(text) == text

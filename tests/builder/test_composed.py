"""Text normalization (NFC) with a limit on rows of combining marks."""

import unicodedata

import pytest
from ranvier_builder import composed as module
from ranvier_builder.composed import composed


@pytest.mark.parametrize("text", ["", "plain", "Caf\u0065\u0301", "\u1112\u1161\u11ab", "\ufb01", "a" + "\u0301\u0316" * 15])
def test_normal_text_is_only_composed(text: str) -> None:
    """N9: with up to 30 marks on a letter."""
    assert composed(text) == unicodedata.normalize("NFC", text)
    assert composed(text, "NFKC") == unicodedata.normalize("NFKC", text)


def test_long_row_of_combining_marks_is_split(monkeypatch: pytest.MonkeyPatch) -> None:
    """N9: `unicodedata.normalize` takes quadratic time in the number of marks."""
    rows: list[int] = []

    def normalize(form: str, text: str) -> str:
        marks = "".join("x" if unicodedata.combining(character) else " " for character in text)
        rows.append(max(map(len, marks.split()), default=0))
        return text

    monkeypatch.setattr(module.unicodedata, "normalize", normalize)
    bomb = "a" + "\u0301\u0316" * 1000 + "b"
    assert composed(bomb).replace("\u034f", "") == bomb
    assert rows == [30]


def test_normalization_is_idempotent() -> None:
    text = composed("a" + "\u0301\u0316\u093c" * 100)
    assert composed(text) == text

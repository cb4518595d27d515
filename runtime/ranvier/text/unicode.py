"""One Unicode for every Python that runs the core.

CPython 3.11 knows Unicode 14, Pyodide's 3.14 knows 16: 10,301 code points are letters, marks or signs in one and nothing in
the other, and every difference between the two in `\\w`, case folding and NFKC is among them. They are separators
everywhere, so that indexes, queries and highlights are the same in every Python.
"""

from __future__ import annotations

# Assigned after Unicode 14.0 and up to 16.0; a range may run over code points that are still unassigned.
LATER_THAN_14: tuple[tuple[int, int], ...] = (
    (0x0897, 0x0897), (0x0CF3, 0x0CF3), (0x0ECE, 0x0ECE), (0x1B4E, 0x1B4F), (0x1B7F, 0x1B7F), (0x1C89, 0x1C8A),
    (0x2427, 0x2429), (0x2FFC, 0x2FFF), (0x31E4, 0x31EF), (0xA7CB, 0xA7CD), (0xA7DA, 0xA7DC), (0x105C0, 0x105F3),
    (0x10D40, 0x10D8F), (0x10EC2, 0x10EFF), (0x1123F, 0x11241), (0x11380, 0x113E2), (0x116D0, 0x116E3), (0x11B00, 0x11BF9),
    (0x11F00, 0x11F5A), (0x1342F, 0x1342F), (0x13439, 0x143FA), (0x16100, 0x16139), (0x16D40, 0x16D79), (0x18CFF, 0x18CFF),
    (0x1B132, 0x1B132), (0x1B155, 0x1B155), (0x1CC00, 0x1CEB3), (0x1D2C0, 0x1D2D3), (0x1DF25, 0x1DF2A), (0x1E030, 0x1E08F),
    (0x1E4D0, 0x1E5FF), (0x1F6DC, 0x1F6DC), (0x1F774, 0x1F77F), (0x1F7D9, 0x1F7D9), (0x1F8B2, 0x1F8C1), (0x1FA75, 0x1FA77),
    (0x1FA87, 0x1FA8F), (0x1FAAD, 0x1FAAF), (0x1FABB, 0x1FABF), (0x1FAC6, 0x1FACF), (0x1FADA, 0x1FADF), (0x1FAE8, 0x1FAE9),
    (0x1FAF7, 0x1FAF8), (0x1FBCB, 0x1FBEF), (0x2B739, 0x2B739), (0x2EBF0, 0x2EE5D), (0x31350, 0x323AF),
)  # fmt: skip


class Blanked(dict[int, str]):
    """A table for `str.translate`, filled on demand: code points in some ranges become blanks."""

    def __init__(self, ranges: tuple[tuple[int, int], ...]) -> None:
        super().__init__()
        self._ranges = ranges

    def __missing__(self, code: int) -> str:
        later = any(first <= code <= last for first, last in self._ranges)
        self[code] = out = " " if later else chr(code)
        return out


_LATER = Blanked(LATER_THAN_14)


def blank_later(text: str) -> str:
    """Replace each code point that is not in Unicode 14 by a blank; the length stays the same."""
    return text if text.isascii() else text.translate(_LATER)

"""Small plots of bars as SVG: a panel for each column of a table, a bar for each library.

Each bar has its name and its figure, so that colours are not needed. The background is part of the picture, so that dark pages
show the same contrast.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

WIDTH, PER_ROW = 720, 3
BAR, STEP, HEAD, GAP = 11, 16, 26, 14  # pixels
NAME, FIGURE = 66, 48  # pixels beside the bars
INK, GROUND, BARS, FIRST = "#24292f", "#ffffff", "#8c99a6", "#0b63b0"


@dataclass(frozen=True, slots=True)
class Panel:
    """One column: its head, and the name, the value and the formatted value of each library."""

    head: str
    bars: Sequence[tuple[str, float, str]]


def draw(panels: Sequence[Panel], first: str) -> str:
    """Return a picture of some panels; the bars of the library `first` stand out."""
    width = (WIDTH - GAP * (PER_ROW + 1)) / PER_ROW
    parts, top = [], float(GAP)
    for at in range(0, len(panels), PER_ROW):
        row = panels[at : at + PER_ROW]
        parts += [_panel(panel, GAP + place * (width + GAP), top, width, first) for place, panel in enumerate(row)]
        top += HEAD + STEP * max(len(panel.bars) for panel in row) + GAP
    size = f'viewBox="0 0 {WIDTH} {top:.0f}" width="{WIDTH}" height="{top:.0f}"'
    ground = f'<rect width="{WIDTH}" height="{top:.0f}" fill="{GROUND}"/>'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="10" fill="{INK}">'
    return "\n".join([head, ground, *parts, "</svg>", ""])


def _panel(panel: Panel, left: float, top: float, width: float, first: str) -> str:
    largest = max((value for _, value, _ in panel.bars), default=0) or 1
    space = width - NAME - FIGURE
    lines = [_text(left, top + 10, panel.head, 'font-weight="bold" font-size="11"')]
    for number, (name, value, figure) in enumerate(panel.bars):
        y, length = top + HEAD + number * STEP, max(1.0, space * value / largest)
        fill = FIRST if name == first else BARS
        lines.append(_text(left + NAME - 4, y + BAR - 2, name, 'text-anchor="end"'))
        lines.append(f'<rect x="{left + NAME:.1f}" y="{y:.1f}" width="{length:.1f}" height="{BAR}" fill="{fill}"/>')
        lines.append(_text(left + NAME + length + 3, y + BAR - 2, figure))
    return "\n".join(lines)


def _text(x: float, y: float, text: str, attributes: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}"{" " if attributes else ""}{attributes}>{escape(text)}</text>'

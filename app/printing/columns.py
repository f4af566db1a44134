"""How wide a table's columns are: figures are never broken, texts share what is left."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from PySide6.QtGui import QFontMetricsF

from advisor.report.document.blocks import Style, Table, Words, quiet
from advisor.report.safe_text import visible
from app.printing.sheet import POINT, type_of

BETWEEN = 8 * POINT
APART = 14 * POINT
"""What columns of figures get beyond their need, where there is room."""

LEAST_TEXT = 0.24
"""The share of the width that is left to texts, however many figures stand beside them."""

SMALLEST = 5.5
"""Points; smaller type is read by nobody."""


@dataclass(frozen=True, slots=True)
class Columns:
    """A table's type in points, the width of each column, and what of that is space."""

    points: float
    widths: tuple[float, ...]
    between: float


def columns(block: Table, points: float, room: float) -> Columns:
    """The columns of a table in a room; where figures need more than there is, all gets smaller."""
    texts, between = block.text_columns, BETWEEN
    needs = [_need(block, at, points) for at in range(len(block.heads))]
    figures = sum(need + between for at, need in enumerate(needs) if at not in texts)
    most = room * (1 - LEAST_TEXT if texts else 1.0)
    if figures > most:
        smaller = max(SMALLEST / points, most / figures)
        points, between = points * smaller, between * smaller
        needs = [need * smaller for need in needs]
    wanted = [min(room, need) + between for need in needs]
    left = room - sum(wanted)
    widths = _spread(wanted, left, texts) if left >= 0 else _shared(wanted, room, texts)
    return Columns(points, tuple(widths), between)


def _need(block: Table, at: int, points: float) -> float:
    cells = [quiet(block.heads[at]), *(each.cells[at] for each in block.rows)]
    return max(_natural(words, points) for words in cells) + POINT


def _natural(words: Words, points: float) -> float:
    """The width of the longest of its lines, where none is broken; a careful guess."""
    strong = any(span.style in (Style.STRONG, Style.CODE) for span in words)
    metrics = QFontMetricsF(type_of(points, weight=600 if strong else 400))
    lines = "".join(visible(span.text) for span in words).split("\n")
    return max(metrics.horizontalAdvance(each) for each in lines)


def _spread(wanted: Sequence[float], left: float, texts: Collection[int]) -> list[float]:
    """Figures stand a little apart; the widest text takes what is left then."""
    figures = len(wanted) - len(texts)
    apart = min(APART, left / figures) if figures else 0.0
    widths = [width + (0.0 if at in texts else apart) for at, width in enumerate(wanted)]
    widest = max(texts or range(len(widths)), key=lambda at: widths[at])
    widths[widest] += left - apart * figures
    return widths


def _shared(wanted: Sequence[float], room: float, texts: Collection[int]) -> list[float]:
    """The widest texts give way first: a short one is not broken for a sentence's sake."""
    widths = list(wanted)
    fixed = sum(width for at, width in enumerate(widths) if at not in texts)
    if fixed > room * (1 - LEAST_TEXT) + 1:
        # The smallest type does not do it: then figures are broken rather than lost.
        smaller = room * (1 - LEAST_TEXT) / fixed
        widths = [width * (1.0 if at in texts else smaller) for at, width in enumerate(widths)]
        fixed *= smaller
    left, narrow = room - fixed, sorted(texts, key=lambda at: widths[at])
    for place, at in enumerate(narrow):
        widths[at] = min(widths[at], left / (len(narrow) - place))
        left -= widths[at]
    return widths

"""Pieces of a page: each knows its height, draws itself, and may be cut where a page ends."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QPainter,
    QPen,
    QTextCharFormat,
    QTextLayout,
    QTextLine,
    QTextOption,
)

from advisor.report.document.blocks import Span, Style, Words
from advisor.report.safe_text import visible
from app.printing.sheet import LINE, PANEL, POINT, QUIET, TEXT, type_of

LEADING = 1.28
FEWEST_LINES = 2
"""So many lines of a paragraph stand together at the end and at the start of a page."""

SMALL = 0.9
"""The size of what stands beside the matter, of the text's."""


Link = tuple[QRectF, str]
"""A place, and the anchor that it leads to."""


@dataclass
class Piece(ABC):
    """Something as wide as its column.

    ``before`` is the space above it, left out at the top of a page; ``keeps`` says that the next
    piece shall stand on the same page. ``mark`` is its level and text in the outline, where it is
    a heading; ``anchor`` is what links lead here by, "" for none. ``new_page`` begins a page with
    it. ``group`` is the same for pieces that belong
    together: a line at their left edge shows that. ``again`` is drawn once more above it where it
    is the first on a page.
    """

    before: float = field(default=0.0, kw_only=True)
    keeps: bool = field(default=False, kw_only=True)
    mark: tuple[int, str] | None = field(default=None, kw_only=True)
    anchor: str = field(default="", kw_only=True)
    new_page: bool = field(default=False, kw_only=True)
    group: int = field(default=0, kw_only=True)
    again: Piece | None = field(default=None, kw_only=True)

    @property
    @abstractmethod
    def height(self) -> float:
        """Without the space above it."""

    @abstractmethod
    def draw(self, painter: QPainter, left: float, top: float) -> None:
        """Draw it with its upper left corner there."""

    def links(self, left: float, top: float) -> Iterator[Link]:
        """What in it leads elsewhere, where its upper left corner is there."""
        del left, top
        yield from ()

    def cut(self, room: float) -> tuple[Piece, Piece] | None:
        """What fits into ``room`` and what is left; None where it stays whole."""
        del room
        return None


class SetText:
    """A paragraph that was broken into lines of a width."""

    def __init__(
        self, words: Words, font: QFont, width: float, *, colour: str = TEXT, right: bool = False
    ) -> None:
        text = "".join(visible(span.text) for span in words).replace("\n", "\u2028")
        self._words = words
        self._layout = QTextLayout(text, font)
        option = QTextOption(Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft)
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self._layout.setTextOption(option)
        self._layout.setFormats(_formats(words, font, colour))
        self.tops: list[float] = []
        self._layout.beginLayout()
        top = 0.0
        while (line := self._layout.createLine()).isValid():
            line.setLineWidth(width)
            line.setPosition(QPointF(0, 0))
            self.tops.append(top)
            top += max(line.height(), font.pixelSize() * LEADING)
        self._layout.endLayout()
        self.tops.append(top)

    @property
    def lines(self) -> int:
        """How many lines it has."""
        return len(self.tops) - 1

    @property
    def natural(self) -> float:
        """The width of its longest line."""
        found = (self._layout.lineAt(at).naturalTextWidth() for at in range(self.lines))
        return max(found, default=0.0)

    def draw(self, painter: QPainter, left: float, top: float, first: int, last: int) -> None:
        """Draw its lines from ``first`` to before ``last``."""
        for at in range(first, last):
            y = top + self.tops[at] - self.tops[first]
            self._layout.lineAt(at).draw(painter, QPointF(left, y))

    def links(self, left: float, top: float, first: int, last: int) -> Iterator[Link]:
        """Its words that lead elsewhere, where these lines are drawn there: a place on each."""
        for span, start, length in _placed(self._words):
            if not span.to:
                continue
            for at in range(first, last):
                line = self._layout.lineAt(at)
                begun = max(start, line.textStart())
                ended = min(start + length, line.textStart() + line.textLength())
                if begun < ended:
                    x, end = _across(line, begun), _across(line, ended)
                    y = top + self.tops[at] - self.tops[first]
                    yield QRectF(left + x, y, end - x, line.height()), span.to


def _across(line: QTextLine, place: int) -> float:
    """Where a letter of a line begins; Qt gives its place back, too."""
    found: Any = line.cursorToX(place)
    return float(found[0])


def _placed(words: Words) -> Iterator[tuple[Span, int, int]]:
    """Where each begins in the text, and how long it is there: Qt counts as UTF-16 does."""
    start = 0
    for span in words:
        length = len(visible(span.text).encode("utf-16-le")) // 2
        yield span, start, length
        start += length


def _formats(words: Words, font: QFont, colour: str) -> list[QTextLayout.FormatRange]:
    found = []
    for span, start, length in _placed(words):
        made = QTextLayout.FormatRange()
        made.start, made.length = start, length
        made.format = _format(span, font, colour)
        found.append(made)
    return found


def _format(span: Span, font: QFont, colour: str) -> QTextCharFormat:
    made = QTextCharFormat()
    points = font.pixelSize() / POINT
    match span.style:
        case Style.STRONG:
            made.setFont(type_of(points, weight=600))
        case Style.CODE:
            made.setFont(type_of(points * SMALL, weight=600, fixed=True))
        case Style.QUIET | Style.NAME:
            made.setFont(type_of(points * SMALL))
        case Style.PLAIN:
            made.setFont(font)
    made.setForeground(QColor(QUIET if span.style in {Style.QUIET, Style.NAME} else colour))
    return made


@dataclass
class TextPiece(Piece):
    """Lines of a paragraph, ``indent`` from the left; ``sign`` stands before the first of them."""

    text: SetText
    indent: float = 0.0
    sign: SetText | None = None
    first: int = 0
    last: int = -1

    @property
    def _end(self) -> int:
        return self.text.lines if self.last < 0 else self.last

    @property
    def height(self) -> float:
        """That of its lines."""
        return self.text.tops[self._end] - self.text.tops[self.first]

    def draw(self, painter: QPainter, left: float, top: float) -> None:
        """Draw its lines."""
        if self.sign is not None and self.first == 0:
            self.sign.draw(painter, left, top, 0, self.sign.lines)
        self.text.draw(painter, left + self.indent, top, self.first, self._end)

    def links(self, left: float, top: float) -> Iterator[Link]:
        """Those of its lines."""
        return self.text.links(left + self.indent, top, self.first, self._end)

    def cut(self, room: float) -> tuple[Piece, Piece] | None:
        """Between two lines, with some of them on either side."""
        start = self.text.tops[self.first]
        fit = sum(self.text.tops[at + 1] - start <= room for at in range(self.first, self._end))
        at = self.first + min(fit, self._end - self.first - FEWEST_LINES)
        if at - self.first < FEWEST_LINES:
            return None
        above = TextPiece(
            self.text,
            self.indent,
            self.sign,
            self.first,
            at,
            before=self.before,
            anchor=self.anchor,
            group=self.group,
            again=self.again,
        )
        below = TextPiece(
            self.text, self.indent, self.sign, at, self._end, keeps=self.keeps, group=self.group
        )
        return above, below


@dataclass
class CodeLine(Piece):
    """A line of what is to be typed, on a ground of its own."""

    text: SetText
    indent: float
    width: float
    above: float
    below: float

    @property
    def height(self) -> float:
        """With the ground's edges."""
        return self.text.tops[-1] + self.above + self.below

    def draw(self, painter: QPainter, left: float, top: float) -> None:
        """Draw the ground, then the line."""
        painter.fillRect(QRectF(left, top, self.width, self.height + 1), QColor(PANEL))
        self.text.draw(painter, left + self.indent, top + self.above, 0, self.text.lines)


@dataclass
class RowPiece(Piece):
    """Cells side by side, each at its place; ``rule`` is the line below it."""

    cells: tuple[tuple[float, SetText], ...]
    width: float
    gap: float
    rule: str = ""

    @property
    def height(self) -> float:
        """That of the highest cell."""
        return max((text.tops[-1] for _, text in self.cells), default=0.0) + 2 * self.gap

    def draw(self, painter: QPainter, left: float, top: float) -> None:
        """Draw the cells and the line below them."""
        for place, text in self.cells:
            text.draw(painter, left + place, top + self.gap, 0, text.lines)
        if self.rule:
            line(painter, QPointF(left, top + self.height), self.width, self.rule)

    def links(self, left: float, top: float) -> Iterator[Link]:
        """Those of its cells."""
        for place, text in self.cells:
            yield from text.links(left + place, top + self.gap, 0, text.lines)


def line(
    painter: QPainter, start: QPointF, width: float, ink: str = LINE, points: float = 0.5
) -> None:
    """A thin horizontal line."""
    painter.setPen(QPen(QColor(ink), points * POINT))
    painter.drawLine(start, QPointF(start.x() + width, start.y()))

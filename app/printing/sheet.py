"""A sheet of paper, and the type on it.

All distances are tenths of a point: whole numbers of them are finer than any printer, and type set
at ten times its size is laid out the same at every resolution.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtGui import QFont, QPageSize

from app.theme.appearance import load_fonts
from app.theme.tokens import FIXED_FONTS, PAPER_INK, UI_FONT

POINT = 10.0
"""One typographic point (1/72 inch)."""

TEXT, QUIET, LINE, GRID, PANEL = PAPER_INK
"""Inks: all of them can be told from paper and from each other in a grey print."""


class Paper(StrEnum):
    """The sizes of paper that offices have."""

    A4 = "A4"
    LETTER = "Letter"


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet with its margins."""

    paper: Paper = Paper.A4
    margin: float = 54 * POINT
    foot: float = 30 * POINT

    @property
    def size(self) -> QPageSize:
        """As Qt names it."""
        ids = {Paper.A4: QPageSize.PageSizeId.A4, Paper.LETTER: QPageSize.PageSizeId.Letter}
        return QPageSize(ids[self.paper])

    @property
    def width(self) -> float:
        """From edge to edge."""
        return self.size.size(QPageSize.Unit.Point).width() * POINT

    @property
    def height(self) -> float:
        """From edge to edge."""
        return self.size.size(QPageSize.Unit.Point).height() * POINT

    @property
    def column(self) -> float:
        """Between the margins."""
        return self.width - 2 * self.margin

    @property
    def room(self) -> float:
        """Above the foot, between the margins."""
        return self.height - 2 * self.margin - self.foot


def type_of(points: float, *, weight: int = 400, fixed: bool = False) -> QFont:
    """A font of so many points."""
    load_fonts()
    font = QFont()
    font.setFamilies([*FIXED_FONTS, UI_FONT] if fixed else [UI_FONT])
    if fixed:
        font.setStyleHint(QFont.StyleHint.Monospace)
    font.setPixelSize(round(points * POINT))
    font.setWeight(QFont.Weight(weight))
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    # Glyphs that stand for others in some places have no character in a PDF that is searched.
    font.setFeature(QFont.Tag("calt"), 0)
    return font

"""The strip of a trial's guard: a cell for each limit, which fills as the server comes near it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app.presenters.texts.typesetting import plain_tip
from app.presenters.trial.guard_strip import GuardCell
from app.runtime.translation import tr
from app.theme import tokens
from app.theme.appearance import Appearance, ui_font
from app.views.widgets.flow_layout import FlowLayout

CELL = QSize(128, 46)
BAR = 4.0


class _Cell(QWidget):
    """One limit: its name, today's value over a bar, and the limit."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self._cell: GuardCell | None = None
        self.setFixedSize(CELL)
        appearance.changed.connect(self.update)

    @property
    def cell(self) -> GuardCell | None:
        """What it shows."""
        return self._cell

    def display(self, cell: GuardCell) -> None:
        """Show this from now on."""
        if cell != self._cell:
            self._cell = cell
            self.setAccessibleName(cell.text)
            self.setToolTip(plain_tip(cell.text))
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Name, value and limit, and how far it is on the way there."""
        del event
        cell = self._cell
        if cell is None:
            return
        palette = self._appearance.palette
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        left = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        wide = float(self.width())
        painter.setFont(ui_font(tokens.TYPE_SMALL))
        painter.setPen(QColor(palette.quiet))
        painter.drawText(QRectF(0, 0, wide, 17), left, cell.name)
        painter.setPen(QColor(palette.text))
        painter.drawText(QRectF(0, 17, wide, 18), left, cell.now)
        taken = QFontMetricsF(painter.font()).horizontalAdvance(f"{cell.now}  ")
        painter.setPen(QColor(palette.quiet))
        painter.drawText(QRectF(taken, 17, wide - taken, 18), left, cell.limit)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(palette.line))
        painter.drawRoundedRect(QRectF(0, 40, wide, BAR), BAR / 2, BAR / 2)
        if cell.tone != "quiet":
            painter.setBrush(QColor(getattr(palette, cell.tone)))
            reach = max(BAR, wide * cell.share)
            painter.drawRoundedRect(QRectF(0, 40, reach, BAR), BAR / 2, BAR / 2)
        painter.end()


class GuardStrip(QWidget):
    """All that a guard looks at, beside each other."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self._cells: list[_Cell] = []
        self._flow = FlowLayout(space=tokens.SPACE_L)
        self.setLayout(self._flow)
        self.setAccessibleName(tr("What the guard looks at"))

    @property
    def shown(self) -> list[GuardCell]:
        """What it shows."""
        cells = (each.cell for each in self._cells if not each.isHidden())
        return [each for each in cells if each is not None]

    def show_cells(self, cells: Sequence[GuardCell]) -> None:
        """Show these; none hides it."""
        self.setVisible(bool(cells))
        while len(self._cells) < len(cells):
            made = _Cell(self._appearance)
            self._cells.append(made)
            self._flow.addWidget(made)
        for at, each in enumerate(self._cells):
            each.setVisible(at < len(cells))
            if at < len(cells):
                each.display(cells[at])

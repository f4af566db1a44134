"""Beside the curves: their figures at the cursor, all points as rows, and the run's conditions."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRect, Qt, Signal
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QLabel,
    QScrollArea,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from app.controllers.run import Run
from app.presenters.charts.curves import Picture
from app.presenters.charts.readout import ReadoutModel, position_title
from app.runtime.translation import tr, tr_n
from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.charts.curves.point_list import PointList
from app.views.charts.curves.run_facts import RunConditions, RunFacts
from app.views.charts.swatches import SwatchDelegate
from app.views.widgets.buttons import Fold, Segments
from app.views.widgets.labels import label
from app.views.widgets.layouts import Pile, column

ROW_HEIGHT, FURTHER_LINE = 30, 14
NAME_ASIDE = 78
"""What a name shares its column with: box, swatch and margins."""

RATE, P95, P99 = 1, 2, 3
MOST_REMARKS = 6


class ReadoutPanel(QWidget):
    """The right half of the curves.

    Signals: ``hidden_changed()`` when a curve was shown or hidden; ``lit(Point | None)`` for a
    chosen row of the points, ``opened(Point)`` when one shall be looked into.
    """

    hidden_changed = Signal()
    lit = Signal(object)
    opened = Signal(object)

    def __init__(self, appearance: Appearance, *, compact: bool) -> None:
        """``compact`` shows the table alone."""
        super().__init__()
        self._picture: Picture | None = None
        self._compact = compact
        self._shown_remarks: object = None
        self.model = ReadoutModel(self)
        self.model.hidden_changed.connect(self.hidden_changed)
        self.position = label("", "heading")
        self.table = self._table(appearance)
        self.table.installEventFilter(self)
        self.points = PointList(appearance)
        self.points.lit.connect(self.lit)
        self.points.opened.connect(self.opened)
        self.tabs = Segments((("cursor", tr("Readout")), ("points", tr("Points"))))
        self.tabs.picked.connect(self._turn)
        self.findings = RunConditions(appearance)
        self._conditions = RunFacts(appearance)
        if compact:
            self.tabs.hide()
            self._conditions.hide()
        about = QWidget()
        self._doubts, self._ends = column(space=tokens.SPACE_XS), column(space=tokens.SPACE_XS)
        about.setLayout(self._ends)
        self.about_points = Fold(appearance, about)
        self._lines: dict[QVBoxLayout, list[QLabel]] = {self._doubts: [], self._ends: []}
        self._stack = Pile()
        self._stack.addWidget(self._reading())
        self._stack.addWidget(self.points)
        self.setMinimumWidth(240)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(tokens.SPACE_S)
        layout.addWidget(self.tabs)
        layout.addWidget(self._stack, 1)

    def _reading(self) -> QWidget:
        body = QWidget()
        body.setObjectName("pageBody")
        below = QVBoxLayout(body)
        below.setContentsMargins(0, 0, 0, 0)
        below.setSpacing(tokens.SPACE_S)
        # The table is the only key of the curves: what is said of the whole run follows it.
        below.addWidget(self.position)
        below.addWidget(self.table)
        below.addWidget(self.findings)
        below.addLayout(self._doubts)
        below.addWidget(self.about_points)
        below.addWidget(self._conditions)
        below.addStretch(1)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidget(body)
        return scroll

    def _table(self, appearance: Appearance) -> QTableView:
        table = QTableView()
        table.setModel(self.model)
        # For the names alone: it is Python, and every cell is asked for its size again and again.
        table.setItemDelegateForColumn(0, SwatchDelegate(appearance, table))
        table.setAccessibleName(tr("Figures of all curves at the cursor"))
        table.setShowGrid(False)
        table.verticalHeader().hide()
        table.verticalHeader().setDefaultSectionSize(ROW_HEIGHT)
        table.setTabKeyNavigation(False)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        header = table.horizontalHeader()
        # Set with the texts: left to itself the header asks every cell, again and again.
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setHighlightSections(False)
        return table

    def show_picture(self, picture: Picture | None, position: float | None) -> None:
        """List the curves of a picture, at the cursor."""
        if picture is self._picture and position == self.model.position:
            return
        self._picture = picture
        self.model.show_picture(picture)
        if self._stack.currentWidget() is self.points:
            self.points.show_picture(picture)
        self._tell(position)
        self._make_room()

    def _make_room(self) -> None:
        """Names are the legend: p99 gives way to them, and a long one takes further lines."""
        metrics, table = self.table.fontMetrics(), self.table
        names = self.model.column(0)
        longest = max(map(metrics.horizontalAdvance, names), default=0)
        rates, p95s, p99s = self._fit_figures()
        room = table.width() - rates - p95s - NAME_ASIDE
        table.setColumnHidden(P99, longest > room - p99s)
        left = room - (0 if table.isColumnHidden(P99) else p99s)
        lines = (_lines(name, left, metrics) for name in names)
        heights = [ROW_HEIGHT + FURTHER_LINE * (number - 1) for number in lines]
        for at, height in enumerate(heights):
            if table.rowHeight(at) != height:
                table.setRowHeight(at, height)
        header = table.horizontalHeader().sizeHint().height()
        table.setFixedHeight(header + sum(heights) + 3 if heights else header)

    def _fit_figures(self) -> list[int]:
        """Give each column of figures the width of its widest text, and tell these widths."""
        table, found = self.table, []
        metrics, header = table.fontMetrics(), table.horizontalHeader()
        for at in (RATE, P95, P99):
            widths = [metrics.horizontalAdvance(text) for text in self.model.column(at)]
            wanted = header.sectionSizeHint(at)
            if widths:
                widest = self.model.index(widths.index(max(widths)), at)
                wanted = max(wanted, table.sizeHintForIndex(widest).width())
            table.setColumnWidth(at, wanted)
            found.append(wanted)
        return found

    @property
    def wanted_height(self) -> int:
        """What a compact one needs to show all its rows."""
        return self.position.sizeHint().height() + tokens.SPACE_S + self.table.height()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Another width of the table has other room for names, wherever it comes from."""
        if (
            watched is self.table
            and isinstance(event, QResizeEvent)
            and event.size().width() != event.oldSize().width()
        ):
            self._make_room()
        return False

    def show_position(self, position: float | None) -> None:
        """Give the figures at a position; None gives each curve's peak."""
        self._tell(position)
        self._fit_figures()

    def _tell(self, position: float | None) -> None:
        self.model.show_position(position)
        self.position.setText(position_title(self._picture, position))
        self.position.setVisible(bool(self.position.text()))
        if not self._compact:
            self._remark()

    def _remark(self) -> None:
        """Why the points in the table are doubted, and on demand what ended and limited them.

        Redrawn only when it differs.
        """
        doubts, ends = self.model.doubts, self.model.ends
        if (doubts, ends) == self._shown_remarks:
            return
        self._shown_remarks = (doubts, ends)
        self._write(self._doubts, doubts)
        self._write(self._ends, ends)
        self.about_points.name(tr("How these points ended") if ends else "")

    def _write(self, lines: QVBoxLayout, found: list[tuple[str, str]]) -> None:
        texts = [f"{name}: {remarks}" for name, remarks in found[:MOST_REMARKS]]
        if len(found) > MOST_REMARKS:
            more = len(found) - MOST_REMARKS
            texts.append(tr_n("1 more under Points.", "{n} more under Points.", more))
        # Labels are used again: new ones would flicker with every point.
        made = self._lines[lines]
        while len(made) < len(texts):
            line = label("", "small", wrap=True, select=True)
            made.append(line)
            lines.addWidget(line)
        for at, line in enumerate(made):
            line.setText(texts[at] if at < len(texts) else "")
            line.setVisible(at < len(texts))

    def show_run(self, run: Run) -> None:
        """Show under which conditions the run was made, and what its points say together."""
        if not self._compact:
            self._conditions.show_run(run)
            self.show_findings(run)

    def show_findings(self, run: Run) -> None:
        """Show what the points of the run say together."""
        self.findings.show_run(run)

    def _turn(self, key: str) -> None:
        self._stack.setCurrentIndex(0 if key == "cursor" else 1)
        if key != "cursor":
            self.points.show_picture(self._picture)


def _lines(name: str, room: int, metrics: QFontMetrics) -> int:
    """How many lines a name takes in so much room."""
    within = QRect(0, 0, max(room, 1), metrics.height())
    wrapped = metrics.boundingRect(within, int(Qt.TextFlag.TextWordWrap), name)
    return max(1, round(wrapped.height() / metrics.lineSpacing()))

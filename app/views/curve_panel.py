"""Curves with all that belongs to them: choice of probe, readout, list of points, export."""

from __future__ import annotations

from datetime import datetime
from functools import lru_cache

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QMenu,
    QSplitter,
    QStackedWidget,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from app.models.conditions import caption
from app.models.curves import Picture, pictures
from app.models.readout import SERIES_ROLE, ReadoutModel, position_title
from app.models.run import Run
from app.models.scene import Options
from app.preferences import Preferences
from app.theme import tokens
from app.theme.appearance import Appearance
from app.theme.tokens import Palette
from app.views.curve_chart import CurveChart
from app.views.curves_item import swatch
from app.views.export import ExportMenu
from app.views.parts import Button, Segments, label, row
from app.views.point_list import PointList
from app.views.run_facts import RunFacts
from probes.points import Point

SWATCH = QSize(26, 12)
SIDE_WIDTH = 344
COMPACT_HEIGHT = 130
ROW_HEIGHT = 30

Index = QModelIndex | QPersistentModelIndex


class SwatchDelegate(QStyledItemDelegate):
    """Puts a curve's line and marker between its check box and its name."""

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent)
        self._appearance, self._view = appearance, parent

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        """Give the first column its swatch."""
        super().initStyleOption(option, index)
        series = index.data(SERIES_ROLE)
        if series is not None and index.column() == 0:
            option.features |= QStyleOptionViewItem.ViewItemFeature.HasDecoration
            ratio = self._view.devicePixelRatioF()
            option.icon = _swatch(series, self._appearance.palette, ratio)
            option.decorationSize = SWATCH


@lru_cache(maxsize=64)
def _swatch(series: int, palette: Palette, ratio: float) -> QIcon:
    image = QPixmap(SWATCH * ratio)
    image.setDevicePixelRatio(ratio)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    swatch(painter, QRectF(0, 0, SWATCH.width(), SWATCH.height()), series, palette)
    painter.end()
    return QIcon(image)


class CurvePanel(QWidget):
    """Shows the curves of a run.

    Signals: ``failed(LeadlineError)`` when a chart could not be saved.
    """

    failed = Signal(object)

    def __init__(
        self, appearance: Appearance, preferences: Preferences, *, name: str, compact: bool = False
    ) -> None:
        """``name`` is under which sizes are remembered; ``compact`` shows the chart alone."""
        super().__init__()
        self._appearance, self._preferences, self._name = appearance, preferences, name
        self._pictures: list[Picture] = []
        self._run: Run | None = None
        self._marked: frozenset[int] = frozenset()
        self._followed = True
        self._build(compact)

    def _build(self, compact: bool) -> None:
        self.segments = Segments()
        self.segments.picked.connect(self._picked)
        self.chart = CurveChart(self._appearance)
        self.chart.cursor_moved.connect(self._cursor_moved)
        self._export = ExportMenu(self.chart, self.failed.emit, self)
        self.export_button = Button(
            self._appearance, "Export", "download", "quiet", "Save this chart (Ctrl+E)"
        )
        self.export_button.setMenu(self._export)
        self._options_button = Button(
            self._appearance, "Display", "sliders-horizontal", "quiet", "Choose axes and points"
        )
        self._options_button.setMenu(self._options_menu())
        self.readout = ReadoutModel(self)
        self.readout.hidden_changed.connect(self._draw)
        self._splitter = QSplitter(
            Qt.Orientation.Vertical if compact else Qt.Orientation.Horizontal
        )
        self._splitter.setHandleWidth(tokens.SPACE_L)
        self._splitter.addWidget(self.chart)
        self._splitter.addWidget(self._side(compact))
        self._splitter.setStretchFactor(0, 1)
        self._splitter.setCollapsible(0, False)
        self._splitter.setSizes([1000, COMPACT_HEIGHT if compact else SIDE_WIDTH])
        state = self._preferences.state(f"{self._name}/splitter")
        if state is not None:
            self._splitter.restoreState(state)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(tokens.SPACE_M)
        layout.addLayout(row(self.segments, None, self._options_button, self.export_button))
        self._options_button.setVisible(not compact)
        layout.addWidget(self._splitter, 1)

    def _side(self, compact: bool) -> QWidget:
        self._position = label("", "heading")
        self._table = QTableView()
        self._table.setModel(self.readout)
        self._table.setItemDelegate(SwatchDelegate(self._appearance, self._table))
        self._table.setAccessibleName("Figures of all curves at the cursor")
        self._table.setShowGrid(False)
        self._table.setWordWrap(False)
        self._table.verticalHeader().hide()
        self._table.verticalHeader().setDefaultSectionSize(ROW_HEIGHT)
        self._table.setTabKeyNavigation(False)
        self._table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self._table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        header = self._table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setHighlightSections(False)
        self.points = PointList(self._appearance)
        self.points.lit.connect(self._light)
        self._side_tabs = Segments((("cursor", "Readout"), ("points", "Points")))
        self._side_stack = QStackedWidget()
        cursor = QWidget()
        below = QVBoxLayout(cursor)
        below.setContentsMargins(0, 0, 0, 0)
        below.setSpacing(tokens.SPACE_S)
        below.addWidget(self._position)
        below.addWidget(self._table)
        self._conditions = RunFacts(self._appearance)
        below.addWidget(self._conditions)
        below.addStretch(1)
        self._conditions.setVisible(not compact)
        self._side_stack.addWidget(cursor)
        self._side_stack.addWidget(self.points)
        self._side_tabs.picked.connect(self._turn_side)
        side = QWidget()
        side.setMinimumWidth(240)
        layout = QVBoxLayout(side)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(tokens.SPACE_S)
        layout.addWidget(self._side_tabs)
        layout.addWidget(self._side_stack, 1)
        self._side_tabs.setVisible(not compact)
        return side

    def _options_menu(self) -> QMenu:
        menu = QMenu(self)
        self._switches = {}
        for name, text, default in (
            ("log_latency", "&Logarithmic latency", True),
            ("log_rate", "Logarithmic &rate", False),
            ("show_rejected", "Show rejected &points", False),
        ):
            action = menu.addAction(text)
            action.setCheckable(True)
            action.setChecked(self._preferences.switch(f"charts/{name}", default))
            action.toggled.connect(self._switched)
            self._switches[name] = action
        return menu

    def _switched(self) -> None:
        for name, action in self._switches.items():
            self._preferences.set_switch(f"charts/{name}", action.isChecked())
        self._draw()

    def show_run(self, run: Run | None, marked: frozenset[int] = frozenset()) -> None:
        """Draw a run as it is now.

        ``marked`` are ids of points to ring; then only pictures that have one of them are offered.
        """
        if run is not self._run or marked != self._marked:
            self._followed = True
        self._run, self._marked = run, marked
        self._pictures = pictures(run.points, run.coming) if run is not None else []
        if marked:
            self._pictures = [
                one for one in self._pictures if marked & {point.id for point in one.points}
            ]
        self.segments.offer([(one.probe.value, one.title) for one in self._pictures])
        for one in self._pictures:
            growing = run is not None and run.growing is not None
            alive = growing and run.growing.setting.probe is one.probe  # type: ignore[union-attr]
            self.segments.button(one.probe.value).setEnabled(bool(one.series) or alive)
        if self._followed:
            self._follow()
        if run is not None:
            self._conditions.show_run(run)
            self._export.caption = caption(run, datetime.now().astimezone())
        self._draw()

    def _follow(self) -> None:
        """While the user has chosen nothing, show what is being measured."""
        run = self._run
        if run is None:
            return
        if run.growing is not None:
            self.segments.pick(run.growing.setting.probe.value)
        elif not run.running and self._pictures:
            first = next((one for one in self._pictures if one.series), self._pictures[0])
            self.segments.pick(first.probe.value)
            self._followed = False

    def _picked(self, _key: str) -> None:
        self._followed = False
        self.chart.point_cursor(None)
        self._draw()

    @property
    def picture(self) -> Picture | None:
        """What the chart shows."""
        key = self.segments.key
        return next((one for one in self._pictures if one.probe.value == key), None)

    def _draw(self) -> None:
        picture = self.picture
        growing = self._run.growing if self._run is not None else None
        options = Options(
            log_rate=self._switches["log_rate"].isChecked(),
            log_latency=self._switches["log_latency"].isChecked(),
            show_rejected=self._switches["show_rejected"].isChecked(),
            hidden=self.readout.hidden,
            marked=self._marked,
        )
        self.readout.show_picture(picture)
        self._table.setFixedHeight(self._table_height())
        if self._side_stack.currentWidget() is self.points:
            self.points.show_picture(picture)
        self.chart.show_picture(picture, growing, options)
        self.export_button.setEnabled(picture is not None and bool(picture.series))
        self._position.setText(position_title(picture, self.chart.position))

    def _turn_side(self, key: str) -> None:
        self._side_stack.setCurrentIndex(0 if key == "cursor" else 1)
        self._draw()

    def _table_height(self) -> int:
        """As high as its rows need."""
        rows = max(1, self.readout.rowCount())
        return self._table.horizontalHeader().sizeHint().height() + rows * ROW_HEIGHT + 3

    def _cursor_moved(self, position: float | None) -> None:
        self.readout.show_position(position)
        self._position.setText(position_title(self.picture, position))

    def _light(self, point: Point | None) -> None:
        self.chart.ring_point(point)

    def export(self) -> None:
        """Open the export menu, for the keyboard."""
        if self.export_button.isEnabled():
            self.export_button.showMenu()

    def save_state(self) -> None:
        """Remember the splitter."""
        self._preferences.set_state(f"{self._name}/splitter", self._splitter.saveState())

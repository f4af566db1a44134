"""The left half of the curves: chart with its strip, latency map, or one point over time."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from advisor.run import RunKind
from app.controllers.run import Growing, Run
from app.presenters.charts.curves import Picture, Series
from app.presenters.charts.lanes import NOTHING, under_curves
from app.presenters.charts.scene import SceneOptions
from app.presenters.charts.timeline import MOST_SPOTS, course
from app.runtime.translation import tr
from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.charts.curves.curve_chart import CurveChart
from app.views.charts.lanes.lanes import LanesView
from app.views.charts.lanes.point_timeline import PointTimeline
from app.views.charts.latency_map import LatencyMapView
from app.views.widgets.buttons import Segments
from app.views.widgets.layouts import Pile, row
from app.views.widgets.picker import Picker
from probes.points import Point, Probe

STRIP_HEIGHT = 104
LEAST_FOR_STRIP = 440
"""Below this height the curves need all the room."""

CURVES, MAP = "curves", "map"


class CurvePane(QWidget):
    """Signals: ``looked_closer()`` when another view was chosen or a point was opened or left."""

    looked_closer = Signal()

    def __init__(
        self, appearance: Appearance, chart: CurveChart, aspects: Picker, *, compact: bool
    ) -> None:
        super().__init__()
        self._picture: Picture | None = None
        self._run: Run | None = None
        self._wants_strip = False
        self._coursed = 0
        self._stripped: tuple[Picture | None, object] = (None, None)
        self.chart = chart
        self.strip = LanesView(appearance, compact=True)
        self.strip.setFixedHeight(STRIP_HEIGHT)
        self.strip.setAccessibleName(tr("Device and processors"))
        self.strip.hide()
        self.map = LatencyMapView(appearance)
        self.course = LanesView(appearance)
        self.course.setAccessibleName(tr("Course of the point that is being measured"))
        self.point = PointTimeline(appearance)
        self.modes = Segments(((CURVES, tr("Curves")), (MAP, tr("Latency map"))))
        self.modes.picked.connect(self._mode_picked)
        self.curves = Picker(tr("Curve"))
        self.curves.picked.connect(lambda _key: self.looked_closer.emit())
        self.curves.hide()
        self._build(aspects, compact=compact)
        self.chart.cursor_moved.connect(self.strip.point_cursor)
        self.strip.cursor_moved.connect(self.chart.point_cursor)
        if not compact:
            self.chart.point_chosen.connect(self.open_point)
        self.map.point_chosen.connect(self.open_point)
        self.point.closed.connect(self.close_point)
        self.point.stepped.connect(self.open_point)

    def _build(self, aspects: Picker, *, compact: bool) -> None:
        drawn = QWidget()
        below = QVBoxLayout(drawn)
        below.setContentsMargins(0, 0, 0, 0)
        below.setSpacing(tokens.SPACE_S)
        below.addWidget(self.chart, 1)
        below.addWidget(self.strip)
        self._views = Pile()
        self._views.addWidget(drawn)
        self._views.addWidget(self.map)
        self._views.addWidget(self.course)
        overview = QWidget()
        column = QVBoxLayout(overview)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(tokens.SPACE_S)
        line = row(self.modes, aspects, self.curves)
        line.setStretch(1, 1)
        line.setStretch(2, 1)
        if not compact:
            line.addStretch(0)
        column.addLayout(line)
        column.addWidget(self._views, 1)
        self.modes.setVisible(not compact)
        self._stack = Pile()
        self._stack.addWidget(overview)
        self._stack.addWidget(self.point)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._stack)

    def show_picture(
        self,
        picture: Picture | None,
        run: Run | None,
        options: SceneOptions,
        *,
        host: bool,
    ) -> None:
        """Draw a picture of a run; ``host`` draws the strip, where anything is known for it."""
        self._picture, self._run = picture, run
        self._show_chart(picture, run.growing if run is not None else None, options)
        self._show_strip(picture, run, options, host=host)
        self._show_map(picture, run)
        self._show_course(picture, run)
        opened = self.point.point
        if self._stack.currentIndex() == 1 and opened is not None and picture and run is not None:
            self.point.show_point(opened, picture, run)

    def _show_chart(
        self, picture: Picture | None, growing: Growing | None, options: SceneOptions
    ) -> None:
        """Redraw the curves only where something about them has changed."""
        chart = self.chart
        same = picture is chart.picture and options == chart.options
        if not same or growing is not None or chart.growing is not None:
            chart.show_picture(picture, growing, options)

    def _show_strip(
        self, picture: Picture | None, run: Run | None, options: SceneOptions, *, host: bool
    ) -> None:
        """Redraw the strip only where something about it has changed."""
        known = run.details.samples if run is not None else None
        wanted = (host, len(known or ()), options.hidden)
        if picture is self._stripped[0] and wanted == self._stripped[1]:
            return
        self._stripped = (picture, wanted)
        sheet = NOTHING
        if host and picture is not None and known:
            sheet = under_curves(picture, known, options.hidden)
        self.strip.show_sheet(sheet)
        # Its place is kept meanwhile: the curves would be drawn twice, without it and with it.
        self._wants_strip = bool(sheet.lanes) or (host and self._fetched(run))
        self._fit()

    @staticmethod
    def _fetched(run: Run | None) -> bool:
        """Whether what was seen beside the points is on its way from the store."""
        if run is None or run.running or run.run_id is None:
            return False
        return run.details.samples is None and run.kind is not RunKind.IMPORT

    def _show_map(self, picture: Picture | None, run: Run | None) -> None:
        mapped = self.modes.key == MAP
        series = picture.listed if picture is not None else ()
        self.curves.setVisible(mapped and len(series) > 1)
        if mapped:
            self.curves.offer([(str(one.index), one.name) for one in series])
            self.map.show_series(picture, self._mapped, run)

    def _show_course(self, picture: Picture | None, run: Run | None) -> None:
        """A steady write that goes on is shown over time: it is a single point for minutes."""
        growing = run.growing if run is not None else None
        long = picture is not None and picture.probe is Probe.STEADY_WRITE
        if picture is None or not long or growing is None or not growing.samples:
            self._views.setCurrentIndex(1 if self.modes.key == MAP else 0)
            return
        self._views.setCurrentIndex(2)
        number = len(growing.samples)
        if number < self._coursed or number - self._coursed > number // MOST_SPOTS:
            self._coursed = number
            index = picture.index_of(growing.setting) or 0
            self.course.show_sheet(course(growing.setting, growing.samples, index))

    @property
    def _mapped(self) -> Series | None:
        """The curve whose latencies are mapped."""
        series = self._picture.series if self._picture is not None else ()
        return next((one for one in series if str(one.index) == self.curves.key), None)

    @property
    def wanted_heat(self) -> list[Point]:
        """The points whose histograms are looked at now."""
        mapped = self._mapped
        return list(mapped.line) if self.modes.key == MAP and mapped is not None else []

    @property
    def opened(self) -> Point | None:
        """The point that is shown over time."""
        return self.point.point if self._stack.currentIndex() == 1 else None

    def _mode_picked(self, key: str) -> None:
        self._views.setCurrentIndex(1 if key == MAP else 0)
        self.looked_closer.emit()

    def open_point(self, point: Point) -> None:
        """Show a point over time."""
        if self._picture is None or self._run is None:
            return
        self.point.show_point(point, self._picture, self._run)
        self._stack.setCurrentIndex(1)
        self.point.lanes.setFocus()

    def close_point(self) -> None:
        """Back to the curves."""
        if self._stack.currentIndex() == 1:
            self._stack.setCurrentIndex(0)
            self.chart.setFocus()

    def _fit(self) -> None:
        room = self._views.height() >= LEAST_FOR_STRIP
        self.strip.setVisible(self._wants_strip and room)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the strip only where the curves have room enough."""
        super().resizeEvent(event)
        self._fit()

"""Curves with all that belongs to them: choice of probe, readout, one point's samples, export."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QMenu, QSplitter, QVBoxLayout, QWidget

from app.controllers.point_details import PointDetails
from app.controllers.run import Run, is_same
from app.presenters.charts.conditions import caption
from app.presenters.charts.curves import Gallery, Picture
from app.presenters.charts.operating_point import operating_point
from app.presenters.charts.scene import SceneOptions
from app.runtime.preferences import Preferences
from app.runtime.time_slices import TURN, TimeSlices
from app.runtime.translation import tr
from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.charts.curves.curve_chart import CurveChart
from app.views.charts.curves.curve_key import CurveKey
from app.views.charts.curves.curve_pane import CurvePane
from app.views.charts.curves.readout_panel import ReadoutPanel
from app.views.charts.export import ExportMenu
from app.views.widgets.buttons import Button
from app.views.widgets.layouts import row
from app.views.widgets.picker import Picker
from probes.errors import LeadlineError
from probes.points import Point, Probe

SIDE_WIDTH = 364
COMPACT_HEIGHT = 130
LEAST_PANE = 440
"""Below this height the figures under a chart take no more from it, and scroll."""

SWITCHES = (
    ("log_latency", "&Logarithmic latency", True),
    ("log_rate", "Logarithmic &rate", False),
    ("show_rejected", "Show rejected &points", False),
    ("show_host", "Show &device and processors", True),
)


class CurvePanel(QWidget):
    """Shows the curves of a run.

    Signals: ``saved(Path)``, and ``failed(LeadlineError)`` when a chart could not be saved.
    """

    saved = Signal(Path)
    failed = Signal(LeadlineError)

    def __init__(
        self,
        appearance: Appearance,
        preferences: Preferences,
        chart: CurveChart,
        *,
        name: str,
        point_details: PointDetails | None = None,
    ) -> None:
        """``name`` is under which sizes are remembered.

        Without ``evidence`` the panel is compact: the chart and its figures alone.
        """
        super().__init__()
        self._appearance, self._preferences, self._name = appearance, preferences, name
        self._point_details = point_details
        self._gallery = Gallery()
        self._pictures: list[Picture] = []
        self._run: Run | None = None
        self._marked: frozenset[int] = frozenset()
        self._followed = self._asides = True
        self._compact = point_details is None
        self._dragged = False
        self._sorted: tuple[object, ...] | None = None
        self._sorted_points: Sequence[Point] = ()
        self._turns = TimeSlices(self)
        self._build(chart, compact=self._compact)
        if point_details is not None:
            point_details.arrived.connect(self._arrived)

    def _build(self, chart: CurveChart, *, compact: bool) -> None:
        self.probes = Picker(tr("Probe"))
        self.probes.picked.connect(self._picked)
        self.aspects = Picker(tr("Axis or part"))
        self.aspects.picked.connect(self._aspect_picked)
        self.pane = CurvePane(self._appearance, chart, self.aspects, compact=compact)
        self.chart = chart
        self.chart.cursor_moved.connect(self._cursor_moved)
        self.pane.looked_closer.connect(self._draw)
        self._export = ExportMenu(self.chart, self.failed.emit, self)
        self._export.saved.connect(self.saved)
        self.export_button = Button(
            self._appearance, tr("Export"), "download", "quiet", tr("Save this chart (Ctrl+E)")
        )
        self.export_button.setMenu(self._export)
        self._options_button = Button(
            self._appearance,
            tr("Display"),
            "sliders-horizontal",
            "quiet",
            tr("Choose axes and points"),
        )
        self._options_button.setMenu(self._options_menu())
        if compact:
            self._options_button.hide()
        self.side = ReadoutPanel(self._appearance, compact=compact)
        self.side.hidden_changed.connect(self._draw)
        self.side.lit.connect(self.chart.ring_point)
        self.side.opened.connect(self.open_point)
        self._splitter = QSplitter(
            Qt.Orientation.Vertical if compact else Qt.Orientation.Horizontal
        )
        self._splitter.setHandleWidth(tokens.SPACE_L)
        self._splitter.addWidget(self.pane)
        self._splitter.addWidget(self.side)
        self._splitter.setStretchFactor(0, 1)
        self._splitter.setCollapsible(0, False)
        self._splitter.setSizes([1000, COMPACT_HEIGHT if compact else SIDE_WIDTH])
        self._splitter.splitterMoved.connect(self._drag)
        state = self._preferences.state(f"{self._name}/splitter")
        if state is not None:
            self._splitter.restoreState(state)
            self._dragged = True
        self.key = CurveKey(self._appearance)
        self.key.hide()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(tokens.SPACE_M)
        line = row(self.probes, self._options_button, self.export_button)
        line.setStretch(0, 1)
        self._above = QWidget()
        self._above.setLayout(line)
        layout.addWidget(self._above)
        layout.addWidget(self._splitter, 1)
        layout.addWidget(self.key)

    def show_aside(self, shown: bool) -> None:
        """Show what is beside the chart, or the chart with the choice of its probe and its key."""
        self._asides = shown
        self.side.setVisible(shown)
        self.key.setVisible(not shown)
        self._fit_above()

    def _fit_above(self) -> None:
        self._above.setVisible(self._asides or len(self._firsts) > 1)

    def key_height(self, width: int) -> int:
        """What the key takes of the panel's height, with the room above it; 0 without a key."""
        return 0 if self._asides else self.key.heightForWidth(width) + tokens.SPACE_M

    def _fit_side(self) -> None:
        """Give the figures under a chart the rows that they need, where the chart can spare it."""
        if not self._compact or self._dragged or not self._asides:
            return
        height = self._splitter.height() - self._splitter.handleWidth()
        side = min(self.side.wanted_height, max(COMPACT_HEIGHT, height - LEAST_PANE))
        self._splitter.setSizes([height - side, side])

    def _drag(self) -> None:
        self._dragged = True

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Divide another height."""
        super().resizeEvent(event)
        self._fit_side()

    def _options_menu(self) -> QMenu:
        menu = QMenu(self)
        self.switches = {}
        for name, text, default in SWITCHES:
            action = menu.addAction(text)
            action.setCheckable(True)
            action.setChecked(self._preferences.switch(f"charts/{name}", default))
            action.toggled.connect(self._switched)
            self.switches[name] = action
        return menu

    def _switched(self) -> None:
        for name, action in self.switches.items():
            self._preferences.set_switch(f"charts/{name}", action.isChecked())
        self._draw()

    def show_run(self, run: Run | None, marked: frozenset[int] = frozenset()) -> None:
        """Draw a run as it is now.

        ``marked`` are ids of points to ring; then only pictures that have one of them are offered.
        """
        another = not is_same(run, self._run)
        if another or marked != self._marked:
            self._followed = True
            self.pane.close_point()
        self._run, self._marked = run, marked
        self._sort()
        self._offer()
        if self._followed:
            self._follow()
        if run is not None:
            self.side.show_run(run)
            self._export.caption = lambda: caption(run, datetime.now().astimezone())
        self._draw()
        if another:
            self._turns.begin(self._draw_in_turns(run))
        elif not self._turns.busy:
            self._want_details(run)

    def _draw_in_turns(self, run: Run | None) -> Iterator[object]:
        """A plot, the other with the figures, then what is read of the points: a turn for each.

        Together they take longer than a frame, and the figures are laid out in several steps: held
        so long, they are painted once.
        """
        self.chart.hold_latency(True)
        self.side.setUpdatesEnabled(False)
        yield TURN
        self.chart.hold_latency(False)
        self.side.setUpdatesEnabled(True)
        yield TURN
        self._want_details(run)

    def forget_run(self) -> None:
        """Show the next run as one that is new here, whichever it is."""
        self._run = None

    @property
    def drawing(self) -> bool:
        """Whether more of a run is drawn in turns to come."""
        return self._turns.busy

    def _want_details(self, run: Run | None) -> None:
        if self._point_details is not None and run is not None:
            self._point_details.want_samples(run)

    def _sort(self) -> None:
        """Sort the points into pictures, unless that was done: most events bring no new point."""
        run, marked = self._run, self._marked
        if run is None:
            self._sorted, self._pictures = None, []
            return
        state = (run.running, run.plan, marked)
        # Points are compared by whether they are the same ones: there are many.
        if run.points is self._sorted_points and state == self._sorted:
            return
        self._sorted_points, self._sorted = run.points, state
        found = self._gallery.pictures(run.points, run.coming, over=not run.running)
        self._pictures = [
            one for one in found if not marked or marked & {point.id for point in one.points}
        ]

    def _offer(self) -> None:
        """The probes that there are; those that have no point yet can't be chosen."""
        self.probes.offer([(one.probe.value, one.title.partition(":")[0]) for one in self._firsts])
        growing = self._run.growing if self._run is not None else None
        alive = {one.probe for one in self._pictures if one.series}
        if growing is not None:
            alive.add(growing.setting.probe)
        self._fit_above()
        for one in self._firsts:
            self.probes.enable(one.probe.value, one.probe in alive)

    @property
    def _firsts(self) -> list[Picture]:
        """The first picture of each probe."""
        found: dict[Probe, Picture] = {}
        for one in self._pictures:
            found.setdefault(one.probe, one)
        return list(found.values())

    def _follow(self) -> None:
        """While the user has chosen nothing, show what is being measured."""
        run = self._run
        if run is None:
            return
        if run.growing is not None:
            setting = run.growing.setting
            self.probes.pick(setting.probe.value)
            self._offer_aspects()
            held = next((one for one in self._pictures if one.holds(setting)), None)
            if held is not None and not self.picture_holds(run):
                self.aspects.pick(held.key)
        elif not run.running and self._pictures:
            first = next((one for one in self._pictures if one.series), self._pictures[0])
            self.probes.pick(first.probe.value)
            self._followed = False

    def picture_holds(self, run: Run) -> bool:
        """Whether the growing point belongs into what is shown."""
        picture, growing = self.picture, run.growing
        return picture is not None and growing is not None and picture.holds(growing.setting)

    def _picked(self, _key: str) -> None:
        self._followed = False
        self.pane.close_point()
        self.chart.point_cursor(None)
        self._draw()
        self._open_lone()

    def _aspect_picked(self, _key: str) -> None:
        self._followed = False
        self.chart.point_cursor(None)
        self._draw()

    def _open_lone(self) -> None:
        """A steady write is a story over time: its points say little beside each other."""
        picture = self.picture
        if picture is not None and picture.probe is Probe.STEADY_WRITE and picture.points:
            self.open_point(picture.points[-1])

    def open_point(self, point: Point) -> None:
        """Show the samples of a point."""
        self.pane.open_point(point)

    @property
    def picture(self) -> Picture | None:
        """What the chart shows."""
        own = [one for one in self._pictures if one.probe.value == self.probes.key]
        chosen = self.aspects.key
        return next((one for one in own if one.key == chosen), own[0] if own else None)

    def _offer_aspects(self) -> None:
        own = [one for one in self._pictures if one.probe.value == self.probes.key]
        self.aspects.offer([(one.key, one.aspect) for one in own])
        self.aspects.setVisible(len(own) > 1)

    def _draw(self) -> None:
        self._offer_aspects()
        picture, run = self.picture, self._run
        on = {name: action.isChecked() for name, action in self.switches.items()}
        options = SceneOptions(
            log_rate=on["log_rate"],
            log_latency=on["log_latency"],
            show_rejected=on["show_rejected"],
            hidden=self.side.model.hidden,
            marked=self._marked,
            working=None if run is None else operating_point(run.inventory),
        )
        self.side.show_picture(picture, self.chart.position)
        self.key.show_series(picture.series if picture is not None else ())
        self._fit_side()
        host = on["show_host"] and self._point_details is not None
        self.pane.show_picture(picture, run, options, host=host)
        if self._point_details is not None and run is not None:
            wanted = self.pane.wanted_heat
            if wanted:
                self._point_details.want_heat(run, wanted)
        self.export_button.setEnabled(picture is not None and bool(picture.series))

    def _arrived(self, run: Run) -> None:
        if is_same(run, self._run) and self.isVisible():
            self._draw()

    def _cursor_moved(self, position: float | None) -> None:
        self.side.show_position(position)

    def export(self) -> None:
        """Open the export menu, for the keyboard."""
        if self.isVisible() and self.export_button.isEnabled():
            self.export_button.showMenu()

    def save_state(self) -> None:
        """Remember the splitter; a compact one where somebody moved it."""
        if self._compact and not self._dragged:
            return
        self._preferences.set_state(f"{self._name}/splitter", self._splitter.saveState())

"""A run's curves, while they grow and afterwards."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from advisor.run import RunState
from app.controllers.point_details import PointDetails
from app.controllers.run import LiveRun, Run
from app.runtime.preferences import Preferences
from app.runtime.translation import tr
from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.charts.curves.curve_chart import CurveChart
from app.views.charts.curves.curve_panel import CurvePanel
from app.views.widgets.callout import Callout, Empty


class RunView(QWidget):
    """Shows one run.

    Signals: ``start_wanted()`` when a run that waits for another shall not wait any more.
    """

    start_wanted = Signal()

    def __init__(
        self,
        appearance: Appearance,
        preferences: Preferences,
        point_details: PointDetails,
        chart: CurveChart,
    ) -> None:
        super().__init__()
        self.callout = Callout(appearance)
        self.panel = CurvePanel(
            appearance, preferences, chart, name="probe", point_details=point_details
        )
        self.empty = Empty(appearance, "chart-line")
        self.empty.pressed.connect(self.start_wanted)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, tokens.SPACE_L)
        layout.setSpacing(tokens.SPACE_M)
        layout.addWidget(self.callout)
        layout.addWidget(self.panel, 1)
        layout.addWidget(self.empty, 1)

    def show_run(self, run: Run) -> None:
        """Draw the run as it is now."""
        self._tell_trouble(run)
        drawn = bool(run.points) or run.growing is not None
        focus = QApplication.focusWidget()
        if not drawn and focus is not None and self.panel.isAncestorOf(focus):
            self.setFocus()
        self.panel.setVisible(drawn)
        self.empty.setVisible(not drawn)
        if drawn:
            self.panel.show_run(run)
            if self.hasFocus():
                self.take_focus()
        else:
            self._tell_empty(run)

    def take_focus(self) -> None:
        """Have the keyboard in the chart, as soon as there is one."""
        (self if self.panel.isHidden() else self.panel.chart).setFocus()

    def _tell_trouble(self, run: Run) -> None:
        if run.error is not None:
            self.callout.tell_error(run.error)
        elif run.state is RunState.FAILED:
            self.callout.display("bad", run.reason or tr("The run failed."))
        elif run.state is RunState.INTERRUPTED:
            self.callout.display(
                "warn", tr("The program ended while this run went on. Its points are kept.")
            )
        else:
            self.callout.hide()

    def _tell_empty(self, run: Run) -> None:
        if isinstance(run, LiveRun) and run.queued:
            self.empty.display(tr("Waiting for the drive"), run.queued, tr("Start anyway"), "play")
        elif isinstance(run, LiveRun) and run.running:
            text = run.doing or tr("The first point follows when files and server are ready.")
            self.empty.display(run.stage or tr("Starting"), text)
        else:
            self.empty.display(
                tr("No point was measured"), tr("The run ended before its first point settled.")
            )

"""The strip at the bottom: what goes on, how long it still takes, and a button that ends it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QVBoxLayout, QWidget

from app.controllers.run import Growing, LiveRun
from app.controllers.run_controller import RunController
from app.presenters.frame.sidebar_rows import title_of
from app.runtime.debounce import Debounce
from app.runtime.translation import tr
from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.frame.header import PAGES_OF_RUNS
from app.views.widgets.buttons import Button
from app.views.widgets.labels import ElidedLabel, label
from probes.figures import seconds
from probes.kinds.words import capital, setting_line
from probes.targets.address import TargetSpec

REDRAW_MS = 400
STEPS = 1000


class StatusBar(QWidget):
    """Shows the run that was started last and still goes on.

    Signals: ``cancel_wanted(target)``; ``link_pressed()`` for what was shown with a link.
    """

    cancel_wanted = Signal(str)
    link_pressed = Signal()

    def __init__(self, appearance: Appearance, run_controller: RunController) -> None:
        super().__init__()
        self._run_controller = run_controller
        self._idle_text = ""
        self.setObjectName("statusStrip")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._bar = QProgressBar()
        self._bar.setRange(0, STEPS)
        self._bar.setTextVisible(False)
        self._bar.setAccessibleName(tr("Progress of the run"))
        self.doing = ElidedLabel("")
        self.left = label("", "small")
        self.cancel = Button(
            appearance, tr("Stop this run"), "square", "quiet", tr("What was measured is kept")
        )
        self.cancel.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.cancel.clicked.connect(self._cancel)
        line = QHBoxLayout()
        line.setContentsMargins(tokens.SPACE_L, 0, tokens.SPACE_S, 0)
        line.setSpacing(tokens.SPACE_M)
        self.link = Button(appearance, "", "lightbulb", "quiet")
        self.link.clicked.connect(self.link_pressed)
        line.addWidget(self.link)
        line.addWidget(self.doing, 1)
        line.addWidget(self.left)
        line.addWidget(self.cancel)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._bar)
        layout.addLayout(line, 1)
        self.setFixedHeight(38)
        run_controller.advanced.connect(Debounce(self, REDRAW_MS, self.show_state).ask)
        self.show_state()

    def display(self, text: str, link: str = "") -> None:
        """Say this while nothing is measured, beside a button where there is a way from there."""
        self._idle_text = text
        self.link.display(link, "lightbulb", "quiet")
        self.show_state()

    @property
    def _run(self) -> LiveRun | None:
        """The one that was started last, of those that wait for no other if there is any."""
        running = sorted(self._run_controller.measuring(), key=lambda run: not run.queued)
        return running[-1] if running else None

    def show_state(self) -> None:
        """Show how far the run is."""
        run = self._run
        self.link.setVisible(run is None and bool(self.link.text().strip()))
        # A page of its own has its own button, and the header another one elsewhere.
        self.cancel.setVisible(run is not None and run.kind not in PAGES_OF_RUNS)
        self.left.setVisible(run is not None)
        if run is None:
            self._bar.setRange(0, STEPS)
            self._bar.setValue(0)
            self.doing.display(self._idle_text)
            return
        self.cancel.setEnabled(not run.stopping)
        self.doing.display(f"{title_of(TargetSpec(name=run.target))}: {doing_text(run)}")
        left = tr("{time} left", time=seconds(run.seconds_left)) if run.seconds_left else ""
        self.left.setText(left)
        # At last: it is painted at once, with all that is due. An empty range would make the bar
        # move on its own: nothing here moves without a cause.
        self._bar.setValue(round(STEPS * (run.fraction or 0.0)))

    def _cancel(self) -> None:
        if self._run is not None:
            self.cancel_wanted.emit(self._run.target)


def doing_text(run: LiveRun) -> str:
    """What a run does now, in one line."""
    if run.stopping:
        return tr("stopping")
    if run.queued:
        return tr("waiting for another run on this drive to end")
    if run.growing is not None:
        growing = run.growing
        return f"{capital(setting_line(growing.setting))} ({_count(run, growing)})"
    return run.doing or run.stage or tr("starting")


def _count(run: LiveRun, growing: Growing) -> str:
    """Which point this is; an adaptive plan does not know how many there will be."""
    if run.plan is not None and run.plan.adaptive:
        return tr("point {number}", number=len(run.points) + 1)
    return tr("point {number} of {total}", number=growing.index + 1, total=growing.total)

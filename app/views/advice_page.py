"""What follows from a run: advice by weight, and the evidence beside it."""

from __future__ import annotations

from datetime import datetime

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication, QShowEvent
from PySide6.QtWidgets import QSplitter, QStackedWidget, QVBoxLayout, QWidget

from app.models.advice_rows import AdviceRow, all_changes
from app.models.run import Run
from app.models.sentences import of_judgement
from app.models.times import moment
from app.preferences import Preferences
from app.state import State
from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.advice_detail import AdviceDetail
from app.views.advice_list import AdviceList
from app.views.callout import Empty
from app.views.head import Head
from app.views.parts import label

LIST_WIDTH = 300


class AdvicePage(QWidget):
    """Signals: ``probe_wanted()``, ``noticed(sentence)``."""

    probe_wanted = Signal()
    noticed = Signal(str)

    def __init__(
        self,
        appearance: Appearance,
        state: State,
        preferences: Preferences,
        pages: dict[str, str],
    ) -> None:
        super().__init__()
        self._state, self._preferences = state, preferences
        self._run: Run | None = None
        self.setObjectName("page")
        self.head = Head(appearance, tokens.SPACE_M)
        self.head.pressed.connect(self._pressed)
        self.list = AdviceList(appearance)
        self.list.picked.connect(self._show_row)
        self._origin = label("", "small")
        self.detail = AdviceDetail(appearance, preferences, pages)
        self.empty = Empty(appearance, "lightbulb")
        self.empty.pressed.connect(self.probe_wanted)
        self._splitter = QSplitter(Qt.Orientation.Horizontal)
        self._splitter.setHandleWidth(tokens.SPACE_XL)
        self._splitter.setChildrenCollapsible(False)
        self._splitter.addWidget(self.list)
        self._splitter.addWidget(self.detail)
        self._splitter.setStretchFactor(1, 1)
        self._splitter.setSizes([LIST_WIDTH, 1000])
        remembered = preferences.state("advice/list")
        if remembered is not None:
            self._splitter.restoreState(remembered)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self._splitter)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(tokens.SPACE_XL, tokens.SPACE_L, tokens.SPACE_M, 0)
        layout.setSpacing(tokens.SPACE_L)
        layout.addWidget(self.head)
        layout.addWidget(self._origin)
        layout.addWidget(self._stack, 1)
        state.chosen.connect(self.show_state)
        state.advanced.connect(self.show_state)

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with what came while another page was in front."""
        super().showEvent(event)
        self.show_state()

    def show_state(self) -> None:
        """Show the advice of the chosen run, or of the target's latest."""
        if not self.isVisible():
            return
        run = self._state.latest
        if run is None or run.judgement is None:
            self._run = None
            self._show_empty(run)
            return
        self.head.tell(of_judgement(run.judgement))
        if all_changes(run.judgement):
            self.head.tell(of_judgement(run.judgement), "Copy all changes", "copy")
        self._origin.setVisible(self._state.choice.run_id is None)
        when = moment(run.started_at, datetime.now().astimezone())
        self._origin.setText(f"From this target's latest run: {when}, plan {run.plan_name}.")
        self._stack.setCurrentIndex(1)
        if run is not self._run:
            self._run = run
            self.list.show_judgement(None)
            self.list.show_judgement(run.judgement)

    def _show_empty(self, run: Run | None) -> None:
        self.head.tell("")
        self._origin.hide()
        self._stack.setCurrentIndex(0)
        if run is not None and run.running:
            self.empty.tell("Advice follows the run", "Rules judge when all points are measured.")
        elif run is not None:
            self.empty.tell("Nothing judged", "The run ended before there was anything to judge.")
        elif self._state.choice.run_id is not None:
            self.empty.tell("Opening the run", "Its points are judged anew, by the rules of today.")
        else:
            self.empty.tell(
                "No advice yet",
                "Advice comes with its evidence: measured points, the server's settings, and "
                "what each change is worth.",
                "Probe its storage",
                "play",
            )

    def _show_row(self, shown: AdviceRow) -> None:
        if self._run is not None:
            self.detail.show_row(shown, self._run)

    def _pressed(self) -> None:
        if self._run is not None and self._run.judgement is not None:
            QGuiApplication.clipboard().setText(all_changes(self._run.judgement))
            self.noticed.emit("All changes copied. Nothing is applied by Leadline itself.")

    def save_state(self) -> None:
        """Remember the splitters."""
        self._preferences.set_state("advice/list", self._splitter.saveState())
        self.detail.panel.save_state()

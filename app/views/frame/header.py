"""The chosen target's name and what is known of it, over the pages' tabs."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from advisor.run import RunKind
from app.controllers.run import LiveRun
from app.controllers.run_controller import RunController
from app.controllers.selection import Selection
from app.presenters.frame.quality import quality
from app.presenters.frame.sidebar_rows import ICONS, detail_of, title_of
from app.presenters.texts.typesetting import plain_tip
from app.runtime.translation import tr, tr_n
from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.widgets.buttons import Button
from app.views.widgets.labels import ElidedLabel, IconLabel, label
from app.views.widgets.layouts import row
from app.views.widgets.turned import Tabs
from probes.inventory.facts import Role

PAGES = (
    "&Home",
    "&Watch",
    "&Measure",
    "&Advice",
    "&Compare",
    "What &if",
)
WATCH, COMPARE = 1, 4
_HIDDEN = {
    RunKind.IMPORT: (0, 1, 3, 5),
    RunKind.WATCH: (2,),
    RunKind.LAB: (1, 2, 4),
    RunKind.TRIAL: (1, 2, 4),
}
"""Nobody knows which machine and server an import was measured on: it has curves alone. A watch
has measured none, nor have a lab, whose own servers worked, and a trial."""

_WHY_NOT = {
    RunKind.IMPORT: "An import has curves, and no server",
    RunKind.WATCH: "A watch measures no curve",
    RunKind.LAB: "A lab measures servers of its own, and no curve",
    RunKind.TRIAL: "A trial measures what a setting is worth, and no curve",
}

_HOME = {RunKind.IMPORT: 2, RunKind.WATCH: 1, RunKind.LAB: 0, RunKind.TRIAL: 0}
"""Where to go from a page that a run does not have."""

STOP = "Stop measuring"
_STOPS = {RunKind.LAB: "Stop the lab", RunKind.TRIAL: "Stop the trial"}
"""What the button says of one run that goes on."""

PAGES_OF_RUNS = {RunKind.LAB: "Lab", RunKind.TRIAL: "Trial", RunKind.WATCH: ""}
"""Runs that have a page of their own, which holds their button to stop, by its name."""


class TargetHeader(QWidget):
    """Name, chain to the drive, tabs, and the emergency stop while anything is measured.

    Signals: ``stop_wanted()``.
    """

    stop_wanted = Signal()

    def __init__(
        self, appearance: Appearance, run_controller: RunController, selection: Selection
    ) -> None:
        super().__init__()
        self._run_controller, self._selection = run_controller, selection
        self._aside = ("", "")
        self.setObjectName("header")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._picture = IconLabel(appearance, "monitor", "accent", 20)
        self.name = label("", "title")
        # As high as the stop beside it, so that nothing moves when that appears.
        self.name.setMinimumHeight(tokens.CONTROL_HEIGHT)
        self._facts = ElidedLabel()
        self._mark, self.quality = IconLabel(appearance, "info"), label("", "small")
        self.tabs = Tabs()
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        # A click leaves no frame of the keyboard behind.
        self.tabs.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.tabs.setAccessibleName(tr("Pages"))
        for page in PAGES:
            self.tabs.addTab(page)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(tokens.SPACE_XL, tokens.SPACE_L, tokens.SPACE_XL, 0)
        layout.setSpacing(tokens.SPACE_S)
        self.stop = Button(
            appearance,
            tr(STOP),
            "octagon-x",
            "danger",
            tr("Stop every run, after a question (Ctrl+.)"),
        )
        # A click leaves the keyboard where it was: the button is about to go.
        self.stop.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.stop.clicked.connect(self.stop_wanted)
        self.stop.hide()
        line = row(self._picture, self.name, self._facts, space=tokens.SPACE_M)
        line.setStretch(2, 1)
        line.addLayout(row(self._mark, self.quality, space=tokens.SPACE_XS))
        line.addWidget(self.stop)
        layout.addLayout(line)
        layout.addWidget(self.tabs)
        self.tabs.currentChanged.connect(self.show_state)
        for moved in (self.tabs.currentChanged, selection.chosen):
            moved.connect(self._show_stop)
        selection.chosen.connect(self.show_state)
        selection.advanced.connect(self.show_state)
        run_controller.advanced.connect(self._show_stop)
        self.show_state()

    def show_aside(self, name: str, picture: str) -> None:
        """Show a page of no target by its name, and no tabs; "" shows the chosen target again."""
        self._aside = (name, picture)
        self._show_stop()
        self.show_state()

    def show_state(self) -> None:
        """Show the chosen target; what is compared, or stands aside, belongs to none."""
        name, picture = self._aside
        self.tabs.setVisible(not name)
        if name:
            self._picture.display(picture, "accent")
            self.name.setText(name)
            self._facts.display("")
            self._mark.hide()
            self.quality.hide()
            return
        self._show_tabs()
        self._show_quality()
        if self.tabs.currentIndex() == COMPARE:
            self._picture.display("scale", "accent")
            self.name.setText(tr("Compare"))
            self._facts.display(tr("Runs of all targets, imports and published tables"))
            return
        spec = self._selection.spec
        self._picture.display(ICONS[spec.kind], "accent")
        self.name.setText(title_of(spec))
        self._facts.display(
            "   ·   ".join(part for part in (detail_of(spec), self._known()) if part)
        )

    def _show_quality(self) -> None:
        """One verdict on what the page's figures rest on, live while they are measured."""
        busy = self._selection.busy
        found = quality(busy if busy is not None else self._selection.latest)
        for widget in (self._mark, self.quality):
            widget.setVisible(found is not None and self.tabs.currentIndex() != COMPARE)
        if found is not None:
            self._mark.display(found.icon, found.tone)
            self.quality.setText(found.text)
            self.quality.setToolTip(plain_tip(found.meaning))
            self._mark.setToolTip(plain_tip(found.meaning))

    def _show_tabs(self) -> None:
        """Only pages that the chosen run has."""
        kind = self._selection.kind
        hidden = _HIDDEN.get(kind, ()) if kind is not None else ()
        if kind is not None and self.tabs.currentIndex() in hidden:
            self.tabs.setCurrentIndex(_HOME[kind])
        for page in range(len(PAGES)):
            # Off, not gone: the others stay where they are under the mouse.
            self.tabs.setTabEnabled(page, page not in hidden)
            why = _WHY_NOT.get(kind, "") if kind is not None and page in hidden else ""
            self.tabs.setTabToolTip(page, why if why else "")

    def home(self) -> int:
        """The page to go to in place of one that the chosen run does not have."""
        kind = self._selection.kind
        return _HOME.get(kind, self.tabs.currentIndex()) if kind else self.tabs.currentIndex()

    def _show_stop(self) -> None:
        """Offer the stop while there is something to stop, whichever target it is on."""
        running = self._run_controller.measuring()
        stopping = bool(running) and all(run.stopping for run in running)
        # In front of a run's own page that page's button stops it.
        self.stop.setVisible(not all(map(self._in_front, running)))
        self.stop.setEnabled(not stopping)
        # One run is stopped by the buttons for this run and for all alike.
        text = tr(_STOPS.get(running[0].kind, STOP) if running else STOP)
        if len(running) > 1:
            text = tr_n("Stop the run", "Stop all {n} runs", len(running))
        self.stop.display(tr("Stopping") if stopping else text, "octagon-x", "danger")

    def _in_front(self, run: LiveRun) -> bool:
        """Whether the page in front is a run's own, with the one button that ends it."""
        if self._aside[0] or run.kind is not RunKind.WATCH:
            return PAGES_OF_RUNS.get(run.kind) == self._aside[0]
        return run is self._selection.busy and self.tabs.currentIndex() == WATCH

    def _known(self) -> str:
        inventory = self._selection.inventory
        if inventory is None:
            return ""
        parts = []
        if inventory.mysql is not None:
            server = str(inventory.mysql.version)
            throwaway = inventory.mysql.sandbox
            parts.append(tr("throwaway {server}", server=server) if throwaway else server)
        storage = inventory.role(Role.PROBE) or inventory.role(Role.DATA)
        if storage is not None:
            parts.append(f"{storage.path}   {storage.chain.replace(' > ', '  ›  ')}")
        return "   ·   ".join(parts)

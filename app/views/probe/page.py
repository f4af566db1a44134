"""Measuring: the set-up for a target, the curves for a run."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from advisor.run import RunKind
from app.controllers.run_controller import RunController
from app.controllers.selection import Choice, Selection
from app.presenters.frame.headlines import of_run
from app.presenters.texts.phrases import points_text
from app.runtime.debounce import Debounce
from app.runtime.translation import tr
from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.probe.run_view import RunView
from app.views.probe.setup import ProbeSetup
from app.views.widgets.callout import Callout
from app.views.widgets.layouts import Pile
from app.views.widgets.page_head import Offer, PageHead
from probes.errors import LeadlineError, UsageError
from probes.figures import seconds

REDRAW_MS = 100
"""The set-up may tell of several changes at once."""

SETUP, MEASURE = range(2)


class ProbePage(QWidget):
    """What is to be measured, or what was.

    Signals: ``failed(LeadlineError)``; ``compare_wanted(run_id)``; ``address_wanted()`` for one
    without; ``server_wanted()`` to add one beside the sample.
    """

    failed = Signal(LeadlineError)
    address_wanted = Signal()
    server_wanted = Signal()
    compare_wanted = Signal(int)

    def __init__(
        self,
        appearance: Appearance,
        run_controller: RunController,
        selection: Selection,
        setup: ProbeSetup,
        measure: RunView,
    ) -> None:
        super().__init__()
        self._run_controller, self._selection = run_controller, selection
        self.setObjectName("page")
        self.head = PageHead(appearance)
        self.callout = Callout(appearance, closable=True)
        self.setup, self.measure = setup, measure
        self.setup.changed.connect(Debounce(self, REDRAW_MS, self._tell_setup).ask)
        self.measure.panel.failed.connect(self.failed)
        self.measure.start_wanted.connect(self._start_anyway)
        for choice in (self.measure.panel.probes, self.measure.panel.aspects):
            choice.picked.connect(self._tell_shown)
        self._stack = Pile()
        self._stack.addWidget(self.setup)
        self._stack.addWidget(self.measure)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(tokens.SPACE_XL, tokens.SPACE_L, tokens.SPACE_XL, 0)
        layout.setSpacing(tokens.SPACE_M)
        layout.addWidget(self.head)
        layout.addWidget(self.callout)
        layout.addWidget(self._stack, 1)
        selection.chosen.connect(self.show_state)
        selection.advanced.connect(self.show_state)

    @property
    def parts(self) -> tuple[QWidget, ...]:
        """All that is in it: set-up and curves are never seen together."""
        return (self.head, self.callout, self.setup, self.measure)

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with what came while another page was in front."""
        super().showEvent(event)
        self.show_state()

    def show_state(self) -> None:
        """Show the chosen run, or the set-up when there is none."""
        if not self.isVisible():
            return
        run = self._selection.run
        if run is not None and run.kind is RunKind.WATCH and not run.running:
            # It has a page of its own.
            run = None
        began = run is not None and (run.running or run.run_id is not None)
        if run is not None and began:
            self.callout.hide()
            self.measure.show_run(run)
            self._turn_to(MEASURE)
            sentence = of_run(run, self.measure.panel.picture)
        elif self._selection.choice.run_id is not None:
            self._turn_to(MEASURE)
            self.head.display(tr("Opening the run."), self._offer(), passing=True)
            return
        else:
            self._turn_to(SETUP)
            self.setup.setEnabled(self._selection.reachable)
            self.callout.tell_error(run.error if run is not None else None)
            sentence = self._setup_sentence()
        self.head.display(sentence, self._offer())

    def _tell_shown(self) -> None:
        """Say of the run what the curves below now show."""
        run = self._selection.run
        if run is not None:
            self.head.display(of_run(run, self.measure.panel.picture), self._offer())

    def _turn_to(self, side: int) -> None:
        """Show set-up or curves; the keyboard goes on in the curves where it was on this page."""
        before, focus = self._stack.currentIndex(), QApplication.focusWidget()
        here = focus is not None and self.isAncestorOf(focus)
        self._stack.setCurrentIndex(side)
        if here and before != side and side == MEASURE:
            self.measure.take_focus()

    def _tell_setup(self) -> None:
        """Say what the set-up now stands for; while curves are shown, nothing is said of it."""
        if self._stack.currentIndex() == SETUP:
            self.show_state()

    def _setup_sentence(self) -> str:
        if not self._selection.reachable:
            if self._selection.sample:
                return tr("The sample can't be measured: add a server.")
            return tr("Its drive can be measured once it has an address.")
        made = self.setup.plan_made
        what = tr("the drive") if self.setup.directory.isEnabled() else tr("the server")
        if made is None:
            return tr(
                "Measure {what}: how many requests it takes, and how long each waits.", what=what
            )
        points, time = points_text(len(made.plan.steps)), seconds(made.seconds)
        if made.plan.adaptive:
            return tr(
                "Measure {what}: up to {points} in about {time}.",
                what=what,
                points=points,
                time=time,
            )
        return tr("Measure {what}: {points} in about {time}.", what=what, points=points, time=time)

    def _offer(self) -> Offer:
        """The next step: to stop a run, to compare an import, to set up again or to start."""
        busy, imported = self._selection.busy, self._imported
        if busy is not None:
            text = tr("Stopping") if busy.stopping else tr("Stop this run")
            return Offer(text, "square", self._stop, kind="", possible=not busy.stopping)
        if imported is not None:
            return Offer(tr("Compare…"), "scale", lambda: self.compare_wanted.emit(imported))
        if self._stack.currentIndex() == MEASURE:
            target = self._selection.choice.target
            set_up = partial(self._selection.choose, Choice(target))
            return Offer(tr("Measure again…"), "refresh-cw", set_up)
        if self._selection.sample:
            return Offer(tr("Add a server…"), "plus", self.server_wanted.emit)
        if not self._selection.reachable:
            return Offer(tr("Give it an address…"), "plug", self.address_wanted.emit)
        return Offer(tr("Start measuring"), "play", self.start)

    @property
    def _imported(self) -> int | None:
        """The number of the chosen run, where that was imported: it can't be measured again."""
        run = self._selection.run
        return run.run_id if run is not None and run.kind is RunKind.IMPORT else None

    def press(self) -> None:
        """Do what the primary button says."""
        self.show_state()
        self.head.press()

    def _stop(self) -> None:
        # The button is of no use until the run has ended: the keyboard goes on elsewhere.
        self.measure.take_focus()
        self._run_controller.cancel(self._selection.choice.target)

    def start(self) -> None:
        """Begin the run that the form describes."""
        self.setup.remember()
        try:
            self._run_controller.start(self.setup.request)
        except UsageError as error:
            self.callout.tell_error(error)
        else:
            # At once: a second Enter shall not meet the button that has become a Cancel.
            self.show_state()

    def _start_anyway(self) -> None:
        self.measure.take_focus()
        self._run_controller.start_anyway(self._selection.choice.target)

    def cancel(self) -> None:
        """Stop the run on the chosen target."""
        if self._selection.busy is not None:
            self._run_controller.cancel(self._selection.choice.target)

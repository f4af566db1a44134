"""The chosen server over time, in place of the page that was in front."""

from __future__ import annotations

from datetime import datetime

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.controllers.asides.history import HistoryController
from app.controllers.selection import Selection
from app.presenters.history.before_after import before_after_picture, choices
from app.presenters.history.picture import history_picture
from app.presenters.texts.phrases import NEWER_FILES
from app.runtime.translation import tr
from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.history.before_after import BeforeAfterView
from app.views.history.chart import HistoryChart
from app.views.widgets.callout import Callout, Empty
from app.views.widgets.labels import label
from app.views.widgets.layouts import scrolled
from app.views.widgets.page_head import AsidePage, Offer, PageHead

CHART_HEIGHT = 560


class HistoryPage(AsidePage):
    """Signals: ``run_wanted(target, run_id)`` for one look, ``watch_wanted()`` for another.

    ``texts_wanted()`` for newer files of one without an address.
    """

    name, picture = "Over time", "chart-line"
    run_wanted = Signal(str, int)
    watch_wanted, texts_wanted = Signal(), Signal()

    def __init__(
        self, appearance: Appearance, controller: HistoryController, selection: Selection
    ) -> None:
        super().__init__()
        self._controller, self._selection = controller, selection
        self._pair_due = self._at_pair = False
        self.head = PageHead(appearance, tokens.SPACE_M)
        self.callout = Callout(appearance, closable=True)
        self.chart = HistoryChart(appearance)
        self.chart.setMaximumHeight(CHART_HEIGHT)
        self.chart.opened.connect(lambda run_id: self.run_wanted.emit(controller.target, run_id))
        self.since = label("", wrap=True, select=True)
        self.pair = BeforeAfterView()
        self.pair.picked.connect(controller.compare)
        body = QWidget()
        body.setObjectName("pageBody")
        inner = QVBoxLayout(body)
        inner.setContentsMargins(0, 0, tokens.SPACE_M, tokens.SPACE_L)
        inner.setSpacing(tokens.SPACE_M)
        inner.addWidget(self.chart, 1)
        inner.addWidget(self.since)
        inner.addWidget(self.pair)
        inner.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(tokens.SPACE_XL, tokens.SPACE_L, tokens.SPACE_M, 0)
        layout.setSpacing(tokens.SPACE_M)
        layout.addWidget(self.head)
        layout.addWidget(self.callout)
        self._area = scrolled(body, tr("The server over time"))
        self.empty = Empty(appearance, "chart-line")
        self.empty.display(tr("Not watched yet"), tr("Each watch of the server is a point here."))
        layout.addWidget(self.empty, 1)
        layout.addWidget(self._area, 1)
        bar = self._area.verticalScrollBar()
        bar.rangeChanged.connect(self._stay_at_pair)
        bar.actionTriggered.connect(self._leave_pair)
        controller.changed.connect(self.show_state)
        controller.compared.connect(self._show_pair)
        controller.failed.connect(self.callout.tell_error)

    def take_focus(self) -> None:
        """To what makes another look."""
        self.head.button.setFocus()

    def showEvent(self, event: QShowEvent) -> None:
        """Read the chosen target's looks."""
        super().showEvent(event)
        self._controller.want(self._selection.choice.target)
        self.show_state()

    def show_state(self) -> None:
        """Show what was read."""
        looks = self._controller.looks
        offer = self._offer()
        if looks is None:
            self.head.display(tr("Reading what was seen of this server."), offer)
            for part in (self.chart, self.pair, self.empty):
                part.hide()
            return
        now = datetime.now().astimezone()
        shown = history_picture(looks, self._controller.levels, now)
        named = f"{self._controller.target}: {shown.sentence}"
        self.head.display(named if shown.marks else shown.sentence, offer)
        self.chart.setVisible(bool(shown.marks))
        self.empty.setVisible(not shown.marks)
        self._area.setVisible(bool(shown.marks))
        self.chart.show_picture(shown)
        self.since.setText("\n".join(shown.since))
        self.since.setVisible(bool(shown.since))
        self._show_pair()

    def _offer(self) -> Offer | None:
        """What makes another look: nothing does with the sample."""
        if self._selection.reachable:
            return Offer(tr("Watch the server"), "eye", self.watch_wanted.emit)
        if self._selection.sample:
            return None
        return Offer(tr(NEWER_FILES), "file-input", self.texts_wanted.emit)

    def show_pair(self) -> None:
        """Bring before and after into sight, now or as soon as it is there."""
        self._pair_due = True
        self._show_pair()

    def _show_pair(self) -> None:
        looks, pair = self._controller.looks or (), self._controller.pair
        self.pair.setVisible(pair is not None)
        if pair is None:
            return
        self.pair.offer(choices(looks, datetime.now().astimezone()), pair)
        found = self._controller.found
        self.pair.show_picture(None if found is None else before_after_picture(found))
        if self._pair_due and found is not None:
            self._pair_due = False
            # Where it stands is known once all has been laid out.
            QTimer.singleShot(0, self._scroll_to_pair)

    def _scroll_to_pair(self) -> None:
        self._at_pair = True
        self._stay_at_pair()

    def _stay_at_pair(self) -> None:
        """What is above it may still grow."""
        if self._at_pair:
            self._area.verticalScrollBar().setValue(self.pair.y())

    def _leave_pair(self) -> None:
        """Whoever scrolls wants to see something else."""
        self._at_pair = False

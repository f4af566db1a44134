"""What a change of the chosen server would bring: knobs on one side, its forecast on the other."""

from __future__ import annotations

from datetime import datetime

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from advisor.wording.forecasts.what_if import limits, notes, slowest_sentences
from app.controllers.comparison import ComparisonController
from app.controllers.selection import Selection
from app.controllers.stored_runs import StoredRuns
from app.controllers.what_if import WhatIfController
from app.presenters.compare.candidates import drives_to_try
from app.presenters.texts.phrases import NEWER_FILES
from app.presenters.texts.typesetting import quoted
from app.presenters.texts.window_words import in_window
from app.presenters.what_if.forecast_picture import (
    curves_picture,
    headline,
    kept_sentences,
    time_picture,
    times_picture,
)
from app.presenters.what_if.knobs import knobs
from app.runtime.translation import tr
from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.what_if.forecast_charts import ForecastCharts
from app.views.what_if.forecast_text import ForecastText
from app.views.what_if.knob_list import KnobList
from app.views.what_if.time_bars import TimeBars
from app.views.widgets.callout import Callout, Empty
from app.views.widgets.layouts import Pile, scrolled
from app.views.widgets.page_head import Offer, PageHead
from probes.errors import LeadlineError

WHAT = (
    "From a watch of the server at work, Leadline forecasts another buffer pool, drive, durability "
    "or number of connections."
)
EMPTY, SEEN = range(2)


class WhatIfPage(QWidget):
    """Signals: ``watch_wanted()`` where nothing was watched, ``texts_wanted()`` of no address."""

    watch_wanted = Signal()
    texts_wanted = Signal()

    def __init__(
        self,
        appearance: Appearance,
        selection: Selection,
        stored_runs: StoredRuns,
        comparison: ComparisonController,
        controller: WhatIfController,
    ) -> None:
        super().__init__()
        self._selection, self._stored_runs = selection, stored_runs
        self._comparison, self._controller = comparison, controller
        self.setObjectName("page")
        self.head = PageHead(appearance)
        self.callout = Callout(appearance, closable=True)
        self.empty = Empty(appearance, "eye")
        self.empty.pressed.connect(self._go_on)
        self.knobs = KnobList()
        self.knobs.turned.connect(self._ask)
        self.charts = ForecastCharts(appearance)
        self.bars = TimeBars(appearance)
        self.forecast_text = ForecastText(appearance)
        self._stack = Pile()
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self._seen())
        layout = QVBoxLayout(self)
        layout.setContentsMargins(tokens.SPACE_XL, tokens.SPACE_L, tokens.SPACE_XL, 0)
        layout.setSpacing(tokens.SPACE_M)
        layout.addWidget(self.head)
        layout.addWidget(self.callout)
        layout.addWidget(self._stack, 1)
        selection.chosen.connect(self.show_state)
        selection.advanced.connect(self.show_state)
        comparison.changed.connect(self._offer_drives)
        controller.opened.connect(self._opened)
        controller.answered.connect(self._answered)
        controller.kept_changed.connect(self._offer_kept)
        self.knobs.keep_wanted.connect(controller.keep)
        self.knobs.refused.connect(self._failed)
        controller.failed.connect(self._failed)

    def _seen(self) -> QWidget:
        page = QWidget()
        layout = QHBoxLayout(page)
        layout.setContentsMargins(0, 0, 0, tokens.SPACE_L)
        layout.setSpacing(tokens.SPACE_L)
        body = QWidget()
        body.setObjectName("pageBody")
        right = QVBoxLayout(body)
        right.setContentsMargins(0, 0, tokens.SPACE_M, 0)
        right.setSpacing(tokens.SPACE_M)
        right.addWidget(self.charts, 1)
        right.addWidget(self.bars)
        right.addWidget(self.forecast_text)
        # All of it scrolls where the window is low: a box of its own would cut the sentences.
        area = scrolled(body, tr("The forecast"))
        area.setFrameShape(QFrame.Shape.NoFrame)
        layout.addWidget(self.knobs)
        layout.addWidget(area, 1)
        return page

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with what came while another page was in front."""
        super().showEvent(event)
        self._comparison.want_references()
        self.show_state()

    def show_state(self) -> None:
        """Show the chosen server's forecast, or what one needs."""
        if not self.isVisible():
            return
        self._offer_drives()
        watched = self._selection.watching
        case = None if watched is None or watched.running else watched.case
        self._controller.open(case)
        if self._controller.live is None:
            self._tell_empty(opening=self._selection.loading or self._controller.opening)

    def press(self) -> None:
        """Do what the primary button says."""
        self.head.press()

    def _tell_empty(self, *, opening: bool) -> None:
        self._stack.setCurrentIndex(EMPTY)
        self.callout.hide()
        self.head.display(tr("See what a change would bring."))
        trouble = self._controller.trouble
        step = tr("Watch the server"), "eye"
        if not self._selection.reachable:
            step = tr(NEWER_FILES), "file-input"
        if self._selection.sample:
            step = "", ""
        if opening:
            self.empty.display(tr("Reading the server"), tr("What its watch saw is being read."))
        elif trouble is not None:
            self.empty.display(trouble.sentence, WHAT, *step)
        else:
            self.empty.display(tr("Not watched yet"), WHAT, *step)

    def _go_on(self) -> None:
        """To what a forecast lacks."""
        wanted = self.watch_wanted if self._selection.reachable else self.texts_wanted
        wanted.emit()

    def _opened(self) -> None:
        live = self._controller.live
        if live is None:
            self._tell_empty(opening=self._controller.opening)
            return
        self.knobs.offer(knobs(live))
        self._offer_drives()
        self._ask()

    def _offer_drives(self) -> None:
        live = self._controller.live
        if live is None:
            return
        now = datetime.now().astimezone()
        shelf, references = self._stored_runs.shelf, self._comparison.references
        page_bytes = live.settings.page_bytes
        self.knobs.offer_drives(drives_to_try(shelf, references, page_bytes, now))

    def _offer_kept(self) -> None:
        self.knobs.offer_kept(self._controller.kept)

    def _ask(self) -> None:
        self._controller.ask(self.knobs.wanted, self.knobs.drive_key)

    def _answered(self) -> None:
        found = self._controller.found
        if found is None:
            return
        self._stack.setCurrentIndex(SEEN)
        self.callout.hide()
        turned = bool(found.turned.words)
        back = Offer(tr("Reset"), "refresh-cw", self._reset, "") if turned else None
        self.head.display(headline(found), back)
        self.charts.show_pictures(curves_picture(found), times_picture(found))
        self.bars.show_picture(time_picture(found))
        # An answer to what was turned before may come in between.
        answers = self._controller.asked == (self.knobs.wanted, self.knobs.drive_key)
        before = kept_sentences(self.knobs.chosen, found) if answers else ()
        answer = " ".join((limits(found), *before))
        about = (*slowest_sentences(found), *notes(found))
        texts = [quoted(in_window(each)) for each in (answer, *about)]
        self.forecast_text.display(texts[0], texts[1:])

    def _failed(self, error: LeadlineError) -> None:
        self._stack.setCurrentIndex(SEEN if self._controller.found is not None else EMPTY)
        self.callout.tell_error(error)

    def _reset(self) -> None:
        self.knobs.reset()

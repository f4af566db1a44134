"""What the server itself does with its storage: drawn after a watch, which starts here."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from advisor.runs.requests import WatchRequest
from app.controllers.hourly import HourlyWatches
from app.controllers.run import LiveRun, Run
from app.controllers.run_controller import RunController
from app.controllers.selection import Choice, Selection
from app.presenters.texts.phrases import NEWER_FILES
from app.presenters.texts.times import time_of_day
from app.presenters.watch.page import (
    GOES_ON,
    LONGER_S,
    NO_SERVER,
    NO_WATCH,
    NOT_FROM_HERE,
    SEE_IT,
    WATCH_S,
    WHAT,
    headline,
)
from app.runtime.translation import tr
from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.watch.picture import WatchPicture
from app.views.widgets.buttons import Button
from app.views.widgets.callout import Callout, Empty
from app.views.widgets.labels import label
from app.views.widgets.layouts import Pile, row
from app.views.widgets.page_head import Offer, PageHead
from app.views.widgets.turned import DropDown
from probes.errors import UsageError
from probes.figures import seconds
from probes.targets.address import TargetKind

EMPTY, SEEN = range(2)
EVERY_HOUR = "hour"


class WatchPage(QWidget):
    """Shows the chosen run's watch, or the latest of the chosen target.

    Signals: ``server_wanted()`` to add a server, where none is known; ``texts_wanted()`` and
    ``address_wanted()`` for one without an address; ``run_wanted()`` for a trial or a lab that goes
    on; ``looks_wanted()`` to lay this watch beside an earlier one.
    """

    server_wanted = Signal()
    texts_wanted = Signal()
    address_wanted = Signal()
    looks_wanted, run_wanted = Signal(), Signal()

    def __init__(
        self,
        appearance: Appearance,
        run_controller: RunController,
        selection: Selection,
        hourly: HourlyWatches,
    ) -> None:
        super().__init__()
        self._run_controller, self._selection = run_controller, selection
        self._hourly = hourly
        self.setObjectName("page")
        self.head = PageHead(appearance, tokens.SPACE_M)
        self.callout = Callout(appearance, closable=True)
        self.length = DropDown()
        self.length.setAccessibleName(tr("How long to watch"))
        self.length.addItem(seconds(WATCH_S), None)
        for longer_s in LONGER_S:
            self.length.addItem(seconds(longer_s), longer_s)
        self.length.addItem(tr("every hour"), EVERY_HOUR)
        tip = tr("30 seconds now and every hour, as long as this window is open")
        self.length.setItemData(self.length.count() - 1, tip, Qt.ItemDataRole.ToolTipRole)
        self.length.activated.connect(self.show_state)
        self.head.put_before_button(self.length)
        self.again = label("", "quiet")
        self.no_more = Button(appearance, tr("Stop"), "x", "quiet")
        self.no_more.setToolTip(tr("Watch it no more every hour; what was seen is kept"))
        self.no_more.clicked.connect(lambda: hourly.stop(selection.choice.target))
        self._repeated = QWidget()
        self._repeated.setLayout(row(self.again, self.no_more, None))
        self.empty = Empty(appearance, "eye")
        self.picture = WatchPicture(appearance)
        self._stack = Pile()
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self.picture)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(tokens.SPACE_XL, tokens.SPACE_L, tokens.SPACE_M, 0)
        layout.setSpacing(tokens.SPACE_M)
        layout.addWidget(self.head)
        around = row(self.callout)
        around.setContentsMargins(0, 0, tokens.SPACE_M, 0)
        layout.addLayout(around)
        layout.addWidget(self._repeated)
        layout.addWidget(self._stack, 1)
        selection.chosen.connect(self.show_state)
        selection.advanced.connect(self.show_state)
        hourly.changed.connect(self.show_state)

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with what came while another page was in front."""
        super().showEvent(event)
        self.show_state()

    def show_state(self) -> None:
        """Show the watch, what goes on, or what a watch is."""
        if not self.isVisible():
            return
        run, busy = self._selection.run, self._selection.busy
        # While the next one goes on here, what it has seen so far.
        here = busy is not None and busy is run and busy.kind not in GOES_ON
        seen = busy if here else self._selection.watching
        inventory = None if seen is None else seen.inventory
        watched = None if inventory is None else inventory.watched
        failed = run.error if run is not None and not run.running else None
        self.callout.tell_error(failed)
        live = None if busy is None or busy is not run or inventory is not None else busy.watched
        watched = watched or live
        can_begin = self._selection.reachable and not self._no_server
        self.length.setVisible(busy is None and can_begin)
        self._show_repeated()
        self.head.display(headline(run, watched, busy, seen), self._offer(busy))
        self.head.offer_other(self._other_offer(busy))
        # Two statuses are a window: nothing in it is timed.
        if watched is not None and (self._selection.reachable or watched.files):
            self._stack.setCurrentIndex(SEEN)
            missing = busy.unwatched if inventory is None and busy else ()
            self.picture.show_watched(
                watched, inventory, inventory.missing if inventory else missing
            )
            return
        self._stack.setCurrentIndex(EMPTY)
        self._tell_empty(run, busy)

    def _show_repeated(self) -> None:
        """When the next watch comes, where there is one every hour."""
        next_at = self._hourly.next_at(self._selection.choice.target)
        self._repeated.setVisible(next_at is not None)
        if next_at is not None:
            text = tr("Watched every hour: next at {time}.", time=time_of_day(next_at))
            self.again.setText(text)

    def _tell_empty(self, run: Run | None, busy: LiveRun | None) -> None:
        if busy is not None and busy.kind in GOES_ON:
            self.empty.display(tr(GOES_ON[busy.kind]), busy.stage)
            return
        if busy is not None and busy is run:
            self.empty.display(
                tr("Watching"),
                busy.stage or tr("The server's counters, calls and disks are read once a second."),
            )
            return
        if self._selection.loading:
            self.empty.display(tr("Opening the run"), tr("What it saw is being read."))
            return
        if not self._selection.reachable:
            texts = self._selection.spec.kind is TargetKind.TEXTS
            known = tr("Known from texts") if texts else tr("Known from a file")
            self.empty.display(known, tr(NO_WATCH))
            return
        none = tr("Not watched yet")
        if self._selection.choice.run_id is not None:
            none = tr("No server was watched in this run")
        self.empty.display(none, f"{NO_SERVER} {WHAT}" if self._no_server else WHAT)

    def _offer(self, busy: LiveRun | None) -> Offer:
        if busy is not None:
            return self._ending(busy)
        if self._selection.sample:
            return Offer(tr("Add a server…"), "plus", self.server_wanted.emit)
        if not self._selection.reachable:
            return Offer(tr(NEWER_FILES), "file-input", self.texts_wanted.emit)
        if self._every_hour:
            return Offer(tr("Watch every hour"), "eye", self.start)
        if self._no_server:
            return Offer(tr("Add a server…"), "plus", self.server_wanted.emit)
        return Offer(tr("Watch"), "eye", self.start)

    @property
    def _no_server(self) -> bool:
        """Whether the target was read, and has no server that is named or lets the account in."""
        read = self._selection.inventory
        named = self._selection.spec.mysql is not None
        return not named and read is not None and read.mysql is None

    @property
    def _every_hour(self) -> bool:
        return bool(self.length.currentData() == EVERY_HOUR)

    @property
    def _length_s(self) -> float:
        chosen = self.length.currentData()
        return WATCH_S if chosen is None else float(chosen)

    def _ending(self, busy: LiveRun) -> Offer:
        """What ends the watch that goes on: of one that has seen something, that is kept.

        Another run is ended on its own page.
        """
        if busy.kind in SEE_IT:
            return Offer(tr(SEE_IT[busy.kind]), "arrow-right", self.run_wanted.emit)
        if busy.stopping:
            return Offer(tr("Stopping"), "square", self._stop, kind="", possible=False)
        if busy.watched is None or busy.inventory is not None:
            return Offer(tr("Stop"), "square", self._stop, kind="")
        end = partial(self._run_controller.end_watch, busy.target)
        return Offer(tr("Stop and keep"), "check", end)

    def _other_offer(self, busy: LiveRun | None) -> Offer | None:
        """To lay two watches side by side, or to give a server known from texts an address."""
        if busy is None and self._selection.looked_again:
            return Offer(tr("Before and after"), "chart-line", self.looks_wanted.emit)
        if busy is None and not (self._selection.reachable or self._selection.sample):
            return Offer(tr("Give it an address…"), "plug", self.address_wanted.emit)
        return None

    def press(self) -> None:
        """Do what the primary button says."""
        self.show_state()
        self.head.press()

    def start(self) -> None:
        """Watch the chosen target's server."""
        spec = self._selection.spec
        if not self._selection.reachable:
            hint = tr("Give it an address, or import newer files.")
            hint = tr("Add a server.") if self._selection.sample else hint
            self.callout.tell_error(UsageError(tr(NOT_FROM_HERE), hint))
            return
        try:
            if self._every_hour:
                self._hourly.begin(spec)
            else:
                self._run_controller.watch(WatchRequest(spec, self._length_s))
        except UsageError as error:
            self.callout.tell_error(error)
            return
        self._selection.choose(Choice(spec.name))
        # At once: a second Enter shall not meet the button that has become a Stop.
        self.show_state()

    def _stop(self) -> None:
        self.empty.setFocus()
        self._run_controller.cancel(self._selection.choice.target)

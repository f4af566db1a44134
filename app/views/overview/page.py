"""What a target is: machine, server, and the drive under each of its directories."""

from __future__ import annotations

from datetime import datetime

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from advisor.report.watch_rows import work_title
from app.controllers.run_controller import RunController
from app.controllers.selection import Selection
from app.presenters.headlines import of_inventory
from app.presenters.overview import FactRow, chains, host_rows, mysql_rows, setting_rows
from app.presenters.own_work import work_rows
from app.presenters.times import moment
from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.overview.fact_card import FactCard
from app.views.overview.storage_chains import StorageChains
from app.views.widgets.buttons import Button
from app.views.widgets.callout import Callout, Empty
from app.views.widgets.labels import label
from app.views.widgets.layouts import clear, row
from app.views.widgets.page_head import Offer, PageHead
from probes.inventory.facts import Inventory


class OverviewPage(QWidget):
    """Signals: ``probe_wanted()`` for the next step, ``look_wanted()`` for a fresh inventory.

    ``watch_wanted()`` asks for the server's own work, drawn.
    """

    probe_wanted = Signal()
    watch_wanted = Signal()
    look_wanted = Signal()

    def __init__(
        self, appearance: Appearance, run_controller: RunController, selection: Selection
    ) -> None:
        super().__init__()
        self._appearance, self._run_controller, self._selection = (
            appearance,
            run_controller,
            selection,
        )
        self._shown: Inventory | None = None
        self.setObjectName("page")
        self.head = PageHead(appearance, tokens.SPACE_M)
        self.callout = Callout(appearance)
        self.empty = Empty(appearance, "monitor")
        self.empty.pressed.connect(self.look)
        self._body = QWidget()
        self._body.setObjectName("pageBody")
        self._rows = QVBoxLayout(self._body)
        self._rows.setContentsMargins(0, 0, tokens.SPACE_M, tokens.SPACE_L)
        self._rows.setSpacing(tokens.SPACE_L)
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setWidget(self._body)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self._scroll)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(tokens.SPACE_XL, tokens.SPACE_L, tokens.SPACE_M, 0)
        layout.setSpacing(tokens.SPACE_L)
        layout.addWidget(self.head)
        around = row(self.callout)
        around.setContentsMargins(0, 0, tokens.SPACE_M, 0)
        layout.addLayout(around)
        layout.addWidget(self._stack, 1)
        selection.chosen.connect(self.show_state)
        selection.advanced.connect(self.show_state)

    def look(self) -> None:
        """Read the chosen target's inventory again."""
        self._run_controller.look(self._selection.spec)

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with what came while another page was in front."""
        super().showEvent(event)
        self.show_state()

    def show_state(self) -> None:
        """Show what is known of the chosen target or run."""
        if not self.isVisible():
            return
        name = self._selection.choice.target
        looked = self._run_controller.look_at(name)
        looking = self._run_controller.looking(name)
        inventory = self._selection.inventory
        self.callout.tell_error(looked.error if looked is not None and not looking else None)
        if inventory is None:
            self._show_empty(looking=looking)
            return
        self.head.display(
            of_inventory(inventory), Offer("Probe its storage", "play", self.probe_wanted.emit)
        )
        self._stack.setCurrentIndex(1)
        if inventory is not self._shown:
            self._shown = inventory
            self._fill(inventory)

    def _show_empty(self, *, looking: bool) -> None:
        self.head.display("")
        self._stack.setCurrentIndex(0)
        if looking:
            self.empty.display("Looking", "Reading the machine, its disks and its server.")
            return
        self.empty.display(
            "Not looked at yet",
            "Here stand the machine, the MySQL server, and the drive under each of its "
            "directories. Looking changes nothing there.",
            "Look at this target",
            "eye",
        )

    def _fill(self, inventory: Inventory) -> None:
        clear(self._rows)
        when = moment(inventory.taken_at, datetime.now().astimezone())
        again = Button(self._appearance, "Look again", "refresh-cw", "quiet", "F5")
        again.clicked.connect(self.look_wanted)
        title = label("From directory to disk", "group")
        self._rows.addLayout(row(title, None, label(f"As read {when}", "small"), again))
        self._rows.addWidget(StorageChains(self._appearance, chains(inventory)))
        if not inventory.storage:
            self._rows.addWidget(label("No directory of this target could be followed.", "quiet"))
        cards = QHBoxLayout()
        cards.setSpacing(tokens.SPACE_L)
        if inventory.host is not None:
            cards.addWidget(FactCard("Machine", host_rows(inventory.host)), 1)
        if inventory.mysql is not None:
            cards.addWidget(FactCard("MySQL server", mysql_rows(inventory.mysql)), 1)
        self._rows.addSpacing(tokens.SPACE_S)
        self._rows.addLayout(cards)
        if inventory.watched is not None:
            watched = inventory.watched
            drawn = Button(self._appearance, "See it over time", "chart-line", "quiet")
            drawn.clicked.connect(self.watch_wanted)
            self._rows.addWidget(
                FactCard(
                    work_title(watched), work_rows(watched), label_width=240, notes_beside=True
                )
            )
            self._rows.addLayout(row(None, drawn))
        if inventory.mysql is not None:
            settings = setting_rows(inventory.mysql)
            self._rows.addWidget(
                FactCard(
                    "Settings that matter to storage",
                    settings,
                    label_width=240,
                    notes_beside=True,
                )
            )
        if inventory.missing:
            missing = [FactRow(one.fact, f"because {one.because}") for one in inventory.missing]
            self._rows.addWidget(FactCard("Not known", missing, label_width=240))
        self._rows.addStretch(1)

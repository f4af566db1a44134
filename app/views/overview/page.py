"""A target's home: what limits it, what to change, what is open; what it is, one click behind."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from functools import partial
from itertools import pairwise

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from advisor.case import Case
from advisor.outcomes import Judgement
from advisor.wording.advice.plan import expected
from app.controllers.advice import AdviceController
from app.controllers.run import Run
from app.controllers.run_controller import RunController
from app.controllers.selection import Choice, Selection
from app.presenters.frame.headlines import of_inventory
from app.presenters.overview.facts import (
    FactRow,
    chains,
    host_rows,
    mysql_rows,
    setting_rows,
)
from app.presenters.overview.home import (
    LABELS,
    NOTHING_YET,
    Home,
    Settles,
    came_of,
    disk_lines,
    headline,
    home,
    plan_offer,
)
from app.presenters.overview.voice import speakers, spoken_for
from app.presenters.texts.times import moment
from app.runtime.time_slices import TURN, TimeSlices
from app.runtime.translation import tr
from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.overview.answers import Answers
from app.views.overview.fact_card import FactCard
from app.views.overview.speaker_button import SpeakerButton
from app.views.overview.storage_chains import StorageChains
from app.views.widgets.buttons import Button
from app.views.widgets.callout import Callout, Empty
from app.views.widgets.labels import label
from app.views.widgets.layouts import Pile, clear, column, row, scrolled
from app.views.widgets.markdown import MarkdownBrowser
from app.views.widgets.page_head import Offer, PageHead
from probes.inventory.facts import Inventory


class OverviewPage(QWidget):
    """One page a target.

    Signals: ``look_wanted()`` for a fresh inventory; ``watching_wanted()``, ``probe_wanted()``,
    ``deciding_wanted()``, ``plan_wanted()`` and ``run_wanted()`` for the next step;
    ``server_wanted()`` to add one; ``texts_wanted()`` and ``address_wanted()`` of one without
    an address; ``advice_wanted(rule)``, with "" for all; ``report_wanted()``
    for a client's.
    """

    server_wanted = Signal()
    texts_wanted = Signal()
    address_wanted = Signal()
    probe_wanted = Signal()
    deciding_wanted = Signal()
    plan_wanted = Signal()
    run_wanted = Signal()
    watching_wanted = Signal()
    look_wanted = Signal()
    advice_wanted = Signal(str)
    report_wanted = Signal()

    def __init__(
        self,
        appearance: Appearance,
        run_controller: RunController,
        selection: Selection,
        advice_controller: AdviceController,
    ) -> None:
        super().__init__()
        self._appearance, self._run_controller, self._selection = (
            appearance,
            run_controller,
            selection,
        )
        self._advice_controller = advice_controller
        self._shown: tuple[Inventory, Judgement | None] | None = None
        self._answer = self._limit = ""
        self._settles: Settles | None = None
        self._turns = TimeSlices(self)
        self.setObjectName("page")
        self.head = PageHead(appearance, tokens.SPACE_M)
        self.callout = Callout(appearance, closable=True)
        self.empty = Empty(appearance, "monitor")
        self.empty.pressed.connect(self.look)
        self._below = label("", "small", wrap=True)
        self.speaker = SpeakerButton(appearance)
        self.speaker.run_wanted.connect(self._let_speak)
        self.speaker.today_wanted.connect(partial(self._let_speak, None))
        self.answers = Answers(appearance)
        self.answers.advice_wanted.connect(self.advice_wanted)
        self.answer = MarkdownBrowser(tr("What came of it"), whole=True)
        self.answer.hide()
        self._body = QWidget()
        self._body.setObjectName("pageBody")
        self._build()
        self.area = scrolled(self._body, tr("Home of the target"))
        self._stack = Pile()
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self.area)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(tokens.SPACE_XL, tokens.SPACE_L, tokens.SPACE_M, 0)
        layout.setSpacing(tokens.SPACE_L)
        below = row(self._below, self.speaker, space=tokens.SPACE_L)
        below.setStretch(0, 1)
        below.setContentsMargins(0, 0, tokens.SPACE_M, 0)
        above = column(self.head, space=tokens.SPACE_XS)
        above.addLayout(below)
        layout.addLayout(above)
        around = row(self.callout)
        around.setContentsMargins(0, 0, tokens.SPACE_M, 0)
        layout.addLayout(around)
        layout.addWidget(self._stack, 1)
        self._target = selection.choice.target
        selection.chosen.connect(self._turn_to)
        selection.chosen.connect(self.show_state)
        selection.advanced.connect(self.show_state)
        advice_controller.planned.connect(self._tell_plan)

    def _build(self) -> None:
        self._picture, self._rows = column(), column(space=tokens.SPACE_L)
        details = QWidget()
        details.setLayout(self._rows)
        details.hide()
        again = self.again = Button(self._appearance, tr("Read again"), "refresh-cw", "quiet", "F5")
        again.clicked.connect(self.look_wanted)
        self.details = Button(self._appearance, tr("Machine and settings"), "chevron-down", "quiet")
        self.details.setCheckable(True)
        self.details.toggled.connect(details.setVisible)
        self.server = Button(self._appearance, tr("Add a server…"), "plus", "quiet")
        self.server.clicked.connect(self.server_wanted)
        self.address = Button(self._appearance, tr("Give it an address…"), "plug", "quiet")
        self.address.clicked.connect(self.address_wanted)
        self.report = Button(self._appearance, tr("Report…"), "book-open", "quiet")
        self.report.clicked.connect(self.report_wanted)
        inner = QVBoxLayout(self._body)
        inner.setContentsMargins(0, 0, tokens.SPACE_M, tokens.SPACE_L)
        inner.setSpacing(tokens.SPACE_M)
        inner.addWidget(self.answer)
        inner.addWidget(self.answers)
        inner.addLayout(self._picture)
        inner.addLayout(row(self.details, None, self.server, self.address, self.report, again))
        inner.addWidget(details)
        inner.addStretch(1)

    def _turn_to(self) -> None:
        """Another target is read from its first line on, its details folded."""
        target, self._target = self._target, self._selection.choice.target
        if target != self._target:
            self.area.verticalScrollBar().setValue(0)
            self.details.setChecked(False)

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
        inventory, run = self._selection.inventory, self._selection.latest
        self.callout.tell_error(looked.error if looked is not None and not looking else None)
        if inventory is None:
            self._show_empty(looking=looking)
            return
        self._stack.setCurrentIndex(1)
        judgement = run.judgement if run is not None else None
        found = None
        answer = "" if run is None else run.answer
        self._show_answer(answer)
        if run is not None and run.case is not None and judgement is not None and not answer:
            found = home(run, run.case, judgement, reachable=self._selection.reachable)
            if run.case.inventory.watched is not None:
                self._advice_controller.follow(run)
        self._tell(inventory, run if found is not None else None, found)
        if answer and run is not None:
            self._settles = Settles.WATCH
            self.head.display(came_of(run.kind), self._offer(self._settles))
            self._below.hide()
            self.speaker.hide()
        self._tell_plan()
        if (inventory, judgement) != self._shown:
            self._shown = (inventory, judgement)
            case = run.case if run is not None else None
            self._turns.begin(self._fill(inventory, case, found))

    def _show_answer(self, answer: str) -> None:
        """What came of a lab or a trial, which has no limit to name."""
        self.answer.setVisible(bool(answer))
        if answer != self._answer:
            self._answer = answer
            self.answer.show_markdown(answer)

    def _tell(self, inventory: Inventory, run: Run | None, found: Home | None) -> None:
        """What limits it in one sentence, when that was read, and the step that settles most."""
        self._limit = ""
        if self._selection.busy is not None:
            sentence, settles, why = of_inventory(inventory), Settles.RUN, ""
        elif found is not None:
            sentence = self._limit = found.limit
            settles = found.settles
            why = f"{found.limit_more} {found.why}".strip()
        else:
            settles = Settles.PROBE if inventory.mysql is None else Settles.WATCH
            settles = settles if self._selection.reachable else Settles.TEXTS
            waits = self._selection.choice.run_id is not None
            sentence, why = of_inventory(inventory), "" if waits else NOTHING_YET
        self._settles = settles
        self.head.display(sentence, self._offer(settles))
        when = self._when(inventory, run)
        self._below.setText(f"{when} {why}".rstrip())
        self._below.show()
        self._offer_speakers()
        reachable = self._selection.reachable
        sample = self._selection.sample
        self.server.setVisible(sample or (inventory.mysql is None and reachable))
        self.address.setVisible(not (reachable or sample))
        self.again.setVisible(reachable)
        self.report.setVisible(found is not None)

    def _when(self, inventory: Inventory, run: Run | None) -> str:
        """Which run speaks, or when the target was read."""
        now = datetime.now().astimezone()
        if run is None:
            return tr("Read {when}.", when=moment(inventory.taken_at, now, inside=True))
        looked_at = "" if inventory is run.inventory else inventory.taken_at
        return spoken_for(self._selection, run, looked_at, now)

    def _offer_speakers(self) -> None:
        """What else can speak: another look, or from a run's page the server as it is today."""
        if self._selection.choice.run_id is not None:
            self.speaker.offer_back()
            return
        voice, runs = self._selection.voice, self._selection.runs
        but = None if voice is None else voice.run_id
        self.speaker.offer(speakers(runs, but, datetime.now().astimezone()))

    def _let_speak(self, run_id: int | None) -> None:
        self._selection.choose(Choice(self._selection.choice.target, run_id))

    def _tell_plan(self) -> None:
        """What the plan is expected to bring, once it is made of the run that is shown."""
        ours = self._advice_controller.run is self._selection.latest
        plan = self._advice_controller.plan if ours else None
        self.answers.tell_plan("" if plan is None else expected(plan, in_brief=bool(self._limit)))
        if self._limit:
            self.head.sentence.display(headline(self._limit, plan))
        if self._settles is Settles.PLAN:
            self.head.button.display(plan_offer(plan), "layers", "primary")

    def _offer(self, settles: Settles) -> Offer:
        do = {
            Settles.WATCH: ("eye", self.watching_wanted.emit),
            Settles.PROBE: ("play", self.probe_wanted.emit),
            Settles.DECIDE: ("play", self.deciding_wanted.emit),
            Settles.PLAN: ("layers", self.plan_wanted.emit),
            Settles.RUN: ("chart-line", self.run_wanted.emit),
            Settles.TEXTS: ("file-input", self.texts_wanted.emit),
        }
        icon, call = do[settles]
        return Offer(LABELS[settles], icon, call)

    def _show_empty(self, *, looking: bool) -> None:
        self.head.display("")
        self._below.hide()
        self.speaker.hide()
        self._stack.setCurrentIndex(0)
        if looking:
            self.empty.display(tr("Reading"), tr("The machine, its disks and its server."))
            return
        self.empty.display(
            tr("Not read yet"),
            tr(
                "Here stand the machine, the MySQL server, and the drive under each of its "
                "directories. Reading changes nothing there."
            ),
            tr("Read this target"),
            "eye",
        )

    def _fill(
        self, inventory: Inventory, case: Case | None, found: Home | None
    ) -> Iterator[object]:
        """The answers and the picture first, then the details one by one."""
        clear(self._picture)
        self.answers.setVisible(found is not None)
        self.answers.setUpdatesEnabled(True)
        if found is not None:
            # A row that is filled has the height of its last text until all is laid out.
            self.answers.setUpdatesEnabled(False)
            yield from self.answers.display(found)
            self.answers.fit()
            yield TURN
            self.answers.setUpdatesEnabled(True)
        lines = disk_lines(case, inventory)
        self._picture.addWidget(StorageChains(self._appearance, chains(inventory, lines)))
        if not inventory.storage and self._selection.reachable:
            self._picture.addWidget(
                label(tr("No directory of this target could be followed."), "quiet")
            )
        yield None
        self.order_stops()
        clear(self._rows)
        for card in self._cards(inventory):
            self._rows.addWidget(card)
            yield None

    @property
    def filling(self) -> bool:
        """Whether more is shown in turns to come."""
        return self._turns.busy

    def order_stops(self) -> None:
        """Tab goes down the page: the answers before what stands under them."""
        stops = [self.head.button, self.speaker, *self.answers.stops, self.details]
        for one, following in pairwise(
            [*stops, self.server, self.address, self.report, self.again]
        ):
            QWidget.setTabOrder(one, following)

    def _cards(self, inventory: Inventory) -> Iterator[QWidget]:
        """What the target is, card by card."""
        beside = QWidget()
        cards = row(space=tokens.SPACE_L)
        beside.setLayout(cards)
        if inventory.host is not None:
            cards.addWidget(FactCard(tr("Machine"), host_rows(inventory, inventory.host)), 1)
        if inventory.mysql is not None:
            maria = inventory.mysql.version.is_mariadb
            title = tr("MariaDB server") if maria else tr("MySQL server")
            cards.addWidget(FactCard(title, mysql_rows(inventory.mysql)), 1)
        yield beside
        if inventory.mysql is not None:
            title, rows = tr("Settings that matter to storage"), setting_rows(inventory.mysql)
            yield FactCard(title, rows, label_width=240, notes_beside=True)
        if inventory.missing:
            missing = [
                FactRow(one.fact, tr("because {reason}", reason=one.because))
                for one in inventory.missing
            ]
            yield FactCard(tr("Not known"), missing, label_width=240)

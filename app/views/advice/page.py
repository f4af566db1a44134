"""What follows from a run: advice by weight with its evidence, and the plan that comes of it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from advisor.outcomes import Judgement
from app.controllers.advice import AdviceController
from app.controllers.run import Run
from app.controllers.selection import Selection
from app.presenters.advice.rows import AdviceRow, rows
from app.presenters.advice.rule_notes import RuleNotes
from app.presenters.frame.headlines import of_judgement
from app.presenters.overview.voice import spoken_for
from app.runtime.preferences import Preferences
from app.runtime.time_slices import TimeSlices
from app.runtime.translation import tr
from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.advice.detail import AdviceDetail
from app.views.advice.other_version import OtherVersionView
from app.views.advice.plan_view import PlanView
from app.views.advice.rule_filter import AdviceFilter
from app.views.advice.rule_list import AdviceList
from app.views.advice.rule_model import ROW
from app.views.widgets.buttons import Button, Segments
from app.views.widgets.callout import Empty
from app.views.widgets.labels import ElidedLabel
from app.views.widgets.layouts import Pile, column, row
from app.views.widgets.page_head import Offer, PageHead
from probes.errors import LeadlineError

LIST_WIDTH, MOST_LIST_WIDTH = 316, 460
LIST_SHARE = 0.3
"""Of the page's width the list takes so much, within the bounds above, until it is dragged."""

LEAST_LIST_WIDTH = 276
RIGHT_WIDTH = 200
ADVICE, PLAN, LENS = "advice", "plan", "lens"
SIDES = (
    (ADVICE, "Advice"),
    (PLAN, "Change plan"),
    (LENS, "Another version"),
)


class AdvicePage(QWidget):
    """The list of rules, and beside it one rule, the plan, or the look from another version.

    Signals: ``probe_wanted()``, ``watch_wanted()``, ``report_wanted()``, ``failed(LeadlineError)``.
    """

    probe_wanted = Signal()
    watch_wanted = Signal()
    report_wanted = Signal()
    failed = Signal(LeadlineError)

    def __init__(
        self,
        appearance: Appearance,
        selection: Selection,
        advice_controller: AdviceController,
        preferences: Preferences,
        detail: AdviceDetail,
    ) -> None:
        super().__init__()
        self._selection, self._advice_controller, self._preferences = (
            selection,
            advice_controller,
            preferences,
        )
        self._notes: RuleNotes = {}
        self._run: Run | None = None
        self._asked = ""
        self._turns = TimeSlices(self)
        self.setObjectName("page")
        self.head = PageHead(appearance, tokens.SPACE_M)
        # The sentence keeps its lines where the button goes.
        policy = self.head.button.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.head.button.setSizePolicy(policy)
        self.sides = Segments(SIDES)
        self._origin = ElidedLabel("small")
        self.report_button = Button(
            appearance, tr("Report…"), "book-open", "quiet", tr("A report for a client (Ctrl+P)")
        )
        self.report_button.clicked.connect(self.report_wanted)
        self.filter = AdviceFilter(appearance, preferences)
        self.list = AdviceList(appearance, advice_controller)
        self.detail = detail
        self.plan = PlanView(appearance, advice_controller.done_steps)
        self.lens = OtherVersionView(appearance, advice_controller)
        self.empty = Empty(appearance, "lightbulb")
        self._build()
        self._connect()
        remembered = preferences.state("advice/list")
        self._dragged = remembered is not None
        if remembered is not None:
            self._splitter.restoreState(remembered)

    def _build(self) -> None:
        self._right = Pile()
        self._right.setMinimumWidth(RIGHT_WIDTH)
        for side in (self.detail, self.plan, self.lens):
            self._right.addWidget(side)
        self._left = QWidget()
        self._left.setMinimumWidth(LEAST_LIST_WIDTH)
        listed = column(self.filter, self.list)
        listed.setStretch(1, 1)
        self._left.setLayout(listed)
        self._splitter = QSplitter(Qt.Orientation.Horizontal)
        self._splitter.setHandleWidth(tokens.SPACE_XL)
        self._splitter.setChildrenCollapsible(False)
        self._splitter.addWidget(self._left)
        self._splitter.addWidget(self._right)
        self._splitter.setStretchFactor(1, 1)
        self._splitter.setSizes([LIST_WIDTH, 1000])
        self._splitter.splitterMoved.connect(self._drag)
        self._bar = QWidget()
        bar = row(self.sides, self._origin, self.report_button, space=tokens.SPACE_M)
        bar.setStretch(1, 1)
        self._bar.setLayout(bar)
        self._stack = Pile()
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self._splitter)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(tokens.SPACE_XL, tokens.SPACE_L, tokens.SPACE_M, 0)
        layout.setSpacing(tokens.SPACE_M)
        layout.addWidget(self.head)
        layout.addWidget(self._bar)
        layout.addWidget(self._stack, 1)

    def _connect(self) -> None:
        self.sides.picked.connect(self.show_side)
        self.filter.changed.connect(self.list.narrow)
        self.list.picked.connect(self._show_row)
        self.list.ticked.connect(self._advice_controller.choose)
        self.list.clicked.connect(self._go_to_row)
        self.list.activated.connect(self._go_to_row)
        self.empty.pressed.connect(self.watch_wanted)
        self.empty.other_pressed.connect(self.probe_wanted)
        self.plan.failed.connect(self.failed)
        self._advice_controller.planned.connect(self._show_plan)
        self._advice_controller.failed.connect(self.failed)
        self._advice_controller.failed.connect(self.plan.give_up)
        self._selection.chosen.connect(self.show_state)
        self._selection.advanced.connect(self.show_state)

    def learn(self, notes: RuleNotes) -> None:
        """Take what is known of the rules; what is shown already is shown again with it."""
        self._notes = notes
        self.detail.learn(notes)
        self._run = None
        self.show_state()

    @property
    def notes(self) -> RuleNotes:
        """What is known of the rules, by id."""
        return self._notes

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with what came while another page was in front."""
        super().showEvent(event)
        self.show_state()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Let the list grow with the page."""
        super().resizeEvent(event)
        if not self._dragged:
            listed = min(MOST_LIST_WIDTH, max(LIST_WIDTH, round(LIST_SHARE * self.width())))
            self._splitter.setSizes([listed, max(RIGHT_WIDTH, self.width() - listed)])

    def _drag(self) -> None:
        self._dragged = True

    def show_side(self, side: str) -> None:
        """Show advice, plan or the look from another version."""
        self.sides.pick(side)
        self._right.setCurrentIndex([key for key, _ in SIDES].index(side))
        # What another version changes is not chosen from this list, and needs its room.
        self._left.setVisible(side != LENS)
        self._tell()

    def show_state(self) -> None:
        """Show the advice of the chosen run, or of the target's latest."""
        if not self.isVisible():
            return
        run = self._selection.latest
        if run is None or run.judgement is None:
            self._run = None
            self._show_empty(run)
            return
        self.detail.reachable = self.plan.reachable = self._selection.reachable
        latest = self._selection.choice.run_id is None
        origin = spoken_for(self._selection, run, "", datetime.now().astimezone())
        self._origin.display(origin if latest else "")
        self._bar.show()
        self._stack.setCurrentIndex(1)
        if run is not self._run:
            self._run = run
            if self.sides.key == LENS:
                # Who comes to another run's advice reads that first.
                self.show_side(ADVICE)
            self._turns.begin(self._fill(run, run.judgement))
        else:
            self._advice_controller.follow(run)
            self._tell()

    def _fill(self, run: Run, judgement: Judgement) -> Iterator[None]:
        """Show another run's advice: the page first, then the list, then the chosen card."""
        self._advice_controller.show(run)
        self._tell()
        yield
        found = rows(judgement, self._notes)
        self.filter.show_rows(found)
        yield
        self.list.show_rows(found, self.filter.wanted)
        self._go_to_asked()

    def _tell(self) -> None:
        """What the rules say in one sentence; the next step from there is the plan."""
        run = self._run
        if run is None or run.judgement is None or run.case is None:
            return
        offered = self.sides.key == ADVICE and bool(self._advice_controller.chosen)
        sentence = of_judgement(run.judgement, run.case, run.state, self._advice_controller.plan)
        plan = Offer(tr("Change plan"), "layers", self._go_to_plan)
        self.head.display(sentence, plan if offered else None)

    def _go_to_plan(self) -> None:
        """Show the plan; the focus goes to what is chosen now, as the pressed button vanishes."""
        if self.head.button.hasFocus():
            self.sides.button(PLAN).setFocus()
        self.show_side(PLAN)

    def show_rule(self, rule: str) -> None:
        """Show one rule's card, once its list is there; "" leaves the first one chosen."""
        self.show_side(ADVICE)
        self._asked = rule
        self._go_to_asked()

    def _go_to_asked(self) -> None:
        """Choose what was asked for; where the filter hides it, that shows all again."""
        if not self._asked or self._run is None:
            return
        if not self.list.choose(self._asked):
            self.filter.show_all()
            self.list.choose(self._asked)
        self._asked = ""

    def _show_empty(self, run: Run | None) -> None:
        self._turns.begin(iter(()))
        self._advice_controller.show(None)
        self.head.display("")
        self._bar.hide()
        self._stack.setCurrentIndex(0)
        if run is not None and run.running:
            self.empty.display(
                tr("Advice follows the run"), tr("Rules judge when all points are measured.")
            )
        elif run is not None:
            self.empty.display(
                tr("Nothing judged"), tr("The run ended before there was anything to judge.")
            )
        elif self._selection.choice.run_id is not None:
            self.empty.display(tr("Opening the run"), tr("Its points are judged by today's rules."))
        else:
            self.empty.display(
                tr("No advice yet"),
                tr("A watch takes 30 s and adds no load. Measuring the drive settles the rest."),
                tr("Watch the server"),
                "eye",
            )
            self.empty.offer_other(tr("Measure the drive"), "play")

    def _show_plan(self) -> None:
        controller = self._advice_controller
        self.plan.show_plan(controller.plan, controller.chosen)
        self._tell()

    def _show_row(self, shown: AdviceRow | None) -> None:
        if self._run is not None:
            self.detail.show_row(shown, self._run)

    def _go_to_row(self, index: QModelIndex) -> None:
        """Who clicks a rule wants to read it, whatever stands beside the list just now."""
        if isinstance(index.data(ROW), AdviceRow):
            self.show_side(ADVICE)

    def search(self) -> None:
        """Have the advice searched, where there is any."""
        if self._run is not None:
            self.show_side(self.sides.key if self.sides.key != LENS else ADVICE)
            self.filter.search.setFocus()
            self.filter.search.selectAll()

    def save_state(self) -> None:
        """Remember the splitters; the list's width where somebody chose it."""
        if self._dragged:
            self._preferences.set_state("advice/list", self._splitter.saveState())
        self.detail.panel.save_state()

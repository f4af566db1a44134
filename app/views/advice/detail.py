"""One rule's outcome: what was seen, what to do about it, and all that this rests on."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QScrollArea, QVBoxLayout, QWidget

from app.controllers.run import Run
from app.presenters.advice.card import EvidenceCard, card
from app.presenters.advice.pool_picture import pool_picture
from app.presenters.advice.rows import AdviceRow
from app.presenters.advice.rule_notes import UNKNOWN, RuleNotes
from app.presenters.overview.home import LABELS, Settles
from app.presenters.texts.window_words import in_window
from app.runtime.preferences import Preferences
from app.runtime.time_slices import TURN, TimeSlices
from app.runtime.translation import tr
from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.advice.copy_block import CopyBlock
from app.views.advice.evidence import Chips, Labelled, Move
from app.views.advice.grounds import Grounds
from app.views.charts.curves.curve_chart import CurveChart
from app.views.charts.curves.curve_panel import CurvePanel
from app.views.charts.forecast_chart import ForecastChart
from app.views.widgets.buttons import Button
from app.views.widgets.flow_layout import FlowLayout
from app.views.widgets.labels import IconLabel, label
from app.views.widgets.layouts import column, keep_bar, row
from app.views.widgets.markdown import MarkdownBrowser
from app.views.widgets.reused_widgets import ReusedWidgets

BESIDE_FROM = 760
"""From this width on the curve stands beside all that is said, else right below the sentence.

The curve is the higher of the two: what stood below both would begin far under the sentence.
"""

LEAST_BESIDE, MOST_BESIDE = 620, 860
LEAST_BELOW, MOST_BELOW = 216, 440
"""The curve's height in pixels: as high as the card is seen, or what the sentence leaves of it."""

WIDE_BELOW, LEAST_OF_BOTH = 600, 400
"""From this width on a curve below has room for its rate and latency, to be read at once; they take
this height at least."""


TRY_TIP = (
    "Switches it on and off on the live server, and keeps it only where it surely helps; nothing "
    "is set before you agree"
)


class AdviceDetail(QScrollArea):
    """Shows one row of the list: its head at once, the rest in the event loop's next turns.

    Signals: ``deciding_wanted()`` to have measured what an open question turns on;
    ``watch_wanted()`` and ``lab_wanted()`` where these answer it; ``probe_wanted()`` where a rule
    lacks what a probe shows; ``try_wanted(rule)`` for its change on the live server.
    """

    deciding_wanted = Signal()
    probe_wanted = Signal()
    watch_wanted = Signal()
    lab_wanted = Signal()
    try_wanted = Signal(str)

    def __init__(self, appearance: Appearance, preferences: Preferences, chart: CurveChart) -> None:
        super().__init__()
        self._appearance = appearance
        self._notes: RuleNotes = {}
        self._turns = TimeSlices(self)
        self._page = ""
        self.beside: bool | None = None
        self.setWidgetResizable(True)
        self.setAccessibleName(tr("The advice with its evidence"))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        keep_bar(self)
        self._make(preferences, chart)
        self._build()
        # Its links keep the colour that they were written in.
        appearance.follow(self._show_page)

    def learn(self, notes: RuleNotes) -> None:
        """Take what is known of the rules."""
        self._notes = notes

    def _make(self, preferences: Preferences, chart: CurveChart) -> None:
        appearance = self._appearance
        self._picture, self._word = IconLabel(appearance, "lightbulb"), label("", "small")
        self._title = label("", "sentence", wrap=True, select=True)
        self._move = Move(appearance)
        self._saw = label("", wrap=True, select=True)
        self.chips = Chips(self._kind())
        self.front = Labelled()
        self.panel = CurvePanel(appearance, preferences, chart, name="advice")
        self.pool = ForecastChart(appearance, tr("Misses of larger buffer pools"))
        for choice in (self.panel.probes, self.panel.aspects):
            # Another picture's key may have more lines.
            choice.picked.connect(lambda _key: self._fit_panel())
        self.settle = Button(appearance, "", "play")
        self.settle.clicked.connect(self._settle)
        self._settles: Settles | None = None
        self._tries = ""
        self.reachable = True
        self.trying = Button(appearance, tr("&Try it…"), "scale", "quiet", TRY_TIP)
        self.trying.clicked.connect(lambda: self.try_wanted.emit(self._tries))
        self.grounds = Grounds(appearance)
        blocks = column(space=tokens.SPACE_M)
        self._applies = ReusedWidgets(blocks, lambda: CopyBlock(appearance))
        self.applied = QWidget()
        self.applied.setLayout(blocks)
        self.more = Button(appearance, tr("Abo&ut this rule"), "book-open", "quiet")
        self.more.setCheckable(True)
        self.more.toggled.connect(self._show_page)
        self.documentation = MarkdownBrowser(tr("About this rule"), whole=True)
        self.documentation.setOpenExternalLinks(True)

    def _kind(self) -> QWidget:
        """How the rule ended, as it stands before the chips."""
        kind = QWidget()
        kind.setLayout(row(self._picture, self._word))
        return kind

    def _build(self) -> None:
        body = self.body = QWidget()
        body.setObjectName("pageBody")
        body.hide()
        layout = self.lines = QVBoxLayout(body)
        layout.setContentsMargins(0, 0, tokens.SPACE_M, tokens.SPACE_L)
        layout.setSpacing(tokens.SPACE_M)
        sentence = QWidget()
        self._head = column(self._title, self._move, self._saw, self.chips, space=tokens.SPACE_S)
        self._head.addLayout(row(self.settle, None))
        self._head.addStretch(1)
        sentence.setLayout(self._head)
        self._first = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        self._first.setSpacing(tokens.SPACE_M)
        self._first.addWidget(sentence)
        for drawn in (self.panel, self.pool):
            self._first.addWidget(drawn, 0, Qt.AlignmentFlag.AlignTop)
        layout.addLayout(self._first)
        self._offers = QWidget()
        self._offers.setLayout(FlowLayout(self.grounds.toggle, self.more, self.trying))
        for part in self._read:
            layout.addWidget(part)
        layout.addWidget(self.documentation)
        layout.addStretch(1)
        self.setWidget(body)
        above: list[QWidget] = [self._move, self.chips, self.settle, self.front]
        for part in (*above, self.panel, self.pool, self.more, self.trying):
            part.hide()
        self.documentation.hide()

    @property
    def _read(self) -> tuple[QWidget, ...]:
        """What is read of the change, from the top; beside a curve it fills the left column."""
        return self.front, self.applied, self._offers, self.grounds

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the curve beside the sentence where there is room for both."""
        super().resizeEvent(event)
        width = self.viewport().width()
        self._arrange(beside=width >= BESIDE_FROM)
        self.chips.shorten(width < WIDE_BELOW)
        self._fit_panel()

    def _fit_panel(self) -> None:
        """Give the curve the height that is in sight."""
        height = self.viewport().height()
        if self.beside:
            high, alone = max(LEAST_BESIDE, min(height, MOST_BESIDE)), MOST_BELOW
        else:
            width = self.viewport().width() - tokens.SPACE_M
            head_height, key = self._head.totalHeightForWidth(width), self.panel.key_height(width)
            room = height - head_height - tokens.SPACE_M
            alone = max(LEAST_BELOW, min(room, MOST_BELOW))
            least = LEAST_BELOW if width < WIDE_BELOW else LEAST_OF_BOTH
            high = key + max(least, min(room - key, MOST_BELOW))
        for drawn, each in ((self.panel, high), (self.pool, alone)):
            if drawn.maximumHeight() != each:
                drawn.setFixedHeight(each)

    def _arrange(self, *, beside: bool) -> None:
        """The curve beside the sentence and all that is read of it, or below the sentence."""
        if beside is self.beside:
            return
        self.beside = beside
        way = QBoxLayout.Direction
        self._first.setDirection(way.LeftToRight if beside else way.TopToBottom)
        for at, share in enumerate((4, 5, 5) if beside else (0, 0, 0)):
            self._first.setStretch(at, share)
        holder, first = (self._head, self._head.count() - 1) if beside else (self.lines, 1)
        for at, part in enumerate(self._read):
            if holder.indexOf(part) < 0:
                holder.insertWidget(first + at, part)
        self.panel.show_aside(beside)

    def show_row(self, shown: AdviceRow | None, run: Run) -> None:
        """Tell everything about one rule; None empties the place."""
        self.body.setVisible(shown is not None)
        if shown is not None:
            self._hold()
        self._turns.begin(self._tell(shown, run) if shown is not None else iter(()))

    def _hold(self) -> None:
        """Neither lay out nor draw the card while it fills: each step would do all of it again."""
        self.lines.setEnabled(False)
        for part in (self.body, self.panel, self.pool):
            part.setUpdatesEnabled(False)

    def _release(self) -> Iterator[object]:
        """Lay the whole card out, then draw it: its texts, and in another turn its curves."""
        self._fit_panel()
        self.lines.setEnabled(True)
        self.lines.activate()
        yield TURN
        for part in (self.body, self.panel, self.pool):
            part.setUpdatesEnabled(True)
            yield TURN

    @property
    def telling(self) -> bool:
        """Whether more of the card is to come."""
        return self._turns.busy

    def _tell(self, shown: AdviceRow, run: Run) -> Iterator[object]:
        """The whole card, step by step from its top."""
        evidence = card(shown.outcome, run.inventory)
        self.verticalScrollBar().setValue(0)
        self.tell_head(evidence)
        yield None
        pool = pool_picture(shown.outcome, run.case)
        self.pool.setVisible(pool is not None)
        if pool is not None:
            self.pool.show_picture(pool)
        yield None
        curves = bool(evidence.points) and pool is None
        self.panel.setVisible(curves)
        if curves:
            self.panel.show_run(run, evidence.points)
        yield None
        yield from self.front.display(evidence.front)
        self.applied.setVisible(bool(evidence.typed))
        yield from self._applies.display(evidence.typed, CopyBlock.display)
        yield from self.grounds.display(evidence)
        # The page's own title stands above already.
        self._page = self._notes.get(shown.rule, UNKNOWN).page
        self.more.setVisible(bool(self._page))
        yield None
        self._show_page()
        yield None
        yield from self._release()

    def tell_head(self, evidence: EvidenceCard) -> None:
        """What the rule says in short, and what to do."""
        self._picture.display(evidence.look.icon, evidence.look.tone)
        self._word.setText(evidence.look.title)
        self._title.setText(evidence.title)
        self._move.setVisible(evidence.move is not None)
        if evidence.move is not None:
            self._move.display(evidence.move)
        self._saw.setText(evidence.saw)
        self.chips.show()
        self.chips.display(evidence.chips, evidence.topic)
        self._settles = evidence.settles
        self.settle.setVisible(self.reachable and evidence.settles is not None)
        if evidence.settles is not None:
            self.settle.display(LABELS[evidence.settles], "play", "")
        self._tries = evidence.tries
        self.trying.setVisible(self.reachable and bool(evidence.tries))

    def _settle(self) -> None:
        ways = {
            Settles.PROBE: self.probe_wanted,
            Settles.WATCH: self.watch_wanted,
            Settles.LAB: self.lab_wanted,
        }
        if self._settles is not None:
            ways.get(self._settles, self.deciding_wanted).emit()

    def _show_page(self) -> None:
        """Lay the rule's page out only when it is looked at: that takes a while."""
        wanted = bool(self._page) and self.more.isChecked()
        if wanted:
            self.documentation.show_markdown(in_window(self._page))
        self.documentation.setVisible(wanted)

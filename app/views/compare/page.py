"""Drives side by side: first what to compare, then curves, ratios and roles."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QSizePolicy, QSplitter, QVBoxLayout, QWidget

from advisor.compare.comparison import Comparison
from advisor.wording.forecasts.drive_answer import drive_answer
from advisor.wording.measured.comparison import lead
from app.controllers.bench import BenchController
from app.controllers.comparison import LEAST, ComparisonController
from app.controllers.drive_keys import RunKey
from app.controllers.stored_runs import StoredRuns
from app.presenters.charts.curves import Picture
from app.presenters.charts.scene import SceneOptions
from app.presenters.compare.bench_form import heading
from app.presenters.compare.candidates import picked_names
from app.presenters.compare.comparison import pictures_of
from app.runtime.translation import tr
from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.charts.curves.curve_chart import CurveChart
from app.views.charts.export import ExportMenu
from app.views.compare.bench_view import BenchView
from app.views.compare.contender_list import ContenderList
from app.views.compare.legend import WIDTH, CompareLegend
from app.views.compare.role_table import RoleTable
from app.views.compare.under_view import UnderView
from app.views.widgets.buttons import Button, Segments
from app.views.widgets.labels import label
from app.views.widgets.layouts import Pile, row
from app.views.widgets.page_head import Offer, PageHead
from app.views.widgets.picker import Picker
from probes.errors import LeadlineError

LEAST_KINDS = 104
"""How narrow the list of curves may get in a small window; its opened list has whole names."""

LEAST_ROLES = 132
"""How low the table of roles may get, so that the curves have room for both plots."""

CURVES, RATIOS, UNDER = "curves", "ratios", "under"


class ComparePage(QWidget):
    """Signals: ``saved(Path)``; ``failed(LeadlineError)``.

    ``import_wanted()`` and ``bench_wanted()`` ask for more to compare, ``prices_wanted()`` for what
    the compared drives cost, ``report_wanted()`` for the report of them.
    """

    saved = Signal(Path)
    failed = Signal(LeadlineError)
    import_wanted = Signal()
    bench_wanted = Signal()
    prices_wanted = Signal()
    report_wanted = Signal()

    def __init__(
        self,
        appearance: Appearance,
        stored_runs: StoredRuns,
        comparison_controller: ComparisonController,
        bench_controller: BenchController,
        chart: CurveChart,
    ) -> None:
        super().__init__()
        self._bench_controller = bench_controller
        self._appearance, self._stored_runs = appearance, stored_runs
        self._comparison_controller = comparison_controller
        self._shown: Comparison | None = None
        self._answer_due = False
        self._pictures: dict[str, Picture] = {}
        self._baseline = 0
        self.setObjectName("page")
        self.head = PageHead(appearance)
        self.list = ContenderList(appearance, stored_runs, comparison_controller)
        self.list.settled.connect(self._compare)
        self._stack = Pile()
        self._stack.addWidget(self._choice(appearance))
        self._stack.addWidget(self._result(appearance, chart))
        self.bench = BenchView(appearance)
        self._stack.addWidget(self.bench)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(tokens.SPACE_XL, tokens.SPACE_L, tokens.SPACE_XL, 0)
        layout.setSpacing(tokens.SPACE_M)
        layout.addWidget(self.head)
        layout.addWidget(self._stack, 1)
        comparison_controller.changed.connect(self.show_state)
        comparison_controller.failed.connect(self.failed)
        bench_controller.changed.connect(self.show_state)
        bench_controller.ended.connect(self._bench_ended)
        bench_controller.failed.connect(self.failed)

    def _choice(self, appearance: Appearance) -> QWidget:
        self.import_button = Button(
            appearance,
            tr("Import a file…"),
            "file-input",
            "",
            tr("fio, sysbench, iostat, CSV (Ctrl+I)"),
        )
        self.import_button.clicked.connect(self.import_wanted)
        self.bench_button = Button(
            appearance,
            tr("Compare drives…"),
            "hard-drive",
            "",
            tr("Measure them in turn (Ctrl+Shift+B)"),
        )
        self.bench_button.clicked.connect(self.bench_wanted)
        page = QWidget()
        layout = QVBoxLayout(page)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(tokens.SPACE_S)
        layout.addLayout(row(self.list.search, self.bench_button, self.import_button))
        layout.addWidget(self.list, 1)
        return page

    def _make_choices(self) -> None:
        """What is shown of the comparison, and of which curves."""
        self.kinds = Picker(tr("Curves in common"))
        self.kinds.picked.connect(lambda _key: self._draw())
        for least in (self.kinds, self.kinds.list):
            least.setMinimumWidth(LEAST_KINDS)
        # Hidden it keeps its place, so that the buttons beside it stay where they are.
        kept = self.kinds.sizePolicy()
        kept.setRetainSizeWhenHidden(True)
        self.kinds.setSizePolicy(kept)
        self.modes = Segments(
            ((CURVES, tr("Curves")), (RATIOS, tr("Ratios")), (UNDER, tr("Under a server")))
        )
        self.modes.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.modes.setAccessibleName(tr("Curves, ratios, or under a server"))
        self.modes.picked.connect(lambda _key: self._draw())

    def _result(self, appearance: Appearance, chart: CurveChart) -> QWidget:
        self._make_choices()
        self.chart = chart
        self._export = ExportMenu(self.chart, self.failed.emit, self)
        self._export.saved.connect(self.saved)
        self.export_button = Button(
            appearance, tr("Export"), "download", "quiet", tr("Save this chart (Ctrl+E)")
        )
        self.export_button.setMenu(self._export)
        self.report_button = Button(
            appearance, tr("Report…"), "book-open", "quiet", tr("A report for a client (Ctrl+P)")
        )
        self.report_button.clicked.connect(self.report_wanted)
        self._nothing = label(
            tr("No curve was measured by two of them: nothing can be laid over each other."),
            "quiet",
            wrap=True,
        )
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.side = CompareLegend(appearance)
        self.side.baseline_picked.connect(self._baseline_picked)
        self.side.prices_wanted.connect(self.prices_wanted)
        self.roles = RoleTable(appearance)
        upper = QSplitter(Qt.Orientation.Horizontal)
        upper.setHandleWidth(tokens.SPACE_L)
        drawn = QWidget()
        column = QVBoxLayout(drawn)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.chart, 1)
        column.addWidget(self._nothing, 1)
        self.under = UnderView(appearance, self._stored_runs, self._comparison_controller)
        column.addWidget(self.under, 1)
        upper.addWidget(drawn)
        upper.addWidget(self.side)
        upper.setStretchFactor(0, 1)
        upper.setCollapsible(0, False)
        upper.setSizes([1000, WIDTH])
        self._splitter = QSplitter(Qt.Orientation.Vertical)
        self._splitter.setHandleWidth(tokens.SPACE_M)
        self._splitter.addWidget(upper)
        self._splitter.addWidget(self.roles)
        self._splitter.setStretchFactor(0, 3)
        self._splitter.setStretchFactor(1, 2)
        self._splitter.setSizes([540, 215])
        self.roles.setMinimumHeight(LEAST_ROLES)
        page = QWidget()
        layout = QVBoxLayout(page)
        layout.setContentsMargins(0, 0, 0, tokens.SPACE_L)
        layout.setSpacing(tokens.SPACE_M)
        line = row(self.modes, self.kinds, self.export_button, self.report_button)
        line.setStretch(1, 1)
        layout.addLayout(line)
        layout.addWidget(self._splitter, 1)
        return page

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with what came while another page was in front."""
        super().showEvent(event)
        self._comparison_controller.want_references()
        self.show_state()

    def show_state(self) -> None:
        """Show the comparison, or the choice of what to compare."""
        if not self.isVisible():
            return
        progress = self._bench_controller.progress
        if self._bench_controller.running and progress is not None:
            self._stack.setCurrentIndex(2)
            stop = Offer(tr("Stop"), "octagon-x", self._bench_controller.cancel, kind="danger")
            # From the first turn on the header has one.
            self.head.display(heading(progress), stop if progress.now is None else None)
            self.bench.show_progress(progress)
            return
        comparison = self._comparison_controller.comparison
        if comparison is None:
            if self._stack.currentIndex() == 1:
                self.list.open_again()
            self._stack.setCurrentIndex(0)
            self.list.fill()
            self._tell_choice()
            return
        self._stack.setCurrentIndex(1)
        if comparison is not self._shown:
            alike = self._shown is not None and self._shown.contenders == comparison.contenders
            self._shown = comparison
            self._baseline = self._baseline if alike else 0
            self._fill(comparison)
            if self._answer_due and self.under.can_answer:
                # Whoever had drives measured asks which is the best for the server.
                self.modes.pick(UNDER)
            self._answer_due = False
        self._draw()

    def _tell_result(self, comparison: Comparison) -> None:
        """Who is best: of the drives alone, or under the server that they are compared under."""
        controller = self._comparison_controller
        under = controller.under if self.modes.key == UNDER else None
        sentence = lead(comparison) if under is None else drive_answer(under)
        again = Offer(tr("Choose others…"), "refresh-cw", controller.choose_again)
        self.head.display(sentence, again)

    def _bench_ended(self) -> None:
        """Compare what was measured, repeats of one directory as one."""
        progress = self._bench_controller.progress
        names = {} if progress is None else progress.measured
        if len(names) >= LEAST:
            keys = {RunKey(run_ids): name for run_ids, name in names.items()}
            self._answer_due = True
            self._comparison_controller.pick_alone(list(keys))
            self._comparison_controller.compare(keys)

    def _tell_choice(self) -> None:
        number = len(self._comparison_controller.picked)
        self.bench_button.setVisible(number > 0)
        if not number:
            # Whoever has nothing to compare yet came to have drives measured.
            sentence = tr("Which drive is faster, and for my server? Measure two, or tick below.")
            measure = Offer(tr("Compare drives…"), "hard-drive", self.bench_wanted.emit)
            self.head.display(sentence, measure)
            return
        text = tr("Compare") if number < 2 else tr("Compare {number}", number=number)
        busy = self._comparison_controller.busy
        sentence = tr("Choose what to compare.")
        possible = self._comparison_controller.possible and not busy
        text = tr("Comparing") if busy else text
        self.head.display(sentence, Offer(text, "scale", self._compare, possible=possible))

    def _fill(self, comparison: Comparison) -> None:
        found = pictures_of(comparison)
        self._pictures = {key: picture for key, _, picture in found}
        self.kinds.offer([(key, title) for key, title, _ in found])
        self.roles.show_comparison(comparison)
        sources = "  ·  ".join(one.source for one in comparison.contenders)
        self._export.caption = lambda: sources

    def _draw(self) -> None:
        if self._shown is None:
            return
        self._tell_result(self._shown)
        self.side.show_comparison(self._shown, self._baseline)
        picture = self._pictures.get(self.kinds.key)
        under = self.modes.key == UNDER
        self.under.setVisible(under)
        # Roles are of the drives alone.
        self.roles.setVisible(not under)
        self.kinds.setVisible(not under)
        self.chart.setVisible(picture is not None and not under)
        self._nothing.setVisible(picture is None and not under)
        self.export_button.setEnabled(picture is not None and not under)
        if under:
            self.under.show_state()
            return
        against = self._baseline if self.modes.key == RATIOS else None
        self.chart.show_picture(picture, None, SceneOptions(against=against))

    def _baseline_picked(self, index: int) -> None:
        self._baseline = index
        self.modes.pick(RATIOS)
        self._draw()

    def press(self) -> None:
        """Do what the primary button says."""
        self.show_state()
        self.head.press()

    def _compare(self) -> None:
        if self._comparison_controller.possible:
            names = picked_names(
                self._comparison_controller.picked,
                self._stored_runs.shelf.runs,
                datetime.now().astimezone(),
            )
            self._comparison_controller.compare(names)

    def export(self) -> None:
        """Open the export menu, for the keyboard."""
        if self.export_button.isVisible() and self.export_button.isEnabled():
            self.export_button.showMenu()

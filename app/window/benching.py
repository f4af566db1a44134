"""Benches and prices: what is asked in dialogs before and after drives are compared."""

from __future__ import annotations

from PySide6.QtCore import QObject

from app.controllers.bench import BenchController
from app.controllers.comparison import ComparisonController
from app.controllers.selection import Choice
from app.presenters.compare.bench_form import DONE
from app.views.dialogs.bench import BenchDialog
from app.views.dialogs.prices import PricesDialog
from app.window.main_window import COMPARE, MainWindow
from app.window.parts import Parts


class Benching(QObject):
    """Opens the dialogs, and follows a bench that goes on."""

    def __init__(
        self,
        window: MainWindow,
        parts: Parts,
        bench_controller: BenchController,
        comparison_controller: ComparisonController,
    ) -> None:
        super().__init__(window)
        self._window, self._parts = window, parts
        self._bench_controller = bench_controller
        self._comparison_controller = comparison_controller
        bench_controller.ended.connect(self._ended)
        parts.run_controller.stored.connect(self._follow)

    def ask(self) -> None:
        """Ask which directories to bench; where a bench goes on, show it."""
        self._window.show_page(COMPARE)
        if self._bench_controller.running:
            return
        self._comparison_controller.choose_again()
        known = self._parts.stored_runs.shelf.spec
        BenchDialog(self._parts.appearance, self._bench_controller, known, self._window).open()

    def ask_prices(self) -> None:
        """Ask what the compared drives cost."""
        controller = self._comparison_controller
        if controller.comparison is None:
            return
        drives = [(one.key, one.name) for one in controller.comparison.contenders]
        dialog = PricesDialog(self._parts.appearance, drives, controller.prices, self._window)
        dialog.priced.connect(controller.price)
        dialog.open()

    def _follow(self, target: str, run_id: int) -> None:
        """Whoever looks at a turn of the bench sees the next one, too."""
        progress, selection = self._bench_controller.progress, self._parts.selection
        if not self._bench_controller.running or progress is None:
            return
        if any(selection.choice.run_id in ids for ids in progress.runs.values()):
            selection.choose(Choice(target, run_id))

    def _ended(self) -> None:
        """Say it on the pages that do not show it."""
        if self._window.stack.currentIndex() != COMPARE:
            self._window.notice.display(DONE)

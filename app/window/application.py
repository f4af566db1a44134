"""The one place where the window's objects are built and handed to each other."""

from __future__ import annotations

import gc
import signal
import sys
from collections.abc import Sequence

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from advisor.compare import compare
from advisor.compare.load import contender
from advisor.compare.reference import library as references
from advisor.plan.planning import make_plan
from advisor.rulebook.pages import page
from advisor.rulekit.engine import judge
from advisor.rulekit.registry import all_rules
from advisor.runs import session
from advisor.runs.importing import import_files
from advisor.store.cases import load_case
from advisor.store.store import Store
from advisor.upgrade.lens import lens
from app.controllers.advice import AdviceController
from app.controllers.advice_export import AdviceExport
from app.controllers.comparison import ComparisonController
from app.controllers.point_details import PointDetails
from app.controllers.run_controller import RunController
from app.controllers.selection import Selection
from app.controllers.stored_runs import LOCAL, StoredRuns
from app.presenters.rule_notes import RuleNote, RuleNotes
from app.runtime.gui_gc import Collector
from app.runtime.jobs import JobRunner
from app.runtime.preferences import Preferences
from app.runtime.questions import Desk
from app.runtime.use_cases import UseCases
from app.theme import icons
from app.theme.appearance import Appearance
from app.window.main_window import MainWindow

WAKE_MS = 250
"""How often Python gets a chance to see a signal while Qt's loop sleeps."""


def real_use_cases() -> UseCases:
    """The program below the window."""
    return UseCases(
        open_store=Store.open,
        measure=session.measure,
        preview=session.preview,
        look=session.look,
        test_connection=session.test_connection,
        load_case=load_case,
        judge=judge,
        references=references,
        contender=contender,
        compare=compare,
        import_files=import_files,
        make_plan=make_plan,
        lens=lens,
    )


def rule_notes() -> RuleNotes:
    """What the window knows of each rule, by id."""
    return {rule.id: RuleNote(rule.topic, rule.settings, page(rule)) for rule in all_rules()}


def make_application(argv: Sequence[str]) -> QApplication:
    """Qt's application object, named so that settings and task bars know it."""
    application = QApplication(list(argv))
    application.setApplicationName("leadline")
    application.setApplicationDisplayName("Leadline")
    application.setDesktopFileName("leadline")
    application.setWindowIcon(icons.application_icon())
    # The window is closed before its jobs have cleaned up: the program ends after them.
    application.setQuitOnLastWindowClosed(False)
    return application


def build(
    application: QApplication, use_cases: UseCases, notes: RuleNotes | None = None
) -> MainWindow:
    """Make the window and everything behind it; reading the store and this computer begins."""
    collector = Collector()
    preferences = Preferences()
    appearance = Appearance(application, preferences.mode)
    runner = JobRunner()
    desk = Desk()
    stored_runs = StoredRuns(runner, use_cases)
    run_controller = RunController(runner, use_cases, desk)
    selection = Selection(stored_runs, run_controller)
    advice_controller = AdviceController(runner, use_cases)
    window = MainWindow(
        appearance=appearance,
        runner=runner,
        desk=desk,
        stored_runs=stored_runs,
        run_controller=run_controller,
        selection=selection,
        point_details=PointDetails(runner, use_cases),
        comparison_controller=ComparisonController(runner, use_cases, stored_runs),
        advice_controller=advice_controller,
        advice_export=AdviceExport(runner, use_cases, advice_controller),
        preferences=preferences,
        notes=notes if notes is not None else {},
    )
    window.finished.connect(appearance.close)
    window.finished.connect(collector.close)
    stored_runs.refresh()
    run_controller.look(LOCAL)
    return window


def run_window(argv: Sequence[str]) -> int:
    """Show the window until it is closed; the exit status."""
    application = make_application(argv)
    window = build(application, real_use_cases(), rule_notes())
    window.finished.connect(application.quit)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda _number, _frame: window.close_at_once())
    waker = QTimer()
    waker.timeout.connect(lambda: None)
    waker.start(WAKE_MS)
    window.show()
    # What was loaded stays until the end: no later collection needs to look at it.
    gc.freeze()
    return application.exec()


if __name__ == "__main__":
    sys.exit(run_window(sys.argv))

"""Files of other programs and cases: what is asked before they are kept, and said after it."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog

from advisor.runs.importing import CASE
from app.controllers.comparison import ComparisonController
from app.controllers.drive_keys import RunKey
from app.controllers.selection import Choice
from app.controllers.stored_runs import Imports
from app.presenters.import_notices import notice_of, trouble_of
from app.runtime.translation import tr, tr_later
from app.window.main_window import COMPARE, OVERVIEW, PROBE, MainWindow
from app.window.parts import Parts

FOLDER = "files/import"
IMPORTABLE = tr_later(
    "Results and cases (*.json *.txt *.log *.out *.csv *.tsv *.leadline);;"
    "Cases of Leadline (*.leadline);;All files (*)"
)


class Importing(QObject):
    """Opens the dialog, and shows what was imported."""

    def __init__(
        self, window: MainWindow, parts: Parts, comparison_controller: ComparisonController
    ) -> None:
        super().__init__(window)
        self._window, self._parts = window, parts
        self._comparison_controller = comparison_controller

    def ask(self) -> None:
        """Let the user choose files of other programs, and keep what was measured there."""
        names, _ = QFileDialog.getOpenFileNames(
            self._window.stack.currentWidget(),
            tr("Import measurements of fio, sysbench, iostat or CSV, and cases of Leadline"),
            self._parts.preferences.text(FOLDER, str(Path.home())),
            tr(IMPORTABLE),
        )
        if names:
            self._parts.preferences.set_text(FOLDER, str(Path(names[0]).parent))
            self._parts.stored_runs.import_files([Path(name) for name in names])

    def show_imported(self, found: Imports) -> None:
        """Say what was imported and what not, show it, and have it ready to be compared."""
        for kept in found.kept:
            # A watch has no curve that another could lie beside.
            if kept.imported.points:
                self._comparison_controller.pick(RunKey((kept.run_id,)), True)
        if found.kept and found.kept[-1].imported.kind == CASE:
            self._parts.selection.choose(Choice(found.kept[-1].name))
            self._window.show_page(OVERVIEW)
        elif found.kept and self._window.stack.currentIndex() != COMPARE:
            last = found.kept[-1]
            self._parts.selection.choose(Choice(last.name, last.run_id))
            self._window.show_page(PROBE)
        recent = self._window.menus.recent
        recent.forget(one.file for one in found.refused)
        recent.note(found.cases)
        if said := notice_of(found):
            self._window.notice.display(said)
        sentence, below = trouble_of(found)
        if sentence:
            self._window.errors.display("bad", sentence, below)

"""Files of other programs and cases: chosen or dropped, kept, and shown; runs that are dropped."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import shiboken6
from PySide6.QtCore import QEvent, QMimeData, QObject, Qt, Signal
from PySide6.QtGui import QColor, QDropEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QDialog, QFileDialog, QFrame, QWidget

from advisor.runs.sent.asked import SERVER, ServerTexts
from advisor.typed_machine import stated_machine
from app.controllers.comparison import ComparisonController
from app.controllers.drive_keys import RunKey
from app.controllers.selection import Choice
from app.controllers.stored_runs import Imports
from app.fields.server_texts import ServerTextsForm
from app.presenters.frame.import_notices import notice_of, trouble_of
from app.runtime.translation import tr
from app.theme.appearance import Appearance
from app.views.dialogs.server_texts import ServerTextsDialog
from app.views.frame.sidebar_model import runs_in
from app.views.widgets.layouts import Pile
from app.window.menus import RecentCases
from app.window.parts import COMPARE, OVERVIEW, PROBE, Actions, Parts
from probes.errors import LeadlineError
from probes.texts.typed import Typed

FOLDER = "files/import"
IMPORTABLE = (
    "Results and cases (*.json *.txt *.log *.out *.csv *.tsv *.leadline);;"
    "Cases of Leadline (*.leadline);;All files (*)"
)
_DRAGS = (QEvent.Type.DragEnter, QEvent.Type.DragMove)


class Importing(QObject):
    """Opens the dialog, and shows what was imported."""

    def __init__(
        self,
        parts: Parts,
        actions: Actions,
        recent: RecentCases,
        comparison_controller: ComparisonController,
        stack: Pile,
    ) -> None:
        super().__init__(stack)
        self._parts, self._actions, self._recent, self._stack = parts, actions, recent, stack
        self._comparison_controller = comparison_controller

    def ask(self) -> None:
        """Let the user choose files of other programs, and keep what was measured there."""
        names, _ = QFileDialog.getOpenFileNames(
            self._stack.currentWidget(),
            tr("Import measurements of fio, sysbench, iostat or CSV, and cases of Leadline"),
            self._parts.preferences.text(FOLDER, str(Path.home())),
            IMPORTABLE,
        )
        if names:
            self._parts.preferences.set_text(FOLDER, str(Path(names[0]).parent))
            self._parts.stored_runs.import_files([Path(name) for name in names])

    def ask_newer(self) -> None:
        """Ask for newer files of the chosen server."""
        self.ask_server(name=self._parts.selection.choice.target)

    def ask_server(self, files: Sequence[Path] = (), name: str = "") -> None:
        """Ask for the texts of a server that nobody here can reach, and read them."""
        appearance = self._parts.appearance
        folder = self._parts.preferences.text(FOLDER, str(Path.home()))

        def made(window: QWidget) -> QDialog:
            dialog = ServerTextsDialog(appearance, files, folder, window)
            if name:
                dialog.fields.fill({"name": name})
            dialog.taken.connect(partial(self._take_server, dialog))
            return dialog

        self._actions.ask(made)

    def _take_server(
        self,
        dialog: ServerTextsDialog,
        form: ServerTextsForm,
        files: tuple[Path, ...],
        pasted: str,
    ) -> None:
        if files:
            self._parts.preferences.set_text(FOLDER, str(files[0].parent))
        typed = Typed(form.version.strip(), stated_machine(form.machine))
        texts = ServerTexts(form.name.strip(), files, pasted, typed)
        stored_runs = self._parts.stored_runs

        def refused(error: LeadlineError) -> None:
            """In the dialog, where it can be mended; above the page where that was closed."""
            if shiboken6.isValid(dialog):
                dialog.refuse(error)
            else:
                stored_runs.failed.emit(error)

        stored_runs.import_server(texts, dialog.accept, refused)

    def take(self, dropped: Sequence[Path]) -> None:
        """Import what was dropped; a folder is a server's."""
        if any(path.is_dir() for path in dropped):
            self.ask_server(dropped)
        else:
            self._parts.stored_runs.import_files(dropped)

    def show_imported(self, found: Imports) -> None:
        """Say what was imported and what not, show it, and have it ready to be compared."""
        from advisor.runs.collected import COLLECTION  # noqa: PLC0415 - by what was imported
        from advisor.runs.importing import CASE  # noqa: PLC0415

        for kept in found.kept:
            # A watch has no curve that another could lie beside.
            if kept.imported.points:
                self._comparison_controller.pick(RunKey((kept.run_id,)), True)
        if found.kept and found.kept[-1].imported.kind in (CASE, COLLECTION, SERVER):
            self._actions.choose(Choice(found.kept[-1].name))
            self._actions.show_page(OVERVIEW)
        elif found.kept and self._actions.page() != COMPARE:
            last = found.kept[-1]
            self._actions.choose(Choice(last.name, last.run_id))
            self._actions.show_page(PROBE)
        self._recent.forget(one.file for one in found.refused)
        self._recent.note(found.cases)
        if notice := notice_of(found):
            self._actions.notify(notice)
        sentence, below = trouble_of(found)
        if sentence:
            self._actions.warn(sentence, below)


class DropFrame(QFrame):
    """Stands around what would take what is dragged; draws itself: no sheet for one line."""

    def __init__(self, appearance: Appearance, page: QWidget) -> None:
        super().__init__(page)
        self._appearance = appearance
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Dashes, in the accent's colour."""
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(self._appearance.palette.accent), 2, Qt.PenStyle.DashLine))
        painter.drawRoundedRect(self.rect().adjusted(1, 1, -1, -1), 6, 6)
        painter.end()


class Drops(QObject):
    """Signals: ``files_dropped(list[Path])``, ``runs_dropped(list[int])``."""

    files_dropped = Signal(object)
    runs_dropped = Signal(object)

    def __init__(self, window: QWidget, page: QWidget, appearance: Appearance) -> None:
        """Files may be dropped anywhere in ``window``, runs on ``page``, which is part of it."""
        super().__init__(window)
        self._page = page
        self.frame = DropFrame(appearance, page)
        for place in (window, page):
            place.setAcceptDrops(True)
            place.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take what is meant for the place, and leave the rest to others."""
        if event.type() in (QEvent.Type.DragLeave, QEvent.Type.Drop):
            self.frame.hide()
        if not isinstance(event, QDropEvent):
            return False
        files = _files(event.mimeData())
        runs = runs_in(event.mimeData()) if watched is self._page else []
        if not files and not runs:
            return False
        event.acceptProposedAction()
        if event.type() in _DRAGS:
            # Letting go here would do something: that is seen before.
            self.frame.setGeometry(self._page.rect())
            self.frame.show()
            self.frame.raise_()
            return True
        if runs:
            self.runs_dropped.emit(runs)
        else:
            self.files_dropped.emit(files)
        return True


def _files(dragged: QMimeData) -> list[Path]:
    """Files and folders of this computer, in their order."""
    paths = [Path(url.toLocalFile()) for url in dragged.urls() if url.isLocalFile()]
    return [path for path in paths if path.is_file() or path.is_dir()]

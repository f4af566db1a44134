"""A server that nobody here can reach: its texts, a name, and what no text says."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QFileDialog,
    QListWidget,
    QVBoxLayout,
    QWidget,
)

from app.fields.field import fields_of
from app.fields.server_texts import ServerTextsForm
from app.runtime.translation import tr, tr_n
from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.widgets.buttons import Button
from app.views.widgets.callout import Callout
from app.views.widgets.fields import Fields
from app.views.widgets.labels import label
from app.views.widgets.layouts import form, row
from probes.errors import LeadlineError, UsageError

WIDTH = 560
LIST_HEIGHT = 120
MOST_NAME = 40


class ServerTextsDialog(QDialog):
    """Signals: ``taken(form, files, pasted)`` when the texts shall be read.

    It stays until it is accepted, once they were.
    """

    taken = Signal(object, object, str)

    def __init__(
        self, appearance: Appearance, files: Sequence[Path], folder: str, parent: QWidget
    ) -> None:
        """``files`` are there already; choosing more begins in ``folder``."""
        super().__init__(parent)
        appearance.dress(self)
        self.setWindowTitle(tr("Import a server's texts"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumWidth(WIDTH)
        self._files: list[Path] = []
        self._folder, self.pasted = folder, ""
        self.list = QListWidget()
        self.list.setFixedHeight(LIST_HEIGHT)
        self.list.hide()
        self.list.model().rowsInserted.connect(self.list.show)
        self.list.setAccessibleName(tr("The texts"))
        self.fields = Fields(ServerTextsForm, self)
        self.callout = Callout(appearance)
        self.fields.changed.connect(self.callout.hide)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*(tokens.SPACE_XL,) * 4)
        layout.setSpacing(tokens.SPACE_M)
        for widget in (
            label(
                tr(
                    "SHOW VARIABLES and STATUS in any form, option files, INNODB STATUS, iostat, "
                    "free, df; folders, .zip, .tar.gz; or the archive of “leadline collect”, or a "
                    "case. Two statuses, a minute apart, decide most."
                ),
                "small",
                wrap=True,
            ),
            self.list,
        ):
            layout.addWidget(widget)
        layout.addLayout(row(*self._sources(appearance), None))
        lines = self.fields.lines
        asked = fields_of(ServerTextsForm).items()
        layout.addLayout(form(*((field.caption, lines[name]) for name, field in asked)))
        layout.addWidget(self.callout)
        cancel = Button(appearance, tr("Cancel"))
        self.read = Button(appearance, tr("Read them"), "", "primary")
        cancel.clicked.connect(self.reject)
        self.read.setDefault(True)
        self.read.clicked.connect(self._take)
        layout.addLayout(row(None, cancel, self.read))
        self.add(files)
        lines["name"].setFocus()

    def _sources(self, appearance: Appearance) -> list[Button]:
        self.choose = Button(appearance, tr("Add &files…"))
        self.choose.clicked.connect(self._choose_files)
        self.choose_folder = Button(appearance, tr("Add a f&older…"))
        self.choose_folder.clicked.connect(self._choose_folder)
        self.paste = Button(appearance, tr("Pas&te"))
        self.paste.clicked.connect(self._paste)
        return [self.choose, self.choose_folder, self.paste]

    def add(self, files: Sequence[Path]) -> None:
        """Have more files, folders and archives; the first names the server."""
        for file in files:
            if file not in self._files:
                self._files.append(file)
                self.list.addItem(str(file))
        name = self.fields.lines["name"]
        if self._files and not name.text():
            first = self._files[0]
            place = first if first.is_dir() else first.parent
            name.setText(place.name[:MOST_NAME])

    def _choose_files(self) -> None:
        names, _ = QFileDialog.getOpenFileNames(self, tr("The server's texts"), self._folder)
        self.add([Path(name) for name in names])

    def _choose_folder(self) -> None:
        name = QFileDialog.getExistingDirectory(self, tr("A folder of texts"), self._folder)
        self.add([Path(name)] if name else [])

    def _paste(self) -> None:
        text = QApplication.clipboard().text()
        if not text.strip():
            self.callout.tell_error(UsageError(tr("There is no text on the clipboard."), ""))
            return
        self.pasted = f"{self.pasted}\n{text}" if self.pasted else text
        lines = len(text.splitlines())
        self.list.addItem(tr_n("Pasted: 1 line", "Pasted: {n} lines", lines))

    def _take(self) -> None:
        made = ServerTextsForm(**self.fields.values())
        try:
            made.check(self._files, self.pasted)
        except UsageError as error:
            self.callout.tell_error(error)
            return
        self.callout.hide()
        self.read.setEnabled(False)
        self.taken.emit(made, tuple(self._files), self.pasted)

    def refuse(self, error: LeadlineError) -> None:
        """Say why the texts can't be read, and stay: what is there may be mended."""
        self.read.setEnabled(True)
        self.callout.tell_error(error)

"""All settings of the window in one place: its looks, what reports begin with, where data lies."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QDialog, QLineEdit, QVBoxLayout, QWidget

from advisor.report.document.templates import Paper
from app.runtime.preferences import Preferences
from app.runtime.translation import tr
from app.theme import tokens
from app.theme.appearance import MODES, Appearance, Mode
from app.views.dialogs.report import PAPER
from app.views.widgets.buttons import Button, Segments
from app.views.widgets.labels import breakable, label
from app.views.widgets.layouts import form, row

WIDTH = 560
LINES = {
    "author": tr("&Author"),
    "contact": tr("Con&tact"),
    "confidential": tr("Con&fidentiality"),
    "logo": tr("&Logo"),
}
"""Lines of a report that are the same for every client."""

UPDATES = tr("Leadline never looks for a newer version: your package manager does.")
LIMITS = tr("The limits of a probe stand beside its start, the guard's among them.")


class SettingsDialog(QDialog):
    """What is changed here holds at once."""

    def __init__(
        self,
        appearance: Appearance,
        preferences: Preferences,
        choose: Callable[[Mode], object],
        home: Path | None,
        parent: QWidget,
    ) -> None:
        """``choose`` takes the appearance; ``home`` is where the database lies, None in memory."""
        super().__init__(parent)
        appearance.dress(self)
        self._preferences = preferences
        self.setWindowTitle(tr("Settings"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setFixedWidth(WIDTH)
        self.modes = Segments(tuple((mode.value, name.replace("&", "")) for mode, name in MODES))
        self.modes.setAccessibleName(tr("Appearance"))
        self.modes.pick(appearance.mode.value)
        self.modes.picked.connect(lambda key: choose(Mode(key)))
        self.lines = {name: QLineEdit(preferences.text(f"report/{name}")) for name in LINES}
        self.paper = Segments(tuple((each.value, each.value) for each in Paper))
        self.paper.setAccessibleName(tr("Paper"))
        self.paper.pick(preferences.text(PAPER, Paper.A4.value))
        self.paper.picked.connect(lambda key: preferences.set_text(PAPER, key))
        for name, line in self.lines.items():
            line.editingFinished.connect(lambda name=name: self._keep(name))
        close = Button(appearance, tr("Close"), "", "primary")
        close.setDefault(True)
        close.clicked.connect(self.accept)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*(tokens.SPACE_XL,) * 4)
        layout.setSpacing(tokens.SPACE_S)
        self._lay_out(layout, appearance, home)
        layout.addLayout(row(None, close))
        self.modes.button(self.modes.key).setFocus()

    def _lay_out(self, layout: QVBoxLayout, appearance: Appearance, home: Path | None) -> None:
        layout.addWidget(label(tr("Appearance"), "heading"))
        layout.addLayout(row(self.modes, None))
        layout.addSpacing(tokens.SPACE_M)
        layout.addWidget(label(tr("Reports begin with"), "heading"))
        layout.addLayout(form(*((LINES[name], line) for name, line in self.lines.items())))
        layout.addLayout(row(label(tr("Paper"), "quiet"), self.paper, None))
        layout.addSpacing(tokens.SPACE_M)
        layout.addWidget(label(tr("Data"), "heading"))
        place = tr("In memory, until the window closes") if home is None else str(home)
        where = label(breakable(place), wrap=True, select=True)
        self.folder = Button(appearance, tr("Open the folder"), "folder-open", "quiet")
        self.folder.setVisible(home is not None)
        address = QUrl.fromLocalFile(place)
        self.folder.clicked.connect(lambda: QDesktopServices.openUrl(address))
        line = row(where, self.folder)
        line.setStretch(0, 1)
        layout.addLayout(line)
        layout.addSpacing(tokens.SPACE_M)
        for note in (LIMITS, UPDATES):
            layout.addWidget(label(note, "small", wrap=True))

    def _keep(self, name: str) -> None:
        self._preferences.set_text(f"report/{name}", self.lines[name].text())

    def done(self, result: int) -> None:
        """Keep what was typed last, too."""
        for name in self.lines:
            self._keep(name)
        super().done(result)

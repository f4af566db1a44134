"""What a run is called: its name, project, tags and notes."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QLineEdit, QPlainTextEdit, QVBoxLayout, QWidget

from advisor.run import RunLabel
from app.runtime.translation import tr
from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.widgets.buttons import Button
from app.views.widgets.callout import Callout
from app.views.widgets.layouts import form, row
from probes.errors import UsageError

WIDTH = 460
NOTES_HEIGHT = 96


class RunLabelDialog(QDialog):
    """Signals: ``labelled(RunLabel)`` when it shall be kept."""

    labelled = Signal(RunLabel)

    def __init__(
        self, appearance: Appearance, known: RunLabel, called: str, parent: QWidget
    ) -> None:
        """``called`` is what the run is listed as now."""
        super().__init__(parent)
        appearance.dress(self)
        self.setWindowTitle(tr("Name the run"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setFixedWidth(WIDTH)
        self.name, self.tags = QLineEdit(known.name), QLineEdit(", ".join(known.tags))
        self.project = QLineEdit(known.project)
        self.name.setPlaceholderText(called)
        self.name.setToolTip(tr("Lists, comparisons and reports use the name."))
        self.project.setPlaceholderText(tr("client X, October"))
        self.tags.setPlaceholderText(tr("NVMe, new firmware"))
        self.notes = QPlainTextEdit(known.notes)
        self.notes.setFixedHeight(NOTES_HEIGHT)
        self.notes.setTabChangesFocus(True)
        self.callout = Callout(appearance)
        cancel, self.keep = (
            Button(appearance, tr("Cancel")),
            Button(appearance, tr("Save"), "", "primary"),
        )
        cancel.clicked.connect(self.reject)
        self.keep.setDefault(True)
        self.keep.clicked.connect(self._keep)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*(tokens.SPACE_XL,) * 4)
        layout.setSpacing(tokens.SPACE_M)
        layout.addLayout(
            form(
                (tr("&Name"), self.name),
                (tr("&Project"), self.project),
                (tr("&Tags"), self.tags),
                (tr("N&otes"), self.notes),
            )
        )
        layout.addWidget(self.callout)
        layout.addLayout(row(None, cancel, self.keep))
        self.name.setFocus()
        self.name.selectAll()

    def _keep(self) -> None:
        try:
            made = RunLabel.typed(
                self.name.text(), self.tags.text(), self.notes.toPlainText(), self.project.text()
            )
        except UsageError as error:
            self.callout.tell_error(error)
        else:
            self.labelled.emit(made)
            self.accept()

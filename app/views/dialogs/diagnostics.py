"""Versions, places and the log of this session, to be read or sent with a report of a fault."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QPlainTextEdit, QVBoxLayout, QWidget

from app.runtime.translation import tr
from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.widgets.buttons import Button, CopyButton
from app.views.widgets.labels import label
from app.views.widgets.layouts import row

SIZE = (680, 460)
ABOUT = "Without secrets; may name addresses."


class DiagnosticsDialog(QDialog):
    """Shows the text and copies it."""

    def __init__(self, appearance: Appearance, text: str, parent: QWidget) -> None:
        super().__init__(parent)
        appearance.dress(self)
        self.setWindowTitle(tr("Diagnostics"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(*SIZE)
        self.text = QPlainTextEdit(text)
        self.text.setReadOnly(True)
        self.text.setAccessibleName(tr("Diagnostics"))
        self.copy = CopyButton(appearance)
        self.copy.offer(text)
        close = Button(appearance, tr("Close"), "", "primary")
        close.setDefault(True)
        close.clicked.connect(self.accept)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*(tokens.SPACE_XL,) * 4)
        layout.setSpacing(tokens.SPACE_M)
        layout.addWidget(self.text, 1)
        layout.addWidget(label(ABOUT, "small", wrap=True))
        layout.addLayout(row(self.copy, None, close))

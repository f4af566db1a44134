"""What is read on demand: a button, and below it what it shows."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.widgets.buttons import Button
from app.views.widgets.layouts import column, row


class Fold(QWidget):
    """Shut until somebody opens it; it stays open then, whatever it holds by and by."""

    def __init__(self, appearance: Appearance, body: QWidget, caption: str = "") -> None:
        super().__init__()
        self._caption, self.body = caption, body
        self.button = Button(appearance, caption, "chevron-right", "quiet")
        self.button.setCheckable(True)
        self.button.toggled.connect(self._turn)
        body.hide()
        layout = column(space=tokens.SPACE_XS)
        layout.addLayout(row(self.button, None))
        layout.addWidget(body)
        self.setLayout(layout)

    def name(self, caption: str) -> None:
        """Say what can be opened; with "" nothing can, and nothing is seen."""
        self._caption = caption
        self.setVisible(bool(caption))
        self._turn(self.button.isChecked())

    def _turn(self, opened: bool) -> None:
        self.button.display(self._caption, f"chevron-{'down' if opened else 'right'}", "quiet")
        self.body.setVisible(opened)

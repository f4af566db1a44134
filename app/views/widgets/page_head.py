"""The top of a page: its one sentence, and the primary button at the same place on every page."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.widgets.buttons import Button
from app.views.widgets.labels import label


class PageHead(QWidget):
    """Signals: ``pressed()`` when the primary button was."""

    pressed = Signal()

    def __init__(self, appearance: Appearance, inset: int = 0) -> None:
        """``inset`` is the space right of the button, where the page's own margin is narrower."""
        super().__init__()
        self.sentence = label("", "sentence", wrap=True, select=True)
        self.sentence.setMinimumHeight(tokens.CONTROL_HEIGHT)
        self.sentence.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.button = Button(appearance, "", "", "primary")
        self.button.clicked.connect(self.pressed)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, inset, 0)
        layout.setSpacing(tokens.SPACE_XL)
        layout.addWidget(self.sentence, 1, Qt.AlignmentFlag.AlignTop)
        layout.addWidget(self.button, 0, Qt.AlignmentFlag.AlignTop)

    def tell(self, sentence: str, button: str = "", icon: str = "", kind: str = "primary") -> None:
        """Say the sentence and offer the next step; "" hides the button, two of them everything."""
        if self.sentence.text() != sentence:
            self.sentence.setText(sentence)
        self.setVisible(bool(sentence or button))
        self.button.setVisible(bool(button))
        if button:
            self.button.tell(button, icon, kind)

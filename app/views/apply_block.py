"""A text to be copied: a statement, an option-file line, a command."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QVBoxLayout

from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.parts import CopyButton, label, row


class ApplyBlock(QFrame):
    """A caption with a copy button over the text in a fixed-width font."""

    def __init__(self, appearance: Appearance, caption: str, text: str) -> None:
        super().__init__()
        self.setProperty("role", "panel")
        self.copy = CopyButton(appearance)
        self.copy.offer(text)
        self.copy.setAccessibleName(f"Copy {caption}")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(tokens.SPACE_M, tokens.SPACE_XS, tokens.SPACE_XS, tokens.SPACE_M)
        layout.setSpacing(0)
        layout.addLayout(row(label(caption, "small"), None, self.copy))
        layout.addWidget(label(text, "fixed", wrap=True, select=True))

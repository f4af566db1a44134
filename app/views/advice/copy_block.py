"""A text to be copied: a statement, an option-file line, a command."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QVBoxLayout

from app.runtime.translation import tr
from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.widgets.buttons import CopyButton
from app.views.widgets.labels import label
from app.views.widgets.layouts import row


class CopyBlock(QFrame):
    """A caption with a copy button over the text in a fixed-width font."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self.setProperty("role", "panel")
        self.copy = CopyButton(appearance)
        self._caption = label("", "small")
        self._text = label("", "fixed", wrap=True, select=True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(tokens.SPACE_M, tokens.SPACE_XS, tokens.SPACE_XS, tokens.SPACE_M)
        layout.setSpacing(0)
        layout.addLayout(row(self._caption, None, self.copy))
        layout.addWidget(self._text)

    def display(self, block: tuple[str, str]) -> None:
        """Show a text under its caption."""
        caption, text = block
        self._caption.setText(caption)
        self._text.setText(text)
        self.copy.offer(text)
        self.copy.setAccessibleName(tr("Copy {what}", what=caption))

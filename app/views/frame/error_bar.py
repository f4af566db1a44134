"""What went wrong, above the page that it happened on."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.widgets.callout import Callout
from probes.errors import LeadlineError


class ErrorBar(QWidget):
    """A callout with the page's margins; gone when it is closed or ``hide`` is called."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self.callout = Callout(appearance, closable=True)
        self.callout.closed.connect(self.hide)
        around = QHBoxLayout(self)
        around.setContentsMargins(tokens.SPACE_XL, tokens.SPACE_M, tokens.SPACE_XL, 0)
        around.addWidget(self.callout)
        self.hide()

    def tell_error(self, error: LeadlineError) -> None:
        """Say what went wrong."""
        self.callout.tell_error(error)
        self.show()

    def display(self, tone: str, sentence: str, advice: str = "") -> None:
        """Say something else that needs attention, in a tone of the callout."""
        self.callout.display(tone, sentence, advice)
        self.show()

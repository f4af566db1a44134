"""What a trial may have left on a server, above every page until it is set back."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.controllers.asides.mending import Mending
from app.runtime.translation import tr
from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.widgets.buttons import Button
from app.views.widgets.callout import Callout


class LeftBar(QWidget):
    """Hidden where no trial has left anything, and what was found was read."""

    def __init__(self, appearance: Appearance, mending: Mending) -> None:
        super().__init__()
        self._mending = mending
        self.set_back = Button(appearance, tr("Set it back"), "arrow-left", "primary")
        self.set_back.clicked.connect(mending.begin)
        self.callout = Callout(appearance, closable=True, action=self.set_back)
        self.callout.closed.connect(mending.forget)
        around = QHBoxLayout(self)
        around.setContentsMargins(tokens.SPACE_XL, tokens.SPACE_M, tokens.SPACE_XL, 0)
        around.addWidget(self.callout)
        mending.changed.connect(self.show_state)
        self.hide()

    def show_state(self) -> None:
        """Say what may still be set, or what came of setting it back."""
        mending = self._mending
        left, found = mending.left, mending.found
        self.set_back.setVisible(bool(left) and not mending.goes_on)
        self.callout.close_button.setVisible(not left)
        if left:
            self.callout.display("warn", " ".join(left), "\n".join(found))
        elif found:
            self.callout.display("good", found[-1], "\n".join(found[:-1]))
        self.setVisible(bool(left or found))

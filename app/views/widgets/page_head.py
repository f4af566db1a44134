"""The top of a page: its one sentence and the primary button; and a page beside the six."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.widgets.buttons import Button
from app.views.widgets.labels import Prose


@dataclass(frozen=True, slots=True)
class Offer:
    """What the primary button says, and what it does."""

    text: str
    icon: str
    do: Callable[[], None]
    kind: str = "primary"
    possible: bool = True


class PageHead(QWidget):
    """The sentence and the button; pressed, the button does what it offers."""

    def __init__(self, appearance: Appearance, inset: int = 0) -> None:
        """``inset`` is the space right of the button, where the page's own margin is narrower."""
        super().__init__()
        self.sentence = Prose("sentence")
        self.sentence.setMinimumHeight(tokens.CONTROL_HEIGHT)
        self.sentence.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.button = Button(appearance, "", "", "primary")
        self.button.clicked.connect(self.press)
        self.other = Button(appearance, "", "", "quiet")
        self.other.clicked.connect(lambda: self._other.do() if self._other else None)
        self.other.hide()
        self._offer: Offer | None = None
        self._other: Offer | None = None
        self._layout = layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, inset, 0)
        layout.setSpacing(tokens.SPACE_XL)
        layout.addWidget(self.sentence, 1, Qt.AlignmentFlag.AlignTop)
        layout.addWidget(self.other, 0, Qt.AlignmentFlag.AlignTop)
        layout.addWidget(self.button, 0, Qt.AlignmentFlag.AlignTop)

    def display(self, sentence: str, offer: Offer | None = None, *, passing: bool = False) -> None:
        """Say the sentence and offer the next step; without both, nothing is shown.

        What is said in ``passing`` leaves the head as high as it is: a chart below would be drawn
        for a height that lasts a moment.
        """
        self._offer = offer
        held = self.sentence.height() if passing else 0
        self.sentence.setMinimumHeight(max(tokens.CONTROL_HEIGHT, held))
        self.sentence.display(sentence)
        self.setVisible(bool(sentence) or offer is not None)
        self.button.setVisible(offer is not None)
        if offer is not None:
            self.button.display(offer.text, offer.icon, offer.kind)
            self.button.setEnabled(offer.possible)

    def offer_other(self, offer: Offer | None) -> None:
        """Offer another step beside the next one; None offers none."""
        self._other = offer
        self.other.setVisible(offer is not None)
        if offer is not None:
            self.other.display(offer.text, offer.icon, "quiet")

    def put_before_button(self, widget: QWidget) -> None:
        """Put what the step is chosen by beside its button."""
        place = self._layout.indexOf(self.button)
        self._layout.insertWidget(place, widget, 0, Qt.AlignmentFlag.AlignTop)

    def press(self) -> None:
        """Do what is offered."""
        if self._offer is not None and self._offer.possible:
            self._offer.do()


class AsidePage(QWidget):
    """``name`` stands over it in place of a target's, with the icon ``picture``; "" leaves that.

    Signals: ``left()`` when the user goes back to the page before.
    """

    left = Signal()
    name = picture = ""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("page")
        leave = QShortcut(QKeySequence(Qt.Key.Key_Escape), self, self.left.emit)
        leave.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)

    def take_focus(self) -> None:
        """The keyboard goes to what is used first."""
        self.setFocus()

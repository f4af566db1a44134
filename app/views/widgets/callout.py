"""Sentences that need attention: an error with what to do, an empty page with its button."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from app.presenters.texts.window_words import in_window
from app.runtime.translation import tr
from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.widgets.buttons import Button, CopyButton
from app.views.widgets.labels import IconLabel, label
from app.views.widgets.layouts import restyle, row
from probes.errors import LeadlineError, UsageError

WIDTH = 460

ICONS = {"bad": "circle-alert", "warn": "triangle-alert", "good": "circle-check", "": "info"}


class Callout(QFrame):
    """A sentence and what to do about it; details on request, and everything can be copied.

    Signals: ``closed()`` when the user has read it; only where it is ``closable``.
    """

    closed = Signal()

    def __init__(
        self, appearance: Appearance, *, closable: bool = False, action: QWidget | None = None
    ) -> None:
        """``action`` is a button beside the text: what can be done about it here."""
        super().__init__()
        self.setProperty("role", "callout")
        self._picture = IconLabel(appearance, "info")
        self._sentence = label("", "heading", wrap=True, select=True)
        self._advice = label("", wrap=True, select=True)
        self.details = QPlainTextEdit()
        self.details.setAccessibleName(tr("Details"))
        self.details.setReadOnly(True)
        self.details.setMaximumHeight(160)
        self.details.setAccessibleName(tr("Details"))
        self.more = Button(appearance, tr("Show details"), "chevron-down", "quiet")
        self.more.setCheckable(True)
        self.more.toggled.connect(self.details.setVisible)
        self.copy_button = CopyButton(appearance)
        texts = QVBoxLayout()
        texts.setSpacing(tokens.SPACE_XS)
        texts.addWidget(self._sentence)
        texts.addWidget(self._advice)
        self._buttons = QWidget()
        buttons = row(self.more, self.copy_button, None)
        self._buttons.setLayout(buttons)
        texts.addWidget(self._buttons)
        texts.addWidget(self.details)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(tokens.SPACE_M, tokens.SPACE_S, tokens.SPACE_M, tokens.SPACE_S)
        layout.setSpacing(tokens.SPACE_M)
        layout.addWidget(self._picture, 0, Qt.AlignmentFlag.AlignTop)
        layout.addLayout(texts, 1)
        if action is not None:
            layout.addWidget(action, 0, Qt.AlignmentFlag.AlignTop)
        self.close_button = Button(appearance, "", "x", "quiet", tr("Close this message"))
        self.close_button.clicked.connect(self._close)
        layout.addWidget(self.close_button, 0, Qt.AlignmentFlag.AlignTop)
        if not closable:
            self.close_button.hide()
        self._error: LeadlineError | None = None
        self._read: LeadlineError | None = None
        self.hide()

    def _close(self) -> None:
        self._read = self._error
        self.hide()
        self.closed.emit()

    def tell_error(self, error: LeadlineError | None) -> None:
        """Show an error, or hide when there is none, or none but the one that was closed."""
        if error is None or error is self._read:
            self.hide()
            return
        self.display("bad", error.sentence, error.advice, error.details)
        self._error = error
        # A field that is missing or wrong is corrected, not reported.
        self._buttons.setVisible(bool(error.details) or not isinstance(error, UsageError))

    def display(
        self, tone: str, sentence: str, advice: str = "", details: str = "", *, copies: str = ""
    ) -> None:
        """Show a sentence in a tone: bad, warn, good or "".

        ``copies`` is what the button copies where that is not all of it.
        """
        self._error = None
        self._picture.display(ICONS[tone], tone or "quiet")
        self._sentence.setText(sentence)
        self._advice.setText(advice)
        self._advice.setVisible(bool(advice))
        self.details.setPlainText(details)
        self.more.setVisible(bool(details))
        self.more.setChecked(False)
        self.details.hide()
        parts = (in_window(sentence), in_window(advice), details)
        self.copy_button.offer(copies or "\n".join(filter(None, parts)))
        self._buttons.setVisible(bool(details or copies))
        restyle(self, "tone", tone)
        self.show()


class Empty(QWidget):
    """What a page will show once it is filled, and the button that fills it.

    Signals: ``pressed()``, and ``other_pressed()`` and ``last_pressed()`` for other ways.
    """

    pressed = Signal()
    other_pressed = Signal()
    last_pressed = Signal()

    def __init__(self, appearance: Appearance, icon: str) -> None:
        super().__init__()
        self._title = label("", "sentence", wrap=True)
        self._text = label("", "quiet", wrap=True)
        self.button = Button(appearance, "", "", "")
        self.button.clicked.connect(self.pressed)
        self.other = Button(appearance, "", "", "")
        self.other.clicked.connect(self.other_pressed)
        self.last = Button(appearance, "", "", "quiet")
        self.last.clicked.connect(self.last_pressed)
        for shown in (self._title, self._text):
            shown.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            shown.setFixedWidth(WIDTH)
        picture = IconLabel(appearance, icon, "strong_line", 40)
        layout = QVBoxLayout(self)
        layout.setSpacing(tokens.SPACE_M)
        layout.addStretch(2)
        centre = Qt.AlignmentFlag.AlignHCenter
        for widget in (picture, self._title, self._text, self.button, self.other, self.last):
            layout.addWidget(widget, 0, centre)
        layout.addStretch(3)

    def display(self, title: str, text: str, button: str = "", icon: str = "") -> None:
        """Say what this place is for; no button without its text."""
        for shown, words in ((self._title, title), (self._text, text)):
            shown.setText(words)
            # A wrapped label that is centred gets the height of one line otherwise.
            shown.setFixedHeight(max(0, shown.heightForWidth(WIDTH)))
        self.button.setVisible(bool(button))
        self.button.display(button, icon, "")
        self.offer_other()

    def offer_other(self, button: str = "", icon: str = "") -> None:
        """Offer another way below the first one; none without its text."""
        self.other.setVisible(bool(button))
        self.other.display(button, icon, "")
        self.offer_last()

    def offer_last(self, button: str = "", icon: str = "") -> None:
        """Offer what is least wanted below the others; none without its text."""
        self.last.setVisible(bool(button))
        self.last.display(button, icon, "quiet")

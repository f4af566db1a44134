"""What is pressed: buttons, segments of which one holds, copying, and what is read on demand."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QIcon, QKeyEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QSizePolicy,
    QWidget,
)

from app.presenters.texts.typesetting import plain_tip
from app.runtime.debounce import Debounce
from app.runtime.translation import tr
from app.theme import icons, tokens
from app.theme.appearance import Appearance
from app.views.widgets.layouts import column, restyle, row

COPIED_MS = 1500


class PressedByEnter(QPushButton):
    """A push button that Enter presses, wherever it stands, as the space bar does."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """A key that is held down presses once."""
        if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            super().keyPressEvent(event)
        elif not event.isAutoRepeat():
            self.click()


class Button(PressedByEnter):
    """A push button with an icon of the set. ``kind`` is "", "primary", "danger" or "quiet"."""

    def __init__(
        self, appearance: Appearance, text: str, icon: str = "", kind: str = "", tip: str = ""
    ) -> None:
        super().__init__(_spaced(text, icon))
        self._appearance = appearance
        self._caption, self._icon = text, icon
        self.setProperty("kind", kind)
        self.setAutoDefault(False)
        if tip:
            self.setToolTip(plain_tip(tip))
        self.setAccessibleName(_plain(text) or tip)
        self.setIconSize(QSize(tokens.ICON, tokens.ICON))
        appearance.follow(self._dress)
        self._dress()

    def display(self, text: str, icon: str, kind: str) -> None:
        """Change what the button says and how it looks."""
        if (self._caption, self._icon, self.property("kind")) == (text, icon, kind):
            return
        self.setText(_spaced(text, icon))
        if self.accessibleName() in ("", _plain(self._caption)):
            self.setAccessibleName(_plain(text))
        self._caption, self._icon = text, icon
        self.setIcon(QIcon())
        restyle(self, "kind", kind)
        self._dress()

    def _dress(self) -> None:
        if self._icon:
            palette = self._appearance.palette
            filled = {"primary": palette.on_accent, "danger": palette.on_bad}
            colour = filled.get(self.property("kind"))
            on = palette.accent if colour is None else None
            off = None if colour is None else palette.quiet
            self.setIcon(icons.icon(self._icon, colour or palette.quiet, on=on, off=off))


def _spaced(text: str, icon: str) -> str:
    """The style puts text too near to its icon."""
    return f"\u2002{text}" if text and icon else text


def _plain(text: str) -> str:
    """As it is read aloud: without the space beside the icon and the mark of its letter."""
    return text.replace("&", "")


class Segments(QFrame):
    """A row of choices of which exactly one holds; arrow keys move within it.

    Signals: ``picked(key)`` when the user chose.
    """

    picked = Signal(str)

    def __init__(self, choices: Sequence[tuple[str, str]] = ()) -> None:
        super().__init__()
        self.setObjectName("segments")
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(0)
        self._group = QButtonGroup(self)
        self._buttons: dict[str, QPushButton] = {}
        self.offer(choices)

    def offer(self, choices: Sequence[tuple[str, str]]) -> None:
        """Replace the choices: pairs of key and text."""
        if [(key, button.text()) for key, button in self._buttons.items()] == list(choices):
            return
        for button in self._buttons.values():
            self._group.removeButton(button)
            self._row.removeWidget(button)
            button.deleteLater()
        self._buttons = {}
        for key, text in choices:
            button = PressedByEnter(text)
            button.setCheckable(True)
            # A screen reader calls it a radio button then, and no check box.
            button.setAutoExclusive(True)
            button.setAutoDefault(False)
            button.clicked.connect(lambda _checked=False, key=key: self.picked.emit(key))
            self._group.addButton(button)
            self._row.addWidget(button)
            self._buttons[key] = button
        if choices:
            self._buttons[choices[0][0]].setChecked(True)

    def pick(self, key: str) -> None:
        """Choose without a signal; an unknown key changes nothing. The focus goes along."""
        if key in self._buttons:
            self._buttons[key].setChecked(True)
            if any(button.hasFocus() for button in self._buttons.values()):
                self._buttons[key].setFocus()

    @property
    def key(self) -> str:
        """The choice that holds, "" when there is none."""
        return next((key for key, button in self._buttons.items() if button.isChecked()), "")

    def button(self, key: str) -> QPushButton:
        """The button of a choice."""
        return self._buttons[key]


class CopyButton(Button):
    """Copies a text to the clipboard and says so for a moment."""

    def __init__(self, appearance: Appearance, what: str = "") -> None:
        """``what`` is said in place of "Copy"."""
        super().__init__(appearance, what or tr("Copy"), "copy", "quiet")
        self._what = what or tr("Copy")
        self._copied = ""
        self._again = Debounce(self, COPIED_MS, lambda: self.display(self._what, "copy", "quiet"))
        self.clicked.connect(self._copy)

    def offer(self, text: str) -> None:
        """Set what a press copies."""
        self._copied = text

    def name(self, what: str) -> None:
        """Say something else in place of "Copy"."""
        if what != self._what:
            self._what = what
            self.display(what, "copy", "quiet")

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._copied)
        self.display(tr("Copied"), "check", "quiet")
        self._again.start()


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

"""Somebody at the window: presses keys, or clicks and types, and counts what that amounts to."""

from __future__ import annotations

import gzip
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TypeVar

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QDialog,
    QFileDialog,
    QLineEdit,
    QPlainTextEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot

from advisor.compare.comparison import Comparison
from app.controllers.selection import Choice
from app.presenters.rule_notes import RuleNotes
from app.views.dialogs.report import ReportDialog
from app.window.application import build, real_use_cases
from app.window.main_window import MainWindow
from tests.app.window.conftest import shut
from tests.present import present
from tests.servers.sshd import Sshd

CONTROL, ALT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier
SHIFT, NONE = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.NoModifier
Key = Qt.Key
Asking = TypeVar("Asking", bound=QDialog)

MOST_ACTIONS, MOST_ACTIONS_TO_A_REPORT = 12, 10


@contextmanager
def opened(qtbot: QtBot, qapp: QApplication, notes: RuleNotes) -> Iterator[MainWindow]:
    """The window in front of somebody, with what a rule is about."""
    window = build(qapp, real_use_cases(), notes)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    try:
        yield window
    finally:
        shut(qtbot, window)


@contextmanager
def three_drives() -> Iterator[list[str]]:
    """Directories that a drive buyer benches."""
    with ExitStack() as held:
        yield [
            held.enter_context(tempfile.TemporaryDirectory(prefix=f"drive {name} ", dir="/var/tmp"))
            for name in "ABC"
        ]


def case_and_logo(folder: Path) -> tuple[Path, Path]:
    """The case of a check that a consultant was sent, of db7, and their own logo."""
    case, logo = folder / "db7.leadline", folder / "logo.svg"
    case.write_bytes(gzip.decompress(Path("resources/sample/2-check.leadline.gz").read_bytes()))
    logo.write_text('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>', "utf-8")
    return case, logo


def called_db7(sshd: Sshd, folder: Path, patch: pytest.MonkeyPatch) -> None:
    """Have a machine in the user's SSH configuration whose key is not known yet."""
    patch.delenv("SSH_AUTH_SOCK", raising=False)
    home = sshd.write_home(folder / "home", f"Host db7\n  HostName {sshd.host}\n  Port {sshd.port}")
    (home / ".ssh" / "known_hosts").unlink(missing_ok=True)
    patch.setenv("HOME", str(home))


class Hands:
    """Both ways of working."""

    def __init__(self, qtbot: QtBot, window: MainWindow, patch: pytest.MonkeyPatch) -> None:
        self._qtbot, self._window, self._patch = qtbot, window, patch
        self.actions = 0

    def wait_for_server(self, name: str) -> None:
        """Until a new target's server was looked at."""
        window = self._window
        self._qtbot.waitUntil(lambda: window.selection.choice == Choice(name))
        self._qtbot.waitUntil(lambda: window.overview.head.sentence.text().startswith("MariaDB"))

    def wait_for_watch(self) -> None:
        """Until a watch that was asked for has begun, has ended and is shown."""
        window = self._window
        self._qtbot.waitUntil(lambda: window.selection.busy is not None)
        self._qtbot.waitUntil(lambda: window.selection.busy is None)
        self._qtbot.waitUntil(lambda: window.header.quality.text().startswith("Watched for "))

    def wait_for_comparison(self) -> Comparison:
        """Until a bench that was asked for has ended, and its runs are compared."""
        bench, comparing = self._window.pages.bench_controller, self._window.comparison_controller
        self._qtbot.waitUntil(lambda: bench.running)
        self._qtbot.waitUntil(lambda: not bench.running)
        self._qtbot.waitUntil(lambda: comparing.comparison is not None)
        return present(comparing.comparison)

    def choose(self, asked: str, answer: str | list[str]) -> None:
        """Name a file in the system's own dialog, which no test can type into: one action."""
        self.actions += 1
        self._patch.setattr(QFileDialog, asked, lambda *_args, **_named: (answer, ""))


class Keyboard(Hands):
    """Presses keys where the focus is, and counts what that amounts to."""

    def _keys(self, *keys: tuple[Key, Qt.KeyboardModifier]) -> None:
        for key, modifiers in keys:
            QTest.keyClick(self._focus, key, modifiers)

    @property
    def _focus(self) -> QWidget:
        if QApplication.activeWindow() is None:
            # Off screen there is no window manager that would do it once a dialog is gone.
            self._window.activateWindow()
            self._qtbot.waitUntil(self._window.isActiveWindow)
        return QApplication.focusWidget() or self._window

    def chord(self, key: Key, modifiers: Qt.KeyboardModifier = NONE) -> None:
        """One action."""
        self.actions += 1
        self._keys((key, modifiers))

    def fill(self, text: str, reached_by: Key | None = None) -> None:
        """Fill the field that has the focus, or the one that Alt and a letter reach."""
        self.actions += 1
        if reached_by is not None:
            self._keys((reached_by, ALT))
        assert isinstance(self._focus, QLineEdit | QPlainTextEdit), self._focus
        first, *others = text.split("\n")
        QTest.keyClicks(self._focus, first)
        for line in others:
            self._keys((Key.Key_Return, NONE))
            QTest.keyClicks(self._focus, line)

    def answer(self, kind: type[QDialog], *keys: Key, text: str = "") -> None:
        """Wait for a question and answer it."""
        self.actions += 1
        window = self._window
        self._qtbot.waitUntil(lambda: window.findChild(kind) is not None)
        asking = present(window.findChild(kind))
        self._qtbot.waitUntil(asking.isActiveWindow)
        QTest.keyClicks(self._focus, text)
        self._keys(*((key, NONE) for key in keys))
        self._qtbot.waitUntil(lambda: window.findChild(kind) is not asking)

    def report(self, file: Path, **fields: Key) -> None:
        """Ask for the report, fill its fields by the keys that reach them, and save it as PDF."""
        self.chord(Key.Key_P, CONTROL)
        dialog = present(self._window.findChild(ReportDialog))
        self._qtbot.waitUntil(dialog.isActiveWindow)
        for text, key in fields.items():
            self.fill(text, reached_by=key)
        self._qtbot.waitUntil(dialog.save_pdf.isEnabled)
        self.choose("getSaveFileName", str(file))
        with self._qtbot.waitSignal(dialog.written):
            self.chord(Key.Key_Return)


class Mouse(Hands):
    """Clicks what it sees by the words on it, and types into what it clicked."""

    def click(self, text: str) -> None:
        """A button by its text or, where it is a picture, by what it says under the mouse."""
        self.actions += 1
        self._qtbot.waitUntil(lambda: self._button(text) is not None)
        button = present(self._button(text))
        # A box is ticked on its words, not in the room beside them.
        self._press(button, QRect(QPoint(), button.rect().size().boundedTo(button.sizeHint())))

    def tab(self, name: str) -> None:
        """A page by its tab."""
        self.actions += 1
        tabs = self._window.header.tabs
        names = [_plain(tabs.tabText(at)) for at in range(tabs.count())]
        self._press(tabs, tabs.tabRect(names.index(name)))

    def fill(self, field: QWidget, text: str) -> None:
        """Click into a field and type in place of what stands there: one action."""
        self.actions += 1
        self._qtbot.waitUntil(field.isVisible)
        self._press(field, field.rect())
        if isinstance(field, QLineEdit):
            QTest.mouseDClick(field, Qt.MouseButton.LeftButton)
        first, *others = text.split("\n")
        QTest.keyClicks(field, first)
        for line in others:
            QTest.keyClick(field, Key.Key_Return)
            QTest.keyClicks(field, line)

    def dialog(self, kind: type[Asking]) -> Asking:
        """The dialog of this kind, once it is there."""
        window = self._window
        self._qtbot.waitUntil(lambda: window.findChild(kind) is not None)
        found = present(window.findChild(kind))
        self._qtbot.waitUntil(found.isVisible)
        return found

    def _button(self, text: str) -> QAbstractButton | None:
        """The one that can be pressed now: of the dialog in front, else of the window."""
        front = QApplication.activeModalWidget() or self._window
        dialogs = [one for one in self._window.findChildren(QDialog) if one.isVisible()]
        for owner in (*dialogs[::-1], front):
            for each in owner.findChildren(QAbstractButton):
                said = (_plain(each.text()), each.toolTip())
                if text in said and each.isVisible() and each.isEnabled():
                    return each
        return None

    def _press(self, widget: QWidget, part: QRect) -> None:
        """Where a person would, if nothing covers it."""
        visible = part.intersected(widget.visibleRegion().boundingRect())
        assert not visible.isEmpty(), f"{widget} can't be seen"
        at: QPoint = visible.center()
        owner = widget.window()
        met = owner.childAt(widget.mapTo(owner, at))
        assert met is not None, f"{widget} is not in its window"
        assert met is widget or widget.isAncestorOf(met), f"{met} covers {widget}"
        there = met.mapFrom(owner, widget.mapTo(owner, at))
        QTest.mouseClick(met, Qt.MouseButton.LeftButton, NONE, there)


def _plain(text: str) -> str:
    """A button's words without the space beside its picture and the mark of its letter."""
    return text.replace("&", "").strip()

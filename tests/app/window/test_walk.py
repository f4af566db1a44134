"""The ways of a DBA, a consultant and a drive buyer through the window, by keyboard alone.

An action is a chord, a field that is filled, or a question that is answered.
"""

from __future__ import annotations

import gzip
import tempfile
from contextlib import ExitStack
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QLineEdit, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from app.controllers.selection import Choice
from app.views.dialogs.bench import START, BenchDialog
from app.views.dialogs.questions import HostKeyDialog, PasswordDialog
from app.views.dialogs.report import ReportDialog
from app.views.dialogs.target import TargetDialog
from app.views.watch import page as watch_page
from app.window.application import build, real_use_cases
from app.window.main_window import COMPARE, MainWindow
from app.window.program import rule_notes
from tests.app.printing.pdf_reading import Pdf
from tests.app.window.conftest import shut
from tests.app.window.looking import texts
from tests.present import present
from tests.servers.mariadb import ED25519, MariaDB
from tests.servers.sshd import Sshd
from tests.short_plans import SHORT, plan_of

MOST_ACTIONS = 12
MOST_ACTIONS_TO_A_REPORT = 10
CONTROL, ALT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier
SHIFT, NONE = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.NoModifier
Key = Qt.Key


class Keyboard:
    """Presses keys where the focus is, and counts what that amounts to."""

    def __init__(self, qtbot: QtBot, window: MainWindow) -> None:
        self._qtbot, self._window = qtbot, window
        self.actions = 0

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

    def answer(self, window: MainWindow, kind: type[QDialog], *keys: Key, text: str = "") -> None:
        """Wait for a question and answer it."""
        self.actions += 1
        self._qtbot.waitUntil(lambda: window.findChild(kind) is not None)
        asking = present(window.findChild(kind))
        self._qtbot.waitUntil(asking.isActiveWindow)
        QTest.keyClicks(self._focus, text)
        self._keys(*((key, NONE) for key in keys))
        self._qtbot.waitUntil(lambda: window.findChild(kind) is not asking)

    def report(
        self, window: MainWindow, patch: pytest.MonkeyPatch, file: Path, **fields: Key
    ) -> None:
        """Ask for the report, fill its fields by the keys that reach them, and save it as PDF."""
        self.chord(Key.Key_P, CONTROL)
        dialog = present(window.findChild(ReportDialog))
        self._qtbot.waitUntil(dialog.isActiveWindow)
        for text, key in fields.items():
            self.fill(text, reached_by=key)
        self._qtbot.waitUntil(dialog.save_pdf.isEnabled)
        self.choose(patch, "getSaveFileName", str(file))
        with self._qtbot.waitSignal(dialog.written):
            self.chord(Key.Key_Return)

    def choose(self, patch: pytest.MonkeyPatch, asked: str, answer: str | list[str]) -> None:
        """Name a file in the system's own dialog, which no test can type into: one action."""
        self.actions += 1
        patch.setattr(QFileDialog, asked, lambda *_args, **_named: (answer, ""))


def test_a_consultant_takes_a_case_in_and_hands_over_a_report(
    qtbot: QtBot, qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LEADLINE_HOME", str(tmp_path / "home"))
    case, logo = tmp_path / "db7.leadline", tmp_path / "logo.svg"
    case.write_bytes(gzip.decompress(Path("resources/sample/2-check.leadline.gz").read_bytes()))
    logo.write_text('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>', "utf-8")
    window = build(qapp, real_use_cases(), rule_notes())
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    hands, report = Keyboard(qtbot, window), tmp_path / "client.pdf"
    try:
        hands.choose(monkeypatch, "getOpenFileNames", [str(case)])
        hands.chord(Key.Key_I, CONTROL)
        qtbot.waitUntil(lambda: window.selection.choice == Choice("db7"))
        qtbot.waitUntil(lambda: window.advice_controller.plan is not None)
        hands.report(
            window,
            monkeypatch,
            report,
            **{"Example Shop": Key.Key_C, "Jo Doe": Key.Key_A, str(logo): Key.Key_L},
        )
        pdf = Pdf(report.read_bytes())
        assert {"Summary", "Change plan"} <= {text for _, text, _ in pdf.outline()}
    finally:
        shut(qtbot, window)
    assert hands.actions <= MOST_ACTIONS_TO_A_REPORT


def test_a_dba_adds_a_server_watches_it_and_copies_the_plan(
    qtbot: QtBot,
    qapp: QApplication,
    sshd: Sshd,
    mariadb: MariaDB,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(watch_page, "WATCH_S", 2.0)
    monkeypatch.delenv("SSH_AUTH_SOCK", raising=False)
    home = sshd.write_home(
        tmp_path / "home", f"Host db7\n  HostName {sshd.host}\n  Port {sshd.port}"
    )
    (home / ".ssh" / "known_hosts").unlink(missing_ok=True)
    monkeypatch.setenv("HOME", str(home))
    window = build(qapp, real_use_cases(), rule_notes())
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    hands = Keyboard(qtbot, window)
    try:
        hands.chord(Key.Key_N, CONTROL)
        dialog = present(window.findChild(TargetDialog))
        qtbot.waitUntil(dialog.isActiveWindow)
        hands.fill("db7")
        hands.chord(Key.Key_R, ALT)
        qtbot.waitUntil(dialog.with_mysql.isChecked)
        hands.chord(Key.Key_O, ALT)
        qtbot.waitUntil(dialog.mysql_socket.isVisible)
        hands.fill(mariadb.socket, reached_by=Key.Key_K)
        hands.fill(ED25519[0], reached_by=Key.Key_E)
        hands.chord(Key.Key_Return)
        hands.answer(window, HostKeyDialog, Key.Key_Tab, Key.Key_Return)
        hands.answer(window, PasswordDialog, Key.Key_Return, text=ED25519[1])
        qtbot.waitUntil(lambda: window.selection.choice == Choice("db7"))
        qtbot.waitUntil(lambda: window.overview.head.sentence.text().startswith("MariaDB"))
        hands.chord(Key.Key_R, CONTROL | SHIFT)
        qtbot.waitUntil(lambda: window.selection.busy is not None)
        qtbot.waitUntil(lambda: window.selection.busy is None)
        qtbot.waitUntil(lambda: window.header.quality.text().startswith("Watched for "))
        hands.chord(Key.Key_C, CONTROL | SHIFT)
        qtbot.waitUntil(lambda: "Copied as Text: " in texts(window.notice))
        assert QGuiApplication.clipboard().text() == window.advice.plan.text.toPlainText() != ""
    finally:
        shut(qtbot, window)
    assert hands.actions <= MOST_ACTIONS


def test_a_drive_buyer_benches_three_directories_and_sees_them_compared(
    qtbot: QtBot, qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LEADLINE_HOME", str(tmp_path / "home"))
    plan_of(monkeypatch, SHORT)
    window = build(qapp, real_use_cases(), {})
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    hands = Keyboard(qtbot, window)
    with ExitStack() as held:
        places = [
            held.enter_context(tempfile.TemporaryDirectory(prefix=f"drive {name} ", dir="/var/tmp"))
            for name in "ABC"
        ]
        try:
            hands.chord(Key.Key_B, CONTROL | SHIFT)
            dialog = present(window.findChild(BenchDialog))
            qtbot.waitUntil(dialog.isActiveWindow)
            hands.fill("\n".join(places))
            hands.fill("client X, October", reached_by=Key.Key_P)
            hands.chord(Key.Key_Return)
            qtbot.waitUntil(lambda: dialog.go.text() == START)
            assert "6 runs in turn" in dialog.plan_said.text()
            assert "are on the same disk" in texts(dialog.notes)
            hands.chord(Key.Key_Return)
            qtbot.waitUntil(lambda: window.pages.bench_controller.running)
            qtbot.waitUntil(lambda: not window.pages.bench_controller.running)
            qtbot.waitUntil(lambda: window.comparison_controller.comparison is not None)
            comparison = present(window.comparison_controller.comparison)
            assert [len(one.run_ids) for one in comparison.contenders] == [2, 2, 2]
            assert [one.name.rpartition(", ")[2] for one in comparison.contenders] == places
            assert window.stack.currentIndex() == COMPARE
            report = tmp_path / "drives.pdf"
            hands.report(window, monkeypatch, report)
            assert "By role" in {text for _, text, _ in Pdf(report.read_bytes()).outline()}
        finally:
            shut(qtbot, window)
    assert hands.actions <= MOST_ACTIONS_TO_A_REPORT

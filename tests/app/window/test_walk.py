"""The ways of a DBA, a consultant and a drive buyer through the window, by keyboard alone.

An action is a chord, a field that is filled, or a question that is answered.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.controllers.selection import Choice
from app.views.dialogs.bench import START, BenchDialog
from app.views.dialogs.questions import HostKeyDialog, PasswordDialog
from app.views.dialogs.target import TargetDialog
from app.views.watch import page as watch_page
from app.window.main_window import COMPARE
from app.window.program import rule_notes
from tests.app.printing.pdf_reading import Pdf
from tests.app.window.hands import (
    ALT,
    CONTROL,
    MOST_ACTIONS,
    MOST_ACTIONS_TO_A_REPORT,
    SHIFT,
    Key,
    Keyboard,
    called_db7,
    case_and_logo,
    opened,
    three_drives,
)
from tests.app.window.looking import texts
from tests.present import present
from tests.servers.mariadb import ED25519, MariaDB
from tests.servers.sshd import Sshd
from tests.short_plans import SHORT, plan_of


def test_a_consultant_takes_a_case_in_and_hands_over_a_report(
    qtbot: QtBot, qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LEADLINE_HOME", str(tmp_path / "home"))
    case, logo = case_and_logo(tmp_path)
    report = tmp_path / "client.pdf"
    with opened(qtbot, qapp, rule_notes()) as window:
        hands = Keyboard(qtbot, window, monkeypatch)
        hands.choose("getOpenFileNames", [str(case)])
        hands.chord(Key.Key_I, CONTROL)
        qtbot.waitUntil(lambda: window.selection.choice == Choice("db7"))
        qtbot.waitUntil(lambda: window.advice_controller.plan is not None)
        hands.report(
            report, **{"Example Shop": Key.Key_C, "Jo Doe": Key.Key_A, str(logo): Key.Key_L}
        )
        pdf = Pdf(report.read_bytes())
        assert {"Summary", "Change plan"} <= {text for _, text, _ in pdf.outline()}
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
    called_db7(sshd, tmp_path, monkeypatch)
    with opened(qtbot, qapp, rule_notes()) as window:
        hands = Keyboard(qtbot, window, monkeypatch)
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
        hands.answer(HostKeyDialog, Key.Key_Tab, Key.Key_Return)
        hands.answer(PasswordDialog, Key.Key_Return, text=ED25519[1])
        hands.wait_for_server("db7")
        hands.chord(Key.Key_R, CONTROL | SHIFT)
        hands.wait_for_watch()
        hands.chord(Key.Key_C, CONTROL | SHIFT)
        qtbot.waitUntil(lambda: "Copied as Text: " in texts(window.notice))
        assert QGuiApplication.clipboard().text() == window.advice.plan.text.toPlainText() != ""
    assert hands.actions <= MOST_ACTIONS


def test_a_drive_buyer_benches_three_directories_and_sees_them_compared(
    qtbot: QtBot, qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LEADLINE_HOME", str(tmp_path / "home"))
    plan_of(monkeypatch, SHORT)
    with three_drives() as places, opened(qtbot, qapp, {}) as window:
        hands = Keyboard(qtbot, window, monkeypatch)
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
        comparison = hands.wait_for_comparison()
        assert [len(one.run_ids) for one in comparison.contenders] == [2, 2, 2]
        assert [one.name.rpartition(", ")[2] for one in comparison.contenders] == places
        assert window.stack.currentIndex() == COMPARE
        report = tmp_path / "drives.pdf"
        hands.report(report)
        assert "By role" in {text for _, text, _ in Pdf(report.read_bytes()).outline()}
    assert hands.actions <= MOST_ACTIONS_TO_A_REPORT

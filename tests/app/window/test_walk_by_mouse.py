"""The ways of a DBA, a consultant and a drive buyer through the window, with the mouse.

An action is a click, a field that is clicked and filled, or a file that is chosen.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.controllers.selection import Choice
from app.views.dialogs.bench import BenchDialog
from app.views.dialogs.questions import PasswordDialog
from app.views.dialogs.report import ReportDialog
from app.views.dialogs.target import TargetDialog
from app.views.watch import page as watch_page
from app.window.program import rule_notes
from tests.app.printing.pdf_reading import Pdf
from tests.app.window.hands import (
    MOST_ACTIONS,
    MOST_ACTIONS_TO_A_REPORT,
    Mouse,
    called_db7,
    case_and_logo,
    opened,
    three_drives,
)
from tests.servers.mariadb import ED25519, MariaDB
from tests.servers.sshd import Sshd
from tests.short_plans import SHORT, plan_of


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
        hands = Mouse(qtbot, window, monkeypatch)
        hands.click("Add a target (Ctrl+N)")
        dialog = hands.dialog(TargetDialog)
        hands.fill(dialog.ssh_host, "db7")
        hands.click("A MySQL server runs there")
        hands.fill(dialog.mysql_port, str(mariadb.port))
        hands.fill(dialog.mysql_user, ED25519[0])
        hands.click("Save target")
        hands.click("Trust and connect")
        hands.fill(hands.dialog(PasswordDialog).field, f"{ED25519[1]}\n")
        hands.wait_for_server("db7")
        hands.click("Watch the server")
        hands.wait_for_watch()
        hands.click("The run is done: see its advice")
        hands.click("Change plan")
        clipboard = QGuiApplication.clipboard()
        clipboard.clear()
        hands.click("Copy")
        qtbot.waitUntil(lambda: clipboard.text() != "")
        assert clipboard.text() == window.advice.plan.text.toPlainText()
    assert hands.actions <= MOST_ACTIONS


def test_a_consultant_takes_a_case_in_and_hands_over_a_report(
    qtbot: QtBot, qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LEADLINE_HOME", str(tmp_path / "home"))
    case, logo = case_and_logo(tmp_path)
    report = tmp_path / "client.pdf"
    with opened(qtbot, qapp, rule_notes()) as window:
        hands = Mouse(qtbot, window, monkeypatch)
        hands.tab("Compare")
        hands.choose("getOpenFileNames", [str(case)])
        hands.click("Import a file…")
        qtbot.waitUntil(lambda: window.selection.choice == Choice("db7"))
        qtbot.waitUntil(lambda: window.advice_controller.plan is not None)
        hands.tab("Advice")
        hands.click("Report…")
        dialog = hands.dialog(ReportDialog)
        hands.fill(dialog.client, "Example Shop")
        hands.fill(dialog.author, "Jo Doe")
        hands.fill(dialog.logo, str(logo))
        qtbot.waitUntil(dialog.save_pdf.isEnabled)
        hands.choose("getSaveFileName", str(report))
        with qtbot.waitSignal(dialog.written):
            hands.click("Save as PDF…")
        pdf = Pdf(report.read_bytes())
        assert {"Summary", "Change plan"} <= {text for _, text, _ in pdf.outline()}
    assert hands.actions <= MOST_ACTIONS_TO_A_REPORT


def test_a_drive_buyer_benches_three_directories_and_sees_them_compared(
    qtbot: QtBot, qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LEADLINE_HOME", str(tmp_path / "home"))
    plan_of(monkeypatch, SHORT)
    report = tmp_path / "drives.pdf"
    with three_drives() as places, opened(qtbot, qapp, {}) as window:
        hands = Mouse(qtbot, window, monkeypatch)
        hands.tab("Compare")
        hands.click("Bench directories…")
        dialog = hands.dialog(BenchDialog)
        hands.fill(dialog.places, "\n".join(places))
        hands.fill(dialog.project, "client X, October")
        hands.click("Look at them")
        hands.click("Start the bench")
        comparison = hands.wait_for_comparison()
        assert [len(one.run_ids) for one in comparison.contenders] == [2, 2, 2]
        hands.click("Report…")
        paper = hands.dialog(ReportDialog)
        qtbot.waitUntil(paper.save_pdf.isEnabled)
        hands.choose("getSaveFileName", str(report))
        with qtbot.waitSignal(paper.written):
            hands.click("Save as PDF…")
        assert "By role" in {text for _, text, _ in Pdf(report.read_bytes()).outline()}
    assert hands.actions <= MOST_ACTIONS_TO_A_REPORT

"""A bench in the window: what is refused before it, and what a stop leaves."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from advisor.run import RunState
from app.presenters.compare.bench_form import COLUMNS
from app.views.dialogs.bench import LOOK, START, BenchDialog
from app.window.application import build, real_use_cases
from app.window.main_window import MainWindow
from app.window.parts import COMPARE
from tests.app.window.conftest import shut
from tests.app.window.drives import drives_called
from tests.app.window.looking import texts
from tests.present import present
from tests.short_plans import SHORT, plan_of


@pytest.fixture
def places() -> Iterator[list[str]]:
    with drives_called("AB") as made:
        yield made


@pytest.fixture
def window(
    qtbot: QtBot, qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[MainWindow]:
    monkeypatch.setenv("LEADLINE_HOME", str(tmp_path / "home"))
    plan_of(monkeypatch, SHORT)
    made = build(qapp, real_use_cases(), {})
    made.show()
    yield made
    shut(qtbot, made)


def opened(window: MainWindow) -> BenchDialog:
    window.pages.benching.ask()
    return present(window.findChild(BenchDialog))


def column(window: MainWindow, name: str) -> list[str]:
    table, at = window.compare.bench.table, COLUMNS.index(name)
    return [present(table.topLevelItem(row)).text(at) for row in range(table.topLevelItemCount())]


def test_nothing_starts_before_the_directories_were_looked_at_as_they_stand(
    qtbot: QtBot, window: MainWindow, places: list[str]
) -> None:
    dialog = opened(window)
    dialog.go.click()
    assert "0 directories were named" in _refused(qtbot, dialog)
    dialog.places.setPlainText(f"{places[0]}\n{places[0]}")
    dialog.go.click()
    assert "is named twice" in _refused(qtbot, dialog)
    dialog.places.setPlainText("\n".join(places))
    assert dialog.callout.isHidden()
    dialog.go.click()
    qtbot.waitUntil(lambda: dialog.go.text() == START)
    assert "4 runs in turn" in dialog.plan_lines.text()
    dialog.repeats.setCurrentText("5")
    assert dialog.go.text() == LOOK
    assert dialog.plan_lines.isHidden()
    assert not window.pages.bench_controller.running


def test_escape_keeps_what_was_typed_and_cancel_drops_it(qtbot: QtBot, window: MainWindow) -> None:
    dialog = opened(window)
    dialog.places.setPlainText("/mnt/a\n/mnt/b")
    dialog.project.setText("client X")
    dialog.repeats.setCurrentText("5")
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: window.findChild(BenchDialog) is None)
    again = opened(window)
    assert again.places.toPlainText() == "/mnt/a\n/mnt/b"
    assert (again.project.text(), again.repeats.currentText()) == ("client X", "5")
    again.cancel.click()
    qtbot.waitUntil(lambda: window.findChild(BenchDialog) is None)
    assert opened(window).places.toPlainText() == ""


def _refused(qtbot: QtBot, dialog: BenchDialog) -> str:
    qtbot.waitUntil(lambda: not dialog.callout.isHidden())
    assert dialog.go.text() == LOOK
    return texts(dialog.callout)


def test_a_stop_keeps_what_is_measured_in_its_project(
    qtbot: QtBot, window: MainWindow, places: list[str]
) -> None:
    controller = window.pages.bench_controller
    dialog = opened(window)
    dialog.places.setPlainText("\n".join(places))
    dialog.project.setText("client X")
    dialog.repeats.setCurrentText("10")
    dialog.go.click()
    qtbot.waitUntil(lambda: dialog.go.text() == START)
    dialog.go.click()
    qtbot.waitUntil(lambda: bool(present(controller.progress).points))
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    QTest.keyClick(window, Qt.Key.Key_Period, Qt.KeyboardModifier.ControlModifier)
    asked = present(window.halting.stopping.dialog)
    assert "Drives are being compared" in texts(asked)
    # The question stands while one turn ends and the next begins.
    qtbot.waitUntil(lambda: len(present(controller.progress).points) == len(places))
    assert window.halting.stopping.dialog is asked
    assert len(window.run_controller.measuring()) == 1
    assert "Turn " in window.compare.head.sentence.text()
    assert window.compare.bench.table.topLevelItemCount() == len(places)
    # Each drive's figures stand in its row as they come, and what is measured now beside them.
    qtbot.waitUntil(lambda: all("/s" in text for text in column(window, "Reads")))
    assert all("s" in text for text in column(window, "One takes"))
    qtbot.waitUntil(lambda: "/s" in window.compare.bench.now.text())
    QTest.keyClick(asked.yes, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not controller.running)
    assert window.run_controller.measuring() == []
    qtbot.waitUntil(lambda: window.comparison_controller.comparison is not None)
    qtbot.waitUntil(
        lambda: RunState.CANCELLED in {run.state for run in window.parts.stored_runs.shelf.runs}
    )
    assert {run.label.project for run in window.parts.stored_runs.shelf.runs} == {"client X"}
    assert window.stack.currentIndex() == COMPARE
    projects = window.sidebar.projects
    assert [projects.itemText(at) for at in range(projects.count())] == ["All projects", "client X"]


def test_between_two_turns_a_bench_is_asked_about_as_well(
    qtbot: QtBot, window: MainWindow, places: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    controller = window.pages.bench_controller
    monkeypatch.setattr(window.run_controller, "follow", lambda *_: False)
    dialog = opened(window)
    dialog.places.setPlainText("\n".join(places))
    dialog.go.click()
    qtbot.waitUntil(lambda: dialog.go.text() == START)
    dialog.go.click()
    qtbot.waitUntil(lambda: controller.measures)
    assert window.run_controller.measuring() == []
    window.halting.ask_to_stop()
    asked = present(window.halting.stopping.dialog)
    assert "between two turns" in texts(asked)
    assert controller.running
    asked.yes.click()
    qtbot.waitUntil(lambda: not controller.running)

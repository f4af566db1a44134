from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from advisor.run import RunState
from advisor.store.store import Store
from app.controllers.run import DoneRun
from app.controllers.selection import Choice
from app.views.widgets.buttons import Button
from app.window.parts import ADVICE, OVERVIEW, PROBE, WATCH
from probes.errors import DirectoryUnusable, MySQLAccessDenied, TargetUnreachable
from tests.app.window.conftest import OpenWindow, caught_up, done_window, run_to_end, shut
from tests.app.window.looking import chosen, see, stored, texts
from tests.app.window.replay import Replay


def test_a_first_start_is_one_press_away_from_measuring(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    replay.mysql = False
    replay.plan_steps = 3
    window = open_window(replay)
    assert window.stack.currentIndex() == PROBE
    assert window.selection.choice == Choice("local", None)
    qtbot.waitUntil(lambda: window.probe.setup.plan_made is not None)
    assert window.probe.setup.sandbox.isChecked()
    assert window.probe.setup.directory.text() == "/var/lib/mysql"
    see(qtbot, window.probe.setup.card, "Reads ", " to prepare files")
    window.probe.setup.card.measured.button.click()
    see(qtbot, window.probe.setup, "Writes 1 file of 1\u202fGiB in /var/lib/mysql")
    qtbot.waitUntil(lambda: "3 points in about" in window.probe.head.sentence.text())
    assert window.probe.head.button.text().strip() == "Start measuring"
    with qtbot.waitSignal(window.run_controller.ended):
        QTest.mouseClick(window.probe.head.button, Qt.MouseButton.LeftButton)
    assert stored(replay) == [RunState.DONE]


def test_where_a_server_was_found_no_other_is_started(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    window = open_window(replay)
    assert not window.probe.setup.sandbox.isChecked()


def test_the_headline_and_the_plan_tell_one_length(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    replay.plan_steps = 3
    window = open_window(replay)
    qtbot.waitUntil(lambda: window.probe.setup.plan_made is not None)
    qtbot.waitUntil(lambda: "3 points in about" in window.probe.head.sentence.text())
    assert window.probe.setup.plan_made is not None
    length = window.probe.head.sentence.text().partition(" in about ")[2].removesuffix(".")
    assert length
    assert f" in about {length}" in window.probe.setup.plan_made.lines[0]


def test_empty_pages_say_what_fills_them(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    replay.look_error = TargetUnreachable("db7 does not answer.", "Check its name.", "errno 113")
    window = open_window(replay)
    window.show_page(ADVICE)
    assert "No advice yet" in texts(window.advice)
    QTest.mouseClick(window.advice.empty.other, Qt.MouseButton.LeftButton)
    assert window.stack.currentIndex() == PROBE
    window.show_page(OVERVIEW)
    assert "Not read yet" in texts(window.overview)
    assert "db7 does not answer." in chosen(window.overview.callout)
    replay.look_error = None
    QTest.mouseClick(window.overview.empty.button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.selection.inventory is not None)
    caught_up(qtbot, window)
    assert "MySQL 8.4.8 on 32 processors" in window.overview.head.sentence.text()
    assert chosen(window.overview.callout) == ""
    window.show_page(ADVICE)
    QTest.mouseClick(window.advice.empty.button, Qt.MouseButton.LeftButton)
    assert window.stack.currentIndex() == WATCH


def test_the_overview_shows_chain_settings_and_what_is_unknown(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    window = open_window(replay)
    window.show_page(OVERVIEW)
    see(qtbot, window.overview, "vg0-data", "nvme0n1, nvme1n1")
    assert "innodb_flush_method" not in texts(window.overview)
    window.overview.details.click()
    see(qtbot, window.overview, "innodb_flush_method")
    see(qtbot, window.overview, "AMD EPYC 7543", "because the drive does not tell")


def test_home_says_what_limits_what_to_change_and_what_would_settle_most(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    window = done_window(qtbot, open_window, replay)
    window.show_page(OVERVIEW)
    page = window.overview
    see(qtbot, page, "innodb_io_capacity: ", "Open", "questions decided")
    # What was measured stands on the disk that it was measured on.
    see(qtbot, page, "reads/s of 16\u202fKiB at ")
    assert window.header.quality.text().startswith("Measured well: ")
    assert page.head.button.text().strip() == "Watch the server"
    see_it = "See the advice: innodb_io_capacity: 200 → 2000"
    rows = [row for row in page.answers.findChildren(Button) if row.accessibleName() == see_it]
    QTest.mouseClick(rows[0], Qt.MouseButton.LeftButton)
    assert window.stack.currentIndex() == ADVICE
    see(qtbot, window.advice.detail, "innodb_io_capacity")


def test_points_appear_while_the_run_goes_on(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    replay.rests_at = 3
    replay.plan_steps = 12
    window = open_window(replay)
    window.probe.start()
    chart = window.probe.measure.panel.chart
    qtbot.waitUntil(lambda: chart.picture is not None and len(chart.picture.points) >= 2)
    assert window.selection.run is not None
    assert window.selection.run.running
    assert window.probe.head.button.text().strip() == "Stop this run"
    window.show_page(OVERVIEW)
    home = window.overview.head
    qtbot.waitUntil(lambda: home.button.text().strip() == "See the run")
    assert " so far" in window.header.quality.text()
    home.press()
    assert window.stack.currentIndex() == PROBE
    assert (
        "so far" in window.probe.head.sentence.text()
        or "warming" in window.probe.head.sentence.text()
    )
    assert window.status_bar.cancel.isVisible()
    qtbot.waitUntil(lambda: "Random read" in window.status_bar.doing.text())
    replay.rests_at = None
    qtbot.waitUntil(lambda: not window.selection.busy)
    qtbot.waitUntil(lambda: "reach" in window.probe.head.sentence.text())
    assert window.probe.head.button.text().strip().startswith("Measure again")
    assert not window.status_bar.cancel.isVisible()


def test_cancelling_keeps_what_was_measured(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    replay.rests_at = 2
    window = open_window(replay)
    window.probe.start()
    qtbot.waitUntil(lambda: bool(window.selection.run and window.selection.run.points))
    with qtbot.waitSignal(window.run_controller.ended):
        QTest.mouseClick(window.probe.head.button, Qt.MouseButton.LeftButton)
    assert stored(replay) == [RunState.CANCELLED]
    run = window.selection.run
    assert run is not None
    assert run.points
    qtbot.waitUntil(lambda: window.probe.head.sentence.text().startswith("Cancelled after"))
    qtbot.waitUntil(lambda: isinstance(window.selection.run, DoneRun))
    window.show_page(ADVICE)
    assert "change: " in window.advice.head.sentence.text()


def test_a_failed_run_says_what_to_do(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    replay.error = DirectoryUnusable("/data exited unexpectedly.", "Mount it again.", "errno 5")
    window = open_window(replay)
    run_to_end(qtbot, window)
    qtbot.waitUntil(lambda: "failed after 3 points" in window.probe.head.sentence.text())
    callout = window.probe.measure.callout
    assert "/data exited unexpectedly.\nMount it again." in chosen(callout)
    assert not callout.details.isVisible()
    callout.more.click()
    assert callout.details.isVisible()
    callout.copy_button.click()
    assert (
        QGuiApplication.clipboard().text() == "/data exited unexpectedly.\nMount it again.\nerrno 5"
    )
    assert stored(replay) == [RunState.FAILED]


def test_a_run_that_cannot_begin_leaves_the_setup_open(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay, monkeypatch: pytest.MonkeyPatch
) -> None:
    fault = MySQLAccessDenied("The server refused root.", "Check the password.")

    def refuse(*_arguments: object) -> object:
        raise fault

    monkeypatch.setattr(replay, "measure", refuse)
    window = open_window(replay)
    window.probe.start()
    qtbot.waitUntil(lambda: "refused root" in chosen(window.probe.callout))
    assert window.probe.head.button.text().strip() == "Start measuring"
    assert stored(replay) == []


def test_a_target_is_measured_once_at_a_time(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    replay.rests_at = 2
    window = open_window(replay)
    window.probe.start()
    window.probe.start()
    assert "measured already" in texts(window.probe.callout)
    assert len(window.run_controller.measuring()) == 1


def test_closing_during_a_run_ends_it_and_keeps_it(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    replay.rests_at = 2
    window = open_window(replay)
    window.probe.start()
    qtbot.waitUntil(lambda: bool(window.selection.run and window.selection.run.points))
    with qtbot.waitSignal(window.finished):
        window.close_at_once()
        assert not window.isVisible()
    assert stored(replay) == [RunState.CANCELLED]
    with Store.open(replay.path) as store:
        assert store.points(1)


@pytest.mark.parametrize("page", [OVERVIEW, PROBE, ADVICE])
def test_each_page_survives_closing_while_it_loads(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay, page: int
) -> None:
    replay.pause_s = 0.3
    window = open_window(replay)
    window.show_page(page)
    window.overview.look()
    shut(qtbot, window)

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from advisor.store.store import RunState, Store
from app.main_window import ADVICE, OVERVIEW, PROBE, MainWindow
from app.state import Choice
from app.theme.appearance import Mode
from app.theme.tokens import DARK, LIGHT
from app.views.callout import Callout
from app.views.question_dialogs import HostKeyDialog, PasswordDialog
from app.views.target_dialog import TargetDialog
from probes.errors import DirectoryUnusable, MySQLAccessDenied, TargetUnreachable
from probes.points import Probe
from probes.targets.address import SshAddress, TargetKind, TargetSpec
from tests.app.window.conftest import OpenWindow, caught_up, run_to_end, shut
from tests.app.window.replay import Replay


def texts(widget: QWidget) -> str:
    """Everything that a widget says to somebody who looks at it."""
    return "\n".join(one.text() for one in widget.findChildren(QLabel) if one.isVisibleTo(widget))


def see(qtbot: QtBot, widget: QWidget, *parts: str) -> None:
    """Wait until a widget says all of this: what is new on a page shows a moment later."""
    qtbot.waitUntil(lambda: all(part in texts(widget) for part in parts))


def chosen(callout: Callout) -> str:
    return texts(callout) if callout.isVisibleTo(callout.window()) else ""


def stored(replay: Replay) -> list[RunState]:
    with Store.open(replay.path) as store:
        return [run.state for run in store.runs()]


# First start, empty pages


def test_a_first_start_is_one_press_away_from_measuring(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    replay.mysql = False
    replay.plan_steps = 3
    window = open_window(replay)
    assert window.stack.currentIndex() == PROBE
    assert window.state.choice == Choice("local", None)
    qtbot.waitUntil(lambda: window.probe.setup.plan_made is not None)
    assert window.probe.setup.sandbox.isChecked()
    see(qtbot, window.probe.setup, "Writes 1 file of 1 GiB in /var/lib/mysql")
    qtbot.waitUntil(lambda: "3 points in about" in window.probe.head.sentence.text())
    assert window.probe.head.button.text().strip() == "Start probing"
    with qtbot.waitSignal(window.bench.ended):
        qtbot.mouseClick(window.probe.head.button, Qt.MouseButton.LeftButton)
    assert stored(replay) == [RunState.DONE]


def test_where_a_server_was_found_no_other_is_started(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    window = open_window(replay)
    assert not window.probe.setup.sandbox.isChecked()


def test_empty_pages_say_what_fills_them(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    replay.look_error = TargetUnreachable("db7 does not answer.", "Check its name.", "errno 113")
    window = open_window(replay)
    window.show_page(ADVICE)
    assert "No advice yet" in texts(window.advice)
    qtbot.mouseClick(window.advice.empty.button, Qt.MouseButton.LeftButton)
    assert window.stack.currentIndex() == PROBE
    window.show_page(OVERVIEW)
    assert "Not looked at yet" in texts(window.overview)
    assert "db7 does not answer." in chosen(window.overview.callout)
    replay.look_error = None
    qtbot.mouseClick(window.overview.empty.button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.state.inventory is not None)
    caught_up(qtbot, window)
    assert "MySQL 8.4.8 on 32 processors" in window.overview.head.sentence.text()
    assert chosen(window.overview.callout) == ""


def test_the_overview_shows_chain_settings_and_what_is_unknown(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    window = open_window(replay)
    window.show_page(OVERVIEW)
    see(qtbot, window.overview, "vg0-data", "nvme0n1, nvme1n1", "innodb_flush_method")
    see(qtbot, window.overview, "AMD EPYC 7543", "because the drive does not tell")


# A run


def test_points_appear_while_the_run_goes_on(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    replay.pause_s = 0.03
    replay.plan_steps = 12
    window = open_window(replay)
    window.probe.start()
    chart = window.probe.measure.panel.chart
    qtbot.waitUntil(lambda: chart.picture is not None and len(chart.picture.points) >= 2)
    assert window.state.run is not None
    assert window.state.run.running
    assert window.probe.head.button.text().strip() == "Cancel"
    assert (
        "so far" in window.probe.head.sentence.text()
        or "warming" in window.probe.head.sentence.text()
    )
    assert window.strip.cancel.isVisible()
    assert "Random read" in window.strip.doing.text()
    qtbot.waitUntil(lambda: not window.state.busy, timeout=20_000)
    qtbot.waitUntil(lambda: "reach" in window.probe.head.sentence.text())
    assert window.probe.head.button.text().strip().startswith("Probe again")
    assert not window.strip.cancel.isVisible()


def test_cancelling_keeps_what_was_measured(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    replay.pause_s = 0.05
    window = open_window(replay)
    window.probe.start()
    qtbot.waitUntil(lambda: bool(window.state.run and window.state.run.points))
    with qtbot.waitSignal(window.bench.ended, timeout=2000):
        qtbot.mouseClick(window.probe.head.button, Qt.MouseButton.LeftButton)
    assert stored(replay) == [RunState.CANCELLED]
    run = window.state.run
    assert run is not None
    assert run.points
    qtbot.waitUntil(lambda: window.probe.head.sentence.text().startswith("Cancelled after"))
    qtbot.waitUntil(lambda: run.judgement is not None)
    window.show_page(ADVICE)
    assert "rule" in window.advice.head.sentence.text()


def test_a_failed_run_says_what_to_do(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    replay.error = DirectoryUnusable("/data went away.", "Mount it again.", "errno 5")
    window = open_window(replay)
    run_to_end(qtbot, window)
    qtbot.waitUntil(lambda: "failed after 3 points" in window.probe.head.sentence.text())
    callout = window.probe.measure.callout
    assert "/data went away.\nMount it again." in chosen(callout)
    assert not callout._details.isVisible()
    callout._more.click()
    assert callout._details.isVisible()
    callout._copy.click()
    assert QGuiApplication.clipboard().text() == "/data went away.\nMount it again.\nerrno 5"
    assert stored(replay) == [RunState.FAILED]


def test_a_run_that_cannot_begin_leaves_the_setup_open(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay, monkeypatch: pytest.MonkeyPatch
) -> None:
    fault = MySQLAccessDenied("The server refused root.", "Check the password.")

    def refuse(*_arguments: object) -> object:
        raise fault

    monkeypatch.setattr(replay, "check", refuse)
    window = open_window(replay)
    window.probe.start()
    qtbot.waitUntil(lambda: "refused root" in chosen(window.probe.callout))
    assert window.probe.head.button.text().strip() == "Start probing"
    assert stored(replay) == []


def test_a_target_is_measured_once_at_a_time(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    replay.pause_s = 0.05
    window = open_window(replay)
    window.probe.start()
    window.probe.start()
    assert "measured already" in texts(window.probe.callout)
    assert len(window.bench.measuring()) == 1


def test_closing_during_a_run_ends_it_and_keeps_it(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    replay.pause_s = 0.05
    window = open_window(replay)
    window.probe.start()
    qtbot.waitUntil(lambda: bool(window.state.run and window.state.run.points))
    with qtbot.waitSignal(window.finished, timeout=2000):
        window.close()
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


# Stored runs


def test_a_stored_run_is_shown_and_judged_anew(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    first = open_window(replay)
    run_to_end(qtbot, first)
    shut(qtbot, first)
    window = open_window(replay)
    qtbot.waitUntil(lambda: window.sidebar.tree.model().rowCount(_top(window)) == 1)
    window.sidebar.tree.setCurrentIndex(window.sidebar.tree.model().index(0, 0, _top(window)))
    assert window.state.choice == Choice("local", 1)
    qtbot.waitUntil(lambda: window.probe.measure.panel.picture is not None)
    assert "reach" in window.probe.head.sentence.text()
    window.show_page(ADVICE)
    assert "innodb_io_capacity from 200 to 2000" in window.advice.head.sentence.text()
    window.state.choose(Choice("local"))
    assert "innodb_io_capacity" in window.advice.head.sentence.text()


def _top(window: MainWindow) -> object:
    return window.sidebar.tree.model().index(0, 0)


def test_advice_marks_its_points_and_copies(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    window = open_window(replay)
    run_to_end(qtbot, window)
    window.show_page(ADVICE)
    detail = window.advice.detail
    see(qtbot, detail, "The drive wrote up to")
    picture = detail.panel.picture
    assert picture is not None
    assert picture.probe is Probe.RANDOM_WRITE
    marked = detail.panel.chart._plots[0].curves.scene_shown.marked
    assert marked == {one.id for one in picture.points}
    detail.more.click()
    assert detail._documentation.isVisible()
    assert "io_capacity" in detail._documentation.toPlainText()
    window.advice.head.button.click()
    assert "SET PERSIST innodb_io_capacity = 2000;" in QGuiApplication.clipboard().text()
    for _ in range(3):
        QTest.keyClick(window.advice.list, Qt.Key.Key_Down)
    see(qtbot, detail, "The server's load was not watched.")
    assert not detail.panel.isVisible()


def test_a_deleted_run_can_be_taken_back(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    window = open_window(replay)
    run_to_end(qtbot, window)
    qtbot.waitUntil(lambda: window.sidebar.tree.model().rowCount(_top(window)) == 1)
    QTest.keyClick(window.sidebar.tree, Qt.Key.Key_Delete)
    assert window.sidebar.tree.model().rowCount(_top(window)) == 0
    assert window.notice.isVisible()
    qtbot.mouseClick(window.notice.undo, Qt.MouseButton.LeftButton)
    assert window.sidebar.tree.model().rowCount(_top(window)) == 1
    window.sidebar.tree.setCurrentIndex(window.sidebar.tree.model().index(0, 0, _top(window)))
    window.sidebar.tree.setFocus()
    QTest.keyClick(window.sidebar.tree, Qt.Key.Key_Delete)
    assert window.sidebar.tree.model().rowCount(_top(window)) == 0
    shut(qtbot, window)
    assert stored(replay) == []


# Charts


def done_window(qtbot: QtBot, open_window: OpenWindow, replay: Replay) -> MainWindow:
    window = open_window(replay)
    window.probe.setup.sandbox.setChecked(True)
    run_to_end(qtbot, window)
    qtbot.waitUntil(lambda: "reach" in window.probe.head.sentence.text())
    return window


def hover(window: MainWindow, plot: int, x: float, y: float) -> None:
    chart = window.probe.measure.panel.chart
    box = chart._plots[plot].item.getViewBox()
    chart._moved(chart._plots[plot], box.mapViewToScene(QPointF(x, y)))


def test_one_cursor_reads_both_charts(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    window = done_window(qtbot, open_window, replay)
    panel = window.probe.measure.panel
    hover(window, 1, 3.2, 3.0)
    assert [plot.curves.cursor for plot in panel.chart._plots] == [3.0, 3.0]
    assert panel._position.text() == "At 8 threads"
    at_eight = [panel.readout.index(row, 1).data() for row in range(3)]
    hover(window, 0, 6.4, 10.0)
    assert panel._position.text() == "At 64 threads"
    assert [panel.readout.index(row, 1).data() for row in range(3)] != at_eight


def test_hovering_over_a_point_tells_all_of_it(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    window = done_window(qtbot, open_window, replay)
    chart = window.probe.measure.panel.chart
    mark = chart._plots[0].curves.scene_shown.traces[2].marks[4]
    hover(window, 0, mark.x, mark.y)
    assert chart._card.isVisible()
    said = chart._card.findChild(QLabel).text()
    for part in ("16\u202fKiB · 16 threads", "±", "p50", "p95", "p99", "CPU per operation", "ok"):
        assert part in said
    hover(window, 0, mark.x + 0.5, mark.y * 0.2)
    assert not chart._card.isVisible()


def test_curves_are_hidden_by_their_legend(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    window = done_window(qtbot, open_window, replay)
    panel = window.probe.measure.panel
    panel._table.setCurrentIndex(panel.readout.index(0, 0))
    QTest.keyClick(panel._table, Qt.Key.Key_Space)
    assert [trace.index for trace in panel.chart._plots[0].curves.scene_shown.traces] == [1, 2]
    QTest.keyClick(panel._table, Qt.Key.Key_Space)
    assert len(panel.chart._plots[0].curves.scene_shown.traces) == 3


def test_rejected_points_are_shown_on_request(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    replay.doubtful = True
    window = done_window(qtbot, open_window, replay)
    panel = window.probe.measure.panel
    assert not panel.chart._plots[0].curves.scene_shown.show_rejected
    before = panel.chart.grab().toImage()
    panel._switches["show_rejected"].trigger()
    assert panel.chart._plots[0].curves.scene_shown.show_rejected
    assert panel.chart.grab().toImage() != before


def test_a_row_lights_its_point(qtbot: QtBot, open_window: OpenWindow, replay: Replay) -> None:
    window = done_window(qtbot, open_window, replay)
    panel = window.probe.measure.panel
    panel._side_tabs.button("points").click()
    assert panel.points.topLevelItemCount() == 21
    panel.points.setCurrentItem(panel.points.topLevelItem(2))
    assert panel.chart._plots[0].curves.hovered is not None
    QTest.keyClick(panel.points, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text().count("\n") == 2


def test_every_probe_has_its_chart(qtbot: QtBot, open_window: OpenWindow, replay: Replay) -> None:
    window = done_window(qtbot, open_window, replay)
    panel = window.probe.measure.panel
    for probe, axis in ((Probe.REDO_SYNC, "Block size"), (Probe.POINT_SELECT, "Connections")):
        panel.segments.button(probe.value).click()
        assert panel.chart.picture is not None
        assert panel.chart.picture.probe is probe
        assert panel.chart._axis_title.text() == axis


def test_the_chart_follows_the_appearance(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    window = done_window(qtbot, open_window, replay)
    chart = window.probe.measure.panel.chart
    for mode, palette in ((Mode.DARK, DARK), (Mode.LIGHT, LIGHT)):
        window.choose_appearance(mode)
        corner = chart.grab().toImage().pixelColor(2, chart.height() // 2)
        assert corner.name() == palette.ground


# The keyboard, sizes, memory


def test_the_whole_job_by_keyboard(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay, qapp: QApplication
) -> None:
    replay.plan_steps = 24
    window = open_window(replay)
    window.activateWindow()
    control = Qt.KeyboardModifier.ControlModifier
    for key, page in ((Qt.Key.Key_1, OVERVIEW), (Qt.Key.Key_3, ADVICE), (Qt.Key.Key_2, PROBE)):
        QTest.keyClick(window, key, control)
        assert window.stack.currentIndex() == page
    with qtbot.waitSignal(window.bench.ended, timeout=20_000):
        QTest.keyClick(window, Qt.Key.Key_R, control)
    chart = window.probe.measure.panel.chart
    qtbot.waitUntil(lambda: bool(chart.picture and chart.picture.series))
    chart.setFocus()
    QTest.keyClick(chart, Qt.Key.Key_Right)
    QTest.keyClick(chart, Qt.Key.Key_Right)
    assert chart.position == 1.0
    replay.pause_s = 0.05
    QTest.keyClick(window, Qt.Key.Key_R, control)
    assert window.state.choice.run_id is None
    QTest.keyClick(window, Qt.Key.Key_R, control)
    qtbot.waitUntil(lambda: bool(window.bench.measuring()))
    with qtbot.waitSignal(window.bench.ended, timeout=3000):
        QTest.keyClick(window, Qt.Key.Key_Escape)
    QTest.keyClick(window, Qt.Key.Key_N, control)
    dialog = window.findChild(TargetDialog)
    assert dialog is not None
    QTest.keyClick(dialog, Qt.Key.Key_Escape)


def test_tab_reaches_every_control_of_a_page(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay, qapp: QApplication
) -> None:
    window = open_window(replay)
    window.activateWindow()
    setup = window.probe.setup
    wanted = {
        window.sidebar.search,
        window.sidebar.tree,
        window.header.tabs,
        window.probe.head.button,
        setup.directory,
        setup.browse,
        setup.plan.button("quick"),
        setup.sandbox,
    }
    window.sidebar.search.setFocus()
    reached = set()
    for _ in range(40):
        reached.add(qapp.focusWidget())
        QTest.keyClick(qapp.focusWidget() or window, Qt.Key.Key_Tab)
    assert wanted <= reached


def test_everything_fits_the_smallest_size(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    window = done_window(qtbot, open_window, replay)
    for page in (OVERVIEW, PROBE, ADVICE):
        window.show_page(page)
        window.resize(1024, 700)
        qtbot.waitUntil(lambda: window.width() == 1024)
        assert (window.width(), window.height()) == (1024, 700)
        for button in window.findChildren(QWidget):
            if button.isVisible() and button.metaObject().className() in ("Button", "CopyButton"):
                right = button.mapTo(window, QPoint(button.width(), 0)).x()
                assert right <= 1024, (page, button.text())


def test_sizes_and_choices_are_remembered(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    first = open_window(replay)
    first.resize(1024, 760)
    first.splitter.setSizes([300, 724])
    first.choose_appearance(Mode.DARK)
    first.probe.setup.plan.button("standard").click()
    first.probe.setup.directory.setText("/srv/with space/ü")
    run_to_end(qtbot, first)
    first.show_page(ADVICE)
    shut(qtbot, first)
    second = open_window(replay)
    # The off-screen screen is 800 pixels wide, so a width is cut to what the window needs at least.
    assert second.height() == 760
    assert second.splitter.sizes()[0] == 300
    assert second._appearance.mode is Mode.DARK
    assert second.stack.currentIndex() == ADVICE
    assert second.probe.setup.plan.key == "standard"
    assert second.probe.setup.directory.text() == "/srv/with space/ü"
    second.choose_appearance(Mode.LIGHT)


def test_a_spoiled_settings_file_is_no_obstacle(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay, tmp_path: Path
) -> None:
    home = tmp_path / "leadline-home"
    home.mkdir(parents=True, exist_ok=True)
    (home / "window.ini").write_bytes(b"\x00[window]\npage=seven\nappearance=plaid\ngeometry=1\n")
    window = open_window(replay)
    assert window.stack.currentIndex() == PROBE


# Targets and questions


def test_a_target_is_added_tried_and_saved(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    window = open_window(replay)
    window.add_target()
    dialog = window.findChild(TargetDialog)
    assert dialog is not None
    dialog.save.click()
    assert "SSH host is missing" in chosen(dialog.callout)
    QTest.keyClicks(dialog.ssh_host, "db7.example")
    QTest.keyClicks(dialog.name, "db7")
    dialog.test.click()
    qtbot.waitUntil(lambda: "Connected to db7." in chosen(dialog.callout))
    dialog.save.click()
    qtbot.waitUntil(lambda: window.state.choice == Choice("db7"))
    assert window.state.spec.ssh == SshAddress("db7.example")
    assert window.stack.currentIndex() == OVERVIEW
    assert "Not looked at yet" in texts(window.overview)
    with Store.open(replay.path) as store:
        assert store.target("db7") is not None
    window.edit_target("db7")
    again = window.findChild(TargetDialog)
    assert again.ssh_host.text() == "db7.example"
    again.name.setText("db8")
    again.save.click()
    qtbot.waitUntil(lambda: window.state.choice == Choice("db8"))
    with Store.open(replay.path) as store:
        assert [spec.name for spec in store.targets()] == ["db8"]


def test_a_failing_test_says_why_and_can_be_stopped(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    replay.test_error = TargetUnreachable("db7 does not answer.", "Check its name.")
    window = open_window(replay)
    window.add_target()
    dialog = window.findChild(TargetDialog)
    QTest.keyClicks(dialog.ssh_host, "db7")
    dialog.test.click()
    qtbot.waitUntil(lambda: "db7 does not answer." in chosen(dialog.callout))
    replay.test_error, replay.pause_s = None, 60.0
    dialog.test.click()
    assert dialog.test.text().strip() == "Stop"
    dialog.test.click()
    qtbot.waitUntil(lambda: "Test" in dialog.test.text())
    dialog.test.click()
    dialog.reject()


def test_questions_of_a_job_are_dialogs(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    replay.ask_password = True
    window = open_window(replay)
    window.add_target()
    dialog = window.findChild(TargetDialog)
    QTest.keyClicks(dialog.ssh_host, "db7")
    dialog.test.click()
    qtbot.waitUntil(lambda: window.findChild(HostKeyDialog) is not None)
    asking = window.findChild(HostKeyDialog)
    assert "SHA256:abc" in texts(asking)
    assert asking.no.isDefault()
    asking.yes.click()
    qtbot.waitUntil(lambda: window.findChild(PasswordDialog) is not None)
    password = window.findChild(PasswordDialog)
    assert password.field.echoMode() is password.field.EchoMode.Password
    QTest.keyClicks(password.field, "s3cret")
    QTest.keyClick(password.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: replay.answers == [True, "s3cret"])
    dialog.reject()


def test_declining_a_question_is_an_answer(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    replay.ask_password = True
    window = open_window(replay)
    job = window.bench.test(TargetSpec(TargetKind.SSH, "db7", SshAddress("db7")))
    window.bench.begin(job)
    qtbot.waitUntil(lambda: window.findChild(HostKeyDialog) is not None)
    QTest.keyClick(window.findChild(HostKeyDialog), Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: window.findChild(PasswordDialog) is not None)
    window.findChild(PasswordDialog).no.click()
    qtbot.waitUntil(lambda: replay.answers == [False, None])


def test_closing_while_a_question_is_open_ends_the_job(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    replay.ask_password = True
    window = open_window(replay)
    window.bench.begin(window.bench.test(TargetSpec(TargetKind.SSH, "db7", SshAddress("db7"))))
    qtbot.waitUntil(lambda: window.findChild(HostKeyDialog) is not None)
    shut(qtbot, window)
    assert replay.answers == []


def test_a_store_that_cannot_be_read_is_said(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    replay.path.mkdir()
    window = open_window(replay)
    qtbot.waitUntil(lambda: chosen(window.callout) != "")


def test_a_store_that_was_spoiled_is_set_aside_and_said(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    replay.path.write_bytes(b"this is no database at all, whatever its name says" * 200)
    window = open_window(replay)
    qtbot.waitUntil(window.notice.isVisible)
    run_to_end(qtbot, window)
    assert stored(replay) == [RunState.DONE]

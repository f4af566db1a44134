"""The watch page: what a watch is, one that starts and ends there, and what it saw."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QGuiApplication, QImage, QKeySequence
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from advisor.run import RunKind, RunState
from advisor.runs.events import CheckEvent, Progressed, WatchGrew
from advisor.runs.requests import WatchRequest
from advisor.store.store import Store
from app.controllers.selection import Choice
from app.presenters.watch.page import BACKGROUND, BOUNDS, call_table
from app.theme.appearance import Appearance, Mode
from app.views.dialogs.target import TargetDialog
from app.views.watch.call_table import CallTableView
from app.window.main_window import MainWindow
from app.window.parts import ADVICE, OVERVIEW, PROBE, WATCH
from probes.cancel import CancelToken
from probes.errors import MySQLAccessDenied, UsageError
from probes.inventory.facts import Missing
from probes.targets.address import Prompts, SshAddress, TargetKind, TargetSpec
from probes.watch.server_series import FILE_IO
from tests.app.window.conftest import OpenWindow, Play, caught_up, done_window
from tests.app.window.looking import chosen, texts
from tests.app.window.replay import Replay
from tests.app.window.watched import watched
from tests.present import present


def watch(qtbot: QtBot, window: MainWindow) -> None:
    """Press the page's button and wait for the end of the watch."""
    window.show_page(WATCH)
    with qtbot.waitSignal(window.run_controller.ended):
        QTest.mouseClick(window.watch.head.button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.selection.kind is RunKind.WATCH)
    caught_up(qtbot, window)


@pytest.fixture(scope="module")
def play() -> Play:
    return watch


def lit(image: QImage) -> int:
    """How many colours a picture has."""
    return len(
        {image.pixel(x, y) for x in range(0, image.width(), 3) for y in range(image.height())}
    )


def test_an_empty_page_says_what_a_watch_is_and_starts_one(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    window = open_window(replay)
    window.show_page(WATCH)
    assert "Not watched yet" in texts(window.watch)
    assert "It adds no load" in texts(window.watch)
    with qtbot.waitSignal(window.run_controller.ended):
        QTest.mouseClick(window.watch.head.button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "61" in window.watch.head.sentence.text())
    with Store.open(replay.path) as store:
        ((run),) = store.runs()
    assert (run.kind, run.state) == (RunKind.WATCH, RunState.DONE)


def test_where_no_server_is_known_that_is_said_and_one_can_be_added(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    replay.mysql = False
    window = open_window(replay)
    window.pages.going.look()
    qtbot.waitUntil(lambda: window.selection.inventory is not None)
    assert window.overview.server.isVisible()
    window.show_page(WATCH)
    assert "No MySQL server here lets this account in" in texts(window.watch)
    QTest.mouseClick(window.watch.head.button, Qt.MouseButton.LeftButton)
    dialog = present(window.findChild(TargetDialog))
    assert dialog.form.kind is TargetKind.LOCAL
    dialog.close()


def test_a_machine_s_server_is_added_to_its_target(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    replay.mysql = False
    with Store.open(replay.path) as store:
        store.save_target(TargetSpec(TargetKind.SSH, "db7", SshAddress("db7.example.org")))
    window = open_window(replay)
    window.selection.choose(Choice("db7"))
    window.pages.going.look()
    qtbot.waitUntil(lambda: window.selection.inventory is not None)
    window.show_page(OVERVIEW)
    QTest.mouseClick(window.overview.server, Qt.MouseButton.LeftButton)
    dialog = present(window.findChild(TargetDialog))
    assert (dialog.form.name, dialog.form.ssh_host) == ("db7", "db7.example.org")
    dialog.close()


def test_a_watch_is_drawn_with_its_measures_and_its_latencies(done: MainWindow) -> None:
    picture = done.watch.picture
    assert "0.26 threads at a time are in file I/O" in done.watch.head.sentence.text()
    assert picture.lanes.sheet.lanes[0].title == "Reads under way"
    QTest.mouseClick(picture.measures.button("rate"), Qt.MouseButton.LeftButton)
    assert picture.lanes.sheet.lanes[0].title == "Reads/s"
    shown = picture.heat.picture
    assert shown is not None
    assert shown.cells
    picture.subjects.list.setCurrentIndex(1)
    picture.subjects.list.activated.emit(1)
    after = picture.heat.picture
    assert after is not None
    assert after.title.startswith("Redo syncs")
    assert after.cells == ()
    assert "The mean of each stretch as the server timed it" in texts(picture)


def test_the_pictures_are_drawn_in_both_appearances(done: MainWindow) -> None:
    for mode in (Mode.LIGHT, Mode.DARK):
        done.choose_appearance(mode)
        assert lit(done.watch.picture.heat.grab().toImage()) > 10
        assert lit(done.watch.picture.table.grab().toImage()) > 10


def test_one_cursor_reads_timeline_and_heat_map(qtbot: QtBot, done: MainWindow) -> None:
    picture = done.watch.picture
    QTest.mouseMove(picture.lanes, QPoint(picture.lanes.width() // 2, 40))
    qtbot.waitUntil(lambda: picture.heat.cursor_at is not None)
    assert picture.heat.cursor_at == picture.lanes.cursor_at
    QTest.mouseMove(picture.heat, QPoint(picture.heat.width() // 3, picture.heat.height() // 2))
    qtbot.waitUntil(lambda: picture.heat.cursor_at != picture.lanes.cursor_at)
    assert picture.lanes.cursor_at is not None
    assert abs(picture.lanes.cursor_at - (picture.heat.cursor_at or 0)) <= 0.5


def test_rows_of_the_table_are_copied(done: MainWindow) -> None:
    table = done.watch.picture.table
    table.setFocus()
    table.selectAll()
    QTest.keySequence(table, QKeySequence(QKeySequence.StandardKey.Copy))
    first = QGuiApplication.clipboard().text().splitlines()[0].split("\t")
    assert first[:2] == ["Data reads", "200/s"]
    assert len(first) == 5


def test_the_background_has_a_column_where_anything_is_under_way_there(
    qtbot: QtBot, appearance: Appearance
) -> None:
    table = CallTableView(appearance)
    qtbot.addWidget(table)
    known = watched()
    reads, *others = known.files
    behind = replace(known, files=(replace(reads, queued=1.0), *others))
    for seen, hidden in ((known, True), (behind, False), (known, True)):
        table.show_table(call_table(seen))
        assert table.isColumnHidden(BACKGROUND) is hidden


def test_the_ranges_have_an_axis_above_them(qtbot: QtBot, appearance: Appearance) -> None:
    table = CallTableView(appearance)
    qtbot.addWidget(table)
    table.resize(1100, 200)
    table.show()
    bare = table.header().grab().toImage()
    table.show_table(call_table(watched()))
    width = table.columnWidth(BOUNDS)
    ticks = table.header().grab().toImage()
    place = QRect(table.header().sectionPosition(BOUNDS), 0, width, table.header().height())
    assert bare.copy(place) != ticks.copy(place)
    assert table.header().defaultAlignment() & Qt.AlignmentFlag.AlignLeft


def test_where_there_is_little_room_figures_alone_tell_a_range(
    qtbot: QtBot, appearance: Appearance
) -> None:
    table = CallTableView(appearance)
    qtbot.addWidget(table)
    table.show_table(call_table(watched()))
    table.show()
    table.resize(1100, table.height())
    QTest.qWait(0)
    figures = table.header().length() - table.columnWidth(BOUNDS)
    for room, narrow in ((300, False), (60, True), (300, False)):
        table.resize(figures + room, table.height())
        QTest.qWait(0)
        assert table.isColumnHidden(BOUNDS) is narrow
        assert table.horizontalScrollBar().maximum() == 0


def test_the_files_that_the_time_goes_to_are_listed_with_their_whole_paths(
    done: MainWindow,
) -> None:
    files = done.watch.picture.files
    assert files.isVisible()
    found = (files.topLevelItem(at) for at in range(files.topLevelItemCount()))
    items = [each for each in found if each is not None]
    assert [each.text(0) for each in items] == [
        "shop/orders.ibd",
        "#innodb_redo/#ib_redo7",
        "/mnt/old/shop/archive.ibd",
        "2 other files",
    ]
    assert items[0].toolTip(0) == "/data/shop/orders.ibd"
    last = files.visualItemRect(items[-1])
    assert files.viewport().rect().contains(last)
    files.setFocus()
    files.selectAll()
    QTest.keySequence(files, QKeySequence(QKeySequence.StandardKey.Copy))
    first = QGuiApplication.clipboard().text().splitlines()[0].split("\t")
    assert first[:2] == ["shop/orders.ibd", "data"]


def test_a_watch_that_goes_on_is_said_and_can_be_stopped(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    replay.rests_at = 0
    window = open_window(replay)
    window.show_page(WATCH)
    window.watch.press()
    qtbot.waitUntil(
        lambda: (
            window.watch.head.sentence.text() == "Watching the server's own work, 18\u202fs left."
        )
    )
    assert window.watch.head.button.text().strip() == "Stop"
    # The one button that ends it is on its own page, and the header's everywhere else.
    assert not window.header.stop.isVisible()
    assert not window.status_bar.cancel.isVisible()
    window.show_page(OVERVIEW)
    qtbot.waitUntil(window.header.stop.isVisible)
    window.show_page(WATCH)
    qtbot.waitUntil(window.header.stop.isHidden)
    assert window.watch.empty.button.isHidden()
    with qtbot.waitSignal(window.run_controller.ended):
        window.watch.press()
    caught_up(qtbot, window)
    assert "Not watched yet" in texts(window.watch)
    with Store.open(replay.path) as store:
        assert list(store.runs()) == []


def test_a_watch_that_fails_says_why_on_its_own_page(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    replay.error = MySQLAccessDenied("db7 refuses app.", "Check the password.")
    window = open_window(replay)
    window.show_page(WATCH)
    with qtbot.waitSignal(window.run_controller.ended):
        window.watch.press()
    qtbot.waitUntil(lambda: "db7 refuses app." in chosen(window.watch.callout))
    assert "Not watched yet" in texts(window.watch)
    window.show_page(PROBE)
    assert "db7 refuses app." not in chosen(window.probe.callout)


def test_a_watch_without_a_server_names_the_button_that_adds_one(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    replay.mysql = False
    replay.error = UsageError(
        "No MySQL server was named, and none was found in the usual places.",
        "Name one with --mysql.",
    )
    window = open_window(replay)
    window.pages.going.look()
    qtbot.waitUntil(lambda: window.selection.inventory is not None)
    window.show_page(WATCH)
    assert window.watch.head.button.text().strip() == "Add a server…"
    assert not window.watch.length.isVisible()
    with qtbot.waitSignal(window.run_controller.ended):
        window.pages.going.watch_now()
    qtbot.waitUntil(lambda: "No MySQL server was named" in chosen(window.watch.callout))
    assert "Name one by “Add a server…”." in chosen(window.watch.callout)
    assert "--mysql" not in texts(window.watch)


def test_a_target_shows_its_latest_watch(qtbot: QtBot, done: MainWindow) -> None:
    done.selection.choose(Choice("local"))
    qtbot.waitUntil(lambda: done.watch.head.sentence.text().startswith("0.26 threads"))


def test_a_target_without_points_is_advised_on_by_its_latest_watch(
    qtbot: QtBot, done: MainWindow
) -> None:
    done.selection.choose(Choice("local"))
    qtbot.waitUntil(lambda: done.selection.latest is not None)
    latest = done.selection.latest
    assert latest is not None
    assert latest.kind is RunKind.WATCH
    done.show_page(ADVICE)
    assert "judged" in texts(done.advice)
    assert "No advice yet" not in texts(done.advice)


def test_a_run_without_a_watch_says_so(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    replay.plan_steps = 3
    window = done_window(qtbot, open_window, replay)
    window.show_page(WATCH)
    assert "No server was watched in this run" in texts(window.watch)


def test_a_watch_has_no_page_of_probes(done: MainWindow) -> None:
    run_id = done.selection.choice.run_id
    assert not done.header.tabs.isTabEnabled(PROBE)
    done.show_page(PROBE)
    assert done.stack.currentIndex() == WATCH
    done.selection.choose(Choice("local"))
    done.show_page(PROBE)
    done.selection.choose(Choice("local", run_id))
    assert done.stack.currentIndex() == WATCH
    done.show_page(ADVICE)
    assert done.stack.currentIndex() == ADVICE
    done.pages.going.go_probing()
    assert done.stack.currentIndex() == PROBE


def test_the_menu_starts_a_watch(qtbot: QtBot, open_window: OpenWindow, replay: Replay) -> None:
    window = open_window(replay)
    with qtbot.waitSignal(window.run_controller.ended):
        window.pages.going.watch_now()
    assert window.stack.currentIndex() == WATCH


def test_curves_and_heat_map_grow_while_it_goes_on(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, counted = watched(), watched(trace=False, files=False)
    held = [True]

    def growing(
        store: Store, request: WatchRequest, prompts: Prompts, token: CancelToken
    ) -> Iterator[CheckEvent]:
        asked.append(request.window_s)
        enough.append(request.enough)
        yield Progressed(0.5, 300.0)
        yield WatchGrew(counted, (Missing(FILE_IO, "performance_schema is OFF"),))
        while not timed:
            token.wait(0.02)
        yield WatchGrew(whole)
        while held[0]:
            token.wait(0.02)
        yield from replay.watch(store, request, prompts, token)

    asked: list[float] = []
    timed: list[bool] = []
    enough: list[CancelToken] = []
    known = replace(replay.use_cases(), watch=growing)
    monkeypatch.setattr(replay, "use_cases", lambda: known)
    window = open_window(replay)
    window.show_page(WATCH)
    page = window.watch
    page.length.setCurrentIndex(page.length.findData(600.0))
    page.length.activated.emit(page.length.currentIndex())
    assert page.head.button.text().strip() == "Watch"
    QTest.mouseClick(page.head.button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(page.picture.isVisible)
    assert page.head.sentence.text().startswith("Watching the server's own work, 5")
    # Of a server that times no files, what it and the kernel count, and why there is no more.
    assert page.picture.untimed.text() == "Not by kind of file: performance_schema is OFF."
    assert [lane.title for lane in page.picture.lanes.sheet.lanes] == [
        "Reads under way",
        "Writes under way",
    ]
    assert [lane.title for lane in page.picture.asked.sheet.lanes] == [
        "Queries/s",
        "Queries at work",
    ]
    assert [lane.title for lane in page.picture.stored.sheet.lanes] == ["Disk busy"]
    timed.append(True)
    qtbot.waitUntil(page.picture.untimed.isHidden)
    shown = page.picture.heat.picture
    assert shown is not None
    assert shown.cells
    assert not page.length.isVisible()
    assert not enough[0].cancelled
    assert page.head.button.text().strip() == "Stop and keep"
    assert not page.head.other.isVisible()
    QTest.mouseClick(page.head.button, Qt.MouseButton.LeftButton)
    assert enough[0].cancelled
    with qtbot.waitSignal(window.run_controller.ended):
        held[0] = False
    assert asked == [600.0]
    qtbot.waitUntil(lambda: "61" in page.head.sentence.text())

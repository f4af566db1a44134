"""The Probe page: chosen probes, the guard, the stop on every page, one point over time."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from advisor.run import RunKind, RunState
from advisor.runs.requests import ProbeRequest
from advisor.store.store import Store
from app.views.charts.curves.curve_panel import CurvePanel
from app.window.main_window import MainWindow
from app.window.parts import ADVICE, COMPARE, OVERVIEW, PROBE
from probes.kinds.kind import Kind
from probes.points import Probe
from tests.app.window.conftest import OpenWindow, run_to_end, shut
from tests.app.window.looking import chosen, see, stored, texts
from tests.app.window.replay import Replay
from tests.present import present

"""How soon everything must have stopped."""


def choose(window: MainWindow, *kinds: Kind) -> None:
    boxes = window.probe.setup.kinds
    boxes.mode.button("probes").click()
    for kind, box in boxes.boxes.items():
        if box.isChecked() is not (kind in kinds):
            box.click()


def panel_of(window: MainWindow) -> CurvePanel:
    return window.probe.measure.panel


def test_chosen_probes_are_planned_and_run_as_a_probe(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    window = open_window(replay)
    setup = window.probe.setup
    assert not setup.kinds.boxes[Kind.STORAGE].isVisible()
    choose(window, Kind.FLUSH, Kind.REDO)
    assert setup.kinds.boxes[Kind.STORAGE].isVisible()
    assert not setup.kinds.boxes[Kind.STEADY].isChecked()
    qtbot.waitUntil(lambda: setup.plan_made is not None)
    assert isinstance(setup.request, ProbeRequest)
    setup.card.measured.button.click()
    see(qtbot, setup.card, "page flushes")
    assert "random reads" not in texts(setup.card)
    run_to_end(qtbot, window)
    with Store.open(replay.path) as store:
        (run,) = store.runs()
        probes = {point.setting.probe for point in store.points(run.id)}
    assert run.kind is RunKind.PROBE
    assert probes == {Probe.REDO_SYNC, Probe.PAGE_FLUSH}
    qtbot.waitUntil(
        lambda: any("quick probe" in run.detail for run in window.sidebar.shown[0].runs)
    )


def test_a_budget_that_preparing_would_use_up_is_refused(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    window = open_window(replay)
    choose(window, Kind.STORAGE)
    window.probe.setup.fields.lines["most_time"].setText("5 s")
    told = "Preparing the files takes about 10\u202fs, and the budget allows 5\u202fs: no point"
    see(qtbot, window.probe.setup.card, told)
    see(qtbot, window.probe.setup.card, "Allow 20\u202fs, or more.")
    assert window.probe.setup.plan_made is None
    with qtbot.waitSignal(window.run_controller.ended):
        window.probe.press()
    see(qtbot, window.probe.callout, told)
    assert stored(replay) == []


def test_steady_writes_are_asked_for_anew_each_time(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    first = open_window(replay)
    choose(first, Kind.FLUSH, Kind.STEADY)
    assert first.probe.setup.fields.lines["most_written"].placeholderText() == "set a budget"
    run_to_end(qtbot, first)
    shut(qtbot, first)
    second = open_window(replay)
    boxes = second.probe.setup.kinds.boxes
    assert not second.probe.setup.kinds.whole
    assert boxes[Kind.FLUSH].isChecked()
    assert not boxes[Kind.STEADY].isChecked()


def test_updates_on_a_live_server_need_consent_each_time(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    window = open_window(replay)
    setup = window.probe.setup
    assert not setup.update_rows.isVisible()
    choose(window, Kind.MYSQL)
    assert setup.update_rows.isVisible()
    assert "leadline_probe" in texts(setup)
    request = setup.request
    assert isinstance(request, ProbeRequest)
    assert not request.own_schema
    setup.update_rows.click()
    request = setup.request
    assert isinstance(request, ProbeRequest)
    assert request.own_schema
    assert request.wishes.update
    setup.sandbox.click()
    request = setup.request
    assert isinstance(request, ProbeRequest)
    assert not request.own_schema
    assert "leadline_probe" not in texts(setup)


def test_the_guard_is_on_where_there_is_a_server(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    window = open_window(replay)
    fields = window.probe.setup.fields
    assert fields.switches["guarded"].isEnabled()
    assert fields.switches["guarded"].isChecked()
    fields.lines["added_ms"].setText("20")
    guard = window.probe.setup.request.wishes.guard
    assert guard is not None
    assert guard.added_us == 20_000
    fields.switches["guarded"].click()
    assert window.probe.setup.request.wishes.guard is None
    assert not fields.lines["added_ms"].isEnabled()


def test_without_a_server_there_is_nothing_to_guard(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    replay.mysql = False
    window = open_window(replay)
    assert not window.probe.setup.fields.switches["guarded"].isEnabled()
    assert "nothing to guard" in texts(window.probe.setup.limits)


def test_a_field_that_makes_no_sense_stops_the_start_with_a_sentence(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    window = open_window(replay)
    window.probe.setup.details.toggle.click()
    QTest.keyClicks(window.probe.setup.fields.lines["threads"], "plenty")
    assert "is not a valid number of threads" in chosen(window.probe.setup.card.callout)
    window.probe.start()
    assert "is not a valid number of threads" in chosen(window.probe.callout)
    assert stored(replay) == []


@pytest.mark.parametrize("page", [OVERVIEW, PROBE, ADVICE, COMPARE])
def test_the_stop_is_on_every_page_and_stops_the_run(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay, page: int
) -> None:
    replay.rests_at = 2
    window = open_window(replay)
    assert not window.header.stop.isVisible()
    window.probe.start()
    window.show_page(page)
    qtbot.waitUntil(lambda: bool(window.run_controller.measuring()[0].points))
    stop = window.header.stop
    assert stop.isVisible()
    assert "Ctrl+." in stop.toolTip()
    with qtbot.waitSignal(window.run_controller.ended):
        QTest.mouseClick(stop, Qt.MouseButton.LeftButton)
        QTest.mouseClick(present(window.halting.stopping.dialog).yes, Qt.MouseButton.LeftButton)
    assert not stop.isVisible()
    assert stored(replay) == [RunState.CANCELLED]


def test_the_guard_is_shown_while_it_watches(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    replay.guarded, replay.rests_at = True, 2
    window = open_window(replay)
    assert not window.guard.isVisible()
    window.probe.start()
    window.show_page(OVERVIEW)
    qtbot.waitUntil(window.guard.isVisible)
    assert "180\u202fµs before; the limit is 50.2\u202fms" in window.guard.text.text()
    assert window.guard.spark.grab().toImage().allGray() is False
    with qtbot.waitSignal(window.run_controller.ended):
        window.halting.stop_all()
    qtbot.waitUntil(lambda: not window.guard.isVisible())


def test_a_click_on_a_point_shows_what_it_was_made_of(done: MainWindow) -> None:
    panel = panel_of(done)
    plot = panel.chart.plots[0]
    mark = plot.curves.scene_shown.traces[1].marks[2]
    view = panel.chart.views[0]
    box = plot.box
    spot = view.mapFromScene(box.mapViewToScene(QPointF(mark.x, mark.y)))
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(spot.x(), spot.y()))
    assert panel.picture is not None
    wanted = panel.picture.series[1].points[2]
    assert panel.pane.opened == wanted
    lanes = [lane.title for lane in panel.pane.point.lanes.sheet.lanes]
    assert len(lanes) == 7
    QTest.keyClick(panel.pane.point.lanes, Qt.Key.Key_Right)
    assert panel.pane.point.lanes.cursor_at is not None
    QTest.keyClick(panel.pane.point, Qt.Key.Key_PageDown)
    assert panel.pane.opened == panel.picture.series[1].points[3]
    QTest.keyClick(panel.pane.point, Qt.Key.Key_Backspace)
    assert panel.pane.opened is None


def test_a_point_is_opened_by_keyboard_too(done: MainWindow) -> None:
    panel = panel_of(done)
    chart = panel.chart
    chart.setFocus()
    QTest.keyClick(chart, Qt.Key.Key_Right)
    QTest.keyClick(chart, Qt.Key.Key_Up)
    assert chart.card.isVisible()
    # The plot that it tells of stays in sight, but for its foot where there is little room.
    assert chart.card.geometry().top() > chart.views[0].geometry().center().y()
    QTest.keyClick(chart, Qt.Key.Key_Up)
    QTest.keyClick(chart, Qt.Key.Key_Return)
    opened = panel.pane.opened
    assert opened is not None
    assert opened.setting.threads == 1


def test_samples_of_a_stored_run_are_read_when_they_are_looked_at(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    first = open_window(replay)
    run_to_end(qtbot, first)
    shut(qtbot, first)
    window = open_window(replay)
    tree = window.sidebar.tree
    qtbot.waitUntil(lambda: tree.model().rowCount(tree.model().index(0, 0)) == 1)
    tree.setCurrentIndex(tree.model().index(0, 0, tree.model().index(0, 0)))
    panel = panel_of(window)
    qtbot.waitUntil(lambda: bool(panel.pane.strip.sheet.lanes))
    assert [lane.title for lane in panel.pane.strip.sheet.lanes] == ["Busy", "Queue", "CPU"]
    assert panel.picture is not None
    panel.open_point(panel.picture.series[0].points[0])
    assert panel.pane.point.lanes.sheet.lanes


def test_the_latency_map_reads_its_histograms_behind_the_scenes(
    qtbot: QtBot, done: MainWindow
) -> None:
    panel = panel_of(done)
    panel.pane.modes.button("map").click()
    assert panel.picture is not None
    series = panel.picture.series[0]
    shown = panel.pane.map

    def complete() -> bool:
        return shown.shown is not None and len(shown.shown.columns) == len(series.points)

    qtbot.waitUntil(complete)
    assert shown.shown is not None
    column = shown.shown.columns[2]
    cell = shown.cell(shown.shown, column, column.cells[0][0])
    QTest.mouseMove(shown, cell.center().toPoint())
    qtbot.waitUntil(shown.card.isVisible)
    QTest.mouseClick(shown, Qt.MouseButton.LeftButton, pos=cell.center().toPoint())
    assert panel.pane.opened == column.point


def test_each_probe_of_a_run_is_drawn_over_its_own_axis(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    window = open_window(replay)
    choose(window, Kind.MIXED, Kind.REDO, Kind.FLUSH)
    run_to_end(qtbot, window)
    panel = panel_of(window)
    for probe, titles in (
        (Probe.REDO_SYNC, ["Block size", "Committers"]),
        (Probe.PAGE_FLUSH, ["Page cleaners"]),
        (Probe.MIXED, ["Flushing asked for, pages/s"] * 3),
    ):
        panel.probes.segments.button(probe.value).click()
        own = [one for one in panel._pictures if one.probe is probe]
        seen = []
        for one in own:
            panel.aspects.segments.button(one.key).click()
            seen.append(panel.chart.axis_title.text())
        assert seen == titles


def test_a_steady_write_is_seen_over_time_while_it_grows_and_afterwards(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    replay.rests_at = 0
    window = open_window(replay)
    choose(window, Kind.STEADY)
    window.probe.start()
    panel = panel_of(window)
    qtbot.waitUntil(lambda: bool(panel.pane.course.sheet.lanes))
    assert panel.pane.course.isVisible()
    replay.rests_at = None
    qtbot.waitUntil(lambda: not window.run_controller.measuring())
    qtbot.waitUntil(lambda: not panel.pane.course.isVisible())
    panel.probes.segments.button(Probe.STEADY_WRITE.value).click()
    assert panel.pane.opened is not None
    assert panel.pane.point.lanes.sheet.lanes


def test_choices_become_a_list_where_they_do_not_fit(qtbot: QtBot, done: MainWindow) -> None:
    picker = panel_of(done).probes
    picker.setFixedWidth(150)
    qtbot.waitUntil(lambda: picker.list.isVisible() and not picker.segments.isVisible())
    picker.list.setCurrentIndex(2)
    picker.list.activated.emit(2)
    assert panel_of(done).picture is not None
    assert present(panel_of(done).picture).probe is Probe.REDO_SYNC
    picker.setFixedWidth(900)
    qtbot.waitUntil(picker.segments.isVisible)
    assert picker.key == Probe.REDO_SYNC.value

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import cast

from PySide6.QtCore import QEvent, QObject, QPointF, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractScrollArea, QLabel, QWidget
from pytestqt.qtbot import QtBot

from app.theme.appearance import Mode
from app.theme.tokens import DARK, LIGHT
from app.window.main_window import MainWindow
from probes.points import Probe
from tests.app.window.conftest import OpenWindow, done_window
from tests.app.window.replay import Replay
from tests.present import present


def hover(window: MainWindow, plot: int, x: float, y: float) -> None:
    chart = window.probe.measure.panel.chart
    box = chart.plots[plot].box
    chart.views[plot].scene().sigMouseMoved.emit(box.mapViewToScene(QPointF(x, y)))


def far_from_points(window: MainWindow, plot: int) -> tuple[float, float]:
    """The place in a plot that is farthest from all of its points, however large it is drawn."""
    shown = window.probe.measure.panel.chart.plots[plot]
    box = shown.box
    marks = [
        box.mapViewToScene(QPointF(mark.x, mark.y))
        for trace in shown.curves.scene_shown.traces
        for mark in trace.marks
    ]
    view = box.viewRect()
    places = [
        QPointF(view.left() + view.width() * x / 12, view.top() + view.height() * y / 12)
        for x in range(1, 12)
        for y in range(1, 12)
    ]

    def nearest(place: QPointF) -> float:
        at = box.mapViewToScene(place)
        return min(math.hypot(at.x() - mark.x(), at.y() - mark.y()) for mark in marks)

    best = max(places, key=nearest)
    return best.x(), best.y()


def test_one_cursor_reads_both_charts(done: MainWindow) -> None:
    panel = done.probe.measure.panel
    hover(done, 1, 3.2, 3.0)
    assert [plot.curves.cursor for plot in panel.chart.plots] == [3.0, 3.0]
    assert panel.side.position.text() == "At 8 threads"
    at_eight = [panel.side.model.index(row, 1).data() for row in range(3)]
    hover(done, 0, 6.4, 10.0)
    assert panel.side.position.text() == "At 64 threads"
    assert [panel.side.model.index(row, 1).data() for row in range(3)] != at_eight


def test_hovering_over_a_point_tells_all_of_it(done: MainWindow) -> None:
    chart = done.probe.measure.panel.chart
    mark = chart.plots[0].curves.scene_shown.traces[2].marks[4]
    hover(done, 0, mark.x, mark.y)
    assert chart.card.isVisible()
    said = present(chart.card.findChild(QLabel)).text()
    for part in ("16\u202fKiB · 16 threads", "±", "p50", "p95", "p99", "CPU per operation", "Ok."):
        assert part in said
    hover(done, 0, *far_from_points(done, 0))
    assert not chart.card.isVisible()


def test_the_card_goes_again_where_showing_it_lays_out_the_chart(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    window = done_window(qtbot, open_window, replay)
    chart = window.probe.measure.panel.chart
    mark = chart.plots[0].curves.scene_shown.traces[2].marks[4]
    before = chart.height()
    layout = present(present(chart.parentWidget()).layout())
    layout.setContentsMargins(0, 0, 0, layout.contentsMargins().bottom() + 20)
    assert chart.height() == before, "the new layout is due, not done"
    hover(window, 0, mark.x, mark.y)
    assert chart.height() < before
    chart.card.put_away()
    assert not chart.card.isVisible()


def test_curves_are_hidden_by_their_legend(done: MainWindow) -> None:
    panel = done.probe.measure.panel
    traces = [trace.index for trace in panel.chart.plots[0].curves.scene_shown.traces]
    panel.side.table.setCurrentIndex(panel.side.model.index(0, 0))
    QTest.keyClick(panel.side.table, Qt.Key.Key_Space)
    assert [trace.index for trace in panel.chart.plots[0].curves.scene_shown.traces] == traces[1:]
    QTest.keyClick(panel.side.table, Qt.Key.Key_Space)
    assert len(panel.chart.plots[0].curves.scene_shown.traces) == len(traces)


def test_rejected_points_are_shown_on_request(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    replay.doubtful = True
    window = done_window(qtbot, open_window, replay)
    panel = window.probe.measure.panel
    assert not panel.chart.plots[0].curves.scene_shown.show_rejected
    before = panel.chart.grab().toImage()
    panel.switches["show_rejected"].trigger()
    assert panel.chart.plots[0].curves.scene_shown.show_rejected
    assert panel.chart.grab().toImage() != before


def test_a_row_lights_its_point(done: MainWindow) -> None:
    panel = done.probe.measure.panel
    panel.side.tabs.button("points").click()
    assert panel.side.points.topLevelItemCount() == 33
    panel.side.points.setCurrentItem(present(panel.side.points.topLevelItem(2)))
    assert panel.chart.plots[0].curves.hovered is not None
    QTest.keyClick(panel.side.points, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text().count("\n") == 2


def test_every_probe_has_its_chart(done: MainWindow) -> None:
    panel = done.probe.measure.panel
    for probe, axis in ((Probe.REDO_SYNC, "Block size"), (Probe.POINT_SELECT, "Connections")):
        panel.probes.segments.button(probe.value).click()
        assert panel.chart.picture is not None
        assert panel.chart.picture.probe is probe
        assert panel.chart.axis_title.text() == axis


def test_the_chart_follows_the_appearance(done: MainWindow) -> None:
    chart = done.probe.measure.panel.chart
    for mode, palette in ((Mode.DARK, DARK), (Mode.LIGHT, LIGHT)):
        done.choose_appearance(mode)
        corner = chart.grab().toImage().pixelColor(2, chart.height() // 2)
        assert corner.name() == palette.ground


class Paints(QObject):
    """Each time that a plot is painted: which one, and whether the lower one may be just then."""

    def __init__(self, views: Sequence[QAbstractScrollArea]) -> None:
        super().__init__()
        self.seen: list[tuple[int, bool]] = []
        self._views = list(views)
        for view in views:
            view.viewport().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802, Qt's name
        if event.type() is QEvent.Type.Paint:
            plot = [view.viewport() for view in self._views].index(cast("QWidget", watched))
            self.seen.append((plot, self._views[1].updatesEnabled()))
        return False


def test_a_run_that_is_opened_draws_a_plot_in_each_turn(qtbot: QtBot, done: MainWindow) -> None:
    panel = done.probe.measure.panel
    qtbot.waitUntil(lambda: not panel.drawing)
    run = done.selection.run
    paints = Paints(panel.chart.views)
    panel.show_run(None)
    panel.show_run(run)
    # These are the same curves as before, which nothing asks to be drawn again.
    for view in panel.chart.views:
        view.viewport().update()
    qtbot.waitUntil(lambda: not panel.drawing and (1, True) in paints.seen)
    assert (0, False) in paints.seen
    assert paints.seen.index((0, False)) < paints.seen.index((1, True))

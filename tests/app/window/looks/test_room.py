"""What gives way where there is little room, and what never does: what a row is about."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from advisor.compare import compare
from advisor.plan.change_plan import Action, ChangePlan, Group
from advisor.steps import Procedure
from app.controllers.done_steps import DoneSteps
from app.presenters.charts.curves import Gallery, Picture
from app.presenters.charts.scene import SceneOptions
from app.runtime.jobs import JobRunner
from app.theme.appearance import Appearance
from app.theme.tokens import CONTROL_HEIGHT
from app.views.advice.plan_view import PlanView
from app.views.charts.curves.curve_chart import CurveChart
from app.views.charts.curves.curve_pane import CurvePane
from app.views.charts.curves.point_list import INTERVAL, TRUST, PointList
from app.views.charts.curves.readout_panel import FURTHER_LINE, P99, ROW_HEIGHT, ReadoutPanel
from app.views.charts.lanes.point_timeline import PointTimeline
from app.views.compare.role_table import LEAST_ROLE, VERDICT_MARGINS, RoleTable
from app.views.widgets.page_head import PageHead
from app.views.widgets.picker import LEAST_LIST, Picker
from probes.points import Probe, Setting
from tests.app.window.compare.test_compare import drive
from tests.app.window.replay import Replay, replayed, samples
from tests.app.window.runs import done_run
from tests.present import present


@pytest.fixture
def picture() -> Picture:
    settings = (
        Setting(Probe.RANDOM_READ, threads, 16384, files, "/data")
        for files in (1, 4)
        for threads in (1, 8, 64)
    )
    (found,) = Gallery().pictures([replayed(one) for one in settings], (), over=True)
    return found


def shown(qtbot: QtBot, appearance: Appearance, widget: QWidget, width: int) -> None:
    qtbot.addWidget(widget)
    appearance.dress(widget)
    widget.resize(width, 400)
    widget.show()


def test_in_the_list_of_points_the_interval_gives_way_to_names(
    qtbot: QtBot, appearance: Appearance, picture: Picture
) -> None:
    points = PointList(appearance)
    shown(qtbot, appearance, points, 360)
    points.show_picture(picture)
    assert points.isColumnHidden(INTERVAL)
    first = present(points.topLevelItem(0))
    needed = points.fontMetrics().horizontalAdvance(first.text(0))
    assert points.columnWidth(0) > needed
    assert points.columnViewportPosition(TRUST) + points.columnWidth(TRUST) <= 360
    assert "±" in first.toolTip(1)
    points.resize(900, 400)
    assert not points.isColumnHidden(INTERVAL)


def test_a_closed_list_is_as_wide_as_its_longest_choice(
    qtbot: QtBot, appearance: Appearance
) -> None:
    picker = Picker("Whose latencies")
    shown(qtbot, appearance, picker, 300)
    picker.offer([("a", "Data reads")])
    narrow = picker.list.sizeHint().width()
    picker.offer([(str(n), f"System tablespace writes {n}") for n in range(12)])
    assert picker.list.isVisible()
    assert picker.list.sizeHint().width() > narrow + 50
    picker.list.grab()
    assert picker.list.toolTip() == ""
    picker.list.setFixedWidth(narrow)
    picker.list.grab()
    assert picker.list.toolTip() == "System tablespace writes 0"


def test_a_long_choice_asks_for_no_wider_window(qtbot: QtBot, appearance: Appearance) -> None:
    picker = Picker("Curve")
    shown(qtbot, appearance, picker, 300)
    picker.offer([(str(n), f"buffers in ordinary pages, {n}\u202fKiB") for n in range(12)])
    assert picker.minimumSizeHint().width() <= LEAST_LIST < picker.list.sizeHint().width()


def test_a_plan_s_headline_has_the_whole_width(
    qtbot: QtBot, appearance: Appearance, runner: JobRunner, replay: Replay
) -> None:
    view = PlanView(appearance, DoneSteps(runner, replay.use_cases()))
    shown(qtbot, appearance, view, 380)
    look = Action(Group.LOOK, Procedure("Watch the server again", ("Look.",)), ())
    view.show_plan(ChangePlan("db7", actions=(look,), about=("Of the server as it is now. ",)))
    assert view.headline.width() > 350


def test_a_role_gives_way_to_the_verdict(qtbot: QtBot, appearance: Appearance) -> None:
    roles = RoleTable(appearance)
    shown(qtbot, appearance, roles, 1400)
    roles.show_comparison(compare([drive("one", 1.0, 1, 8, 64), drive("two", 3.0, 1, 8, 64)]))
    whole = roles.columnWidth(0)
    assert whole == roles.sizeHintForColumn(0)
    verdict = present(roles.topLevelItem(0)).text(3)
    needed = sum(roles.columnWidth(column) for column in (1, 2))
    needed += roles.fontMetrics().horizontalAdvance(verdict) + VERDICT_MARGINS
    roles.resize(needed + LEAST_ROLE, 400)
    assert roles.columnWidth(0) == LEAST_ROLE < whole
    roles.resize(needed + 500, 400)
    assert roles.columnWidth(0) == whole


def test_a_verdict_that_finds_no_room_has_a_second_line(
    qtbot: QtBot, appearance: Appearance
) -> None:
    roles = RoleTable(appearance)
    shown(qtbot, appearance, roles, 1400)
    roles.show_comparison(
        compare([drive("one", 1.0, 1, 8, 64), drive("two", 3.0, 1, 8, 64), drive("three", 9.0, 1)])
    )
    first, last = roles.model().index(0, 0), roles.columnCount() - 1
    verdict = present(roles.topLevelItem(0)).text(last)
    single = roles.visualRect(first).height()
    figures = sum(roles.columnWidth(column) for column in range(1, last))
    wide = roles.fontMetrics().horizontalAdvance(verdict)
    roles.resize(LEAST_ROLE + figures + wide // 2 + 40, 400)
    assert roles.visualRect(first).height() >= single + roles.fontMetrics().height()
    roles.resize(1400, 400)
    assert roles.visualRect(first).height() == single


def test_what_is_said_in_passing_leaves_the_head_as_high_as_it_is(
    qtbot: QtBot, appearance: Appearance
) -> None:
    head = PageHead(appearance)
    shown(qtbot, appearance, head, 300)
    head.display("A sentence that is so long that it takes two lines of the head or three.")
    qtbot.waitUntil(lambda: head.sentence.height() > CONTROL_HEIGHT)
    high = head.sentence.height()
    head.display("Opening the run.", passing=True)
    assert head.sentence.minimumHeight() == high
    head.display("Short.")
    assert head.sentence.minimumHeight() == CONTROL_HEIGHT


def test_the_strip_keeps_its_place_while_the_next_run_s_samples_are_read(
    qtbot: QtBot, appearance: Appearance, picture: Picture
) -> None:
    pane = CurvePane(appearance, CurveChart(appearance), Picker("Axis or part"), compact=False)
    shown(qtbot, appearance, pane, 700)
    pane.resize(700, 800)
    points = [replace(point, id=at) for at, point in enumerate(picture.points)]
    (known,) = Gallery().pictures(points, (), over=True)
    first = done_run(run_id=1)
    first.details.samples = {present(point.id): tuple(samples(point)) for point in points}
    pane.show_picture(known, first, SceneOptions(), host=True)
    assert pane.strip.isVisible()
    second = done_run(run_id=2)
    pane.show_picture(replace(known), second, SceneOptions(), host=True)
    assert pane.strip.isVisible()
    assert not pane.strip.sheet.lanes
    second.details.samples = {}
    pane.show_picture(replace(known), second, SceneOptions(), host=True)
    assert not pane.strip.isVisible()


def test_names_of_curves_have_their_room_when_a_list_appears_beside_them(
    qtbot: QtBot, appearance: Appearance, picture: Picture
) -> None:
    """The panel is as wide as before then; its table is not."""
    panel = ReadoutPanel(appearance, compact=False)
    shown(qtbot, appearance, panel, 700)
    panel.show_picture(picture, None)
    qtbot.waitUntil(lambda: not panel.table.isColumnHidden(P99))
    body = present(panel.table.parentWidget())
    layout = present(body.layout())
    layout.setContentsMargins(0, 0, 480, 0)
    qtbot.waitUntil(lambda: panel.table.isColumnHidden(P99))
    layout.setContentsMargins(0, 0, 0, 0)
    qtbot.waitUntil(lambda: not panel.table.isColumnHidden(P99))


def test_a_long_name_of_a_curve_takes_as_many_lines_as_it_needs(
    qtbot: QtBot, appearance: Appearance, picture: Picture
) -> None:
    panel = ReadoutPanel(appearance, compact=False)
    shown(qtbot, appearance, panel, 364)
    first = picture.series[0]
    names = ("16 KiB", "second touch, 16 KiB, beside the server's own load")
    told = tuple(
        replace(first, name=name, index=at, key=(*first.key, at)) for at, name in enumerate(names)
    )
    panel.show_picture(replace(picture, series=told), None)
    qtbot.waitUntil(lambda: panel.table.rowHeight(1) == ROW_HEIGHT + 2 * FURTHER_LINE)
    assert panel.table.rowHeight(0) == ROW_HEIGHT


def test_the_name_of_an_opened_point_is_seen_whole(
    qtbot: QtBot, appearance: Appearance, picture: Picture
) -> None:
    opened = PointTimeline(appearance)
    shown(qtbot, appearance, opened, 320)
    run = done_run(run_id=1)
    opened.show_point(picture.points[0], picture, run)
    title = opened.title
    qtbot.waitUntil(lambda: title.height() >= title.heightForWidth(title.width()))
    assert title.height() > title.fontMetrics().height() * 1.5

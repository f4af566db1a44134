"""What gives way where there is little room, and what never does: what a row is about."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from advisor.compare import compare
from advisor.plan.change_plan import Action, ChangePlan, Group
from advisor.steps import Procedure
from app.presenters.curves import Gallery, Picture
from app.theme.appearance import Appearance
from app.views.advice.plan_view import PlanView
from app.views.charts.point_list import INTERVAL, TRUST, PointList
from app.views.compare.role_table import LEAST_ROLE, RoleTable
from app.views.widgets.picker import Picker
from probes.points import Probe, Setting
from tests.app.window.replay import replayed
from tests.app.window.test_compare import drive
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


def test_a_plan_s_headline_has_the_whole_width(qtbot: QtBot, appearance: Appearance) -> None:
    view = PlanView(appearance)
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
    needed = sum(roles.columnWidth(column) for column in (1, 2))
    needed += roles.sizeHintForColumn(3)
    roles.resize(needed + LEAST_ROLE, 400)
    assert roles.columnWidth(0) == LEAST_ROLE < whole
    roles.resize(needed + 500, 400)
    assert roles.columnWidth(0) == whole

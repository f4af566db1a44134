"""What has no room in a line goes on in the next, and nothing is wider than its place."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from app.theme.appearance import Appearance
from app.views.advice.evidence import Chips, Move
from app.views.widgets.flow_layout import FlowLayout
from tests.advisor.report.cards import judged


def box(width: int, height: int) -> QWidget:
    made = QWidget()
    made.setFixedSize(QSize(width, height))
    return made


def test_a_line_that_is_full_is_followed_by_another(qtbot: QtBot) -> None:
    boxes = [box(60, 20), box(60, 30), box(60, 20)]
    holder = QWidget()
    qtbot.addWidget(holder)
    flow = FlowLayout(*boxes, space=10)
    holder.setLayout(flow)
    assert flow.sizeHint() == QSize(200, 30)
    assert flow.minimumSize() == QSize(60, 30)
    assert flow.heightForWidth(200) == 30
    assert flow.heightForWidth(199) == 60
    assert flow.heightForWidth(60) == 90
    holder.resize(130, 60)
    holder.show()
    assert [(one.x(), one.y()) for one in boxes] == [(0, 5), (70, 0), (0, 40)]
    boxes[1].hide()
    assert flow.heightForWidth(130) == 20


def test_long_values_never_push_a_card_beyond_its_place(
    qtbot: QtBot, appearance: Appearance
) -> None:
    item = replace(
        judged().recommendations[0],
        now="ibtmp1:12M:autoextend",
        proposed="a kernel of 5.6 or later, or XFS on a drive of its own with no barrier",
    )
    area = QScrollArea()
    qtbot.addWidget(area)
    area.setWidgetResizable(True)
    move, chips = Move(appearance), Chips(QWidget())

    def fits(part: QWidget) -> bool:
        shown = [child for child in part.findChildren(QWidget) if child.isVisible()]
        low = max(child.geometry().bottom() for child in shown)
        return part.width() <= area.viewport().width() and low <= part.height()

    move.display(item)
    takes = ("1 to 6.7 % of query time", "Confidence: medium", "Needs a new data directory")
    chips.display(takes, "Latency against IOPS")
    parts: tuple[QWidget, ...] = (move, chips)
    for part in parts:
        area.setWidget(part)
        area.resize(320, 400)
        area.show()
        qtbot.waitUntil(partial(fits, part))
        area.takeWidget()

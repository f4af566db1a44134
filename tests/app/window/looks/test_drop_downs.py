"""A text that has no room in a list's field ends in dots."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QStyle, QStyleOptionComboBox
from pytestqt.qtbot import QtBot

from app.views.widgets.turned import DropDown

LONG = "/var/run/mysqld/mysqld.sock: mariadbd, account mysql, process 650"


def test_a_text_that_has_no_room_ends_in_dots(qtbot: QtBot) -> None:
    cut, dotted, short = DropDown(), DropDown(), DropDown()
    for each, text in ((cut, LONG), (dotted, f"{LONG[:12]}…"), (short, LONG[:12])):
        qtbot.addWidget(each)
        each.addItem(text)
        each.ensurePolished()
        each.resize(400, 32)
    assert cut.grab().toImage() != dotted.grab().toImage()
    room = 150
    cut.resize(room, 32)
    inside = room - (400 - _field(short))
    dotted.setItemText(0, cut.fontMetrics().elidedText(LONG, Qt.TextElideMode.ElideRight, inside))
    dotted.resize(room, 32)
    assert dotted.currentText().endswith("…")
    assert cut.grab().toImage() == dotted.grab().toImage()


def _field(drop_down: DropDown) -> int:
    """How wide the place of its text is."""
    option = QStyleOptionComboBox()
    drop_down.initStyleOption(option)
    place = drop_down.style().subControlRect(
        QStyle.ComplexControl.CC_ComboBox,
        option,
        QStyle.SubControl.SC_ComboBoxEditField,
        drop_down,
    )
    return place.width()

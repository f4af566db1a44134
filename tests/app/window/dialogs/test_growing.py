"""A dialog that grows stays on its screen, and one that fits stays where it is."""

from __future__ import annotations

from itertools import pairwise

import pytest
from PySide6.QtCore import QRect, QSize
from PySide6.QtWidgets import QDialog, QLabel, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.theme.appearance import Appearance
from app.views.dialogs.advice_words import AdviceWordsDialog
from app.views.widgets.growing import FieldArea, GrowingDialog
from tests.present import present


class Dialog(QDialog):
    """A line of text over a block that comes and goes."""

    def __init__(self) -> None:
        super().__init__()
        layout = QVBoxLayout(self)
        self.growing = GrowingDialog(self, layout)
        self.block = QWidget()
        self.block.setFixedSize(150, 300)
        self.block.hide()
        layout.addWidget(QLabel("A line"))
        layout.addWidget(self.block)


@pytest.fixture
def dialog(qtbot: QtBot) -> Dialog:
    made = Dialog()
    qtbot.addWidget(made)
    made.show()
    qtbot.waitUntil(made.isVisible)
    return made


@pytest.fixture
def room(dialog: Dialog) -> QRect:
    return dialog.screen().availableGeometry()


def corner(dialog: Dialog, room: QRect) -> None:
    """Near the screen's last corner."""
    dialog.resize(200, 80)
    dialog.move(room.right() - 250, room.bottom() - 130)


def test_what_would_pass_the_bottom_moves_up(dialog: Dialog, room: QRect) -> None:
    corner(dialog, room)
    left = dialog.x()
    with dialog.growing.at_once():
        dialog.block.show()
    assert dialog.height() > 300
    assert (dialog.frameGeometry().left(), dialog.frameGeometry().bottom()) == (
        left,
        room.bottom(),
    )


def test_what_the_layout_makes_larger_moves_as_well(dialog: Dialog, room: QRect) -> None:
    corner(dialog, room)
    dialog.resize(300, 400)
    frame = dialog.frameGeometry()
    assert (frame.right(), frame.bottom()) == (room.right(), room.bottom())


def test_it_is_as_low_as_before_when_what_came_has_gone(dialog: Dialog, room: QRect) -> None:
    dialog.growing.fit()
    before = dialog.height()
    dialog.move(room.topLeft())
    with dialog.growing.at_once():
        dialog.block.show()
    with dialog.growing.at_once():
        dialog.block.hide()
    assert dialog.height() == before
    assert dialog.frameGeometry().topLeft() == room.topLeft()


def test_what_is_larger_than_the_screen_begins_at_its_corner(dialog: Dialog, room: QRect) -> None:
    dialog.move(room.center())
    dialog.resize(room.size() + QSize(10, 10))
    assert dialog.frameGeometry().topLeft() == room.topLeft()


def test_fields_that_have_to_be_scrolled_lie_below_each_other(
    qtbot: QtBot, appearance: Appearance
) -> None:
    """The bar comes while they are placed, and takes of their width."""
    around = QWidget()
    around.resize(1024, 640)
    qtbot.addWidget(around)
    asked = [(f"rule.{at}", "innodb_redo_log_capacity: 100 MiB to 2 GiB") for at in range(6)]
    typing = AdviceWordsDialog(appearance, asked, (), around)
    typing.show()
    assert present(typing.findChild(FieldArea)).verticalScrollBar().maximum() > 0
    lines = list(typing.fields.values())
    qtbot.waitUntil(
        lambda: all(
            one.geometry().bottom() < two.y() for each in lines for one, two in pairwise(each)
        )
    )

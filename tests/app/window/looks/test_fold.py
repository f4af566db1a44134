"""What is read on demand: shut at first, opened by its button, not seen where it holds nothing."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from app.presenters.advice.rows import GroupHeading
from app.presenters.texts.groups import RuleGroup
from app.theme.appearance import Appearance
from app.views.advice.rule_model import ROW
from app.views.widgets.buttons import Fold
from app.window.main_window import MainWindow
from app.window.parts import ADVICE
from tests.app.window.conftest import caught_up


def test_a_fold_shows_its_body_once_it_is_opened(qtbot: QtBot, appearance: Appearance) -> None:
    body = QLabel("It was done in slices.")
    fold = Fold(appearance, body, "About this watch (1)")
    qtbot.addWidget(fold)
    assert not body.isVisibleTo(fold)
    fold.button.click()
    assert body.isVisibleTo(fold)
    fold.name("About this watch (2)")
    assert body.isVisibleTo(fold)
    assert fold.button.accessibleName() == "About this watch (2)"
    fold.name("")
    assert fold.isHidden()
    fold.name("About this watch (1)")
    fold.button.click()
    assert not body.isVisibleTo(fold)


def test_what_asks_nobody_to_act_is_shut_in_the_list(qtbot: QtBot, done: MainWindow) -> None:
    done.show_page(ADVICE)
    caught_up(qtbot, done)
    model = done.advice.list.model()
    qtbot.waitUntil(lambda: model.rowCount() > 0)
    found = [model.index(at, 0).data(ROW) for at in range(model.rowCount())]
    shut = [each.group for each in found if isinstance(each, GroupHeading) and each.folded]
    assert shut == [RuleGroup.FINE, RuleGroup.NOT_JUDGED, RuleGroup.NOT_APPLICABLE]

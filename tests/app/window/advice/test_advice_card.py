"""A card of advice is read without a hole, at every size of the window."""

from __future__ import annotations

import itertools

import pytest
from PySide6.QtCore import QPoint
from pytestqt.qtbot import QtBot

from app.presenters.advice.rows import AdviceRow
from app.views.advice.rule_model import ROW
from app.window.main_window import MainWindow
from app.window.parts import ADVICE
from tests.app.window.conftest import caught_up


@pytest.fixture
def window(qtbot: QtBot, done: MainWindow) -> MainWindow:
    done.show_page(ADVICE)
    caught_up(qtbot, done)
    qtbot.waitUntil(lambda: done.advice_controller.plan is not None)
    return done


@pytest.mark.parametrize("size", [(1024, 640), (1280, 800), (1366, 768), (1600, 900), (1920, 1080)])
def test_a_card_has_no_hole_between_what_is_said(
    qtbot: QtBot, window: MainWindow, size: tuple[int, int]
) -> None:
    window.resize(*size)
    detail = window.advice.detail
    model = window.advice.list.model()
    rules = [model.index(number, 0).data(ROW) for number in range(model.rowCount())]
    for rule in [one.rule for one in rules if isinstance(one, AdviceRow)][:6]:
        window.pages.going.go_advised(rule)
        qtbot.waitUntil(lambda: not detail.telling)
        detail.lines.activate()
        parts = [detail.chips, detail.settle, detail.front, detail.applied]
        parts += [detail.grounds.toggle, detail.grounds]
        if not detail.beside:
            parts += [detail.panel, detail.pool]
        places = sorted(
            (one.mapTo(detail.body, QPoint()).y(), one.height()) for one in parts if one.isVisible()
        )
        for (above, height), (below, _) in itertools.pairwise(places):
            assert below - above - height <= 40, (rule, places)

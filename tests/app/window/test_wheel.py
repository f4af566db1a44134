"""The wheel scrolls the page and turns nothing that it passes over."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QScrollArea,
    QSlider,
    QTabBar,
    QWidget,
)
from pytestqt.qtbot import QtBot

import app
from app.views.dialogs.bench import BenchDialog
from app.views.dialogs.report import ReportDialog
from app.views.dialogs.target import TargetDialog
from app.window.main_window import ADVICE, PAGES, WHAT_IF, MainWindow
from tests.app.window.looking import see

DOWN, UP = -120, 120
"""A notch."""


def wheel(widget: QWidget, notch: int) -> bool:
    """Turn the wheel over the widget's middle; whether it took that for itself."""
    centre = QPointF(widget.rect().center())
    event = QWheelEvent(
        centre,
        QPointF(widget.mapToGlobal(centre.toPoint())),
        QPoint(),
        QPoint(0, notch),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        inverted=False,
    )
    event.ignore()
    widget.wheelEvent(event)
    return event.isAccepted()


def value(widget: QWidget) -> object:
    match widget:
        case QSlider():
            return widget.value()
        case QComboBox() | QTabBar():
            return widget.currentIndex()
        case QAbstractSpinBox():
            return widget.text()
    raise AssertionError(widget)


def turnable(inside: QWidget) -> Iterator[QWidget]:
    for kind in (QComboBox, QSlider, QAbstractSpinBox, QTabBar):
        yield from inside.findChildren(kind)


def held_still(inside: QWidget) -> int:
    """See that no value in it moves, whether it has the keyboard or not; how many there are."""
    number = 0
    for widget in turnable(inside):
        before = value(widget)
        for notch in (DOWN, UP, UP):
            assert not wheel(widget, notch), widget.accessibleName()
            assert value(widget) == before, widget.accessibleName()
        assert widget.focusPolicy() is not Qt.FocusPolicy.WheelFocus, widget.accessibleName()
        number += 1
    return number


def test_no_value_of_any_page_turns(done: MainWindow) -> None:
    for page in PAGES:
        done.show_page(page)
    assert held_still(done) > 10


DIALOGS: tuple[tuple[type[QWidget], Callable[[MainWindow], object]], ...] = (
    (TargetDialog, lambda window: window.pages.targets.add()),
    (BenchDialog, lambda window: window.pages.benching.ask()),
    (ReportDialog, lambda window: window.pages.report()),
)


@pytest.mark.parametrize(("kind", "open_it"), DIALOGS)
def test_no_value_of_a_dialog_turns(
    qtbot: QtBot,
    done: MainWindow,
    kind: type[QWidget],
    open_it: Callable[[MainWindow], object],
) -> None:
    open_it(done)
    qtbot.waitUntil(lambda: any(one.isVisible() for one in done.findChildren(kind)))
    (dialog,) = [one for one in done.findChildren(kind) if one.isVisible()]
    assert held_still(dialog)
    dialog.close()


def test_a_value_is_turned_by_keys(qtbot: QtBot, done: MainWindow) -> None:
    done.show_page(WHAT_IF)
    qtbot.waitUntil(lambda: bool(done.what_if.knobs.knobs))
    knob = next(one for one in done.what_if.knobs.knobs.values() if not one.knob.choice)
    at = knob.slider.value()
    knob.slider.setFocus()
    QTest.keyClick(knob.slider, Qt.Key.Key_Left if at else Qt.Key.Key_Right)
    assert knob.slider.value() != at


def scroll_over(qapp: QApplication, widget: QWidget) -> None:
    """Turn the wheel there as the system does: what nobody takes goes to who is around it."""
    centre = QPointF(widget.rect().center())
    window = widget.window()
    local = QPointF(widget.mapTo(window, centre.toPoint()))
    QTest.mouseMove(widget)
    handle = window.windowHandle()
    event = QWheelEvent(
        local,
        QPointF(window.mapToGlobal(local.toPoint())),
        QPoint(),
        QPoint(0, DOWN),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        inverted=False,
    )
    qapp.sendEvent(handle, event)


def test_the_settings_of_what_if_scroll_under_the_wheel(
    qtbot: QtBot, qapp: QApplication, done: MainWindow
) -> None:
    done.show_page(WHAT_IF)
    knobs = done.what_if.knobs
    qtbot.waitUntil(lambda: bool(knobs.knobs))
    done.resize(1024, 640)
    bar = knobs.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    for name, view in list(knobs.knobs.items()):
        widget = view.list if view.knob.choice else view.slider
        knobs.ensureWidgetVisible(widget)
        if bar.value() == bar.maximum():
            bar.setValue(bar.maximum() - 1)
        before, at = view.value, bar.value()
        scroll_over(qapp, widget)
        assert bar.value() > at, name
        assert view.value == before, name


def test_a_card_scrolls_under_the_wheel_over_its_chart(
    qtbot: QtBot, qapp: QApplication, done: MainWindow
) -> None:
    done.show_page(ADVICE)
    done.resize(1024, 640)
    detail = done.advice.detail
    qtbot.waitUntil(detail.panel.isVisible)
    area: QWidget | None = detail.panel
    while not isinstance(area, QScrollArea):
        assert area is not None
        area = area.parentWidget()
    bar = area.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    area.ensureWidgetVisible(detail.panel)
    see(done)
    bar.setValue(min(bar.value(), bar.maximum() - 1))
    at = bar.value()
    scroll_over(qapp, detail.panel.chart.viewport())
    assert bar.value() > at


def test_every_list_and_slider_is_one_of_ours() -> None:
    folder = Path(app.__file__).parent
    bare = re.compile(r"\b(QComboBox|QSlider|QSpinBox|QDoubleSpinBox|QDial|QTabBar|QTabWidget)\(")
    found = [
        (path.name, line)
        for path in folder.rglob("*.py")
        for line in path.read_text("utf-8").splitlines()
        if bare.search(line) and path.name != "turned.py"
    ]
    assert not found

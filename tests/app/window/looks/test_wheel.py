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
from app.presenters.what_if.knobs import knobs
from app.theme.appearance import Appearance
from app.views.charts.curves.curve_chart import CurveChart
from app.views.dialogs.bench import BenchDialog
from app.views.dialogs.report import ReportDialog
from app.views.dialogs.target import TargetDialog
from app.views.what_if.knob_list import KnobList
from app.window.main_window import MainWindow
from app.window.parts import PAGES
from tests.app.window.what_if.test_what_if import server

DOWN, UP = -120, 120
"""A notch."""


def turned(widget: QWidget, at: QPoint, notch: int) -> QWheelEvent:
    return QWheelEvent(
        QPointF(at),
        QPointF(widget.mapToGlobal(at)),
        QPoint(),
        QPoint(0, notch),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )


def wheel(widget: QWidget, notch: int) -> bool:
    """Turn the wheel over the widget's middle; whether it took that for itself."""
    event = turned(widget, widget.rect().center(), notch)
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
    (ReportDialog, lambda window: window.pages.handing_over.report()),
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


def scroll_over(qapp: QApplication, widget: QWidget, at: QPoint | None = None) -> None:
    """Turn the wheel there: what nobody takes goes to who is around it.

    Qt hands on only what comes from the system.
    """
    place = at or widget.rect().center()
    receiver: QWidget | None = widget.childAt(place) or widget
    while receiver is not None:
        event = turned(receiver, receiver.mapFromGlobal(widget.mapToGlobal(place)), DOWN)
        taken = qapp.sendEvent(receiver, event) and event.isAccepted()
        receiver = None if taken else receiver.parentWidget()


@pytest.fixture
def knob_list(qtbot: QtBot, appearance: Appearance) -> KnobList:
    made = KnobList()
    qtbot.addWidget(made)
    made.offer(knobs(server().live))
    made.resize(made.width(), 300)
    made.show()
    qtbot.waitUntil(lambda: made.verticalScrollBar().maximum() > 0)
    return made


def test_a_value_is_turned_by_keys(knob_list: KnobList) -> None:
    for view in knob_list.knobs.values():
        widget = view.list if view.knob.choice else view.slider
        before = view.value
        first = view.place == 0
        if view.knob.choice:
            QTest.keyClick(widget, Qt.Key.Key_Down if first else Qt.Key.Key_Up)
        else:
            QTest.keyClick(widget, Qt.Key.Key_Right if first else Qt.Key.Key_Left)
        assert view.value != before, view.knob.name


def test_the_settings_of_what_if_scroll_under_the_wheel(
    qapp: QApplication, knob_list: KnobList
) -> None:
    bar = knob_list.verticalScrollBar()
    for name, view in knob_list.knobs.items():
        widget = view.list if view.knob.choice else view.slider
        knob_list.ensureWidgetVisible(widget)
        bar.setValue(min(bar.value(), bar.maximum() - 1))
        before, at = view.value, bar.value()
        scroll_over(qapp, widget)
        assert bar.value() > at, name
        assert view.value == before, name


def test_a_page_scrolls_under_the_wheel_over_a_chart(
    qtbot: QtBot, qapp: QApplication, appearance: Appearance
) -> None:
    area = QScrollArea()
    qtbot.addWidget(area)
    chart = CurveChart(appearance)
    chart.setFixedSize(500, 900)
    area.setWidget(chart)
    area.resize(540, 300)
    area.show()
    bar = area.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    # Over the curves, and over the axis beside them.
    for across in (250, 20):
        bar.setValue(0)
        scroll_over(qapp, chart, QPoint(across, 150))
        assert bar.value() > 0, across


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

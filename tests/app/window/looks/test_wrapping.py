"""No line ends within a figure and its unit, and what is copied out of the window is as written."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QFont, QGuiApplication, QTextLayout, QTextOption
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QMenu
from pytestqt.qtbot import QtBot

from app.presenters.texts.typesetting import ordinary, together
from app.views.widgets.labels import label
from probes.figures import duration_us, rate, seconds, size, throughput

FIGURES = (
    rate(1210),
    rate(1210, "queries"),
    rate(850, "reads"),
    throughput(463 << 20),
    size(16 << 10),
    seconds(125),
    seconds(11_220),
    f"p95 {duration_us(2100)}",
)


def lines(text: str) -> list[str]:
    """As narrow as it can be."""
    layout = QTextLayout(text, QFont("Inter"))
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WordWrap)
    layout.setTextOption(option)
    layout.beginLayout()
    found = []
    while (line := layout.createLine()).isValid():
        line.setLineWidth(1.0)
        found.append(text[line.textStart() : line.textStart() + line.textLength()].strip())
    layout.endLayout()
    return found


@pytest.mark.parametrize("figure", FIGURES)
@pytest.mark.usefixtures("qapp")
def test_a_figure_stays_on_one_line_with_its_unit(figure: str) -> None:
    said = f"It gives {figure}, then {figure}."
    shown = [ordinary(line) for line in lines(together(said))]
    assert shown == ["It", "gives", f"{figure},", "then", f"{figure}."]


@pytest.mark.parametrize(
    "text", ["", "a b/c and/or 2 of 3", "/var/lib/mysql", "rows/second", *FIGURES]
)
def test_a_text_comes_back_as_it_was(text: str) -> None:
    assert ordinary(together(text)) == text


@pytest.mark.parametrize("text", ["a b/c and/or 2 of 3", "/var/lib/mysql/sys", "rows/second"])
def test_what_is_no_unit_wraps_as_ever(text: str) -> None:
    assert together(text) == text


def test_labels_say_what_they_were_given(qtbot: QtBot) -> None:
    said = label(f"It gives {FIGURES[1]}.", wrap=True, select=True)
    qtbot.addWidget(said)
    assert said.text() == f"It gives {FIGURES[1]}."
    said.setText(FIGURES[0])
    assert said.text() == FIGURES[0]
    _select_all(said)
    assert said.selectedText() == FIGURES[0]
    assert label(FIGURES[0]).text() == FIGURES[0]


def test_what_is_copied_is_as_it_was_written(qtbot: QtBot) -> None:
    said = label(f"It gives {FIGURES[1]}.", wrap=True, select=True)
    qtbot.addWidget(said)
    said.show()
    copied = QGuiApplication.clipboard()
    copied.setText("before")
    QTest.keyClick(said, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert copied.text() == "before", "nothing is selected"
    _select_all(said)
    QTest.keyClick(said, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert copied.text() == f"It gives {FIGURES[1]}."


def test_the_menu_copies_the_same(qtbot: QtBot) -> None:
    said = label(FIGURES[1], wrap=True, select=True)
    qtbot.addWidget(said)
    said.show()
    for selected in (False, True):
        if selected:
            _select_all(said)
        asked = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, QPoint(2, 2), QPoint(2, 2))
        QApplication.sendEvent(said, asked)
        [menu] = said.findChildren(QMenu)
        [copy] = menu.actions()
        assert copy.isEnabled() is selected
        copy.trigger()
        menu.close()
        qtbot.waitUntil(lambda: not said.findChildren(QMenu))
    assert QGuiApplication.clipboard().text() == FIGURES[1]


def _select_all(said: QLabel) -> None:
    said.setSelection(0, len(QLabel.text(said)))

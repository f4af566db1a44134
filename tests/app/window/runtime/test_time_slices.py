"""Long work of the GUI thread lets others in between, and gives way to newer work."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
import shiboken6
from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.runtime.time_slices import AT_ONCE_S, TimeSlices
from app.views.widgets.reused_widgets import ReusedWidgets


def slow_steps(done: list[str], name: str, number: int) -> Iterator[None]:
    for step in range(number):
        time.sleep(AT_ONCE_S)
        done.append(f"{name}{step}")
        yield


def test_others_are_heard_between_the_steps(qtbot: QtBot) -> None:
    owner = QObject()
    done: list[str] = []
    turns = TimeSlices(owner)
    QTimer.singleShot(0, owner, lambda: done.append("other"))
    turns.begin(slow_steps(done, "step", 3))
    assert done == ["step0"]
    qtbot.waitUntil(lambda: not turns.busy)
    assert done[-1] == "step2"
    assert done.index("other") < done.index("step2")


def test_each_slice_has_a_turn_of_its_own_however_many_timers_are_due(qtbot: QtBot) -> None:
    owner = QObject()
    done: list[str] = []
    turns = TimeSlices(owner)
    # Twelve others that are due together: a timer that repeats would come again after each.
    for _ in range(12):
        QTimer.singleShot(1, owner, lambda: done.append("other"))
    turned = QTimer(owner)
    turned.timeout.connect(lambda: done.append("turn"))
    turned.start(1)
    turns.begin(slow_steps(done, "step", 6))
    qtbot.waitUntil(lambda: not turns.busy)
    said = "".join("s" if each.startswith("step") else "t" for each in done if each != "other")
    assert "ss" not in said


def test_newer_work_takes_the_place_of_older(qtbot: QtBot) -> None:
    owner = QObject()
    done: list[str] = []
    turns = TimeSlices(owner)
    turns.begin(slow_steps(done, "old", 5))
    turns.begin(slow_steps(done, "new", 2))
    qtbot.waitUntil(lambda: not turns.busy)
    assert done == ["old0", "new0", "new1"]


def test_a_step_may_begin_newer_work_itself(qtbot: QtBot) -> None:
    owner = QObject()
    done: list[str] = []
    turns = TimeSlices(owner)

    def restarting() -> Iterator[None]:
        turns.begin(slow_steps(done, "new", 2))
        yield
        done.append("old")

    turns.begin(restarting())
    qtbot.waitUntil(lambda: not turns.busy)
    assert done == ["new0", "new1"]


@pytest.mark.parametrize("more", [0, 2])
def test_a_step_may_end_the_widget_that_it_is_for(qtbot: QtBot, more: int) -> None:
    """As a collection of garbage does when it comes upon a closed page."""
    owner = QObject()
    done: list[str] = []
    turns = TimeSlices(owner)

    def ending() -> Iterator[None]:
        shiboken6.delete(owner)
        done.append("ended")
        yield from slow_steps(done, "more", more)

    turns.begin(ending())
    qtbot.wait(20)
    assert done == ["ended", "more0"][: 1 + min(more, 1)]


def test_a_pool_tells_its_widgets_anew(qtbot: QtBot) -> None:
    holder = QWidget()
    qtbot.addWidget(holder)
    pool = ReusedWidgets(QVBoxLayout(holder), QLabel)
    for texts in (["a", "b", "c"], ["d"], ["e", "f"]):
        for _ in pool.display(texts, QLabel.setText):
            pass
        shown = [one for one in holder.findChildren(QLabel) if one.isVisibleTo(holder)]
        assert [one.text() for one in shown] == texts
    assert len(holder.findChildren(QLabel)) == 3

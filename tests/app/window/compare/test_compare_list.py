"""The list of what can be compared: what a tick costs does not grow with the number of runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from PySide6.QtCore import QModelIndex, QRect, Qt
from PySide6.QtGui import QFont, QPainter
from PySide6.QtTest import QAbstractItemModelTester, QTest
from pytestqt.qtbot import QtBot

from advisor.compare.comparison import MOST
from advisor.run import RunKind, RunState, RunSummary
from app.controllers.comparison import ComparisonController
from app.controllers.drive_keys import RunKey
from app.controllers.stored_runs import LOCAL, Shelf, StoredRuns
from app.presenters.compare.candidates import Candidate
from app.runtime.drive_prices import DrivePrices
from app.runtime.jobs import JobRunner
from app.runtime.preferences import Preferences
from app.theme.appearance import Appearance
from app.views.compare import contender_delegate
from app.views.compare.contender_list import ContenderList
from app.views.compare.contender_model import CANDIDATE, KEY, ContenderModel
from tests.app.window.replay import Replay

START = datetime(2026, 3, 1, tzinfo=UTC)


@contextmanager
def counted(model: ContenderModel, monkeypatch: pytest.MonkeyPatch) -> Iterator[Counter[str]]:
    """How often a model speaks, how many rows it speaks of, and how often it is asked for one."""
    seen: Counter[str] = Counter()
    row_at = model.row_at

    def changed(first: QModelIndex, last: QModelIndex) -> None:
        seen["signals"] += 1
        seen["rows"] += last.row() - first.row() + 1

    def again() -> None:
        seen["anew"] += 1

    def asked(index: QModelIndex) -> Candidate | None:
        seen["asked"] += 1
        return row_at(index)

    model.dataChanged.connect(changed)
    model.modelReset.connect(again)
    model.layoutChanged.connect(again)
    with monkeypatch.context() as patched:
        patched.setattr(model, "row_at", asked)
        yield seen
    model.dataChanged.disconnect(changed)
    model.modelReset.disconnect(again)
    model.layoutChanged.disconnect(again)


def run(number: int) -> RunSummary:
    at = (START + timedelta(hours=number)).isoformat()
    return RunSummary(number, LOCAL.name, "quick", RunState.DONE, "", at, at, 40, RunKind.CHECK)


def shelf(number: int) -> Shelf:
    return Shelf((LOCAL,), tuple(run(at) for at in range(number, 0, -1)))


@pytest.fixture
def stored_runs(runner: JobRunner, replay: Replay) -> StoredRuns:
    return StoredRuns(runner, replay.use_cases())


def listed(
    qtbot: QtBot,
    runner: JobRunner,
    replay: Replay,
    stored_runs: StoredRuns,
    appearance: Appearance,
) -> ContenderList:
    controller = ComparisonController(
        runner, replay.use_cases(), stored_runs, DrivePrices(Preferences())
    )
    made = ContenderList(appearance, stored_runs, controller)
    appearance.dress(made)
    made.comparison_controller.changed.connect(made.fill)
    qtbot.addWidget(made)
    made.resize(900, 600)
    made.show()
    made.fill()
    qtbot.waitExposed(made)
    return made


def tick(made: ContenderList, at: int) -> None:
    model = made.model
    made.tree.setCurrentIndex(model.index(at, 0, model.index(0, 0)))
    QTest.keyClick(made.tree, Qt.Key.Key_Space)


def test_a_tick_costs_the_same_with_a_hundred_runs_and_with_a_thousand(
    qtbot: QtBot,
    runner: JobRunner,
    replay: Replay,
    stored_runs: StoredRuns,
    appearance: Appearance,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found: list[list[Counter[str]]] = []
    for number in (100, 1000):
        stored_runs.take_shelf(shelf(number))
        made = listed(qtbot, runner, replay, stored_runs, appearance)
        ticks = []
        for at in range(MOST):
            with counted(made.model, monkeypatch) as seen:
                tick(made, at)
                made.tree.viewport().repaint()
            assert len(made.comparison_controller.picked) == at + 1
            ticks.append(seen)
        found.append(ticks)
        made.hide()
    for few, many in zip(*found, strict=True):
        assert few["signals"] == many["signals"] == 1
        assert not few["anew"] + many["anew"]
        # What is drawn again asks for the rows that are seen, however many there are.
        assert 0 < many["asked"] <= 1.2 * few["asked"] + 20
        assert few["rows"] == many["rows"] == 1


def test_a_change_elsewhere_lists_nothing_anew(
    qtbot: QtBot,
    runner: JobRunner,
    replay: Replay,
    stored_runs: StoredRuns,
    appearance: Appearance,
) -> None:
    stored_runs.take_shelf(shelf(50))
    made = listed(qtbot, runner, replay, stored_runs, appearance)
    resets: list[None] = []
    made.model.modelReset.connect(lambda: resets.append(None))
    stored_runs.take_shelf(shelf(50))
    made.fill()
    assert not resets
    tick(made, 3)
    stored_runs.take_shelf(shelf(51))
    made.fill()
    assert len(resets) == 1
    assert made.comparison_controller.picked == (RunKey((47,)),)
    assert made.tree.currentIndex().data(KEY) == RunKey((47,))
    assert made.tree.currentIndex().row() == 4


def test_the_model_keeps_qts_rules(
    qtbot: QtBot,
    runner: JobRunner,
    replay: Replay,
    stored_runs: StoredRuns,
    appearance: Appearance,
) -> None:
    stored_runs.take_shelf(shelf(20))
    made = listed(qtbot, runner, replay, stored_runs, appearance)
    QAbstractItemModelTester(made.model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    imported = replace(run(30), kind=RunKind.IMPORT, target="old drive")
    stored_runs.take_shelf(Shelf((LOCAL,), (imported, *shelf(20).runs)))
    made.fill()
    assert [made.model.index(at, 0).data() for at in range(2)] == ["This computer", "Imported"]
    for at in range(MOST):
        tick(made, at)
    assert len(made.comparison_controller.picked) == MOST
    made.search.setText("nothing of it")
    assert made.model.rowCount() == 0
    made.search.setText("old")
    assert made.model.index(0, 0, made.model.index(0, 0)).data() == "old drive"


def test_where_a_run_comes_from_begins_with_its_kind_where_the_heading_does_not_say_it(
    qtbot: QtBot,
    runner: JobRunner,
    replay: Replay,
    stored_runs: StoredRuns,
    appearance: Appearance,
) -> None:
    made = listed(qtbot, runner, replay, stored_runs, appearance)
    imported = replace(run(30), kind=RunKind.IMPORT, target="old drive")
    stored_runs.take_shelf(Shelf((LOCAL,), (imported, *shelf(1).runs)))
    made.fill()
    mine, theirs = (
        made.model.index(0, 0, made.model.index(at, 0)).data(CANDIDATE).detail for at in range(2)
    )
    assert mine.startswith("check, ")
    assert "import" not in theirs
    assert made.model.index(0, 1, made.model.index(0, 0)).data().isdigit()


def test_a_box_is_ticked_by_a_click(
    qtbot: QtBot,
    runner: JobRunner,
    replay: Replay,
    stored_runs: StoredRuns,
    appearance: Appearance,
) -> None:
    stored_runs.take_shelf(shelf(20))
    made = listed(qtbot, runner, replay, stored_runs, appearance)
    row = made.tree.visualRect(made.model.index(2, 0, made.model.index(0, 0)))
    spot = row.center()
    spot.setX(row.left() + 10)
    QTest.mouseClick(made.tree.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    assert [*made.comparison_controller.picked] == [RunKey((18,))]
    QTest.mouseClick(made.tree.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    assert [*made.comparison_controller.picked] == []


LIST_WIDTH = 726
"""What a window of 1024 pixels leaves for the list."""


def test_a_row_says_whole_what_was_measured_and_from_where(
    qtbot: QtBot,
    runner: JobRunner,
    replay: Replay,
    stored_runs: StoredRuns,
    appearance: Appearance,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = listed(qtbot, runner, replay, stored_runs, appearance)
    long = replace(
        run(1),
        beside_server=True,
        doubted=17,
        rejected=1,
        drive="Samsung SSD 990 PRO 2TB nvme0n1",
        directory="/srv/mysql/data",
    )
    cut: list[str] = []
    said: list[str] = []

    def drawn(painter: QPainter, room: QRect, text: str, font: QFont) -> None:
        painter.setFont(font)
        said.append(text)
        if painter.fontMetrics().horizontalAdvance(text) > room.width():
            cut.append(text)

    monkeypatch.setattr(contender_delegate, "_draw", drawn)
    stored_runs.take_shelf(Shelf((LOCAL,), (long,)))
    made.resize(LIST_WIDTH, 400)
    made.fill()
    made.tree.grab()
    assert "Samsung SSD 990 PRO 2TB nvme0n1, /srv/mysql/data" in said
    assert any(text.endswith("16 doubtful, 1 rejected") for text in said)
    assert not cut
    tip = made.model.index(0, 0, made.model.index(0, 0)).data(Qt.ItemDataRole.ToolTipRole)
    assert "/srv/mysql/data" in tip
    assert "16 doubtful, 1 rejected" in tip


def test_what_was_picked_comes_first_when_the_choice_is_opened_again(
    qtbot: QtBot,
    runner: JobRunner,
    replay: Replay,
    stored_runs: StoredRuns,
    appearance: Appearance,
) -> None:
    made = listed(qtbot, runner, replay, stored_runs, appearance)
    stored_runs.take_shelf(Shelf((LOCAL,), (run(1), run(2), run(3))))
    made.fill()
    made.comparison_controller.pick(RunKey((1,)), on=True)
    made.fill()
    group = made.model.index(0, 0)
    assert group.data() != "Picked"
    made.open_again()
    group = made.model.index(0, 0)
    assert group.data() == "Picked"
    assert [
        made.model.index(at, 0, group).data(KEY) for at in range(made.model.rowCount(group))
    ] == [RunKey((1,))]

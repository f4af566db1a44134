"""Before and after: a step is done, the server watched again, both looks laid side by side."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QLabel, QWidget
from pytestqt.qtbot import QtBot

from advisor.fleet.two_looks import two_looks
from advisor.judging.over_draws import judge
from advisor.report.two_looks import changed_text
from advisor.run import Voice
from advisor.runs.collected import keeping
from advisor.runs.events import CheckEvent, Finished, InventoryTaken, RunStarted
from advisor.runs.requests import WatchRequest
from advisor.runs.sample import take_sample
from advisor.store.cases import load_case
from advisor.store.store import Store
from app.controllers.selection import Choice
from app.runtime.use_cases import UseCases
from app.views.history.page import HistoryPage
from app.window.main_window import MainWindow
from app.window.parts import ADVICE, WATCH
from probes.cancel import CancelToken
from probes.targets.address import MySQLAddress, Prompts, TargetKind, TargetSpec
from tests.app.cli.commands.collecting.test_history import changed
from tests.app.window.conftest import OpenWindow
from tests.app.window.replay import Replay

FASTER = ('"innodb_io_capacity": "200"', '"innodb_io_capacity": "1000"')
MOST_ACTIONS = 4
LEFT = Qt.MouseButton.LeftButton
POOL = ('"innodb_buffer_pool_size": "134217728"', '"innodb_buffer_pool_size": "5368709120"')


@pytest.fixture
def window(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay, monkeypatch: pytest.MonkeyPatch
) -> MainWindow:
    """A server that was watched once; the next watch finds it with a larger pool, and faster."""
    with Store.open(replay.path) as store:
        list(take_sample(store))
        slow, fast = (store.raw_inventory(run_id) for run_id in (1, 2))
        with keeping(store, "db7", slow):
            pass
        server = MySQLAddress(host="db7.example", user="app")
        store.save_target(TargetSpec(TargetKind.MYSQL, "db7", mysql=server))
    later = changed(fast, *POOL)

    def look_again(
        store: Store, request: WatchRequest, _prompts: Prompts, _token: CancelToken
    ) -> Iterator[CheckEvent]:
        with keeping(store, request.target.name, later) as kept:
            yield RunStarted(kept.run_id)
        case = load_case(store, Voice(kept.run_id))
        yield InventoryTaken(case.inventory)
        yield Finished(kept.run_id, case, judge(case))

    known: UseCases = replace(
        replay.use_cases(), watch=look_again, load_case=load_case, judge=judge
    )
    monkeypatch.setattr(replay, "use_cases", lambda: known)
    made = open_window(replay)
    made.selection.choose(Choice("db7"))
    made.show_page(ADVICE)
    made.advice.show_side("plan")
    return made


class Mouse:
    """Clicks, and counts them."""

    def __init__(self) -> None:
        self.actions = 0

    def click(self, widget: QWidget) -> None:
        self.actions += 1
        QTest.mouseClick(widget, LEFT, pos=QPoint(8, widget.height() // 2))


def test_from_a_step_that_is_done_to_what_came_of_it(qtbot: QtBot, window: MainWindow) -> None:
    plan, hand = window.advice.plan, Mouse()

    def ticks() -> list[QCheckBox]:
        return [one for one in plan.findChildren(QCheckBox) if one.text() == "Done"]

    qtbot.waitUntil(lambda: any(one.isVisible() for one in ticks()))
    assert not plan.came.isVisible()
    hand.click(next(one for one in ticks() if one.isVisible()))
    qtbot.waitUntil(plan.came.isVisible)
    assert "1 step is done here" in plan.done.text()
    with qtbot.waitSignal(window.run_controller.ended):
        hand.click(plan.came)
    assert window.stack.currentIndex() == WATCH
    qtbot.waitUntil(window.watch.head.other.isVisible)
    hand.click(window.watch.head.other)
    page = window.asides.history.page
    assert isinstance(page, HistoryPage)
    qtbot.waitUntil(lambda: "A query takes" in page.pair.sentence.text())
    assert hand.actions <= MOST_ACTIONS
    shown = [one.text().replace("\u202f", " ") for one in page.pair.findChildren(QLabel)]
    whole = "\n".join(shown)
    assert "innodb_buffer_pool_size 128 MiB to 5 GiB" in whole
    assert "Ticked as done, but not set: " in whole
    assert "Forecast of these settings: " in whole
    assert "Two looks, no proof" in whole
    assert "time of a query" in shown
    # Where both are there, the plan leads to them at once.
    window.selection.choose(Choice("db7"))
    window.show_page(ADVICE)
    window.advice.show_side("plan")
    qtbot.waitUntil(plan.came.isVisible)
    hand.click(plan.came)
    qtbot.waitUntil(page.isVisible)


def test_a_step_that_is_ticked_and_not_set_is_named(window: MainWindow, replay: Replay) -> None:
    with Store.open(replay.path) as store:
        slow = store.raw_inventory(1)
        for again in (slow, changed(slow, *FASTER)):
            with keeping(store, "db7", again):
                pass
        store.mark_step("db7", "innodb_buffer_pool_size: 128 MiB → 5 GiB", done=True)
        store.mark_step("db7", "innodb_io_capacity: 200 → 1000", done=True)
        found = two_looks(store, *(run.id for run in store.runs("db7")[:2]))
    assert found.unset == ("innodb_buffer_pool_size: 128 MiB → 5 GiB",)
    said = changed_text(found).replace("\u202f", " ")
    assert "Done by the plan: innodb_io_capacity: 200 → 1000." in said
    assert "Ticked as done, but not set: innodb_buffer_pool_size: 128 MiB → 5 GiB." in said


def test_another_pair_is_chosen(qtbot: QtBot, window: MainWindow, replay: Replay) -> None:
    with Store.open(replay.path) as store:
        slow = store.raw_inventory(1)
        for _ in range(2):
            with keeping(store, "db7", slow):
                pass
    window.parts.stored_runs.refresh()
    qtbot.waitUntil(lambda: len(window.parts.stored_runs.shelf.of("db7")) == 3)
    window.asides.history.show()
    page = window.asides.history.page
    assert isinstance(page, HistoryPage)
    qtbot.waitUntil(lambda: page.pair.before.count() == 3)
    assert (page.pair.before.currentIndex(), page.pair.after.currentIndex()) == (1, 2)
    page.pair.before.setCurrentIndex(0)
    page.pair.before.activated.emit(0)
    qtbot.waitUntil(lambda: "No setting that servers" in page.pair.texts.text())
    assert page.pair.before.currentIndex() == 0

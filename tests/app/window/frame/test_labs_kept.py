"""A kept lab may be chosen as any run: no page fails over what it has not measured."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from advisor.run import RunState
from advisor.store.store import Store
from app.controllers.selection import Choice
from app.window.parts import OVERVIEW, PAGES
from probes.targets.address import TargetSpec
from tests.advisor.lab.turns import keep, record
from tests.app.window.conftest import OpenWindow, caught_up
from tests.app.window.replay import Replay


@pytest.mark.parametrize("rounds", [0, 4])
def test_a_lab_is_chosen(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay, rounds: int
) -> None:
    with Store.open(replay.path) as store:
        run_id = keep(store, TargetSpec(), record(0.2, rounds=rounds))
        store.end_run(run_id, RunState.DONE)
    window = open_window(replay)
    window.selection.choose(Choice("local", run_id))
    caught_up(qtbot, window)
    for page in PAGES:
        window.show_page(page)
        caught_up(qtbot, window)
    assert window.selection.choice == Choice("local", run_id)
    window.show_page(OVERVIEW)
    qtbot.waitUntil(window.overview.answer.isVisible)
    assert f"{rounds} rounds over" in window.overview.answer.toPlainText()
    assert not window.overview.answers.isVisible()
    window.selection.choose(Choice("local"))
    caught_up(qtbot, window)
    assert not window.overview.answer.isVisible()

"""The sample on the first page: one press fills the pages, and it goes as it came."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from advisor.target_names import SAMPLE
from app.controllers.drive_keys import RunKey
from app.controllers.selection import Choice
from app.presenters.frame.import_notices import SAMPLE_NOTICE
from app.window.parts import OVERVIEW, PROBE
from tests.app.window.conftest import OpenWindow, caught_up
from tests.app.window.looking import texts
from tests.app.window.replay import Replay


def test_one_press_on_the_first_page_fills_the_others(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    window = open_window(replay)
    qtbot.waitUntil(window.sidebar.sample.isVisible)
    with qtbot.waitSignal(window.parts.stored_runs.imported):
        window.sidebar.sample.click()
    assert window.selection.choice == Choice(SAMPLE)
    assert window.stack.currentIndex() == OVERVIEW
    assert SAMPLE_NOTICE in texts(window.notices)
    assert not window.sidebar.sample.isVisible()
    qtbot.waitUntil(lambda: window.selection.latest is not None)
    caught_up(qtbot, window)
    watched, checked = sorted(run.id for run in window.parts.stored_runs.shelf.of(SAMPLE))
    assert window.comparison_controller.picked == (RunKey((checked,)),)
    window.pages.going.compare_runs([watched])
    assert window.comparison_controller.picked == (RunKey((checked,)),)
    window.selection.choose(Choice())
    window.show_page(PROBE)
    window.try_sample()
    assert window.selection.choice == Choice(SAMPLE)
    assert len(window.parts.stored_runs.shelf.of(SAMPLE)) == 2
    assert window.stack.currentIndex() == OVERVIEW


def test_the_sample_is_deleted_like_any_target(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    window = open_window(replay)
    with qtbot.waitSignal(window.parts.stored_runs.imported):
        window.try_sample()
    window.parts.stored_runs.delete_target(SAMPLE)
    assert not window.parts.stored_runs.shelf.of(SAMPLE)
    assert window.sidebar.sample.isVisible()
    assert window.selection.choice == Choice()
    window.notices.take_back()
    assert len(window.parts.stored_runs.shelf.of(SAMPLE)) == 2

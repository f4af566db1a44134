"""A server has one today: pages, plan, report, list and command line speak of the same run."""

from __future__ import annotations

from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from advisor.fleet.listing import kept_servers
from advisor.judging.over_draws import judge
from advisor.report.report import gather
from advisor.run import RunKind, RunState
from advisor.runs.sample import take_sample
from advisor.store.cases import load_case
from advisor.store.store import Store
from advisor.target_names import SAMPLE
from app.controllers.run import DoneRun
from app.controllers.selection import Choice
from app.runtime.use_cases import UseCases
from app.window.main_window import MainWindow
from app.window.parts import ADVICE, OVERVIEW, WATCH, WHAT_IF
from tests.app.window.conftest import OpenWindow, caught_up
from tests.app.window.looking import see, texts
from tests.app.window.replay import Replay
from tests.present import present

WATCHED, CHECKED = 1, 2


@pytest.fixture
def window(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay, monkeypatch: pytest.MonkeyPatch
) -> MainWindow:
    """The sample, read and judged as the program does."""
    with Store.open(replay.path) as store:
        list(take_sample(store))
    known: UseCases = replace(replay.use_cases(), load_case=load_case, judge=judge)
    monkeypatch.setattr(replay, "use_cases", lambda: known)
    made = open_window(replay)
    made.selection.choose(Choice(SAMPLE))
    made.show_page(OVERVIEW)
    qtbot.waitUntil(lambda: made.selection.latest is not None)
    caught_up(qtbot, made)
    return made


def test_the_watch_speaks_on_every_page_with_the_curves_of_the_check(
    qtbot: QtBot, window: MainWindow, replay: Replay
) -> None:
    latest = window.selection.latest
    assert isinstance(latest, DoneRun)
    assert (latest.run_id, latest.case.curves_id) == (WATCHED, CHECKED)
    assert latest.points
    said = texts(window.overview)
    assert "Watched " in said
    # The drive was measured in the same minute, which is said once.
    assert "12.1 queries at work. " in said
    limit = window.overview.head.sentence.text()
    window.show_page(WATCH)
    qtbot.waitUntil(lambda: bool(window.watch.head.sentence.text()))
    first = window.watch.head.sentence.text()
    assert "of query time goes to processors" in first
    assert limit.startswith(first.removesuffix("."))
    window.show_page(WHAT_IF)
    controller = window.what_if._controller
    qtbot.waitUntil(lambda: controller.live is not None)
    live = present(controller.live)
    watched = present(latest.inventory.watched)
    assert live.server.rate_per_s == watched.status.per_s("Questions")
    assert live.server.drive is not None
    window.show_page(ADVICE)
    qtbot.waitUntil(lambda: window.advice_controller.plan is not None)
    assert window.advice_controller.run is latest
    with Store.open(replay.path) as store:
        (row,) = kept_servers(store)
        report = gather(store, row.voice)
    assert (row.run_id, row.curves_id) == (WATCHED, CHECKED)
    assert report.run.kind is RunKind.WATCH
    assert report.case.points == latest.case.points


def test_another_look_speaks_when_it_is_chosen(qtbot: QtBot, window: MainWindow) -> None:
    speaker = window.overview.speaker
    assert speaker.isVisible()
    (other,) = speaker.looks.actions()
    other.trigger()
    assert window.selection.choice == Choice(SAMPLE, CHECKED)
    qtbot.waitUntil(lambda: window.selection.latest is not None)
    caught_up(qtbot, window)
    assert "Checked " in texts(window.overview)
    speaker.click()
    assert window.selection.choice == Choice(SAMPLE)
    latest = window.selection.latest
    assert isinstance(latest, DoneRun)
    assert latest.run_id == WATCHED


def test_a_look_at_no_load_says_what_was_set_otherwise_since_the_one_that_speaks(
    qtbot: QtBot, window: MainWindow, replay: Replay
) -> None:
    with Store.open(replay.path) as store:
        raw = store.raw_inventory(WATCHED)
        variables = raw.answers["mysql.variables"]
        answers = {
            **raw.answers,
            "mysql.variables": variables.replace(
                '"innodb_io_capacity": "200"', '"innodb_io_capacity": "1000"'
            ),
        }
        run_id = store.start_run(
            store.run_target(WATCHED),
            replace(raw, answers=answers),
            store.plan(WATCHED),
            RunKind.CHECK,
        )
        store.end_run(run_id, RunState.DONE)
    window.parts.stored_runs.refresh()
    changed = "Changed since it was looked at: innodb_io_capacity 200 to 1000."
    see(qtbot, window.overview, "12.1 queries at work.", changed)
    latest = window.selection.latest
    assert isinstance(latest, DoneRun)
    assert latest.run_id == WATCHED

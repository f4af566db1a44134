"""All servers: the sample is one of them, what trials kept is shown, and columns are in sight."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QAbstractSlider
from pytestqt.qtbot import QtBot

from advisor.fleet import judged_row
from advisor.fleet.listing import kept_servers
from advisor.run import RunKind, RunState
from advisor.runs.session import NOTHING_MEASURED
from advisor.store.store import Store
from advisor.target_names import SAMPLE
from app.presenters.servers.table import COLUMNS, fitted
from app.views.servers.page import ServersPage
from app.window.main_window import MainWindow
from tests.advisor.trial.records import SETTINGS, trial_record
from tests.app.window.conftest import OpenWindow
from tests.app.window.looking import texts
from tests.app.window.replay import Replay
from tests.app.window.servers.test_page import ROWS, cell, listed
from tests.fleets import kept_rows
from tests.present import present


def shown(qtbot: QtBot, open_window: OpenWindow, replay: Replay, number: int) -> ServersPage:
    window = open_window(replay)
    window.asides.servers.show()
    page = present(window.asides.servers.page)
    assert isinstance(page, ServersPage)
    qtbot.waitUntil(lambda: len(listed(page)) == number)
    return page


def test_without_servers_the_sample_is_offered_and_then_listed(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    page = shown(qtbot, open_window, replay, 0)
    qtbot.waitUntil(page.empty.last.isVisible)
    page.empty.last.click()
    window = page.window()
    assert isinstance(window, MainWindow)
    qtbot.waitUntil(lambda: "sample" in texts(window))
    window.asides.servers.show()
    qtbot.waitUntil(lambda: listed(page) == [SAMPLE])
    assert cell(page, SAMPLE, "target") == "The sample"
    assert cell(page, SAMPLE, "taken").startswith("watch, ")
    assert page.details.title.text() == "The sample"


@pytest.mark.parametrize("width", [1280, 1440])
def test_all_columns_are_in_sight(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay, width: int
) -> None:
    long = replace(ROWS["shop-1"], limit="syncs of the doublewrite files at the end of the night")
    with Store.open(replay.path) as store:
        kept_rows(store, {**ROWS, "payments-replica-eu-central-2": long})
    page = shown(qtbot, open_window, replay, len(ROWS) + 1)
    page.window().resize(width, 800)
    bar: QAbstractSlider = page.table.horizontalScrollBar()
    qtbot.waitUntil(lambda: page.window().width() == width and bar.maximum() == 0)
    edge = page.table.viewport().width()
    last = len(COLUMNS) - 1
    assert page.table.columnViewportPosition(last) + 60 < edge


def test_figures_are_never_cut() -> None:
    widths = [(100, 240), (100, 200), (50, 50)]
    words = [True, True, False]
    assert fitted(widths, words, 900) == [240, 200, 50]
    assert fitted(widths, words, 400) == [175, 175, 50]
    assert fitted(widths, words, 100) == [100, 100, 50]


def test_what_a_trial_has_kept_is_in_its_row(
    replay: Replay, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Of the runs that stand in here there is nothing to judge.
    monkeypatch.setattr(judged_row, "judged_row", lambda _store, _voice: ROWS["shop-1"])
    with Store.open(replay.path) as store:
        kept_rows(store, ROWS)
        spec, raw = store.run_target(1), store.raw_inventory(1)
        assert [row.kept for row in kept_servers(store)] == [()] * len(ROWS)
        run_id = store.start_run(spec, raw, NOTHING_MEASURED, kind=RunKind.TRIAL)
        store.add_trial(run_id, trial_record())
        store.end_run(run_id, RunState.DONE)
        rows = {row.target: row for row in kept_servers(store)}
    (first, *_) = SETTINGS
    assert any(line.startswith(f"{first.name}: ") for line in rows[spec.name].kept)
    assert sum(bool(row.kept) for row in rows.values()) == 1

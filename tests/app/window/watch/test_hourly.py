"""A server that is watched every hour from the window: begun, seen, repeated, ended."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from advisor.run import RunKind
from advisor.store.store import Store
from app.controllers.hourly import KEPT_AS, HourlyWatches
from app.views.watch.page import EVERY_HOUR
from app.window.parts import OVERVIEW, WATCH
from tests.app.window.conftest import OpenWindow
from tests.app.window.replay import Replay
from tests.present import present


def test_a_server_is_watched_again_every_hour_until_somebody_has_enough(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = open_window(replay)
    window.show_page(WATCH)
    page, hourly = window.watch, window.pages.hourly
    page.length.setCurrentIndex(page.length.findData(EVERY_HOUR))
    page.length.activated.emit(page.length.currentIndex())
    assert page.head.button.text().strip() == "Watch every hour"
    with qtbot.waitSignal(window.run_controller.ended):
        QTest.mouseClick(page.head.button, Qt.MouseButton.LeftButton)
    next_at = present(hourly.next_at("local"))
    assert timedelta(minutes=59) < next_at - datetime.now(UTC) <= timedelta(hours=1)
    assert page.again.isVisible()
    assert page.again.text() == f"Watched every hour: next at {next_at.astimezone():%H:%M}."
    # Its time has come: another watch begins, whatever page is in front.
    window.show_page(OVERVIEW)
    monkeypatch.setattr(hourly, "_next", {"local": datetime.now(UTC), "gone": datetime.now(UTC)})
    with qtbot.waitSignal(window.run_controller.ended):
        hourly.see()
    assert hourly.next_at("gone") is None
    assert present(hourly.next_at("local")) > next_at - timedelta(minutes=1)
    with Store.open(replay.path) as store:
        assert [run.kind for run in store.runs()] == [RunKind.WATCH] * 2
    # The next window goes on with it.
    parts = window.parts
    again = HourlyWatches(parts.run_controller, parts.stored_runs, parts.preferences)
    assert again.next_at("local") is not None
    window.show_page(WATCH)
    QTest.mouseClick(page.no_more, Qt.MouseButton.LeftButton)
    assert hourly.next_at("local") is None
    assert not page.again.isVisible()
    assert parts.preferences.text(KEPT_AS) == ""

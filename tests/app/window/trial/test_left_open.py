"""A trial that was cut off: the window says what the server may still have, and sets it back."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from advisor.store.store import Store
from advisor.store.trial_journal import JournalEntry
from app.window.application import build, real_use_cases
from app.window.main_window import MainWindow
from probes.targets.address import MySQLAddress, TargetSpec
from probes.trial.settings import TriedSetting
from tests.app.window.conftest import shut
from tests.app.window.looking import see, texts
from tests.servers.eleven import RunningServer, chosen

NAME, OLD, TRIED = "innodb_spin_wait_delay", "6", "50"
GONE = MySQLAddress(socket="/no/such/server.sock", user="root")


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with chosen()[0].start() as running:
        yield running


def left_on(address: MySQLAddress) -> None:
    """Keep what a program that was killed in its trial has written."""
    settings = (TriedSetting(NAME, OLD, TRIED, number=True),)
    with Store.open() as store:
        began = datetime.now(UTC).isoformat()
        store.trial_journal.begin(
            JournalEntry(99, TargetSpec(name="db7", mysql=address), settings, began)
        )


@pytest.fixture
def window(
    qtbot: QtBot, qapp: QApplication, request: pytest.FixtureRequest
) -> Iterator[MainWindow]:
    running = request.getfixturevalue("server")
    left_on(MySQLAddress(socket=running.socket, user="root") if request.param else GONE)
    made = build(qapp, real_use_cases())
    made.show()
    qtbot.waitUntil(made.left.isVisible)
    yield made
    shut(qtbot, made)


def value(server: RunningServer) -> str:
    return str(server.sql(f"SELECT @@GLOBAL.{NAME} AS value")[0]["value"])


@pytest.mark.parametrize("window", [True], indirect=True)
def test_it_is_named_until_it_is_set_back(
    qtbot: QtBot, server: RunningServer, window: MainWindow
) -> None:
    server.sql(f"SET GLOBAL {NAME} = {TRIED}")
    said = texts(window.left)
    assert f"the server may still have {NAME} = {TRIED} (before: {OLD})" in said
    assert "“Set it back” looks" in said
    assert "leadline" not in said
    assert not window.left.callout.close_button.isVisible()
    window.left.set_back.click()
    see(qtbot, window.left, f"db7 has {NAME} = {OLD}, as before.")
    assert value(server) == OLD
    qtbot.waitUntil(window.left.callout.close_button.isVisible)
    assert not window.left.set_back.isVisible()
    with Store.open() as store:
        assert store.open_trials() == ()
    window.left.callout.close_button.click()
    assert not window.left.isVisible()


@pytest.mark.parametrize("window", [False], indirect=True)
def test_a_server_that_is_not_reached_keeps_it_open(qtbot: QtBot, window: MainWindow) -> None:
    window.left.set_back.click()
    see(qtbot, window.left, "db7: ")
    qtbot.waitUntil(window.left.set_back.isVisible)
    with Store.open() as store:
        assert len(store.open_trials()) == 1

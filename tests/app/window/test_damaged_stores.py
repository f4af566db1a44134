"""A store that is damaged or hostile: the window says so, and shows the runs that are not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from advisor.judging.engine import judge
from advisor.store.cases import load_case
from advisor.store.store import Store
from app.controllers.selection import Choice
from app.runtime.use_cases import UseCases
from app.window.main_window import ADVICE
from tests.advisor.store.foreign_files import tamper
from tests.advisor.store.hostile_cases import JUDGED, deep
from tests.app.cli.kept import keep
from tests.app.window.conftest import OpenWindow
from tests.app.window.looking import see, texts
from tests.app.window.replay import Replay

MISTAKE = "mistake"


class RealStore(Replay):
    """The window's use cases as they are for what is in the store."""

    def use_cases(self) -> UseCases:
        return replace(super().use_cases(), load_case=load_case, judge=judge)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Run 1 of db7 and run 2 of db8."""
    path = tmp_path / "replay.sqlite3"
    with Store.open(path) as store:
        keep(store)
        keep(store, "db8")
    return path


DAMAGES: dict[str, str] = {
    "a probe's name": "UPDATE points SET probe = CAST(X'72616efe' AS TEXT) WHERE run_id = 1",
    "deep JSON": f"UPDATE points SET details = '{deep(900)}' WHERE run_id = 1",
    "a plan of nothing": "UPDATE runs SET plan = '{}' WHERE id = 1",
    "a target of nothing": "UPDATE conditions SET value = CAST(X'7bff' AS TEXT) WHERE run_id = 1",
    "figures without end": "UPDATE points SET rate_per_s = 9e999 WHERE run_id = 1",
}


@pytest.mark.parametrize("what", DAMAGES)
def test_a_damaged_run_is_told_of_and_the_others_are_shown(
    qtbot: QtBot, open_window: OpenWindow, path: Path, what: str
) -> None:
    tamper(path, DAMAGES[what])
    window = open_window(RealStore(path))
    window.selection.choose(Choice("db7", 1))
    see(qtbot, window, "What is kept of run 1 is damaged")
    assert MISTAKE not in texts(window)
    window.selection.choose(Choice("db8", 2))
    window.show_page(ADVICE)
    see(qtbot, window.advice, "innodb_io_capacity")
    assert MISTAKE not in texts(window)


HOSTILE: dict[str, Callable[[Path], None]] = {
    name: JUDGED[name]
    for name in (
        "a deep inventory",
        "variables of nonsense",
        "variables of 5000 digits",
        "details of nonsense",
        "a histogram of six million counts",
    )
}


@pytest.mark.parametrize("what", HOSTILE)
def test_a_run_of_nonsense_is_shown_or_told_of(
    qtbot: QtBot, open_window: OpenWindow, path: Path, what: str
) -> None:
    tamper(path, "DELETE FROM runs WHERE id = 2")
    HOSTILE[what](path)
    window = open_window(RealStore(path))
    opened: list[object] = []
    window._stored_runs.opened.connect(opened.append)
    window._stored_runs.failed.connect(opened.append)
    window.selection.choose(Choice("db7", 1))
    window.show_page(ADVICE)
    qtbot.waitUntil(lambda: bool(opened))
    qtbot.waitUntil(lambda: not window.selection._news.isActive())
    assert MISTAKE not in texts(window)

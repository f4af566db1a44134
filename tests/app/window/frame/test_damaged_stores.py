"""A store that is damaged or hostile: the window says so, and shows the runs that are not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from advisor.judging.engine import judge
from advisor.store.cases import load_case
from advisor.store.store import Store
from app.controllers.selection import Choice
from app.runtime.use_cases import UseCases
from app.window.main_window import MainWindow
from app.window.parts import ADVICE, PROBE
from tests.advisor.store.foreign_files import tamper
from tests.advisor.store.hostile_cases import JUDGED, deep
from tests.app.cli.kept import keep
from tests.app.window.conftest import STORE, OpenWindow, PatientBot, opened
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
    "a probe's name": "UPDATE points SET probe = CAST(X'72616efe' AS TEXT) WHERE run_id = ?",
    "deep JSON": f"UPDATE points SET details = '{deep(900)}' WHERE run_id = ?",
    "a plan of nothing": "UPDATE runs SET plan = '{}' WHERE id = ?",
    "a target of nothing": "UPDATE conditions SET value = CAST(X'7bff' AS TEXT) WHERE run_id = ?",
    "figures without end": "UPDATE points SET rate_per_s = 9e999 WHERE run_id = ?",
}


@pytest.fixture(scope="module")
def damaged(
    request: pytest.FixtureRequest, qapp: QApplication, shared_home: Path
) -> Iterator[MainWindow]:
    """A window over runs of db7, each with another damage and none opened, and one of db8."""
    path = shared_home / STORE
    with Store.open(path) as store:
        keep(store, "db8")
        runs = {keep(store): damage for damage in DAMAGES.values()}
    for run_id, damage in runs.items():
        tamper(path, damage.replace("?", str(run_id)))
    with opened(PatientBot(request), qapp, RealStore(path)) as window:
        yield window


@pytest.mark.parametrize("what", DAMAGES)
def test_a_damaged_run_is_told_of_and_the_others_are_shown(
    qtbot: QtBot, damaged: MainWindow, what: str
) -> None:
    run_id = list(DAMAGES).index(what) + 2
    damaged.show_page(PROBE)
    damaged.selection.choose(Choice("db7", run_id))
    see(qtbot, damaged, f"What is kept of run {run_id} is damaged")
    assert MISTAKE not in texts(damaged)
    damaged.selection.choose(Choice("db8", 1))
    damaged.show_page(ADVICE)
    see(qtbot, damaged.advice, "innodb_io_capacity")
    assert MISTAKE not in texts(damaged)


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
    window.parts.stored_runs.opened.connect(opened.append)
    window.parts.stored_runs.failed.connect(opened.append)
    window.selection.choose(Choice("db7", 1))
    window.show_page(ADVICE)
    qtbot.waitUntil(lambda: bool(opened))
    qtbot.waitUntil(lambda: window.selection.up_to_date)
    assert MISTAKE not in texts(window)

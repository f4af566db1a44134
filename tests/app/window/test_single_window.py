"""A second start brings the first window to the front; the end of a long run is told of."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from advisor.run import RunKind, RunState
from app.controllers.run import Run
from app.presenters.bench_form import DONE
from app.runtime.jobs import Job, once
from app.window.main_window import MainWindow
from app.window.notifying import Notifying
from app.window.single import SingleWindow
from tests.app.window.conftest import OpenWindow, run_to_end
from tests.app.window.replay import Replay


def test_a_second_start_asks_for_the_first_ones_window(qtbot: QtBot, tmp_path: Path) -> None:
    first, second = SingleWindow(tmp_path), SingleWindow(tmp_path)
    assert not first.raise_first()
    first.listen()
    with qtbot.waitSignal(first.wanted):
        assert second.raise_first()
    first.close()
    assert not second.raise_first()


def test_a_second_start_gives_its_files_to_the_first(qtbot: QtBot, tmp_path: Path) -> None:
    first, second = SingleWindow(tmp_path), SingleWindow(tmp_path)
    first.listen()
    files = [tmp_path / "a b.leadline", tmp_path / "über\n.leadline"]
    with qtbot.waitSignal(first.wanted) as asked:
        assert second.raise_first(files)
    assert asked.args == [files]
    first.close()


def test_another_home_is_another_program(qtbot: QtBot, tmp_path: Path) -> None:
    first = SingleWindow(tmp_path)
    first.listen()
    assert not SingleWindow(tmp_path / "other").raise_first()
    first.close()


def notified(window: MainWindow) -> list[tuple[str, str]]:
    """What is told from now on, however short a run was."""
    told: list[tuple[str, str]] = []
    bench = window.pages.bench_controller
    Notifying(window, window.run_controller, bench, lambda *said: told.append(said), long_s=0)
    return told


def look_elsewhere(qtbot: QtBot, window: MainWindow) -> None:
    elsewhere = QWidget()
    qtbot.addWidget(elsewhere)
    elsewhere.show()
    elsewhere.activateWindow()
    qtbot.waitUntil(lambda: not window.isActiveWindow())


def test_the_end_of_a_run_is_told_to_whom_looks_elsewhere(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    window = open_window(replay)
    told = notified(window)
    look_elsewhere(qtbot, window)
    run_to_end(qtbot, window)
    ((title, sentence),) = told
    assert title == "This computer"
    assert "reads" in sentence


def test_who_sees_the_window_is_not_told(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    window = open_window(replay)
    told = notified(window)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    run_to_end(qtbot, window)
    assert told == []


def test_a_bench_is_told_of_once_at_its_end(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    window = open_window(replay)
    told = notified(window)
    look_elsewhere(qtbot, window)
    bench, runs = window.pages.bench_controller, window.run_controller
    job = Job("bench", once(lambda _token: None))
    for name in ("drive A", "drive B"):
        turn = Run(name, "quick", RunState.RUNNING, kind=RunKind.PROBE, turn=True)
        assert runs.follow(turn, job)
        runs.end(name, RunState.DONE, None)
        assert told == []
    bench.ended.emit()
    assert told == [("drive B", DONE)]
    bench.ended.emit()
    assert len(told) == 1

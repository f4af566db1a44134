"""A second start brings the first window to the front; the end of a long run is told of."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

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


def test_the_end_of_a_run_is_told_to_whom_looks_elsewhere(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    window = open_window(replay)
    told: list[tuple[str, str]] = []
    Notifying(window, window.run_controller, lambda *said: told.append(said), long_s=0)
    elsewhere = QWidget()
    qtbot.addWidget(elsewhere)
    elsewhere.show()
    elsewhere.activateWindow()
    qtbot.waitUntil(lambda: not window.isActiveWindow())
    run_to_end(qtbot, window)
    ((title, sentence),) = told
    assert title == "This computer"
    assert "reads" in sentence


def test_who_sees_the_window_is_not_told(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    window = open_window(replay)
    told: list[tuple[str, str]] = []
    Notifying(window, window.run_controller, lambda *said: told.append(said), long_s=0)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    run_to_end(qtbot, window)
    assert told == []

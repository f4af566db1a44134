"""Case files that were opened or written are offered again."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from app.runtime.preferences import Preferences
from app.window.menus import MOST, RecentCases
from tests.app.window.conftest import OpenWindow
from tests.app.window.replay import Replay
from tests.conftest import ROOT


@pytest.fixture
def case(tmp_path: Path) -> Path:
    file = tmp_path / "db7.leadline"
    file.write_bytes(gzip.decompress((ROOT / "resources/sample/1-watch.leadline.gz").read_bytes()))
    return file


def test_a_case_that_was_opened_is_in_the_menu_and_one_that_is_gone_leaves_it(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay, case: Path
) -> None:
    window = open_window(replay)
    recent = window.menus.recent
    assert not recent.menu.isEnabled()
    window.take_files([case])
    qtbot.waitUntil(lambda: recent.files == [case])
    first, _line, _clear = recent.menu.actions()
    assert first.text().startswith("db7 ")
    case.unlink()
    first.trigger()
    qtbot.waitUntil(window.errors.isVisible)
    assert recent.files == []


def test_a_case_that_was_written_is_offered(
    open_window: OpenWindow, replay: Replay, tmp_path: Path
) -> None:
    window = open_window(replay)
    window.pages.advice_export.written.emit(tmp_path / "report.html")
    window.pages.advice_export.written.emit(tmp_path / "case.leadline")
    assert window.menus.recent.files == [tmp_path / "case.leadline"]


def test_the_last_ones_are_remembered_each_once(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("LEADLINE_HOME", str(tmp_path))
    files = [tmp_path / f"{at}.leadline" for at in range(MOST + 3)]
    menu = QMenu()
    qtbot.addWidget(menu)
    recent = RecentCases(menu, Preferences(), lambda _files: None)
    for file in files:
        recent.note([file])
    recent.note([files[-2]])
    again = RecentCases(menu, Preferences(), lambda _files: None)
    assert again.files[:3] == [files[-2], files[-1], files[-3]]
    assert len(again.files) == MOST
    menu.actions()[-1].trigger()
    assert again.files == []
    assert not menu.isEnabled()

"""Advice is handed over as a file, with the plan of what is chosen on its page."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from advisor.report.report import read_case
from app.window.main_window import MainWindow
from app.window.parts import ADVICE, PROBE
from tests.app.window.conftest import OpenWindow, caught_up
from tests.app.window.looking import chosen
from tests.app.window.replay import Replay

RULE = "flushing.io-capacity"


@pytest.fixture
def window(qtbot: QtBot, done: MainWindow) -> MainWindow:
    done.show_page(ADVICE)
    caught_up(qtbot, done)
    qtbot.waitUntil(lambda: done.advice_controller.plan is not None)
    return done


def save(qtbot: QtBot, window: MainWindow, file: Path) -> None:
    with qtbot.waitSignal(window.pages.advice_export.written) as told:
        window.pages.handing_over.advice()
    assert told.args == [file]


def test_every_form_is_written_with_the_chosen_plan(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names: list[tuple[str, str]] = []
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args: names.pop())
    files = {ending: tmp_path / f"advice{ending}" for ending in (".html", ".md", ".leadline")}
    for file in files.values():
        names.append((str(file), ""))
        save(qtbot, window, file)
    assert "SET PERSIST innodb_io_capacity" in files[".html"].read_text("utf-8")
    assert f"`{RULE}`" in files[".md"].read_text("utf-8")
    assert read_case(files[".leadline"]).case.points
    opened: list[QUrl] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", opened.append)
    window.notices.shown[-1].open.click()
    assert opened == [QUrl.fromLocalFile(str(files[".leadline"]))]
    assert str(files[".leadline"]) not in window.notices.shown[-1].text
    window.advice_controller.choose(RULE, False)
    names.append((str(tmp_path / "without"), "Report as JSON (*.json)"))
    save(qtbot, window, tmp_path / "without.json")
    content = json.loads((tmp_path / "without.json").read_text("utf-8"))
    assert RULE in {each["rule"] for each in content["recommendations"]}
    assert RULE not in {rule for one in content["change_plan"]["actions"] for rule in one["rules"]}


def test_any_run_of_the_list_is_exported_as_a_case(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def choose(_parent: object, _title: str, proposed: str, kinds: str) -> tuple[str, str]:
        asked.append(proposed)
        return str(tmp_path / "handed"), kinds

    monkeypatch.setattr(QFileDialog, "getSaveFileName", choose)
    (run,) = window.parts.stored_runs.shelf.runs
    for _ in range(2):
        with qtbot.waitSignal(window.pages.advice_export.written) as told:
            window.sidebar.export_wanted.emit(run.id, run.target)
        assert told.args == [tmp_path / "handed.leadline"]
    assert len(read_case(tmp_path / "handed.leadline").case.points) == run.points
    # The second time it begins where the first file went.
    assert [Path(each).parent for each in asked] == [Path.home(), tmp_path]


def test_what_cannot_be_written_is_said(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = str(tmp_path / "nowhere" / "advice.html")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args: (name, ""))
    window.pages.handing_over.advice()
    qtbot.waitUntil(lambda: "can't be written" in chosen(window.errors.callout))


def test_without_advice_nothing_is_asked(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(QFileDialog, "getSaveFileName")
    window = open_window(replay)
    window.pages.handing_over.advice()
    qtbot.waitUntil(lambda: "no advice to hand over" in chosen(window.errors.callout))


def test_from_another_page_it_goes_to_the_advice_first(
    qtbot: QtBot, done: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert done.stack.currentIndex() == PROBE
    file = tmp_path / "advice.html"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args: (str(file), ""))
    save(qtbot, done, file)
    assert done.stack.currentIndex() == ADVICE
    assert "SET PERSIST innodb_io_capacity" in file.read_text("utf-8")

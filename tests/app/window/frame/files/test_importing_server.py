"""A server's texts in the window: chosen, dropped as a folder, or pasted, and then a target."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot

from advisor.store.store import Store
from app.controllers.selection import Choice
from app.views.dialogs.server_texts import ServerTextsDialog
from app.window.main_window import MainWindow
from app.window.parts import ADVICE, OVERVIEW
from probes.targets.address import TargetKind
from tests.app.window.conftest import OpenWindow
from tests.app.window.looking import chosen, texts
from tests.app.window.replay import Replay
from tests.probes.texts.recorded import SERVER_TEXTS


def dialog_of(qtbot: QtBot, window: MainWindow) -> ServerTextsDialog:
    found: list[ServerTextsDialog] = []

    def there() -> bool:
        found[:] = [each for each in window.findChildren(ServerTextsDialog) if each.isVisible()]
        return bool(found)

    qtbot.waitUntil(there)
    return found[0]


def asked(qtbot: QtBot, window: MainWindow) -> ServerTextsDialog:
    keys = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    QTest.keyClick(window, Qt.Key.Key_I, keys)
    return dialog_of(qtbot, window)


def test_files_become_a_target_that_is_shown(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = open_window(replay)
    dialog = asked(qtbot, window)
    names = [str(file) for file in sorted(SERVER_TEXTS.iterdir())]
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_a, **_k: (names, ""))
    QTest.mouseClick(dialog.choose, Qt.MouseButton.LeftButton)
    assert dialog.list.count() == len(names)
    assert dialog.fields.lines["name"].text() == "db7"
    QTest.keyClicks(dialog.fields.lines["memory"], "24G")
    QTest.mouseClick(dialog.read, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.selection.choice == Choice("db7"))
    assert window.stack.currentIndex() == OVERVIEW
    assert "db7: read from" in texts(window.notices)
    row = next(row for row in window.sidebar.shown if row.title == "db7")
    assert row.detail == "known from texts"
    assert row.runs[0].detail == "from texts"
    window.show_page(ADVICE)
    assert window.stack.currentIndex() == ADVICE
    with Store.open(replay.path) as store:
        assert store.run_target(1).kind is TargetKind.TEXTS


def test_what_is_pasted_is_read(qtbot: QtBot, open_window: OpenWindow, replay: Replay) -> None:
    window = open_window(replay)
    dialog = asked(qtbot, window)
    QApplication.clipboard().setText((SERVER_TEXTS / "variables.txt").read_text())
    QTest.mouseClick(dialog.paste, Qt.MouseButton.LeftButton)
    QTest.keyClicks(dialog.fields.lines["name"], "shop")
    QTest.mouseClick(dialog.read, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.selection.choice == Choice("shop"))
    assert "shop: read from clipboard" in texts(window.notices)


def test_dropped_folder_asks_for_the_name(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay, tmp_path: Path
) -> None:
    folder = tmp_path / "client-db3"
    shutil.copytree(SERVER_TEXTS, folder)
    window = open_window(replay)
    window.pages.importing.take([folder])
    dialog = dialog_of(qtbot, window)
    assert dialog.fields.lines["name"].text() == "client-db3"
    QTest.mouseClick(dialog.read, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.selection.choice == Choice("client-db3"))


def test_faults_are_said_where_they_are_made(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay, tmp_path: Path
) -> None:
    window = open_window(replay)
    dialog = asked(qtbot, window)
    QTest.mouseClick(dialog.read, Qt.MouseButton.LeftButton)
    assert "There is no text yet." in chosen(dialog.callout)
    mail = tmp_path / "mail.txt"
    mail.write_text("our database is slow\n")
    dialog.add([mail])
    dialog.fields.lines["memory"].setText("much")
    QTest.mouseClick(dialog.read, Qt.MouseButton.LeftButton)
    assert dialog.callout.isVisible()
    dialog.fields.lines["memory"].setText("")
    QTest.mouseClick(dialog.read, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "says anything of a server" in chosen(dialog.callout))
    # Nothing that was chosen or typed is lost.
    assert dialog.isVisible()
    assert dialog.list.count() == 1
    dialog.add(sorted(SERVER_TEXTS.iterdir()))
    QTest.mouseClick(dialog.read, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: bool(window.selection.choice.target != "local"))


def test_a_fault_after_the_dialog_was_closed_is_shown_above_the_page(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay, tmp_path: Path
) -> None:
    window = open_window(replay)
    dialog = asked(qtbot, window)
    mail = tmp_path / "mail.txt"
    mail.write_text("our database is slow\n")
    dialog.add([mail])
    QTest.mouseClick(dialog.read, Qt.MouseButton.LeftButton)
    dialog.reject()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    qtbot.waitUntil(lambda: "says anything of a server" in chosen(window.errors.callout))

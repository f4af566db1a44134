"""The servers of this computer are offered where a target is added."""

from __future__ import annotations

from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from app.views.dialogs.target import TargetDialog
from probes.inventory.servers_here import ServerHere
from probes.targets.address import TargetKind
from tests.app.window.conftest import OpenWindow
from tests.app.window.replay import Replay
from tests.present import present

BY_SOCKET = ServerHere(11, "mariadbd", "/run/mysqld/mysqld.sock", 3306)
BY_PORT = ServerHere(12, "mysqld", port=3307)


@pytest.fixture
def dialog(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay, monkeypatch: pytest.MonkeyPatch
) -> TargetDialog:
    known = replace(replay.use_cases(), servers_here=lambda: (BY_SOCKET, BY_PORT))
    monkeypatch.setattr(replay, "use_cases", lambda: known)
    window = open_window(replay)
    window.add_target()
    dialog = present(window.findChild(TargetDialog))
    qtbot.waitUntil(lambda: dialog.servers.count() == 3)
    return dialog


def choose(dialog: TargetDialog, kind: TargetKind) -> None:
    dialog.kind.button(kind.value).click()


def test_the_first_is_filled_in_for_this_computer_alone(dialog: TargetDialog) -> None:
    assert not dialog.servers.isVisible()
    dialog.with_mysql.setChecked(True)
    assert dialog.form.mysql_socket == ""
    choose(dialog, TargetKind.LOCAL)
    assert dialog.servers.isVisible()
    assert (dialog.form.by_socket, dialog.form.mysql_socket) == (True, BY_SOCKET.socket)
    choose(dialog, TargetKind.SSH)
    assert (dialog.form.by_socket, dialog.form.mysql_socket) == (False, "")
    assert not dialog.servers.isVisible()
    dialog.reject()


def test_another_one_is_picked(dialog: TargetDialog) -> None:
    choose(dialog, TargetKind.LOCAL)
    dialog.servers.activated.emit(1)
    assert (dialog.form.by_socket, dialog.form.mysql_port) == (False, "3307")
    # What was typed stays.
    dialog.servers.activated.emit(2)
    assert dialog.form.mysql_port == "3307"
    dialog.reject()


def test_what_was_typed_is_not_overwritten(dialog: TargetDialog) -> None:
    dialog.mysql_port.setText("4000")
    choose(dialog, TargetKind.LOCAL)
    assert (dialog.form.by_socket, dialog.form.mysql_port) == (False, "4000")
    dialog.reject()

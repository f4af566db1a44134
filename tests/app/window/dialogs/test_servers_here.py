"""The servers of this computer are offered where a target is added."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from app.views.dialogs.target import TargetDialog
from probes.inventory.servers_here import ServerHere
from probes.targets.address import TargetKind
from tests.app.window.conftest import OpenWindow
from tests.app.window.replay import Replay
from tests.present import present

ANOTHERS = ServerHere(10, "mysqld", "/home/eve/mysql.sock", account="eve", persons=True)
BY_SOCKET = ServerHere(11, "mariadbd", "/run/mysqld/mysqld.sock", 3306, "mysql")
BY_PORT = ServerHere(12, "mysqld", port=3307, account="4711")


def offered(
    servers: tuple[ServerHere, ...],
    qtbot: QtBot,
    open_window: OpenWindow,
    replay: Replay,
) -> TargetDialog:
    replay.servers_here = servers
    window = open_window(replay)
    window.add_target()
    dialog = present(window.findChild(TargetDialog))
    qtbot.waitUntil(lambda: dialog.servers.count() == len(servers) + 1)
    return dialog


@pytest.fixture
def dialog(qtbot: QtBot, open_window: OpenWindow, replay: Replay) -> TargetDialog:
    return offered((BY_SOCKET, BY_PORT), qtbot, open_window, replay)


def choose(dialog: TargetDialog, kind: TargetKind) -> None:
    dialog.kind.button(kind.value).click()


def type_socket(dialog: TargetDialog, socket: str) -> None:
    line = dialog.fields.lines["mysql_socket"]
    line.setText(socket)
    line.textEdited.emit(socket)


def test_the_first_is_filled_in_for_this_computer_alone(dialog: TargetDialog) -> None:
    assert not dialog.servers.isVisible()
    dialog.fields.switches["with_mysql"].setChecked(True)
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


def test_the_list_shows_the_server_that_the_fields_lead_to(dialog: TargetDialog) -> None:
    choose(dialog, TargetKind.LOCAL)
    assert dialog.servers.currentIndex() == 0
    type_socket(dialog, "/srv/other.sock")
    assert dialog.servers.currentText() == "Another one"
    type_socket(dialog, BY_SOCKET.socket)
    assert dialog.servers.currentIndex() == 0
    dialog.reject()


def test_what_was_typed_is_not_overwritten(dialog: TargetDialog) -> None:
    dialog.fields.lines["mysql_port"].setText("4000")
    choose(dialog, TargetKind.LOCAL)
    assert (dialog.form.by_socket, dialog.form.mysql_port) == (False, "4000")
    dialog.reject()


def test_it_is_said_whose_a_program_is(dialog: TargetDialog) -> None:
    said = [dialog.servers.itemText(at) for at in range(2)]
    assert said == [
        "/run/mysqld/mysqld.sock, port 3306: mariadbd, account mysql, process 11",
        "port 3307: mysqld, account 4711, process 12",
    ]
    dialog.reject()


@pytest.mark.parametrize("servers", [(ANOTHERS,), (ANOTHERS, BY_SOCKET)])
def test_a_program_of_another_person_is_filled_in_for_nobody(
    servers: tuple[ServerHere, ...],
    qtbot: QtBot,
    open_window: OpenWindow,
    replay: Replay,
) -> None:
    dialog = offered(servers, qtbot, open_window, replay)
    choose(dialog, TargetKind.LOCAL)
    wanted = BY_SOCKET.socket if BY_SOCKET in servers else ""
    assert dialog.form.mysql_socket == wanted
    assert dialog.servers.currentIndex() == 1
    # Who knows it may still have it.
    dialog.servers.activated.emit(0)
    assert dialog.form.mysql_socket == ANOTHERS.socket
    dialog.reject()

"""The window against real servers: an sshd nobody knows yet, a MariaDB behind it, an agent."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from advisor.run import RunKind, RunState
from advisor.store.store import Store
from app.controllers.run import LiveRun
from app.controllers.selection import Choice
from app.views.dialogs.questions import HostKeyDialog, PasswordDialog
from app.views.dialogs.target import TargetDialog
from app.views.watch import page as watch_page
from app.window.application import build, real_use_cases
from app.window.main_window import MainWindow
from app.window.parts import OVERVIEW, WATCH
from probes.kinds.kind import Kind
from probes.targets.address import MySQLAddress, TargetSpec
from tests.app.window.conftest import shut
from tests.app.window.looking import chosen, texts
from tests.present import present
from tests.servers.mariadb import ED25519, MariaDB
from tests.servers.sshd import PASSPHRASE, Sshd


@pytest.fixture
def strange_home(sshd: Sshd, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home directory that has never seen the server."""
    home = tmp_path / "home"
    (home / ".ssh").mkdir(parents=True, mode=0o700)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("SSH_AUTH_SOCK", raising=False)
    return home


def answer(qtbot: QtBot, window: MainWindow, secret: str) -> None:
    """Wait for the next password question and answer it."""
    qtbot.waitUntil(lambda: window.findChild(PasswordDialog) is not None)
    asking = present(window.findChild(PasswordDialog))
    asking.field.setText(secret)
    asking.yes.click()
    qtbot.waitUntil(lambda: window.findChild(PasswordDialog) is not asking)


def test_an_unknown_host_and_a_locked_key_are_asked_about_and_the_target_is_seen(
    qtbot: QtBot,
    qapp: QApplication,
    sshd: Sshd,
    mariadb: MariaDB,
    strange_home: Path,
) -> None:
    window = build(qapp, real_use_cases())
    window.show()
    try:
        window.add_target()
        dialog = present(window.findChild(TargetDialog))
        QTest.keyClicks(dialog.fields.lines["ssh_host"], sshd.host)
        QTest.keyClicks(dialog.fields.lines["ssh_port"], str(sshd.port))
        QTest.keyClicks(dialog.fields.lines["ssh_user"], sshd.user)
        QTest.keyClicks(dialog.fields.lines["identity_file"], str(sshd.locked_key))
        dialog.fields.switches["with_mysql"].click()
        dialog.fields.segments["way"].button("socket").click()
        QTest.keyClicks(dialog.fields.lines["mysql_socket"], mariadb.socket)
        QTest.keyClicks(dialog.fields.lines["mysql_user"], ED25519[0])
        QTest.keyClicks(dialog.fields.lines["name"], "behind ssh")
        dialog.test.click()
        qtbot.waitUntil(lambda: window.findChild(HostKeyDialog) is not None)
        assert "SHA256:" in texts(present(window.findChild(HostKeyDialog)))
        present(window.findChild(HostKeyDialog)).yes.click()
        for secret in (PASSPHRASE, ED25519[1]):
            answer(qtbot, window, secret)
        qtbot.waitUntil(lambda: "Connected to" in chosen(dialog.callout))
        assert "MySQL answers" in chosen(dialog.callout)
        dialog.save.click()
        qtbot.waitUntil(lambda: window.selection.choice == Choice("behind ssh"))
        assert window.stack.currentIndex() == OVERVIEW
        # A target that was saved is looked at without another press.
        qtbot.waitUntil(lambda: window.selection.inventory is not None)
        sentence = window.overview.head.sentence
        qtbot.waitUntil(lambda: sentence.text().startswith("MariaDB"))
        # Both secrets are known by now: looking has asked for nothing.
        assert window.findChild(PasswordDialog) is None
    finally:
        shut(qtbot, window)


def test_a_host_key_that_is_not_trusted_ends_the_attempt(
    qtbot: QtBot,
    qapp: QApplication,
    sshd: Sshd,
    strange_home: Path,
) -> None:
    window = build(qapp, real_use_cases())
    window.show()
    try:
        window.add_target()
        dialog = present(window.findChild(TargetDialog))
        dialog.fields.lines["ssh_host"].setText(sshd.host)
        dialog.fields.lines["ssh_port"].setText(str(sshd.port))
        dialog.test.click()
        qtbot.waitUntil(lambda: window.findChild(HostKeyDialog) is not None)
        present(window.findChild(HostKeyDialog)).no.click()
        qtbot.waitUntil(lambda: "Stop" not in dialog.test.text())
        assert "key" in chosen(dialog.callout)
        assert not list((strange_home / ".ssh").iterdir())
    finally:
        shut(qtbot, window)


def test_the_stop_ends_a_real_run_at_once_and_leaves_nothing(
    qtbot: QtBot, qapp: QApplication, tmp_path: Path
) -> None:
    directory = tmp_path / "data"
    directory.mkdir()
    window = build(qapp, real_use_cases())
    window.show()
    try:
        qtbot.waitUntil(lambda: not window.run_controller.looking("local"))
        setup = window.probe.setup
        setup.sandbox.setChecked(False)
        setup.kinds.choose(whole=False, kinds=frozenset({Kind.STORAGE}))
        setup.directory.setText(str(directory))
        window.probe.start()
        run = window.run_controller.run("local")
        assert run is not None
        qtbot.waitUntil(lambda: len(run.points) >= 1 or not run.running)
        assert run.error is None, run.error
        window.show_page(OVERVIEW)
        with qtbot.waitSignal(window.run_controller.ended):
            QTest.mouseClick(window.header.stop, Qt.MouseButton.LeftButton)
            QTest.mouseClick(present(window.halting.stopping.dialog).yes, Qt.MouseButton.LeftButton)
        assert run.state is RunState.CANCELLED
        assert list(directory.iterdir()) == []
        assert not agents_of(os.getpid())
    finally:
        shut(qtbot, window)


def agents_of(parent: int) -> list[int]:
    """The agents that this process has started and that still run."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            name, _, rest = status.read_text().partition("(")[2].rpartition(")")
        except OSError:
            continue  # it has just ended
        state, above = rest.split()[:2]
        if int(above) == parent and name.startswith("leadline") and state != "Z":
            found.append(int(status.parent.name))
    return found


def test_closing_during_a_real_run_leaves_nothing_but_its_points(
    qtbot: QtBot, qapp: QApplication, tmp_path: Path
) -> None:
    directory = tmp_path / "mit Leerzeichen und ü"
    directory.mkdir()
    window = build(qapp, real_use_cases())
    window.show()
    try:
        qtbot.waitUntil(lambda: not window.run_controller.looking("local"))
        window.probe.setup.sandbox.setChecked(False)
        window.probe.setup.directory.setText(str(directory))
        window.probe.start()
        run = window.run_controller.run("local")
        assert run is not None
        qtbot.waitUntil(lambda: len(run.points) >= 2 or not run.running)
        assert run.error is None, run.error
    finally:
        shut(qtbot, window)
    assert list(directory.iterdir()) == []
    with Store.open() as store:
        (stored,) = store.runs()
        assert stored.state is RunState.CANCELLED
        assert len(store.points(stored.id)) == stored.points >= 2


def test_a_server_is_watched_and_its_files_are_drawn(
    qtbot: QtBot, qapp: QApplication, mariadb: MariaDB, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch_page, "WATCH_S", 2.0)
    mariadb.sql("CREATE DATABASE shop")
    mariadb.sql("CREATE TABLE shop.seen (id INT) ENGINE=InnoDB")
    address = MySQLAddress(user="root", socket=mariadb.socket)
    with Store.open() as store:
        store.save_target(TargetSpec(name="busy", mysql=address))
    window = build(qapp, real_use_cases())
    window.show()
    try:
        qtbot.waitUntil(
            lambda: any(one.name == "busy" for one in window.parts.stored_runs.shelf.targets)
        )
        window.selection.choose(Choice("busy"))
        window.show_page(WATCH)
        told: list[tuple[float | None, float | None]] = []

        def hear(target: str) -> None:
            run = window.run_controller.run(target)
            if isinstance(run, LiveRun):
                told.append((run.fraction, run.seconds_left))

        window.run_controller.advanced.connect(hear)
        window.watch.head.press()

        def watched() -> bool:
            mariadb.sql("INSERT INTO shop.seen VALUES (1)")
            return window.selection.busy is None

        qtbot.waitUntil(watched)
        qtbot.waitUntil(lambda: window.selection.kind is RunKind.WATCH)
        qtbot.waitUntil(lambda: bool(window.watch.picture.lanes.sheet.lanes))
        button = window.watch.head.button
        qtbot.waitUntil(lambda: button.text().strip().startswith("Watch"))
        assert window.watch.picture.subjects.list.count() > 0
        assert window.watch.picture.heat.picture is not None
        shares = [share for share, _ in told if share is not None]
        assert shares == sorted(shares)
        assert len(set(shares)) > 3, "its progress is told while it goes on"
        assert all(left is None or 0 <= left <= 2 for _, left in told)
    finally:
        shut(qtbot, window)
        mariadb.sql("DROP DATABASE shop")

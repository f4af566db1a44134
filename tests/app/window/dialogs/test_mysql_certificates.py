"""A MySQL server that nobody knows: the window asks about its certificate, once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from advisor.report.inventory_rows import inventory_rows
from app.controllers.selection import Choice
from app.fields.target import TargetForm, form_of
from app.fields.target_field import TLS
from app.presenters.overview.facts import FactRow, mysql_rows
from app.views.dialogs.questions import CertificateDialog
from app.views.dialogs.target import TargetDialog
from app.window.application import build, real_use_cases
from app.window.main_window import MainWindow
from probes.inventory.facts import Inventory, MySQLFacts
from probes.targets.address import MySQLAddress, TargetKind, TargetSpec, TlsMode
from probes.version import ServerVersion
from tests.app.window.conftest import OpenWindow, shut
from tests.app.window.looking import chosen, texts
from tests.app.window.replay import Replay
from tests.present import present
from tests.servers.another_host import another_address
from tests.servers.mariadb import NATIVE, MariaDB, private_mariadb


@pytest.fixture
def elsewhere() -> Iterator[MariaDB]:
    with another_address() as host, private_mariadb(host=host) as server:
        yield server


@pytest.fixture
def window(
    qtbot: QtBot, qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[MainWindow]:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("LEADLINE_HOME", str(tmp_path / "leadline"))
    monkeypatch.setenv("LEADLINE_MYSQL_PASSWORD", NATIVE[1])
    window = build(qapp, real_use_cases())
    window.show()
    yield window
    shut(qtbot, window)


def connected(qtbot: QtBot, dialog: TargetDialog) -> None:
    """Wait until the server was reached by the certificate that was accepted."""
    words = "accepted by its fingerprint"
    qtbot.waitUntil(lambda: words in chosen(dialog.callout))


def test_an_unknown_certificate_is_shown_and_accepted_once(
    qtbot: QtBot, window: MainWindow, elsewhere: MariaDB, tmp_path: Path
) -> None:
    window.add_target()
    dialog = present(window.findChild(TargetDialog))
    dialog.kind.button(TargetKind.MYSQL.value).click()
    QTest.keyClicks(dialog.fields.lines["mysql_host"], elsewhere.host)
    dialog.fields.lines["mysql_port"].setText(str(elsewhere.port))
    QTest.keyClicks(dialog.fields.lines["mysql_user"], NATIVE[0])
    dialog.test.click()
    qtbot.waitUntil(lambda: window.findChild(CertificateDialog) is not None)
    asking = present(window.findChild(CertificateDialog))
    assert f"{elsewhere.host}:{elsewhere.port}" in texts(asking)
    assert "SHA-256" in texts(asking)
    assert asking.no.isDefault()
    QTest.keyClick(asking, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: "was not accepted" in chosen(dialog.callout))
    remembered = tmp_path / "leadline" / "mysql_certificates"
    assert not remembered.exists()
    qtbot.waitUntil(lambda: "Stop" not in dialog.test.text())
    qtbot.waitUntil(lambda: window.findChild(CertificateDialog) is None)
    dialog.test.click()
    qtbot.waitUntil(lambda: window.findChild(CertificateDialog) is not None)
    shown = texts(present(window.findChild(CertificateDialog))).replace("\n", "")
    present(window.findChild(CertificateDialog)).yes.click()
    connected(qtbot, dialog)
    assert remembered.read_text().split()[0] in shown
    qtbot.waitUntil(lambda: "Stop" not in dialog.test.text())
    dialog.test.click()
    connected(qtbot, dialog)
    qtbot.waitUntil(lambda: "Stop" not in dialog.test.text())
    assert window.findChild(CertificateDialog) is None
    dialog.reject()


def test_the_way_of_trusting_is_chosen_in_the_dialog(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    window = open_window(replay)
    window.add_target()
    dialog = present(window.findChild(TargetDialog))
    dialog.kind.button(TargetKind.MYSQL.value).click()
    assert dialog.fields.lists["tls"].currentText() == "Verified (default)"
    dialog.fields.lines["mysql_host"].setText("db7")
    dialog.fields.lists["tls"].setCurrentIndex(
        dialog.fields.lists["tls"].findData(TlsMode.UNVERIFIED)
    )
    assert "any server" in dialog.fields.lists["tls"].currentText()
    dialog.save.click()
    qtbot.waitUntil(lambda: window.selection.choice == Choice("db7"))
    assert present(window.selection.spec.mysql).tls is TlsMode.UNVERIFIED
    qtbot.waitUntil(lambda: window.findChild(TargetDialog) is None)
    window.edit_target("db7")
    assert present(window.findChild(TargetDialog)).form.tls == TlsMode.UNVERIFIED
    present(window.findChild(TargetDialog)).reject()


@pytest.mark.parametrize("mode", TlsMode)
def test_every_way_of_trusting_has_a_name(mode: TlsMode) -> None:
    spec = TargetSpec(TargetKind.MYSQL, "db7", mysql=MySQLAddress(host="db7", tls=mode))
    assert form_of(spec).tls == mode
    assert mode in dict(TLS)
    assert TargetForm().tls == TlsMode.VERIFIED


def test_how_a_server_was_reached_is_shown_with_what_it_told() -> None:
    version = ServerVersion.parse("10.11.6-MariaDB")
    facts = MySQLFacts(version, {}, connection="TLS, not verified")
    assert FactRow("Connection", "TLS, not verified") in mysql_rows(facts)
    (server,) = [text for label, text in inventory_rows(Inventory("now", mysql=facts))]
    assert server.endswith("TLS, not verified")
    # A run of an older version tells nothing of it.
    assert "Connection" not in [row.label for row in mysql_rows(MySQLFacts(version, {}))]

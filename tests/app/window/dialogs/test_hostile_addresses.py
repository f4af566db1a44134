"""The window refuses an address that would run a command, typed, pasted or saved long ago."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QLineEdit
from pytestqt.qtbot import QtBot

from advisor.store.store import Store
from app.controllers.selection import Choice
from app.views.dialogs.target import TargetDialog
from app.window.application import build, real_use_cases
from app.window.main_window import MainWindow
from probes.targets.address import TargetSpec
from tests.app.hostile_addresses import AS_PROXY, HOSTILE, Hostile, decoded, save_as_older
from tests.app.window.conftest import run_to_end, shut
from tests.app.window.looking import chosen, see
from tests.present import present

REFUSED = "so it is refused."


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The SSH configuration of somebody's home directory."""
    file = tmp_path / "person" / ".ssh" / "config"
    file.parent.mkdir(parents=True, mode=0o700)
    monkeypatch.setenv("HOME", str(tmp_path / "person"))
    monkeypatch.delenv("SSH_AUTH_SOCK", raising=False)
    return file


def opened(qtbot: QtBot, qapp: QApplication) -> MainWindow:
    """The real program's window."""
    window = build(qapp, real_use_cases())
    window.show()
    qtbot.waitUntil(lambda: not window.run_controller.looking("local"))
    return window


def targets(window: MainWindow) -> tuple[TargetSpec, ...]:
    """What the sidebar lists."""
    return window.parts.stored_runs.shelf.targets


def put(field: QLineEdit, text: str) -> None:
    """Put text into a field from the clipboard, as somebody does with a mailed address."""
    field.clear()
    QApplication.clipboard().setText(text)
    field.paste()


def test_what_is_put_into_the_dialog(
    qtbot: QtBot, qapp: QApplication, config: Path, tmp_path: Path
) -> None:
    marker = tmp_path / "PWN"
    window = opened(qtbot, qapp)
    window.add_target()
    dialog = present(window.findChild(TargetDialog))
    refused = 0
    for hostile in HOSTILE:
        config.write_text(hostile.config)
        put(dialog.fields.lines["ssh_host"], decoded(hostile.host, marker))
        put(dialog.fields.lines["ssh_user"], decoded(hostile.user, marker))
        put(dialog.fields.lines["name"], "web1")
        for button in (dialog.test, dialog.save):
            dialog.callout.hide()
            button.click()
            assert REFUSED in chosen(dialog.callout), hostile.name
            assert dialog.isVisible()
        refused += 1
    assert refused == 20
    assert not marker.exists()
    with Store.open() as store:
        assert store.targets() == []
    dialog.reject()
    shut(qtbot, window)


@pytest.mark.parametrize(
    "hostile",
    [
        Hostile("newline", "x\nProxyCommand touch MARKER"),
        Hostile("substitution", host="$(touch${IFS}MARKER)", config=AS_PROXY),
    ],
    ids=lambda hostile: hostile.name,
)
def test_what_an_older_program_saved(
    qtbot: QtBot, qapp: QApplication, config: Path, tmp_path: Path, hostile: Hostile
) -> None:
    marker = tmp_path / "PWN"
    config.write_text(hostile.config)
    save_as_older(hostile, marker, Path(os.environ["LEADLINE_HOME"]) / "leadline.sqlite3")
    window = opened(qtbot, qapp)
    try:
        qtbot.waitUntil(lambda: "web1" in [spec.name for spec in targets(window)])
        window.selection.choose(Choice("web1"))
        window.pages.going.look()
        see(qtbot, window.overview, REFUSED)
        window.edit_target("web1")
        dialog = present(window.findChild(TargetDialog))
        dialog.test.click()
        assert REFUSED in chosen(dialog.callout)
        dialog.reject()
        run_to_end(qtbot, window)
        run = window.run_controller.run("web1")
        assert run is not None
        assert present(run.error).sentence.endswith(REFUSED)
    finally:
        shut(qtbot, window)
    assert not marker.exists()

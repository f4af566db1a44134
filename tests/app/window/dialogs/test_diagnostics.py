"""What a report of a fault needs: versions, places and the session's log, without secrets."""

from __future__ import annotations

import logging
from pathlib import Path

from pytestqt.qtbot import QtBot

from app.presenters.frame.diagnostics import NOTHING, diagnostics
from app.views.dialogs.diagnostics import DiagnosticsDialog
from probes._version import __version__
from probes.errors import LeadlineError
from tests.app.window.conftest import OpenWindow
from tests.app.window.replay import Replay
from tests.present import present

SECRET = "MYSQL_PWD=hunter2secret"


def test_it_names_versions_and_no_secret() -> None:
    place = Path.home() / "there"
    told = diagnostics(place, "Qt 6.8, 1280x800 at 1", 3, 1, [f"failed: {SECRET}"])
    assert f"Leadline {__version__}" in told
    assert str(Path.home() / "there") not in told
    assert "Home: ~" in told
    assert "hunter2secret" not in told
    assert NOTHING in diagnostics(None, "Qt 6.8", 0, 1, [])


def test_what_was_shown_as_an_error_is_in_the_log(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    window = open_window(replay)
    window.show_error(LeadlineError("db7 does not answer.", "Start it.", f"env {SECRET}"))
    logging.getLogger("app.somewhere").error("job failed")
    logging.getLogger("paramiko").error("what others send")
    window.show_diagnostics()
    shown = present(window.findChild(DiagnosticsDialog)).text.toPlainText()
    assert "db7 does not answer." in shown
    assert "job failed" in shown
    assert "hunter2secret" not in shown
    assert "what others send" not in shown

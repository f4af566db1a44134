"""What somebody is asked for who reports a fault."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import qVersion

from app.presenters.frame.diagnostics import diagnostics
from app.views.dialogs.diagnostics import DiagnosticsDialog
from probes.home import home_or_none

if TYPE_CHECKING:
    from app.controllers.stored_runs import Shelf
    from app.theme.appearance import Appearance
    from app.window.main_window import MainWindow


def show_diagnostics(window: MainWindow, appearance: Appearance, shelf: Shelf) -> None:
    """Versions, places and the log of this session."""
    size = window.screen().size()
    scale = f"{size.width()}x{size.height()} at {window.devicePixelRatioF():g}"
    shown, runs, targets = f"Qt {qVersion()}, {scale}", len(shelf.runs), len(shelf.targets)
    told = diagnostics(home_or_none(), shown, runs, targets, window.log.lines)
    DiagnosticsDialog(appearance, told, window).open()

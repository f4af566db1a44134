"""The one place where the window's objects are built and handed to each other."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QTimer, Signal
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication

from app.controllers.run_controller import RunController
from app.controllers.selection import Selection
from app.controllers.stored_runs import StoredRuns
from app.presenters.advice.rule_notes import RuleNotes
from app.runtime.gui_gc import Collector
from app.runtime.jobs import JobRunner
from app.runtime.preferences import Preferences
from app.runtime.questions import Desk
from app.runtime.single_window import SingleWindow
from app.runtime.stopping import heard
from app.runtime.use_cases import UseCases
from app.theme import icons
from app.theme.appearance import Appearance
from app.window.main_window import MainWindow
from app.window.parts import Parts
from probes.errors import LeadlineError
from probes.home import home_or_none

if TYPE_CHECKING:
    from advisor.fleet.server_row import ServerRow
    from advisor.store.store import Store
    from probes.inventory.servers_here import ServerHere

WAKE_MS = 250
"""How often Python gets a chance to see a signal while Qt's loop sleeps."""


class NoScreen(LeadlineError):
    """Qt lacks a library for the session's screen, and would go on where nobody sees it."""


class Application(QApplication):
    """Signals: ``opened(list[Path])`` when the system, macOS say, wants files opened."""

    opened = Signal(object)

    def event(self, event: QEvent) -> bool:
        """Tell of a file; all else is Qt's."""
        if isinstance(event, QFileOpenEvent) and event.file():
            self.opened.emit([Path(event.file())])
            return True
        return super().event(event)


def real_use_cases() -> UseCases:
    """The program below the window; whichever job first needs it loads it."""
    late: dict[str, Callable[..., Any]] = {
        each.name: partial(_call, each.name) for each in fields(UseCases)
    }
    late |= {"open_store": _open_store, "servers": _servers, "servers_here": _servers_here}
    return UseCases(**late)


def _open_store() -> Store:
    """The list of runs needs no more than the store."""
    from advisor.store.store import Store  # noqa: PLC0415 - loaded in a job's thread

    return Store.open()


def _servers(store: Store) -> Iterator[ServerRow]:
    """Rows that are kept need no rules."""
    from advisor.fleet.listing import kept_servers  # noqa: PLC0415 - in a job's thread

    return kept_servers(store)


def _servers_here() -> tuple[ServerHere, ...]:
    from probes.inventory.servers_here import servers_here  # noqa: PLC0415 - in a job's thread

    return servers_here()


def _call(name: str, *given: object) -> Any:
    from app.window.program import PROGRAM  # noqa: PLC0415 - loaded in a job's thread

    return getattr(PROGRAM, name)(*given)


def make_application(argv: Sequence[str]) -> Application:
    """Qt's application object, named so that settings and task bars know it."""
    application = Application(list(argv))
    application.setApplicationName("leadline")
    application.setApplicationDisplayName("Leadline")
    application.setDesktopFileName("leadline")
    application.setWindowIcon(icons.application_icon())
    # The window is closed before its jobs have cleaned up: the program ends after them.
    application.setQuitOnLastWindowClosed(False)
    return application


def frame(application: QApplication, use_cases: UseCases) -> MainWindow:
    """The window without its pages: ``window.loading`` brings them."""
    collector = Collector()
    preferences = Preferences()
    appearance = Appearance(application, preferences.mode)
    runner = JobRunner()
    desk = Desk()
    stored_runs = StoredRuns(runner, use_cases)
    run_controller = RunController(runner, use_cases, desk)
    selection = Selection(stored_runs, run_controller)
    window = MainWindow(
        Parts(
            appearance, preferences, runner, use_cases, desk, stored_runs, run_controller, selection
        )
    )
    collector.setParent(window)
    window.loading.ended.connect(collector.begin)
    window.finished.connect(appearance.close)
    window.finished.connect(collector.close)
    return window


def build(
    application: QApplication, use_cases: UseCases, notes: RuleNotes | None = None
) -> MainWindow:
    """Make the window with all its pages; reading the store and this computer begins."""
    window = frame(application, use_cases)
    window.loading.load_at_once(notes if notes is not None else {})
    return window


def run_window(argv: Sequence[str], files: Sequence[Path] = ()) -> int:
    """Show the window until it is closed, its pages as soon as they are loaded; exit status.

    ``files`` are imported. Where a window of the same home is open already, that comes to the front
    and imports them. Raises NoScreen.
    """
    application = make_application(argv)
    require_a_screen(application)
    single = _single_window()
    if single is not None and single.raise_first(files):
        return 0
    window = frame(application, real_use_cases())
    if single is not None:
        single.listen()
        single.wanted.connect(window.come_to_front)
        single.wanted.connect(window.take_files)
        window.leaving.connect(single.close)
    application.opened.connect(window.take_files)
    window.finished.connect(application.quit)
    for number in heard():
        signal.signal(number, lambda _number, _frame: window.close_at_once())
    waker = QTimer()
    waker.timeout.connect(lambda: None)
    waker.start(WAKE_MS)
    window.take_files(files)
    window.loading.begin_after_first_frame()
    window.show()
    return application.exec()


def require_a_screen(application: QApplication) -> None:
    """Raise NoScreen where Qt has taken what draws off screen, and nobody asked for that."""
    if application.platformName() == "offscreen" and not os.environ.get("QT_QPA_PLATFORM"):
        raise NoScreen(
            "The window can't be shown: Qt can't load what draws on this screen.",
            "Install the system's libraries for it (Debian: libxcb-cursor0, on Arm libsm6, too), or"
            " use the command line: `leadline check`. QT_DEBUG_PLUGINS=1 names what is missing.",
        )


def _single_window() -> SingleWindow | None:
    """None where there is no home: the window says so when it reads the store."""
    place = home_or_none()
    return None if place is None else SingleWindow(place)


if __name__ == "__main__":
    sys.exit(run_window(sys.argv))

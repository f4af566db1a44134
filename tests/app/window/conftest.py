"""A window over a replayed session, closed and drained after each test."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, SignalInstance
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from pytestqt.wait_signal import SignalBlocker

from app.controllers.run_controller import RunController
from app.presenters.advice.rule_notes import RuleNote
from app.runtime.jobs import JobRunner
from app.theme.appearance import Appearance, Mode
from app.window.application import build
from app.window.main_window import MainWindow
from app.window.parts import PROBE
from tests.app.window.replay import Replay
from tests.app.window.stage import begin_anew
from tests.waiting import HANG_S

STORE = "replay.sqlite3"
HANG_MS = int(HANG_S * 1000)
OpenWindow = Callable[[Replay], MainWindow]
Play = Callable[[QtBot, MainWindow], None]


class PatientBot(QtBot):
    """Waits for what will come on a busy machine, too; what hangs ends."""

    def waitUntil(  # noqa: N802, a name of pytest-qt's
        self, callback: Callable[[], bool | None], *, timeout: int = HANG_MS
    ) -> None:
        super().waitUntil(callback, timeout=timeout)

    def waitSignal(  # noqa: N802, a name of pytest-qt's
        self, signal: SignalInstance, **options: Any
    ) -> SignalBlocker:
        return super().waitSignal(signal, **{"timeout": HANG_MS, **options})


@pytest.fixture(autouse=True, scope="module")
def _tests_stay_aside() -> Iterator[None]:
    """A window's end gives Python all that was set aside: here that is thousands of tests.

    Each collection of garbage would look through them from then on.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gc, "freeze", lambda: None)
        patch.setattr(gc, "unfreeze", lambda: None)
        yield


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> QtBot:
    return PatientBot(request)


@pytest.fixture
def runner(qtbot: QtBot) -> Iterator[JobRunner]:
    made = JobRunner()
    yield made
    made.cancel_all()
    qtbot.waitUntil(lambda: made.running == 0)


@pytest.fixture
def appearance(qapp: QApplication) -> Iterator[Appearance]:
    made = Appearance(qapp, Mode.LIGHT)
    yield made
    made.close()


@pytest.fixture
def replay(tmp_path: Path) -> Replay:
    return Replay(tmp_path / STORE)


@pytest.fixture
def open_window(qtbot: QtBot, qapp: QApplication) -> Iterator[OpenWindow]:
    with ExitStack() as held:
        yield lambda replay: held.enter_context(opened(qtbot, qapp, replay))


@contextmanager
def opened(qtbot: QtBot, qapp: QApplication, replay: Replay) -> Iterator[MainWindow]:
    """A window that has looked at this computer, shut at the end."""
    note = RuleNote("Flushing", ("innodb_io_capacity",), "## What it checks\nio_capacity.")
    window = build(qapp, replay.use_cases(), {"flushing.io-capacity": note})
    try:
        window.show()
        qtbot.waitUntil(lambda: not window.run_controller.looking("local"))
        caught_up(qtbot, window)
        yield window
    finally:
        shut(qtbot, window)


@pytest.fixture(scope="module")
def shared_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Where a window that a file's tests share keeps what it remembers."""
    home = tmp_path_factory.mktemp("stage")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LEADLINE_HOME", str(home))
        yield home


@pytest.fixture(scope="module")
def play() -> Play:
    """What makes run 1 of the window that a file's tests share: a whole check."""
    return measured


@pytest.fixture(scope="module")
def stage(
    request: pytest.FixtureRequest, qapp: QApplication, shared_home: Path, play: Play
) -> Iterator[MainWindow]:
    """The window that a file's tests share; they ask for ``done``."""
    qtbot = PatientBot(request)
    with opened(qtbot, qapp, Replay(shared_home / STORE)) as window:
        play(qtbot, window)
        yield window


@pytest.fixture
def done(qtbot: QtBot, stage: MainWindow) -> MainWindow:
    """A window with one run that is opened for the first time, whatever tests did before."""
    begin_anew(qtbot, stage)
    return stage


def caught_up(qtbot: QtBot, window: MainWindow) -> None:
    """Wait until the views show what is known."""
    qtbot.waitUntil(lambda: window.selection.up_to_date)


def shut(qtbot: QtBot, window: MainWindow) -> None:
    """Close a window, wait until its jobs have ended, and delete all of it; once is enough."""
    if not shiboken6.isValid(window):
        return
    if not window.closed:
        with qtbot.waitSignal(window.finished):
            window.close_at_once()
    # Until it is deleted, each widget of it is styled anew whenever a window is made: that would be
    # most of what the next one costs.
    window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()


def run_to_end(qtbot: QtBot, window: MainWindow) -> None:
    """Start what the set-up describes and wait for the end of the run."""
    window.show_page(PROBE)
    run_controller: RunController = window.run_controller
    with qtbot.waitSignal(run_controller.ended):
        window.probe.start()
    caught_up(qtbot, window)


def measured(qtbot: QtBot, window: MainWindow) -> None:
    """A whole check with a throwaway server."""
    window.probe.setup.sandbox.setChecked(True)
    run_to_end(qtbot, window)
    qtbot.waitUntil(lambda: "reach" in window.probe.head.sentence.text())


def done_window(qtbot: QtBot, open_window: OpenWindow, replay: Replay) -> MainWindow:
    window = open_window(replay)
    measured(qtbot, window)
    return window

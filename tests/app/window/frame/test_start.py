"""The window is there before what fills it: its first frame, what follows, and an early end."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QDialog
from pytestqt.qtbot import QtBot

from app.presenters.advice.rule_notes import RuleNote
from app.window.application import NoScreen, frame, require_a_screen
from app.window.frame import IDLE, LOADING
from app.window.main_window import MainWindow
from app.window.pages import Pages
from app.window.parts import ADVICE, COMPARE, PROBE
from tests.app.window.conftest import OpenWindow, caught_up, done_window, shut
from tests.app.window.replay import Replay

ROOT = Path(__file__).parents[4]

NOT_HERE = [
    "paramiko",
    "pymysql",
    "cryptography",
    "keyring",
    "PySide6.QtTest",
    "PySide6.QtOpenGL",
    "pyqtgraph.parametertree",
    "pyqtgraph.graphicsItems.PlotItem",
    "pyqtgraph.graphicsItems.ROI",
    "pyqtgraph.widgets.TreeWidget",
    "rich",
]
"""What a target behind SSH or a MySQL server needs, which is loaded with the first one, what
pyqtgraph would load that nothing is drawn with, and what a terminal alone needs."""

HEAVY = (
    "numpy",
    "pyqtgraph",
    *NOT_HERE,
    "jinja2",
    "advisor.rulekit",
    "advisor.rules",
    "advisor.facts",
    "advisor.variables.sheets",
    "advisor.store.store",
    "probes.imports",
    "app.window.pages",
    "app.window.program",
    "app.views.probe",
    "app.views.advice",
    "app.views.overview",
    "app.views.compare",
)
"""What the first frame needs nothing of."""

CHILD = """
import json, linecache, signal, sys
from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QMainWindow
import app.window.application as program

heavy, wanted = json.loads(sys.argv[1]), sys.argv[2]
make = program.make_application

class Watch(QObject):
    window = None

    def eventFilter(self, watched, event):
        if event.type() is QEvent.Type.Paint and isinstance(watched, QMainWindow):
            if self.window is None:
                self.window = watched
                QTimer.singleShot(0, self, self.painted)
        return False

    def painted(self):
        window = self.window
        told["first frame"] = [name for name in heavy if name in sys.modules]
        told["pages then"] = window.loaded
        if wanted.startswith("SIG"):
            signal.raise_signal(signal.Signals[wanted])
        elif wanted == "all":
            window.loading.ended.connect(self.ended)
        else:
            # The import goes on in its thread.
            QTimer.singleShot(0 if wanted == "at once" else 200, self, window.close)

    def ended(self):
        window = self.window
        told["lacking at last"] = [name for name in heavy if name not in sys.modules]
        told["pages"] = [type(window.stack.widget(at)).__name__ for at in range(5)]
        told["sources read"] = [name for name in linecache.cache if "/advisor/" in name]
        told["rules"] = len(window.advice._notes) > 100
        window.close()

told, watch = {}, Watch()

def watched(argv):
    application = make(argv)
    application.installEventFilter(watch)
    return application

program.make_application = watched
code = program.run_window(["leadline"])
print(json.dumps(told))
sys.exit(code)
"""


def started(until: str, home: Path) -> dict[str, object]:
    """A start of the real program in a process of its own, closed after ``until``.

    It leaves no temporary file behind.
    """
    temporary = home / "temporary"
    temporary.mkdir()
    done = subprocess.run(
        [sys.executable, "-c", CHILD, json.dumps(HEAVY), until],
        env={
            **os.environ,
            "QT_QPA_PLATFORM": "offscreen",
            "LEADLINE_HOME": str(home),
            "TMPDIR": str(temporary),
        },
        cwd=ROOT,
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    complaints = [line for line in done.stderr.splitlines() if "propagateSizeHints" not in line]
    assert not complaints, done.stderr
    assert list(temporary.iterdir()) == []
    told: dict[str, object] = json.loads(done.stdout)
    return told


def test_the_first_frame_waits_for_nothing_heavy(tmp_path: Path) -> None:
    told = started("all", tmp_path)
    assert told["first frame"] == []
    assert told["pages then"] is False
    assert told["lacking at last"] == NOT_HERE
    assert told["pages"] == [
        "OverviewPage",
        "WatchPage",
        "ProbePage",
        "AdvicePage",
        "ComparePage",
    ]
    assert told["rules"]
    # Qt's binding would keep the lines of every module: 20 MiB of them.
    assert told["sources read"] == []


@pytest.mark.parametrize("moment", ["at once", "in between", "SIGINT", "SIGTERM", "SIGHUP"])
def test_closing_while_modules_are_loaded_ends_cleanly(tmp_path: Path, moment: str) -> None:
    assert started(moment, tmp_path)["first frame"] == []


def test_a_window_that_nobody_would_see_is_refused(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Qt draws off screen where a library for the session's screen is missing."""
    monkeypatch.setattr(qapp, "platformName", lambda: "offscreen", raising=False)
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    require_a_screen(qapp)
    monkeypatch.delenv("QT_QPA_PLATFORM")
    with pytest.raises(NoScreen, match="libsm6"):
        require_a_screen(qapp)


@pytest.fixture
def opened(qtbot: QtBot, qapp: QApplication, replay: Replay) -> Iterator[MainWindow]:
    """A window that is not shown yet."""
    window = frame(qapp, replay.use_cases())
    window.loading.begin_after_first_frame()
    yield window
    shut(qtbot, window)


def offered(window: MainWindow) -> set[str]:
    """The texts of the menus' actions that can be chosen."""
    return {action.text() for action in window.findChildren(QAction) if action.isEnabled()}


def test_what_needs_pages_is_off_until_they_are_there(qtbot: QtBot, opened: MainWindow) -> None:
    late = {
        "&Import measurements…",
        "&Add a target…",
        "&Read the target again",
        "Search the a&dvice",
        "&Export the chart…",
    }
    opened.show()
    assert not opened.loaded
    assert not late & offered(opened)
    assert "&Quit" in offered(opened)
    assert not opened.sidebar.add.isEnabled()
    opened.add_target()
    assert opened.findChild(QDialog) is None
    assert opened.status_bar.doing.text() == LOADING.format(program=IDLE)
    with qtbot.waitSignal(opened.loading.ended):
        pass
    assert late <= offered(opened)
    assert opened.sidebar.add.isEnabled()
    assert opened.status_bar.doing.text() == IDLE


def test_the_page_that_was_chosen_meanwhile_stays(qtbot: QtBot, opened: MainWindow) -> None:
    opened.show()
    opened.show_page(COMPARE)
    with qtbot.waitSignal(opened.loading.ended):
        pass
    assert opened.stack.currentIndex() == opened.header.tabs.currentIndex() == COMPARE
    assert opened.stack.currentWidget() is opened.compare
    assert opened.compare.isVisible()


def test_the_page_in_front_comes_first(opened: MainWindow) -> None:
    for front in (ADVICE, PROBE):
        opened.show_page(front)
        pages = Pages(
            opened.parts,
            opened.window_actions,
            opened,
            opened.stack,
            recent=opened.menus.recent,
            asides=opened.asides,
        )
        steps = pages.make()
        made: list[str] = []
        while not made:
            next(steps)
            made = [
                name
                for name in ("overview", "watch", "probe", "advice", "compare")
                if name in vars(pages)
            ]
        assert made == [{ADVICE: "advice", PROBE: "probe"}[front]]


@pytest.mark.parametrize("pages", range(5))
def test_closing_while_pages_are_built_ends_cleanly(
    qtbot: QtBot, opened: MainWindow, pages: int
) -> None:
    opened.show()

    def built() -> bool:
        made = opened.findChild(Pages)
        names = ("overview", "watch", "probe", "advice", "compare")
        return made is not None and sum(name in vars(made) for name in names) > pages

    qtbot.waitUntil(built)
    with qtbot.waitSignal(opened.finished):
        opened.close()
    assert not opened.loading.busy or not opened.loaded


def test_an_early_end_forgets_no_shape(qtbot: QtBot, opened: MainWindow) -> None:
    opened.show_page(ADVICE)
    opened.show()
    with qtbot.waitSignal(opened.finished):
        opened.close()
    assert opened.parts.preferences.text("window/page") == str(ADVICE)


def test_rules_that_come_late_are_known_to_the_card_that_is_shown(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    window = done_window(qtbot, open_window, replay)
    window.show_page(ADVICE)
    caught_up(qtbot, window)
    window.advice.learn({"flushing.io-capacity": RuleNote("Flushing", (), "# T\n\nNewly said.")})
    qtbot.waitUntil(lambda: "Newly said." in window.advice.detail._page)

"""A window that was left with all servers shows them before its other pages are made."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from advisor.store.store import Store
from app.runtime.preferences import Preferences
from app.views.servers.page import ServersPage
from app.window.application import frame
from app.window.frame import SERVERS
from app.window.main_window import MainWindow
from app.window.parts import OVERVIEW
from benchmarks.window.cost import SERVERS as NUMBER
from benchmarks.window.cost import fill_servers
from tests.app.window.conftest import shut
from tests.app.window.replay import Replay
from tests.app.window.servers.test_page import ROWS
from tests.fleets import kept_rows
from tests.present import present

ROOT = Path(__file__).parents[4]

CHILD = """
import json, sys
from PySide6.QtCore import QTimer
import app.window.application as program

make = program.make_application

def watched(argv):
    application = make(argv)
    timer = QTimer(application)
    timer.timeout.connect(lambda: look(application, timer))
    timer.start(1)
    return application

def look(application, timer):
    for window in application.topLevelWidgets():
        servers = getattr(getattr(window, "asides", None), "servers", None)
        if servers is not None and servers.in_front and servers.page.model.lines:
            heavy = [name for name in ("advisor.rules", "app.window.pages")
                     if name in sys.modules]
            print(json.dumps([len(servers.page.model.lines), window.loaded, heavy]))
            timer.stop()
            window.close()

program.make_application = watched
sys.exit(program.run_window(["leadline"]))
"""


def test_the_table_is_there_before_what_is_heavy(tmp_path: Path) -> None:
    fill_servers(tmp_path)
    done = subprocess.run(
        [sys.executable, "-c", CHILD],
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen", "LEADLINE_HOME": str(tmp_path)},
        cwd=ROOT,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert json.loads(done.stdout) == [NUMBER, False, []]


@pytest.fixture
def opened(qtbot: QtBot, qapp: QApplication, replay: Replay) -> Iterator[MainWindow]:
    with Store.open(replay.path) as store:
        kept_rows(store, ROWS)
    left = Preferences()
    left.set_text("window/place", SERVERS)
    left.save()
    window = frame(qapp, replay.use_cases())
    window.loading.begin_after_first_frame()
    window.show()
    yield window
    shut(qtbot, window)


def test_a_server_that_is_opened_at_once_has_its_pages_when_they_are_made(
    qtbot: QtBot, opened: MainWindow
) -> None:
    def listed() -> bool:
        page = opened.asides.servers.page
        return isinstance(page, ServersPage) and len(page.model.lines) == len(ROWS)

    qtbot.waitUntil(listed)
    assert not opened.loaded
    page = present(opened.asides.servers.page)
    assert isinstance(page, ServersPage)
    page.table.setCurrentIndex(page.model.index_of("shop-2"))
    page.table.activated.emit(page.table.currentIndex())
    with qtbot.waitSignal(opened.loading.ended):
        pass
    qtbot.waitUntil(lambda: opened.selection.choice.target == "shop-2")
    assert opened.stack.currentIndex() == OVERVIEW


def test_all_of_the_page_leads_somewhere_once_there_are_pages(
    qtbot: QtBot, opened: MainWindow
) -> None:
    with qtbot.waitSignal(opened.loading.ended):
        pass
    assert opened.asides.servers.in_front
    page = present(opened.asides.servers.page)
    assert isinstance(page, ServersPage)
    page.table.setCurrentIndex(page.model.index_of("mail"))
    with qtbot.waitSignal(opened.selection.chosen):
        page.table.activated.emit(page.table.currentIndex())
    assert opened.selection.choice.target == "mail"

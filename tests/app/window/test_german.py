"""The real window in German: what it says, whether it fits, and how the language is chosen."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from PySide6.QtCore import QTranslator
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QLineEdit, QMenu, QWidget
from pytestqt.qtbot import QtBot

from app.presenters import times
from app.runtime.preferences import Preferences
from app.runtime.translation import speak
from app.views.dialogs.target import TargetDialog
from app.views.widgets.labels import ElidedLabel
from app.window.language import SYSTEM, WANTED, language, load_language
from app.window.main_window import MainWindow
from app.window.parts import ADVICE, COMPARE, OVERVIEW, PAGES, PROBE
from tests.app.window.conftest import STORE, OpenWindow, PatientBot, caught_up, opened, run_to_end
from tests.app.window.replay import Replay

ROOT = Path(__file__).parents[3]
SMALL = (1024, 700)

CHILD = """
import json, sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QMainWindow
import app.window.application as program

make = program.make_application

def told(application):
    window = next(one for one in application.topLevelWidgets() if isinstance(one, QMainWindow))
    print(json.dumps([action.text() for action in window.menuBar().actions()]))
    window.close()

def watched(argv):
    application = make(argv)
    QTimer.singleShot(0, lambda: told(application))
    return application

program.make_application = watched
sys.exit(program.run_window(["leadline"]))
"""


@contextmanager
def spoken(qapp: QApplication) -> Iterator[None]:
    load_language(qapp, "de")
    _forget_times()
    try:
        yield
    finally:
        speak(None)
        for translator in qapp.findChildren(QTranslator):
            qapp.removeTranslator(translator)
            translator.deleteLater()
        _forget_times()


@pytest.fixture
def german(qapp: QApplication) -> Iterator[None]:
    with spoken(qapp):
        yield


def _forget_times() -> None:
    """They are said once for a whole start."""
    times._month.cache_clear()
    times._moment.cache_clear()


def said_by(widget: QWidget) -> Iterator[str]:
    """All that it says to somebody who looks at it, hovers over it or has it read out."""
    for one in (widget, *widget.findChildren(QWidget)):
        yield from (one.windowTitle(), one.toolTip(), one.accessibleName())
        if isinstance(one, QLabel | QAbstractButton):
            yield one.text().strip()
        if isinstance(one, QLineEdit):
            yield one.placeholderText()
        if isinstance(one, QMenu):
            yield one.title()
    for action in widget.findChildren(QAction):
        yield action.text()


def english() -> set[str]:
    """The texts that German says otherwise."""
    catalogue = ET.parse(ROOT / "resources" / "languages" / "de.ts")
    pairs = (
        (each.findtext("source"), each.findtext("translation"))
        for each in catalogue.iter("message")
    )
    sources = {source for source, _ in pairs if source}
    same = {each.findtext("translation") for each in catalogue.iter("message")}
    return sources - {text for text in same if text}


def cut(widget: QWidget) -> list[str]:
    """Buttons and texts that have not the room that they need."""
    return [
        one.text()
        for one in widget.findChildren(QWidget)
        if isinstance(one, QAbstractButton | QLabel) and not isinstance(one, ElidedLabel)
        if one.isVisible() and one.text() and not _fits(one)
    ]


def _fits(one: QAbstractButton | QLabel) -> bool:
    if isinstance(one, QLabel) and one.wordWrap():
        return one.height() >= one.heightForWidth(one.width())
    return one.width() >= one.minimumSizeHint().width()


@pytest.fixture(scope="module")
def stage(
    request: pytest.FixtureRequest, qapp: QApplication, shared_home: Path
) -> Iterator[MainWindow]:
    """The shared window, made in German: other tests here speak English."""
    with ExitStack() as held:
        with spoken(qapp):
            qtbot = PatientBot(request)
            window = held.enter_context(opened(qtbot, qapp, Replay(shared_home / STORE)))
            window.probe.setup.sandbox.setChecked(True)
            run_to_end(qtbot, window)
        yield window


@pytest.fixture
def measured(german: None, done: MainWindow) -> MainWindow:
    done.resize(*SMALL)
    return done


def test_menus_pages_and_buttons_are_german(
    german: None, qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    # A shared window may have written something in English while a test here spoke that.
    window = open_window(replay)
    window.probe.setup.sandbox.setChecked(True)
    run_to_end(qtbot, window)
    window.resize(*SMALL)
    assert [one.text() for one in window.menuBar().actions()] == [
        "&Datei",
        "&Messung",
        "&Ansicht",
        "&Hilfe",
    ]
    tabs = [window.header.tabs.tabText(at).replace("&", "") for at in PAGES]
    assert tabs == [
        "Übersicht",
        "Beobachten",
        "Messen",
        "Empfehlungen",
        "Vergleichen",
        "Was wäre wenn",
    ]
    assert window.header.name.text() == "Dieser Rechner"
    for page in PAGES:
        window.show_page(page)
        caught_up(qtbot, window)
    window.show_page(PROBE)
    qtbot.waitUntil(lambda: " erreichen " in window.probe.head.sentence.text())
    assert window.probe.head.button.text().strip() == "Erneut messen…"
    # A form of the plan is called as in the plan itself.
    assert english() & set(said_by(window)) <= {"Option file"}


@pytest.mark.parametrize("size", [SMALL, (1440, 900)])
@pytest.mark.parametrize("page", PAGES)
def test_nothing_is_cut(
    measured: MainWindow, qtbot: QtBot, page: int, size: tuple[int, int]
) -> None:
    measured.resize(*size)
    measured.show_page(page)
    caught_up(qtbot, measured)
    if page == OVERVIEW:
        qtbot.waitUntil(measured.overview.answers.isVisible)
        measured.overview.details.click()
    if page == ADVICE:
        measured.advice.show_side("plan")
    qtbot.waitUntil(lambda: cut(measured) == [])


def test_empty_pages_and_dialogs_fit(
    german: None, qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    window = open_window(replay)
    window.resize(*SMALL)
    window.show_page(COMPARE)
    qtbot.waitUntil(lambda: cut(window) == [])
    window.helping.show()
    qtbot.waitUntil(lambda: cut(window) == [])
    window.add_target()
    dialog = window.findChild(TargetDialog)
    assert dialog is not None
    assert dialog.windowTitle() == "Ziel hinzufügen"
    qtbot.waitUntil(lambda: cut(dialog) == [])
    dialog.close()


def letters(menu: QMenu) -> Iterator[list[str]]:
    """The letters that lead to what a menu offers, menu by menu."""
    texts = [action.text().casefold() for action in menu.actions()]
    yield [text[text.index("&") + 1] for text in texts if "&" in text]
    for action in menu.actions():
        below = action.menu()
        if isinstance(below, QMenu):
            yield from letters(below)


@pytest.mark.parametrize("code", ["en", "de"])
def test_a_letter_leads_to_one_entry(
    code: str, request: pytest.FixtureRequest, open_window: OpenWindow, replay: Replay
) -> None:
    if code == "de":
        request.getfixturevalue("german")
    window = open_window(replay)
    titles = [action.text() for action in window.menuBar().actions()]
    found = [[title.casefold()[title.index("&") + 1] for title in titles]]
    for action in window.menuBar().actions():
        menu = action.menu()
        assert isinstance(menu, QMenu)
        found += letters(menu)
    assert [[one for one, times in Counter(each).items() if times > 1] for each in found] == [
        [] for _ in found
    ]


@pytest.mark.parametrize(
    ("told", "chosen", "system", "spoken"),
    [
        ("", SYSTEM, "de_AT.UTF-8", "de"),
        ("", SYSTEM, "fr_FR.UTF-8", "en"),
        ("", SYSTEM, "C", "en"),
        ("", "en", "de_DE.UTF-8", "en"),
        ("de", "en", "C", "de"),
        ("de_CH", SYSTEM, "C", "de"),
        ("tlh", SYSTEM, "de_DE.UTF-8", "en"),
    ],
)
def test_the_language_is_the_told_one_the_chosen_one_or_the_systems(
    told: str, chosen: str, system: str, spoken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LC_ALL", "LANGUAGE", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", system)
    monkeypatch.setenv(WANTED, told)
    assert language(chosen) == spoken


def test_a_choice_is_for_the_next_start(
    open_window: OpenWindow, replay: Replay, tmp_path: Path
) -> None:
    window = open_window(replay)
    chosen = next(one for one in window.findChildren(QAction) if one.text() == "Deutsch")
    chosen.trigger()
    assert "when it starts again" in window.notice.sentence.text()
    assert window.menuBar().actions()[0].text() == "&File"
    assert Preferences().language == "de"


def test_the_program_starts_in_the_language(tmp_path: Path) -> None:
    surroundings = {WANTED: "de", "QT_QPA_PLATFORM": "offscreen", "LEADLINE_HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", CHILD],
        env={**os.environ, **surroundings},
        cwd=ROOT,
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == ["&Datei", "&Messung", "&Ansicht", "&Hilfe"]

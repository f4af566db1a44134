"""Help holds documentation and glossary and finds words in them; settings stand in one place."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import manifest
import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from app.presenters.frame.help_topics import ABOUT, GLOSSARY, KEYS, MANUAL
from app.presenters.frame.manual import PAGES, found, led_to, manual
from app.presenters.probe.usual_limits import usual_limit
from app.runtime.drive_prices import DrivePrices
from app.theme.appearance import Mode
from app.views.dialogs.palette import CommandDialog
from app.views.dialogs.settings import SettingsDialog
from app.views.frame.help_page import HelpPage
from app.window.main_window import MainWindow
from tests.app.window.looking import texts
from tests.conftest import ROOT
from tests.present import present


def action(window: MainWindow, text: str) -> QAction:
    menus = [one.menu() for one in window.menuBar().actions()]
    actions = [one for menu in menus if isinstance(menu, QMenu) for one in menu.actions()]
    return next(one for one in actions if one.text().replace("&", "") == text)


def says(shown: HelpPage, said: str) -> bool:
    return said in shown.text.toPlainText()


def test_every_link_within_the_manual_leads_to_a_section() -> None:
    links = [part.split(")")[0] for one in manual() for part in one.shown.split("](manual:")[1:]]
    assert len(links) > 20
    assert not [link for link in links if led_to(f"manual:{link}") is None]
    assert led_to("https://dev.mysql.com/") is None


def test_the_pages_that_a_build_packs_are_those_of_the_tree(tmp_path: Path) -> None:
    packed = tmp_path / "manual.json"
    manifest.pack_manual(ROOT, packed)
    content = json.loads(packed.read_text("utf-8"))
    assert list(content) == list(PAGES)
    assert content[GLOSSARY] == (ROOT / "docs" / "glossary.md").read_text("utf-8")
    assert packed.stat().st_size < 400_000


def test_escape_keeps_what_was_typed_in_settings(qtbot: QtBot, done: MainWindow) -> None:
    done.show_settings()
    dialog = next(one for one in done.findChildren(SettingsDialog) if one.isVisible())
    dialog.limits["added_ms"].setText("20")
    dialog.lines["author"].setText("Jo Doe")
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert done.probe.setup.fields.lines["added_ms"].text() == "20"
    assert done.parts.preferences.text("report/author") == "Jo Doe"
    done.show_settings()
    again = next(one for one in done.findChildren(SettingsDialog) if one.isVisible())
    again.limits["added_ms"].setText("rubbish")
    QTest.keyClick(again, Qt.Key.Key_Escape)
    assert usual_limit(done.parts.preferences, "added_ms") == "20"


def test_limits_and_prices_are_set_in_one_place(qtbot: QtBot, done: MainWindow) -> None:
    prices, setup = done.pages.drive_prices, done.probe.setup
    prices.keep({"run-1": 420.0}, {"run-1": "db7's NVMe"})
    done.show_settings()
    dialog = next(one for one in done.findChildren(SettingsDialog) if one.isVisible())
    assert dialog.prices.fields["run-1"].text() == "420"
    dialog.prices.fields["run-1"].setText("95.5")
    dialog.limits["most_written"].setText("rubbish")
    dialog.accept()
    # What can't be read is shown, and nothing is kept.
    assert dialog.isVisible()
    assert dialog.sections.key == "limits"
    assert "rubbish" in texts(dialog.callout)
    assert prices.known == {"run-1": 420.0}
    dialog.limits["most_written"].setText("2G")
    dialog.limits["added_ms"].setText("20")
    dialog.accept()
    assert setup.fields.lines["most_written"].text() == "2G"
    assert setup.fields.lines["added_ms"].text() == "20"
    assert prices.known == {"run-1": 95.5}
    assert DrivePrices(done.parts.preferences).known == {"run-1": 95.5}
    prices.keep({}, {"run-1": "db7's NVMe"})
    assert DrivePrices(done.parts.preferences).known == {}
    for name in ("most_written", "added_ms"):
        done.parts.preferences.set_text(f"limits/{name}", "")
    setup.take_limits()
    assert setup.fields.lines["added_ms"].text() == "50"


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("checkpoint age", "Glossary: InnoDB"),
        ("burst credit", "Glossary: Storage and Linux"),
        ("choose a drive", "Choose a drive"),
        ("ctrl+k", "Keyboard: Pages and targets"),
    ],
)
def test_a_word_leads_to_where_it_is_explained(typed: str, first: str) -> None:
    assert found(manual(), typed)[0].name.startswith(first)


def test_help_shows_a_topic_and_finds_words(qtbot: QtBot, done: MainWindow) -> None:
    for page, said in (
        (MANUAL, "sample"),
        (GLOSSARY, "words that Leadline uses"),
        (KEYS, "Ctrl+1"),
        (ABOUT, "Passwords are never stored"),
    ):
        done.show_help(page)
        shown = present(done.help)
        qtbot.waitUntil(partial(says, shown, said))
    assert not done.header.tabs.isVisible()
    assert done.header.name.text() == "Help"
    shown.search.setText("torn page")
    qtbot.waitUntil(lambda: "a crash left one part old" in shown.text.toPlainText())
    assert shown.text.textCursor().selectedText().casefold() == "torn page"
    shown.search.setText("nothing is called so zzz")
    assert shown.topics.topLevelItemCount() == 0
    shown.text.anchorClicked.emit(QUrl("manual:glossary"))
    qtbot.waitUntil(lambda: "words that Leadline uses" in shown.text.toPlainText())
    done.asides.help.leave()


def test_settings_hold_at_once_and_are_remembered(qtbot: QtBot, done: MainWindow) -> None:
    before = done.parts.appearance.mode
    asked = action(done, "Settings…")
    assert asked.shortcut().toString() == "Ctrl+,"
    asked.trigger()
    dialog = next(one for one in done.findChildren(SettingsDialog) if one.isVisible())
    dialog.modes.button(Mode.DARK.value).click()
    assert done.parts.appearance.mode is done.parts.preferences.mode is Mode.DARK
    dialog.lines["author"].setText("Jo Doe")
    dialog.accept()
    assert done.parts.preferences.text("report/author") == "Jo Doe"
    done.choose_appearance(before)
    done.parts.preferences.set_text("report/author", "")


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("settings", "Settings…"),
        ("theme", "Light"),
        ("dark", "Dark"),
        ("paper", "Settings…"),
        ("limits", "Settings…"),
        ("glossary", "Glossary"),
        ("help", "Documentation"),
    ],
)
def test_the_palette_finds_settings_and_help(done: MainWindow, typed: str, first: str) -> None:
    done.pages.commands.ask()
    dialog = next(one for one in done.findChildren(CommandDialog) if one.isVisible())
    dialog.field.setText(typed)
    shown = dialog.found.topLevelItem(0)
    assert present(shown).text(0).startswith(first)
    dialog.reject()

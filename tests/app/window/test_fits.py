"""Whether what the real window says has its room, and its menus a letter for each entry."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial

import pytest
from PySide6.QtWidgets import QAbstractButton, QDialog, QLabel, QMenu, QWidget
from pytestqt.qtbot import QtBot

from app.runtime.preferences import Preferences
from app.views.dialogs.settings import SECTIONS, SettingsDialog
from app.views.dialogs.target import TargetDialog
from app.views.widgets.labels import ElidedLabel
from app.views.widgets.page_head import PageHead
from app.window.main_window import MainWindow
from app.window.parts import ADVICE, COMPARE, OVERVIEW, PAGES
from tests.app.window.conftest import OpenWindow, caught_up
from tests.app.window.replay import Replay
from tests.present import present

SMALL = (1024, 700)


def cut(widget: QWidget) -> list[str]:
    """Buttons and texts that have not the room that they need."""
    return [
        one.text()
        for one in widget.findChildren(QWidget)
        if isinstance(one, QAbstractButton | QLabel) and not isinstance(one, ElidedLabel)
        if one.isVisible() and one.text() and not _fits(one)
    ]


def _whole(widget: QWidget) -> bool:
    return cut(widget) == []


def _fits(one: QAbstractButton | QLabel) -> bool:
    if isinstance(one, QLabel) and one.wordWrap():
        return one.height() >= one.heightForWidth(one.width())
    return one.width() >= one.minimumSizeHint().width()


@pytest.mark.parametrize("size", [SMALL, (1440, 900)])
@pytest.mark.parametrize("page", PAGES)
def test_nothing_is_cut(done: MainWindow, qtbot: QtBot, page: int, size: tuple[int, int]) -> None:
    done.resize(*size)
    done.show_page(page)
    caught_up(qtbot, done)
    if page == OVERVIEW:
        qtbot.waitUntil(done.overview.answers.isVisible)
        done.overview.details.click()
    if page == ADVICE:
        done.advice.show_side("plan")
    qtbot.waitUntil(lambda: cut(done) == [])


def test_empty_pages_and_dialogs_fit(qtbot: QtBot, open_window: OpenWindow, replay: Replay) -> None:
    window = open_window(replay)
    window.resize(*SMALL)
    window.show_page(COMPARE)
    qtbot.waitUntil(lambda: cut(window) == [])
    window.asides.help.show()
    qtbot.waitUntil(lambda: cut(window) == [])
    window.add_target()
    dialog = window.findChild(TargetDialog)
    assert dialog is not None
    qtbot.waitUntil(lambda: cut(dialog) == [])
    dialog.close()


def test_every_dialog_fits(done: MainWindow, qtbot: QtBot) -> None:
    done.resize(*SMALL)
    pages = done.pages
    for ask in (
        pages.targets.add_here,
        pages.importing.ask_server,
        pages.benching.ask,
        pages.commands.ask,
        done.show_diagnostics,
        done.show_settings,
    ):
        ask()
        dialog = next(one for one in done.findChildren(QDialog) if one.isVisible())
        for name, _ in SECTIONS if isinstance(dialog, SettingsDialog) else (("", ""),):
            if isinstance(dialog, SettingsDialog):
                dialog.show_section(name)
            qtbot.waitUntil(partial(_whole, dialog))
        dialog.reject()


def test_what_to_press_first_ends_on_one_line(done: MainWindow, qtbot: QtBot) -> None:
    done.resize(*SMALL)
    ends = set()
    shows: list[Callable[[], object]] = [partial(done.show_page, page) for page in PAGES]
    for show in (*shows, done.asides.servers.show, done.asides.history.show):
        show()
        caught_up(qtbot, done)
        front = present(done.stack.currentWidget())
        for head in (one for one in front.findChildren(PageHead) if one.button.isVisible()):
            ends.add(head.button.mapTo(done, head.button.rect().topRight()).x())
    assert len(ends) == 1


def letters(menu: QMenu) -> Iterator[list[str]]:
    """The letters that lead to what a menu offers, menu by menu."""
    texts = [action.text().casefold() for action in menu.actions()]
    yield [text[text.index("&") + 1] for text in texts if "&" in text]
    for action in menu.actions():
        below = action.menu()
        if isinstance(below, QMenu):
            yield from letters(below)


def test_a_letter_leads_to_one_entry(open_window: OpenWindow, replay: Replay) -> None:
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


def test_a_language_chosen_in_an_older_version_changes_nothing(
    open_window: OpenWindow, replay: Replay
) -> None:
    Preferences().set_text("language", "de")
    window = open_window(replay)
    titles = [action.text() for action in window.menuBar().actions()]
    assert titles == ["&File", "&Run", "&View", "&Help"]

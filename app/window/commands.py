"""All that can be gone to or done, by its name: menus, targets, runs and rules."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu

from app.controllers.selection import Choice
from app.controllers.stored_runs import StoredRuns
from app.presenters.advice.rows import RuleGroup
from app.presenters.advice.rows import rows as advice_rows
from app.presenters.advice.rule_notes import UNKNOWN
from app.presenters.frame.sidebar_rows import rows
from app.runtime.translation import tr
from app.theme.appearance import Appearance
from app.views.dialogs.palette import Command, CommandDialog
from app.window.main_window import MainWindow
from app.window.parts import Parts


class Commands(QObject):
    """Opens the palette over the window."""

    def __init__(self, window: MainWindow, parts: Parts) -> None:
        super().__init__(window)
        self._window = window
        self._appearance: Appearance = parts.appearance
        self._stored_runs: StoredRuns = parts.stored_runs

    def ask(self) -> None:
        """Let one be chosen."""
        CommandDialog(self._appearance, list(self._all()), self._window).open()

    def _all(self) -> Iterator[Command]:
        for title in self._window.menuBar().actions():
            menu = title.menu()
            if isinstance(menu, QMenu):
                yield from _of_menu(menu)
        window, now = self._window, datetime.now().astimezone()
        choose = window.selection.choose
        listed = rows(self._stored_runs.shelf, "", now)
        for target in listed:
            if target.name:
                yield Command(tr("Target"), target.title, partial(choose, Choice(target.name)))
        for target in listed:
            for run in target.runs:
                name = ", ".join(dict.fromkeys((target.title, run.title, run.detail)))
                yield Command(tr("Run"), name, partial(choose, Choice(run.target, run.run_id)))
        latest = window.selection.latest
        if latest is not None and latest.judgement is not None:
            notes = window.advice.notes
            for row in advice_rows(latest.judgement, notes):
                about = (row.title, row.rule, *notes.get(row.rule, UNKNOWN).settings)
                called = tuple(dict.fromkeys(about))
                yield Command(
                    tr("Rule"),
                    ", ".join(called),
                    partial(window.pages.go_advised, row.rule),
                    called=called,
                    rank=row.group not in (RuleGroup.RISK, RuleGroup.CHANGE),
                )


def _of_menu(menu: QMenu) -> Iterator[Command]:
    """Whatever the menu can do now, and the menus in it."""
    kind = _plain(menu.title())
    for action in menu.actions():
        below = action.menu()
        if isinstance(below, QMenu):
            yield from _of_menu(below)
        elif action.isEnabled() and not action.isSeparator():
            yield Command(kind, _plain(action.text()), action.trigger, _keys(action))


def _plain(text: str) -> str:
    return text.replace("&", "")


def _keys(action: QAction) -> str:
    return action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)

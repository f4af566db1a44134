"""All that can be gone to or done, by its name: menus, targets, runs and rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu

from app.controllers.selection import Choice
from app.presenters.advice.rows import rows as advice_rows
from app.presenters.advice.rule_notes import UNKNOWN, RuleNotes
from app.presenters.frame.sidebar_rows import rows
from app.presenters.texts.groups import RuleGroup
from app.runtime.translation import tr
from app.views.dialogs.palette import Command, CommandDialog
from app.window.parts import Actions, Parts


class Commands(QObject):
    """Opens the palette over the window."""

    def __init__(
        self,
        parts: Parts,
        actions: Actions,
        *,
        menus: Callable[[], Sequence[QAction]],
        notes: Callable[[], RuleNotes],
        show_rule: Callable[[str], object],
        parent: QObject,
    ) -> None:
        """``menus`` are those of the window; ``show_rule`` goes to a rule's card by its id."""
        super().__init__(parent)
        self._parts, self._actions, self._menus = parts, actions, menus
        self._notes, self._show_rule = notes, show_rule

    def ask(self) -> None:
        """Let one be chosen."""
        offered = list(self._all())
        self._actions.ask(lambda window: CommandDialog(self._parts.appearance, offered, window))

    def _all(self) -> Iterator[Command]:
        for title in self._menus():
            menu = title.menu()
            if isinstance(menu, QMenu):
                yield from _of_menu(menu)
        now, choose = datetime.now().astimezone(), self._actions.choose
        listed = rows(self._parts.stored_runs.shelf, "", now)
        for target in listed:
            if target.name:
                yield Command(tr("Target"), target.title, partial(choose, Choice(target.name)))
        for target in listed:
            for run in target.runs:
                name = ", ".join(dict.fromkeys((target.title, run.title, run.detail)))
                yield Command(tr("Run"), name, partial(choose, Choice(run.target, run.run_id)))
        latest = self._parts.selection.latest
        if latest is not None and latest.judgement is not None:
            notes = self._notes()
            for row in advice_rows(latest.judgement, notes):
                about = (row.title, row.rule, *notes.get(row.rule, UNKNOWN).settings)
                called = tuple(dict.fromkeys(about))
                yield Command(
                    tr("Rule"),
                    ", ".join(called),
                    partial(self._show_rule, row.rule),
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

"""All that can be gone to or done, by its name: menus, targets, runs and rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu

from app.controllers.selection import Choice
from app.presenters.advice.rows import rows as advice_rows
from app.presenters.advice.rule_notes import UNKNOWN, RuleNotes
from app.presenters.frame.sidebar_rows import rows
from app.presenters.texts.groups import LOOKS, RuleGroup
from app.runtime.translation import tr
from app.views.dialogs.palette import Command, CommandDialog
from app.window.parts import Actions, Parts

HERE, TARGET, RUN, RULE = tr("Go to"), tr("Target"), tr("Run"), tr("Rule")
REMEMBERED, RECENT = "palette/recent", 6
"""Where commands are remembered, and how many: as many as are seen at a glance."""


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
        """Let one be chosen: those of late first."""
        late = {key: at for at, key in enumerate(self._recent())}
        offered = sorted(self._known(), key=lambda one: late.get(one.key, RECENT))
        offered = [replace(one, do=partial(self._do, one)) for one in offered]
        self._actions.ask(lambda window: CommandDialog(self._parts.appearance, offered, window))

    def _recent(self) -> list[str]:
        return self._parts.preferences.lines(REMEMBERED)

    def _do(self, one: Command) -> None:
        keys = [one.key, *(each for each in self._recent() if each != one.key)]
        self._parts.preferences.set_lines(REMEMBERED, keys[:RECENT])
        one.do()

    def _known(self) -> Iterator[Command]:
        for title in self._menus():
            menu = title.menu()
            if isinstance(menu, QMenu):
                yield from (one for one in _of_menu(menu) if not one.name.startswith(HERE))
        now, choose = datetime.now().astimezone(), self._actions.choose
        listed = rows(self._parts.stored_runs.shelf, "", now)
        for target in listed:
            if target.name:
                go = partial(choose, Choice(target.name))
                key = f"target {target.name}"
                yield Command(TARGET, target.title, go, key=key, aside=TARGET)
        for target in listed:
            for run in target.runs:
                name = ", ".join(dict.fromkeys((target.title, run.title, run.detail)))
                go = partial(choose, Choice(run.target, run.run_id))
                yield Command(RUN, name, go, key=f"run {run.run_id}", aside=RUN)
        yield from self._rules()

    def _rules(self) -> Iterator[Command]:
        latest = self._parts.selection.latest
        if latest is None or latest.judgement is None:
            return
        notes = self._notes()
        for row in advice_rows(latest.judgement, notes):
            names = dict.fromkeys((row.rule, *notes.get(row.rule, UNKNOWN).settings))
            yield Command(
                RULE,
                row.title,
                partial(self._show_rule, row.rule),
                key=f"rule {row.rule}",
                aside=row.detail if row.group is RuleGroup.CHANGE else LOOKS[row.group].title,
                called=tuple(each for each in names if each != row.title),
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
            name, keys = _plain(action.text()), _keys(action)
            key, called = f"{kind} {name}", CALLED.get(name, ())
            yield Command(kind, name, action.trigger, key=key, aside=keys, called=called)


CALLED = {
    tr("Settings…"): (
        *("Preferences", "Options", "Theme", "Appearance", "Paper", "Author", "Contact"),
        *("Confidentiality", "Logo", "Limits", "Prices", "Data"),
    ),
    tr("Documentation"): ("Help", "Manual"),
    tr("As the system"): ("Theme",),
    tr("Light"): ("Theme",),
    tr("Dark"): ("Theme", "Dark mode"),
    tr("High contrast"): ("Theme",),
}
"""Other names of what the menus have."""


def _plain(text: str) -> str:
    return text.replace("&", "")


def _keys(action: QAction) -> str:
    return action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)

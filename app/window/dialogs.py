"""Dialogs over the window: what jobs ask, targets, benches and prices."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QDialog, QWidget

from advisor.target_names import LOCAL
from app.controllers.bench import BenchController
from app.controllers.comparison import ComparisonController
from app.controllers.selection import Choice
from app.presenters.compare.bench_form import DONE, BenchTyped
from app.runtime.questions import CertificateQuestion, Desk, HostKeyQuestion, PasswordQuestion
from app.theme.appearance import Appearance
from app.views.dialogs.bench import BenchDialog
from app.views.dialogs.prices import PricesDialog
from app.views.dialogs.questions import CertificateDialog, HostKeyDialog, PasswordDialog
from app.views.dialogs.target import TargetDialog
from app.window.parts import COMPARE, OVERVIEW, Actions, Parts
from probes.targets.address import TargetKind, TargetSpec


class QuestionDialogs(QObject):
    """Opens a dialog for each question; the job that asks waits in its own thread."""

    def __init__(self, appearance: Appearance, desk: Desk, window: QWidget) -> None:
        super().__init__(window)
        self._appearance, self._window = appearance, window
        self._open_dialogs: dict[int, QDialog] = {}
        desk.asked.connect(self._ask)
        desk.settled.connect(self._settle)

    def _ask(self, question: object) -> None:
        dialogs = self._window.findChildren(TargetDialog)
        over = next((dialog for dialog in dialogs if dialog.isVisible()), self._window)
        if isinstance(question, PasswordQuestion):
            asking = PasswordDialog(self._appearance, question, over)
            self._open(asking, question)
            asking.finished.connect(
                lambda result: question.answers.put(
                    asking.field.text() if result == QDialog.DialogCode.Accepted else None
                )
            )
        elif isinstance(question, HostKeyQuestion):
            self._check(HostKeyDialog(self._appearance, question, over), question)
        elif isinstance(question, CertificateQuestion):
            self._check(CertificateDialog(self._appearance, question, over), question)

    def _check(self, dialog: QDialog, question: HostKeyQuestion | CertificateQuestion) -> None:
        self._open(dialog, question)
        dialog.finished.connect(
            lambda result: question.answers.put(result == QDialog.DialogCode.Accepted)
        )

    def _open(self, dialog: QDialog, question: object) -> None:
        self._open_dialogs[id(question)] = dialog
        dialog.finished.connect(lambda _result: self._open_dialogs.pop(id(question), None))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    def _settle(self, question: object) -> None:
        """Close the dialog of a question that nobody waits for any more."""
        dialog = self._open_dialogs.get(id(question))
        if dialog is not None:
            dialog.reject()


class TargetEditing(QObject):
    """Opens the dialog over the window.

    Signals: ``watch_wanted()`` of the chosen target, which was saved for that.
    """

    watch_wanted = Signal()

    def __init__(self, parts: Parts, actions: Actions, parent: QObject) -> None:
        super().__init__(parent)
        self._parts, self._actions = parts, actions

    def add(self) -> None:
        """Ask for a new target."""
        self.open(None)

    def add_here(self) -> None:
        """Ask for a server of this computer."""
        self.open(None, TargetKind.LOCAL)

    def add_server(self) -> None:
        """Ask for the server of the chosen target; of an import, for one that can be reached."""
        name, shelf = self._parts.selection.choice.target, self._parts.stored_runs.shelf
        if name == LOCAL:
            self.add_here()
        elif name in shelf.unsaved:
            self.add()
        else:
            self.edit(name)

    def edit(self, name: str) -> None:
        """Change a saved target."""
        self.open(self._parts.stored_runs.shelf.spec(name))

    def edit_chosen(self) -> None:
        """Change the chosen target."""
        self.edit(self._parts.selection.choice.target)

    def open(self, spec: TargetSpec | None, kind: TargetKind = TargetKind.SSH) -> None:
        """Ask for a target, as it is now where there is one; a new one begins as of a ``kind``."""
        parts = self._parts
        taken = [one.name for one in parts.stored_runs.shelf.targets]

        def made(window: QWidget) -> QDialog:
            dialog = TargetDialog(
                parts.appearance, parts.run_controller, taken, spec, window, kind=kind
            )
            dialog.saved.connect(self.save)
            dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            return dialog

        self._actions.ask(made)

    def save(self, spec: TargetSpec, old_name: str, watch: bool = False) -> None:
        """Keep a target, under another name than before where that differs, and look at it."""
        self._parts.stored_runs.save(spec, old_name, lambda: self._show(spec, watch=watch))

    def _show(self, spec: TargetSpec, *, watch: bool) -> None:
        """Who has saved a target wants to see it: it is looked at, which changes nothing there."""
        self._actions.choose(Choice(spec.name))
        if watch:
            self.watch_wanted.emit()
            return
        self._actions.show_page(OVERVIEW)
        if self._parts.selection.busy is None:
            self._parts.run_controller.look(spec)


class Benching(QObject):
    """Opens the dialogs, and follows a bench that goes on."""

    def __init__(
        self,
        parts: Parts,
        actions: Actions,
        parent: QObject,
        bench_controller: BenchController,
        comparison_controller: ComparisonController,
    ) -> None:
        super().__init__(parent)
        self._parts, self._actions = parts, actions
        self._bench_controller = bench_controller
        self._comparison_controller = comparison_controller
        self._unfinished: BenchTyped | None = None
        bench_controller.ended.connect(self._ended)
        parts.run_controller.stored.connect(self._follow)

    def ask(self) -> None:
        """Ask which directories to bench; where a bench goes on, show it."""
        self._actions.show_page(COMPARE)
        if self._bench_controller.running:
            return
        self._comparison_controller.choose_again()
        appearance, known = self._parts.appearance, self._parts.stored_runs.shelf.spec

        def made(window: QWidget) -> QDialog:
            dialog = BenchDialog(appearance, self._bench_controller, known, window)
            dialog.fill(self._unfinished)
            dialog.left.connect(self._keep)
            return dialog

        self._actions.ask(made)

    def _keep(self, typed: BenchTyped | None) -> None:
        self._unfinished = typed

    def ask_prices(self) -> None:
        """Ask what the compared drives cost."""
        controller = self._comparison_controller
        if controller.comparison is None:
            return
        drives = [(one.key, one.name) for one in controller.comparison.contenders]

        def made(window: QWidget) -> QDialog:
            dialog = PricesDialog(self._parts.appearance, drives, controller.prices, window)
            dialog.priced.connect(controller.price)
            return dialog

        self._actions.ask(made)

    def _follow(self, target: str, run_id: int) -> None:
        """Whoever looks at a turn of the bench sees the next one, too."""
        progress, selection = self._bench_controller.progress, self._parts.selection
        if not self._bench_controller.running or progress is None:
            return
        if any(selection.choice.run_id in ids for ids in progress.runs.values()):
            self._actions.choose(Choice(target, run_id))

    def _ended(self) -> None:
        """Say it on the pages that do not show it."""
        if self._actions.page() != COMPARE:
            self._actions.notify(DONE)

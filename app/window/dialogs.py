"""Puts the questions of jobs to the person at the window, and takes the answers back."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QDialog, QWidget

from app.runtime.questions import CertificateQuestion, Desk, HostKeyQuestion, PasswordQuestion
from app.theme.appearance import Appearance
from app.views.dialogs.questions import CertificateDialog, HostKeyDialog, PasswordDialog
from app.views.dialogs.target import TargetDialog


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

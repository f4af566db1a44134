"""Setting up a bench: directories, plan, repeats; first a look at them, then the start."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QLineEdit,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from advisor.runs.bench.values import USUAL_REPEATS, BenchRequest
from advisor.runs.bench.words import usual_project
from app.controllers.bench import BenchController
from app.presenters.compare.bench_form import BenchTyped, plan_text, request_of
from app.presenters.texts.phrases import plan_label
from app.runtime.translation import tr
from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.widgets.buttons import Button
from app.views.widgets.callout import Callout
from app.views.widgets.growing import GrowingDialog
from app.views.widgets.labels import label
from app.views.widgets.layouts import form, row
from app.views.widgets.turned import DropDown
from probes.errors import LeadlineError
from probes.plans.plan import PlanName
from probes.targets.address import TargetSpec

WIDTH = 620
PLACES_HEIGHT = 92
REPEATS = (1, 2, 3, 5, 10)
LOOK, START = "See what it takes", "Start measuring"


class BenchDialog(QDialog):
    """Measures nothing before the directories were looked at as they are typed now.

    Signal: ``left(BenchTyped | None)`` with what is to stand there the next time.
    """

    left = Signal(object)

    def __init__(
        self,
        appearance: Appearance,
        controller: BenchController,
        known: Callable[[str], TargetSpec | None],
        parent: QWidget,
    ) -> None:
        """``known`` gives a saved target by its name."""
        super().__init__(parent)
        appearance.dress(self)
        self._controller, self._known = controller, known
        self._looked: BenchRequest | None = None
        self.setWindowTitle(tr("Compare drives"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setFixedWidth(WIDTH)
        self._make_fields(appearance)
        self.callout = Callout(appearance)
        self.plan_lines = label("", "small", wrap=True, select=True)
        self.notes = Callout(appearance)
        self.cancel = Button(appearance, tr("Cancel"))
        self.cancel.clicked.connect(self._drop)
        self.go = Button(appearance, LOOK, "", "primary")
        self.go.setDefault(True)
        self.go.clicked.connect(self._go)
        # Where lines are typed, the key alone begins a line; as the dialog of a target has it.
        QShortcut(QKeySequence("Ctrl+Return"), self, self.go.click)
        layout = QVBoxLayout(self)
        self._growing = GrowingDialog(self, layout)
        layout.setContentsMargins(*(tokens.SPACE_XL,) * 4)
        layout.setSpacing(tokens.SPACE_M)
        layout.addWidget(
            label(tr("Two to twelve, one a line; NAME:/DIR is on a saved target."), wrap=True)
        )
        layout.addLayout(
            form(
                (tr("&Directories"), self.places),
                (tr("&Project"), self.project),
                (tr("P&lan"), self.plan),
                (tr("&Repeats"), self.repeats),
            )
        )
        layout.addWidget(self.plan_lines)
        layout.addWidget(self.notes)
        layout.addWidget(self.callout)
        layout.addLayout(row(self.browse, None, self.cancel, self.go))
        self.plan_lines.hide()
        controller.looked.connect(self._show_look)
        self.finished.connect(self._left)
        self.places.setFocus()

    def reject(self) -> None:
        """Escape keeps what was typed for the next time; *Cancel* drops it."""
        self.left.emit(self._typed())
        super().reject()

    def _drop(self) -> None:
        self.left.emit(None)
        super().reject()

    def fill(self, typed: BenchTyped | None) -> None:
        """Begin with what was typed before, if anything was."""
        if typed is not None:
            self.places.setPlainText(typed.places)
            self.project.setText(typed.project)
            self.plan.setCurrentIndex(self.plan.findData(typed.plan))
            self.repeats.setCurrentText(str(typed.repeats))

    def _typed(self) -> BenchTyped:
        return BenchTyped(
            self.places.toPlainText(),
            str(self.plan.currentData()),
            int(self.repeats.currentText()),
            self.project.text(),
        )

    def _make_fields(self, appearance: Appearance) -> None:
        self.places = QPlainTextEdit()
        self.places.setPlaceholderText("/mnt/a\n/mnt/b\ndb7:/srv/new")
        self.places.setFixedHeight(PLACES_HEIGHT)
        self.places.setToolTip(tr("They are measured alike, in turn: A B C, then C B A."))
        self.places.setTabChangesFocus(True)
        self.places.textChanged.connect(self._changed)
        self.project = QLineEdit()
        self.project.setPlaceholderText(usual_project(datetime.now().astimezone()))
        self.project.textEdited.connect(self._changed)
        self.plan = DropDown()
        for name in PlanName:
            self.plan.addItem(plan_label(name.value), name.value)
        self.plan.currentIndexChanged.connect(self._changed)
        self.repeats = DropDown()
        self.repeats.addItems([str(number) for number in REPEATS])
        self.repeats.setCurrentText(str(USUAL_REPEATS))
        self.repeats.currentIndexChanged.connect(self._changed)
        self.browse = Button(appearance, tr("&Add a directory…"), "folder-open")
        self.browse.clicked.connect(self._browse)

    def _browse(self) -> None:
        folder = QFileDialog.getExistingDirectory(self, tr("A directory on the drive"))
        if folder:
            self.places.appendPlainText(folder)

    def _changed(self) -> None:
        """What was looked at is not what stands here any more."""
        self._looked = None
        self._controller.forget_look()
        self._show_look()

    def _go(self) -> None:
        try:
            self._look_or_start()
        except LeadlineError as error:
            self.callout.tell_error(error)

    def _look_or_start(self) -> None:
        if self._looked is None:
            self._looked = request_of(self._typed(), self._known, datetime.now().astimezone())
            self._controller.look(self._looked)
        elif self._controller.seen is not None:
            self._controller.start(self._looked)
            self.left.emit(None)
            self.accept()

    def _show_look(self) -> None:
        seen, refused = self._controller.seen, self._controller.refused
        looking = self._controller.looking
        if refused is not None:
            self._looked = None
        with self._growing.at_once():
            self.callout.tell_error(refused)
            self.plan_lines.setVisible(seen is not None)
            self.notes.hide()
            if seen is not None:
                self.plan_lines.setText(plan_text(seen))
                if seen.notes:
                    self.notes.display("warn", seen.notes[0], "\n".join(seen.notes[1:]))
        self.go.setText(tr("Reading") if looking else (START if seen is not None else LOOK))
        self.go.setEnabled(not looking)
        if seen is not None:
            self.go.setFocus()

    def _left(self) -> None:
        self._controller.looked.disconnect(self._show_look)
        self._controller.forget_look()

"""The plan of what is chosen: step by step, or in a form to be copied and saved."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from advisor.outcomes import Recommendation
from advisor.plan.change_plan import ChangePlan
from advisor.plan.export.formats import Format
from advisor.report.forms.plan_formats import FORMATS
from advisor.steps import HostCommand
from advisor.trial.advised import tryable
from advisor.whole_file import replace_whole
from advisor.wording.advice.plan import beside_it, expected, outweighed, work
from app.controllers.done_steps import DoneSteps
from app.presenters.advice.plan_steps import sections
from app.runtime.save_file import ask_where
from app.runtime.translation import tr, tr_n
from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.advice.form_choice import FormChoice, short
from app.views.advice.plan_steps import PlanSteps
from app.views.charts.export import ExportFailed
from app.views.widgets.buttons import Button, CopyButton
from app.views.widgets.labels import label
from app.views.widgets.layouts import Pile, column, row, scrolled
from probes.errors import LeadlineError

TYPED = ("sql", "shell")
"""What is copied and saved where the steps are shown: statements, where there are any."""


class PlanView(QWidget):
    """Shows one plan.

    Signals: ``saved(Path)``, and ``failed(LeadlineError)`` when a file could not be written;
    ``try_wanted(rule)`` for a step's change on the live server; ``came_wanted(since)`` for what
    came of the steps that are done, the last of them then.
    """

    saved = Signal(Path)
    failed = Signal(LeadlineError)
    try_wanted = Signal(str)
    came_wanted = Signal(str)

    def __init__(self, appearance: Appearance, done_steps: DoneSteps) -> None:
        super().__init__()
        self._done_steps = done_steps
        self.reachable = True
        self.done = label("", wrap=True)
        self.came = Button(appearance, tr("See what came of it"), "eye")
        self.came.clicked.connect(lambda: self.came_wanted.emit(done_steps.latest_at))
        done_steps.changed.connect(self._show_done)
        self._appearance = appearance
        self._plan: ChangePlan | None = None
        self._chosen: Sequence[Recommendation] = ()
        self.headline = label("", "heading", wrap=True, select=True)
        self._outlook = label("", wrap=True, select=True)
        self.copy = CopyButton(appearance)
        self.save = Button(appearance, "", "download", "quiet", tr("Save this form as a file"))
        self.undo = QCheckBox(tr("Undo"))
        self.undo.setToolTip(tr("Show the way back instead"))
        self.notes = QCheckBox(tr("Notes"))
        self.notes.setToolTip(tr("Show what is to be known of each step"))
        # Of the last two the one or the other is there: the rest stays where it is.
        self.forms = FormChoice(appearance, self.copy, self.save, self.undo, self.notes)
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setProperty("role", "fixed")
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setAccessibleName(tr("The plan in this form"))
        self._steps = PlanSteps(appearance, done_steps)
        self._steps.try_wanted.connect(self.try_wanted)
        self._stack = Pile()
        self._stack.addWidget(scrolled(self._steps, tr("The change plan, step by step")))
        self._stack.addWidget(self.text)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, tokens.SPACE_M, tokens.SPACE_L)
        layout.setSpacing(tokens.SPACE_M)
        layout.addLayout(column(self.headline, self._outlook, space=tokens.SPACE_XS))
        around = row(self.done, self.came)
        around.setStretch(0, 1)
        layout.addLayout(around)
        layout.addWidget(self.forms)
        layout.addWidget(self._stack, 1)
        self.forms.picked.connect(self._show_form)
        self.undo.toggled.connect(self._show_form)
        self.notes.toggled.connect(self._steps.show_notes)
        self.save.clicked.connect(self._ask)
        self._show_form()
        self._show_done()

    def _show_done(self) -> None:
        """What is done asks for another look."""
        number = self._done_steps.count
        self.done.setText(
            tr_n(
                "1 step is done here: watch the server again and compare.",
                "{n} steps are done here: watch the server again and compare.",
                number,
            )
        )
        for each in (self.done, self.came):
            each.setVisible(bool(number) and self._plan is not None)

    def show_plan(self, plan: ChangePlan | None, chosen: Sequence[Recommendation] = ()) -> None:
        """Show a plan of ``chosen`` advice; None while it is being made."""
        self._plan, self._chosen = plan, chosen
        if plan is None:
            self._tell(tr("Making the plan."))
        else:
            self._tell(" ".join((*plan.about[:1], work(plan))), expected(plan))
            self.forms.offer(plan)
        self._show_form()
        self._show_done()

    def give_up(self) -> None:
        """Say that there is no plan, where one was being made."""
        if self._plan is None:
            self._tell(tr("The plan could not be made."))
            self._steps.show_sections(())

    def _tell(self, sentence: str, more: str = "") -> None:
        self.headline.setText(sentence)
        self._outlook.setText(more)
        self._outlook.setVisible(bool(more))

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with what was chosen while something else stood here."""
        super().showEvent(event)
        self._show_form()

    def _show_form(self) -> None:
        form = FORMATS.get(self.forms.key)
        self._stack.setCurrentIndex(0 if form is None else 1)
        self.undo.setVisible(form is not None)
        self.notes.setVisible(form is None)
        self.copy.name(tr("Copy {what}", what=short(self._form)))
        for widget in (self.notes, self.undo, self.copy, self.save):
            widget.setEnabled(self._plan is not None)
        if self._plan is None or not self.isVisible():
            return
        if form is None:
            plan = self._plan
            rules = {one.rule for one in self._chosen}
            below = f"{outweighed(plan, self._chosen)} {beside_it(plan)}".strip()
            tried = {one.rule for one in tryable(self._chosen) if self.reachable}
            self._steps.show_sections(sections(plan, rules, tried), below)
        text = self._written
        self.text.setPlainText(text)
        self.copy.offer(text)

    @property
    def _form(self) -> Format:
        """The form that is shown; of the steps, what is typed for them."""
        if self.forms.key or self._plan is None:
            return FORMATS[self.forms.key or TYPED[0]]
        suited = self.forms.offered
        typed = [key for key in TYPED if key in suited]
        if all(isinstance(each.step, HostCommand) for each in self._plan.changes):
            typed.reverse()
        return FORMATS[next(iter(typed or suited))]

    @property
    def _undoing(self) -> bool:
        return bool(self.forms.key) and self.undo.isChecked()

    @property
    def _written(self) -> str:
        """The plan as it is copied and saved."""
        form = self._form
        return (
            "" if self._plan is None else (form.undo if self._undoing else form.apply)(self._plan)
        )

    def copy_shown(self) -> str:
        """Copy the plan as it stands here; says so and what comes next, "" where there is none."""
        if self._plan is None:
            return ""
        self._show_form()
        self.copy.click()
        return tr_n(
            "Copied 1 step as {form}. Tick it here when it is done.",
            "Copied {n} steps as {form}. Tick each here when it is done.",
            len(self._plan.changes),
            form=short(self._form),
        )

    def _ask(self) -> None:
        form = self._form
        way = "undo" if self._undoing else "changes"
        name = f"leadline-{way}{form.suffix}"
        path = ask_where(self, tr("Save the plan"), name, {form.title: form.suffix})
        if path is not None:
            self.write(path)

    def write(self, path: Path) -> None:
        """Write what is shown to a file."""
        try:
            replace_whole(path, self.text.toPlainText().encode("utf-8", "replace"))
        except OSError as error:
            self.failed.emit(
                ExportFailed(
                    tr("{path} can't be written: {reason}.", path=path, reason=error.strerror),
                    tr("Choose another folder."),
                )
            )
        else:
            self.saved.emit(path)

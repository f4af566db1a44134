"""The plan of what is chosen: step by step, or in a form to be copied and saved."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFileDialog,
    QFrame,
    QPlainTextEdit,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from advisor.plan.change_plan import Action, ChangePlan, LeftOut
from advisor.plan.export.formats import FORMATS
from advisor.report.plan_words import details, groups, headline, what
from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.export import ExportFailed
from app.views.parts import Button, CopyButton, Picture, clear, column, label, row

STEPS = ("", "Steps")
FORM_LETTERS = 14
SHRINKING = QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon


class PlanView(QWidget):
    """Shows one plan.

    Signals: ``failed(LeadlineError)`` when a file could not be written.
    """

    failed = Signal(object)

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self._plan: ChangePlan | None = None
        self.headline = label("", "heading", wrap=True, select=True)
        self.forms = QComboBox()
        self.forms.setAccessibleName("Form of the plan")
        self.forms.setSizeAdjustPolicy(SHRINKING)
        self.forms.setMinimumContentsLength(FORM_LETTERS)
        for key, title in (STEPS, *((form.name, form.title) for form in FORMATS.values())):
            self.forms.addItem(title, key)
        self.undo = QCheckBox("Undo")
        self.undo.setToolTip("Show the way back instead")
        self.copy = CopyButton(appearance)
        self.save = Button(appearance, "Save…", "download", "quiet", "Save this form as a file")
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setProperty("role", "fixed")
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setAccessibleName("The plan in this form")
        self._steps = QVBoxLayout()
        self._stack = QStackedWidget()
        self._stack.addWidget(_scrolled(self._steps))
        self._stack.addWidget(self.text)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, tokens.SPACE_M, tokens.SPACE_L)
        layout.setSpacing(tokens.SPACE_M)
        top = row(self.headline, self.copy, self.save)
        top.setStretch(0, 1)
        layout.addLayout(top)
        layout.addLayout(row(self.forms, self.undo, None))
        layout.addWidget(self._stack, 1)
        self.forms.currentIndexChanged.connect(self._show_form)
        self.undo.toggled.connect(self._show_form)
        self.save.clicked.connect(self._ask)
        self._show_form()

    def show_plan(self, plan: ChangePlan | None) -> None:
        """Show a plan; None while it is being made."""
        self._plan = plan
        self.headline.setText("Making the plan." if plan is None else headline(plan))
        clear(self._steps)
        if plan is not None:
            self._tell_steps(plan)
        self._show_form()

    def _tell_steps(self, plan: ChangePlan) -> None:
        number = 0
        for title, actions in groups(plan):
            self._steps.addWidget(label(title, "group"))
            for action in actions:
                number += 1
                self._steps.addWidget(_step(number, action))
        if plan.left_out:
            self._steps.addWidget(label("Left out of the plan", "group"))
            for each in plan.left_out:
                self._steps.addWidget(self._left_out(each))
        self._steps.addStretch(1)

    def _left_out(self, each: LeftOut) -> QFrame:
        frame, layout = _card()
        layout.addLayout(row(Picture(self._appearance, "circle-minus"), label(each.what), None))
        layout.addWidget(label(each.because, "small", wrap=True, select=True))
        layout.addWidget(label(each.rule, "small", select=True))
        return frame

    def _show_form(self) -> None:
        form = FORMATS.get(self.forms.currentData())
        self._stack.setCurrentIndex(0 if form is None else 1)
        for widget in (self.undo, self.copy, self.save):
            widget.setVisible(form is not None)
            widget.setEnabled(self._plan is not None)
        if form is not None and self._plan is not None:
            text = (form.undo if self.undo.isChecked() else form.apply)(self._plan)
            self.text.setPlainText(text)
            self.copy.offer(text)

    def _ask(self) -> None:
        form = FORMATS[self.forms.currentData()]
        way = "undo" if self.undo.isChecked() else "changes"
        name, _ = QFileDialog.getSaveFileName(
            self, "Save the plan", f"leadline-{way}{form.suffix}", f"{form.title} (*{form.suffix})"
        )
        if name:
            self.write(Path(name))

    def write(self, path: Path) -> None:
        """Write what is shown to a file."""
        try:
            path.write_text(self.text.toPlainText(), encoding="utf-8")
        except OSError as error:
            self.failed.emit(
                ExportFailed(
                    f"{path} can't be written: {error.strerror}.", "Choose another folder."
                )
            )


def _step(number: int, action: Action) -> QFrame:
    """One step on a card: what is done, its lines, and which rules asked for it."""
    frame, layout = _card()
    head = label(f"{number}.  {what(action)}", "heading", wrap=True, select=True)
    layout.addWidget(head)
    for line in details(action):
        layout.addWidget(label(line, wrap=True, select=True))
    layout.addWidget(label(", ".join(action.rules), "small", wrap=True, select=True))
    return frame


def _card() -> tuple[QFrame, QVBoxLayout]:
    frame = QFrame()
    frame.setProperty("role", "card")
    layout = column(space=tokens.SPACE_XS)
    layout.setContentsMargins(tokens.SPACE_M, tokens.SPACE_S, tokens.SPACE_M, tokens.SPACE_S)
    frame.setLayout(layout)
    return frame, layout


def _scrolled(inner: QVBoxLayout) -> QScrollArea:
    inner.setContentsMargins(0, 0, tokens.SPACE_M, 0)
    inner.setSpacing(tokens.SPACE_S)
    body = QWidget()
    body.setObjectName("pageBody")
    body.setLayout(inner)
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setWidget(body)
    return area

"""The plan step by step, on cards under the titles of their groups."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import Signal, SignalInstance
from PySide6.QtWidgets import QCheckBox, QFrame, QVBoxLayout, QWidget

from app.controllers.done_steps import DoneSteps
from app.presenters.advice.plan_steps import StepCard
from app.runtime.time_slices import TimeSlices
from app.runtime.translation import tr
from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.widgets.buttons import Button
from app.views.widgets.labels import IconLabel, label
from app.views.widgets.layouts import column, row
from app.views.widgets.reused_widgets import ReusedWidgets

Section = tuple[str, Sequence[StepCard]]


class PlanSteps(QWidget):
    """Signals: ``try_wanted(rule)`` for a step's change on the live server.

    Fills the cards in the event loop's turns: a plan may have dozens of them.

    What was ticked as done at this server stays so, in another order of steps, too. Notes are shut
    until somebody wants them.
    """

    try_wanted = Signal(str)

    def __init__(self, appearance: Appearance, done: DoneSteps) -> None:
        super().__init__()
        self.setObjectName("pageBody")
        self._turns = TimeSlices(self)
        self._noted = False
        groups = column(space=tokens.SPACE_M)
        self._pool = ReusedWidgets(groups, lambda: _GroupOfSteps(appearance, done, self.try_wanted))
        self._below = label("", "quiet", wrap=True, select=True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, tokens.SPACE_M, 0)
        layout.addLayout(groups)
        layout.addWidget(self._below)
        layout.addStretch(1)

    def show_sections(self, sections: Sequence[Section], below: str = "") -> None:
        """Show these; ``below`` is said under the last."""
        self._below.setText(below)
        self._turns.begin(self._tell(sections))
        self.show_notes(self._noted)

    def show_notes(self, shown: bool) -> None:
        """Show what is to be known of each step and of the whole, or only what is done."""
        self._noted = shown
        self._below.setVisible(shown and bool(self._below.text()))
        for group in self._pool.made:
            group.show_notes(shown)

    def _tell(self, sections: Sequence[Section]) -> Iterator[None]:
        blocks: list[_GroupOfSteps] = []
        yield from self._pool.display(sections, lambda block, _section: blocks.append(block))
        for block, section in zip(blocks, sections, strict=True):
            yield from block.display(section)
            block.show_notes(self._noted)


class _GroupOfSteps(QWidget):
    def __init__(self, appearance: Appearance, done: DoneSteps, try_wanted: SignalInstance) -> None:
        super().__init__()
        self._title = label("", "group")
        cards = column(space=tokens.SPACE_M)
        self._pool = ReusedWidgets(cards, lambda: _Step(appearance, done, try_wanted))
        layout = column(self._title, space=tokens.SPACE_M)
        layout.addLayout(cards)
        self.setLayout(layout)

    def display(self, section: Section) -> Iterator[None]:
        title, cards = section
        self._title.setText(title)
        yield from self._pool.display(cards, _Step.display)

    def show_notes(self, shown: bool) -> None:
        for step in self._pool.made:
            step.show_notes(shown)


class _Step(QFrame):
    def __init__(self, appearance: Appearance, done: DoneSteps, try_wanted: SignalInstance) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self._done, self._does, self._tries = done, "", ""
        self.tick = QCheckBox(tr("Done"))
        self.tick.toggled.connect(self._dim)
        self.tick.clicked.connect(lambda on: self._done.mark(self._does, on))
        done.changed.connect(self._read)
        self.trying = Button(appearance, tr("Try…"), "scale", "quiet", tr("On the live server"))
        self.trying.clicked.connect(lambda: try_wanted.emit(self._tries))
        self._picture = IconLabel(appearance, "circle-minus")
        self._title = label("", "heading", wrap=True, select=True)
        self._text = label("", wrap=True, select=True)
        # What is copied from it must be what a server reads: no space that does not break.
        self._typed = label("", "fixed", select=True)
        self._typed.setWordWrap(True)
        self._notes = label("", "small", wrap=True, select=True)
        head = row(self._picture, self._title, self.trying, self.tick)
        head.setStretch(1, 1)
        layout = column(space=tokens.SPACE_XS)
        layout.setContentsMargins(tokens.SPACE_M, tokens.SPACE_S, tokens.SPACE_M, tokens.SPACE_S)
        layout.addLayout(head)
        layout.addWidget(self._typed)
        layout.addWidget(self._text)
        layout.addWidget(self._notes)
        self.setLayout(layout)

    def display(self, step: StepCard) -> None:
        self._does = step.does
        self.tick.setVisible(not step.left_out)
        self._tries = step.tries
        self.trying.setVisible(bool(step.tries))
        self.trying.setAccessibleName(tr("Try: {what}", what=step.does))
        self._read()
        self.tick.setAccessibleName(tr("Done: {what}", what=step.does))
        self._picture.setVisible(step.left_out)
        self._title.setText(step.title)
        self._typed.setText(step.typed)
        self._typed.setVisible(bool(step.typed))
        self._text.setText(step.text)
        self._text.setVisible(bool(step.text))
        self._notes.setText(step.notes)

    def show_notes(self, shown: bool) -> None:
        self._notes.setVisible(shown and bool(self._notes.text()))

    def _read(self) -> None:
        self.tick.setChecked(self._done.has(self._does))

    def _dim(self, done: bool) -> None:
        for text in (self._title, self._typed, self._text):
            text.setEnabled(not done)

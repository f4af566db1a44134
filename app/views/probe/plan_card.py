"""What a run answers, and what it will do for that, line by line, before it starts."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from advisor.runs.events import PlanMade
from app.presenters.probe.kinds import answers
from app.presenters.texts.window_words import in_window
from app.runtime.time_slices import TimeSlices
from app.runtime.translation import tr
from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.widgets.buttons import Button, CopyButton, Fold
from app.views.widgets.callout import Callout
from app.views.widgets.labels import IconLabel, Prose, label
from app.views.widgets.layouts import bullet, column, keep_bar, restyle, row
from app.views.widgets.reused_widgets import ReusedWidgets
from probes.errors import LeadlineError
from probes.plans.describe import step_lines

MarkedText = tuple[str, str, str]
"""A text, with its icon and the icon's tone; "" for both where it has none."""


class PlanCard(QFrame):
    """Fills its lines in the event loop's turns: each is laid out at the card's width.

    Signals: ``wanted()`` when the plan shall be made.
    """

    wanted = Signal()

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._shown: object = None
        self._turns = TimeSlices(self)
        self.setProperty("role", "panel")
        answer_column, line_column = column(), column()
        self._answers = ReusedWidgets(answer_column, lambda: _Line(appearance))
        self._lines = ReusedWidgets(line_column, lambda: _Line(appearance))
        measured, measured_column = QWidget(), column()
        measured.setLayout(measured_column)
        self._measured = ReusedWidgets(measured_column, lambda: _Line(appearance))
        self.measured = Fold(appearance, measured)
        self.callout = Callout(appearance)
        self.show_plan = Button(appearance, tr("Show what it &will do"), "eye")
        self.show_plan.clicked.connect(self.wanted)
        self._copy = CopyButton(appearance)
        body = QWidget()
        inner = QVBoxLayout(body)
        inner.setContentsMargins(0, 0, tokens.SPACE_S, 0)
        inner.setSpacing(tokens.SPACE_M)
        self._gets = label(tr("What you get"), "heading")
        inner.addWidget(label(tr("What it will do"), "heading"))
        inner.addLayout(line_column)
        inner.addWidget(self.callout)
        inner.addLayout(row(self.show_plan, None))
        inner.addWidget(self.measured)
        inner.addWidget(self._gets)
        inner.addLayout(answer_column)
        inner.addStretch(1)
        body.setObjectName("clear")
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setWidget(body)
        scroll.setObjectName("clearScroll")
        scroll.setAccessibleName(tr("What it will do"))
        keep_bar(scroll)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*(tokens.SPACE_L,) * 4)
        layout.setSpacing(tokens.SPACE_M)
        layout.addWidget(scroll, 1)
        layout.addLayout(row(None, self._copy))

    def display(
        self, found: PlanMade | LeadlineError | None, *, planning: bool, advised: bool
    ) -> None:
        """Show a plan, why there is none, or how to get one; drawn only when it differs.

        ``advised`` says that advice follows the run.
        """
        if (found, planning, advised) == self._shown:
            return
        self._shown = (found, planning, advised)
        self._gets.setVisible(isinstance(found, PlanMade))
        self.callout.tell_error(found if isinstance(found, LeadlineError) else None)
        self.show_plan.setVisible(found is None and not planning)
        self._copy.setVisible(isinstance(found, PlanMade))
        gets: list[MarkedText] = []
        does: list[MarkedText] = []
        folded: list[MarkedText] = []
        if isinstance(found, PlanMade):
            self._copy.offer(in_window("\n".join(found.lines)))
            gets = [
                (line, "circle-check", "accent") for line in answers(found.plan, advised=advised)
            ]
            warned = ("triangle-alert", "warn")
            steps = set(step_lines(found.plan, found.inventory_s))
            folded = [(line, "", "") for line in found.lines if line in steps]
            does = [
                (line, *(warned if line in found.plan.warnings else ("", "")))
                for line in found.lines
                if line not in steps
            ]
        elif planning:
            does = [(tr("Making the plan."), "", "")]
        elif found is None:
            about = tr("Leadline connects to make the plan: files, bytes, seconds and commands.")
            does = [(about, "", "")]
        self.measured.name(tr("Each file and step ({n})", n=len(folded)) if folded else "")
        self._turns.begin(self._tell(gets, does, folded))

    def _tell(
        self, gets: list[MarkedText], does: list[MarkedText], folded: list[MarkedText]
    ) -> Iterator[None]:
        yield from self._answers.display(gets, _Line.display)
        yield from self._lines.display(does, _Line.display)
        yield from self._measured.display(folded, _Line.display)


class _Line(QWidget):
    """A sentence that may be selected; without an icon it is quiet."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._icon, self._text = IconLabel(appearance, "circle-check"), Prose("")
        self.setLayout(bullet(self._icon, self._text))

    def display(self, line: MarkedText) -> None:
        text, icon, tone = line
        self._icon.setVisible(bool(icon))
        if icon:
            self._icon.display(icon, tone)
        restyle(self._text, "role", "" if icon else "quiet")
        self._text.display(text)

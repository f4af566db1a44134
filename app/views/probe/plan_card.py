"""What a run answers, and what it will do for that, line by line, before it starts."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from advisor.runs.events import PlanMade
from app.presenters.probe_form import answers
from app.runtime.translation import tr
from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.widgets.buttons import Button, CopyButton
from app.views.widgets.callout import Callout
from app.views.widgets.labels import IconLabel, label
from app.views.widgets.layouts import bullet, clear, column, row
from probes.errors import LeadlineError


class PlanCard(QFrame):
    """Signals: ``wanted()`` when the plan shall be made."""

    wanted = Signal()

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self._shown: object = None
        self.setProperty("role", "panel")
        self._answers, self._lines = column(), column()
        self.callout = Callout(appearance)
        self.show_plan = Button(appearance, tr("Show what it &will do"), "eye")
        self.show_plan.clicked.connect(self.wanted)
        self._copy = CopyButton(appearance)
        body = QWidget()
        inner = QVBoxLayout(body)
        inner.setContentsMargins(0, 0, tokens.SPACE_S, 0)
        inner.setSpacing(tokens.SPACE_M)
        self._gets = label(tr("What you get"), "heading")
        inner.addWidget(self._gets)
        inner.addLayout(self._answers)
        inner.addWidget(label(tr("What it will do"), "heading"))
        inner.addLayout(self._lines)
        inner.addWidget(self.callout)
        inner.addLayout(row(self.show_plan, None))
        inner.addStretch(1)
        body.setObjectName("clear")
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setWidget(body)
        scroll.setObjectName("clearScroll")
        scroll.setAccessibleName(tr("What it will do"))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*(tokens.SPACE_L,) * 4)
        layout.setSpacing(tokens.SPACE_M)
        layout.addWidget(scroll, 1)
        layout.addLayout(row(None, self._copy))

    def display(
        self, found: PlanMade | LeadlineError | None, *, planning: bool, advised: bool
    ) -> None:
        """Show a plan, why there is none, or how to get one; drawn only when it differs.

        ``advised`` tells that advice follows the run.
        """
        if (found, planning, advised) == self._shown:
            return
        self._shown = (found, planning, advised)
        clear(self._answers)
        clear(self._lines)
        self._gets.setVisible(isinstance(found, PlanMade))
        self.callout.tell_error(found if isinstance(found, LeadlineError) else None)
        self.show_plan.setVisible(found is None and not planning)
        self._copy.setVisible(isinstance(found, PlanMade))
        if isinstance(found, PlanMade):
            self._copy.offer("\n".join(found.lines))
            for line in answers(found.plan, advised=advised):
                self._answers.addLayout(self._line(line, "circle-check", "accent"))
            for line in found.lines:
                if line in found.plan.warnings:
                    self._lines.addLayout(self._line(line, "triangle-alert", "warn"))
                else:
                    self._lines.addWidget(label(line, "quiet", wrap=True, select=True))
        elif planning:
            self._lines.addWidget(label(tr("Making the plan."), "quiet"))
        elif found is None:
            about = tr("Leadline connects to make the plan: files, bytes, seconds and commands.")
            self._lines.addWidget(label(about, "quiet", wrap=True))

    def _line(self, text: str, icon: str, tone: str) -> QHBoxLayout:
        return bullet(IconLabel(self._appearance, icon, tone), label(text, wrap=True, select=True))

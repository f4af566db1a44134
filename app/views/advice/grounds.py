"""What a card of advice rests on, shut until somebody wants to check it."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtWidgets import QWidget

from app.presenters.advice.card import EvidenceCard
from app.runtime.time_slices import TimeSlices
from app.runtime.translation import tr
from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.advice.copy_block import CopyBlock
from app.views.advice.evidence import FactRows, Findings, Labelled
from app.views.widgets.buttons import Button
from app.views.widgets.layouts import column
from app.views.widgets.reused_widgets import ReusedWidgets


class Grounds(QWidget):
    """How it was reckoned, what was read, the way back, and what is published.

    It is filled when it is open; ``toggle`` opens it, and stands where its card puts it.
    """

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._turns = TimeSlices(self)
        self._card: EvidenceCard | None = None
        self.toggle = Button(appearance, tr("Show the &evidence"), "chevron-right", "quiet")
        self.toggle.setCheckable(True)
        self.toggle.toggled.connect(self._open)
        self.rows = Labelled("card")
        self.facts = FactRows(appearance)
        blocks = column(space=tokens.SPACE_M)
        self._applies = ReusedWidgets(blocks, lambda: CopyBlock(appearance))
        self.applied = QWidget()
        self.applied.setLayout(blocks)
        self.findings = Findings(appearance)
        self.setLayout(
            column(self.rows, self.facts, self.applied, self.findings, space=tokens.SPACE_M)
        )
        self.hide()

    def display(self, card: EvidenceCard) -> Iterator[object]:
        """Take what a card rests on; where it is open, show it, step by step."""
        self._card = card
        self._turns.begin(iter(()))
        behind = card.behind or card.facts or card.blocks or card.findings or card.elsewhere
        self.toggle.setVisible(bool(behind))
        self.setVisible(bool(behind) and self.toggle.isChecked())
        if not self.isHidden():
            yield from self._fill(card)

    def _open(self, shown: bool) -> None:
        self.toggle.display(
            tr("Hide the &evidence") if shown else tr("Show the &evidence"),
            "chevron-down" if shown else "chevron-right",
            "quiet",
        )
        self.setVisible(shown)
        if shown and self._card is not None:
            self._turns.begin(self._fill(self._card))

    def _fill(self, card: EvidenceCard) -> Iterator[object]:
        yield from self.rows.display(card.behind)
        yield from self.facts.display(card.facts)
        self.applied.setVisible(bool(card.blocks))
        yield from self._applies.display(card.blocks, CopyBlock.display)
        yield from self.findings.display(card.findings, card.elsewhere)

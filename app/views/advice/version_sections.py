"""What another version changes, on a card under each title."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QGridLayout, QVBoxLayout, QWidget

from advisor.report.lens_words import ADVICE, DEFAULTS, ChangeRow
from app.runtime.time_slices import TimeSlices
from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.widgets.labels import IconLabel, breakable, label
from app.views.widgets.layouts import bullet, column
from app.views.widgets.reused_widgets import ReusedWidgets

Section = tuple[str, Sequence[ChangeRow]]
TOP = Qt.AlignmentFlag.AlignTop

BESIDE_FROM = 900
"""From this width on what is advised stands beside the defaults, which are short, not below."""


class VersionSections(QWidget):
    """Shows warnings and sections in the event loop's turns: there may be a hundred rows."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self.setObjectName("pageBody")
        self._turns = TimeSlices(self)
        warnings, sections = column(space=tokens.SPACE_M), column(space=tokens.SPACE_M)
        self._warnings = ReusedWidgets(warnings, lambda: _Warning(appearance))
        self._sections = ReusedWidgets(sections, _Card)
        self.defaults, self.advice = _Card(), _Card()
        self._pair = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        self._pair.setSpacing(tokens.SPACE_M)
        for card, share in ((self.defaults, 2), (self.advice, 3)):
            card.hide()
            self._pair.addWidget(card, share, TOP)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, tokens.SPACE_M, 0)
        layout.setSpacing(tokens.SPACE_M)
        layout.addLayout(warnings)
        layout.addLayout(sections)
        layout.addLayout(self._pair)
        layout.addStretch(1)

    def show_sections(self, warnings: Sequence[str], sections: Sequence[Section]) -> None:
        """Show these, the gravest first."""
        self._turns.begin(self._tell(warnings, sections))

    def _tell(self, warnings: Sequence[str], sections: Sequence[Section]) -> Iterator[None]:
        yield from self._warnings.display(warnings, _Warning.display)
        lines = [each for each in sections if each[0] not in (DEFAULTS, ADVICE)]
        cards: list[_Card] = []
        yield from self._sections.display(lines, lambda card, _section: cards.append(card))
        for card, section in zip(cards, lines, strict=True):
            yield from card.display(section)
        changes = dict(sections)
        for card, title in ((self.defaults, DEFAULTS), (self.advice, ADVICE)):
            card.setVisible(title in changes)
            yield from card.display((title, changes.get(title, ())))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put what is advised beside the defaults where there is room for both."""
        super().resizeEvent(event)
        way = QBoxLayout.Direction
        self._pair.setDirection(way.LeftToRight if self.width() >= BESIDE_FROM else way.TopToBottom)


class _Warning(QWidget):
    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self.text = label("", wrap=True, select=True)
        self.setLayout(bullet(IconLabel(appearance, "triangle-alert", "warn"), self.text))

    def display(self, sentence: str) -> None:
        self.text.setText(sentence)


class _Card(QWidget):
    def __init__(self) -> None:
        super().__init__()
        self._title = label("", "group")
        frame = QFrame()
        frame.setProperty("role", "card")
        lines = QVBoxLayout(frame)
        lines.setContentsMargins(tokens.SPACE_M, tokens.SPACE_S, tokens.SPACE_M, tokens.SPACE_S)
        lines.setSpacing(tokens.SPACE_S)
        self._pool = ReusedWidgets(lines, _Line)
        self.setLayout(column(self._title, frame, space=tokens.SPACE_M))

    def display(self, section: Section) -> Iterator[None]:
        title, changes = section
        self._title.setText(f"{title}  {len(changes)}")
        yield from self._pool.display(changes, _Line.display)


class _Line(QWidget):
    """What changes in a column, and what becomes of it beside it."""

    def __init__(self) -> None:
        super().__init__()
        self.what, self.text = (label("", wrap=True, select=True) for _ in range(2))
        self._note = label("", "small", wrap=True, select=True)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(tokens.SPACE_L)
        for side in (0, 1):
            grid.setColumnStretch(side, 1)
        grid.addWidget(self.what, 0, 0, TOP)
        beside = column(self.text, self._note, space=1)
        beside.addStretch(1)
        grid.addLayout(beside, 0, 1)

    def display(self, change: ChangeRow) -> None:
        self.what.setText(breakable(change.what))
        self.text.setText(change.text)
        self._note.setText(change.note)
        self._note.setVisible(bool(change.note))

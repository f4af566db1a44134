"""What another version changes, on a card under each title."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QVBoxLayout, QWidget

from advisor.report.lens_words import Told
from app.runtime.time_slices import TimeSlices
from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.widgets.labels import IconLabel, label
from app.views.widgets.layouts import bullet, column
from app.views.widgets.reused_widgets import ReusedWidgets

Section = tuple[str, Sequence[Told]]
TOP = Qt.AlignmentFlag.AlignTop


class VersionSections(QWidget):
    """Tells warnings and sections in the event loop's turns: there may be a hundred rows."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self.setObjectName("pageBody")
        self._turns = TimeSlices(self)
        warnings, sections = column(space=tokens.SPACE_M), column(space=tokens.SPACE_M)
        self._warnings = ReusedWidgets(warnings, lambda: _Warning(appearance))
        self._sections = ReusedWidgets(sections, _Card)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, tokens.SPACE_M, 0)
        layout.setSpacing(tokens.SPACE_M)
        layout.addLayout(warnings)
        layout.addLayout(sections)
        layout.addStretch(1)

    def show_sections(self, warnings: Sequence[str], sections: Sequence[Section]) -> None:
        """Show these, the gravest first."""
        self._turns.begin(self._tell(warnings, sections))

    def _tell(self, warnings: Sequence[str], sections: Sequence[Section]) -> Iterator[None]:
        yield from self._warnings.display(warnings, _Warning.display)
        cards: list[_Card] = []
        yield from self._sections.display(sections, lambda card, _section: cards.append(card))
        for card, section in zip(cards, sections, strict=True):
            yield from card.display(section)


class _Warning(QWidget):
    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._text = label("", wrap=True, select=True)
        self.setLayout(bullet(IconLabel(appearance, "triangle-alert", "warn"), self._text))

    def display(self, sentence: str) -> None:
        self._text.setText(sentence)


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
        title, told = section
        self._title.setText(f"{title}  {len(told)}")
        yield from self._pool.display(told, _Line.display)


class _Line(QWidget):
    """What changes in a column, and what becomes of it beside it."""

    def __init__(self) -> None:
        super().__init__()
        self._what, self._text = (label("", wrap=True, select=True) for _ in range(2))
        self._note = label("", "small", wrap=True, select=True)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(tokens.SPACE_L)
        for side in (0, 1):
            grid.setColumnStretch(side, 1)
        grid.addWidget(self._what, 0, 0, TOP)
        grid.addLayout(column(self._text, self._note, space=1), 0, 1, TOP)

    def display(self, told: Told) -> None:
        self._what.setText(told.what)
        self._text.setText(told.text)
        self._note.setText(told.note)
        self._note.setVisible(bool(told.note))

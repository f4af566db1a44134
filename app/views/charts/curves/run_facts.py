"""Under which conditions a run was made, and what came up."""

from __future__ import annotations

from datetime import datetime

from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from app.controllers.run import Run
from app.presenters.charts.conditions import rows
from app.presenters.frame.quality import together
from app.runtime.translation import tr
from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.widgets.buttons import Fold
from app.views.widgets.labels import IconLabel, label
from app.views.widgets.layouts import bullet, clear, column, row


class RunConditions(QWidget):
    """What the points of a run say together; nothing is seen where they say nothing."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self._sentences: tuple[str, ...] = ()
        self._found = QVBoxLayout()
        self._found.setContentsMargins(0, 0, 0, 0)
        self._found.setSpacing(6)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, tokens.SPACE_S)
        layout.setSpacing(tokens.SPACE_S)
        layout.addWidget(label(tr("What the points say together"), "heading"))
        layout.addLayout(self._found)
        self.hide()

    def show_run(self, run: Run) -> None:
        """List what was found out."""
        sentences = tuple(together(run))
        if sentences == self._sentences:
            return
        self._sentences = sentences
        clear(self._found)
        for sentence in sentences:
            picture = IconLabel(self._appearance, "lightbulb", "accent")
            self._found.addLayout(bullet(picture, label(sentence, wrap=True, select=True)))
        self.setVisible(bool(sentences))


class RunFacts(QWidget):
    """The run's notes; labelled conditions on demand."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self._warnings: tuple[str, ...] | None = None
        self.texts: dict[str, QLabel] = {}
        conditions = QWidget()
        self._lines = column(space=6)
        conditions.setLayout(self._lines)
        self.fold = Fold(appearance, conditions, tr("Conditions"))
        self._notes = column(space=6)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, tokens.SPACE_S, 0, 0)
        layout.setSpacing(tokens.SPACE_S)
        layout.addLayout(self._notes)
        layout.addWidget(self.fold)

    def show_run(self, run: Run) -> None:
        """List what is known now; what is there already gets its new text alone."""
        warnings = tuple(run.warnings)
        facts = rows(run, datetime.now().astimezone())
        captions = [caption for caption, _ in facts]
        if captions != list(self.texts) or warnings != self._warnings:
            self._warnings = warnings
            self._rebuild(captions, run)
        for caption, text in facts:
            if self.texts[caption].text() != text:
                self.texts[caption].setText(text)

    def _rebuild(self, captions: list[str], run: Run) -> None:
        clear(self._lines)
        clear(self._notes)
        self.texts = {}
        for caption in captions:
            name = label(caption, "small")
            name.setFixedWidth(84)
            self.texts[caption] = label("", "", wrap=True, select=True)
            line = row(name, self.texts[caption])
            line.setStretch(1, 1)
            self._lines.addLayout(line)
        for warning in run.warnings:
            picture = IconLabel(self._appearance, "triangle-alert", "warn")
            self._notes.addLayout(bullet(picture, label(warning, wrap=True, select=True)))

"""What the maker of a report says beside advice: words, who carries a change out, until when."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QDialog,
    QLineEdit,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from advisor.report.document.cover import OwnWords
from app.runtime.translation import tr
from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.widgets.buttons import Button
from app.views.widgets.growing import FieldArea
from app.views.widgets.labels import breakable, label
from app.views.widgets.layouts import form, row

WIDTH, HEIGHT, WORDS_HEIGHT = 620, 560, 56


class AdviceWordsDialog(QDialog):
    """Three fields for each piece of advice; ``own`` is what stands in them."""

    def __init__(
        self,
        appearance: Appearance,
        advice: Sequence[tuple[str, str]],
        known: Sequence[OwnWords],
        parent: QWidget,
    ) -> None:
        """``advice`` are rules with what they ask for."""
        super().__init__(parent)
        appearance.dress(self)
        self.setWindowTitle(tr("Your words on the advice"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        by_rule = {each.rule: each for each in known}
        self._elsewhere = [each for each in known if each.rule not in dict(advice)]
        self.fields: dict[str, tuple[QPlainTextEdit, QLineEdit, QLineEdit]] = {}
        rows = QVBoxLayout()
        rows.setSpacing(tokens.SPACE_M)
        for rule, title in advice:
            found = by_rule.get(rule, OwnWords(rule))
            words = QPlainTextEdit(found.words)
            words.setFixedHeight(WORDS_HEIGHT)
            words.setTabChangesFocus(True)
            who, until = QLineEdit(found.who), QLineEdit(found.until)
            who.setPlaceholderText(tr("as proposed"))
            until.setPlaceholderText(tr("as proposed"))
            self.fields[rule] = (words, who, until)
            rows.addWidget(label(breakable(title), "heading", wrap=True))
            rows.addLayout(form((tr("Words"), words), (tr("Who"), who), (tr("Until"), until)))
        area = FieldArea(rows, tr("Words on advice"))
        self.cancel = Button(appearance, tr("Cancel"))
        self.cancel.clicked.connect(self.reject)
        self.use = Button(appearance, tr("Use"), "", "primary")
        self.use.setDefault(True)
        self.use.clicked.connect(self.accept)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*(tokens.SPACE_XL,) * 4)
        layout.addWidget(area, 1)
        layout.addLayout(row(None, self.cancel, self.use))
        self.resize(WIDTH, min(HEIGHT, parent.height()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape keeps what was typed, as the report's own dialog does; *Cancel* drops it."""
        if event.key() == Qt.Key.Key_Escape:
            self.accept()
            return
        super().keyPressEvent(event)

    @property
    def own(self) -> tuple[OwnWords, ...]:
        """What was typed, without what is empty; words on other servers' advice stay."""
        typed = (
            OwnWords(rule, words.toPlainText().strip(), who.text().strip(), until.text().strip())
            for rule, (words, who, until) in self.fields.items()
        )
        return (*(each for each in typed if each != OwnWords(each.rule)), *self._elsewhere)


def read_own(kept: str) -> tuple[OwnWords, ...]:
    """Words as they were kept; none where they can't be read."""
    try:
        return tuple(OwnWords(**each) for each in json.loads(kept or "[]"))
    except (ValueError, TypeError):
        return ()


def written_own(own: Sequence[OwnWords]) -> str:
    """Words as a text to be kept; "" for none."""
    return json.dumps([asdict(each) for each in own]) if own else ""

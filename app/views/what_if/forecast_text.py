"""What limits and what comes behind it; below it, on demand, what else is known of the forecast."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from app.runtime.translation import tr
from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.widgets.buttons import Button
from app.views.widgets.labels import Prose
from app.views.widgets.layouts import column, row


class ForecastText(QWidget):
    """The answer in sentences, and a list that opens."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._caption = ""
        self.answer = Prose("")
        self.more = Button(appearance, "", "chevron-right", "quiet")
        self.more.setCheckable(True)
        self.about = Prose("quiet")
        self.about.hide()
        self.more.toggled.connect(self._fold)
        layout = column(self.answer, space=tokens.SPACE_XS)
        layout.addLayout(row(self.more, None))
        layout.addWidget(self.about)
        self.setLayout(layout)

    def display(self, answer: str, about: Sequence[str]) -> None:
        """Say this; ``about`` are sentences of their own."""
        self.answer.display(answer)
        self.about.display("\n".join(f"• {each}" for each in about))
        self._caption = tr("Notes ({n})", n=len(about))
        self.more.setVisible(bool(about))
        self._fold()

    def _fold(self) -> None:
        opened = self.more.isChecked()
        self.more.display(self._caption, f"chevron-{'down' if opened else 'right'}", "quiet")
        self.about.setVisible(opened and not self.more.isHidden())

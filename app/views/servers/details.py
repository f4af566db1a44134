"""What is said of the chosen server: its limit, its risks, what to change, what differs."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from advisor.fleet.server_row import ServerRow
from app.presenters.servers.details import sections
from app.presenters.servers.table import title_of_server
from app.runtime.translation import tr
from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.widgets.buttons import Button
from app.views.widgets.labels import IconLabel, label
from app.views.widgets.layouts import bullet, clear, row, scrolled

_ICONS = {
    "bad": "shield-alert",
    "accent": "sliders-horizontal",
    "good": "circle-check",
    "warn": "scale",
}


class ServerDetails(QFrame):
    """Signals: ``open_wanted()`` and ``report_wanted()`` of the server that is shown."""

    open_wanted = Signal()
    report_wanted = Signal()

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self._shown: tuple[ServerRow, tuple[ServerRow, ...]] | None = None
        self.setProperty("role", "card")
        self.title = label("", "heading", select=True)
        self.limited = label("", wrap=True, select=True)
        self.open = Button(appearance, tr("Open"), "arrow-right")
        self.open.clicked.connect(self.open_wanted)
        self.report = Button(appearance, tr("Report…"), "book-open")
        self.report.clicked.connect(self.report_wanted)
        body = QWidget()
        body.setObjectName("pageBody")
        self._body = QVBoxLayout(body)
        self._body.setContentsMargins(0, 0, tokens.SPACE_S, 0)
        self._body.setSpacing(tokens.SPACE_S)
        area = scrolled(body, tr("The chosen server"))
        area.setFrameShape(QFrame.Shape.NoFrame)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(tokens.SPACE_L, tokens.SPACE_M, tokens.SPACE_M, tokens.SPACE_M)
        layout.setSpacing(tokens.SPACE_S)
        layout.addLayout(row(self.title, None, self.report, self.open))
        layout.addWidget(area, 1)

    def show_server(self, chosen: ServerRow, rows: Sequence[ServerRow]) -> None:
        """Say what is known of one of ``rows``."""
        if self._shown == (chosen, tuple(rows)):
            return
        self._shown = (chosen, tuple(rows))
        self.title.setText(title_of_server(chosen.target))
        clear(self._body)
        self.limited = label(chosen.limited, wrap=True, select=True)
        self._body.addWidget(self.limited)
        for title, tone, lines in sections(chosen, rows):
            self._body.addLayout(
                bullet(IconLabel(self._appearance, _ICONS[tone], tone), label(title, "heading"))
            )
            self._body.addWidget(label("\n".join(lines), wrap=True, select=True))
        self._body.addStretch(1)

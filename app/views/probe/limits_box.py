"""What a run may cost: the guard of a live server, and the budget."""

from __future__ import annotations

from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from app.fields.probe import LIMITS, WISHES, shown_in
from app.presenters.probe.usual_limits import USUAL, usual_limit
from app.runtime.preferences import Preferences
from app.runtime.translation import tr
from app.theme import tokens
from app.views.widgets.fields import Fields
from app.views.widgets.labels import label
from app.views.widgets.layouts import row

GUARD_NOTE = (
    "Ten primary-key reads a second watch the live server. Where they slow down by more than this, "
    "the run stops within a second."
)
NO_SERVER_NOTE = "No live server is known on this target, so there is nothing to guard."
ADDED_WIDTH = 72


class LimitsBox(QWidget):
    """The guard with its limit, and below it the parts of a budget, two in a row."""

    def __init__(self, fields: Fields) -> None:
        super().__init__()
        self._fields = fields
        self._guarded = fields.switches["guarded"]
        self._added_ms = fields.lines["added_ms"]
        self._most_written = fields.lines["most_written"]
        self._added_ms.setFixedWidth(ADDED_WIDTH)
        self._note = label(GUARD_NOTE, "small", wrap=True)
        budget = QGridLayout()
        budget.setContentsMargins(0, 0, 0, 0)
        budget.setHorizontalSpacing(tokens.SPACE_M)
        budget.setVerticalSpacing(tokens.SPACE_XS)
        for at, name in enumerate(shown_in(LIMITS)):
            caption = label(WISHES[name].caption, "small")
            caption.setBuddy(fields.lines[name])
            budget.addWidget(caption, 2 * (at // 2), at % 2)
            budget.addWidget(fields.lines[name], 2 * (at // 2) + 1, at % 2)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(tokens.SPACE_S)
        layout.addWidget(label(tr("Limits"), "heading"))
        layout.addWidget(self._guarded)
        line = row(self._added_ms, label(WISHES["added_ms"].caption), None)
        line.setContentsMargins(tokens.SPACE_XL, 0, 0, 0)
        layout.addLayout(line)
        layout.addWidget(self._note)
        layout.addSpacing(tokens.SPACE_XS)
        layout.addLayout(budget)

    def begin(self, preferences: Preferences) -> None:
        """Have the limits of the settings."""
        for name in USUAL:
            self._fields.lines[name].setText(usual_limit(preferences, name))

    def know_server(self, known: bool) -> None:
        """Offer the guard where there is something to guard."""
        self._note.setText(GUARD_NOTE if known else NO_SERVER_NOTE)
        self._guarded.setEnabled(known)
        self._added_ms.setEnabled(known and self._guarded.isChecked())

    def warn_of_wear(self, steady: bool) -> None:
        """A steady write writes as much as the budget lets it."""
        usual = WISHES["most_written"].hint
        self._most_written.setPlaceholderText(tr("set a budget") if steady else usual)

"""What a run may cost: the guard of a live server, and the budget."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QGridLayout, QLineEdit, QVBoxLayout, QWidget

from app.presenters.probe_form import GUARD_MS
from app.runtime.translation import tr
from app.theme import tokens
from app.views.widgets.labels import label
from app.views.widgets.layouts import row

GUARD_NOTE = (
    "Ten primary-key reads a second watch the live server. Where they slow down by more than this, "
    "the run stops within a second."
)
NO_SERVER_NOTE = "No live server is known on this target, so there is nothing to guard."


class LimitsBox(QWidget):
    """Signals: ``changed()`` when the user changed something."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.guarded = QCheckBox(tr("&Guard the live server"))
        self.guarded.setChecked(True)
        self.guarded.clicked.connect(self._switched)
        self.added_ms = QLineEdit(f"{GUARD_MS:g}")
        self.added_ms.setFixedWidth(72)
        self.added_ms.setAccessibleName(tr("Highest added latency in milliseconds"))
        self.added_ms.textEdited.connect(self.changed)
        self._unit = label(tr("ms slower at most"))
        self._note = label(GUARD_NOTE, "small", wrap=True)
        self.most_time = self._field(tr("Longest time"), tr("no limit"))
        self.most_written = self._field(tr("Most written"), tr("no limit"))
        self.most_read = self._field(tr("Most read"), tr("no limit"))
        self.most_wear = self._field(tr("Most wear in percent"), tr("no limit"))
        self.most_wear.setToolTip(
            tr(
                "The share of the drive's rated endurance that may be written, where the rating is "
                "known."
            )
        )
        budget = QGridLayout()
        budget.setContentsMargins(0, 0, 0, 0)
        budget.setHorizontalSpacing(tokens.SPACE_M)
        budget.setVerticalSpacing(tokens.SPACE_XS)
        for at, (text, field) in enumerate(
            (
                (tr("Longest &time"), self.most_time),
                (tr("Most &written"), self.most_written),
                (tr("Most rea&d"), self.most_read),
                (tr("Most w&ear, %"), self.most_wear),
            )
        ):
            caption = label(text, "small")
            caption.setBuddy(field)
            budget.addWidget(caption, 2 * (at // 2), at % 2)
            budget.addWidget(field, 2 * (at // 2) + 1, at % 2)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(tokens.SPACE_S)
        layout.addWidget(label(tr("Limits"), "heading"))
        layout.addWidget(self.guarded)
        line = row(self.added_ms, self._unit, None)
        line.setContentsMargins(tokens.SPACE_XL, 0, 0, 0)
        layout.addLayout(line)
        layout.addWidget(self._note)
        layout.addSpacing(tokens.SPACE_XS)
        layout.addLayout(budget)

    def _field(self, name: str, hint: str) -> QLineEdit:
        field = QLineEdit()
        field.setPlaceholderText(hint)
        field.setAccessibleName(name)
        field.textEdited.connect(self.changed)
        return field

    def know_server(self, known: bool) -> None:
        """Offer the guard where there is something to guard."""
        self._note.setText(GUARD_NOTE if known else NO_SERVER_NOTE)
        self.guarded.setEnabled(known)
        self.added_ms.setEnabled(known and self.guarded.isChecked())

    def warn_of_wear(self, steady: bool) -> None:
        """A steady write writes as much as the budget lets it."""
        self.most_written.setPlaceholderText(tr("set a budget") if steady else tr("no limit"))

    def _switched(self) -> None:
        self.added_ms.setEnabled(self.guarded.isChecked())
        self.changed.emit()

"""What shall be measured: the whole check, or chosen probes."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QVBoxLayout, QWidget

from app.presenters.probe.kinds import KINDS
from app.runtime.translation import tr
from app.theme import tokens
from app.views.widgets.buttons import Segments
from app.views.widgets.labels import label
from probes.kinds.kind import CHECK_KINDS, Kind

CHECK, CHOSEN = "check", "probes"
ABOUT = {
    CHECK: "All that the advice needs: storage, redo log, page flushing and primary-key lookups.",
    CHOSEN: "Only what is chosen, without a watch first.",
}


class KindsBox(QWidget):
    """Signals: ``changed()`` when the user chose."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.mode = Segments(((CHECK, tr("Whole &check")), (CHOSEN, tr("C&hosen probes"))))
        self.mode.setAccessibleName(tr("What to measure"))
        self.mode.picked.connect(self._mode_picked)
        self._about = label("", "small", wrap=True)
        self.boxes: dict[Kind, QCheckBox] = {}
        self._list = QWidget()
        below = QVBoxLayout(self._list)
        below.setContentsMargins(0, tokens.SPACE_XS, 0, 0)
        below.setSpacing(0)
        for kind, (title, about) in KINDS.items():
            box = QCheckBox(title)
            box.setChecked(kind in CHECK_KINDS)
            box.setToolTip(KINDS[kind][1])
            box.clicked.connect(self.changed)
            note = label(about, "small", wrap=True)
            note.setContentsMargins(tokens.SPACE_XL, 0, 0, tokens.SPACE_S)
            below.addWidget(box)
            below.addWidget(note)
            self.boxes[kind] = box
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(tokens.SPACE_S)
        layout.addWidget(label(tr("Measure"), "heading"))
        layout.addWidget(self.mode)
        layout.addWidget(self._about)
        layout.addWidget(self._list)
        self._show()

    @property
    def whole(self) -> bool:
        """Whether a check is wanted."""
        return self.mode.key == CHECK

    @property
    def kinds(self) -> frozenset[Kind]:
        """The ticked kinds that can be measured here."""
        return frozenset(
            kind for kind, box in self.boxes.items() if box.isChecked() and box.isEnabled()
        )

    def choose(self, *, whole: bool, kinds: frozenset[Kind]) -> None:
        """Show a choice without a signal."""
        self.mode.pick(CHECK if whole else CHOSEN)
        for kind, box in self.boxes.items():
            box.setChecked(kind in kinds)
        self._show()

    def reach_drive(self, possible: bool) -> None:
        """Offer the probes of the drive, or the server's alone."""
        for kind, box in self.boxes.items():
            box.setEnabled(possible or kind is Kind.MYSQL)

    def _mode_picked(self, _key: str) -> None:
        self._show()
        self.changed.emit()

    def _show(self) -> None:
        self._about.setText(ABOUT[self.mode.key])
        self._list.setVisible(not self.whole)

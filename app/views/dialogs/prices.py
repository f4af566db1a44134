"""What drives cost, in any one unit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QGridLayout, QLineEdit, QVBoxLayout, QWidget

from advisor.amounts import money
from app.runtime.translation import tr
from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.widgets.buttons import Button
from app.views.widgets.callout import Callout
from app.views.widgets.labels import breakable, label
from app.views.widgets.layouts import row
from probes.errors import UsageError

WIDTH, FIELD_WIDTH = 520, 110
UNIT = "To buy, or a month: all in one currency."


class PriceFields(QWidget):
    """A field for each drive; ``drives`` are keys with names."""

    def __init__(self, drives: Sequence[tuple[str, str]], known: Mapping[str, float]) -> None:
        super().__init__()
        self.fields: dict[str, QLineEdit] = {}
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setColumnStretch(0, 1)
        for at, (key, name) in enumerate(drives):
            field = QLineEdit(f"{known[key]:.12g}" if key in known else "")
            field.setAccessibleName(tr("Price of {drive}", drive=name))
            field.setFixedWidth(FIELD_WIDTH)
            self.fields[key] = field
            grid.addWidget(label(breakable(name), wrap=True), at, 0)
            grid.addWidget(field, at, 1)

    def read(self) -> dict[str, float]:
        """Prices by the drives' keys, without those that are empty; raises UsageError."""
        typed = {key: field.text().strip() for key, field in self.fields.items()}
        return {key: money(text) for key, text in typed.items() if text}


class PricesDialog(QDialog):
    """Signals: ``priced(dict)``: prices by the drives' keys, when they shall be used."""

    priced = Signal(object)

    def __init__(
        self,
        appearance: Appearance,
        drives: Sequence[tuple[str, str]],
        known: Mapping[str, float],
        parent: QWidget,
    ) -> None:
        """``drives`` are keys with names."""
        super().__init__(parent)
        appearance.dress(self)
        self.setWindowTitle(tr("Prices"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setFixedWidth(WIDTH)
        self._prices = PriceFields(drives, known)
        self.fields = self._prices.fields
        self.callout = Callout(appearance)
        cancel, self.use = (
            Button(appearance, tr("Cancel")),
            Button(appearance, tr("Save"), "", "primary"),
        )
        cancel.clicked.connect(self.reject)
        self.use.setDefault(True)
        self.use.clicked.connect(self._use)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*(tokens.SPACE_XL,) * 4)
        layout.setSpacing(tokens.SPACE_M)
        layout.addWidget(label(tr(UNIT), "small", wrap=True))
        layout.addWidget(self._prices)
        layout.addWidget(self.callout)
        layout.addLayout(row(None, cancel, self.use))
        next(iter(self.fields.values())).setFocus()

    def _use(self) -> None:
        try:
            found = self._prices.read()
        except UsageError as error:
            self.callout.tell_error(error)
            return
        self.priced.emit(found)
        self.accept()

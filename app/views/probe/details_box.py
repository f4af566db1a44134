"""The finer settings of a run, shut until somebody wants them."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QFormLayout,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from app.presenters.probe_form import BLOCK_SIZES, CROSS_ENGINES, ENGINES, PRIORITIES, PROTOCOLS
from app.runtime.translation import tr
from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.widgets.buttons import Button
from app.views.widgets.labels import label
from app.views.widgets.layouts import row
from app.views.widgets.turned import DropDown


class DetailsBox(QWidget):
    """Signals: ``changed()`` when the user changed something."""

    changed = Signal()

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self.toggle = Button(appearance, tr("More settings"), "chevron-right", "quiet")
        self.toggle.setCheckable(True)
        self.toggle.toggled.connect(self._open)
        self.sizes = {value: QCheckBox(f"{value // 1024}") for value in BLOCK_SIZES}
        self.protocols = {key: QCheckBox(text) for key, text in PROTOCOLS}
        self.protocols["prepared"].setChecked(True)
        self.threads = _line(tr("chosen by the plan"), tr("Threads, committers or connections"))
        self.every_level = QCheckBox(tr("Measure every level"))
        self.within = _line(tr("as the plan has it"), tr("Wanted interval in percent"))
        self.engine = _list(ENGINES, tr("Engine"))
        self.cross_engine = _list(CROSS_ENGINES, tr("Cross-check"))
        self.io_priority = _list(PRIORITIES, tr("I/O priority"))
        self.table = _line(tr("the largest that fits"), tr("Table for lookups"))
        self._body = QWidget()
        self._fill(QFormLayout(self._body))
        self._body.hide()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(tokens.SPACE_S)
        layout.addLayout(row(self.toggle, None))
        layout.addWidget(self._body)
        for box in (*self.sizes.values(), *self.protocols.values(), self.every_level):
            box.clicked.connect(self.changed)
        for line in (self.threads, self.within, self.table):
            line.textEdited.connect(self.changed)
        for choices in (self.engine, self.cross_engine, self.io_priority):
            choices.activated.connect(self.changed)

    def _fill(self, form: QFormLayout) -> None:
        form.setContentsMargins(0, 0, 0, 0)
        form.setHorizontalSpacing(tokens.SPACE_M)
        form.setVerticalSpacing(tokens.SPACE_S)
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        sizes, protocols = QWidget(), QWidget()
        sizes.setLayout(row(*self.sizes.values(), label("KiB", "small"), None))
        protocols.setLayout(row(*self.protocols.values(), None))
        for text, field in (
            (tr("Block sizes"), sizes),
            (tr("Threads"), self.threads),
            ("", self.every_level),
            (tr("Interval, ± %"), self.within),
            (tr("Lookups by"), protocols),
            (tr("Table"), self.table),
            (tr("Engine"), self.engine),
            (tr("Cross-check"), self.cross_engine),
            (tr("I/O priority"), self.io_priority),
        ):
            caption = label(text, "small")
            caption.setMinimumHeight(field.sizeHint().height())
            form.addRow(caption, field)

    @property
    def block_sizes(self) -> frozenset[int]:
        """The ticked sizes; none leaves the choice to the plan."""
        return frozenset(value for value, box in self.sizes.items() if box.isChecked())

    @property
    def chosen_protocols(self) -> frozenset[str]:
        """The ticked protocols."""
        return frozenset(key for key, box in self.protocols.items() if box.isChecked())

    def _open(self, shown: bool) -> None:
        self._body.setVisible(shown)
        self.toggle.display(
            tr("More settings"), "chevron-down" if shown else "chevron-right", "quiet"
        )


def _line(hint: str, name: str) -> QLineEdit:
    line = QLineEdit()
    line.setPlaceholderText(hint)
    line.setAccessibleName(name)
    return line


def _list(choices: tuple[tuple[str, str], ...], name: str) -> DropDown:
    made = DropDown()
    made.setAccessibleName(name)
    for key, text in choices:
        made.addItem(text, key)
    return made

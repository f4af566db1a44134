"""The widgets of what a form asks for, each made as it is declared, and their rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QFileDialog, QGridLayout, QHBoxLayout, QLineEdit, QWidget

from app.fields.field import Field, FieldShape, defaults_of, fields_of
from app.presenters.texts.typesetting import plain_tip
from app.runtime.translation import tr
from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.widgets.buttons import Button, Segments
from app.views.widgets.labels import label
from app.views.widgets.layouts import row
from app.views.widgets.turned import DropDown

CAPTION_WIDTH = 132
SHORT_WIDTH = 76
BUTTON_WIDTH = 42


class Fields(QObject):
    """Widgets by the names of what they ask for.

    Signals: ``changed()`` when the user changed one.
    """

    changed = Signal()

    def __init__(self, form: type, parent: QWidget) -> None:
        """``form`` declares them (``app/fields/``)."""
        super().__init__(parent)
        self.lines: dict[str, QLineEdit] = {}
        self.switches: dict[str, QCheckBox] = {}
        self.lists: dict[str, DropDown] = {}
        self.segments: dict[str, Segments] = {}
        self.ticks: dict[str, dict[str, QCheckBox]] = {}
        self.widgets: dict[str, QWidget] = {}
        for name, field in fields_of(form).items():
            if field.shape is not None:
                self.widgets[name] = self._made(name, field)
        self.fill(defaults_of(form))
        for name, line in self.lines.items():
            # Nobody has to write figure and unit in one word here.
            hint = fields_of(form)[name].hint
            if line.text() == hint.replace(" ", ""):
                line.setText(hint)

    def _made(self, name: str, field: Field) -> QWidget:
        widget: QWidget
        match field.shape:
            case FieldShape.SWITCH:
                widget = self.switches[name] = QCheckBox(field.caption)
                widget.clicked.connect(self.changed)
            case FieldShape.LIST:
                widget = self.lists[name] = DropDown()
                for key, text in field.choices:
                    widget.addItem(text, key)
                widget.activated.connect(self.changed)
            case FieldShape.SEGMENTS:
                widget = self.segments[name] = Segments(field.choices)
                widget.picked.connect(self.changed)
            case FieldShape.TICKS:
                boxes = self.ticks[name] = {key: QCheckBox(text) for key, text in field.choices}
                for box in boxes.values():
                    box.clicked.connect(self.changed)
                widget = QWidget()
                after = (label(field.hint, "small"),) if field.hint else ()
                widget.setLayout(row(*boxes.values(), *after, None))
            case _:
                widget = self.lines[name] = QLineEdit()
                widget.setPlaceholderText(field.hint)
                widget.textEdited.connect(self.changed)
        if field.shape not in (FieldShape.SWITCH, FieldShape.TICKS):
            widget.setAccessibleName(field.called or field.caption.replace("&", ""))
        if field.tip:
            widget.setToolTip(plain_tip(field.tip))
        return widget

    def values(self) -> dict[str, Any]:
        """What stands there by name: text, or whether a switch is on."""
        return {
            **{name: line.text() for name, line in self.lines.items()},
            **{name: box.isChecked() for name, box in self.switches.items()},
            **{name: str(each.currentData()) for name, each in self.lists.items()},
            **{name: each.key for name, each in self.segments.items()},
            **{
                name: ",".join(key for key, box in boxes.items() if box.isChecked())
                for name, boxes in self.ticks.items()
            },
        }

    def fill(self, values: Mapping[str, Any]) -> None:
        """Put such values there, without a signal of this."""
        for name, value in values.items():
            if name in self.lines:
                self.lines[name].setText(value if isinstance(value, str) else ", ".join(value))
            elif name in self.switches:
                self.switches[name].setChecked(value)
            elif name in self.lists:
                self.lists[name].setCurrentIndex(self.lists[name].findData(value))
            elif name in self.segments:
                self.segments[name].pick(value)
            for key, box in self.ticks.get(name, {}).items():
                box.setChecked(key in value.split(","))


class FieldRows(QGridLayout):
    """A form's rows, which come and go: a caption and a field, and what else is in their line."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self.setHorizontalSpacing(tokens.SPACE_M)
        self.setVerticalSpacing(tokens.SPACE_S)
        self.setColumnMinimumWidth(0, CAPTION_WIDTH)
        self.setColumnStretch(1, 1)
        self._rows: dict[str, tuple[QHBoxLayout, list[QWidget]]] = {}

    def put(self, name: str, text: str, field: QWidget, *, browse: bool = False) -> None:
        """Add a row; ``browse`` puts a button beside its line that finds a file."""
        at = self.rowCount()
        caption = label(text, "quiet")
        caption.setBuddy(field)
        line = row(field)
        widgets: list[QWidget] = [caption, field]
        if isinstance(field, Segments | Button):
            line.addStretch(1)
        if browse and isinstance(field, QLineEdit):
            button = Button(self._appearance, "", "folder-open", "", tr("Choose a file"))
            button.setFixedWidth(BUTTON_WIDTH)
            button.clicked.connect(lambda _checked=False, field=field: _browse(field))
            line.addWidget(button)
            widgets.append(button)
        self.addWidget(caption, at, 0, Qt.AlignmentFlag.AlignVCenter)
        self.addLayout(line, at, 1)
        self._rows[name] = (line, widgets)

    def __contains__(self, name: object) -> bool:
        """Whether there is a row that is called so."""
        return name in self._rows

    def put_beside(self, name: str, text: str, field: QWidget) -> None:
        """Add a short field to the row that was called so."""
        line, widgets = self._rows[name]
        field.setFixedWidth(SHORT_WIDTH)
        caption = label(text, "quiet")
        line.addSpacing(tokens.SPACE_XS)
        line.addWidget(caption)
        line.addWidget(field)
        widgets += [caption, field]

    def show_rows(self, shown: Mapping[str, bool]) -> None:
        """Show some, hide the others."""
        for name, (_, widgets) in self._rows.items():
            for widget in widgets:
                widget.setVisible(shown[name])


def _browse(field: QLineEdit) -> None:
    chosen, _ = QFileDialog.getOpenFileName(field.window(), tr("Choose a file"), field.text())
    if chosen:
        field.setText(chosen)

"""A form's rows: a caption, a field, and perhaps a second field or a button that finds a file."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QGridLayout, QLineEdit, QWidget

from app.runtime.translation import tr
from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.widgets.buttons import Button, Segments
from app.views.widgets.labels import label
from app.views.widgets.layouts import row

CAPTION_WIDTH = 132
SHORT_WIDTH = 76
BUTTON_WIDTH = 42


class CaptionedRows(QGridLayout):
    """Rows that come and go by their keys."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self.setHorizontalSpacing(tokens.SPACE_M)
        self.setVerticalSpacing(tokens.SPACE_S)
        self.setColumnMinimumWidth(0, CAPTION_WIDTH)
        self.setColumnStretch(1, 1)
        self._widgets: dict[str, list[QWidget]] = {}

    def put(
        self,
        key: str,
        text: str,
        field: QWidget,
        *,
        beside: tuple[str, QLineEdit] | None = None,
        browse: bool = False,
    ) -> None:
        """Add a row; ``beside`` is a short field's caption and the field."""
        at = self.rowCount()
        caption = label(text, "quiet")
        caption.setBuddy(field)
        widgets: list[QWidget] = [caption, field]
        line = row(field)
        if isinstance(field, Segments):
            line.addStretch(1)
        if beside is not None:
            second = label(beside[0], "quiet")
            beside[1].setFixedWidth(SHORT_WIDTH)
            line.addSpacing(tokens.SPACE_XS)
            line.addWidget(second)
            line.addWidget(beside[1])
            widgets += [second, beside[1]]
        if browse and isinstance(field, QLineEdit):
            button = Button(self._appearance, "", "folder-open", "", tr("Choose a file"))
            button.setFixedWidth(BUTTON_WIDTH)
            button.clicked.connect(lambda _checked=False, field=field: _browse(field))
            line.addWidget(button)
            widgets.append(button)
        self.addWidget(caption, at, 0, Qt.AlignmentFlag.AlignVCenter)
        self.addLayout(line, at, 1)
        self._widgets[key] = widgets

    def show_rows(self, shown: Mapping[str, bool]) -> None:
        """Show some, hide the others."""
        for key, widgets in self._widgets.items():
            for widget in widgets:
                widget.setVisible(shown[key])


def _browse(field: QLineEdit) -> None:
    chosen, _ = QFileDialog.getOpenFileName(field.window(), tr("Choose a file"), field.text())
    if chosen:
        field.setText(chosen)

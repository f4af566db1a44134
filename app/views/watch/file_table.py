"""The files that the server's time goes to, one a row, in the colours of their roles."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QIcon, QPixmap

from app.presenters.texts.typesetting import plain_tip
from app.presenters.watch.files import FILE_COLUMNS, FileRow
from app.runtime.translation import tr
from app.theme.appearance import Appearance
from app.views.watch.whole_table import ROW_HEIGHT, WholeTable

_SWATCH = 9


class FileTableView(WholeTable):
    """Shows all rows; each tip has the whole path."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__(FILE_COLUMNS, wide=0, words=2)
        self._appearance = appearance
        self._rows: tuple[FileRow, ...] = ()
        self.setAccessibleName(tr("Files that the time goes to"))
        self.setIconSize(QSize(_SWATCH, _SWATCH))
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        appearance.changed.connect(self._colour)

    @property
    def shown(self) -> tuple[FileRow, ...]:
        """What is listed."""
        return self._rows

    def show_rows(self, rows: tuple[FileRow, ...]) -> None:
        """List these rows."""
        if rows == self._rows:
            return
        self._rows = rows
        items = self.show_texts([each.texts for each in rows])
        for item, each in zip(items, rows, strict=True):
            item.setToolTip(0, plain_tip(each.path))
            item.setSizeHint(0, QSize(0, ROW_HEIGHT))
        self._colour()

    def _colour(self) -> None:
        for at, each in enumerate(self._rows):
            square = QPixmap(_SWATCH, _SWATCH)
            square.fill(QColor(self._appearance.palette.toned(each.tone)))
            item = self.topLevelItem(at)
            if item is not None:
                item.setIcon(0, QIcon(square))

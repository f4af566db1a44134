"""A curve's line and marker beside its name, in tables and lists."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QWidget

from app.presenters.charts.readout import SERIES_ROLE
from app.theme.appearance import Appearance
from app.theme.tokens import Palette
from app.views.charts.markers import swatch

SWATCH = QSize(26, 12)

Index = QModelIndex | QPersistentModelIndex


class SwatchDelegate(QStyledItemDelegate):
    """Puts a curve's line and marker between its check box and its name."""

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent)
        self._appearance, self._view = appearance, parent

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        """Give the first column its swatch."""
        super().initStyleOption(option, index)
        series = index.data(SERIES_ROLE)
        if series is not None and index.column() == 0:
            option.features |= QStyleOptionViewItem.ViewItemFeature.HasDecoration
            ratio = self._view.devicePixelRatioF()
            option.icon = QIcon(swatch_pixmap(series, self._appearance.palette, ratio))
            option.decorationSize = SWATCH


@lru_cache(maxsize=64)
def swatch_pixmap(series: int, palette: Palette, ratio: float) -> QPixmap:
    """A curve's line and marker."""
    image = QPixmap(SWATCH * ratio)
    image.setDevicePixelRatio(ratio)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    swatch(painter, QRectF(0, 0, SWATCH.width(), SWATCH.height()), series, palette)
    painter.end()
    return image

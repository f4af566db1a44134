"""Icons of the shipped set, tinted to the theme when they are drawn."""

from __future__ import annotations

import sys
from functools import lru_cache
from importlib.resources import files

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

STROKE_WIDTH = "1.75"
"""A little finer than the set's own 2, which looks heavy beside 13-pixel text."""

RATIOS = (1.0, 2.0)

DISABLED = 0.4
"""How much of an icon is left on a button that can't be pressed. Qt's own is grey, which a dark
ground makes stand out."""


@lru_cache(maxsize=128)
def _source(name: str) -> str:
    return files("resources").joinpath("icons", "lucide", f"{name}.svg").read_text("utf-8")


def svg(name: str, colour: str) -> str:
    """The icon's SVG text, its strokes in ``colour``; FileNotFoundError for an unknown name."""
    text = _source(name).replace("currentColor", colour)
    return text.replace('stroke-width="2"', f'stroke-width="{STROKE_WIDTH}"')


@lru_cache(maxsize=512)
def pixmap(name: str, colour: str, size: int = 16, ratio: float = 1.0) -> QPixmap:
    """The icon as a square pixmap of ``size`` device-independent pixels."""
    edge = round(size * ratio)
    image = QPixmap(edge, edge)
    image.fill(Qt.GlobalColor.transparent)
    renderer = QSvgRenderer(QByteArray(svg(name, colour).encode()))
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    renderer.render(painter, QRectF(0, 0, edge, edge))
    painter.end()
    image.setDevicePixelRatio(ratio)
    return image


def icon(
    name: str, colour: str, *, on: str | None = None, off: str | None = None, size: int = 16
) -> QIcon:
    """An icon in ``colour``; checked buttons show it in ``on``, those that are disabled in ``off``.

    Without ``off`` it fades into the ground.
    """
    made = QIcon()
    for ratio in RATIOS:
        enabled = pixmap(name, colour, size, ratio)
        made.addPixmap(enabled, QIcon.Mode.Normal, QIcon.State.Off)
        if on is not None:
            made.addPixmap(pixmap(name, on, size, ratio), QIcon.Mode.Normal, QIcon.State.On)
        disabled = _faded(enabled) if off is None else pixmap(name, off, size, ratio)
        made.addPixmap(disabled, QIcon.Mode.Disabled, QIcon.State.Off)
    return made


def _faded(image: QPixmap) -> QPixmap:
    faded = QPixmap(image.size())
    faded.setDevicePixelRatio(image.devicePixelRatio())
    faded.fill(Qt.GlobalColor.transparent)
    painter = QPainter(faded)
    painter.setOpacity(DISABLED)
    painter.drawPixmap(0, 0, image)
    painter.end()
    return faded


def application_icon() -> QIcon:
    """Leadline's own icon, in the sizes that are shown.

    The largest is a megabyte, and the dock of macOS alone shows it.
    """
    folder = files("resources").joinpath("icons")
    largest = ("leadline-512",) if sys.platform == "darwin" else ()
    made = QIcon()
    for name in ("leadline-64", "leadline-128", "leadline", *largest):
        image = QPixmap()
        # Without the name of its form, Qt loads all that it has for pictures, to ask each.
        image.loadFromData(folder.joinpath(f"{name}.png").read_bytes(), "PNG")
        made.addPixmap(image)
    return made

"""Saving a chart: PNG, SVG or its points as CSV."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice, QPoint, QRect, Signal
from PySide6.QtGui import QImage, QImageWriter, QPainter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QMenu, QWidget

from advisor.whole_file import replace_whole
from app.presenters.charts.curves import Picture
from app.presenters.charts.points_csv import csv_text
from app.runtime.save_file import ask_where
from app.runtime.translation import tr
from app.views.charts.chart_picture import ChartPicture
from app.views.charts.curves.curve_chart import CurveChart
from probes.errors import LeadlineError

PNG_SCALE = 2.0
"""Pixels of the file for each pixel on the screen: sharp in print too."""

KINDS = {
    "PNG picture": "png",
    "SVG picture": "svg",
    "CSV table": "csv",
}


class ExportFailed(LeadlineError):
    """The file could not be written."""


def save(chart: CurveChart, path: Path, caption: str = "") -> None:
    """Write the chart to ``path``; its ending (png, svg, csv) decides the format.

    ``caption`` is one line about target, time and conditions, for the pictures. Raises ExportFailed
    when the file can't be written or the ending is none of the three.
    """
    plate = ChartPicture(chart, chart.palette_shown, caption)
    makers: dict[str, Callable[[], bytes]] = {
        ".png": lambda: _png(plate),
        ".svg": lambda: _svg(plate),
        ".csv": lambda: _csv(chart),
    }
    make = makers.get(path.suffix.lower())
    if make is None:
        raise ExportFailed(
            tr("{name} is none of the known kinds of file.", name=path.name),
            tr("End its name in .png, .svg or .csv."),
        )
    try:
        replace_whole(path, make())
    except OSError as error:
        raise ExportFailed(
            tr("{path} can't be written: {reason}.", path=path, reason=error.strerror),
            tr("Choose another folder."),
        ) from error


def _png(plate: ChartPicture) -> bytes:
    image = QImage(plate.size * PNG_SCALE, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(PNG_SCALE)
    painter = QPainter(image)
    plate.paint(painter)
    painter.end()
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    if not QImageWriter(buffer, b"png").write(image):
        raise OSError(0, tr("the picture could not be saved"))
    return bytes(buffer.data().data())


def _svg(plate: ChartPicture) -> bytes:
    buffer = QBuffer()
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    generator.setSize(plate.size)
    generator.setViewBox(QRect(QPoint(0, 0), plate.size))
    generator.setTitle("Leadline")
    painter = QPainter(generator)
    plate.paint(painter)
    painter.end()
    return bytes(buffer.data().data())


def _csv(chart: CurveChart) -> bytes:
    picture = chart.picture
    text = csv_text(picture.points if picture is not None else ())
    return text.encode("utf-8", "replace")


class ExportMenu(QMenu):
    """Asks for a file name and saves the chart there, with what ``caption`` gives on pictures.

    Signals: ``saved(Path)``.
    """

    saved = Signal(Path)

    def __init__(
        self, chart: CurveChart, failed: Callable[[LeadlineError], None], parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._chart, self._failed = chart, failed
        self.caption: Callable[[], str] = str
        for title, ending in KINDS.items():
            action = self.addAction(tr("Save as {kind}…", kind=title))
            action.triggered.connect(lambda _checked=False, ending=ending: self.ask(ending))

    def ask(self, ending: str) -> None:
        """Let the user choose a file, then save."""
        picture = self._chart.picture
        if picture is None:
            return
        kind = next(title for title, known in KINDS.items() if known == ending)
        name = f"{_file_name(picture)}.{ending}"
        kinds = {kind: f".{ending}"}
        path = ask_where(self.parentWidget(), tr("Save the chart"), name, kinds)
        if path is None:
            return
        try:
            save(self._chart, path, self.caption())
        except ExportFailed as error:
            self._failed(error)
        else:
            self.saved.emit(path)


def _file_name(picture: Picture) -> str:
    return f"leadline-{picture.key.replace('_', '-')}"

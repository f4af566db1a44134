from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from app.views.charts.chart_picture import MARGIN
from app.views.charts.curves.curve_chart import CurveChart
from app.views.charts.export import ExportFailed, ExportMenu, save
from app.window.main_window import MainWindow
from tests.present import present


@pytest.fixture
def chart(qtbot: QtBot, done: MainWindow) -> CurveChart:
    chart = done.probe.measure.panel.chart
    qtbot.waitUntil(lambda: chart.picture is not None and len(chart.picture.points) == 33)
    return chart


def test_a_png_is_twice_as_sharp_as_the_screen_and_not_blank(
    chart: CurveChart, tmp_path: Path
) -> None:
    path = tmp_path / "reads.png"
    save(chart, path)
    image = QImage(str(path))
    assert image.width() == (chart.width() + 2 * MARGIN) * 2
    width, height = range(0, image.width(), 7), range(0, image.height(), 7)
    shades = Counter(image.pixelColor(x, y).name() for x in width for y in height)
    assert shades[chart.palette_shown.ground] > 0.7 * shades.total()
    assert set(chart.palette_shown.series[:3]) & set(shades)


def test_an_svg_holds_the_curves_and_the_words(chart: CurveChart, tmp_path: Path) -> None:
    path = tmp_path / "reads.svg"
    save(chart, path, "this computer, O_DIRECT")
    root = ElementTree.parse(path).getroot()
    tags = [element.tag.rpartition("}")[2] for element in root.iter()]
    assert root.tag.endswith("svg")
    assert tags.count("polyline") + tags.count("path") >= 6
    text = "".join(root.itertext())
    assert "Reads/s, 95 % interval" in text
    for words in ("64", "Random read", "16\u202fKiB", "this computer, O_DIRECT"):
        assert words in text


def test_a_csv_holds_every_point(chart: CurveChart, tmp_path: Path) -> None:
    path = tmp_path / "reads.CSV"
    save(chart, path)
    rows = list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))
    assert len(rows) == len(present(chart.picture).points)
    assert {row["probe"] for row in rows} == {"random_read"}


def test_what_cannot_be_written_is_said(chart: CurveChart, tmp_path: Path) -> None:
    with pytest.raises(ExportFailed, match="can't be written"):
        save(chart, tmp_path / "missing" / "a.png")
    with pytest.raises(ExportFailed, match="none of the known"):
        save(chart, tmp_path / "a.gif")


def test_the_menu_saves_where_the_user_says(
    chart: CurveChart, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    faults: list[object] = []
    menu = ExportMenu(chart, faults.append, chart)
    names = iter([str(tmp_path / "bare"), "", str(tmp_path / "no" / "where.csv")])
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (next(names), ""))
    for _ in range(3):
        menu.ask("csv")
    assert (tmp_path / "bare.csv").stat().st_size > 1000
    assert [type(fault) for fault in faults] == [ExportFailed]

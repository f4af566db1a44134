"""Drives under a server as curves: bands, borders, where the server is, and who is who."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from advisor.forecasts.under import under_server
from app.presenters.under_picture import under_picture
from app.theme.appearance import Appearance
from app.views.compare.under_chart import UnderChart
from tests.advisor.forecasts.test_under import QUICK, WIDE, drive, server


def test_curves_of_drives_have_bands_borders_and_where_the_server_is() -> None:
    unknown = drive("small", (1_000, 2_000, 3_000, 4_000, 5_000), block=4096)
    found = under_server(server(), [QUICK, unknown, WIDE], {})
    shown = under_picture(found)
    assert [(line.name, line.short, line.series) for line in shown.lines] == [
        ("A  quick", "A", 0),
        ("C  wide", "C", 2),
    ]
    assert shown.here == (5.0, "today: 32 connections", "today")
    for line in shown.lines:
        assert line.at in line.spots
        assert [x for x, _ in line.spots] == [float(power) for power in range(9)]
        for (x, y), (at, low, high) in zip(line.spots, line.band, strict=True):
            assert x == at
            assert low < y < high
    # Every stretch has its part of the picture, and the next one begins where it ends.
    first, unsure, last = shown.reaches
    assert [each.series for each in shown.reaches] == [0, None, 2]
    assert 2**unsure.first == pytest.approx(found.stretches[1].first)
    assert 2**last.first == pytest.approx(found.stretches[2].first)
    assert (first.first, first.last, unsure.last) == (0.0, unsure.first, last.first)
    assert last.last == math.log2(found.reach) == shown.marks[-1].x
    assert first.texts[0] == f"1 to {found.stretches[0].last}: A is the fastest"
    assert [each.texts[-1] for each in shown.reaches] == ["A", "?", "C"]
    told = shown.marks[-1].said.splitlines()
    assert told[0] == "256 connections"
    assert [line[0] for line in told[1:]] == ["C", "A"]


@pytest.mark.parametrize("number", [2, 5, 12])
@pytest.mark.parametrize("width", [345, 900])
def test_the_legend_of_drives_takes_few_rows(
    qtbot: QtBot, appearance: Appearance, number: int, width: int
) -> None:
    drives = [
        replace(QUICK, key=f"{at}", name=f"a drive of many letters {at}") for at in range(number)
    ]
    chart = UnderChart(appearance, "drives")
    qtbot.addWidget(chart)
    chart.show_picture(under_picture(under_server(server(), drives, {})))
    chart.resize(width, chart.minimumSizeHint().height())
    columns, rows = chart._shape()
    assert columns * rows > number
    assert rows <= 5
    assert chart._area().height() > 100
    assert not chart.grab().isNull()

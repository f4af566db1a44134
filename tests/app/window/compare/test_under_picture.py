"""Drives under a server as curves: bands, borders, where the server is, and who is who."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from advisor.forecasts.under import under_server
from app.presenters.compare.under_picture import under_picture, under_times_picture
from app.theme.appearance import Appearance
from app.views.compare.under_chart import UnderChart
from tests.advisor.forecasts.test_under import QUICK, WIDE, drive, server
from tests.present import present


def plain(text: str) -> str:
    return text.replace("\u202f", " ")


def test_curves_of_drives_have_bands_borders_and_where_the_server_is() -> None:
    unknown = drive("small", (1_000, 2_000, 3_000, 4_000, 5_000), block=4096)
    found = under_server(server(), [QUICK, unknown, WIDE], {})
    shown = under_picture(found)
    assert [(line.name, line.short, line.series) for line in shown.lines] == [
        ("A  quick", "A", 0),
        ("C  wide", "C", 2),
    ]
    here = present(shown.here)
    assert here.x == 5.0
    assert here.y == pytest.approx(20_000, rel=0.01)
    assert plain(here.texts[0]) == "today: 32 connections, 20.0 k/s"
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
    # Where both do as much both curves pass, between the borders.
    (crossing,) = found.crossings
    (level,) = shown.levels
    assert level.text == str(crossing.at)
    assert unsure.first < level.x == math.log2(crossing.at) <= unsure.last
    (part,) = ([at, at + 1] for at in range(8) if at <= level.x < at + 1)
    drawn = [np.interp(level.x, part, [dict(line.spots)[x] for x in part]) for line in shown.lines]
    assert min(drawn) < level.y < max(drawn) < 1.1 * min(drawn)
    told = shown.marks[-1].text.splitlines()
    assert told[0] == "256 connections"
    assert [line[0] for line in told[1:]] == ["C", "A"]


def test_times_have_the_p95_of_each_drive_with_its_band() -> None:
    found = under_server(server(), [QUICK, WIDE], {})
    shown = present(under_times_picture(found))
    for line, entrant in zip(shown.lines, found.entrants, strict=True):
        what = present(entrant.found)
        assert line.at in line.spots
        for (x, y), (at, low, high), times in zip(
            line.spots, line.band, what.times_after, strict=True
        ):
            assert x == at
            assert low <= y <= high
            assert 10**y == pytest.approx(present(times).every.p95_us.value)
        today = present(what.times_now).every.p95_us.value
        assert 10 ** present(shown.here).y == pytest.approx(today)
    assert shown.levels == ()
    assert shown.reaches == under_picture(found).reaches
    first = shown.marks[0].text.splitlines()[1]
    assert first.startswith("A: 95 of 100 within ")
    assert first.endswith(" on average")


def test_beyond_the_percentiles_the_mean_is_read() -> None:
    found = under_server(server(), [QUICK, WIDE], {})
    unknown = tuple(
        replace(each, found=replace(what, times_after=(None,) * len(what.times_after)))
        for each in found.entrants
        if (what := each.found) is not None
    )
    assert under_times_picture(replace(found, entrants=unknown)) is None
    half = replace(found, entrants=(found.entrants[0], unknown[1]))
    shown = present(under_times_picture(half))
    assert [line.series for line in shown.lines] == [0]
    assert "B: 9" not in shown.marks[0].text
    assert " on average" in shown.marks[0].text


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
    places = [place for _, place, _ in chart.entries()]
    # Besides the drives: where the server is today, and what the bands are.
    assert len(places) == number + 2
    assert not any(one.intersects(other) for one, other in combinations(places, 2))
    assert max(place.right() for place in places) <= width
    assert len({place.top() for place in places}) <= 5
    assert chart._area().height() > 100
    assert not chart.grab().isNull()


def test_a_name_of_the_legend_is_whole_where_there_is_room(
    qtbot: QtBot, appearance: Appearance
) -> None:
    drives = [
        replace(QUICK, key="0", name="short"),
        replace(QUICK, key="1", name="a name that is a good deal longer than the other one"),
    ]
    chart = UnderChart(appearance, "drives")
    qtbot.addWidget(chart)
    chart.show_picture(under_picture(under_server(server(), drives, {})))
    chart.resize(900, 300)
    (_, first, _), (_, second, _), *_ = chart.entries()
    assert second.top() == first.top()
    assert second.width() > 2 * first.width()

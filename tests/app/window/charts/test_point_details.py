"""What points are made of: samples over time, device and host, latency histograms."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hdrh.histogram import HdrHistogram
from PySide6.QtGui import QFontMetricsF
from pytestqt.qtbot import QtBot

from advisor.model.curves.latency_bins import BINS, bin_of, edges, shares
from app.presenters.charts.curves import pictures
from app.presenters.charts.lanes import under_curves
from app.presenters.charts.latency_map import cell_text, heat_map
from app.presenters.charts.timeline import MOST_SPOTS, course, thinned, timeline
from app.theme import tokens
from app.theme.appearance import Appearance, ui_font
from app.views.charts.lanes.lane_painter import GUTTER, RIGHT
from app.views.charts.lanes.lane_titles import SWATCH_ROOM
from app.views.charts.lanes.lanes import LanesView
from probes.figures import duration_us
from probes.points import HostSample, Probe, Sample, Setting, Trust
from tests.app.window.replay import replayed, samples

SETTING = Setting(Probe.RANDOM_READ, 8, 16384, 1, "/data")


def test_the_warm_up_lies_before_zero() -> None:
    done = replace(replayed(SETTING), seconds=1.0, warmup_s=0.6)
    taken = [replace(one, at_s=0.2 * at) for at, one in enumerate(samples(done, 8), start=-2)]
    sheet = timeline(done, taken, 0)
    ((start, end, caption),) = sheet.shaded
    assert (end, caption) == (0.0, "warm-up")
    last = sheet.lanes[0].traces[0].spots[-1].x
    assert last == pytest.approx(done.seconds)
    assert start == pytest.approx(last - 0.2 * len(taken))


def test_a_point_over_time_has_a_lane_for_all_that_was_watched() -> None:
    done = replayed(SETTING)
    sheet = timeline(done, samples(done), 3)
    titles = [lane.title for lane in sheet.lanes]
    assert titles[0].startswith("Reads/s")
    assert titles[1:] == [
        "Latency",
        "nvme0n1 busy",
        "nvme0n1 queue",
        "nvme0n1 await",
        "CPU",
        "Context switches",
    ]
    assert sheet.lanes[0].band == pytest.approx(done.ci95_per_s)
    cpu = sheet.lanes[5]
    assert [trace.name for trace in cpu.traces] == ["user", "system", "waiting for I/O", "stolen"]
    assert cpu.traces[-1].spots[0].y == pytest.approx(0.05 + 0.11 + 0.4 + 0.01)
    assert cpu.traces[1].summary == "11\u202f%"
    # The point's own, as its row and its hover have them: no median of its samples.
    own = [duration_us(one) for one in (done.latency.p95_us, done.latency.p99_us)]
    assert [trace.summary for trace in sheet.lanes[1].traces] == own
    # No write was waited for: there is nothing to draw.
    assert [trace.name for trace in sheet.lanes[4].traces] == ["reads"]


def test_a_rate_and_the_ends_of_its_interval_are_told_apart() -> None:
    even = replace(replayed(SETTING), rate_per_s=1000.0, ci95_per_s=(960.0, 1040.0))
    (trace,) = timeline(even, samples(even), 0).lanes[0].traces
    assert trace.summary == "1.00\u202fk reads/s ±\u202f4\u202f%"
    wide = replace(even, ci95_per_s=(900.0, 1100.0))
    (trace,) = timeline(wide, samples(wide), 0).lanes[0].traces
    assert trace.summary == "1.0\u202fk reads/s, 0.90 to 1.1\u202fk/s"
    uneven = replace(even, ci95_per_s=(400.0, 1100.0))
    (trace,) = timeline(uneven, samples(uneven), 0).lanes[0].traces
    assert "reads/s, 0.40 to 1.1" in trace.summary


def test_without_a_device_or_a_host_their_lanes_are_left_out() -> None:
    done = replayed(SETTING)
    bare = [replace(one, host=None) for one in samples(done)]
    assert len(timeline(done, bare, 0).lanes) == 2
    no_device = [
        replace(one, host=replace(one.host, device="") if one.host else None)
        for one in samples(done)
    ]
    assert [lane.title for lane in timeline(done, no_device, 0).lanes][2:] == [
        "CPU",
        "Context switches",
    ]
    assert timeline(done, (), 0).lanes == ()


def test_a_cliff_is_marked_with_what_was_written_until_then() -> None:
    phases = [
        {"start_s": 0.0, "seconds": 4.0, "rate_per_s": 900.0, "bytes_before": 0},
        {"start_s": 4.0, "seconds": 6.0, "rate_per_s": 200.0, "bytes_before": 4 << 30},
    ]
    setting = Setting(Probe.STEADY_WRITE, 4, 1 << 20, 1, "/data")
    done = replace(replayed(setting), seconds=10.0, details={"phases": phases})
    taken = [Sample(0.5 * at, 900.0 if at < 8 else 200.0, 1.0, 1.0) for at in range(1, 21)]
    ((at, text),) = timeline(done, taken, 0).marks
    assert at == pytest.approx(4.0)
    assert text == "200/s after 4\u202fGiB"


def test_under_the_curves_stand_medians_after_the_warm_up() -> None:
    done = [replace(replayed(replace(SETTING, threads=n)), id=n) for n in (1, 8)]
    host = HostSample(
        "sda", 1.0, 0.0, 1.0, 0.0, 4.0, 0.5, 1.0, math.nan, 0.1, 0.2, 0.3, 0.05, 1.0, 0.1
    )
    warm = replace(host, utilisation=1.0, queue=99.0)
    taken = {
        8: [
            Sample(-0.2, 1.0, 1.0, 1.0, warm),
            Sample(0.2, 1.0, 1.0, 1.0, host),
            Sample(0.4, 1.0, 1.0, 1.0, host),
        ],
        1: [Sample(0.2, 1.0, 1.0, 1.0, None)],
    }
    (picture,) = pictures(done)
    sheet = under_curves(picture, taken)
    assert [lane.title for lane in sheet.lanes] == ["Busy", "Queue", "CPU"]
    busy, queue, cpu = (lane.traces[0].spots for lane in sheet.lanes)
    assert [(spot.x, spot.y) for spot in busy] == [(3.0, 0.5)]
    assert queue[0].y == 4.0
    assert cpu[0].y == pytest.approx(0.35)
    assert under_curves(picture, {}).lanes == ()


def test_a_histogram_becomes_shares_that_add_up() -> None:
    made = HdrHistogram(1, 100_000_000_000, 2)
    made.record_value(100_000, 300)
    made.record_value(2_000_000, 100)
    found = shares(made.encode().decode())
    assert len(found) == BINS
    assert sum(found) == pytest.approx(1.0)
    assert found[bin_of(100.0)] == pytest.approx(0.75)
    assert found[bin_of(2000.0)] == pytest.approx(0.25)
    low, high = edges(bin_of(2000.0))
    assert low <= math.log10(2000.0) < high


@pytest.mark.parametrize("text", ["", "nonsense", "HISTFAAA"])
def test_what_is_no_histogram_is_empty(text: str) -> None:
    assert shares(text) == ()


def test_a_map_has_a_column_for_each_point_and_counts_those_without() -> None:
    done = [replace(replayed(replace(SETTING, threads=n)), id=n) for n in (1, 8, 64)]
    done[2] = replace(done[2], histogram="")
    heat = {one.id: shares(one.histogram) for one in done[:2] if one.id is not None}
    (picture,) = pictures(done)
    shown = heat_map(picture, picture.series[0], heat, 8)
    assert [column.position for column in shown.columns] == [0.0, 3.0]
    assert shown.missing == 1
    for column in shown.columns:
        for index, _ in column.cells:
            low, high = edges(index)
            assert shown.up.low <= low
            assert high <= shown.up.high
    rows = dict(cell_text(shown.columns[0], shown.columns[0].cells[-1][0]))
    assert rows["As fast or faster"] == "100\u202f%"


def test_no_line_of_a_map_runs_across_a_rejected_point() -> None:
    done = [replace(replayed(replace(SETTING, threads=n)), id=n) for n in (1, 4, 16, 64)]
    done[1] = replace(done[1], trust=Trust.REJECTED)
    done[2] = replace(done[2], trust=Trust.DOUBTFUL)
    heat = {one.id: shares(one.histogram) for one in done if one.id is not None}
    (picture,) = pictures(done)
    shown = heat_map(picture, picture.series[0], heat, 8)
    assert [[column.position for column in each] for each in shown.stretches] == [[0.0], [4.0, 6.0]]
    assert [column.position for column in shown.doubtful] == [4.0]
    assert shown.rejected == (2.0,)


def test_a_layer_that_never_shows_is_not_drawn() -> None:
    done = replayed(SETTING)
    quiet = [
        replace(one, host=replace(one.host, cpu_steal=0.0 if at else 0.01)) if one.host else one
        for at, one in enumerate(samples(done))
    ]
    cpu = timeline(done, quiet, 0).lanes[5]
    assert [trace.name for trace in cpu.traces] == ["user", "system", "waiting for I/O"]


@pytest.mark.parametrize("width", [240, 340, 900])
def test_every_figure_of_a_lane_stands_within_it(
    qtbot: QtBot, appearance: Appearance, width: int
) -> None:
    view = LanesView(appearance)
    qtbot.addWidget(view)
    view.show_sheet(timeline(replayed(SETTING), samples(replayed(SETTING)), 0))
    view.resize(width, view.sizeHint().height())
    metrics = QFontMetricsF(ui_font(tokens.TYPE_SMALL))
    for lane, found in zip(view.sheet.lanes, view.titles, strict=True):
        assert [each.trace for each in found] == list(lane.traces)
        for each in found:
            said = f"{each.trace.name} {each.trace.summary}".strip()
            wide = SWATCH_ROOM + metrics.horizontalAdvance(said)
            assert each.left == 0 or GUTTER + each.left + wide <= width - RIGHT
    assert max(view.title_heights) > min(view.title_heights) or width == 900
    assert not view.grab().isNull()


def test_a_long_write_is_thinned_and_keeps_its_mean_and_its_worst() -> None:
    done = replace(replayed(replace(SETTING, probe=Probe.STEADY_WRITE)), seconds=1800.0)
    taken = [
        Sample(0.2 * at, 500.0 + at % 7, 900.0 + (at == 4321) * 1e6, 1000.0)
        for at in range(1, 9001)
    ]
    few = thinned(taken)
    assert len(few) <= MOST_SPOTS
    assert few[-1].at_s == taken[-1].at_s
    assert max(one.p95_us for one in few) == max(one.p95_us for one in taken)
    mean = sum(one.rate_per_s for one in few) / len(few)
    assert mean == pytest.approx(sum(one.rate_per_s for one in taken) / len(taken), rel=1e-3)
    assert len(timeline(done, taken, 0).lanes[0].traces[0].spots) == len(few)


def test_a_growing_point_has_a_course_of_its_own() -> None:
    setting = Setting(Probe.STEADY_WRITE, 4, 1 << 20, 1, "/data")
    sheet = course(setting, samples(replayed(setting))[1:], 2)
    assert sheet.lanes[0].title == "Writes/s"
    assert sheet.lanes[0].band is None
    assert sheet.shaded == ()
    assert sheet.lanes[0].traces[0].summary == sheet.lanes[0].traces[0].spots[-1].text

from __future__ import annotations

import csv
import io
import math
from dataclasses import replace
from itertools import pairwise

import pytest
from PySide6.QtCore import Qt

from advisor.wording.measured.doubts import sentence
from app.controllers.run import Growing
from app.presenters.charts.axes import Along, Axis, thread_axis
from app.presenters.charts.curves import (
    pictures,
)
from app.presenters.charts.point_text import point_rows, remarks, spread
from app.presenters.charts.points_csv import COLUMNS, csv_text
from app.presenters.charts.ratios import ratio_scale
from app.presenters.charts.readout import ReadoutModel, point_texts, position_title
from app.presenters.charts.scales import linear, logarithmic, number, positions
from app.presenters.charts.scene import SceneOptions, latency_scene, rate_scene
from probes.doubts import DoubtKind, doubt
from probes.kinds.words import capital, setting_line
from probes.points import Point, Probe, Sample, Setting, Trust
from probes.statistics.repeats import combined
from tests.app.window.replay import replayed
from tests.points import doubted
from tests.recorded_load import reads as recorded_reads

READ = Probe.RANDOM_READ


def reads(size: int, *threads: int, trust: Trust = Trust.OK) -> list[Point]:
    return [replayed(Setting(READ, n, size, 1, "/data"), trust=trust) for n in threads]


def test_each_probe_has_a_picture_and_each_block_size_a_curve() -> None:
    measured = [
        *reads(16384, 1, 2),
        *reads(4096, 1, 2),
        replayed(Setting(Probe.RANDOM_WRITE, 1, 16384)),
    ]
    first, second = pictures(measured)
    assert [series.name for series in first.series] == ["4\u202fKiB", "16\u202fKiB"]
    assert [series.index for series in first.series] == [0, 1]
    assert first.positions == [0.0, 1.0]
    assert (second.title, second.axis.title) == ("Random write", "Threads")


def test_a_curve_keeps_its_colour_from_its_first_point_on() -> None:
    coming = [Setting(READ, n, size, 1, "/data") for size in (16384, 4096) for n in (1, 2)]
    (early,) = pictures(reads(16384, 1), coming)
    (late,) = pictures([*reads(16384, 1, 2), *reads(4096, 1)], coming)
    assert early.series[0].index == late.series[1].index == 1
    assert early.planned == late.planned == (0.0, 1.0)


def test_redo_lies_along_the_block_size() -> None:
    settings = [
        Setting(Probe.REDO_SYNC, 1, size, 1, "/data", {"sync": sync})
        for sync, sizes in (("fdatasync", (512, 4096, 16384)), ("o_dsync", (4096,)))
        for size in sizes
    ]
    (picture,) = pictures([replayed(settings[0])], settings)
    assert picture.axis.along is Along.BLOCK_SIZE
    (picture,) = pictures([replayed(setting) for setting in settings])
    assert [series.name for series in picture.series] == ["fdatasync", "O_DSYNC"]
    assert len(picture.series[0].points) == 3
    assert picture.axis.tick(picture.positions[0]) == "512\u202fB"


def test_the_cursor_stands_only_where_something_was_measured() -> None:
    (picture,) = pictures(reads(16384, 1, 4, 64))
    assert picture.nearest(1.2) == 2.0
    assert picture.nearest(99) == 6.0
    assert picture.series[0].at(2.0) == picture.series[0].points[1]
    assert picture.series[0].at(3.0) is None
    assert position_title(picture, 2.0) == "At 4 threads"
    assert position_title(picture, 0.0) == "At 1 thread"


def test_repeats_of_a_setting_are_drawn_as_the_one_point_that_rules_read() -> None:
    once = reads(16384, 1, 4)
    again = replace(once[0], rate_per_s=once[0].rate_per_s * 1.5)
    (picture,) = pictures([*once, again])
    drawn = picture.series[0].points[0]
    assert drawn == combined([once[0], again])[0]
    assert once[0].rate_per_s < drawn.rate_per_s < again.rate_per_s
    assert "Measured 2 times" in remarks(drawn)
    assert "Measured" not in remarks(picture.series[0].points[1])


def test_a_rejected_point_is_no_part_of_the_line() -> None:
    measured = [*reads(16384, 1), *reads(16384, 2, trust=Trust.REJECTED), *reads(16384, 4)]
    (picture,) = pictures(measured)
    assert [one.setting.threads for one in picture.series[0].line] == [1, 4]
    hidden = rate_scene(picture, None, SceneOptions())
    assert [mark.trust for mark in hidden.traces[0].marks] == [Trust.OK, Trust.REJECTED, Trust.OK]
    assert [mark.x for mark in latency_scene(picture, None, SceneOptions()).traces[0].upper] == [
        0.0,
        2.0,
    ]


def test_marks_stand_where_the_figures_are() -> None:
    (picture,) = pictures(reads(16384, 8))
    one = picture.series[0].points[0]
    (mark,) = rate_scene(picture, None, SceneOptions()).traces[0].marks
    assert (mark.x, mark.y) == (3.0, one.rate_per_s)
    assert (mark.low, mark.high) == pytest.approx(one.ci95_per_s)
    (mark,) = latency_scene(picture, None, SceneOptions(log_latency=True)).traces[0].marks
    assert mark.y == pytest.approx(math.log10(one.latency.p95_us))
    (mark,) = rate_scene(picture, None, SceneOptions(log_rate=True)).traces[0].marks
    assert mark.y == pytest.approx(math.log10(one.rate_per_s))


def test_a_hidden_curve_leaves_the_axes_too() -> None:
    (picture,) = pictures([*reads(4096, 1, 64), *reads(16384, 1)])
    everything = rate_scene(picture, None, SceneOptions())
    without = rate_scene(picture, None, SceneOptions(hidden=frozenset({picture.series[0].key})))
    assert [trace.index for trace in without.traces] == [1]
    assert without.up.high < everything.up.high


def test_the_growing_point_shows_its_samples_and_joins_its_curve() -> None:
    settings = [Setting(READ, n, 16384, 1, "/data") for n in (1, 2, 4)]
    (picture,) = pictures([replayed(settings[0])], settings)
    growing = Growing(
        settings[1], 1, 3, [Sample(0.2, 900.0, 80.0, 90.0), Sample(0.4, 1100.0, 0, 0)]
    )
    scene = rate_scene(picture, growing, SceneOptions())
    assert scene.sprout is not None
    assert (scene.sprout.x, scene.sprout.middle) == (1.0, 1000.0)
    assert scene.sprout.previous == scene.traces[0].marks[0]
    latency = latency_scene(picture, growing, SceneOptions(log_latency=False))
    assert latency.sprout is not None
    assert latency.sprout.samples == (80.0,)


@pytest.mark.parametrize("highest", [0.3, 7, 59, 1234, 99_999, 3_300_000])
@pytest.mark.parametrize("most", [1, 2, 4, 6])
def test_linear_ticks_begin_at_zero_and_stay_few(highest: float, most: int) -> None:
    scale = linear(highest, "", most)
    assert scale.low == scale.ticks[0][0] == 0.0
    assert highest < scale.high < highest * 1.3
    assert 2 <= len(scale.ticks) <= most + 2
    assert len({text for _, text in scale.ticks}) == len(scale.ticks)


@pytest.mark.parametrize("values", [[120.0, 130.0], [80.0, 9000.0], [50.0, 2e6], []])
@pytest.mark.parametrize("most", [2, 4, 8])
def test_logarithmic_ticks_lie_inside_and_stay_few(values: list[float], most: int) -> None:
    scale = logarithmic(values, "us", most)
    assert all(scale.low <= at <= scale.high for at, _ in scale.ticks)
    assert all(scale.low < math.log10(value) < scale.high for value in values)
    assert len(scale.ticks) <= max(most, 6)


def test_every_power_of_two_is_ticked() -> None:
    scale = positions((0.0, 6.0), Axis(Along.THREADS))
    assert [text for _, text in scale.ticks] == ["1", "2", "4", "8", "16", "32", "64"]
    assert scale.low < 0 < 6 < scale.high


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (0, "", "0"),
        (20_000, "", "20\u202fk"),
        (1.5e6, "", "1.5\u202fM"),
        (500, "us", "500\u202fµs"),
        (2000, "us", "2\u202fms"),
        (5e6, "us", "5\u202fs"),
    ],
)
def test_tick_texts(value: float, unit: str, text: str) -> None:
    assert number(value, unit) == text


def test_a_hover_tells_everything_about_a_point() -> None:
    (one,) = reads(16384, 8, trust=Trust.DOUBTFUL)
    rows = dict(point_rows(one))
    assert set(rows) == {
        "Rate",
        "95\u202f% interval",
        "p50",
        "p95",
        "p99",
        "CPU per operation",
        "Measured",
        "Ended",
        "Trust",
    }
    assert "±" in rows["95\u202f% interval"]
    assert rows["Trust"] == "Doubtful: Its samples drift by 18 %."
    assert spread(one).startswith("±")
    lopsided = replace(one, rate_per_s=39_400.0, ci95_per_s=(9_200.0, 168_000.0))
    assert spread(lopsided) == "9.2 to 168\u202fk/s"


def test_a_curve_beside_the_servers_load_is_drawn_and_named_apart() -> None:
    idle, busy = recorded_reads("idle"), recorded_reads("busy")
    (picture,) = pictures([*idle, *busy])
    apart = [(series.name, len(series.points)) for series in picture.series]
    assert apart == [("16\u202fKiB", 3), ("16\u202fKiB, beside the server", 3)]
    first, second = rate_scene(picture, None, SceneOptions()).traces
    assert (first.index, second.index) == (0, 1)
    assert {mark.point_id for mark in first.marks} == {one.id for one in idle}
    (legend, _), *_ = point_texts(picture.series[1], busy[0], picture)
    assert legend == "16\u202fKiB, beside the server · 1"
    assert "Measured beside the server's own load: an idle drive gives more." in remarks(busy[0])
    told = dict(point_rows(busy[0]))["Beside"]
    assert told.startswith("the server's own load: ")
    assert told.endswith("/s, 32\u202f% of the drive's bytes")
    rows = csv.DictReader(io.StringIO(csv_text([idle[0], busy[0]])))
    assert [row["beside_server"] for row in rows] == ["0", "1"]


def test_no_ratio_is_drawn_between_an_idle_drive_and_one_beside_load() -> None:
    (picture,) = pictures([*recorded_reads("idle"), *recorded_reads("busy")])
    scene = rate_scene(picture, None, SceneOptions(against=0))
    assert all(math.isnan(mark.y) for mark in scene.traces[1].marks)


def test_settings_in_words() -> None:
    assert capital(setting_line(Setting(READ, 64, 16384))) == "Random read 16\u202fKiB, 64 threads"
    select = Setting(Probe.POINT_SELECT, 1, options={"protocol": "sql", "working_set": "cached"})
    assert setting_line(select) == "primary-key lookup, cached table, SQL text, 1 connection"
    assert thread_axis(Probe.POINT_SELECT).place(select) == 0.0


def test_the_list_of_points_sorts_by_number() -> None:
    (picture,) = pictures(reads(16384, 2, 16))
    series = picture.series[0]
    small, large = (point_texts(series, one, picture) for one in series.points)
    assert small[0][0] == "16\u202fKiB · 2"
    assert all(
        number_small <= number_large
        for (_, number_small), (_, number_large) in zip(small[:2], large[:2], strict=True)
    )


def test_csv_has_a_line_for_each_point_in_base_units() -> None:
    measured = reads(16384, 1, 8)
    rows = list(csv.DictReader(io.StringIO(csv_text(measured))))
    assert tuple(rows[0]) == COLUMNS
    assert [int(row["threads"]) for row in rows] == [1, 8]
    assert float(rows[1]["rate_per_s"]) == pytest.approx(measured[1].rate_per_s, rel=1e-5)
    assert float(rows[1]["p99_us"]) == pytest.approx(measured[1].latency.p99_us, rel=1e-5)


@pytest.mark.parametrize(
    "text", ["=HYPERLINK(1)", "+1+1", "-1", "@SUM(1)", "\t=1", "\r=1", " =1", "=1\n=2", "\uff1d1"]
)
def test_no_cell_of_a_csv_is_a_formula(text: str) -> None:
    (first, *_) = reads(16384, 1, 8)
    options = {text: "x"}
    hostile = replace(
        first, setting=replace(first.setting, options=options), doubts=doubted(text, "b")
    )
    (row,) = csv.DictReader(io.StringIO(csv_text([hostile])))
    for cell in (row["options"], row["trust_reasons"]):
        assert cell.startswith(f"'{text[0]}")
    (row,) = csv.DictReader(io.StringIO(csv_text([first])))
    assert not row["options"].startswith("'")


@pytest.mark.parametrize("reach", [1.05, 1.3, 3.4, 30.0, 4e4])
@pytest.mark.parametrize("most", [2, 4, 8, 12])
def test_ticks_of_ratios_never_touch(reach: float, most: int) -> None:
    """Each has its part of an axis on which ``most`` find room."""
    scale = ratio_scale([reach], most)
    places = [at for at, _ in scale.ticks]
    least = (scale.high - scale.low) / max(most, 3)
    assert all(next_one - at >= least - 1e-9 for at, next_one in pairwise(places))


def test_the_readout_begins_with_what_feeds_the_rules_and_says_what_was_rejected() -> None:
    usual, side = Setting(Probe.RANDOM_READ, 1, 16384), {"set": "small"}
    done = [
        replayed(replace(usual, options=side)),
        replayed(usual),
        replayed(replace(usual, threads=8)),
        replace(replayed(replace(usual, block_size_bytes=8192)), trust=Trust.REJECTED),
    ]
    (picture,) = pictures(done)
    model = ReadoutModel()
    model.show_picture(picture)
    rows = [[model.index(at, column).data() for column in (0, 1)] for at in range(3)]
    assert rows[0] == ["8\u202fKiB", "rejected"]
    assert rows[1][0] == "16\u202fKiB"
    assert rows[2][0].startswith("small set")
    assert [one.name for one in picture.listed] == [row[0] for row in rows]
    model.show_position(0.0)
    assert model.index(0, 1).data() == "rejected"
    model.show_position(3.0)
    assert [model.index(at, 1).data() == "–" for at in range(3)] == [True, False, True]


def test_a_doubtful_rate_has_the_ring_of_its_point_and_says_why() -> None:
    sound, swung = (
        [replayed(Setting(Probe.RANDOM_READ, at, size)) for at in (1, 8)] for size in (4096, 8192)
    )
    why = (doubt(DoubtKind.SWUNG, low_per_s=1.0, high_per_s=9.0),)
    swung = [replace(one, trust=Trust.DOUBTFUL, doubts=why) for one in swung]
    (picture,) = pictures([*sound, *swung])
    model = ReadoutModel()
    model.show_picture(picture)
    assert [str(model.index(at, 1).data())[:2] == "○ " for at in range(2)] == [False, True]
    tip = Qt.ItemDataRole.ToolTipRole
    assert model.index(1, 1).data(tip) == f"Doubtful: {sentence(*why)}"
    assert model.index(0, 1).data(tip) == picture.listed[0].name

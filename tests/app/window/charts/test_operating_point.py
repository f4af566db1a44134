"""Where the server itself works, on the curves of its drive alone."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from app.presenters.charts.curves import pictures
from app.presenters.charts.operating_point import Spread, in_words, operating_point
from app.presenters.charts.scene import Scene, SceneOptions, latency_scene, rate_scene
from app.theme.appearance import Appearance
from app.views.charts.curves.curve_chart import CurveChart
from probes.figures import THIN
from probes.inventory.facts import Inventory, Role
from probes.points import Probe, Setting
from tests.app.window.machine import inventory
from tests.app.window.replay import replayed
from tests.app.window.watched import watched, watched_inventory


def settings(probe: Probe = Probe.RANDOM_READ) -> list[Setting]:
    return [Setting(probe, threads, block_size_bytes=16384) for threads in (1, 4, 16)]


def scenes(options: SceneOptions, probe: Probe = Probe.RANDOM_READ) -> tuple[Scene, Scene]:
    (picture,) = pictures([replayed(one) for one in settings(probe)], (), over=True)
    return rate_scene(picture, None, options), latency_scene(picture, None, options)


def marked(scene: Scene) -> Spread:
    assert scene.working is not None
    return scene.working


def without_disks(seen: Inventory, role: Role) -> Inventory:
    storage = tuple(replace(one, disks=()) if one.role is role else one for one in seen.storage)
    return replace(seen, storage=storage)


def test_it_is_the_reads_of_the_data_s_device_with_each_second() -> None:
    point = operating_point(watched_inventory())
    assert point is not None
    assert point.in_flight.value == pytest.approx(0.12)
    assert point.per_s.value == pytest.approx(200)
    assert point.latency_us.value == pytest.approx(600)
    assert point.moments == ((0.12, 200, 600),) * 10


def test_it_is_marked_on_rates_and_latencies() -> None:
    point = operating_point(watched_inventory())
    rates, latencies = scenes(SceneOptions(working=point))
    assert point is not None
    assert in_words(point) == f"◇ Server: 0.12 reads in flight, 200/s of 600{THIN}µs"
    assert marked(rates).y == pytest.approx(200)
    assert marked(rates).x == rates.across.low, "fewer than one in flight lie left of the axis"
    assert marked(latencies).y == pytest.approx(math.log10(600))


def test_its_figures_stand_below_the_plots_where_nothing_is_drawn(
    qtbot: QtBot, appearance: Appearance
) -> None:
    chart = CurveChart(appearance)
    qtbot.addWidget(chart)
    chart.resize(380, 260)
    chart.show()
    (reads,) = pictures([replayed(one) for one in settings()], (), over=True)
    point = operating_point(watched_inventory())
    assert point is not None
    chart.show_picture(reads, None, SceneOptions(working=point))
    assert chart.below.text() == in_words(point)
    assert all(not view.geometry().intersects(chart.below.geometry()) for view in chart.views)
    chart.show_picture(reads, None, SceneOptions(working=point, against=0))
    assert chart.below.text() == ""
    (writes,) = pictures([replayed(one) for one in settings(Probe.RANDOM_WRITE)], (), over=True)
    chart.show_picture(writes, None, SceneOptions(working=point))
    assert chart.below.text() == ""


def test_its_axes_have_room_for_it() -> None:
    point = operating_point(watched_inventory())
    assert point is not None
    far = replace(point, per_s=point.per_s.times(1000), in_flight=point.in_flight.times(50))
    rates, _ = scenes(SceneOptions(working=far))
    assert rates.up.high > 200_000
    assert marked(rates).x == pytest.approx(math.log2(6))


def test_on_a_logarithmic_axis_its_bounds_stay_on_it() -> None:
    point = operating_point(watched_inventory())
    assert point is not None
    wide = replace(point, per_s=replace(point.per_s, low=0.0))
    rates, _ = scenes(SceneOptions(working=wide, log_rate=True))
    assert marked(rates).y == pytest.approx(math.log10(200))
    assert marked(rates).up[0] == pytest.approx(0.0 + math.log10(2))


def test_other_pictures_and_ratios_have_none() -> None:
    point = operating_point(watched_inventory())
    assert all(
        one.working is None for one in scenes(SceneOptions(working=point), Probe.RANDOM_WRITE)
    )
    assert all(one.working is None for one in scenes(SceneOptions(working=point, against=0)))


def test_it_is_hidden_where_it_is_not_known() -> None:
    seen = watched_inventory()
    quiet = replace(watched(), machine=None)
    assert operating_point(None) is None
    assert operating_point(inventory()) is None
    assert operating_point(replace(seen, watched=quiet)) is None
    for role in (Role.DATA, Role.PROBE):
        assert operating_point(without_disks(seen, role)) is None, "another drive was probed"

"""Forecasts of curves alone: how long queries take, against what was measured."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from advisor.compare.contender import Contender
from advisor.compare.reference import library
from advisor.forecasts.of_curves import OfCurves, of_curves
from advisor.forecasts.server.inputs import drive_rates, server_rates
from advisor.model.curves.latency_shape import of_p95
from advisor.model.curves.measured_rates import MeasuredRates, measured_rates
from advisor.model.network.scenario import Scenario
from advisor.model.network.stations import Drive
from advisor.model.network.without_drive import without_drive
from advisor.report.forms.text import page
from advisor.report.json.forecast import columns
from advisor.report.sections.forecasts import ASSUMED, NO_P95, forecast_of_curves
from probes.points import Curve, Latency, Point, Probe, Setting
from probes.statistics.ranges import Range
from tests.points import point
from tests.present import present

CARD = "callaghan-flash-2010"
BUILDS = (
    ("5084forever", "5084forever", 16384),
    ("5147dev", "5147dev", 16384),
    ("5147orig", "5147orig", 16384),
    ("554m3", "554m3-1", 16384),
    ("5147dev-8k", "5147dev", 8192),
)
READS = 26 / 30
"""As docs/model.md has it: of 30 GB of rows 4 GB are in the pool."""


def reference(key: str) -> Contender:
    return next(each for each in library() if each.key == key)


def lookups(name: str) -> list[Point]:
    found = (
        each
        for each in reference(f"{CARD}-{name}").points
        if each.setting.probe is Probe.POINT_SELECT
    )
    return sorted(found, key=lambda each: each.setting.threads)


def scenario(in_memory: MeasuredRates | None, page: int = 16384, reads: float = READS) -> Scenario:
    drive = drive_rates(reference(CARD), page)
    cpu_us = Range.exact(70.0) if in_memory is None else None
    return Scenario(in_memory, drive, Range.exact(reads), query_cpu_us=cpu_us)


@cache
def memory(name: str) -> MeasuredRates:
    return server_rates(reference(f"callaghan-memory-2010-{name}"))


def printed(found: OfCurves) -> str:
    return page(forecast_of_curves(found), 200)


def late(found: OfCurves) -> list[Range]:
    return [present(each).every.p95_us for each in found.times]


def test_p95_of_five_servers_on_a_card_is_forecast_from_their_times_in_memory() -> None:
    """The errors that docs/model.md tells of."""
    errors, inside = [], []
    for name, in_memory, size in BUILDS:
        measured = lookups(name)
        asked = [each.setting.threads for each in measured]
        told = late(of_curves(scenario(memory(in_memory), size), asked))
        for each, forecast in zip(measured, told, strict=True):
            errors.append(abs(forecast.value / each.latency.p95_us - 1))
            inside.append(each.latency.p95_us in forecast)
    assert len(errors) == 55
    assert float(np.median(errors)) < 0.10
    assert float(np.percentile(errors, 90)) < 0.30
    assert sum(inside) / len(inside) > 0.9


def test_a_server_on_no_drive_has_as_late_queries_as_were_measured() -> None:
    rates = memory("5084forever")
    points = reference("callaghan-memory-2010-5084forever").points
    measured = {
        each.setting.threads: each.latency.p95_us * each.rate_per_s / each.setting.threads / 1e6
        for each in points
    }
    found = of_curves(scenario(rates, reads=0.0), rates.threads)
    for step, forecast in zip(found.forecast.steps, late(found), strict=True):
        # Over the mean, which is averaged where the load is light.
        ratio = forecast.value / step.latency_us
        assert ratio == pytest.approx(measured[step.threads], rel=0.05)
        assert forecast.low < forecast.value / 1.3
    assert not found.assumed


@pytest.mark.parametrize("name", ["5084forever", "554m3"])
def test_a_drive_that_is_taken_out_and_put_back_leaves_p95_as_it_was(name: str) -> None:
    measured = lookups(name)
    on_card = present(measured_rates(Curve(tuple(measured))))
    drive = drive_rates(reference(CARD))
    own = without_drive(on_card, Drive(drive, Range.exact(READS)))
    same = replace(scenario(own), read_cpu_us=Range.exact(0.0))
    told = late(of_curves(same, on_card.threads))
    errors = [
        abs(forecast.value / each.latency.p95_us - 1)
        for forecast, each in zip(told, measured, strict=True)
    ]
    assert float(np.median(errors)) < 0.05


def test_without_the_servers_own_times_no_p95_is_guessed() -> None:
    unknown = replace(memory("5147dev"), times=None)
    found = of_curves(scenario(unknown), [1, 8])
    assert found.times == (None, None)
    content = columns(found.forecast, found.times)
    assert content["p95_us"] == [None, None]
    assert content["latency_us"] == [
        pytest.approx(1e6 * threads / rate, abs=0.5)
        for threads, rate in zip((1, 8), content["rate_per_s"], strict=True)
    ]
    said = printed(found)
    assert NO_P95 in said
    assert "Of 100 queries" not in said


def test_processors_have_a_p95_and_it_says_what_is_assumed() -> None:
    found = of_curves(scenario(None), [1, 64])
    assert found.assumed
    said = printed(found)
    assert ASSUMED in said
    assert "Of 100 queries 95 are done within" in said
    content = columns(found.forecast, found.times)
    for at in range(2):
        low, mean, high = (
            content[name][at] for name in ("latency_low_us", "latency_us", "latency_high_us")
        )
        assert low < mean < high < content["p95_us"][at]["high"]


def test_commits_are_apart_and_what_is_flushed_beside_makes_queries_late() -> None:
    redo = MeasuredRates((1, 8, 64), tuple(map(Range.exact, (500.0, 3_000.0, 9_000.0))))
    plain = scenario(memory("5147dev"))
    committing = replace(plain, redo=redo, commits_per_query=Range.exact(0.2))
    times = present(of_curves(committing, [32]).times[0])
    assert present(times.committing).share == 0.2
    assert present(times.committing).p95_us.value > 2 * present(times.others).p95_us.value
    (alone,), (beside,) = (
        late(of_curves(each, [32])) for each in (plain, replace(plain, background_per_s=20_000.0))
    )
    assert beside.value > 1.1 * alone.value


def timed(p95_us: float, mean_us: float = math.nan) -> MeasuredRates:
    """A server that does 1,000 queries a second with one connection."""
    nan = math.nan
    latency = Latency(mean_us, nan, p95_us, nan, nan, nan)
    one = point(Setting(Probe.POINT_SELECT, 1), 1_000.0)
    return present(measured_rates(Curve((replace(one, latency=latency),))))


def test_a_p95_alone_makes_a_shape_with_the_mean_that_the_rate_tells() -> None:
    shares = np.array([0.5, 0.95])
    for ratio in (1.0, 1.5, 3.0):
        shape = of_p95(ratio * 200, 200.0)
        assert float(shape.at(shares)[1]) == pytest.approx(ratio, rel=1e-6)
        middles = (np.arange(100_000) + 0.5) / 100_000
        assert float(shape.at(middles).mean()) == pytest.approx(1.0, rel=0.02)
    # Further off than any such shape has it: the longest tail stands in.
    assert float(of_p95(9_000.0, 1_000.0).at(shares)[1]) == pytest.approx(3.87, rel=0.01)
    for server, ratio in ((timed(1_500.0), 1.5), (timed(1_500.0, 750.0), 2.0)):
        (shape,) = present(server.times).shapes
        assert float(shape.at(shares)[1]) == pytest.approx(ratio, rel=1e-6)
    assert timed(math.nan).times is None

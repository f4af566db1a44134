"""The knee and the operating point, on published curves and on made ones."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.model.curves.knee import SHARE_OF_PEAK, knee
from advisor.model.curves.operating_point import in_flight, rate_at
from advisor.model.server.round_figures import round_down, round_up
from probes.points import Curve, Probe, Setting
from tests.points import point

FLASH_16K = [6069, 12620, 18976, 21127, 24377, 28941, 29230, 29457, 29645, 29587, 29470]
"""Reads/s at 1, 2, 4 ... 1024 threads: M. Callaghan, "How many IOPs can InnoDB do?"."""


def curve(rates: Sequence[float], threads: list[int] | None = None) -> Curve:
    at = threads or [1 << step for step in range(len(rates))]
    return Curve(
        tuple(
            point(Setting(Probe.RANDOM_READ, n, 16384), rate, id=n, engine="test")
            for n, rate in zip(at, rates, strict=True)
        )
    )


rates_of_curves = st.lists(
    st.floats(min_value=1, max_value=1e6, allow_nan=False), min_size=1, max_size=9
)


def test_the_published_curve_bends_at_32_threads() -> None:
    bend = knee(curve(FLASH_16K))
    assert bend.threads == 32
    assert bend.reached
    assert bend.peak.setting.threads == 256


def test_a_climbing_curve_has_its_knee_at_the_end_and_is_not_reached() -> None:
    bend = knee(curve([1000, 2000, 4000]))
    assert (bend.threads, bend.reached, bend.queues_from) == (4, False, None)


def test_a_single_point_is_its_own_knee() -> None:
    assert not knee(curve([500])).reached


def test_queueing_starts_where_latency_grows_with_the_threads() -> None:
    start = knee(curve([1000, 2000, 2100, 2100])).queues_from
    assert start is not None
    assert start.setting.threads == 2


@given(rates_of_curves)
def test_the_knee_gives_90_percent_and_no_smaller_concurrency_does(rates: list[float]) -> None:
    whole = curve(rates)
    bend = knee(whole)
    assert bend.rate_per_s >= SHARE_OF_PEAK * max(rates)
    smaller = [p for p in whole.points if p.setting.threads < bend.threads]
    assert all(p.rate_per_s < SHARE_OF_PEAK * max(rates) for p in smaller)


def test_in_flight_on_measured_points_is_their_concurrency() -> None:
    assert in_flight(curve(FLASH_16K), 21127) == pytest.approx(8)


def test_in_flight_below_the_first_point_is_rate_times_latency() -> None:
    assert in_flight(curve([5000, 9000]), 1000) == pytest.approx(1000 * 0.0002)


def test_more_than_the_drive_gives_has_no_place_on_the_curve() -> None:
    assert in_flight(curve(FLASH_16K), 40_000) is None


def test_nothing_in_flight_when_nothing_is_read() -> None:
    assert in_flight(curve(FLASH_16K), 0) == 0


@given(st.floats(min_value=0.1, max_value=200))
def test_rate_and_concurrency_are_each_others_inverse_on_a_rising_curve(threads: float) -> None:
    rising = curve(FLASH_16K[:9])
    assert in_flight(rising, rate_at(rising, threads)) == pytest.approx(threads, rel=0.1)


@given(st.floats(min_value=0.5, max_value=2000))
def test_rates_between_points_stay_between_their_rates(threads: float) -> None:
    assert 0 < rate_at(curve(FLASH_16K), threads) <= max(FLASH_16K)


@pytest.mark.parametrize(
    ("figure", "down", "up"),
    [(8231, 8000, 8500), (1543, 1500, 2000), (100, 100, 100), (142, 100, 150), (9999, 9500, 10000)],
)
def test_round_figures(figure: float, down: int, up: int) -> None:
    assert (round_down(figure), round_up(figure)) == (down, up)


@given(st.floats(min_value=1, max_value=1e9))
def test_rounding_never_crosses_the_figure(figure: float) -> None:
    assert round_down(figure) <= figure + 1e-6 <= round_up(figure) + 2e-6

"""What the true figures of a case may be, drawn."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from advisor.case import Case
from advisor.judging.draws.draws import draws
from probes.points import REACH, Point, Probe, Setting, Trust
from tests.points import point
from tests.rules.casework import build

NUMBER = 64


def read(threads: int, rate_per_s: float, half: float = 0.02, identity: int = 1) -> Point:
    setting = Setting(Probe.RANDOM_READ, threads, 16384, 1, "/probe")
    return point(setting, rate_per_s, half, id=identity)


def reaching(one: Point, least: float, most: float) -> Point:
    return replace(one, trust=Trust.DOUBTFUL, details={REACH: [least, most]})


def case_of(*points: Point) -> Case:
    return replace(build({}), points=points)


def rates(case: Case, index: int = 0) -> list[float]:
    return [draw.case.points[index].rate_per_s for draw in draws(case, (), NUMBER)]


def test_the_same_case_is_always_drawn_alike() -> None:
    case = case_of(read(1, 1000, 0.3))
    assert rates(case) == rates(case)


def test_draws_fill_the_interval() -> None:
    drawn = rates(case_of(read(1, 1000, 0.3)))
    inside = sum(700 <= rate <= 1300 for rate in drawn)
    assert 0.88 * NUMBER <= inside <= NUMBER
    assert min(drawn) < 900 < 1100 < max(drawn)


def test_what_was_slowed_is_only_drawn_faster() -> None:
    drawn = rates(case_of(reaching(read(1, 1000, 0.0), 1.0, 2.0)))
    assert min(drawn) >= 1000 * (1 - 1e-9)
    assert 1700 < max(drawn) <= 2000


def test_what_was_helped_is_only_drawn_slower() -> None:
    drawn = rates(case_of(reaching(read(1, 1000, 0.0), 0.1, 1.0)))
    assert max(drawn) <= 1000 * (1 + 1e-9)
    assert 100 <= min(drawn) < 200


def test_what_slowed_two_points_alike_leaves_their_ratio() -> None:
    one, two = (reaching(read(n, 1000 * n, 0.0, n), 1.0, 3.0) for n in (1, 2))
    for draw in draws(case_of(one, two), (), NUMBER):
        first, second = draw.case.points
        assert second.rate_per_s / first.rate_per_s == pytest.approx(2.0)


def test_latency_goes_against_the_rate() -> None:
    for draw in draws(case_of(read(1, 1000, 0.3)), (), NUMBER):
        (drawn,) = draw.case.points
        assert drawn.rate_per_s * drawn.latency.p50_us == pytest.approx(1e6)
        assert draw.moved[1] == pytest.approx(math.log(drawn.rate_per_s / 1000))


def test_rejected_points_are_left_out() -> None:
    wrong = replace(read(1, 1000), trust=Trust.REJECTED)
    (first, *_) = draws(case_of(wrong, read(2, 2000, identity=2)), (), NUMBER)
    assert [one.setting.threads for one in first.case.points] == [2]


def test_an_interval_that_nobody_knows_moves_nothing() -> None:
    unknown = replace(read(1, 1000), ci95_per_s=(math.nan, math.nan))
    assert set(rates(case_of(unknown))) == {1000}


def test_an_interval_down_to_nothing_gives_rates_all_the_same() -> None:
    drawn = rates(case_of(replace(read(1, 1000), ci95_per_s=(0.0, 2000.0))))
    assert min(drawn) > 0

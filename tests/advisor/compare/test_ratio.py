"""Ratios with intervals that hold what they promise."""

from __future__ import annotations

import math
import random

import pytest

from advisor.compare.ratio import Estimate, Ratio, ratio


def fieller(a: Estimate, b: Estimate) -> tuple[float, float]:
    """The exact interval for the ratio of two normal means (Fieller 1954)."""
    half_a, half_b = a.spread * a.value, b.spread * b.value
    root = math.sqrt((a.value * b.value) ** 2 - (a.value**2 - half_a**2) * (b.value**2 - half_b**2))
    below = b.value**2 - half_b**2
    return (a.value * b.value - root) / below, (a.value * b.value + root) / below


@pytest.mark.parametrize(
    ("a", "b", "within"),
    [(0.01, 0.03, 0.01), (0.1, 0.1, 0.01), (0.1, 0.0, 0.01), (0.2, 0.2, 0.03), (0.2, 0.0, 0.03)],
)
def test_it_agrees_with_the_exact_interval(a: float, b: float, within: float) -> None:
    first, second = (
        Estimate(3000, 3000 * (1 - a), 3000 * (1 + a)),
        Estimate(1000, 1000 * (1 - b), 1000 * (1 + b)),
    )
    got = ratio(first, second)
    low, high = fieller(first, second)
    assert got.value == 3.0
    assert got.low == pytest.approx(low, rel=within)
    assert got.high == pytest.approx(high, rel=within)


def test_it_holds_the_true_ratio_as_often_as_it_says() -> None:
    rng = random.Random(5)
    held = 0
    for _ in range(2000):
        a, b = rng.gauss(2000, 60), rng.gauss(1000, 40)
        got = ratio(
            Estimate(a, a - 1.96 * 60, a + 1.96 * 60), Estimate(b, b - 1.96 * 40, b + 1.96 * 40)
        )
        held += got.low <= 2.0 <= got.high
    assert 0.93 <= held / 2000 <= 0.97


def test_one_over_the_other_is_the_inverse() -> None:
    a, b = Estimate(900, 850, 950), Estimate(300, 290, 310)
    one, other = ratio(a, b), ratio(b, a)
    assert one.low == pytest.approx(1 / other.high)
    assert one.high == pytest.approx(1 / other.low)


def test_without_an_interval_only_the_ratio_is_known() -> None:
    got = ratio(Estimate(80_000), Estimate(9_000, 8_900, 9_100))
    assert got.value == pytest.approx(8.889, abs=0.001)
    assert not got.known
    assert not got.alike
    assert ratio(Estimate(105), Estimate(100)).alike
    assert not ratio(Estimate(120), Estimate(100)).alike


def test_what_is_nothing_gives_no_ratio() -> None:
    assert math.isnan(ratio(Estimate(0), Estimate(100)).value)
    assert math.isnan(ratio(Estimate(100), Estimate(0)).value)


def test_alike_means_that_one_lies_within() -> None:
    assert Ratio(1.02, 0.99, 1.05).alike
    assert not Ratio(1.02, 1.01, 1.03).alike


def test_an_interval_that_reaches_zero_leaves_everything_open() -> None:
    got = ratio(Estimate(200, 0, 600), Estimate(100, 90, 110))
    assert (got.low, got.high) == (0.0, math.inf)
    assert got.alike


def test_intervals_that_are_even_on_the_logarithm_stay_so() -> None:
    got = ratio(Estimate(200, 100, 400), Estimate(100, 100, 100))
    assert (got.low, got.value, got.high) == pytest.approx((1.0, 2.0, 4.0))

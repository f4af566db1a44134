"""The interval of a rate covers the true rate as often as it promises."""

from __future__ import annotations

import random

import pytest

from probes.statistics.intervals import rate_interval
from tests.each import some_of


@pytest.mark.parametrize("batches", some_of([3, 5, 10, 60], 1))
def test_95_of_100_intervals_hold_the_truth(batches: int) -> None:
    dice = random.Random(7)
    truth, trials, held = 1000.0, 2000, 0
    for _ in range(trials):
        rates = [dice.gauss(truth, 120) for _ in range(batches)]
        low, high = rate_interval(sum(rates) / batches, rates)
        held += low <= truth <= high
    # Three standard errors of a share of 0.95 in 2000 trials are 0.015.
    assert held / trials == pytest.approx(0.95, abs=0.015)


def test_a_textbook_example() -> None:
    # Mean 5, s = sqrt(2.5), n = 5: half = 2.776 * sqrt(2.5 / 5).
    low, high = rate_interval(5.0, [3, 4, 5, 6, 7])
    assert (low, high) == pytest.approx((5 - 1.963, 5 + 1.963), abs=1e-3)


def test_fewer_batches_give_a_wider_interval() -> None:
    widths = [
        high - low
        for low, high in (
            rate_interval(100.0, [90.0, 110.0] * pairs) for pairs in (1, 2, 5, 20, 200)
        )
    ]
    assert widths == sorted(widths, reverse=True)


@pytest.mark.parametrize("batches", [[], [90.0]])
def test_too_few_batches_tell_nothing(batches: list[float]) -> None:
    assert rate_interval(90.0, batches) == (0.0, 180.0)


def test_no_rate_is_negative() -> None:
    assert rate_interval(10.0, [0.0, 20.0])[0] == 0.0


def test_a_constant_rate_is_certain() -> None:
    assert rate_interval(10.0, [10.0] * 4) == (10.0, 10.0)

"""What is said with a share holds about so often, on machines whose truth is known."""

from __future__ import annotations

from functools import cache

import pytest

from advisor.judging.over_draws import judge
from probes.plans.spend.chooser import AdaptiveChooser
from probes.points import Point
from tests.advisor.judging.simulated.calibration import Bin, Said, asked_of, binned, statements
from tests.advisor.judging.simulated.machine import machines, simulated

UNLIKELY = 0.01
"""A bin that holds so rarely says that shares are too high (a choice: five bins, one look)."""


@cache
def said_of(number: int) -> tuple[Said, ...]:
    on = simulated(number)
    assert on is not None
    chooser = AdaptiveChooser(on.plan, on.clock)
    points: list[Point] = []
    while (index := chooser.choose(points)) is not None:
        chooser.look(points)
        points += on.measure(index)
    return tuple(statements(judge(on.case(points)), asked_of(on)))


@pytest.mark.parametrize("count", [10, pytest.param(120, marks=pytest.mark.long)])
def test_what_is_said_with_a_share_holds_about_so_often(count: int) -> None:
    bins = binned(one for number in machines(count) for one in said_of(number))
    assert sum(each.number for each in bins if each.low < 1) > count / 3, "too few to tell"
    assert not [each for each in bins if each.chance < UNLIKELY]


def test_a_bin_has_what_was_said_with_about_the_same_share() -> None:
    shares = (0.61, 0.8, 0.89, 0.9, 0.99, 1.0)
    bins = binned(Said(share, held=True) for share in shares)
    assert [each.low for each in bins] == [0.6, 0.8, 0.9, 0.95, 1.0]
    assert [each.number for each in bins] == [1, 2, 1, 1, 1]


def test_25_of_30_may_be_what_92_per_cent_come_to() -> None:
    low, high = Bin(0.9, 30, 0.924, 25).interval
    assert (round(low, 2), round(high, 2)) == (0.66, 0.93)
    assert low <= 0.924 <= high


@pytest.mark.parametrize(
    ("said", "held", "likely"),
    [(0.9, 36, True), (0.9, 33, True), (0.9, 28, False), (1.0, 39, True), (1.0, 34, False)],
)
def test_of_forty_so_many_may_fail(said: float, held: int, *, likely: bool) -> None:
    assert (Bin(said, 40, said, held).chance >= UNLIKELY) is likely

"""How sure a ratio is whose two sides were measured in turns."""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random

import pytest

from probes.statistics.pairs import ratio_deviation
from probes.statistics.repeats import Repeat

TURNS = "ABBAABBA"
"""A B, then B A, and so on."""


def repeats(order: str, side: str, rates: Sequence[float], own: float = 0.01) -> list[Repeat]:
    places = [place for place, each in enumerate(order) if each == side]
    return [Repeat(place, rate, own, (1.0, 1.0)) for place, rate in zip(places, rates, strict=True)]


def of(order: str, a: Sequence[float], b: Sequence[float]) -> float | None:
    return ratio_deviation(repeats(order, "A", a), repeats(order, "B", b))


def test_what_moves_both_of_a_pair_leaves_their_ratio() -> None:
    found = of(TURNS, (1180, 2400, 900, 1722), (1000, 2000, 750, 1400))
    assert found is not None and found < 0.015


def test_what_was_not_measured_in_turns_has_no_pairs() -> None:
    assert of("AAABBB", (1000, 1100, 900), (800, 900, 700)) is None
    assert of("AB", (1000,), (800,)) is None


def test_one_side_may_have_more_repeats() -> None:
    """A load without flushing has its turn with several beside it."""
    found = of("ABACABBACA", (1000, 1050, 950, 1000, 1020), (800, 820, 790))
    assert found is not None
    assert found < 0.1


def test_pairs_that_speak_against_all_repeats_settle_less() -> None:
    usual = of("ABBA", (1000, 1000), (800, 800))
    apart = of("ABBAAA", (1000, 1000, 2000, 2000), (800, 800))
    assert usual is not None and apart is not None
    assert apart > 5 * usual


def test_what_slowed_both_alike_does_not_count() -> None:
    slowed = [Repeat(place, 1000.0, 0.01, (1.0, 3.0)) for place in (0, 3)]
    also = [Repeat(place, 800.0, 0.01, (1.0, 3.0)) for place in (1, 2)]
    assert ratio_deviation(slowed, also) == pytest.approx(0.01, rel=1e-6)


def test_the_interval_holds_the_ratio_about_as_often_as_it_says() -> None:
    """Both sides move by 40 % from pair to pair, and by 3 % within one."""
    chance, inside, count = Random(5), 0, 400
    for _ in range(count):
        both = [chance.gauss(0, 0.4) for _ in range(4)]
        a, b = ([1000 * math.exp(each + chance.gauss(0, 0.03)) for each in both] for _ in range(2))
        over, under = repeats(TURNS, "A", a, 0.03), repeats(TURNS, "B", b, 0.03)
        deviation = ratio_deviation(over, under)
        assert deviation is not None
        mean = math.fsum(math.log(x / y) for x, y in zip(a, b, strict=True)) / 4
        inside += abs(mean) <= 1.96 * deviation
    assert inside >= 0.93 * count

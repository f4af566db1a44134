"""Ratios of variants: what they come to, what they hold, and what has none."""

from __future__ import annotations

from dataclasses import replace

import pytest

from advisor.lab.effects.best import where_best
from advisor.lab.effects.contrasts import Criteria, Decision, confirmed, effects
from advisor.lab.effects.turns import Turn
from tests.advisor.lab.effects.simulated import BASE, TWIN, turns


def test_a_large_effect_is_found_and_bounded() -> None:
    found = effects(turns(1, {"off": 1.3}), BASE, same=TWIN)
    (off,) = found.contrasts
    assert off.decision is Decision.BETTER
    assert off.low is not None and off.high is not None
    assert 1.2 < off.low < 1.3 < off.high < 1.45
    assert found.decided
    assert (found.starts, found.rounds) == (4, 16)


def test_intervals_hold_and_equal_twins_are_alike() -> None:
    held = alike = 0
    labs = 120
    for seed in range(labs):
        lab = turns(seed, {"off": 1.05}, rounds=2, start_sd=(0.005, 0.02, 0.05)[seed % 3], each=1)
        found = effects(lab, BASE, same=TWIN)
        (off,) = found.contrasts
        assert off.low and off.high and found.same and found.same.low and found.same.high
        held += off.low <= 1.05 <= off.high
        alike += found.same.low <= 1 <= found.same.high
    # Of one look each: that they hold over all looks, benchmarks/lab/truth.py shows.
    assert held >= 0.95 * labs
    assert alike >= 0.97 * labs


def test_of_a_time_less_is_better() -> None:
    found = effects(
        turns(1, {"off": 1.3}), BASE, same=TWIN, criteria=Criteria(more_is_better=False)
    )
    assert found.contrasts[0].decision is Decision.WORSE


def test_what_is_surely_small_is_alike() -> None:
    quiet = turns(2, {"off": 1.004}, starts=8, noise=0.003, start_sd=0.002)
    assert effects(quiet, BASE, same=TWIN).contrasts[0].decision is Decision.ALIKE


@pytest.mark.parametrize("seed", range(4))
def test_both_ways_are_one_contrast(seed: int) -> None:
    lab = turns(seed, {"off": 1.05, "on": 0.97})
    names = (BASE, TWIN, "off", "on")
    pairs = [(a, b) for a in names for b in names if a < b]
    there = effects(lab, BASE, same=TWIN, asked=pairs).contrasts
    back = effects(lab, BASE, same=TWIN, asked=[(b, a) for a, b in pairs]).contrasts
    for one, other in zip(there, back, strict=True):
        assert one.ratio and one.low and one.high and other.ratio and other.low and other.high
        assert other.ratio == pytest.approx(1 / one.ratio)
        assert other.low == pytest.approx(1 / one.high, rel=1e-6)
        assert other.high == pytest.approx(1 / one.low, rel=1e-6)


def test_the_unit_of_values_does_not_matter() -> None:
    lab = turns(3, {"off": 1.05})
    times = [replace(turn, value=1e6 / turn.value) for turn in lab]
    (rate,), (time,) = (effects(each, BASE, same=TWIN).contrasts for each in (lab, times))
    assert rate.ratio and time.ratio
    # Means of turns, of rates there and of times here: they are not quite each other's inverse.
    assert time.ratio == pytest.approx(1 / rate.ratio, rel=2e-3)
    thousands = [replace(turn, value=turn.value / 1000) for turn in lab]
    assert effects(thousands, BASE, same=TWIN).contrasts[0].ratio == pytest.approx(rate.ratio)


def test_the_order_of_turns_does_not_matter() -> None:
    lab = turns(4, {"off": 1.05, "on": 1.0})
    asked = [("off", BASE), ("on", BASE)]
    backwards = effects(lab[::-1], BASE, same=TWIN, asked=asked)
    assert backwards == effects(lab, BASE, same=TWIN, asked=asked)


def test_one_round_has_a_ratio_and_no_interval() -> None:
    found = effects(turns(5, {"off": 1.3}, starts=1, rounds=1), BASE, same=TWIN)
    (off,) = found.contrasts
    assert off.ratio == pytest.approx(1.3, rel=0.2)
    assert (off.low, off.high, off.deviation, off.half_width) == (None, None, None, None)
    assert off.decision is Decision.OPEN
    assert (found.resolution, found.noise, found.start_sd) == (None, None, None)


def test_one_start_knows_no_better_than_starts_differ() -> None:
    one = effects(turns(6, {"off": 1.05}, starts=1, rounds=32), BASE, same=TWIN)
    several = effects(turns(6, {"off": 1.05}, starts=8, rounds=4), BASE, same=TWIN)
    assert one.resolution and several.resolution
    assert several.resolution < 0.6 * one.resolution


def test_the_first_rounds_may_be_of_the_equal_pair_alone() -> None:
    lab = [turn for turn in turns(7, {"off": 1.1}) if turn.start > 0 or turn.variant != "off"]
    first = effects([turn for turn in lab if turn.start == 0], BASE, same=TWIN)
    assert first.contrasts == () and first.same and first.same.low and first.same.low < 1
    assert first.resolution == first.same.half_width
    assert effects(lab, BASE, same=TWIN).contrasts[0].low


def test_nothing_at_all() -> None:
    found = effects([], BASE, same=TWIN, asked=[("off", BASE)])
    assert found.contrasts[0].ratio is None and not found.decided
    assert found.same and found.same.ratio is None
    assert effects([Turn(BASE, 0, 0, 1.0)], BASE).contrasts == ()


def test_missing_turns_widen_and_do_not_shift() -> None:
    lab = turns(8, {"off": 1.2, "on": 1.0})
    fewer = [turn for at, turn in enumerate(lab) if turn.variant != "off" or at % 3]
    whole, part = (effects(each, BASE, same=TWIN).contrasts[0] for each in (lab, fewer))
    assert whole.ratio and part.ratio and whole.half_width and part.half_width
    assert part.ratio == pytest.approx(whole.ratio, rel=0.05)
    assert part.half_width > 0.9 * whole.half_width


def test_a_variant_that_came_late_or_never_met_the_base() -> None:
    lab = turns(9, {"off": 1.2})
    late = [turn for turn in lab if turn.variant != "off" or (turn.start, turn.round) == (3, 3)]
    assert effects(late, BASE, same=TWIN).contrasts[0].low
    alone = [*turns(9, {}), Turn("off", 9, 0, 1200.0), Turn("off", 9, 1, 1210.0)]
    assert effects(alone, BASE, same=TWIN).contrasts[0].ratio is None


def test_a_base_that_died_leaves_its_twin() -> None:
    lab = [turn for turn in turns(10, {"off": 1.2}) if turn.variant != BASE]
    found = effects(lab, BASE, same=TWIN)
    assert found.same and found.same.ratio is None
    assert found.contrasts[0].ratio is None or found.contrasts[0].low


def test_a_round_without_anything_done_is_told_and_does_not_outweigh_all() -> None:
    lab = turns(11, {"off": 1.2})
    still = [
        replace(turn, value=0.0)
        if (turn.variant, turn.start, turn.round) == ("off", 1, 1)
        else turn
        for turn in lab
    ]
    (off,) = effects(still, BASE, same=TWIN).contrasts
    assert off.stalled == 2
    assert off.ratio == pytest.approx(1.2, rel=0.1)


def test_a_variant_that_mostly_stands_still_is_not_compared() -> None:
    still = [
        replace(turn, value=0.0) if turn.variant == "off" and turn.round else turn
        for turn in turns(12, {"off": 1.2, "on": 1.0})
    ]
    found = effects(still, BASE, same=TWIN, asked=[("off", BASE), ("on", BASE)])
    assert found.contrasts[0].ratio is None and found.contrasts[0].stalled == 24
    assert found.contrasts[1].low


@pytest.mark.parametrize("value", [-1.0, float("nan"), float("inf")])
def test_a_value_that_is_none(value: float) -> None:
    with pytest.raises(ValueError, match="a turn of off"):
        effects([Turn(BASE, 0, 0, 1.0), Turn("off", 0, 0, value)], BASE)


def test_equal_figures_throughout() -> None:
    lab = [Turn(name, s, r, 7.0) for name in (BASE, "off") for s in range(3) for r in range(3)]
    (off,) = effects(lab, BASE).contrasts
    assert off.ratio == pytest.approx(1.0) and off.low and off.high
    assert off.low < 1 < off.high


def test_a_burst_of_the_machine_moves_little() -> None:
    lab = turns(13, {"off": 1.1})
    struck = [
        replace(turn, value=turn.value / 3)
        if (turn.variant, turn.start, turn.round) == ("off", 2, 1)
        else turn
        for turn in lab
    ]
    whole, off = (effects(each, BASE, same=TWIN).contrasts[0] for each in (lab, struck))
    assert whole.ratio and off.ratio == pytest.approx(whole.ratio, rel=0.05)


def test_what_is_confirmed_knows_nothing_of_the_turns_before() -> None:
    lab = turns(14, {"off": 1.1, "on": 1.1}, starts=6)
    flattered = [
        replace(turn, value=2 * turn.value) if turn.variant == "off" and turn.start < 3 else turn
        for turn in lab
    ]
    later = confirmed(flattered, BASE, "off", 2, same=TWIN)
    assert later.ratio == pytest.approx(1.1, rel=0.06) and later.low
    assert confirmed(flattered, BASE, "off", 5, same=TWIN).ratio is None


def test_where_the_best_of_ordered_values_lies() -> None:
    truth = {"4k": 0.8, "8k": 1.15, "32k": 1.13, "64k": 0.85}
    order = ("4k", "8k", BASE, "32k", "64k")
    found = where_best(turns(15, truth, noise=0.02, start_sd=0.01), order, BASE, same=TWIN)
    assert [each.variant for each in found.values] == list(order)
    assert (found.low, found.high) == ("8k", "32k")
    assert found.likely in {"8k", "32k"}
    least = where_best(
        turns(15, truth, noise=0.02, start_sd=0.01),
        *(order, BASE),
        same=TWIN,
        criteria=Criteria(more_is_better=False),
    )
    assert (least.low, least.likely) == ("4k", "4k")


def test_values_that_did_not_work_leave_the_range_open() -> None:
    found = where_best(turns(16, {"8k": 1.3}), ("4k", "8k", BASE), BASE, same=TWIN)
    assert (found.low, found.high, found.likely) == ("4k", "8k", "8k")
    alone = where_best([], (BASE,), BASE)
    assert (alone.low, alone.high, alone.likely) == (BASE, BASE, None)

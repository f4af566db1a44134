import math
from collections.abc import Sequence
from dataclasses import replace

import pytest

from advisor.trial.deciding import decided, still_moves, times_of, verdict_of
from advisor.trial.design import LEAST_PAIRS, designed, first_side, minutes_for
from advisor.trial.mix import apart, at_equal_mix
from advisor.trial.noise import BlockNoise, noise_by_length
from advisor.trial.record import TrialEnd, TrialPair, TrialVerdict
from probes.trial.settings import Side
from probes.trial.work import Counters, StatementWork
from tests.advisor.trial.pairs import block, pair, simulated


def test_a_difference_that_is_plain_is_kept_after_the_least_pairs() -> None:
    pairs = [pair(number, 1000 + number, 800 + number) for number in range(LEAST_PAIRS)]
    assert decided(pairs[:-1], 6.0, 600.0) is None
    assert decided(pairs, 6.0, 600.0) is TrialEnd.BETTER
    times = times_of(pairs)
    assert times is not None
    assert times.value == pytest.approx(0.8, abs=0.01)
    assert decided([pair(number, 800, 1000) for number in range(8)], 6.0, 600.0) in {
        TrialEnd.WORSE,
        TrialEnd.NO_GAIN,
    }


def test_what_is_better_by_less_than_is_worth_it_is_not_kept() -> None:
    pairs = [pair(number, 1000 + number % 3, 950 + number % 2) for number in range(12)]
    assert decided(pairs, 6.0, 600.0) is TrialEnd.BETTER
    assert decided(pairs, 6.0, 600.0, worth=0.2) is TrialEnd.NO_GAIN


def test_a_trial_that_nothing_decides_ends_with_its_budget() -> None:
    assert decided([pair(0, 1000, 900)], 6.0, 5.0) is TrialEnd.BUDGET
    assert verdict_of(TrialEnd.BUDGET) is TrialVerdict.UNDECIDED
    assert verdict_of(TrialEnd.BETTER) is TrialVerdict.KEPT
    assert verdict_of(TrialEnd.NO_GAIN) is TrialVerdict.BACK


@pytest.mark.parametrize("tails", [False, True])
def test_what_changes_nothing_or_harms_is_not_kept(tails: bool) -> None:
    ends = [simulated(0.0, 0.06, seed, tails=tails)[0] for seed in range(6)]
    ends += [simulated(-0.05, 0.06, seed, tails=tails)[0] for seed in range(6)]
    assert TrialEnd.BETTER not in ends


def test_ten_per_cent_are_found_within_the_minutes_that_were_named() -> None:
    design = designed((BlockNoise(2.0, 0.06),), 1.0, 900.0, 1)
    minutes = minutes_for(design, 0.10)
    assert minutes is not None
    most = math.ceil(minutes.high_s / design.pair_s)
    found = [simulated(0.10, 0.06, seed, most=most)[0] for seed in range(20)]
    assert found.count(TrialEnd.BETTER) >= 19


def test_a_noisy_server_needs_longer_and_says_when_no_hour_suffices() -> None:
    quiet, loud = (designed((BlockNoise(2.0, each),), 1.0, 900.0, 1) for each in (0.03, 0.3))
    seen, unseen = minutes_for(quiet, 0.05), minutes_for(loud, 0.05)
    assert seen is not None
    assert unseen is None
    assert loud.shows is not None
    assert quiet.shows is not None
    assert loud.shows > quiet.shows


def test_the_length_of_blocks_weighs_noise_with_time() -> None:
    lengths = (BlockNoise(2.0, 0.2), BlockNoise(8.0, 0.05))
    assert designed(lengths, 1.0, 900.0, 1).block_s == 8.0
    assert designed((BlockNoise(2.0, 0.06), BlockNoise(8.0, 0.05)), 1.0, 900.0, 1).block_s == 2.0
    # Only blocks of which the least pairs fit.
    assert designed(lengths, 1.0, 60.0, 1).block_s == 2.0


def test_the_order_is_drawn_and_the_same_for_the_same_seed() -> None:
    order = [first_side(7, number) for number in range(200)]
    assert order == [first_side(7, number) for number in range(200)]
    assert 70 < order.count(Side.NEW) < 130
    assert order != [first_side(8, number) for number in range(200)]


def test_time_is_compared_at_equal_mix() -> None:
    # Reads take 100 us and writes 1000 us in both; the second has more writes.
    old = {"select": StatementWork(900, 0.09), "update": StatementWork(100, 0.1)}
    new = {"select": StatementWork(500, 0.05), "update": StatementWork(500, 0.5)}
    times = at_equal_mix(old, new)
    assert times is not None
    assert times[0] == pytest.approx(times[1])
    assert apart(old, new) == pytest.approx(0.4)
    assert at_equal_mix({"select": StatementWork(3, 0.1)}, new) is None


def test_a_value_that_moves_within_its_blocks_is_seen() -> None:
    def moving(second_us: float) -> Sequence[TrialPair]:
        return [
            replace(
                pair(number, 1000, 1000),
                old=block(Side.OLD, 1000 + number, second_us=1001 + number),
                new=block(Side.NEW, 1000 + number, second_us=second_us + number),
            )
            for number in range(8)
        ]

    assert still_moves(moving(700))
    assert not still_moves(moving(1002))
    assert not still_moves(moving(700)[:3])


def test_noise_is_known_by_length_as_far_as_the_look_goes() -> None:
    looks = [
        Counters(
            at / 2, {"select": StatementWork(100.0 * at, 0.1 * at + (0.06 if at % 4 else 0))}, {}
        )
        for at in range(61)
    ]
    noise = noise_by_length(looks, 0.5)
    assert [each.block_s for each in noise] == [2.0, 3.0, 4.0, 6.0, 8.0]
    # What repeats every two seconds is gone in blocks of two.
    assert noise[0].deviation < noise[1].deviation
    assert noise_by_length(looks[:4], 1.0) == ()


def test_a_length_in_which_nobody_is_seen_at_work_is_no_length_of_blocks() -> None:
    """Threads are counted: one is at work in a count of every seven seconds, at 40 statements/s."""
    looks = [
        Counters(at / 2, {"statements": StatementWork(20.0 * at, 0.1 * (at // 14))}, {})
        for at in range(61)
    ]
    assert [each.block_s for each in noise_by_length(looks, 0.5)] == [8.0]
    assert (
        noise_by_length(
            [
                replace(
                    each, kinds={"statements": StatementWork(each.kinds["statements"].count, 0.0)}
                )
                for each in looks
            ],
            0.5,
        )
        == ()
    )

"""What a server may come to while a value is tried."""

from __future__ import annotations

import pytest

from advisor.trial.limits import limits_of, widened
from advisor.trial.passings import Passing, goes_on
from probes.trial.counters import ALL, GUARD_COUNT_S
from probes.trial.ended import GuardLimit, LimitPassed
from probes.trial.guard import FAR_OVER, GuardLimits, by_others
from probes.trial.work import Counters, StatementWork


def looked_at(*busy_s: float, per_s: float = 800.0) -> list[Counters]:
    """A look a second at a server that does as many statements in each, in that time."""
    found = [Counters(0.0, {ALL: StatementWork(0.0, 0.0)}, {})]
    for busy in busy_s:
        last = found[-1].kinds[ALL]
        work = StatementWork(last.count + per_s, last.seconds + busy)
        found.append(Counters(found[-1].at_s + 1, {ALL: work}, {}))
    return found


def test_a_statement_may_take_twice_as_long_and_half_as_long_again_as_in_the_slowest_second() -> (
    None
):
    assert limits_of(looked_at(*(0.16,) * 9)).time_us == pytest.approx(400)
    assert limits_of(looked_at(0.16, 0.48, *(0.16,) * 8)).time_us == pytest.approx(900)


def test_counts_of_few_threads_at_work_scatter() -> None:
    """At 400 us 0.32 threads are at work: three of ten counts, give or take nearly two."""
    steady = looked_at(*(0.16,) * 9)
    assert limits_of(steady, GUARD_COUNT_S).time_us == pytest.approx(
        400 + 3 * 0.1789 / 800 * 1e6, 1e-3
    )
    busy = looked_at(*(8.0,) * 9, per_s=20_000)
    assert limits_of(busy, GUARD_COUNT_S).time_us < 1.3 * limits_of(busy).time_us


def test_what_the_old_values_pass_is_allowed_from_then_on() -> None:
    limits = GuardLimits(time_us=400, threads_running=20, errors_per_s=5)
    seen = LimitPassed(GuardLimit.TIME, 600, 400)
    assert widened(limits, seen) == GuardLimits(time_us=900, threads_running=20, errors_per_s=5)
    failing = LimitPassed(GuardLimit.ERRORS, 600, 400)
    assert widened(limits, failing) == limits


@pytest.mark.parametrize(
    ("passings", "with_old", "goes"),
    [(1, 0, True), (2, 0, False), (2, 1, True), (3, 1, False), (4, 9, True), (5, 9, False)],
)
def test_a_trial_goes_on_after_one_limit_more_than_the_old_values_pass(
    passings: int, with_old: int, goes: bool
) -> None:
    one = Passing(0, LimitPassed(GuardLimit.TIME, 600, 400), 2.0)
    assert goes_on([one] * passings, with_old) is goes


def test_what_is_far_over_or_fails_is_no_neighbours_doing() -> None:
    assert by_others(LimitPassed(GuardLimit.TIME, 2 * 400, 400))
    assert not by_others(LimitPassed(GuardLimit.TIME, (FAR_OVER + 1) * 400, 400))
    for limit in (GuardLimit.ERRORS, GuardLimit.STATEMENTS_PER_S, GuardLimit.UNANSWERED):
        assert not by_others(LimitPassed(limit, 2, 1))

"""A pool grows as far as memory is idle, then as far as the traced misses repay it."""

from __future__ import annotations

from itertools import pairwise

import pytest

from advisor.gain import Wait
from advisor.judging.engine import judge_by
from advisor.model.server.miss_ratio import MissCurve
from advisor.outcomes import Outcome, Recommendation
from advisor.rulekit.facts import FactSource
from advisor.workload.pool.step import NEARLY, next_step
from probes.statistics.ranges import Range
from tests.rules.casework import build
from tests.rules.test_rules import RULES, cases_of

PAGE = 16384
POOL = 1000.0


def curve(*steps: tuple[float, float]) -> MissCurve:
    """Shares of misses that are left in pools of so many pages."""
    told = tuple((pages - POOL, Range.exact(left)) for pages, left in steps)
    return MissCurve(POOL, POOL, told)


KNEE = curve((1500, 0.7), (2000, 0.1), (4000, 0.08))


def test_idle_memory_is_taken_at_once() -> None:
    assert next_step(KNEE, POOL * PAGE, idle_to=4000 * PAGE, most=4000 * PAGE) is None


def test_beyond_it_a_step_goes_to_where_the_misses_end() -> None:
    step = next_step(KNEE, POOL * PAGE, idle_to=1200 * PAGE, most=4000 * PAGE)
    assert step is not None
    assert step.size == 2000 * PAGE
    assert step.most == 4000 * PAGE
    assert not step.unknown


def test_where_misses_fall_to_the_end_all_of_it_is_taken() -> None:
    straight = curve((2000, 0.67), (3000, 0.33), (4000, 0.0))
    assert next_step(straight, POOL * PAGE, 1200 * PAGE, 4000 * PAGE) is None


@pytest.mark.parametrize("idle_to", [1200.0, 5000.0])
def test_a_step_ends_where_the_trace_does(idle_to: float) -> None:
    step = next_step(KNEE, POOL * PAGE, idle_to * PAGE, most=9000 * PAGE)
    assert step is not None
    assert step.size == max(2000, idle_to) * PAGE
    assert step.unknown is (idle_to > 4000)


def test_beyond_a_trace_that_leaves_misses_nobody_knows_what_more_saves() -> None:
    half = curve((1500, 0.52), (4000, 0.5))
    step = next_step(half, POOL * PAGE, 1200 * PAGE, most=9000 * PAGE)
    assert step is not None
    assert step.size == 1500 * PAGE
    assert step.unknown


def test_misses_that_no_pool_ends_take_no_more_than_what_is_idle() -> None:
    flat = curve((2000, 1.0), (4000, 1.0))
    step = next_step(flat, POOL * PAGE, 1200 * PAGE, 4000 * PAGE)
    assert step is not None
    assert step.size == 1200 * PAGE


def test_a_step_saves_nearly_as_much() -> None:
    sizes = [
        step.size
        for idle_to in range(1100, 2000, 100)
        if (step := next_step(KNEE, POOL * PAGE, idle_to * PAGE, 4000 * PAGE)) is not None
    ]
    assert all(one <= other for one, other in pairwise(sizes))
    for size in sizes:
        left = KNEE.share(size / PAGE)
        assert left is not None
        assert 1 - left.value >= NEARLY * (1 - 0.08)


def judged(name: str) -> Outcome:
    rule = RULES["buffer-pool.size"]
    case = next(one for one in cases_of(rule) if one["name"].startswith(name))
    return judge_by(rule, FactSource(build(case)))


def test_page_writes_that_are_saved_shorten_commits() -> None:
    """Beside 500 pages/s a sync takes twice as long; half of the saved misses' writes may go."""
    one, other = judged("page writes that are saved"), judged("commits that wait for no sync")
    assert isinstance(one, Recommendation)
    assert isinstance(other, Recommendation)
    shares = {each.wait: each.share for each in one.relieves}
    assert shares[Wait.COMMITS].value == pytest.approx(shares[Wait.PAGE_READS].value / 4)
    assert shares[Wait.COMMITS].low == 0
    assert Wait.COMMITS not in {each.wait for each in other.relieves}

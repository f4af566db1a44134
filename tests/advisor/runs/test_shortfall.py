"""What is said of a run that measured nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from advisor.runs.events import CheckEvent
from advisor.runs.shortfall import Shortfall
from probes.errors import NothingMeasured
from probes.events import PointStarted, Preparing, Warned
from probes.plans.plan import Budget
from probes.points import Trust
from tests.points import doubted, point
from tests.probes.plans.drives import plan_of, read

PLAN = plan_of(read(1), read(2))
USED_UP = Warned("budget", "The budget of 20 s is used up: 1 point was left out.")
THIN = "\u202f"


class Clock:
    """Goes forward by a second with each look."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 1.0
        return self.now


def said(*events: CheckEvent, budget: Budget | None = None) -> NothingMeasured:
    shortfall = Shortfall(replace(PLAN, budget=budget or Budget()), Clock())
    assert list(shortfall.following(iter(events))) == list(events)
    with pytest.raises(NothingMeasured) as nothing:
        shortfall.check(())
    return nothing.value


@pytest.mark.parametrize("trust", [Trust.OK, Trust.DOUBTFUL])
def test_one_point_that_can_be_used_is_enough(trust: Trust) -> None:
    rejected = point(read(1), 0.0, trust=Trust.REJECTED)
    Shortfall(PLAN).check((rejected, point(read(2), 9.0, trust=trust)))


def test_rejected_points_are_none() -> None:
    why = "Nothing finished."
    one = replace(point(read(1), 0.0, trust=Trust.REJECTED), doubts=doubted(why, rejects=True))
    with pytest.raises(NothingMeasured) as alone:
        Shortfall(PLAN).check((one,))
    assert alone.value.sentence == f"The only point was rejected. {why}"
    with pytest.raises(NothingMeasured) as both:
        Shortfall(PLAN).check((one, one))
    assert both.value.sentence == f"All 2 points were rejected. {why}"


def test_the_last_that_was_left_out_is_the_reason() -> None:
    zeros = Warned("engine", "sysbench writes the same bytes again and again.")
    failed = Warned("engine", "sysbench on local failed (status 1).")
    buffered = Warned("buffered", "O_DIRECT is not possible here.")
    assert said(zeros, failed, buffered).sentence == failed.message
    assert said(buffered).sentence == said().sentence == "No point was measured."


def test_files_that_took_the_whole_time_say_how_much_it_takes() -> None:
    half_way = [Preparing("1 file in /d", done, 1000) for done in (0, 200, 400)]
    found = said(*half_way, USED_UP, budget=Budget(seconds=20))
    assert found.sentence == (
        f"The budget of 20{THIN}s was used up before the first point: "
        f"40{THIN}% of 1 file in /d was prepared."
    )
    # 40 % took 3 s; more than what was too little is advised, whatever the speed.
    assert found.advice == f"At this speed that takes about 8{THIN}s: allow 30{THIN}s or more."


def test_time_that_was_used_up_later_is_told_as_it_is() -> None:
    done = (Preparing("1 file in /d", 900, 1000), PointStarted(read(1), 0, 2))
    assert said(*done, USED_UP, budget=Budget(seconds=20)).sentence == USED_UP.message
    nothing_yet = said(Preparing("1 file in /d", 0, 1000), USED_UP, budget=Budget(seconds=20))
    assert nothing_yet.advice == "Allow more time."

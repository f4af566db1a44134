"""Progress goes forward, ends at its end, and learns how long points take."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

from advisor.runs.events import CheckEvent, Progressed
from advisor.runs.progress import RunProgress
from probes.events import PointDone, PointStarted, Preparing, SampleTaken, Warned
from probes.kinds.kind import Kind
from probes.plans.build.builtin import make_plan
from probes.plans.plan import Budget, Plan, PlanName
from probes.plans.spend.chooser import chooser_for
from probes.plans.spend.part import part_of
from probes.points import Point, Probe, Sample, Setting
from tests.points import point

FLUSHED_PER_S = 50_000.0
"""More than a plan expects, so that a mixture has other rates of flushing."""


def run(plan: Plan, knee_at: float, point_s: float) -> Iterator[CheckEvent]:
    """All events of a run on a drive that bends at ``knee_at`` threads; points take ``point_s``."""
    for index, files in enumerate(plan.file_sets):
        what = f"set {index}"
        for share in (0.5, 1.0):
            yield Preparing(what, int(files.total_bytes * share), files.total_bytes)
    for server in (False, True):
        part = part_of(plan, server=server)
        if part.steps and plan.sandbox and server:
            yield Preparing("table", plan.table_bytes, plan.table_bytes)
        chooser, points = chooser_for(part), list[Point]()
        while (step := chooser.choose(points)) is not None:
            setting = part.steps[step].setting
            yield PointStarted(setting, step, len(part.steps))
            for done in (0.5, 1.0):
                yield SampleTaken(setting, Sample(done * point_s, 1.0, 1.0, 1.0))
            rate = 1000 * min(setting.threads / knee_at, 1.0)
            if setting.probe is Probe.PAGE_FLUSH:
                rate = FLUSHED_PER_S
            for each in parts_of(setting):
                points.append(point(each, rate, seconds=point_s, warmup_s=0.2))
                yield PointDone(points[-1], ())


def parts_of(setting: Setting) -> Sequence[Setting]:
    if setting.probe is not Probe.MIXED:
        return (setting,)
    return [
        replace(setting, options={**setting.options, "part": part}) for part in ("reads", "redo")
    ]


def reports(plan: Plan, knee_at: float = 12.0, point_s: float = 1.0) -> list[Progressed]:
    pace = RunProgress(plan)
    seen = [pace.saw(event) for event in run(plan, knee_at, point_s)]
    return [each for each in seen if each is not None]


def whole(**changes: object) -> Plan:
    plan = make_plan(
        PlanName.QUICK,
        directory="/d",
        kinds=frozenset(Kind) - {Kind.STEADY},
        working_sets=("cached",),
        sandbox=True,
    )
    return replace(plan, **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize("knee_at", [1.0, 6.0, 40.0, 1000.0])
@pytest.mark.parametrize("point_s", [0.4, 2.0])
def test_it_never_goes_back_and_ends_near_its_end(knee_at: float, point_s: float) -> None:
    said = reports(whole(), knee_at, point_s)
    shares = [each.fraction for each in said]
    assert shares == sorted(shares)
    assert 0.9 < shares[-1] <= 1.0
    assert said[-1].seconds_left < 6
    assert all(each.seconds_left >= 0 for each in said)


def test_points_that_take_longer_leave_more_to_wait_for() -> None:
    def left_halfway(point_s: float) -> float:
        said = reports(whole(), point_s=point_s)
        return said[len(said) // 2].seconds_left

    assert left_halfway(2.0) > 1.5 * left_halfway(0.5)


def test_the_first_word_is_about_the_plan_s_own_length() -> None:
    plan = whole()
    assert reports(plan)[0].seconds_left == pytest.approx(plan.seconds, rel=0.1)


def test_other_rates_than_expected_are_as_many_steps() -> None:
    plan = make_plan(PlanName.QUICK, directory="/d", kinds=frozenset({Kind.MIXED}))
    said = reports(plan, point_s=3.0)
    assert said[-1].seconds_left == pytest.approx(0, abs=1)
    shares = [each.fraction for each in said]
    assert shares[len(shares) // 2] < 0.75


def test_steps_that_failed_are_not_waited_for_once_others_come_again() -> None:
    plan = part_of(whole(), server=False)
    events = [
        event
        for event in run(plan, 12.0, 1.0)
        if not isinstance(event, PointStarted | SampleTaken | PointDone)
        or of(event).probe is Probe.RANDOM_READ
    ]
    pace = RunProgress(plan)
    for event in events:
        pace.saw(event)
    again = pace.saw(PointStarted(plan.steps[0].setting, 0, 1))
    assert again is not None
    assert again.seconds_left < 5


def of(event: PointStarted | SampleTaken | PointDone) -> Setting:
    return event.point.setting if isinstance(event, PointDone) else event.setting


def test_a_budget_limits_what_is_left() -> None:
    said = reports(whole(budget=Budget(seconds=20)))
    assert max(each.seconds_left for each in said) <= 20


def test_what_is_no_progress_says_nothing() -> None:
    assert RunProgress(whole()).saw(Warned("x", "Something.")) is None

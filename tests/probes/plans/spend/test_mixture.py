"""Mixtures are measured at the reads' knee, with flushes up to what the drive can flush."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from probes.kinds.kind import Kind
from probes.plans.build.builtin import make_plan
from probes.plans.patterns import server_flush_per_s
from probes.plans.plan import Plan, PlanName
from probes.plans.spend.chooser import AdaptiveChooser
from probes.plans.wishes import Wishes
from probes.points import Point, Probe, Setting
from tests.points import point
from tests.probes.plans.drives import play


def plan_for(*threads: int, written_per_s: float | None = None) -> Plan:
    return make_plan(
        PlanName.QUICK,
        directory="/d",
        kinds=frozenset({Kind.MIXED}),
        wishes=Wishes(threads=threads),
        pages_written_per_s=written_per_s,
    )


def mixed(plan: Plan, knee_at: int, flushed_per_s: float) -> list[tuple[int, str]]:
    """Readers and rates of the mixed steps, on a drive whose reads bend and whose flushes end."""

    def measure(_: int, setting: Setting) -> Sequence[Point]:
        match setting.probe:
            case Probe.RANDOM_READ:
                return [point(setting, 1000.0 * min(setting.threads, knee_at))]
            case Probe.PAGE_FLUSH:
                return [point(setting, flushed_per_s)]
            case _:
                part = {**setting.options, "part": "reads"}
                return [point(replace(setting, options=part), 100.0)]

    played = play(plan, AdaptiveChooser(plan), measure)
    steps = [plan.steps[index].setting for index in played.asked]
    return [
        (each.threads, each.options["flush_per_s"]) for each in steps if each.probe is Probe.MIXED
    ]


@pytest.mark.parametrize(("knee_at", "readers"), [(1, 1), (8, 8), (20, 32), (64, 64), (256, 128)])
def test_readers_are_those_of_the_knee(knee_at: int, readers: int) -> None:
    assert {threads for threads, _ in mixed(plan_for(), knee_at, 5000.0)} == {readers}


@pytest.mark.parametrize(
    ("flushed_per_s", "rates"),
    [
        (100.0, ["0", "max"]),
        (600.0, ["0", "max", "250", "500"]),
        (5000.0, ["0", "max", "250", "500", "1000", "2000", "4000"]),
        (100_000.0, ["0", "max", "4000", "8000", "16000", "32000", "64000"]),
    ],
)
def test_rates_lie_below_what_the_drive_can_flush(flushed_per_s: float, rates: list[str]) -> None:
    assert [rate for _, rate in mixed(plan_for(), 8, flushed_per_s)] == rates


@pytest.mark.parametrize(
    ("written_per_s", "rate_per_s"),
    [(None, 0), (0, 0), (249.9, 0), (250, 250), (1347.9, 1300), (999.9, 990), (43_210, 43_000)],
)
def test_a_servers_own_rate_is_one_that_it_reaches(
    written_per_s: float | None, rate_per_s: float
) -> None:
    assert server_flush_per_s(written_per_s) == rate_per_s
    assert plan_for(written_per_s=written_per_s).server_flush_per_s == rate_per_s


def test_the_servers_own_rate_comes_right_after_none() -> None:
    rates = [rate for _, rate in mixed(plan_for(written_per_s=1347.0), 8, 5000.0)]
    assert rates == ["0", "1300", "max", "250", "500", "1000", "2000", "4000"]
    on_ladder = [rate for _, rate in mixed(plan_for(written_per_s=1000.0), 8, 5000.0)]
    assert on_ladder == ["0", "1000", "max", "250", "500", "2000", "4000"]


def test_an_own_rate_that_the_drive_hardly_gives_is_all_of_it() -> None:
    rates = [rate for _, rate in mixed(plan_for(written_per_s=4900.0), 8, 5000.0)]
    assert rates == ["0", "max", "250", "500", "1000", "2000", "4000"]


def test_where_neither_could_be_measured_something_usual_is_tried() -> None:
    plan = plan_for()
    played = play(plan, AdaptiveChooser(plan), lambda *_: ())
    asked = [plan.steps[index].setting for index in played.asked]
    chosen = [each for each in asked if each.probe is Probe.MIXED]
    assert {each.threads for each in chosen} == {16}
    assert {each.options["flush_per_s"] for each in chosen} >= {"0", "max", "2000"}


def test_named_readers_are_measured_without_looking_for_a_knee() -> None:
    plan = plan_for(4, 32)
    assert Probe.RANDOM_READ not in {step.setting.probe for step in plan.steps}
    steps = mixed(plan, 8, 600.0)
    assert steps == [(threads, rate) for threads in (4, 32) for rate in ("0", "max", "250", "500")]

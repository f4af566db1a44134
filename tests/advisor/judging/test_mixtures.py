"""When mixtures of reads, commits and flushing are worth their time, and at which rates."""

from __future__ import annotations

import math
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from advisor.judging.draws.mixtures import FlushRates, standing_for
from advisor.judging.engine import judge as judge_once
from advisor.judging.open_questions.worth import WorthScorer
from advisor.judging.over_draws import judge
from advisor.outcomes import Judgement, Verdict
from probes.kinds.flush import ALL_FLUSHED, NOTHING_FLUSHED, MixedOptions
from probes.kinds.kind import DECIDING_KINDS
from probes.plans.build.builtin import make_plan
from probes.plans.build.deciding import DecidingChooser, in_short_points
from probes.plans.plan import Plan, PlanName
from probes.points import Point, Probe, Setting
from tests.advisor.judging.simulated.machine import Machine, Noise
from tests.advisor.judging.simulated.mixture import as_planned
from tests.rules.casework import build

READS = [[1, 8000], [4, 28_000], [16, 70_000], [64, 90_000]]
WRITES = [[1, 7000], [4, 24_000], [16, 50_000], [64, 60_000]]

SERVER: dict[str, Any] = {
    "version": "8.0.33",
    "variables": {
        "innodb_io_capacity": "20000",
        "innodb_io_capacity_max": "40000",
        "innodb_flush_log_at_trx_commit": "1",
        "innodb_doublewrite": "ON",
        "innodb_page_size": "16384",
    },
    "reads_16k": READS,
    "writes_many": WRITES,
    "writes_one": WRITES,
    "sync": {"fdatasync": 300, "fsync": 310},
    "flush": {"off": 20_000, "on": 12_000},
    "drive": {"filesystem": "ext4", "rotational": False, "bus": "nvme"},
    "rates": {"Innodb_pages_written": 1347.0},
    "window_s": 10,
}
"""It plans to flush ten times what it does."""

HARMFUL = [[0, 200, 300], [1000, 210, 320], [4000, 900, 2500], [12_000, 2000, 6000]]
HARMLESS = [[rate, 200, 300] for rate in (0, 1000, 4000, 12_000)]


def machine(spec: dict[str, Any]) -> Machine:
    return Machine(as_planned(build(spec)), Noise(half=0.02), Random(7))


def decided(on: Machine) -> tuple[list[str], Judgement]:
    """The rates of flushing at which mixtures were measured, in order, and what came of it."""
    on.plan = in_short_points(on.plan)
    chooser = DecidingChooser(on.plan, WorthScorer(on.plan, on.case), on.clock)
    points: list[Point] = []
    asked = []
    while (index := chooser.choose(points)) is not None:
        points += on.measure(index)
        setting = on.plan.steps[index].setting
        if setting.probe is Probe.MIXED:
            asked.append(setting.options["flush_per_s"])
    return asked, judge(on.case(points))


def verdicts(judged: Judgement) -> dict[str, Verdict]:
    return {one.rule: one.verdict for one in judged.recommendations}


def worth_of(plan: Plan, on: Machine) -> set[float]:
    """What the mixtures of a plan are worth before anything is measured."""
    steps = WorthScorer(plan, on.case).worths([]).steps
    mixed = (n for n, step in enumerate(plan.steps) if step.setting.probe is Probe.MIXED)
    return {round(steps.get(index, 0.0), 9) for index in mixed}


def test_a_server_that_may_plan_too_much_has_them_measured_at_its_own_rate() -> None:
    on = machine(SERVER | {"mixed": HARMFUL})
    asked, judged = decided(on)
    assert asked[:3] == ["0", "1300", "max"]
    said, true = verdicts(judged), verdicts(judge_once(on.truth))
    asking = ("placement.redo", "flushing.io-capacity")
    assert {rule: said.get(rule) for rule in asking} == {rule: true[rule] for rule in asking}


@pytest.mark.long
def test_where_flushing_harms_nothing_the_ends_settle_it() -> None:
    on = machine(SERVER | {"mixed": HARMLESS})
    asked, judged = decided(on)
    assert sorted(set(asked)) == sorted(["0", "1300", "max"])
    assert verdicts(judged)["placement.redo"] is Verdict.FINE


def test_what_the_worst_mixture_would_not_change_is_not_measured() -> None:
    apart = {"elsewhere": ["redo", "binlog"], "mixed": HARMFUL}
    calm = {**SERVER["variables"], "innodb_io_capacity": "200", "innodb_io_capacity_max": "400"}
    on = machine(SERVER | apart | {"variables": calm})
    asked, _ = decided(on)
    assert asked == []


def test_any_level_of_readers_is_worth_as_much() -> None:
    plan = make_plan(
        PlanName.QUICK, directory="/probe", kinds=DECIDING_KINDS, pages_written_per_s=1347.0
    )
    mixed = [step.setting for step in plan.steps if step.setting.probe is Probe.MIXED]
    assert len(mixed) > 70
    [worth] = worth_of(plan, machine(SERVER))
    assert worth > 0


def test_two_steps_stand_for_all_mixtures() -> None:
    plan = make_plan(PlanName.QUICK, directory="/probe", kinds=DECIDING_KINDS)
    standing = [plan.steps[index].setting for index in standing_for(plan.steps)]
    assert [each.options["flush_per_s"] for each in standing] == ["0", "250"]
    assert len({each.threads for each in standing}) == 1


@pytest.mark.parametrize(
    ("target", "rate"), [(NOTHING_FLUSHED, 0.0), ("1300", 1300.0), (ALL_FLUSHED, math.inf)]
)
def test_targets_in_numbers(target: str, rate: float) -> None:
    assert MixedOptions.of(at(target)).target_per_s == rate


def test_a_further_rate_tells_something_between_the_last_good_and_the_first_bad_one() -> None:
    case = build(SERVER | {"mixed": HARMFUL})
    rates = FlushRates.of(case)
    assert [rate for rate in ("500", "2000", "8000") if rates.tell(at(rate))] == ["2000"]
    assert rates.tell(Setting(Probe.RANDOM_READ, 1, 16384, 1, "/probe"))
    unknown = FlushRates.of(replace(case, points=()))
    assert unknown.tell(at("500"))


def at(target: str) -> Setting:
    return Setting(Probe.MIXED, 16, 16384, 1, "/probe", {"flush_per_s": target})

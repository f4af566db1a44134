"""What a step is worth, and what that makes of simulated machines."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from advisor.judging.engine import judge as judge_once
from advisor.judging.open_questions.closing import closes_s, watching_closes_s
from advisor.judging.open_questions.questions import OpenQuestions
from advisor.judging.open_questions.worth import WorthScorer, narrowing
from advisor.judging.over_draws import judge
from advisor.outcomes import Judgement
from probes.plans.build.deciding import DecidingChooser, in_short_points
from probes.plans.spend.chooser import AdaptiveChooser, Chooser
from probes.points import REACH, Point, Probe, Setting
from probes.statistics.repeats import combined
from tests.advisor.judging.simulated.machine import Machine, Noise, machines, noise, simulated
from tests.points import point
from tests.rules.casework import build

READ = Setting(Probe.RANDOM_READ, 4, 16384, 1, "/d")


def measured(on: Machine, chooser: Chooser, most: int = 400) -> list[Point]:
    points: list[Point] = []
    while (index := chooser.choose(points)) is not None:
        chooser.look(points)
        points += on.measure(index)
        assert len(points) < most, "it never ends"
    return points


def deciding(on: Machine) -> list[Point]:
    on.plan = in_short_points(on.plan)
    return measured(on, DecidingChooser(on.plan, WorthScorer(on.plan, on.case), on.clock))


def kinds(judged: Judgement) -> dict[str, str]:
    return {one.rule: one.verdict.value for one in judged.recommendations}


def of(number: int, found: Noise | None = None) -> Machine:
    made = simulated(number, found)
    assert made is not None
    return made


def test_it_decides_in_half_the_time_nearly_all_that_the_whole_plan_decides() -> None:
    plan_s = open_s = 0.0
    plan = open_ = 0
    for number in (4, 17):
        whole, chosen = of(number), of(number)
        true = kinds(judge_once(whole.truth))
        said = kinds(judge(whole.case(measured(whole, AdaptiveChooser(whole.plan, whole.clock)))))
        now = kinds(judge(chosen.case(deciding(chosen))))
        plan += sum(said.get(rule) == each for rule, each in true.items())
        open_ += sum(now.get(rule) == each for rule, each in true.items())
        plan_s += whole.now_s
        open_s += chosen.now_s
    assert open_s < 0.6 * plan_s
    assert open_ >= 0.95 * plan


def test_a_quiet_machine_is_never_measured_twice() -> None:
    quiet = of(next(machines(1)), Noise(half=0.02))
    points = deciding(quiet)
    keys = [(each.setting.curve_key, each.setting.threads) for each in points]
    assert len(keys) == len(set(keys))
    assert len(points) < len(quiet.truth.points)


def test_the_same_machine_is_measured_alike() -> None:
    first, second = of(2), of(2)
    assert deciding(first) == deciding(second)


def test_what_nothing_reads_is_worth_nothing() -> None:
    on = of(2)
    scored = WorthScorer(on.plan, on.case).worths([])
    assert scored.steps and set(scored.steps) <= set(range(len(on.plan.steps)))
    assert all(each.lacking for each in scored.open_)


def test_what_is_decided_is_worth_less_than_what_is_not() -> None:
    on = of(next(machines(1)), Noise(half=0.02))
    scorer = WorthScorer(on.plan, on.case)
    before = scorer.worths([])
    points = [each for index in range(len(on.plan.steps)) for each in on.measure(index)]
    after = scorer.worths(points)
    assert sum(after.steps.values()) < 0.1 * sum(before.steps.values())
    assert len(after.open_) < len(before.open_) / 3


def test_what_has_not_changed_is_not_drawn_again() -> None:
    on = of(2, noise(Random(2)))
    points = [each for index in range(4) for each in on.measure(index)]
    case, asking = on.case(points), OpenQuestions(8)
    assert list(asking.questions(case, case)) == list(asking.questions(case, case))


@pytest.mark.parametrize(
    ("rule", "turns", "unsure"),
    [
        ("durability.redo-sync", {"sync": {"fdatasync": 1000.0}}, False),
        ("placement.redo", {}, True),
        ("placement.redo", {"variables": {"innodb_redo_log_capacity": "104857600"}}, False),
    ],
)
def test_no_time_goes_into_what_is_fine_or_only_watched(
    rule: str, turns: dict[str, Any], *, unsure: bool
) -> None:
    """A change that would wait for a larger redo log is only watched, too."""
    spec: dict[str, Any] = {
        "version": "8.0.33",
        "variables": {},
        "drive": {"name": "nvme0n1"},
        "mixed": [[0, 100, 800], [2000, 102, 820], [8000, 110, 1100]],
        "rates": {"Innodb_pages_written": 9000, "Innodb_redo_log_current_lsn": 6e6},
        "trust": "doubtful",
    }
    case = build(spec | turns)
    asked = {one.rule: one for one in OpenQuestions().questions(case, case)}
    assert (asked[rule].unsure > 0) is unsure


def test_repeating_narrows_less_each_time_and_never_what_a_neighbour_did() -> None:
    once = point(READ, 1000.0, 0.2)
    [thrice] = combined([once, once, once])
    assert 0 < narrowing(thrice) < narrowing(once) < 0.3
    slowed = point(READ, 1000.0, 0.02, details={REACH: [1.0, 3.0]})
    assert narrowing(slowed) < 0.01


@pytest.mark.parametrize("share", [0.3, 0.5])
def test_a_toss_up_is_not_closed_by_measuring_again(share: float) -> None:
    assert closes_s(share, 0.95, [point(READ, 1000.0)]) is None


def test_the_nearer_to_an_answer_the_sooner_it_closes() -> None:
    points = [point(READ, 1000.0, 0.2)]
    near, far = closes_s(0.9, 0.95, points), closes_s(0.7, 0.95, points)
    assert near is not None and far is not None
    assert near < far


def test_what_a_neighbour_did_is_not_closed_by_measuring_again() -> None:
    slowed = point(READ, 1000.0, 0.02, details={REACH: [1.0, 3.0]})
    assert closes_s(0.7, 0.95, [slowed]) is None
    assert closes_s(0.7, 0.95, []) is None, "the server told it"


@pytest.mark.parametrize(
    ("share", "window_s"), [(0.5, 10.0), (0.96, 10.0), (0.7, 0.0), (0.51, 60.0)]
)
def test_no_watch_closes_a_toss_up_or_what_is_sure(share: float, window_s: float) -> None:
    assert watching_closes_s(share, 0.95, window_s) is None


def test_a_watch_takes_four_times_as_long_to_be_twice_as_sure() -> None:
    assert watching_closes_s(0.79475, 0.95, 10.0) == pytest.approx(40.0, abs=1.0)
    near, far = watching_closes_s(0.9, 0.95, 10.0), watching_closes_s(0.7, 0.95, 10.0)
    assert near is not None and far is not None
    assert 10 < near < far


UNSURE_COUNTER: dict[str, Any] = {
    "version": "8.0.33",
    "variables": {"innodb_log_buffer_size": "1048576"},
    "rates": {"Innodb_log_waits": 0.9},
    "window_s": 10,
}


def test_what_turns_on_a_counter_is_closed_by_watching() -> None:
    """Nine waits in ten seconds: 0.3 to 1.5 per second, on both sides of the bound."""
    case = build(UNSURE_COUNTER)
    [one] = [each for each in judge(case).open if each.rule == "redo.log-buffer"]
    assert one.by_watching
    assert one.closes_s is not None
    assert one.closes_s > 10


def test_a_longer_watch_is_worth_what_it_narrows() -> None:
    case = build(UNSURE_COUNTER)
    plan = of(2).plan
    short = WorthScorer(plan, lambda points: replace(case, points=tuple(points))).worths([]).watch
    assert short is not None
    assert short.worth > 0
    assert short.seconds == pytest.approx(22.5)
    long = build(UNSURE_COUNTER | {"window_s": 60})
    assert (
        WorthScorer(plan, lambda points: replace(long, points=tuple(points))).worths([]).watch
        is None
    )
    sure = build(UNSURE_COUNTER | {"rates": {"Innodb_log_waits": 1000.0}})
    scored = WorthScorer(plan, lambda points: replace(sure, points=tuple(points))).worths([]).watch
    assert scored is not None
    assert scored.worth == 0
    alone = build({"version": "8.0.33"})
    assert (
        WorthScorer(plan, lambda points: replace(alone, points=tuple(points))).worths([]).watch
        is None
    )

"""What is measured next: enough to know each curve, never more than the plan, and an end."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from probes.kinds.kind import Kind
from probes.plans.build.builtin import make_plan
from probes.plans.plan import Budget, Plan, PlanName
from probes.plans.spend.chooser import STEPS_PER_REPEAT, AdaptiveChooser, InOrder, chooser_for
from probes.plans.turns import ROUNDS, ways_to_sync
from probes.points import Point, Probe, Setting, Trust
from tests.points import point
from tests.probes.plans.drives import Shape, plan_of, play, read
from tests.probes.plans.spend.test_bend import LEVELS, SHAPES, saturating

ALL_KINDS = frozenset(Kind)


def on(shape: Shape) -> Callable[[int, Setting], Sequence[Point]]:
    """A drive on which every probe has this rate by threads; a mixture has its three parts."""

    def measure(_: int, setting: Setting) -> Sequence[Point]:
        if setting.probe is not Probe.MIXED:
            return [point(setting, shape(setting.threads))]
        parts = ("reads", "redo", "flush")[: 2 if setting.options["flush_per_s"] == "0" else 3]
        return [
            point(replace(setting, options={**setting.options, "part": part}), 1000.0)
            for part in parts
        ]

    return measure


def whole(name: PlanName = PlanName.QUICK, **changes: object) -> Plan:
    plan = make_plan(
        name,
        directory="/d",
        kinds=ALL_KINDS - {Kind.STEADY},
        working_sets=("cached", "uncached"),
        sandbox=True,
    )
    return replace(plan, **changes)  # type: ignore[arg-type]


@given(SHAPES, st.sampled_from(list(PlanName)))
@settings(max_examples=30)
def test_only_ways_to_sync_come_twice_and_a_shipped_plan_ends(shape: Shape, name: PlanName) -> None:
    plan = whole(name)
    played = play(plan, AdaptiveChooser(plan), on(shape))
    twice = {index for steps in ways_to_sync(plan) for index in steps}
    assert Counter(played.asked) == Counter({*played.asked}) + Counter(twice)
    assert max(played.asked) < len(plan.steps)


def test_ways_to_sync_are_measured_there_and_back() -> None:
    """A neighbour that comes during one of them does not make another look faster."""
    plan = whole()
    played = play(plan, AdaptiveChooser(plan), on(saturating(1.0)))
    lone = [
        setting.options["sync"]
        for setting in (plan.steps[index].setting for index in played.asked)
        if setting.probe is Probe.REDO_SYNC
        and (setting.threads, setting.block_size_bytes, len(setting.options)) == (1, 4096, 1)
    ]
    assert lone == ["fdatasync", "fsync", "o_dsync", "o_dsync", "fsync", "fdatasync"]


def test_a_way_to_sync_that_could_not_be_measured_is_not_asked_for_again() -> None:
    plan = whole()
    measure = on(saturating(1.0))

    def without_o_dsync(place: int, setting: Setting) -> Sequence[Point]:
        return [] if setting.options.get("sync") == "o_dsync" else measure(place, setting)

    played = play(plan, AdaptiveChooser(plan), without_o_dsync)
    assert len(played.asked) == len({*played.asked})


@given(SHAPES)
@settings(max_examples=30)
def test_every_curve_has_its_first_level(shape: Shape) -> None:
    plan = whole()
    played = play(plan, AdaptiveChooser(plan), on(shape))
    asked = [plan.steps[index].setting for index in played.asked]
    firsts: dict[object, int] = {}
    for step in plan.steps:
        if step.setting.probe is not Probe.MIXED:
            firsts.setdefault(step.setting.curve_key, step.setting.threads)
    for key, threads in firsts.items():
        assert any(each.curve_key == key and each.threads == threads for each in asked)


@given(st.integers(), st.floats(0.05, 0.95))
@settings(max_examples=30)
def test_points_that_fail_do_not_hold_it_up(seed: int, share: float) -> None:
    plan = whole()
    dice = random.Random(seed)
    steady = on(lambda threads: 1000.0 * threads / (threads + 6))

    def measure(times: int, setting: Setting) -> Sequence[Point]:
        return () if dice.random() < share else steady(times, setting)

    played = play(plan, AdaptiveChooser(plan), measure)
    asked = Counter(played.asked)
    back = {index for index, times in asked.items() if times > 1}
    assert back <= {index for steps in ways_to_sync(plan) for index in steps}
    assert max(asked.values()) <= ROUNDS


def test_where_every_point_fails_it_ends() -> None:
    plan = whole()
    played = play(plan, AdaptiveChooser(plan), lambda *_: ())
    assert 0 < len(played.asked) < len(plan.steps)


def test_a_curve_is_coarse_first_then_fine_where_it_bends() -> None:
    plan = plan_of(*map(read, LEVELS))
    played = play(plan, AdaptiveChooser(plan), on(lambda threads: 1000.0 * min(threads, 10) / 10))
    threads = played.threads(plan)
    assert threads[:4] == [1, 4, 16, 64]
    assert set(threads[4:]) <= {8, 32}
    assert 8 in threads


def test_reads_are_finished_before_anything_writes() -> None:
    plan = whole()
    played = play(plan, AdaptiveChooser(plan), on(lambda threads: 1000.0 * threads / (threads + 6)))
    probes = [plan.steps[index].setting.probe for index in played.asked]
    last_read = max(at for at, probe in enumerate(probes) if probe is Probe.RANDOM_READ)
    assert last_read < probes.index(Probe.RANDOM_WRITE)


def test_with_a_budget_of_time_all_curves_grow_together() -> None:
    plan = whole(budget=Budget(seconds=1000))
    played = play(plan, AdaptiveChooser(plan), on(lambda threads: 1000.0 * threads / (threads + 6)))
    asked = [plan.steps[index].setting for index in played.asked]
    usual = [step.setting for step in plan.steps if "set" not in step.setting.options]
    curves = {each.curve_key for each in usual if each.probe is not Probe.MIXED}
    assert {each.curve_key for each in asked[: len(curves)]} == curves


def test_with_a_budget_of_time_no_probe_waits_for_another_s_details() -> None:
    plan = whole(budget=Budget(seconds=1000))
    played = play(plan, AdaptiveChooser(plan), on(lambda threads: 1000.0 * threads / (threads + 6)))
    asked = [plan.steps[index].setting for index in played.asked]
    reads = [
        at
        for at, each in enumerate(asked)
        if each.probe is Probe.RANDOM_READ and each.block_size_bytes == 16384 and not each.options
    ]
    first_redo = next(at for at, each in enumerate(asked) if each.probe is Probe.REDO_SYNC)
    assert reads[0] == 0
    assert reads[-1] > first_redo


def test_blocks_are_touched_again_after_they_were_touched_first() -> None:
    plan = whole(PlanName.STANDARD)
    played = play(plan, AdaptiveChooser(plan), on(lambda _: 1000.0))
    touches = [
        (each.threads, each.options["touch"])
        for each in (plan.steps[index].setting for index in played.asked)
        if "touch" in each.options
    ]
    assert touches == [(1, "first"), (1, "again"), (16, "first"), (16, "again")]


def swinging(
    often: int, trust: Trust = Trust.DOUBTFUL, *, above: int = 0
) -> Callable[[int, Setting], list[Point]]:
    """Points of blocks above a size swing for the first ``often`` times they are measured."""

    def measure(times: int, setting: Setting) -> list[Point]:
        swings = times < often and setting.block_size_bytes > above
        half, kept = (0.6, trust) if swings else (0.01, Trust.OK)
        return [point(setting, 1000.0, half=half, trust=kept)]

    return measure


def blocks(count: int) -> Plan:
    """As many curves of one point."""
    return plan_of(*(read(1, 512 * size) for size in range(1, count + 1)))


def test_a_point_that_swung_is_measured_once_more() -> None:
    plan = blocks(16)
    played = play(plan, AdaptiveChooser(plan), swinging(1, above=512 * 15))
    assert played.asked == [*range(16), 15]


def test_a_point_that_swings_again_is_left_at_that() -> None:
    plan = blocks(16)
    played = play(plan, AdaptiveChooser(plan), swinging(9, above=512 * 15))
    assert played.asked == [*range(16), 15]


def test_few_points_are_measured_again() -> None:
    plan = blocks(40)
    played = play(plan, AdaptiveChooser(plan), swinging(1, above=512 * 31))
    assert len(played.asked) == 40 + 1 + 40 // STEPS_PER_REPEAT
    assert set(Counter(played.asked).values()) == {1, 2}


def test_a_place_that_swings_as_a_whole_is_not_measured_twice() -> None:
    plan = blocks(40)
    played = play(plan, AdaptiveChooser(plan), swinging(9))
    assert len(played.asked) == 40


def test_a_wide_point_that_is_trusted_is_not_measured_again() -> None:
    plan = plan_of(read(1))
    assert len(play(plan, AdaptiveChooser(plan), swinging(9, Trust.OK)).asked) == 1


def test_a_long_write_is_never_repeated() -> None:
    plan = plan_of(Setting(Probe.STEADY_WRITE, 4, 1 << 20, directory="/d"))
    plan = replace(plan, steps=(replace(plan.steps[0], within=0.0, least_s=0.0),))
    assert len(play(plan, AdaptiveChooser(plan), swinging(often=9)).asked) == 1


def test_a_first_touch_can_not_be_repeated() -> None:
    touch = replace(read(1), options={"set": "first_touch", "touch": "first"})
    plan = plan_of(touch)
    assert len(play(plan, AdaptiveChooser(plan), swinging(often=9)).asked) == 1


class Clock:
    """One second passes with every look."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 1.0
        return self.now


def test_it_stops_when_the_time_is_used_up_and_says_so() -> None:
    plan = whole(budget=Budget(seconds=10))
    for chooser in (AdaptiveChooser(plan, Clock()), InOrder(plan, Clock())):
        played = play(plan, chooser, on(lambda _: 1000.0))
        assert len(played.asked) == 10
        assert "10\u202fs is used up" in chooser.stopped_because
        assert "left out" in chooser.stopped_because


def test_it_stops_when_the_bytes_are_used_up() -> None:
    plan = plan_of(*map(read, LEVELS), budget=Budget(read_bytes=3 * 1000 * 16384))
    chooser = InOrder(plan)
    played = play(plan, chooser, on(lambda _: 1000.0))
    assert len(played.asked) == 3
    assert "to read is used up" in chooser.stopped_because


def test_what_the_engine_issued_counts_before_what_operations_suggest() -> None:
    plan = plan_of(*map(read, LEVELS), budget=Budget(written_bytes=100))
    issued = {"issued": {"read_bytes": 0, "written_bytes": 60}}
    played = play(
        plan,
        InOrder(plan),
        lambda _, setting: [replace(point(setting, 1000.0), details=issued)],
    )
    assert len(played.asked) == 2


def test_enough_of_a_budget_is_not_worth_a_word() -> None:
    plan = whole(budget=Budget(seconds=1e6))
    chooser = AdaptiveChooser(plan)
    play(plan, chooser, on(lambda _: 1000.0))
    assert chooser.stopped_because == ""


def test_a_plan_that_is_not_adaptive_is_measured_as_it_stands() -> None:
    plan = plan_of(*map(read, LEVELS))
    assert isinstance(chooser_for(plan), AdaptiveChooser)
    plan = replace(plan, adaptive=False)
    played = play(plan, chooser_for(plan), on(lambda _: 1000.0))
    assert played.asked == list(range(len(LEVELS)))

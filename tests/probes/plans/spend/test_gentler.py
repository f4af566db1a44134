"""What is left out once a server got slower beside a point, and how that is said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from probes.errors import GuardTripped
from probes.kinds.kind import Kind
from probes.plans.build.builtin import make_plan
from probes.plans.build.deciding import DecidingChooser, in_short_points
from probes.plans.plan import Plan, PlanName
from probes.plans.spend.chooser import AdaptiveChooser, Chooser, InOrder
from probes.plans.spend.gentler import StepBacks, load_of
from probes.points import Point, Probe, Setting
from tests.points import point
from tests.probes.plans.build.test_deciding import Told
from tests.probes.plans.drives import plan_of, play, read

BECAUSE = "3 of its latest 5 reads took longer."


def mixed(readers: int, rate: str) -> Setting:
    options = {"flush_per_s": rate, "doublewrite": "on", "sync": "fdatasync"}
    return Setting(Probe.MIXED, readers, 16384, 1, "/d", options)


def flush(cleaners: int) -> Setting:
    return Setting(Probe.PAGE_FLUSH, cleaners, 16384, 1, "/d", {"doublewrite": "on"})


def write(threads: int) -> Setting:
    return Setting(Probe.RANDOM_WRITE, threads, 16384, 1, "/d")


def sync(committers: int) -> Setting:
    return Setting(Probe.REDO_SYNC, committers, 512, 1, "/d", {"sync": "fdatasync"})


def lookup(connections: int) -> Setting:
    return Setting(Probe.POINT_SELECT, connections)


@pytest.mark.parametrize(
    ("slowed", "left_out", "stays"),
    [
        (read(64), [read(64), read(256), read(64, 4096), mixed(64, "0")], [read(32), write(256)]),
        (read(64), [mixed(128, "max")], [mixed(32, "max"), sync(64), flush(4), lookup(64)]),
        (
            write(64),
            [write(64), flush(1), mixed(1, "max")],
            [write(16), mixed(1, "500"), read(256)],
        ),
        (flush(4), [flush(4), mixed(1, "max")], [flush(1), write(256), mixed(64, "1000")]),
        (sync(16), [sync(64)], [sync(4), mixed(64, "max")]),
        (mixed(16, "1000"), [mixed(16, "max"), mixed(64, "1000")], [mixed(16, "0"), read(256)]),
        (lookup(16), [lookup(64)], [lookup(4), read(256)]),
    ],
)
def test_what_loads_as_hard_is_left_out_and_what_is_gentler_or_other_stays(
    slowed: Setting, left_out: list[Setting], stays: list[Setting]
) -> None:
    plan = plan_of(*left_out, *stays)
    found = StepBacks(plan).slowed(slowed, BECAUSE)
    assert found == tuple(range(len(left_out)))


def test_every_setting_of_a_shipped_plan_has_its_load() -> None:
    kinds = frozenset(Kind)
    made = make_plan(
        PlanName.THOROUGH, directory="/d", kinds=kinds, working_sets=("cached",), sandbox=True
    )
    assert all(sum(load_of(step.setting)) > 0 for step in made.steps)


def test_the_second_gentle_point_ends_the_run() -> None:
    plan = plan_of(read(1), read(64), sync(1))
    once = StepBacks(plan)
    once.slowed(read(64), BECAUSE)
    once.slowed(sync(1), BECAUSE)
    with pytest.raises(
        GuardTripped, match="even beside gentle points, at last random read"
    ) as told:
        once.slowed(read(1), BECAUSE)
    assert BECAUSE in told.value.sentence
    assert "kept" in told.value.advice


def test_how_much_was_left_out_is_said_with_the_reasons_and_the_recovery() -> None:
    plan = replace(plan_of(*map(read, (1, 4, 16, 64)), write(4), sync(1)), adaptive=False)
    backs = StepBacks(plan)
    assert backs.sentence([]) == ""
    backs.slowed(read(16), BECAUSE)
    backs.recovered(1.5)
    backs.slowed(write(4), BECAUSE)
    assert backs.sentence([]).endswith("4 threads.")
    backs.recovered(1.2)
    measured = [point(read(1), 1000.0), point(read(4), 2000.0), point(sync(1), 500.0)]
    said = backs.sentence(measured).replace("\u202f", " ")
    assert said == (
        "3 of 6 points left out: the server got slower beside random read 16 KiB, 16 threads and "
        "beside random write 16 KiB, 4 threads, and recovered within 1.50 s."
    )
    # A point that was done before that was noticed is not left out.
    assert backs.sentence([*measured, point(read(16), 3000.0)]).startswith("2 of 6 points")


def whole(**changes: object) -> Plan:
    kinds = frozenset(Kind) - {Kind.STEADY, Kind.MYSQL}
    made = make_plan(PlanName.QUICK, directory="/d", kinds=kinds)
    return replace(made, **changes)  # type: ignore[arg-type]


def choosers() -> list[tuple[Plan, Chooser]]:
    adaptive, in_order = whole(), whole(adaptive=False)
    deciding = in_short_points(whole())

    def worth(points: Sequence[Point]) -> Mapping[int, float]:
        """What was not measured yet is worth its time."""
        known = {(each.setting.probe, each.setting.threads) for each in points}
        settings = enumerate(step.setting for step in deciding.steps)
        return {at: 1.0 for at, each in settings if (each.probe, each.threads) not in known}

    return [
        (adaptive, AdaptiveChooser(adaptive)),
        (in_order, InOrder(in_order)),
        (deciding, DecidingChooser(deciding, Told(worth))),
    ]


def measured(setting: Setting) -> list[Point]:
    if setting.probe is not Probe.MIXED:
        return [point(setting, 1000.0 * setting.threads / (setting.threads + 6))]
    options = setting.options
    parts = ("reads", "redo", "flush")[: 2 if options["flush_per_s"] == "0" else 3]
    return [point(replace(setting, options={**options, "part": each}), 1e3) for each in parts]


@pytest.mark.parametrize("which", range(3), ids=["adaptive", "in order", "deciding"])
def test_every_chooser_goes_on_with_the_rest_and_ends(which: int) -> None:
    """On a server that 32 readers slow down, and 4 page cleaners."""
    plan, chooser = choosers()[which]
    backs, left_out = StepBacks(plan), list[Setting]()

    def measure(_: int, setting: Setting) -> list[Point]:
        assert setting not in left_out
        load = load_of(setting)
        if not any(load.as_hard_as(load_of(slow)) for slow in (read(32), flush(4))):
            return measured(setting)
        steps = backs.slowed(setting, BECAUSE)
        left_out.extend(plan.steps[index].setting for index in steps)
        chooser.leave_out(steps)
        return []

    played = play(plan, chooser, measure)
    assert left_out
    probes = {each.setting.probe for each in played.points}
    assert probes >= {Probe.RANDOM_READ, Probe.RANDOM_WRITE, Probe.REDO_SYNC, Probe.PAGE_FLUSH}
    readers = {
        each.setting.threads for each in played.points if each.setting.probe is Probe.RANDOM_READ
    }
    assert readers >= {1, 16} if which < 2 else readers >= {1}

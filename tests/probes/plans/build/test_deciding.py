"""The chooser that is told what each step is worth: order, turns, ends."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from probes.kinds.kind import Kind
from probes.plans.build.builtin import make_plan
from probes.plans.build.deciding import Block, DecidingChooser, compared, in_short_points
from probes.plans.plan import Budget, Plan, PlanName
from probes.plans.wishes import Wishes
from probes.points import Point, Probe, Setting
from tests.points import point
from tests.probes.plans.drives import plan_of, play, read

Worth = Callable[[Sequence[Point]], Mapping[int, float]]


@dataclass
class Told:
    """Says what it was told to say."""

    worth: Worth
    looks: list[int] = field(default_factory=list)
    watch: Block | None = None

    @dataclass(frozen=True)
    class Scores:
        steps: Mapping[int, float]
        watch: Block | None = None

    def worths(self, points: Sequence[Point]) -> Scores:
        self.looks.append(len(points))
        return self.Scores(self.worth(points), self.watch)


def measured(_: int, setting: Setting) -> list[Point]:
    return [point(setting, 1000.0)]


def sync(word: str) -> Setting:
    return Setting(Probe.REDO_SYNC, 1, 4096, 1, "/d", {"sync": word})


def test_nothing_is_measured_where_nothing_is_open() -> None:
    plan = plan_of(read(1), read(4))
    assert play(plan, DecidingChooser(plan, Told(lambda _: {})), measured).asked == []


def test_what_is_worth_most_comes_first_and_what_is_worth_nothing_does_not() -> None:
    plan = plan_of(read(1, 4096), read(1, 8192), read(1, 16384))
    worth = {1: 1.0, 2: 5.0}
    told = Told(lambda points: {} if points else worth)
    assert play(plan, DecidingChooser(plan, told), measured).asked == [2, 1]


def test_a_long_step_must_be_worth_more_than_a_short_one() -> None:
    plan = plan_of(read(1, 4096), read(1, 8192))
    long = replace(plan.steps[0], seconds=60.0, least_s=60.0)
    plan = replace(plan, steps=(long, plan.steps[1]))
    told = Told(lambda points: {} if points else {0: 2.0, 1: 1.0})
    assert play(plan, DecidingChooser(plan, told), measured).asked[0] == 1


def test_a_curve_begins_with_both_of_its_ends() -> None:
    plan = plan_of(*(read(threads) for threads in (1, 2, 4, 8, 16, 32, 64)))
    told = Told(lambda points: dict.fromkeys(range(7), 1.0) if not points else {})
    played = play(plan, DecidingChooser(plan, told), measured)
    assert played.threads(plan) == [1, 64]


def test_levels_come_where_the_curve_bends_and_not_where_it_is_flat() -> None:
    plan = plan_of(*(read(threads) for threads in (1, 2, 4, 8, 16, 32, 64)))

    def untried(points: Sequence[Point]) -> dict[int, float]:
        known = {each.setting.threads for each in points}
        steps = enumerate(plan.steps)
        return {index: 1.0 for index, step in steps if step.setting.threads not in known}

    played = play(
        plan,
        DecidingChooser(plan, Told(untried)),
        lambda _, setting: [point(setting, 1000.0 * min(setting.threads, 8))],
    )
    assert len(played.asked) == len(set(played.asked)) <= len(plan.steps)
    assert 8 in played.threads(plan)
    flat = play(plan, DecidingChooser(plan, Told(untried)), measured)
    assert len(flat.asked) < len(played.asked)
    assert len(flat.asked) <= 3


def test_what_is_compared_is_repeated_in_turns() -> None:
    plan = plan_of(sync("fdatasync"), sync("fsync"))
    told = Told(lambda points: dict.fromkeys(range(2), 1.0) if len(points) < 8 else {})
    played = play(plan, DecidingChooser(plan, told), measured)
    assert played.asked[:8] == [0, 1, 1, 0, 0, 1, 1, 0]


def test_a_mixture_is_repeated_with_its_quiet_one() -> None:
    def mixed(rate: str) -> Setting:
        return Setting(Probe.MIXED, 16, 16384, 1, "/d", {"flush_per_s": rate})

    plan = plan_of(mixed("0"), mixed("max"), mixed("500"))
    assert compared(plan) == {1: (0, 1), 2: (0, 2)}


def mixtures(*written_per_s: float) -> Plan:
    """A plan of mixtures, and of the reads and flushes that they are chosen by."""
    kinds = frozenset({Kind.MIXED})
    found = written_per_s[0] if written_per_s else None
    made = make_plan(PlanName.QUICK, directory="/d", kinds=kinds, pages_written_per_s=found)
    return replace(in_short_points(made), file_sets=())


def asked_mixtures(plan: Plan, worth: Worth) -> list[str]:
    played = play(plan, DecidingChooser(plan, Told(worth)), measured)
    settings = [plan.steps[index].setting for index in played.asked]
    return [each.options["flush_per_s"] for each in settings if each.probe is Probe.MIXED]


def flushing(plan: Plan, *rates: str) -> dict[int, float]:
    """A worth of 1 for mixtures at these rates, whatever the readers."""
    return {
        index: 1.0
        for index, step in enumerate(plan.steps)
        if step.setting.options.get("flush_per_s") in rates
    }


def test_a_mixture_begins_idle_beside_the_servers_own_rate_and_beside_all() -> None:
    own = mixtures(1347.0)
    ends = flushing(own, "0", "1300", "max")
    assert asked_mixtures(own, lambda points: {} if points else ends) == ["0", "1300", "max"]
    unknown = mixtures()
    ends = flushing(unknown, "0", "max")
    assert asked_mixtures(unknown, lambda points: {} if points else ends) == ["0", "max"]


def test_rates_between_come_only_where_they_tell_something() -> None:
    plan = mixtures(1347.0)
    ends, between = flushing(plan, "0", "1300", "max"), flushing(plan, "500", "1000", "2000")

    def untried(points: Sequence[Point]) -> dict[int, float]:
        known = {each.setting.options["flush_per_s"] for each in points}
        left = {plan.steps[index].setting.options["flush_per_s"]: index for index in between}
        telling = flushing(plan, *(left.keys() - known))
        return telling if points else ends

    assert asked_mixtures(plan, untried) == ["0", "1300", "max", "1000", "2000", "500"]
    assert asked_mixtures(plan, lambda points: {} if points else ends) == ["0", "1300", "max"]


def test_idle_and_beside_flushing_take_turns() -> None:
    plan = mixtures(1347.0)
    ends, own = flushing(plan, "0", "1300", "max"), flushing(plan, "1300")
    asked = asked_mixtures(
        plan, lambda points: (own if len(points) < 8 else {}) if points else ends
    )
    assert asked == ["0", "1300", "max", "1300", "0", "0", "1300", "1300", "0"]


def test_the_idle_mixture_never_comes_again_alone() -> None:
    plan = mixtures()
    ends, idle = flushing(plan, "0", "max"), flushing(plan, "0")
    asked = asked_mixtures(
        plan, lambda points: (idle if len(points) < 6 else {}) if points else ends
    )
    assert asked == ["0", "max", "max", "0", "0", "max"]


def test_a_step_that_gave_no_point_is_not_tried_again() -> None:
    plan = plan_of(read(1), read(4))
    told = Told(lambda _: dict.fromkeys(range(2), 1.0))
    played = play(plan, DecidingChooser(plan, told), lambda *_: ())
    assert sorted(played.asked) == [0, 1]


def test_a_first_touch_is_never_repeated() -> None:
    touch = Setting(Probe.RANDOM_READ, 1, 16384, 1, "/d", {"set": "first_touch", "touch": "first"})
    plan = plan_of(touch)
    told = Told(lambda _: {0: 1.0})
    assert play(plan, DecidingChooser(plan, told), measured).asked == [0]


def test_a_budget_ends_it_and_says_so() -> None:
    plan = plan_of(read(1), read(4), budget=Budget(seconds=10.0))
    clock = [0.0]
    chooser = DecidingChooser(plan, Told(lambda _: dict.fromkeys(range(2), 9.0)), lambda: clock[0])

    def takes(_: int, setting: Setting) -> list[Point]:
        clock[0] += 3.0
        return [point(setting, 1000.0)]

    assert len(play(plan, chooser, takes).asked) == 4
    assert chooser.stopped_because.endswith("is used up. Some questions may still be open.")


def test_it_looks_while_the_last_step_is_measured_and_once_more_before_it_ends() -> None:
    plan = plan_of(read(1))
    told = Told(lambda points: {} if points else {0: 1.0})
    chooser = DecidingChooser(plan, told)
    assert chooser.choose([]) == 0
    chooser.look([])
    assert told.looks == [0, 0], "the queue is empty: it thinks ahead"
    assert chooser.choose([point(read(1), 1000.0)]) is None
    assert told.looks == [0, 0, 1], "the last point may have opened a question"


def test_files_that_are_not_there_yet_count() -> None:
    kinds = frozenset({Kind.STORAGE, Kind.REDO})
    plan = make_plan(PlanName.QUICK, directory="/d", kinds=kinds, wishes=Wishes(deciding=True))
    told = Told(lambda points: {} if points else dict.fromkeys(range(len(plan.steps)), 1.0))
    played = play(plan, DecidingChooser(plan, told), measured)
    settings = [plan.steps[index].setting for index in played.asked]
    assert len(settings) > 2
    for setting in settings:
        assert setting.probe is Probe.REDO_SYNC or setting.options == {"set": "sparse"}


def test_points_are_short_where_repeats_follow() -> None:
    plan = make_plan(PlanName.QUICK, directory="/d", kinds=frozenset(Kind))
    short = in_short_points(plan)
    assert short.deciding and not plan.deciding
    for before, after in zip(plan.steps, short.steps, strict=True):
        assert after.setting == before.setting
        assert after.least_s <= after.seconds <= before.seconds or not before.within


def test_time_is_left_for_a_watch_that_settles_more_in_a_second() -> None:
    plan = replace(plan_of(*(read(threads) for threads in (1, 4, 16, 64))), budget=Budget(30.0))

    def untried(points: Sequence[Point]) -> dict[int, float]:
        known = {each.setting.threads for each in points}
        return {n: 1.0 for n, s in enumerate(plan.steps) if s.setting.threads not in known}

    def measured_before(watch: Block | None) -> int:
        chooser = DecidingChooser(plan, Told(untried, watch=watch), lambda: 0.0)
        return len(play(plan, chooser, measured).asked)

    everything = measured_before(None)
    assert everything == 3, "the curve is flat"
    assert measured_before(Block((), 100.0, 29.5)) == 0
    assert measured_before(Block((), 0.1, 29.5)) == everything
    assert measured_before(Block((), 100.0, 60.0)) == everything, "the budget does not have it"

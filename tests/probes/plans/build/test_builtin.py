"""The plans that ship keep what they promise."""

from __future__ import annotations

import pytest

from probes.kinds.kind import CHECK_KINDS, Kind
from probes.kinds.table import PROBES_OF
from probes.plans.build.builtin import make_plan
from probes.plans.plan import Budget, Guard, Plan, PlanName, Step
from probes.plans.shapes import MIB
from probes.plans.spend.expected import BETWEEN_S, expected_steps, longest_s
from probes.plans.wishes import Wishes
from probes.points import Probe, Setting

LIMITS_S = {PlanName.QUICK: 90, PlanName.STANDARD: 300, PlanName.THOROUGH: 1800}


def full(name: PlanName) -> Plan:
    return make_plan(name, directory="/srv/data", working_sets=("cached", "uncached"), sandbox=True)


@pytest.mark.parametrize("name", list(PlanName))
def test_a_whole_plan_fits_its_time(name: PlanName) -> None:
    assert full(name).seconds <= LIMITS_S[name]


@pytest.mark.parametrize("name", list(PlanName))
def test_every_plan_reads_three_block_sizes_at_six_concurrencies_or_more(name: PlanName) -> None:
    reads = [s.setting for s in full(name).steps if s.setting.probe is Probe.RANDOM_READ]
    by_size: dict[int, set[int]] = {}
    for setting in reads:
        by_size.setdefault(setting.block_size_bytes, set()).add(setting.threads)
    assert {4096, 8192, 16384} <= set(by_size)
    assert all(len(threads) >= 6 for threads in by_size.values())


@pytest.mark.parametrize("name", list(PlanName))
def test_no_setting_is_measured_twice(name: PlanName) -> None:
    keys = [(s.setting.curve_key, s.setting.threads) for s in full(name).steps]
    assert len(keys) == len(set(keys))


def test_without_a_directory_only_the_server_is_measured() -> None:
    plan = make_plan(PlanName.QUICK, directory="", working_sets=("existing",))
    assert {s.setting.probe for s in plan.steps} == {Probe.POINT_SELECT}
    assert plan.file_sets == ()


def test_connections_of_a_shared_server_are_capped() -> None:
    plan = make_plan(
        PlanName.STANDARD, directory="/d", working_sets=("existing",), max_connections=20
    )
    lookups = [s.setting.threads for s in plan.steps if s.setting.probe is Probe.POINT_SELECT]
    assert max(lookups) == 16
    reads = [s.setting.threads for s in plan.steps if s.setting.probe is Probe.RANDOM_READ]
    assert max(reads) == 1024


def of(name: PlanName, *kinds: Kind, **wishes: object) -> Plan:
    return make_plan(
        name,
        directory="/d",
        kinds=frozenset(kinds),
        working_sets=("cached",),
        wishes=Wishes(**wishes),  # type: ignore[arg-type]
    )


def settings_of(plan: Plan, probe: Probe) -> list[Setting]:
    return [step.setting for step in plan.steps if step.setting.probe is probe]


@pytest.mark.parametrize("kind", list(Kind))
@pytest.mark.parametrize("name", list(PlanName))
def test_a_kind_measures_its_own_probes(name: PlanName, kind: Kind) -> None:
    plan = of(name, kind, update=kind is Kind.MYSQL)
    probes = {step.setting.probe for step in plan.steps}
    assert set(PROBES_OF[kind]) <= probes
    if kind is not Kind.MIXED:
        assert probes == set(PROBES_OF[kind])


def test_a_check_leaves_out_what_must_be_asked_for() -> None:
    probes = {step.setting.probe for step in full(PlanName.QUICK).steps}
    assert probes == {
        Probe.RANDOM_READ,
        Probe.RANDOM_WRITE,
        Probe.REDO_SYNC,
        Probe.PAGE_FLUSH,
        Probe.POINT_SELECT,
    }
    assert Kind.STEADY not in CHECK_KINDS


def test_eleven_levels_of_the_standard_plan_take_a_tenth_of_eleven_minutes() -> None:
    levels = tuple(1 << exponent for exponent in range(11))
    plan = of(
        PlanName.STANDARD,
        Kind.STORAGE,
        threads=levels,
        block_sizes=(16384,),
        probes=(Probe.RANDOM_READ,),
    )
    assert [step.setting.threads for step in plan.steps] == list(levels)
    assert not plan.adaptive
    # What is left of 66 s makes and reads the files on a drive that is not slow.
    assert longest_s(plan) <= 58


@pytest.mark.parametrize(
    ("name", "within", "longest"),
    [(PlanName.QUICK, 0.05, 3), (PlanName.STANDARD, 0.03, 6), (PlanName.THOROUGH, 0.015, 25)],
)
def test_points_are_as_sure_as_their_plan_says(
    name: PlanName, within: float, longest: float
) -> None:
    [step] = of(
        name, Kind.STORAGE, threads=(4,), block_sizes=(16384,), probes=(Probe.RANDOM_READ,)
    ).steps
    assert step.within == within
    assert 0 < step.least_s < step.seconds
    assert step.warmup_s + step.seconds + BETWEEN_S <= longest


def test_to_be_surer_may_take_longer() -> None:
    def step(within: float | None) -> Step:
        return of(PlanName.QUICK, Kind.REDO, within=within).steps[0]

    assert step(0.02).seconds > step(None).seconds == step(0.2).seconds
    assert step(0.02).within == 0.02
    assert step(0.001).seconds <= 60


def test_named_levels_and_sizes_are_all_there_is() -> None:
    plan = of(PlanName.QUICK, Kind.STORAGE, threads=(3, 5), block_sizes=(32768,))
    assert {step.setting.threads for step in plan.steps} == {3, 5}
    assert {step.setting.block_size_bytes for step in plan.steps} == {32768}
    assert not any(step.setting.options for step in plan.steps)
    assert expected_steps(plan) == list(plan.steps)


def test_each_probe_takes_the_sizes_that_it_can() -> None:
    plan = of(
        PlanName.QUICK,
        *(Kind.STORAGE, Kind.FLUSH, Kind.STEADY),
        threads=(1,),
        block_sizes=(512, 16384, 1 << 20),
    )
    sizes: dict[Probe, set[int]] = {}
    for step in plan.steps:
        sizes.setdefault(step.setting.probe, set()).add(step.setting.block_size_bytes)
    assert sizes == {
        Probe.RANDOM_READ: {512, 16384},
        Probe.RANDOM_WRITE: {512, 16384},
        Probe.PAGE_FLUSH: {16384},
        Probe.STEADY_WRITE: {16384, 1 << 20},
    }


def test_a_mixture_that_was_not_asked_for_is_left_out() -> None:
    plan = of(PlanName.QUICK, Kind.STORAGE, Kind.MIXED, probes=(Probe.RANDOM_READ,))
    assert {step.setting.probe for step in plan.steps} == {Probe.RANDOM_READ}


def test_every_level_is_measured_where_that_is_asked_for() -> None:
    plan = of(PlanName.QUICK, Kind.STORAGE, every_level=True)
    assert expected_steps(plan) == list(plan.steps)
    assert len(expected_steps(of(PlanName.QUICK, Kind.STORAGE))) < len(plan.steps)


def test_a_short_budget_is_expected_to_leave_steps_out() -> None:
    short = of(PlanName.QUICK, Kind.STORAGE, Kind.MYSQL, budget=Budget(seconds=25))
    usual = of(PlanName.QUICK, Kind.STORAGE, Kind.MYSQL)
    assert 3 < len(expected_steps(short)) < len(expected_steps(usual)) / 2
    assert short.seconds == 25


def test_reads_tell_caches_compression_and_first_touch_from_the_drive() -> None:
    reads = settings_of(of(PlanName.QUICK, Kind.STORAGE), Probe.RANDOM_READ)
    assert {each.options.get("set") for each in reads} == {
        None,
        "small",
        "first_touch",
        "zeros",
        "sparse",
    }
    touches = [each.options["touch"] for each in reads if "touch" in each.options]
    assert touches == ["first", "again"]


def test_the_sets_differ_in_what_they_are_for() -> None:
    sets = {each.name: each for each in of(PlanName.STANDARD, Kind.STORAGE).file_sets}
    assert sets["small"].total_bytes == 128 * MIB
    assert (sets["zeros"].content, sets["sparse"].content) == ("zeros", "sparse")
    assert not sets["first_touch/1"].settle
    assert not sets["first_touch/16"].settle
    assert sets["small"].settle


def test_redo_grows_is_grouped_and_has_a_binlog() -> None:
    redo = settings_of(of(PlanName.STANDARD, Kind.REDO), Probe.REDO_SYNC)
    grouped = {each.threads for each in redo if each.block_size_bytes == 512}
    assert grouped >= {1, 2, 4, 8, 16, 32, 64}
    assert any(each.options.get("log") == "growing" for each in redo)
    assert any(each.options.get("binlog") == "1" for each in redo)
    assert {each.options["sync"] for each in redo} == {"fdatasync", "fsync", "o_dsync"}


def test_flushes_come_with_each_doublewrite() -> None:
    flushes = settings_of(of(PlanName.QUICK, Kind.FLUSH), Probe.PAGE_FLUSH)
    assert {(each.options["doublewrite"], each.threads) for each in flushes} == {
        (doublewrite, cleaners) for doublewrite in ("off", "on", "legacy") for cleaners in (1, 4)
    }


def test_reads_come_before_writes_whichever_kinds_are_asked_for() -> None:
    plan = of(PlanName.QUICK, Kind.FLUSH, Kind.MIXED)
    probes = [step.setting.probe for step in plan.steps]
    reads = probes.count(Probe.RANDOM_READ)
    assert reads
    assert set(probes[:reads]) == {Probe.RANDOM_READ}


def test_updates_are_asked_for_and_never_by_handler() -> None:
    asked = of(PlanName.QUICK, Kind.MYSQL, update=True, protocols=("prepared", "handler"))
    assert {each.options["protocol"] for each in settings_of(asked, Probe.PK_UPDATE)} == {
        "prepared"
    }
    lookups = settings_of(asked, Probe.POINT_SELECT)
    assert {each.options["protocol"] for each in lookups} == {"prepared", "handler"}
    assert settings_of(of(PlanName.QUICK, Kind.MYSQL), Probe.PK_UPDATE) == []


def test_a_long_write_ends_where_its_budget_does() -> None:
    [usual] = of(PlanName.QUICK, Kind.STEADY).steps
    assert usual.byte_limit > 0
    budget = Budget(seconds=30, written_bytes=5 << 30)
    [limited] = of(PlanName.QUICK, Kind.STEADY, budget=budget).steps
    assert (limited.seconds, limited.byte_limit) == (30, 5 << 30)
    assert limited.within == 0


def test_the_guard_stops_where_the_budget_says() -> None:
    plan = of(PlanName.QUICK, Kind.REDO, budget=Budget(added_us=7000))
    assert plan.guard == Guard(added_us=7000)
    assert of(PlanName.QUICK, Kind.REDO, guard=None).guard is None


def test_a_second_engine_gets_a_few_points_that_it_can_measure() -> None:
    plan = of(PlanName.STANDARD, Kind.STORAGE, Kind.REDO, cross_engine="fio")
    checked = [plan.steps[index].setting for index in plan.cross_steps]
    assert 0 < len(checked) < len(plan.steps) / 2
    assert {each.probe for each in checked} == {
        Probe.RANDOM_READ,
        Probe.RANDOM_WRITE,
        Probe.REDO_SYNC,
    }
    assert not any(set(each.options) - {"sync"} for each in checked)

"""The plans that ship keep what they promise."""

from __future__ import annotations

import pytest

from probes.plans.builtin import make_plan
from probes.plans.plan import Plan, PlanName
from probes.points import Probe

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

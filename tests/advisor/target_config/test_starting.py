"""A starting configuration: what it rests on, each line with its reason, no guess unnamed."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from advisor.case import Case
from advisor.judging.engine import judge
from advisor.plan.change_plan import ChangePlan, Group
from advisor.plan.export import cnf
from advisor.plan.target import same
from advisor.report.forms.plan_formats import FORMATS
from advisor.report.forms.text import page
from advisor.report.sections.plan import starting, starting_in_short
from advisor.steps import SetVariable
from advisor.target_config.configuration import planned_of
from advisor.target_config.planned import plan_of
from advisor.target_config.starting import StartingConfiguration, starting_configuration
from advisor.upgrade.releases import SERIES, known_version
from advisor.variables.catalogue import span
from probes.errors import UsageError
from probes.figures import THIN
from tests.advisor.target_config.test_configuration import LOADED
from tests.each import some_of
from tests.rules.casework import build

GIB = 1 << 30
MACHINE: dict[str, Any] = {
    name: value for name, value in LOADED.items() if name not in {"server", "rates", "gauges"}
}
DISK: dict[str, Any] = {
    "reads_16k": [[1, 120], [4, 200], [16, 260], [64, 280]],
    "writes_one": [[1, 110], [4, 130], [16, 150], [64, 150]],
    "writes_many": [[1, 110], [4, 130], [16, 150], [64, 150]],
    "flush": {"on": 100, "off": 180, "legacy": 90},
    "sync": {"fdatasync": 9000, "fsync": 17000},
}
VERSIONS = [
    f"{flavour.value}-{numbers[0]}.{numbers[1]}"
    for flavour, releases in SERIES.items()
    for numbers in releases
]


def machine(**rest: Any) -> Case:
    return build(MACHINE | rest)


def started(
    version: str, case: Case | None = None, memory: int | None = None
) -> StartingConfiguration:
    return starting_configuration(case or machine(), known_version(version), memory)


@cache
def usual(version: str) -> StartingConfiguration:
    return started(version)


def plain(text: str) -> str:
    """A text with spaces of one kind."""
    return text.replace(THIN, " ")


def values(start: StartingConfiguration) -> dict[str, str]:
    return {step.name: step.value for _, step in start.plan.settings()}


@pytest.mark.parametrize("version", some_of(VERSIONS, 3))
class TestEveryVersion:
    def test_each_line_is_taken_there_has_a_reason_and_repeats_no_default(
        self, version: str
    ) -> None:
        start = usual(version)
        for action, step in start.plan.settings():
            known = span(known_version(version), step.name)
            assert known is not None, step
            assert known.low is None or known.low <= float(step.value) <= (known.high or 2**64)
            assert action.group is Group.RESTART
            assert action.notes, step
            if not known.formula and known.default is not None:
                assert not same(known.default, step.value), step

    def test_the_pool_has_most_of_the_memory(self, version: str) -> None:
        assert int(values(usual(version))["innodb_buffer_pool_size"]) == 48 * GIB

    def test_a_disk_is_not_asked_for_more_than_it_gives(self, version: str) -> None:
        planned = values(started(version, machine(**DISK)))
        known = span(known_version(version), "innodb_io_capacity")
        default = None if known is None else known.default
        # 200, the smallest default of all, brings nothing lower.
        assert int(planned.get("innodb_io_capacity", default or "0")) <= 200


def test_it_says_what_it_knows_and_what_it_assumes() -> None:
    start = started("mysql-8.4", memory=32 * GIB)
    text = plain(cnf.apply(start.plan))
    assert plain(start.title) == "Starting configuration for a new MySQL 8.4 with 32 GiB"
    assert text.startswith(f"# {plain(start.title)}.\n# Memory: 32 GiB, as given.\n")
    assert "# Drive: as measured" in text
    assert "# Assumed: there is more data than memory" in text
    assert "innodb_buffer_pool_size = 25769803776" in text
    assert (
        FORMATS["md"].apply(start.plan).startswith("# Starting configuration for a new MySQL 8.4")
    )
    for parts in (starting(start), starting_in_short(start)):
        told = page(parts)
        assert "Assumed: there is more data" in told
        assert "innodb_buffer_pool_size" in told


def test_memory_that_others_use_is_theirs() -> None:
    host = {"memory_gib": 64, "cpus": 16, "memory_available_bytes": 20 * GIB}
    start = started("mysql-8.4", machine(host=host))
    assert int(values(start)["innodb_buffer_pool_size"]) == 15 * GIB
    assert "Memory: 20 GiB, as far as it is free now." in map(plain, start.known)


def test_redo_grows_with_the_processors_and_stays_within_the_pool() -> None:
    def redo(cpus: int, memory_gib: int) -> int:
        host = {"memory_gib": memory_gib, "cpus": cpus}
        return int(values(started("mysql-8.4", machine(host=host)))["innodb_redo_log_capacity"])

    assert redo(2, 64) < redo(16, 64) <= 16 * GIB
    assert redo(16, 4) <= 2 * GIB


def test_a_server_that_is_there_plays_no_part() -> None:
    busy = build(LOADED | {"version": "8.0.33", "variables": {"innodb_io_capacity": "77"}})
    assert values(started("mysql-8.4", busy)) == values(usual("mysql-8.4"))


def test_the_machines_part_goes_with_it() -> None:
    host = MACHINE["host"] | {"transparent_hugepages": "always"}
    start = started("mysql-8.4", machine(host=host))
    assert start.plan.of(Group.MACHINE)
    assert not any(isinstance(a.step, SetVariable) for a in start.plan.of(Group.MACHINE))


@pytest.mark.parametrize(
    ("case", "memory", "sentence"),
    [
        (build({"host": {"memory_gib": 64}}), None, "No drive was measured here"),
        (machine(host=None), None, "The machine's memory is not known."),
        (machine(host={"cpus": 2}), None, "The machine's memory is not known."),
        (machine(), 256 << 20, "256 MiB of memory are too little for a server"),
    ],
    ids=["no drive", "no host", "no memory", "little memory"],
)
def test_what_can_not_be_started_is_said(case: Case, memory: int | None, sentence: str) -> None:
    with pytest.raises(UsageError) as told:
        started("mysql-8.4", case, memory)
    assert sentence in plain(told.value.sentence)
    assert told.value.advice


class TestLeadlinesOwnServer:
    @staticmethod
    def plan(case: Case, *without: str) -> ChangePlan:
        judgement = judge(case)
        chosen = [one for one in planned_of(judgement) if one.rule not in without]
        return plan_of(case, judgement, chosen, without=without)

    def test_its_plan_is_what_a_new_one_starts_with(self) -> None:
        sandbox = machine(version="8.0.33", variables={}, sandbox=True)
        plan = self.plan(sandbox)
        assert plan.about[0].startswith("Starting configuration for a new MySQL 8.0")
        assert {"innodb_buffer_pool_size", "innodb_redo_log_capacity"} <= {
            step.name for _, step in plan.settings()
        }

    def test_what_is_left_out_of_its_advice_stays_out(self) -> None:
        disk = machine(version="8.4.8", variables={}, sandbox=True, **DISK)
        assert "innodb_io_capacity" in {step.name for _, step in self.plan(disk).settings()}
        plan = self.plan(disk, "flushing.io-capacity", "flushing.io-capacity-max")
        assert "innodb_io_capacity" not in {step.name for _, step in plan.settings()}

    def test_without_a_drive_its_advice_stands(self) -> None:
        blind = build({"version": "8.0.33", "variables": {}, "sandbox": True})
        assert not self.plan(blind).about


@pytest.mark.parametrize(
    ("version", "said"),
    [
        ("mysql-5.6", "MySQL 5.6 has been out of support since February 2021."),
        ("mariadb-10.2", "MariaDB 10.2 has been out of support since May 2022."),
    ],
)
def test_a_series_out_of_support_is_said_first(version: str, said: str) -> None:
    start = usual(version)
    assert start.known[0] == said
    assert said in page(starting(start))
    assert said in cnf.apply(start.plan)


@pytest.mark.parametrize("version", ["mysql-8.0", "mysql-8.4", "mysql-9.7", "mariadb-11.8"])
def test_a_series_that_was_supported_on_the_day_is_not_called_old(version: str) -> None:
    assert "out of support" not in " ".join(usual(version).known)

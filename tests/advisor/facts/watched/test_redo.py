"""The redo log's facts, which each kind of server tells in its own way."""

from __future__ import annotations

from typing import Any

import pytest

from advisor.facts.catalogue import CATALOGUE
from advisor.facts.readings import Absent, Reading
from advisor.model.server.redo_log import RedoGrowth
from tests.rules.casework import build

MIB = 1 << 20


def read(name: str, spec: dict[str, Any]) -> Reading | Absent:
    return CATALOGUE[name].read(build(spec))


@pytest.mark.parametrize(
    ("version", "counter", "exact"),
    [
        ("8.0.33", "Innodb_redo_log_current_lsn", True),
        ("10.11.19-MariaDB", "Innodb_lsn_current", True),
        ("5.7.40", "Innodb_os_log_written", False),
    ],
)
def test_growth_is_the_head_of_the_log_else_what_was_written(
    version: str, counter: str, exact: bool
) -> None:
    reading = read("redo.growth", {"version": version, "rates": {counter: 4096}})
    assert isinstance(reading, Reading)
    assert reading.value == RedoGrowth(4096.0, 10.0, exact)
    assert ("in whole blocks" in reading.text) is not exact


def test_growth_over_a_restart_is_not_known() -> None:
    samples = {"Innodb_lsn_current": [9000, 100]}
    reading = read("redo.growth", {"version": "10.11.19-MariaDB", "samples": samples})
    assert isinstance(reading, Absent)


@pytest.mark.parametrize(
    ("version", "variables", "told", "size"),
    [
        ("8.0.33", {"innodb_redo_log_capacity": "104857600"}, 256 * MIB, 256 * MIB),
        ("8.0.33", {"innodb_redo_log_capacity": "104857600"}, 10 * MIB, 10 * MIB),
        ("8.0.33", {"innodb_redo_log_capacity": "1073741824"}, 100 * MIB, 1024 * MIB),
        ("8.0.33", {"innodb_redo_log_capacity": "1073741824"}, 2048 * MIB, 2048 * MIB),
        ("8.0.33", {"innodb_redo_log_capacity": "1073741824"}, None, 1024 * MIB),
        (
            "5.7.40",
            {"innodb_log_file_size": str(48 * MIB), "innodb_log_files_in_group": "3"},
            None,
            144 * MIB,
        ),
        (
            "10.5.23-MariaDB",
            {"innodb_log_file_size": str(96 * MIB), "innodb_log_files_in_group": "1"},
            None,
            96 * MIB,
        ),
        ("11.4.5-MariaDB", {"innodb_log_file_size": str(96 * MIB)}, None, 96 * MIB),
    ],
)
def test_the_size_is_what_rules_and_not_what_is_shown(
    version: str, variables: dict[str, str], told: int | None, size: int
) -> None:
    gauges = {} if told is None else {"Innodb_redo_log_capacity_resized": told}
    reading = read("redo.capacity", {"version": version, "variables": variables, "gauges": gauges})
    assert isinstance(reading, Reading)
    assert reading.value == size


@pytest.mark.parametrize(
    ("version", "size"),
    [("9.7.4", 100 * MIB), ("5.7.40", 96 * MIB), ("10.11.19-MariaDB", 96 * MIB)],
)
def test_a_throwaway_server_gives_the_default_size(version: str, size: int) -> None:
    reading = read("redo.capacity", {"version": version, "sandbox": True})
    assert isinstance(reading, Reading)
    assert reading.value == size
    assert reading.text.endswith("(by default)")


def test_the_age_is_the_larger_of_both_ends() -> None:
    samples = {
        "Innodb_redo_log_current_lsn": [1000, 1500],
        "Innodb_redo_log_checkpoint_lsn": [100, 1400],
    }
    reading = read("redo.checkpoint_age", {"version": "8.0.33", "samples": samples})
    assert isinstance(reading, Reading)
    assert reading.value == 900.0


@pytest.mark.parametrize(
    "samples",
    [
        {"Innodb_checkpoint_age": ["", "odd"]},
        {"Innodb_redo_log_current_lsn": [1, 1]},
        {"Innodb_redo_log_current_lsn": [1, 1], "Innodb_redo_log_checkpoint_lsn": [2, 2]},
    ],
)
def test_an_age_that_can_not_be_is_none(samples: dict[str, list[Any]]) -> None:
    reading = read("redo.checkpoint_age", {"version": "8.0.33", "samples": samples})
    assert isinstance(reading, Absent)


@pytest.mark.parametrize("name", ["redo.growth", "redo.checkpoint_age", "redo.enabled"])
def test_no_server_and_a_throwaway_one_tell_nothing(name: str) -> None:
    assert isinstance(read(name, {}), Absent)
    own = {"version": "8.0.33", "sandbox": True, "gauges": {"Innodb_redo_log_enabled": "ON"}}
    assert isinstance(read(name, own), Absent)


def test_a_log_of_no_size_is_not_known() -> None:
    spec = {
        "version": "8.0.33",
        "variables": {"innodb_redo_log_capacity": "0"},
        "status": {"Innodb_redo_log_capacity_resized": "0"},
    }
    assert isinstance(read("redo.capacity", spec), Absent)

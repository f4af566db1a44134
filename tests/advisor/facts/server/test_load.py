"""How busy a server is, which each kind tells in its own way."""

from __future__ import annotations

from typing import Any

import pytest

from advisor.facts.catalogue import CATALOGUE
from advisor.facts.readings import Absent, Reading
from advisor.why import Unseen
from advisor.wording.advice import why
from tests.rules.casework import build

SERVER = {"version": "8.0.33"}


def read(name: str, spec: dict[str, Any]) -> Reading | Absent:
    return CATALOGUE[name].read(build(spec))


def value(name: str, spec: dict[str, Any]) -> object:
    reading = read(name, spec)
    assert isinstance(reading, Reading), reading
    return reading.value


@pytest.mark.parametrize(
    ("samples", "running"),
    [([9, 41], 8.0), ([41, 9], 8.0), ([1, 1], 0.0), ([0, 0], 0.0)],
)
def test_at_work_is_who_works_at_both_ends_without_leadline(
    samples: list[int], running: float
) -> None:
    assert value("load.running", SERVER | {"samples": {"Threads_running": samples}}) == running


@pytest.mark.parametrize(
    ("rates", "pages_per_s"),
    [
        ({"Innodb_buffer_pool_read_ahead": 30, "Innodb_buffer_pool_read_ahead_rnd": 12}, 42.0),
        ({"Innodb_buffer_pool_read_ahead": 30}, 30.0),
    ],
)
def test_background_reads_are_both_kinds_of_read_ahead(
    rates: dict[str, float], pages_per_s: float
) -> None:
    assert value("load.background_reads", SERVER | {"rates": rates}) == pages_per_s


def test_the_history_is_in_the_status_or_in_the_metrics() -> None:
    metrics = {"server": {"metrics": {"trx_rseg_history_len": 12.0}}}
    assert value("purge.history", SERVER | metrics) == 12.0
    both = metrics | {"gauges": {"Innodb_history_list_length": 70}}
    assert value("purge.history", {"version": "10.11.19-MariaDB"} | both) == 70.0


@pytest.mark.parametrize(
    ("name", "because"),
    [
        ("load.running", "the server did not report Threads_running"),
        ("load.background_reads", "the server did not report its read-ahead"),
        ("purge.history", "MySQL 8.0.33 showed no history list length"),
        ("purge.oldest_transaction", "the age of open transactions was not asked for"),
        ("purge.delay_cap", "MySQL 8.0.33 has no innodb_max_purge_lag_delay"),
    ],
)
def test_what_was_not_told_is_absent(name: str, because: str) -> None:
    reading = read(name, SERVER | {"gauges": {"Uptime": 5}})
    assert isinstance(reading, Absent)
    assert because in why.because(reading.because)


def test_a_refusal_is_the_reason() -> None:
    spec = SERVER | {"missing": {"mysql.transactions": "the account has no PROCESS privilege"}}
    reading = read("purge.oldest_transaction", spec)
    assert reading == Absent("the account has no PROCESS privilege")


@pytest.mark.parametrize("name", ["load.running", "purge.history", "purge.oldest_transaction"])
def test_leadlines_own_server_says_nothing(name: str) -> None:
    full = {
        "samples": {"Threads_running": [5, 5]},
        "server": {"metrics": {"trx_rseg_history_len": 1.0}, "oldest_transaction_s": 1.0},
    }
    reading = read(name, SERVER | full | {"sandbox": True})
    assert isinstance(reading, Absent)
    assert reading.because is Unseen.OUR_SERVER

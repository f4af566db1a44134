"""What servers tell of their pool beside counters, and what they leave untold."""

from __future__ import annotations

from typing import Any

import pytest

from advisor.facts.catalogue import CATALOGUE
from advisor.facts.readings import Absent, Reading
from advisor.facts.server.pool import HashSearches
from advisor.wording.advice import why
from tests.rules.casework import build

# As MySQL 8.0 prints it, in the order of its sections.
STATUS = """
Per second averages calculated from the last 20 seconds
--Thread 140 has waited at btr0sea.ic line 122 for 0 seconds the semaphore:
--Thread 141 has waited at buf0buf.cc line 90 for 0 seconds the semaphore:
Ibuf: size 24000, free list len 100, seg size 24101, 900 merges
1000.50 hash searches/s, 9000.00 non-hash searches/s
"""


def read(name: str, spec: dict[str, Any]) -> Reading | Absent:
    return CATALOGUE[name].read(build({"version": "8.0.33"} | spec))


def told(text: str) -> dict[str, Any]:
    return {"server": {"innodb_status": text}}


def test_mysql_tells_its_hash_searches_as_averages() -> None:
    reading = read("pool.hash_searches", told(STATUS))
    assert isinstance(reading, Reading)
    assert reading.value == HashSearches(1000.5, 9000.0)
    assert "over 20" in reading.text


def test_averages_over_a_moment_are_no_averages() -> None:
    reading = read("pool.hash_searches", told(STATUS.replace("last 20", "last 4")))
    assert reading == Absent("the InnoDB status averaged over 4 s alone")


def test_the_windows_counters_come_before_the_servers_averages() -> None:
    rates = {
        "Innodb_adaptive_hash_hash_searches": 300,
        "Innodb_adaptive_hash_non_hash_searches": 100,
    }
    reading = read(
        "pool.hash_searches", told(STATUS) | {"version": "10.11.19-MariaDB", "rates": rates}
    )
    assert isinstance(reading, Reading)
    assert isinstance(reading.value, HashSearches)
    assert reading.value.share == 0.75


def test_nothing_searched_is_a_share_of_nothing() -> None:
    assert HashSearches(0.0, 0.0).share == 0.0


def test_only_waits_for_the_hash_index_count() -> None:
    reading = read("pool.hash_waits", told(STATUS))
    assert isinstance(reading, Reading)
    assert reading.value == 1.0


def test_the_change_buffer_tells_its_pages() -> None:
    reading = read("pool.buffered_changes", told(STATUS))
    assert isinstance(reading, Reading)
    assert reading.value == 24000.0


@pytest.mark.parametrize(
    "name",
    ["pool.hash_searches", "pool.hash_waits", "pool.buffered_changes", "pool.data", "pool.loading"],
)
@pytest.mark.parametrize(
    ("spec", "because"),
    [
        ({}, "not"),
        ({"sandbox": True}, "says nothing about yours"),
        ({"missing": {"mysql": "the account was refused"}, "version": "odd"}, ""),
    ],
)
def test_what_is_not_told_is_absent_with_a_reason(
    name: str, spec: dict[str, Any], because: str
) -> None:
    reading = read(name, spec)
    assert isinstance(reading, Absent)
    assert because in why.because(reading.because)


def test_a_switch_that_the_server_lacks_is_absent() -> None:
    assert read("pool.core_file", {}) == Absent("MySQL 8.0.33 has no core_file")


def test_loading_is_told_in_the_servers_own_words() -> None:
    sentence = "Loaded 1000/200000 pages"
    reading = read("pool.loading", {"gauges": {"Innodb_buffer_pool_load_status": sentence}})
    assert reading == Reading(sentence, sentence)

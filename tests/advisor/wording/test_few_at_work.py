"""A server with few queries at work: one thread does it all, or it has little to do."""

from __future__ import annotations

from typing import Any

import pytest

from advisor.gain import QueryTime, Wait
from advisor.outcomes import Judgement, Recommendation
from advisor.wording.advice.limiting import limiting
from probes.statistics.ranges import Range
from tests.advisor.wording.test_limiting import CASE, TIMED
from tests.rules.casework import build

NONE = {"PAGE_READS": 0.0, "COMMITS": 0.0, "PROCESSORS": 0.0}


def one(
    case: dict[str, Any], /, *advice: Recommendation, at_once: float = 1.0, **waits: float
) -> str:
    """One query at work, ``at_once`` at most, so much of it in each wait."""
    running = [1.0, 1.0, 1.0, at_once]
    found = {Wait[name]: Range.exact(each) for name, each in waits.items()}
    spec = {"version": "8.0.36", "host": {"cpus": 32}} | case
    spec |= {"watched": {"running": running, "cpu": [waits.get("PROCESSORS", 0.0), 0.0]}}
    return limiting(Judgement(advice, time=QueryTime(Range.exact(1.0), found)), build(spec))


def test_one_query_at_work_is_a_thread_that_does_the_work_and_no_loaded_server() -> None:
    reads = one({}, **NONE | {"PAGE_READS": 0.93, "PROCESSORS": 0.07})
    assert reads.startswith(
        "One thread does the work: page reads take 93\u202f% of query time; it computes 7\u202f%"
    )
    assert "more threads at once, statements that read fewer pages (indexes)" in reads
    computes = one({}, **NONE | {"PROCESSORS": 0.97})
    assert computes.startswith(
        "One thread does the work: it mostly computes (97\u202f% of its time; "
    )
    assert computes.endswith("so its speed is the limit; 1.0 queries at work.")
    elsewhere = one({}, **NONE | {"PROCESSORS": 0.1})
    assert elsewhere.startswith(
        "One thread does the work: 90\u202f% of its time is in none of the "
    )
    open_ = one({}, PAGE_READS=0.1, PROCESSORS=0.1)
    assert open_.startswith("One thread does the work: what limits it is open: syncs at commit ")
    full = one({"host": {"cpus": 1}}, **NONE | {"PROCESSORS": 0.97})
    assert full.startswith("Limited now by processors")


@pytest.mark.parametrize(
    ("looks", "connections", "first"),
    [
        # A thread that is at work for six looks of seven.
        ([1, 1, 1, 0, 1, 1, 1], 0.1, "One thread does the work: "),
        # Workers that come at random, of whom no more than two were met.
        ([2, 0, 1, 0, 2, 1, 0], 0.1, "The server has little to do: "),
        ([1, 1, 1, 0, 1, 1, 1], 12.0, "The server has little to do: "),
    ],
)
def test_many_clients_that_take_turns_are_no_thread(
    looks: list[int], connections: float, first: str
) -> None:
    spec = {"watched": {"running": looks}, "rates": {"Connections": connections}}
    time = QueryTime(Range.exact(6 / 7), {Wait.PAGE_READS: Range.exact(0.7)})
    assert limiting(Judgement(time=time), build({"version": "8.0.36"} | spec)).startswith(first)


def test_several_that_make_one_on_average_have_little_to_do() -> None:
    found = one({}, at_once=6, **NONE | {"PAGE_READS": 0.6})
    assert found.startswith(
        "The server has little to do: 1.0 queries at work, and page reads take "
    )


@pytest.mark.parametrize(
    ("running", "cpus", "first"),
    [
        (1.6, 32, "The server has little to do: 1.6 queries at work, and "),
        (1.6, 8, "Limited now by syncs at commit"),
        (2.1, 32, "Limited now by syncs at commit"),
    ],
)
def test_few_queries_are_no_load_of_a_machine_that_hardly_uses_its_processors(
    running: float, cpus: int, first: str
) -> None:
    looks = {"running": [running] * 5, "cpu": [1.25, 0.02]}
    case = build({"version": "8.4.5", "host": {"cpus": cpus}, "watched": looks})
    waits = {Wait.COMMITS: 0.3, Wait.PAGE_READS: 0.0, Wait.PROCESSORS: 0.6}
    found = {wait: Range.exact(share * running) for wait, share in waits.items()}
    time = QueryTime(Range.exact(running), found)
    assert limiting(Judgement(time=time), case).startswith(first)


@pytest.mark.parametrize(
    ("busy", "first"), [(0.3, "The server has little to do"), (0.9, "Limited")]
)
def test_few_queries_may_fill_a_drive(busy: float, first: str) -> None:
    device = {"name": "sda", "roles": ["data"], "busy": busy}
    case = build({"version": "8.0.36", "watched": {"running": [1, 4, 0], "devices": [device]}})
    time = QueryTime(Range.exact(1.3), {Wait.PAGE_READS: Range.exact(1.1)})
    assert limiting(Judgement(time=time), case).startswith(first)


@pytest.mark.parametrize(
    ("read_only", "workers", "who"),
    [("ON", "0", "applier"), ("ON", "1", "applier"), ("ON", "4", "thread"), ("OFF", "0", "thread")],
)
def test_a_replica_that_applies_with_one_thread_is_named(
    read_only: str, workers: str, who: str
) -> None:
    settings = {"read_only": read_only, "replica_parallel_workers": workers}
    found = one({"variables": settings}, **NONE | {"PAGE_READS": 0.9})
    assert found.startswith(f"One {who} does the work: ")


def applying(version: str, running: float, **case: Any) -> str:
    """A replica with one applier at work all the time, of so many; they compute."""
    looks = {"running": [running, running + 2], "cpu": [running, 0.0], "appliers": 1.0}
    case["variables"] = {"slave_parallel_workers": "0"} | case.get("variables", {})
    spec = {"version": version, "host": {"cpus": 32}, "watched": looks | case.pop("seen", {})}
    waits = {Wait.PAGE_READS: 0.62, Wait.COMMITS: 0.0, Wait.PROCESSORS: running - 0.62}
    found = {wait: Range.exact(each) for wait, each in waits.items()}
    return limiting(Judgement(time=QueryTime(Range.exact(running), found)), build(spec | case))


BUSY = "One applier is busy all the time, so its speed is the replica's; "


def test_an_applier_that_is_busy_all_the_time_is_named_whoever_reads_beside_it() -> None:
    reads = applying("8.0.35", 1.3)
    assert reads.startswith(f"{BUSY}else limited now by page reads: 48\u202f% of query time; ")
    computes = applying("8.0.35", 7.0)
    assert computes.startswith(f"{BUSY}nothing else limits the server now: queries mostly compute")
    several = (
        "; slave_parallel_workers is 0: with 4 to 8, set while it is stopped, transactions that "
        "are independent are applied at once"
    )
    assert f"{several}; " in reads
    assert f"{several}; " in computes
    by_schema = {"variables": {"slave_parallel_type": "DATABASE"}}
    clock = f"{several} (slave_parallel_type = LOGICAL_CLOCK with it); "
    assert clock in applying("5.7.44", 7.0, **by_schema)
    mariadb = applying("10.11.8-MariaDB", 7.0, variables={"slave_parallel_threads": "0"})
    assert mariadb.startswith(BUSY)


@pytest.mark.parametrize(
    "other",
    [
        {"seen": {"appliers": 0.6}},
        {"variables": {"slave_parallel_workers": "4"}},
        # A node of a cluster applies with threads of its own.
        {"gauges": {"wsrep_cluster_size": 3}},
    ],
)
def test_an_applier_with_pauses_and_several_are_no_limit(other: dict[str, Any]) -> None:
    found = applying("8.0.35", 7.0, **other)
    assert "applier" not in found
    assert "_parallel_" not in found


def test_a_server_with_few_queries_has_little_to_do_whatever_they_wait_for() -> None:
    def light(**waits: Range) -> str:
        found = {Wait[name]: each for name, each in waits.items()}
        return limiting(Judgement(time=QueryTime(Range(0.4, 0.3, 0.5), found)), CASE)

    assert light(COMMITS=Range(0.3, 0.2, 0.4)).startswith(
        "The server has little to do: 0.4 queries at work, and syncs at commit take most of what "
        "was timed, "
    )
    idle = {name: Range.exact(each) for name, each in TIMED.items() if isinstance(each, float)}
    assert light(**idle) == "The server has little to do: 0.4 queries at work."
    vague = light(**idle | {"COMMITS": Range(0.3, 0.2, 0.4), "PAGE_READS": Range(0.2, 0.01, 0.4)})
    assert vague.endswith(" of query time, then perhaps page reads (up to 100\u202f%).")

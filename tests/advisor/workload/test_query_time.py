"""Where the time of running queries goes: what was timed for them first, processors after it."""

from __future__ import annotations

from typing import Any

import pytest

from advisor.gain import QueryTime, Wait
from advisor.judging.engine import time_of
from advisor.rulekit.facts import FactSource
from probes.statistics.ranges import Range
from tests.present import present
from tests.rules.casework import build


def time(**case: Any) -> QueryTime:
    spec = {"version": "8.0.36", "host": {"cpus": 40}} | case
    return present(time_of(FactSource(build(spec))))


def reading(running: float, reads: float, used: float, delay: float = 0.0) -> QueryTime:
    """So many at work, of whom so many are in reads, and so many threads on processors."""
    return time(
        rates={"Innodb_buffer_pool_reads": 1000 * reads},
        watched={
            "running": [running] * 10,
            "files": [["data", "read", 1000 * reads, 1000]],
            "cpu": [used, delay],
        },
    )


@pytest.mark.parametrize(
    ("running", "reads", "used", "on_processors"),
    [
        # One applier: the rest of what the server uses is not its.
        (1, 0.93, 0.7, 0.07),
        (20, 15.0, 3.0, 3.0),
        (20, 15.0, 9.0, 5.0),
        (4, 6.0, 2.0, 0.0),
    ],
)
def test_waits_that_were_timed_come_first_and_processors_have_what_is_left(
    running: float, reads: float, used: float, on_processors: float
) -> None:
    found = reading(running, reads, used)
    assert found.waits[Wait.PAGE_READS].value == pytest.approx(min(running, reads))
    assert found.waits[Wait.PROCESSORS].value == pytest.approx(on_processors)
    assert found.explained.value <= 1


def test_threads_that_flush_are_no_queries_that_compute() -> None:
    """Nine tenths of a processor of 2.9, by the names of the threads."""
    watched = {"running": [6.2] * 10, "cpu": [2.9, 0.1]}
    assert time(watched=watched).waits[Wait.PROCESSORS].value == pytest.approx(3.0)
    flushing = time(watched=watched | {"flush_cpu": 0.9})
    assert flushing.waits[Wait.PROCESSORS].value == pytest.approx(2.1)
    more = time(watched=watched | {"flush_cpu": 3.3})
    assert more.waits[Wait.PROCESSORS].value == 0.0


@pytest.mark.parametrize(
    ("share", "row_locks", "least", "value"),
    [
        # Of ten at work three compute, and two thirds of the others surely wait at the log's end.
        (0.97, True, 14 / 3, 35 / 6),
        # Row locks may be all of it where nobody timed them, and before the end nobody need wait.
        (0.97, False, 0.0, 3.5),
        (0.90, True, 0.0, 3.5),
        (0.50, True, 0.0, 0.0),
    ],
)
def test_at_the_end_of_the_redo_log_most_of_the_rest_waits_for_its_room(
    share: float, row_locks: bool, least: float, value: float
) -> None:
    found = time(
        version="10.11.8-MariaDB",
        variables={"log_bin": "OFF", "innodb_flush_log_at_trx_commit": "2"},
        rates={"Innodb_buffer_pool_reads": 0, "Com_commit": 50, "Com_update": 50},
        gauges={"Innodb_checkpoint_age": share * 1e9, "Innodb_checkpoint_max_age": 1e9},
        watched={
            "running": [10] * 10,
            "cpu": [3.0, 0.0],
            "series": {"Innodb_row_lock_time": [0.0] * 10} if row_locks else {},
        },
    ).waits[Wait.CHECKPOINTS]
    assert (found.low, found.value) == pytest.approx((least, value))


def test_waits_that_overlap_are_cut_to_those_at_work_each_in_proportion() -> None:
    """Six in reads and two that write a page, of six at work: three quarters and a quarter."""
    found = time(
        rates={"Innodb_buffer_pool_reads": 6000, "Innodb_buffer_pool_wait_free": 400},
        watched={
            "running": [6] * 10,
            "files": [["data", "read", 6000, 1000]],
            "own_writes": [2.0, 2.0, 2.0],
            "cpu": [1, 0],
        },
    )
    assert found.waits[Wait.PAGE_READS].value == pytest.approx(4.5)
    assert found.waits[Wait.FREE_PAGES].value == pytest.approx(1.5)
    assert found.waits[Wait.FREE_PAGES].high == pytest.approx(4.0)
    assert found.waits[Wait.PROCESSORS].value == 0.0


def test_what_nobody_timed_comes_after_the_processors() -> None:
    """Two thousand waits for a free page are two queries at least, and ten by our estimate."""
    found = time(
        rates={"Innodb_buffer_pool_wait_free": 2000},
        watched={"running": [13] * 10, "own_writes": [1.2, 1.0, 1.4], "cpu": [1.5, 13.6]},
    )
    assert found.waits[Wait.PROCESSORS] == Range(11.0, 11.0, 11.0)
    assert found.waits[Wait.FREE_PAGES] == Range(2.0, 2.0, 2.0)


def test_what_waits_for_a_processor_is_at_most_what_no_timed_wait_has() -> None:
    found = reading(13, 2.0, used=1.8, delay=14.0)
    assert found.waits[Wait.PROCESSORS].value == pytest.approx(11.0)


def committing(version: str, syncs: float, commits: float, running: float = 40) -> QueryTime:
    """Two logs of 1.2 ms a sync."""
    return time(
        version=version,
        variables={"log_bin": "ON", "sync_binlog": "1", "innodb_flush_log_at_trx_commit": "1"},
        rates={"Com_commit": commits, "Com_update": commits, "Innodb_buffer_pool_reads": 0},
        watched={
            "running": [running] * 10,
            "files": [["redo", "sync", syncs, 1200], ["binlog", "sync", syncs, 1200]],
            "cpu": [2.0, 0.0],
        },
    )


def test_where_no_commits_share_a_sync_the_others_queue_behind_one_that_has_no_pause() -> None:
    found = committing("5.5.62", syncs=400, commits=400)
    # 0.96 in syncs, and all that nothing else explains; at random at least 0.96 / 0.04 = 24.
    assert found.log_busy == pytest.approx(0.96)
    assert found.waits[Wait.COMMITS].value == pytest.approx(38.0)
    assert found.waits[Wait.COMMITS].low == pytest.approx(24.0)
    full = committing("5.5.62", syncs=430, commits=430)
    assert full.waits[Wait.COMMITS].low == pytest.approx(38.0)


@pytest.mark.parametrize(
    ("version", "syncs", "commits", "running"),
    [
        # The log has pauses, commits share syncs, or there is nobody to queue.
        ("5.5.62", 200, 200, 40),
        ("8.0.36", 720, 4000, 40),
        ("5.5.62", 400, 400, 3),
        # Syncs that overlap, as on a volume that takes 200 ms for each.
        ("8.0.36", 1200, 1200, 40),
        ("5.5.62", 900, 900, 40),
        # Two logs that take turns leave room in each.
        ("8.0.36", 400, 400, 40),
    ],
)
def test_no_queue_is_seen_where_the_log_has_pauses_or_is_shared(
    version: str, syncs: float, commits: float, running: float
) -> None:
    found = committing(version, syncs, commits, running)
    alone = min(running, commits * 0.0024)
    assert found.log_busy == 0
    assert found.waits[Wait.COMMITS].value == pytest.approx(alone)


def test_connections_that_could_share_syncs_and_do_not_may_wait_behind_a_lock() -> None:
    found = committing("8.0.36", syncs=750, commits=750)
    assert found.log_busy == pytest.approx(0.9)
    assert found.waits[Wait.COMMITS].low == pytest.approx(1.8)
    assert found.waits[Wait.COMMITS].value == pytest.approx(1.8 + (40 - 1.8 - 2) / 2)
    assert found.waits[Wait.COMMITS].high == pytest.approx(38.0)


@pytest.mark.parametrize(
    ("version", "applying", "value", "least", "most"),
    [
        # Four appliers that are counted with those at work: 900 x 1.3 ms, and 500 syncs at least.
        ("8.0.36", 4.0, 1.17, 0.65, 1.755),
        ("8.0.36", 1.0, 1.0, 0.65, 1.0),
        # MySQL's Threads_running has no appliers, and nobody looked for them: none is at work.
        ("8.0.36", 0.0, 0.0, 0.0, 0.0),
        ("10.11.8-MariaDB", 0.0, 1.17, 0.65, 1.755),
    ],
)
def test_what_a_replica_commits_for_its_source_waits_as_far_as_appliers_are_at_work(
    version: str, applying: float, value: float, least: float, most: float
) -> None:
    applied = {"Com_commit": 900, "Com_insert": 0, "Com_update": 0}
    watched = {
        "running": [6] * 10,
        "applying": applying,
        "files": [["redo", "sync", 500, 1300]],
        "cpu": [1, 0],
        "series": {"Com_commit": [900.0 * at for at in range(10)]},
    }
    relaxed = {"sync_binlog": "0", "innodb_flush_log_at_trx_commit": "1"}
    settings = relaxed | {"read_only": "ON"}
    replica = time(version=version, variables=settings, rates=applied, watched=watched)
    found = replica.waits[Wait.COMMITS]
    assert (found.value, found.low, found.high) == pytest.approx((value, least, most))
    assert Wait.COMMITS not in replica.untimed
    settings = relaxed | {"read_only": "OFF"}
    source = time(version=version, variables=settings, rates=applied, watched=watched)
    assert source.waits[Wait.COMMITS] == Range.exact(0.0)


def test_commits_that_wait_for_a_replica_are_counted() -> None:
    found = time(
        rates={
            "Com_commit": 1000,
            "Com_update": 1000,
            "Rpl_semi_sync_source_tx_wait_time": 1_500_000,
            "Rpl_semi_sync_source_tx_waits": 1000,
        },
        watched={"running": [8] * 10, "cpu": [1, 0]},
    )
    assert found.waits[Wait.REPLICA].value == pytest.approx(1.5)


def locked(**case: Any) -> QueryTime:
    """62 at work: 37 wait for rows, and 15 use a processor."""
    series = {"Innodb_row_lock_time": [37_000.0 * at for at in range(10)]}
    watched = {"running": [62] * 10, "cpu": [15.0, 0.0], "series": series}
    return time(**{"rates": {"Innodb_buffer_pool_reads": 0}, "watched": watched} | case)


def test_waits_for_rows_are_as_many_as_their_time() -> None:
    found = locked()
    assert found.waits[Wait.ROW_LOCKS].value == pytest.approx(37.0)
    assert found.waits[Wait.PROCESSORS].value == pytest.approx(15.0)
    # A server that does not report their time may have any number of them.
    assert Wait.ROW_LOCKS not in time(watched={"running": [62] * 10, "cpu": [15.0, 0.0]}).waits


def test_who_waits_for_a_row_gives_a_place_among_innodbs_threads_up() -> None:
    """Of 62 there are 25 that may want a place."""
    full = locked(variables={"innodb_thread_concurrency": "16"})
    assert full.waits[Wait.PLACES].value == pytest.approx(9.0)
    assert Wait.PLACES not in locked(variables={"innodb_thread_concurrency": "32"}).waits


@pytest.mark.parametrize(
    ("switched", "asked", "most"),
    [("ON", 100, 10.0), ("ON", 99, None), ("OFF", 5000, None), ("DEMAND", 5000, None)],
)
def test_who_is_in_no_other_wait_may_queue_for_the_query_caches_lock(
    switched: str, asked: float, most: float | None
) -> None:
    """Of 62 at work 37 wait for rows and 15 compute; all others may be there, or none."""
    found = locked(
        version="10.5.26-MariaDB",
        variables={"query_cache_type": switched, "query_cache_size": "536870912"},
        rates={
            "Innodb_buffer_pool_reads": 0,
            "Qcache_hits": asked / 2,
            "Qcache_inserts": asked / 2,
        },
    )
    waiting = found.waits.get(Wait.QUERY_CACHE)
    assert (None if waiting is None else waiting.high) == (most and pytest.approx(most))
    assert waiting is None or waiting.low == 0


def test_those_at_work_have_the_interval_of_their_mean_and_not_of_single_moments() -> None:
    found = time(watched={"running": [2, 38, 20, 5, 35, 12, 28, 30, 10, 20], "cpu": [1, 0]})
    assert found.running.value == pytest.approx(20)
    assert 5 < found.running.low < 20 < found.running.high < 35


def test_no_wait_reaches_beyond_what_the_others_surely_take() -> None:
    """Reads take 2.7 of 10.8 queries and processors 1.1: commits have what is left at most."""
    found = time(
        rates={"Innodb_buffer_pool_reads": 210, "Com_commit": 340, "Com_update": 402},
        variables={"log_bin": "ON", "sync_binlog": "1"},
        watched={
            "running": [10.8] * 10,
            "files": [
                ["data", "read", 211, 12900],
                ["redo", "sync", 108, 7500],
                ["binlog", "sync", 104, 7800],
            ],
            "cpu": [1.1, 0.0],
        },
    )
    commits = found.waits[Wait.COMMITS]
    others = [each.low for wait, each in found.waits.items() if wait is not Wait.COMMITS]
    assert commits.high <= 10.8 - sum(others) + 1e-9
    assert commits.high == pytest.approx(7.0, abs=0.2)
    assert [wait for wait, _ in found.longest][:2] == [Wait.COMMITS, Wait.PAGE_READS]


@pytest.mark.parametrize(
    ("commits", "delay_us", "count", "waiting"),
    # The first of fourteen waits the whole time, the others half of it on average.
    [(1400, 10_000, 0, 7.5), (1400, 10_000, 7, 4.0), (10, 10_000, 0, 0.1), (1400, 0, 0, None)],
)
def test_commits_wait_for_their_group(
    commits: float, delay_us: int, count: int, waiting: float | None
) -> None:
    found = time(
        variables={
            "log_bin": "ON",
            "sync_binlog": "1",
            "binlog_group_commit_sync_delay": str(delay_us),
            "binlog_group_commit_sync_no_delay_count": str(count),
        },
        rates={"Com_commit": commits, "Com_update": commits},
        watched={"running": [15.0] * 10},
    ).waits.get(Wait.GROUP)
    assert (None if found is None else round(found.value, 1)) == waiting


def test_on_aurora_commits_wait_for_the_binary_log_at_least() -> None:
    spec: dict[str, Any] = {
        "version": "8.0.32",
        "vendor": "Aurora",
        "rates": {"Com_commit": 900, "Com_update": 900},
        "variables": {"log_bin": "ON", "sync_binlog": "1"},
        "watched": {"running": [12.4] * 10, "files": [["binlog", "sync", 158, 6100]]},
    }
    found = time(**spec).waits[Wait.COMMITS]
    assert found.value == pytest.approx(5.49, abs=0.01)
    assert found.high > 10.8
    assert Wait.COMMITS not in time(**spec | {"variables": {"log_bin": "OFF"}}).waits

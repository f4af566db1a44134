import math
from dataclasses import replace

import pytest

from advisor.lab.like import (
    LEAST_REDO_BYTES,
    MOST_HOT,
    POOL_SHARE,
    FitStep,
    Nearness,
    best_of,
    connections,
    lines,
    load_like,
    nearness,
    reached,
    redo_bytes,
    refined,
    scale,
)
from advisor.lab.watched import PerQuery, WatchedLoad, worked
from probes.errors import UsageError
from probes.lab.variant import Hot, Keys, LabLoad, LoadKind, Mix
from tests.advisor.lab.turns import turn

MIB = 1 << 20
TPS = 100.0

OLTP = WatchedLoad(
    "run 12 of db7",
    connections=8.0,
    at_work=4.0,
    queries_per_s=20 * TPS,
    per_query=PerQuery(
        changes=4 / 18,
        commits=0.05,
        page_reads=0.05,
        page_writes=0.04,
        log_bytes=300.0,
        time_us=2000.0,
        at_work=4.0,
    ),
    per_s={
        "Bytes_sent": TPS * 130 * (10 + 300),
        "Com_commit": TPS,
        "Com_delete": TPS,
        "Com_insert": TPS,
        "Com_select": 14 * TPS,
        "Com_update": 2 * TPS,
        "Created_tmp_tables": TPS,
        "Innodb_rows_read": (10 + 400 + 3) * TPS,
        "Sort_range": TPS,
        "Sort_scan": TPS,
    },
    pool_bytes=4096 * MIB,
    data_bytes=12288 * MIB,
    redo_bytes=2048 * MIB,
)
"""As sysbench's oltp_read_write is seen by the server's counters."""


def test_the_transaction_of_sysbench_is_found_in_the_counters() -> None:
    mix = load_like(OLTP, 128 * MIB).mix
    assert mix.begin
    assert mix.points == pytest.approx(10, abs=0.1)
    assert mix.sorted == mix.distinct == 1
    assert mix.ranges + mix.sums == pytest.approx(2, abs=0.1)
    assert mix.sums == pytest.approx(1, abs=0.2)
    assert mix.index_updates + mix.updates == 2
    assert mix.replaced == 1


def test_the_lab_is_as_much_smaller_as_its_pool() -> None:
    assert scale(OLTP, 128 * MIB) == 1 / 32
    assert redo_bytes(OLTP, 128 * MIB) == 64 * MIB
    assert redo_bytes(OLTP, MIB) == LEAST_REDO_BYTES
    assert redo_bytes(replace(OLTP, redo_bytes=0), 128 * MIB) == 0
    load = load_like(OLTP, 128 * MIB)
    assert load.data_bytes == 384 * MIB
    assert load_like(OLTP, 128 * MIB, 200 * MIB).data_bytes == 200 * MIB
    # What fits the server's pool fits the lab's: nothing has to be hot.
    fits = replace(OLTP, data_bytes=2048 * MIB, per_query=replace(OLTP.per_query, page_reads=0.0))
    small = load_like(fits, 128 * MIB)
    assert (small.data_bytes, small.keys) == (64 * MIB, Keys.UNIFORM)


def test_settings_that_count_pages_shrink_with_the_pool() -> None:
    set_so = {"innodb_lru_scan_depth": "6400", "innodb_io_capacity": "2000"}
    wanted = {"loose_innodb_lru_scan_depth": "200", "loose_innodb_io_capacity": "2000"}
    assert lines(replace(OLTP, lines=set_so), 128 * MIB) == wanted


def test_more_misses_take_colder_keys_and_at_last_more_data() -> None:
    def of(page_reads: float) -> LabLoad:
        taken = replace(OLTP.per_query, page_reads=page_reads)
        return load_like(replace(OLTP, per_query=taken), 128 * MIB)

    assert of(0.1).hot.share < of(0.01).hot.share < 1
    assert of(1.4).data_bytes > of(0.1).data_bytes


def test_statements_that_commit_by_themselves_are_drawn_singly() -> None:
    alone = replace(
        OLTP,
        per_s={"Com_select": 900.0, "Com_update": 100.0, "Innodb_rows_read": 1000.0},
        queries_per_s=1000.0,
    )
    mix = load_like(alone, 128 * MIB).mix
    assert not mix.begin
    assert (mix.points, mix.updates + mix.index_updates) == (0.9, 0.1)
    assert mix.ranges == mix.sums == mix.replaced == 0
    with pytest.raises(UsageError, match="which statements"):
        load_like(replace(alone, per_s={}), 128 * MIB)


def test_clients_think_until_as_many_are_at_work() -> None:
    assert connections(OLTP) == 8
    assert load_like(OLTP, 128 * MIB).think_us == round(1e6 * 4 / TPS)
    # A pool of idle connections is not opened.
    assert connections(replace(OLTP, connections=500.0)) == 16
    busy = replace(OLTP, connections=4.0)
    assert (connections(busy), load_like(busy, 128 * MIB).think_us) == (4, 0)


def lab_of(load: LabLoad) -> PerQuery:
    """A server of which misses and page writes follow the knobs, though not in proportion."""
    cold = 1 - load.hot.share
    return PerQuery(
        page_reads=0.004 + 0.4 * cold * (1 + load.hot.keys),
        page_writes=0.01 + 0.2 * load.hot.keys + 0.05 * cold,
    )


def test_steps_come_near() -> None:
    load, tried = load_like(OLTP, 128 * MIB), []
    for _ in range(4):
        tried.append(FitStep(load, lab_of(load), takes_us=20_000.0))
        load = refined(OLTP, tried, 128 * MIB)
    best = best_of(OLTP, tried)
    assert reached(OLTP, best)
    assert not reached(OLTP, tried[0])
    assert best.load.data_bytes == tried[0].load.data_bytes
    assert load.think_us == 20_000


def test_a_knob_at_its_end_leaves_the_rest_to_the_index() -> None:
    load = LabLoad(
        LoadKind.MIX,
        Keys.HOT,
        384 * MIB,
        mix=Mix(updates=1.0, index_updates=1.0),
        hot=Hot(0.9, MOST_HOT * POOL_SHARE * 128 / 384),
    )
    few = PerQuery(page_reads=0.05, page_writes=0.02)
    following = refined(OLTP, [FitStep(load, few, math.nan)], 128 * MIB)
    assert (following.mix.updates, following.mix.index_updates) == (0.0, 2.0)


def test_what_a_query_took_stands_beside_the_watch() -> None:
    counted = {
        "Questions": 2001.0,
        "Com_commit": 100.0,
        "Com_select": 1400.0,
        "Com_update": 400.0,
        "Innodb_pages_read": 112.0,
        "Innodb_pages_written": 20.0,
        "Innodb_os_log_written": 590_000.0,
    }
    lab = worked([turn(50.0, 4000.0, status=counted)])
    found = {each.name: each for each in nearness(OLTP, lab)}
    assert found["page_reads"].near
    assert found["page_reads"].times == pytest.approx(1.12)
    assert found["commits"].near
    assert found["changes"].near
    assert not found["page_writes"].near
    assert found["log_bytes"].near
    assert found["time_us"].lab == pytest.approx(100 * 4000 / 2000, rel=0.01)
    assert found["at_work"].lab == pytest.approx(100 * 4000 / 2e6, rel=0.01)
    assert found["p95_us"].near is None
    assert lab.p95_us == pytest.approx(4000, rel=0.01)
    assert worked([]) == PerQuery()


def test_nothing_beside_nothing_is_near() -> None:
    assert Nearness("page_reads", 0.0, 0.001).near
    assert not Nearness("page_reads", 0.0, 0.1).near

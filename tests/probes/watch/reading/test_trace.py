"""A server's calls as the kernel traced them: read from answers, and of a real server."""

from __future__ import annotations

import json
import os
from typing import Any

import pytest

from probes.boundary.malformed import Malformed
from probes.cancel import CancelToken
from probes.inventory.ask import ask
from probes.inventory.facts import Inventory
from probes.inventory.read import read
from probes.mysql.connection import connect
from probes.targets.address import MySQLAddress
from probes.targets.local import LocalTarget
from probes.targets.silent import Silent
from probes.watch.reading.machine import agents_answer
from probes.watch.reading.trace import read_trace
from probes.watch.words import FileRole, Operation, Source
from tests.present import present
from tests.probes.engines.lines import histogram
from tests.servers.mariadb import MariaDB
from tests.servers.mysql97 import MySQL, private_mysql
from tests.tracing import INSTANCES


def traced(*calls: dict[str, Any], seconds: float = 10.0, sampled: float = 1.0) -> dict[str, str]:
    trace = {"seconds": seconds, "sampled": sampled, "calls": list(calls)}
    return {"watch.machine": json.dumps({"trace": trace})}


def call(role: str, operation: str, times_us: list[float], size: int = 0) -> dict[str, Any]:
    return {
        "role": role,
        "operation": operation,
        "count": len(times_us),
        "bytes": size,
        "histogram": histogram(*times_us),
    }


def test_calls_of_one_kind_are_added_up() -> None:
    answers = traced(
        call("data", "read", [100.0] * 30, 30 * 16384), call("data", "read", [300.0] * 10)
    )
    (found,) = read_trace(agents_answer(answers))
    assert (found.role, found.operation) == (FileRole.DATA, Operation.READ)
    assert found.source is Source.TRACE
    assert found.calls == 40
    assert found.per_s.value == pytest.approx(4.0)
    assert found.per_s.low < 4.0 < found.per_s.high
    assert found.bytes_per_s == pytest.approx(3 * 16384)
    assert found.latency_us is not None
    assert found.latency_us.value == pytest.approx(150, rel=0.01)
    assert found.latency_us.low < 150 < found.latency_us.high


def test_what_was_recorded_for_a_part_of_the_time_is_scaled_up() -> None:
    (found,) = read_trace(agents_answer(traced(call("redo", "sync", [900.0] * 20), sampled=0.5)))
    assert found.per_s.value == pytest.approx(4.0)


def test_reads_ahead_count_but_nobody_waits_for_them() -> None:
    ahead = {**call("data", "read", [9000.0] * 30, 16384), "call": "io_uring_read"}
    (alone,) = read_trace(agents_answer(traced(ahead)))
    assert alone.per_s.value == pytest.approx(3.0)
    assert alone.latency_us is not None
    assert alone.latency_us.value == pytest.approx(9000.0, rel=0.01)
    awaited = {**call("data", "read", [100.0] * 70, 16384), "call": "pread64"}
    (both,) = read_trace(agents_answer(traced(ahead, awaited)))
    assert both.calls == 100.0
    assert both.per_s.value == pytest.approx(10.0)
    assert both.latency_us is not None
    assert both.latency_us.value == pytest.approx(100.0, rel=0.01)


def test_pages_that_are_written_by_io_uring_keep_no_thread_waiting() -> None:
    queued = {**call("data", "write", [1000.0] * 90, 16384), "call": "io_uring_write"}
    own = {**call("data", "write", [1000.0] * 10, 16384), "call": "pwrite64"}
    (found,) = read_trace(agents_answer(traced(queued, own)))
    assert found.queued == pytest.approx(0.9)
    assert found.under_way == pytest.approx(0.01, rel=0.01)
    assert found.waiting == pytest.approx(0.001, rel=0.01)


def test_requests_by_io_submit_count_and_are_not_timed() -> None:
    flushed = {**call("data", "write", [], 90 * 16384), "call": "io_submit_write", "count": 90}
    (alone,) = read_trace(agents_answer(traced(flushed)))
    assert alone.calls == 90
    assert alone.per_s.value == pytest.approx(9.0)
    assert alone.bytes_per_s == pytest.approx(9 * 16384)
    assert alone.latency_us is None
    assert alone.waiting is None
    own = {**call("data", "write", [3.0] * 10), "call": "write"}
    (mixed,) = read_trace(agents_answer(traced(flushed, own)))
    assert mixed.calls == 100
    assert mixed.latency_us is None
    ahead = {**call("data", "read", [], 60 * 16384), "call": "io_submit_read", "count": 60}
    awaited = {**call("data", "read", [100.0] * 40, 40 * 16384), "call": "pread64"}
    (both,) = read_trace(agents_answer(traced(ahead, awaited)))
    assert both.calls == 100
    assert both.queued == pytest.approx(0.6)
    assert both.latency_us is not None
    assert both.latency_us.value == pytest.approx(100.0, rel=0.01)
    assert both.waiting == pytest.approx(40 * 100e-6 / 10, rel=0.01)


def test_what_is_only_submitted_is_left_out() -> None:
    assert read_trace(agents_answer(traced(call("other", "submit", [5.0])))) == ()


def test_without_a_trace_there_is_nothing() -> None:
    assert read_trace(agents_answer({})) == ()
    assert read_trace(agents_answer({"watch.machine": "{}"})) == ()
    assert read_trace(agents_answer(traced(call("data", "read", [1.0]), seconds=0.0))) == ()


@pytest.mark.parametrize(
    "trace",
    [
        7,
        {"seconds": 1, "calls": 7},
        {"seconds": -1, "calls": []},
        {"seconds": 1, "calls": [7]},
        {"seconds": 1, "calls": [{"role": "data", "operation": "read", "bytes": -1}]},
        {"seconds": 1, "calls": [{"operation": "read", "bytes": 1, "histogram": "none"}]},
    ],
)
def test_what_is_no_trace_is_malformed(trace: object) -> None:
    with pytest.raises(Malformed):
        read_trace(agents_answer({"watch.machine": json.dumps({"trace": trace})}))


def watched(server: MariaDB | MySQL, *, trace: bool) -> Inventory:
    """The inventory of a server that commits at each step of the window."""
    address = MySQLAddress(user="root", socket=server.socket)
    target = LocalTarget()
    with connect(
        address, via=target, prompts=Silent(), token=CancelToken(), password=""
    ) as session:
        asking = ask(target, session, directory="", window_s=2.0, trace=trace, token=CancelToken())
        while True:
            try:
                next(asking)
            except StopIteration as end:
                return read(end.value)
            server.sql("INSERT INTO shop.traced VALUES (1)")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may trace")
@pytest.mark.skipif(not INSTANCES.is_dir(), reason="no tracefs is mounted here")
def test_a_servers_redo_syncs_are_traced_where_it_times_nothing(mariadb: MariaDB) -> None:
    mariadb.sql("CREATE DATABASE shop")
    mariadb.sql("CREATE TABLE shop.traced (id INT) ENGINE=InnoDB")
    (before,) = mariadb.sql("SELECT @@innodb_max_dirty_pages_pct AS share")
    mariadb.sql("SET GLOBAL innodb_max_dirty_pages_pct = 0")
    try:
        inventory = watched(mariadb, trace=True)
    finally:
        mariadb.sql("SET GLOBAL innodb_max_dirty_pages_pct = %s", (before["share"],))
        mariadb.sql("DROP DATABASE shop")
    assert inventory.watched is not None
    # Pages are written asynchronously: where the kernel lets it, by io_uring. Few are, so that a
    # trace in slices may have met none.
    if present(present(inventory.watched.own_cost).trace).sampled == 1:
        assert inventory.watched.file_io(FileRole.DATA, Operation.WRITE) is not None
    syncs = inventory.watched.file_io(FileRole.REDO, Operation.SYNC)
    assert syncs is not None
    assert syncs.source is Source.TRACE
    assert syncs.calls >= 1
    over_time = inventory.watched.over_time
    assert over_time is not None
    (found,) = (
        each
        for each in over_time.latencies
        if (each.of, each.operation) == (FileRole.REDO, Operation.SYNC)
    )
    assert sum(count for _, _, count in found.cells) == syncs.calls


def test_without_the_wish_nothing_is_traced(mariadb: MariaDB) -> None:
    mariadb.sql("CREATE DATABASE shop")
    mariadb.sql("CREATE TABLE shop.traced (id INT) ENGINE=InnoDB")
    try:
        inventory = watched(mariadb, trace=False)
    finally:
        mariadb.sql("DROP DATABASE shop")
    assert inventory.watched is not None
    assert inventory.watched.files == ()
    assert inventory.watched.machine is not None


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may trace")
@pytest.mark.skipif(not INSTANCES.is_dir(), reason="no tracefs is mounted here")
def test_pages_that_mysql_submits_are_counted_by_the_roles_of_their_files() -> None:
    options = ("--performance-schema=OFF", "--innodb-flush-method=O_DIRECT")
    with private_mysql(options=options) as server:
        server.sql("CREATE DATABASE shop")
        server.sql("CREATE TABLE shop.traced (id INT) ENGINE=InnoDB")
        for limit in ("innodb_max_dirty_pages_pct_lwm", "innodb_max_dirty_pages_pct"):
            server.sql(f"SET GLOBAL {limit} = 0")
        inventory = watched(server, trace=True)
    missing = {each.fact: each.because for each in inventory.missing}
    if "watch.trace.calls.io_submit" in missing:
        pytest.skip(missing["watch.trace.calls.io_submit"])
    assert inventory.watched is not None
    written = inventory.watched.file_io(FileRole.DATA, Operation.WRITE)
    assert written is not None
    assert written.calls >= 1
    assert written.bytes_per_s > 0

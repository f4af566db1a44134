"""A load over a random server: queries at work that are somewhere, and counters that follow.

First it is drawn how many queries are at work and where they are; rates follow from what a read, a
sync and a query's processor time take (Little's law). What nobody times is a part of it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from probes.inventory.machine.firmware import lender
from probes.inventory.machine.storage import NETWORK_FILESYSTEMS
from tests.rules.coherence.counters import (
    GIB,
    LOG_HEADS,
    LOG_TAILS,
    number,
    opens_direct,
    page_bytes,
    writes_twice,
)
from tests.rules.coherence.waits import RELAXED
from tests.rules.coherence.words import OF_GUESTS, SINGLE_QUEUE, WITHOUT_DISKS
from tests.rules.random_cases.coherent_machine import Spec, log_between, some

UNTIMED = ("row locks", "latches", "table locks", "the queue before a commit")
DIRTY = "Innodb_buffer_pool_pages_dirty"
WRITES = ("writes_one", "writes_many")
OF_LOAD = ("Innodb_", "Com_", "Questions", "Threads_", "Binlog_", "Key_", "Handler_", "Select_")
"""Counters that a load brings with it; it replaces those that were drawn without one."""

SHARED = 1.25
"""Syncs that a commit waits for at most here: its own, and a part of the one under way."""

HOLDS_BACK_S = 0.01
"""What a wait for a free page takes at most."""


@dataclass(frozen=True, slots=True)
class Load:
    """Where queries are, how often and how long: rates in 1/s, times in us."""

    running: float
    connected: int
    waits: Mapping[str, float]
    unexplained: float
    used: float
    delayed: float
    queries: float
    misses: float
    read_us: float
    commits: float
    redo_us: float
    binlog_us: float
    pages: float
    free_waits: float


def at_load(r: Random, spec: Spec) -> Spec:
    """The case under a load, its table ``work`` in place of ``watched`` (``at_work``)."""
    case = _as_inventoried(spec)
    load = _drawn(r, case)
    case = _with_room(r, case, load)
    case["rates"] = _rates(r, case, load)
    case["gauges"] = _gauges(case, load)
    case["samples"] = _samples(case)
    case["window_s"] = 10.0
    case["work"] = _work(r, case, load)
    return case


def _as_inventoried(spec: Spec) -> Spec:
    """The machine in words that an inventory has, and no watch but the one that follows."""
    host, drive = dict(spec["host"]), dict(spec["drive"])
    storage = dict(spec["storage"])
    if drive.get("bus") in OF_GUESTS and not lender(host["platform"]):
        host["platform"] = "KVM/QEMU"
    if drive.get("scheduler") in SINGLE_QUEUE:
        drive["scheduler"] = "none"
    if drive["filesystem"] in WITHOUT_DISKS | NETWORK_FILESYSTEMS:
        storage["disks"] = []
    kept = {name: table for name, table in spec.items() if name != "watched"}
    return kept | {"host": host, "drive": drive, "storage": storage, "sandbox": False}


def _drawn(r: Random, case: Spec) -> Load:
    most = number(case, "max_connections") or 151.0
    connected = max(1, int(min(most, log_between(r, 2, 3000))))
    running = min(0.95 * connected, log_between(r, 0.5, 400))
    reads, commits, processors, rest = _parts(r)
    used, delayed = _on_processors(r, case["host"]["cpus"], processors * running)
    waits = {"processors": used + delayed}
    read_us, misses = _reads(r, case, reads * running)
    waits["reads"] = misses * read_us / 1e6
    redo_us, binlog_us, committed = _commits(r, case, commits * running)
    waits["commits"] = committed * (redo_us + binlog_us) / 1e6 * r.uniform(1.0, SHARED)
    writes = bool(committed) or some(r, 0.3)
    free_waits = log_between(r, 1, 300) if writes and misses > 10 and some(r, 0.15) else 0.0
    if free_waits:
        waits["free pages"] = min(rest * running, free_waits * HOLDS_BACK_S)
    if rest * running > 1:
        waits[r.choice(UNTIMED)] = (
            max(0.0, rest * running - waits.get("free pages", 0.0)) * r.random()
        )
    left = max(0.0, running - sum(waits.values()))
    # Where processors or the drive can't take what was drawn, fewer are at work.
    held = left if some(r, 0.4) else min(left, 0.1 * running)
    at_work_now = sum(waits.values()) + held
    background = used + min(0.3, 0.05 * used)
    queries = max(1.0, 2.2 * committed, misses / 40, used * 1e6 / log_between(r, 20, 4000))
    pages = _pages(r, case, misses, committed) if writes else 0.0
    return Load(
        at_work_now,
        max(connected, math.ceil(at_work_now)) + 1,
        waits,
        held,
        min(background, float(case["host"]["cpus"])),
        delayed,
        queries,
        misses,
        read_us,
        committed,
        redo_us,
        binlog_us,
        pages,
        free_waits,
    )


def _parts(r: Random) -> list[float]:
    """Shares of reads, commits, processors and all else: often one of them is most."""
    weights = [r.random() ** 3 for _ in range(4)]
    weights[r.randrange(4)] += r.choice((0.0, 1.0, 4.0))
    return [each / sum(weights) for each in weights]


def _on_processors(r: Random, cpus: int, wanted: float) -> tuple[float, float]:
    used = min(wanted, cpus * r.uniform(0.75, 0.97))
    # Near the end threads queue; before that hardly any does.
    delayed = min(wanted - used, 3 * used) if wanted > used else 0.05 * used * r.random()
    return used, delayed


def _reads(r: Random, case: Spec, waiting: float) -> tuple[float, float]:
    """What a read takes with so many in wait, and how many misses a second that is."""
    if waiting < 0.005:
        return log_between(r, 60, 5000), 0.0
    curve = case.get("reads_16k")
    if curve and opens_direct(case):
        misses = _rate_at(curve, waiting) * r.uniform(0.7, 1.0)
    else:
        misses = waiting * 1e6 / log_between(r, 60, 20_000)
    return waiting * 1e6 / misses, misses


def _rate_at(curve: Sequence[Sequence[float]], threads: float) -> float:
    """What a curve gives with so many requests in flight, straight between its points."""
    before = (0.0, 0.0)
    for row in curve:
        if threads <= row[0]:
            share = (threads - before[0]) / (row[0] - before[0])
            return before[1] + share * (float(row[1]) - before[1])
        before = (float(row[0]), float(row[1]))
    return before[1]


def _commits(r: Random, case: Spec, waiting: float) -> tuple[float, float, float]:
    """What syncs of both logs take, and how many commits a second wait for them."""
    variables = case["variables"]
    measured = list(case.get("sync", {}).values())
    sync_us = (min(measured) if measured else log_between(r, 20, 20_000)) * r.uniform(1.0, 1.4)
    synced = variables.get("innodb_flush_log_at_trx_commit", "1") not in RELAXED
    binlog = variables.get("log_bin", "OFF").upper() in {"ON", "1"}
    redo_us = sync_us if synced else 0.0
    binlog_us = (
        sync_us * r.uniform(0.7, 1.5) if binlog and variables.get("sync_binlog") == "1" else 0.0
    )
    took = redo_us + binlog_us
    if not took:
        return 0.0, 0.0, r.choice((0.0, log_between(r, 1, 20_000)))
    return redo_us, binlog_us, (waiting * 1e6 / took / SHARED if waiting > 0.005 else 0.0)


def _pages(r: Random, case: Spec, misses: float, committed: float) -> float:
    wanted = log_between(r, 0.05, 1) * (misses + committed) + r.choice((0.0, 40.0))
    ways = case.get("flush", {})
    most = ways.get("on" if writes_twice(case) else "off")
    rows = [float(row[1]) for name in WRITES for row in case.get(name, ())]
    return min(wanted, float(most or math.inf), max(rows, default=math.inf))


def _with_room(r: Random, case: Spec, load: Load) -> Spec:
    """Memory that the pool leaves, and a file system that holds the data."""
    host, server = dict(case["host"]), dict(case["server"])
    pool, memory = number(case, "innodb_buffer_pool_size") or 0.0, host["memory_gib"] * GIB
    if pool > 0.9 * memory:
        host["memory_gib"] = math.ceil(1.3 * pool / GIB)
        memory = host["memory_gib"] * GIB
    if "memory_available_bytes" in host:
        host["memory_available_bytes"] = int(max(0.0, memory - 1.02 * pool) * r.uniform(0.1, 0.95))
    if host.get("memory_limit_gib", math.inf) * GIB < 1.1 * pool:
        del host["memory_limit_gib"]
    found = {"host": host, "server": server}
    if "process" in case:
        free = host.get("memory_available_bytes", 0)
        process = dict(case["process"], resident_bytes=int(min(1.05 * pool, memory - free)))
        if 0 < process["memory_limit_bytes"] < 1.1 * pool:
            process["memory_limit_bytes"] = 0
        found["process"] = process
    storage = case["storage"]
    taken = storage["size_bytes"] - storage["free_bytes"]
    if server.get("innodb_files_bytes", 0) > taken:
        server["innodb_files_bytes"] = int(taken * r.uniform(0.3, 0.98))
    return case | found


def _rates(r: Random, case: Spec, load: Load) -> dict[str, float]:
    other = {
        name: min(value, load.queries)
        for name, value in case.get("rates", {}).items()
        if not name.startswith(OF_LOAD)
    }
    page = page_bytes(case)
    most = max((row[1] for row in case.get("reads_16k", ())), default=math.inf)
    ahead = min(load.misses * r.choice((0.0, 0.02, 0.5)), max(0.0, most - load.misses))
    reads = load.misses + ahead
    log = load.commits * log_between(r, 300, 4000) + 2 * load.pages
    redo = _syncs(load.commits, load.redo_us)
    changes = load.commits * r.uniform(1.0, 1.3)
    written = load.pages * page * (2 if writes_twice(case) else 1) + log
    return other | {
        "Questions": load.queries,
        "Com_select": load.queries * r.uniform(0.3, 0.8),
        "Com_commit": load.commits,
        "Com_insert": 0.3 * changes,
        "Com_update": 0.6 * changes,
        "Com_delete": 0.1 * changes,
        "Innodb_buffer_pool_reads": load.misses,
        "Innodb_buffer_pool_read_ahead": ahead,
        "Innodb_buffer_pool_read_requests": max(load.misses, load.queries * log_between(r, 3, 60)),
        "Innodb_buffer_pool_wait_free": load.free_waits,
        "Innodb_data_reads": reads,
        "Innodb_data_read": reads * page,
        "Innodb_data_writes": load.pages + redo,
        "Innodb_data_written": written,
        "Innodb_pages_read": reads,
        "Innodb_pages_written": load.pages,
        "Innodb_os_log_written": log,
        "Innodb_os_log_fsyncs": redo,
        "Innodb_log_waits": 0.0,
    }


def _syncs(commits: float, sync_us: float) -> float:
    """Syncs of a log a second: one thread makes them, and commits share what it can't."""
    return min(commits, 0.95e6 / sync_us) if sync_us else min(commits, 1.0)


def _gauges(case: Spec, load: Load) -> dict[str, int]:
    gauges = {
        name: value
        for name, value in case.get("gauges", {}).items()
        if not name.startswith("Threads_") and name != "Max_used_connections"
    }
    most = int(number(case, "max_connections") or 151)
    gauges |= {
        "Threads_connected": load.connected,
        "Threads_running": min(load.connected, round(load.running) + 1),
        "Max_used_connections": min(most + 1, max(load.connected, most // 2)),
    }
    if not load.pages and DIRTY in gauges:
        gauges[DIRTY] = 0
    return gauges


def _samples(case: Spec) -> dict[str, list[Any]]:
    """The log's positions move as much as is written; the checkpoint follows."""
    samples = dict(case.get("samples", {}))
    grew = int(case["rates"]["Innodb_os_log_written"] * 10 / 1.02)
    for head, tail in zip(LOG_HEADS, LOG_TAILS, strict=True):
        if head not in samples:
            continue
        at, before = samples[head][0], samples.get(tail)
        samples[head] = [at, at + grew]
        if before is not None:
            age = at - before[0]
            samples[tail] = [at - age, at + grew - age]
    return samples


def _work(r: Random, case: Spec, load: Load) -> dict[str, Any]:
    work: dict[str, Any] = {
        "running": load.running,
        "waits": load.waits,
        "unexplained": load.unexplained,
    }
    if some(r, 0.85):
        cpus = float(case["host"]["cpus"])
        work["cpu"] = [load.used, load.delayed]
        if some(r, 0.25):
            work["others"] = [[4711, "java", (cpus - load.used) * r.uniform(0.1, 0.9)]]
    if some(r, 0.8):
        work["files"] = list(_files(load))
    if some(r, 0.75):
        work["devices"] = [_device(r, case, load)]
    return work


def _files(load: Load) -> Iterator[list[Any]]:
    if load.misses:
        yield ["data", "read", load.misses * 1.01, load.read_us]
    for role, each_us in (("redo", load.redo_us), ("binlog", load.binlog_us)):
        if each_us and load.commits:
            yield [role, "sync", _syncs(load.commits, each_us), each_us]
    if load.pages:
        yield ["data", "write", load.pages, 0.5 * load.read_us]


def _device(r: Random, case: Spec, load: Load) -> dict[str, Any]:
    reads = case["rates"]["Innodb_data_reads"]
    did = reads * (1.0 if opens_direct(case) else r.choice((1.0, 1.0, 0.1)))
    read_us, write_us = load.read_us * 0.97, load.read_us * r.uniform(0.2, 0.9)
    writes = case["rates"]["Innodb_data_writes"] * r.uniform(0.5, 1.5)
    in_flight = (did * read_us + writes * write_us) / 1e6
    return {
        "reads": [did, read_us, did * page_bytes(case)],
        "writes": [writes, write_us, case["rates"]["Innodb_data_written"] * 1.05],
        "busy": 1 - math.exp(-in_flight),
    }

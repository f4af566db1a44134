"""Random but coherent cases by their number: a server, its machine, its load, what was measured.

Drawn from one stream of random numbers, some ten times as fast as from strategies. A number always
makes the same case: ``coherent_case(1234)``.
"""

from __future__ import annotations

import math
from functools import cache
from random import Random
from typing import Any

from advisor.facts.catalogue import CATALOGUE
from advisor.plan.relations import CEILINGS
from advisor.plan.writing import persistable
from advisor.variables.catalogue import SETTINGS, span
from advisor.variables.defaults import Machine, default
from advisor.variables.entry import Span
from probes.version import ServerVersion
from tests.rules.recorded import SERVERS, variables_of, version_of

Spec = dict[str, Any]

SERIES: dict[str, tuple[int, int]] = {
    "5.5": (8, 62),
    "5.6": (10, 51),
    "5.7": (9, 44),
    "8.0": (11, 46),
    "8.4": (0, 8),
    "9.0": (0, 1),
    "9.3": (0, 0),
    "9.7": (0, 4),
    "10.2": (6, 44),
    "10.3": (7, 39),
    "10.4": (6, 34),
    "10.5": (4, 29),
    "10.6": (3, 25),
    "10.11": (2, 19),
    "11.4": (2, 10),
    "11.8": (2, 9),
}
"""The releases that count as fit for use, the first and the last of each series."""

STATUS = "mysql.status."
_TOLD = [fact for fact in CATALOGUE.values() if fact.name.startswith(STATUS)]
COUNTERS = sorted(fact.name.removeprefix(STATUS) for fact in _TOLD if fact.unit.endswith("/s"))
FEATURES = {
    "Qcache_": "query_cache_size",
    "TempTable_": "temptable_max_ram",
    "Binlog_group_commit_trigger_": "binlog_commit_wait_usec",
    "Innodb_ibuf_": "innodb_change_buffering",
    "Innodb_undo_truncations": "innodb_undo_log_truncate",
}
"""Counters that a server has with the setting of their part alone."""

HIGHEST = {
    "innodb_io_capacity": 100_000,
    "innodb_lru_scan_depth": 10_000,
    "innodb_buffer_pool_chunk_size": 1 << 28,
    "innodb_log_buffer_size": 1 << 30,
    "max_connections": 10_000,
    "sync_binlog": 1000,
}
SOLD = (500.0, 3000.0, 8000.0, 16_000.0)
"""Operations per second that clouds sell a volume with, 125 MiB/s of pages among them."""
FILES = ("/etc/my.cnf", "/etc/mysql/conf.d/tuned.cnf", "/etc/mysql/conf.d/zz.cnf")
LOADING = (
    "Buffer pool(s) load completed at 260101  8:00:00",
    "Loaded 1024/4096 pages",
    "Buffer pool(s) load not started",
)
GIB = 1 << 30
OPEN_FILES = 1_000_000
"""What the kernel lets the server open."""


def coherent_case(number: int) -> tuple[ServerVersion, Spec]:
    """The case of that number: a server's version, and the case as ``casework.build`` takes it."""
    r = Random(number)
    recorded = r.choice(sorted(SERVERS)) if r.random() < 0.3 else ""
    text = version_of(recorded) if recorded else _release(r)
    version = ServerVersion.parse(text)
    host = _host(r)
    shown = variables_of(recorded) if recorded else {}
    changed = _changed(r, version, host)
    spec: Spec = {
        "version": text,
        "sandbox": r.random() < 0.12,
        "host": host,
        "variables": _whole(version, shown, changed, host),
        "drive": _drive(r),
        "storage": _storage(r),
        "where": {role: _room(r) for role in ("data", "redo", "binlog", "tmp") if some(r)},
        "elsewhere": [role for role in ("redo", "binlog", "tmp") if r.random() < 0.15],
        "server": _internals(r, version),
        "direct": some(r, 0.8),
    }
    spec |= _measured(r)
    if r.random() < 0.08:
        spec |= {"trust": "doubtful", "trust_reasons": ["The rate swung: from 1/s to 9/s."]}
    if some(r):
        spec["process"] = _process(r, host)
    if some(r, 0.75):
        spec |= _stated(r, version, spec["variables"], changed)
    if some(r, 0.7):
        spec |= _window(r, version, spec["variables"])
    return version, spec


def some(r: Random, share: float = 0.5) -> bool:
    return r.random() < share


def log_between(r: Random, low: float, high: float) -> float:
    """Each doubling as likely as any other."""
    return math.exp(r.uniform(math.log(low), math.log(high)))


def _release(r: Random) -> str:
    series = r.choice(list(SERIES))
    patch = r.randint(*SERIES[series])
    maria = int(series.partition(".")[0]) >= 10
    return f"{series}.{patch}" + ("-MariaDB" if maria else "")


def _host(r: Random) -> Spec:
    memory_gib = r.choice((1, 4, 16, 64, 256, 1024))
    host: Spec = {
        "memory_gib": memory_gib,
        "cpus": r.choice((1, 2, 8, 16, 64, 192)),
        "kernel": r.choice(("3.10.0-1160", "4.19.0", "5.4.0", "5.15.0", "6.8.0", "6.18.4", "odd")),
        "platform": r.choice(("", "", "KVM", "Amazon EC2 (m5.large)")),
    }
    memory = memory_gib * GIB
    known: Spec = {
        "numa_nodes": r.choice((1, 1, 2, 8)),
        "memory_available_bytes": int(r.random() * memory),
        "memory_limit_gib": max(1, memory_gib // r.choice((2, 4, 16))),
        "swap_bytes": r.choice((0, 2 * GIB, 8 * GIB)),
        "swap_used_bytes": r.choice((0, 1 << 20, 2 * GIB)),
        "swappiness": r.choice((0, 1, 10, 60, 100)),
        "transparent_hugepages": r.choice(("always", "madvise", "never")),
        "overcommit": r.choice((0, 0, 1, 2)),
        "overcommit_ratio": r.choice((50, 80, 95)),
        "commit_limit_bytes": memory // 2,
        "committed_bytes": int(r.random() * memory / 2),
        "dirty_background_bytes": int(log_between(r, 1 << 20, memory / 4)),
        "dirty_background_ratio": r.choice((0, 5, 10)),
        "zone_reclaim": r.choice((0, 0, 1)),
        "numa_balancing": r.choice((0, 1)),
        "governor": r.choice(("", "performance", "powersave", "schedutil")),
        "frequency_driver": r.choice(("", "acpi-cpufreq", "intel_pstate")),
        "energy_preference": r.choice(("", "balance_performance", "performance")),
        "clock_source": r.choice(("tsc", "kvm-clock", "hpet", "xen")),
        "clock_sources": r.choice((["tsc", "hpet"], ["hpet"], [])),
        "memory_pressure": r.choice((0.0, 0.002, 0.3)),
        "zfs_cache_max_bytes": int(r.random() * memory),
        "aio_max": 65536,
        "aio_used": r.choice((0, 2600, 65000)),
    }
    return host | {name: value for name, value in known.items() if some(r, 0.7)}


def _drive(r: Random) -> Spec:
    known: Spec = {
        "rotational": some(r),
        "write_cache": r.choice(("write back", "write through")),
        "own_write_cache": r.choice(("", "write back", "write through")),
        "atomic_write_unit_max_bytes": r.choice((0, 4096, 16384, 65536)),
        "physical_block_bytes": r.choice((512, 4096)),
        "logical_block_bytes": 512,
        "bus": r.choice(("nvme", "sata", "sas", "virtio", "")),
        "scheduler": r.choice(("none", "mq-deadline", "bfq", "kyber")),
        "nr_requests": r.choice((2, 64, 256, 1023)),
        "queue_depth": r.choice((1, 31, 254)),
        "read_ahead_bytes": r.choice((0, 131072, 8 << 20)),
        "hardware_queues": r.choice((1, 2, 16)),
        "discard": some(r),
        "interrupt_cpus": r.choice((["0"] * 5, ["0", "1", "2", "3"])),
    }
    drive = {name: value for name, value in known.items() if some(r, 0.7)}
    filesystems = ("ext4", "ext4", "ext4", "xfs", "xfs", "zfs", "btrfs", "nfs4", "ext3", "overlay")
    return drive | {"filesystem": r.choice(filesystems)}


def _storage(r: Random) -> Spec:
    layers = (
        {"name": "vg-data", "kind": "lvm"},
        {"name": "vg-thin", "kind": "lvm", "detail": "thin"},
        {"name": "md0", "kind": "md", "detail": "raid10 of 4", "chunk_bytes": 524288},
        {"name": "md0", "kind": "md", "detail": "raid5 of 4", "chunk_bytes": 65536},
        {"name": "md0", "kind": "md", "detail": "raid1 of 2", "missing_disks": 1},
        {"name": "loop0", "kind": "loop", "direct": False},
        {"name": "luks", "kind": "crypt", "detail": "LUKS2", "logical_block_bytes": 4096},
    )
    options = ("relatime", "noatime", "discard", "nobarrier", "data=ordered", "data=journal")
    return {
        "mount_point": "/srv",
        "mount_options": ["rw", *(each for each in options if some(r, 0.2))],
        "layers": r.sample(layers, r.choice((0, 0, 1, 2))),
        "block_bytes": r.choice((4096, 16384, 131072)),
        "attributes": r.choice((None, 0, 0x00800000)),
        "mount_source": r.choice(("/dev/vda1", "tank/mysql")),
        "partitions": [{"name": "vda1", "start_bytes": r.choice((1 << 20, 32256))}],
    } | _room(r)


def _room(r: Random) -> Spec:
    size = r.choice((GIB, 100 * GIB, 4096 * GIB))
    free = int(r.random() * size)
    return {"size_bytes": size, "free_bytes": free, "reserved_bytes": int(r.random() * free / 10)}


def _internals(r: Random, version: ServerVersion) -> Spec:
    """What takes the PROCESS privilege to be told; some accounts have it."""
    if some(r):
        return {}
    known: Spec = {
        "metrics": {"trx_rseg_history_len": float(int(log_between(r, 1, 10_000_000)))},
        "oldest_transaction_s": float(r.choice((0, 59, 60, 86_400))),
        "performance_schema_bytes": int(log_between(r, 1 << 20, GIB)),
        "innodb_files_bytes": int(log_between(r, 1 << 20, 1 << 42)),
        "uptime_s": log_between(r, 1, 1e8),
    }
    return known | ({"innodb_status": _status_text(r)} if some(r, 0.7) else {})


def _status_text(r: Random) -> str:
    """The parts of SHOW ENGINE INNODB STATUS that rules look at."""
    hashed, other = log_between(r, 0.01, 1e6), log_between(r, 0.01, 1e6)
    at = 1 << 40
    waits = r.choice((0, 0, 3, 40))
    return "\n".join(
        (
            f"Per second averages calculated from the last {r.choice((1, 5, 40))} seconds",
            *["--Thread 1 has waited at btr0sea.cc line 312 for 0 seconds the semaphore:"] * waits,
            f"Ibuf: size {int(log_between(r, 1, 1e6))}, free list len 9, seg size 5000, 12 merges",
            f"{hashed:.2f} hash searches/s, {other:.2f} non-hash searches/s",
            f"Log sequence number          {at}",
            f"Last checkpoint at           {at - int(log_between(r, 1, 1 << 34))}",
        )
    )


def _process(r: Random, host: Spec) -> Spec:
    memory = host["memory_gib"] * GIB
    return {
        "resident_bytes": int(r.random() * memory),
        "swapped_bytes": r.choice((0, 0, 100 << 20)),
        "memory_limit_bytes": r.choice((0, memory // 2)),
        "huge_pages": some(r),
    }


def _measured(r: Random) -> Spec:
    """Points of all probes, of one drive: each slower or faster than the others by some."""
    one, wide = log_between(r, 60, 20_000), log_between(r, 1, 80)
    sold = r.choice((math.inf, math.inf, *SOLD))
    spec: Spec = {}
    for name in ("reads_4k", "reads_8k", "reads_16k", "writes_one", "writes_many"):
        if some(r, 0.8):
            curve = _curve(r, one * r.uniform(0.4, 1.6), max(1.0, wide * r.uniform(0.3, 1.2)))
            spec[name] = [[n, min(rate, sold)] for n, rate in curve]
    sync_us = log_between(r, 8, 30_000)
    words = [word for word in ("fdatasync", "fsync", "o_dsync") if some(r, 0.7)]
    spec["sync"] = {word: sync_us * r.uniform(0.7, 3) for word in words}
    if some(r):
        spec["commits"] = _curve(r, 1e6 / sync_us, log_between(r, 1, 60))
    if some(r):
        spec["binlog_sync"] = {"fdatasync": sync_us * r.uniform(1, 4)}
    if some(r):
        flushed = log_between(r, 50, 200_000)
        ways = {"off": 1.0, "on": r.uniform(0.3, 1.05), "legacy": r.uniform(0.1, 0.8)}
        spec["flush"] = {way: flushed * share for way, share in ways.items() if some(r, 0.8)}
    if some(r, 0.4):
        spec["mixed"] = _mixed(r, 1e6 / one, sync_us)
    if some(r, 0.3):
        rate = log_between(r, 100, 50_000)
        falls = r.choice(((1.0,), (1.0, 0.3), (1.0, 0.5, 0.1)))
        spec["long_write"] = [[r.uniform(5, 120), rate * share] for share in falls]
    return spec


def _curve(r: Random, one: float, widest: float) -> list[list[float]]:
    """A drive whose rate grows, each step by less, up to a limit."""
    limit = one * widest
    threads = r.choice(((1, 4, 16, 64), (1, 2, 4, 8, 16, 32, 64), (1, 16, 64), (1, 16)))
    return [[n, limit * n / (n + limit / one - 1 + 1e-9)] for n in threads]


def _mixed(r: Random, read_us: float, commit_us: float) -> list[list[float]]:
    """Reads and commits that wait for longer the more is flushed beside them."""
    worst = r.uniform(0, 4)
    rates = (0, *sorted(int(log_between(r, 100, 60_000)) for _ in range(3)))
    return [
        [rate, read_us * (1 + worst * n), commit_us * (1 + worst * n * r.random())]
        for n, rate in enumerate(rates)
    ]


def _changed(r: Random, version: ServerVersion, host: Spec) -> dict[str, str]:
    """Settings that somebody made, of values that the server takes."""
    known = _has(version)
    changed = {}
    for name in r.sample(sorted(known), min(len(known), r.choice((0, 3, 10, 30)))):
        made = _value(r, name, known[name])
        if made is not None:
            changed[name] = made
    if some(r, 0.8):
        memory = host["memory_gib"] * GIB
        pool = int(log_between(r, 1 << 26, memory * 0.9))
        changed["innodb_buffer_pool_size"] = str(pool >> 27 << 27 or 1 << 27)
    return changed


def _value(r: Random, name: str, known: Span) -> str | None:
    """A value that the server takes, None where it is a text of its own."""
    if known.words:
        return r.choice(known.words)
    if known.default in {"ON", "OFF"}:
        return r.choice(("ON", "OFF"))
    if known.low is None or not (known.default or "").isdigit():
        return None
    low = max(int(known.low), 1)
    high = max(low, min(int(known.high or 1 << 40), HIGHEST.get(name, 1 << 40)))
    value = int(log_between(r, low, high))
    step = known.step or 1
    return str(max(low, value - value % step))


def _whole(
    version: ServerVersion, shown: dict[str, str], changed: dict[str, str], host: Spec
) -> dict[str, str]:
    """All variables that such a server would show, cut to each other as it would."""
    machine = Machine(host["cpus"], int(host["memory_gib"] * GIB), OPEN_FILES)
    values = dict(shown)
    for name, known in _has(version).items():
        value = default(version, name, machine, changed) if known.formula else known.default
        if value is not None:
            values[name] = value
    values |= changed
    for ceiling in CEILINGS:
        low, high = values.get(ceiling.lower), values.get(ceiling.upper)
        if ceiling.only not in {None, version.flavour} or low is None or high is None:
            continue
        if float(low) > float(high):
            values[ceiling.lower] = high
            if ceiling.lower in changed:
                changed[ceiling.lower] = high
    if int(values.get("innodb_buffer_pool_size", "0")) < GIB:
        for name in ("innodb_buffer_pool_instances", "innodb_page_cleaners"):
            if name in values:
                values[name] = "1"
                changed.pop(name, None)
    return values


@cache
def _has(version: ServerVersion) -> dict[str, Span]:
    found = {name: span(version, name) for name in SETTINGS}
    return {name: known for name, known in found.items() if known is not None}


def _stated(
    r: Random, version: ServerVersion, values: dict[str, str], changed: dict[str, str]
) -> Spec:
    """Where each value was set, as servers tell that do, and the lines of their option files."""
    mysql8 = version.is_mysql and version.numbers >= (8, 0, 0)
    # What a server has of itself may stand in a file as well.
    repeated = r.sample(sorted(values), min(len(values), r.choice((0, 0, 3))))
    held = {name: _place(r, version, name) for name in (*changed, *repeated) if name in values}
    spec: Spec = {}
    if mysql8 or version.is_mariadb:
        spec["origin"] = dict.fromkeys(values, "COMPILED") | held
    if some(r):
        lines = [(place, name, values[name]) for name, place in held.items() if place in FILES]
        lines += [(r.choice(FILES), *line) for line in _odd_lines(r, version)]
        spec["options"] = [
            f"{file}:{number} {name} = {value}"
            for number, (file, name, value) in enumerate(sorted(lines), 1)
        ]
    return spec


def _place(r: Random, version: ServerVersion, name: str) -> str:
    places = [*FILES, *FILES, "COMMAND_LINE"]
    places += ["DYNAMIC"] if _has(version).get(name) and _has(version)[name].dynamic else []
    places += ["PERSISTED"] if persistable(version, name) else []
    return r.choice(places)


def _odd_lines(r: Random, version: ServerVersion) -> list[tuple[str, str]]:
    """Lines that a server was left with by older ones: it passes over what is loose."""
    if some(r, 0.7):
        return []
    gone = [name for name in sorted(SETTINGS) if name not in _has(version)]
    return [(f"loose_{name}", "1") for name in r.sample(gone, min(len(gone), 2))]


def _window(r: Random, version: ServerVersion, values: dict[str, str]) -> Spec:
    """Two samples of the status, between which the server did what such a server can."""
    names = [name for name in COUNTERS if some(r) and _counts(version, name)]
    busy = log_between(r, 0.1, 200_000)
    rates = {name: r.choice((0.0, busy * log_between(r, 0.001, 1))) for name in names}
    redo = log_between(r, 1_000, 500_000_000)
    samples: dict[str, list[Any]] = {}
    if version.is_mysql and version.numbers >= (8, 0, 30):
        samples |= _log(r, redo, values, "Innodb_redo_log_current_lsn", "_redo_log_checkpoint_lsn")
    elif version.is_mariadb and version.numbers >= (10, 5, 0):
        samples |= _log(r, redo, values, "Innodb_lsn_current", "_lsn_last_checkpoint")
    else:
        rates["Innodb_os_log_written"] = redo
    if version.is_mysql and version.numbers >= (8, 0, 21) and some(r, 0.9):
        samples["Innodb_redo_log_enabled"] = [r.choice(("ON", "ON", "OFF"))] * 2
    if "innodb_buffer_pool_load_at_startup" in values:
        samples["Innodb_buffer_pool_load_status"] = [r.choice(LOADING)] * 2
    return {"rates": rates, "gauges": _gauges(r, values), "samples": samples, "window_s": 10.0}


def _counts(version: ServerVersion, name: str) -> bool:
    return all(
        span(version, setting) is not None
        for start, setting in FEATURES.items()
        if name.startswith(start)
    )


def _log(
    r: Random, per_s: float, values: dict[str, str], head: str, tail: str
) -> dict[str, list[float]]:
    """The log's head, and a checkpoint that is behind it by less than the log has room for."""
    each = values.get("innodb_redo_log_capacity") or values.get("innodb_log_file_size") or "0"
    room = int(each)
    at = 1 << 40
    behind = [int(room * r.random() * 0.9) for _ in range(2)]
    heads = [at, at + int(per_s * 10)]
    tails = [place - age for place, age in zip(heads, behind, strict=True)]
    return {head: heads, f"Innodb{tail}": tails} if some(r, 0.8) else {head: heads}


def _gauges(r: Random, values: dict[str, str]) -> dict[str, int]:
    """Gauges that agree with each other and with what the server may have at most."""
    page = int(values.get("innodb_page_size", "16384"))
    total = max(1, int(values.get("innodb_buffer_pool_size", str(1 << 27))) // page)
    free = int(total * r.choice((0.0, 0.02, r.random())))
    connections = int(values.get("max_connections", "151"))
    used = r.randint(1, connections)
    connected = r.randint(1, used)
    tables = int(values.get("table_open_cache", "2000"))
    gauges = {
        "Innodb_buffer_pool_pages_total": total,
        "Innodb_buffer_pool_pages_free": free,
        "Innodb_buffer_pool_pages_dirty": int((total - free) * r.random()),
        "Innodb_num_open_files": r.randint(1, int(values.get("innodb_open_files") or 300) or 1),
        "Max_used_connections": used,
        "Threads_connected": connected,
        "Threads_running": r.randint(1, connected),
        "Open_files": r.randint(0, 5000),
        "Open_tables": r.randint(0, max(1, tables)),
        "Open_table_definitions": r.randint(0, 4000),
        "Uptime": int(log_between(r, 10, 1e8)),
    }
    return {name: value for name, value in gauges.items() if some(r, 0.8)}

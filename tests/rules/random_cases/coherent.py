"""Random but coherent cases by their number: a server, its machine, its load, what was measured.

Drawn from one stream of random numbers, some ten times as fast as from strategies. A number always
makes the same case: ``coherent_case(1234)``.
"""

from __future__ import annotations

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
from tests.rules.random_cases.coherent_load import at_load
from tests.rules.random_cases.coherent_machine import (
    GIB,
    Spec,
    drive,
    log_between,
    measured,
    process,
    room,
    some,
    storage,
)
from tests.rules.random_cases.coherent_machine import (
    host as any_host,
)
from tests.rules.random_cases.coherent_watch import watched
from tests.rules.recorded import SERVERS, variables_of, version_of

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
FILES = ("/etc/my.cnf", "/etc/mysql/conf.d/tuned.cnf", "/etc/mysql/conf.d/zz.cnf")
LOADING = (
    "Buffer pool(s) load completed at 260101  8:00:00",
    "Loaded 1024/4096 pages",
    "Buffer pool(s) load not started",
)
OPEN_FILES = 1_000_000
"""What the kernel lets the server open."""


def coherent_case(number: int) -> tuple[ServerVersion, Spec]:
    """The case of that number: a server's version, and the case as ``casework.build`` takes it."""
    r = Random(number)
    recorded = r.choice(sorted(SERVERS)) if r.random() < 0.3 else ""
    text = version_of(recorded) if recorded else _release(r)
    version = ServerVersion.parse(text)
    host = any_host(r)
    shown = variables_of(recorded) if recorded else {}
    changed = _changed(r, version, host)
    spec: Spec = {
        "version": text,
        "sandbox": r.random() < 0.12,
        "host": host,
        "variables": _whole(version, shown, changed, host),
        "drive": drive(r),
        "storage": storage(r),
        "where": {role: room(r) for role in ("data", "redo", "binlog", "tmp") if some(r)},
        "elsewhere": [role for role in ("redo", "binlog", "tmp") if r.random() < 0.15],
        "server": _internals(r, version),
        "direct": some(r, 0.8),
    }
    spec |= measured(r)
    if r.random() < 0.08:
        spec |= {"trust": "doubtful", "trust_reasons": ["The rate swung: from 1/s to 9/s."]}
    if some(r):
        spec["process"] = process(r, host)
    if some(r, 0.75):
        spec |= _stated(r, version, spec["variables"], changed)
    if some(r, 0.7):
        spec |= _window(r, version, spec["variables"])
    if some(r):
        spec["watched"] = watched(r)
    return version, spec


def case_at_work(number: int) -> tuple[ServerVersion, Spec]:
    """The same server under a load whose waits add up, watched while it worked.

    Nothing of it contradicts anything else: ``coherence`` holds it to that.
    """
    version, spec = coherent_case(number)
    return version, at_load(Random(f"at work {number}"), spec)


def _release(r: Random) -> str:
    series = r.choice(list(SERIES))
    patch = r.randint(*SERIES[series])
    maria = int(series.partition(".")[0]) >= 10
    return f"{series}.{patch}" + ("-MariaDB" if maria else "")


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
    if name == "innodb_page_size":
        return str(1 << value.bit_length() - 1)
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
) -> dict[str, list[int]]:
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

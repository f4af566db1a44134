"""Every fact that a rule may ask for: name, unit, meaning, where it comes from, how it is read.

The only place that spells the names of facts. Reading is pure; a fact that can't be had is
``Absent`` with a reason, never a guess.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from advisor import wording
from advisor.case import Case
from advisor.rules.flush_points import doublewrite_price
from advisor.rules.measured import (
    PAGE_BYTES,
    best_write_curve,
    curve_of,
    directness,
    page_bytes,
    sync_point,
)
from advisor.rules.mixed_points import flush_ceiling
from advisor.rules.readings import Absent, Reading
from advisor.rules.settings import SETTINGS, Standing, span
from probes.inventory.facts import MySQLFacts, Role
from probes.points import Probe

OURS = "the server that was measured is Leadline's own, so it says nothing about yours"
NO_SERVER = "no server was looked at"


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact; ``unit`` is that of its value, ``source`` says in plain words whence it comes."""

    name: str
    unit: str
    meaning: str
    source: str
    read: Callable[[Case], Reading | Absent]


VARIABLES: dict[str, tuple[str, str]] = {
    "innodb_io_capacity": ("pages/s", "the page writes that background flushing plans with"),
    "innodb_io_capacity_max": ("pages/s", "the page writes at which flushing is capped"),
    "innodb_flush_neighbors": ("0, 1 or 2", "whether neighbouring dirty pages are flushed too"),
    "innodb_lru_scan_depth": ("pages", "how deep each LRU list is searched, once a second"),
    "innodb_page_cleaners": ("threads", "the number of page cleaner threads"),
    "innodb_buffer_pool_instances": ("count", "the number of buffer pool instances"),
    "innodb_buffer_pool_size": ("bytes", "the size of the buffer pool"),
    "innodb_buffer_pool_chunk_size": ("bytes", "the unit in which the buffer pool is resized"),
    "innodb_max_dirty_pages_pct": ("%", "the share of dirty pages that flushing has to hold"),
    "innodb_page_size": ("bytes", "the page size"),
    "innodb_flush_method": ("word", "how data files are opened and flushed"),
    "innodb_data_file_buffering": ("switch", "whether data files go through the page cache"),
    "innodb_data_file_write_through": ("switch", "whether each data write is synced at once"),
    "innodb_use_fdatasync": ("switch", "whether fdatasync() is used in place of fsync()"),
    "innodb_doublewrite": ("word", "how pages are protected from torn writes"),
    "innodb_flush_log_at_trx_commit": ("0 to 3", "what happens to the redo log at a commit"),
    "sync_binlog": ("commit groups", "after how many commit groups the binary log is synced"),
    "log_bin": ("switch", "whether a binary log is written"),
}

COUNTERS: dict[str, tuple[str, str]] = {
    "Innodb_pages_written": ("pages", "how many pages the server writes"),
    "Innodb_data_reads": ("reads", "how many reads the server sends to its data files"),
    "Innodb_buffer_pool_reads": ("reads", "how many page requests miss the buffer pool"),
    "Innodb_buffer_pool_wait_free": ("waits", "how often a query had to wait for a free page"),
}

GAUGES: dict[str, tuple[str, str]] = {
    "Threads_running": ("threads", "how many connections are at work"),
    "Innodb_buffer_pool_pages_dirty": ("pages", "how many pages are dirty"),
    "Innodb_buffer_pool_pages_total": ("pages", "how many pages the buffer pool has"),
    "Innodb_checkpoint_age": ("bytes", "how much redo waits for its pages to be written"),
    "Innodb_checkpoint_max_age": ("bytes", "how much redo may wait for its pages"),
}


def _version(case: Case) -> Reading | Absent:
    mysql = case.inventory.mysql
    if mysql is None:
        return Absent(_why(case, "mysql", NO_SERVER))
    if not mysql.version.is_known:
        return Absent(_why(case, "mysql.version", f"{mysql.version} is of no family known here"))
    return Reading(mysql.version, str(mysql.version))


def _variable(name: str, unit: str) -> Callable[[Case], Reading | Absent]:
    def read(case: Case) -> Reading | Absent:
        mysql = case.inventory.mysql
        if mysql is None:
            return Absent(_why(case, "mysql", NO_SERVER))
        if mysql.sandbox:
            return _default(mysql, name, unit)
        variable = mysql.variables.get(name)
        if variable is None:
            return Absent(_why(case, "mysql.variables", f"{mysql.version} has no {name}"))
        standing = Standing(name, variable.value, origin=variable.origin)
        return Reading(standing, _said(variable.value, unit))

    return read


def _default(mysql: MySQLFacts, name: str, unit: str) -> Reading | Absent:
    known = span(mysql.version, name)
    if known is None and name in SETTINGS:
        return Absent(f"{mysql.version} has no {name}")
    if known is None or known.default is None:
        return Absent(OURS)
    text = f"{_said(known.default, unit)} (the default of {mysql.version})"
    return Reading(Standing(name, known.default, default=True), text)


def _said(value: str, unit: str) -> str:
    if unit == "bytes" and value.isdigit():
        return wording.size(int(value))
    if unit in {"pages/s", "pages", "threads", "%"}:
        return f"{value}{wording.THIN}{unit}"
    return value or "not set"


def _counter(name: str, unit: str) -> Callable[[Case], Reading | Absent]:
    def read(case: Case) -> Reading | Absent:
        return _status(case, name, unit, grows=True)

    return read


def _gauge(name: str, unit: str) -> Callable[[Case], Reading | Absent]:
    def read(case: Case) -> Reading | Absent:
        return _status(case, name, unit, grows=False)

    return read


def _status(case: Case, name: str, unit: str, *, grows: bool) -> Reading | Absent:
    mysql = case.inventory.mysql
    if mysql is None:
        return Absent(_why(case, "mysql", NO_SERVER))
    if mysql.sandbox:
        return Absent(OURS)
    if mysql.window is None:
        return Absent(_why(case, "mysql.status", "its status counters were not read"))
    value = mysql.window.per_s(name) if grows else mysql.window.gauge(name)
    if value is None:
        return Absent(f"{mysql.version} did not report {name} over the status window")
    if not grows:
        return Reading(value, f"{wording.count(value)}{wording.THIN}{unit}")
    return Reading(
        value, f"{wording.rate(value, unit)} over {wording.seconds(mysql.window.seconds)}"
    )


def _cpu_threads(case: Case) -> Reading | Absent:
    host = case.inventory.host
    threads = None if host is None else host.cpu.threads
    if threads is None:
        return Absent(_why(case, "host", "the host can't be looked at"))
    return Reading(float(threads), f"{threads}{wording.THIN}threads")


def _host_text(name: str) -> Callable[[Case], Reading | Absent]:
    def read(case: Case) -> Reading | Absent:
        text = getattr(case.inventory.host, name, "")
        if not text:
            return Absent(_why(case, "host", "the host can't be looked at"))
        return Reading(text, text)

    return read


def _memory(case: Case) -> Reading | Absent:
    host = case.inventory.host
    if host is None or host.memory_bytes is None:
        return Absent(_why(case, "host", "the host can't be looked at"))
    return Reading(float(host.memory_bytes), wording.size(host.memory_bytes))


def _storage(*roles: Role) -> Callable[[Case], Reading | Absent]:
    def read(case: Case) -> Reading | Absent:
        for role in roles:
            storage = case.inventory.role(role)
            if storage is not None:
                return Reading(storage, storage.chain)
        return Absent(_why(case, f"storage.{roles[0]}", "the directory's drive was not found"))

    return read


def _on_two_drives(case: Case) -> Reading | Absent:
    data, redo = case.inventory.role(Role.DATA), case.inventory.role(Role.REDO)
    names = [{disk.name for disk in role.disks} if role else set() for role in (data, redo)]
    if not all(names):
        return Absent(_why(case, "storage", "the drives under data and redo were not found"))
    apart = not names[0] & names[1]
    return Reading(apart, "on different drives" if apart else "on the same drive")


def _why(case: Case, about: str, otherwise: str) -> str:
    """What the inventory itself says about a missing fact, else the given reason.

    What lacks a part, or a whole that the fact is a part of, is the reason too.
    """
    for missing in case.inventory.missing:
        if f"{missing.fact}.".startswith(f"{about}.") or about.startswith(f"{missing.fact}."):
            return missing.because.rstrip(".")
    return otherwise


def _curve(
    probe: Probe, block_size_bytes: int | None = None, *, many: bool | None = False
) -> Callable[[Case], Reading | Absent]:
    def read(case: Case) -> Reading | Absent:
        size = block_size_bytes or page_bytes(case)
        if many is None:
            return best_write_curve(case, size)
        return curve_of(case, probe, size, many=many)

    return read


def _sync(word: str) -> Callable[[Case], Reading | Absent]:
    return lambda case: sync_point(case, word)


SHOW_VARIABLES = "SHOW GLOBAL VARIABLES"
SHOW_STATUS = "SHOW GLOBAL STATUS, twice, over the status window"
MEASURED = "measured by the run on the probe directory"

_FACTS = (
    Fact("mysql.version", "version", "the server's version", "SELECT @@version", _version),
    *(
        Fact(f"mysql.variable.{name}", unit, meaning, SHOW_VARIABLES, _variable(name, unit))
        for name, (unit, meaning) in VARIABLES.items()
    ),
    *(
        Fact(f"mysql.status.{name}", f"{unit}/s", meaning, SHOW_STATUS, _counter(name, unit))
        for name, (unit, meaning) in COUNTERS.items()
    ),
    *(
        Fact(f"mysql.status.{name}", unit, meaning, SHOW_STATUS, _gauge(name, unit))
        for name, (unit, meaning) in GAUGES.items()
    ),
    Fact("host.cpu.threads", "threads", "the host's CPU threads", "/proc/cpuinfo", _cpu_threads),
    Fact("host.memory", "bytes", "the host's memory", "/proc/meminfo", _memory),
    Fact("host.kernel", "version", "the host's kernel", "uname -r", _host_text("kernel")),
    Fact("host.platform", "name", "the hypervisor or cloud", "DMI", _host_text("platform")),
    Fact(
        "storage.data",
        "storage",
        "where the data lies",
        "the mount table and /sys/block",
        _storage(Role.DATA, Role.PROBE),
    ),
    Fact(
        "storage.probe",
        "storage",
        "the drive that was measured",
        "the mount table and /sys/block",
        _storage(Role.PROBE, Role.DATA),
    ),
    Fact(
        "storage.redo_apart",
        "switch",
        "whether redo and data lie on different drives",
        "the mount table and /sys/block",
        _on_two_drives,
    ),
    Fact("probe.direct", "switch", "whether O_DIRECT works here", MEASURED, directness),
    *(
        Fact(
            f"curve.random_read.{size // 1024}k",
            "reads/s over threads",
            f"the drive's random reads of {size // 1024} KiB",
            MEASURED,
            _curve(Probe.RANDOM_READ, size),
        )
        for size in (4096, 8192, PAGE_BYTES)
    ),
    Fact(
        "curve.random_read.page",
        "reads/s over threads",
        "the drive's random reads of the server's page size",
        MEASURED,
        _curve(Probe.RANDOM_READ),
    ),
    Fact(
        "curve.random_write.one_file",
        "writes/s over threads",
        "the drive's random page writes to one file",
        MEASURED,
        _curve(Probe.RANDOM_WRITE),
    ),
    Fact(
        "curve.random_write.many_files",
        "writes/s over threads",
        "the drive's random page writes to many files",
        MEASURED,
        _curve(Probe.RANDOM_WRITE, many=True),
    ),
    Fact(
        "curve.random_write.page",
        "writes/s over threads",
        "the drive's random page writes",
        MEASURED,
        _curve(Probe.RANDOM_WRITE, many=None),
    ),
    Fact(
        "flush.doublewrite",
        "pages/s",
        "what flushing gives with and without doublewrite",
        MEASURED,
        doublewrite_price,
    ),
    Fact(
        "mixed.ceiling",
        "pages/s",
        "the rate of flushing up to which reads and commits do not suffer",
        MEASURED,
        flush_ceiling,
    ),
    *(
        Fact(
            f"redo.{word}",
            "one point",
            f"what a redo append with {word} takes",
            MEASURED,
            _sync(word),
        )
        for word in ("fdatasync", "fsync", "o_dsync")
    ),
)

CATALOGUE: dict[str, Fact] = {fact.name: fact for fact in _FACTS}
"""Every fact by its name."""

"""Facts of how the machine's kernel is set, and of its memory: one row for each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from advisor.case import Case
from advisor.facts.fact import NO_HOST, AnyFact, Fact, Read, why_missing
from advisor.facts.readings import Absent, Reading
from advisor.facts.told import told_memory
from probes import figures
from probes.inventory.facts import HostFacts

UNTOLD = "the kernel does not report it, or an older version of Leadline took the inventory"

Value = float | str | tuple[str, ...] | None


class KernelRow(NamedTuple):
    """A fact of the host: its name after ``host.``, its unit, meaning, source and value.

    Its unit says how it is written: a number in ``bytes``, as a ``share`` or as it stands, a
    ``word`` or ``version`` as text, ``words`` as a list.
    """

    name: str
    unit: str
    meaning: str
    source: str
    of: Callable[[HostFacts], Value]


_NUMBERS: Mapping[str, Callable[[float], str]] = {
    "bytes": figures.size,
    "share": figures.percent,
    "number": lambda value: f"{value:g}",
}

USABLE = "memory_usable"

ROWS = (
    KernelRow(
        USABLE,
        "bytes",
        "memory that a server there may use",
        "/proc/meminfo and the control group's limit, else as stated by the user",
        lambda host: host.usable_memory_bytes,
    ),
    KernelRow(
        "memory_available",
        "bytes",
        "memory available to new processes without swapping",
        "/proc/meminfo, MemAvailable",
        lambda host: host.memory_available_bytes,
    ),
    KernelRow("swap", "bytes", "swap space", "/proc/meminfo", lambda host: host.swap_bytes),
    KernelRow(
        "swap_used",
        "bytes",
        "swap in use",
        "/proc/meminfo",
        lambda host: host.kernel_settings.swap_used_bytes,
    ),
    KernelRow(
        "swappiness",
        "number",
        "how strongly the kernel prefers swapping to dropping page cache",
        "vm.swappiness",
        lambda host: host.swappiness,
    ),
    KernelRow(
        "transparent_hugepages",
        "word",
        "whether transparent huge pages (THP) are on",
        "/sys/kernel/mm/transparent_hugepage/enabled",
        lambda host: host.transparent_hugepages,
    ),
    KernelRow(
        "numa_nodes",
        "number",
        "NUMA nodes of the machine",
        "/sys/devices/system/node/online",
        lambda host: host.cpu.numa_nodes,
    ),
    KernelRow(
        "zone_reclaim",
        "number",
        "whether a full NUMA node reclaims its own pages before it uses another node",
        "vm.zone_reclaim_mode",
        lambda host: host.kernel_settings.zone_reclaim,
    ),
    KernelRow(
        "numa_balancing",
        "number",
        "automatic NUMA balancing",
        "kernel.numa_balancing",
        lambda host: host.kernel_settings.numa_balancing,
    ),
    KernelRow(
        "overcommit",
        "number",
        "memory overcommit policy",
        "vm.overcommit_memory",
        lambda host: host.kernel_settings.overcommit,
    ),
    KernelRow(
        "overcommit_ratio",
        "number",
        "percentage of memory that may be committed; 0 where it is set in KiB",
        "vm.overcommit_ratio",
        lambda host: host.kernel_settings.overcommit_ratio,
    ),
    KernelRow(
        "commit_limit",
        "bytes",
        "limit on committed memory",
        "/proc/meminfo, CommitLimit",
        lambda host: host.kernel_settings.commit_limit_bytes,
    ),
    KernelRow(
        "committed",
        "bytes",
        "committed memory",
        "/proc/meminfo, Committed_AS",
        lambda host: host.kernel_settings.committed_bytes,
    ),
    KernelRow(
        "dirty_background",
        "bytes",
        "dirty page cache at which background writeback starts",
        "vm.dirty_background_bytes, or vm.dirty_background_ratio of the memory available",
        lambda host: host.kernel_settings.dirty_background_bytes,
    ),
    KernelRow(
        "dirty_background_ratio",
        "number",
        "background writeback threshold in percent of memory; 0 where it is set in bytes",
        "vm.dirty_background_ratio",
        lambda host: host.kernel_settings.dirty_background_ratio,
    ),
    KernelRow(
        "memory_pressure",
        "share",
        "memory pressure (PSI): share of the last five minutes in which a task waited for memory",
        "/proc/pressure/memory",
        lambda host: host.kernel_settings.memory_pressure,
    ),
    KernelRow(
        "governor",
        "word",
        "CPU frequency governor",
        "cpufreq/scaling_governor of the first processor",
        lambda host: host.kernel_settings.governor,
    ),
    KernelRow(
        "frequency_driver",
        "word",
        "CPU frequency driver",
        "cpufreq/scaling_driver of the first processor",
        lambda host: host.kernel_settings.frequency_driver,
    ),
    KernelRow(
        "energy_preference",
        "word",
        "energy performance preference (EPP)",
        "cpufreq/energy_performance_preference of the first processor",
        lambda host: host.kernel_settings.energy_preference,
    ),
    KernelRow(
        "clock_source",
        "word",
        "clock source",
        "clocksource0/current_clocksource",
        lambda host: host.kernel_settings.clock_source,
    ),
    KernelRow(
        "clock_sources",
        "words",
        "available clock sources",
        "clocksource0/available_clocksource",
        lambda host: host.kernel_settings.clock_sources,
    ),
    KernelRow(
        "kernel_build",
        "version",
        "full version string of the kernel",
        "/proc/version",
        lambda host: host.kernel_settings.build,
    ),
    KernelRow(
        "zfs_cache_max",
        "bytes",
        "maximum size of the ZFS cache (ARC)",
        "/proc/spl/kstat/zfs/arcstats, c_max",
        lambda host: host.kernel_settings.zfs_cache_max_bytes,
    ),
    KernelRow(
        "aio_max",
        "number",
        "limit on asynchronous I/O slots",
        "fs.aio-max-nr",
        lambda host: host.kernel_settings.aio_max,
    ),
    KernelRow(
        "aio_used",
        "number",
        "asynchronous I/O slots in use",
        "fs.aio-nr",
        lambda host: host.kernel_settings.aio_used,
    ),
)


def _read(row: KernelRow) -> Read:
    def read(case: Case) -> Reading | Absent:
        host = case.inventory.host
        if host is None:
            if row.name == USABLE:
                return told_memory(case)
            return Absent(why_missing(case, "host", NO_HOST))
        value = row.of(host)
        if value is None or value in ("", ()):
            return Absent(UNTOLD)
        if isinstance(value, tuple):
            return Reading(value, ", ".join(value))
        if isinstance(value, str):
            return Reading(value, value)
        return Reading(float(value), _NUMBERS[row.unit](value))

    return read


FACTS: tuple[AnyFact, ...] = tuple(
    Fact(f"host.{row.name}", row.unit, row.meaning, row.source, _read(row)) for row in ROWS
)

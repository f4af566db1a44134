"""Facts of how the machine's kernel is set, and of its memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from advisor.case import Case
from advisor.facts.fact import NO_HOST, Fact, Read, why_missing
from advisor.facts.machine.stated import stated_memory
from advisor.facts.readings import Absent, Reading
from probes import figures
from probes.inventory.facts import HostFacts

KERNEL = "host.kernel"
"""The fact of all that the kernel reports of itself, which may be missing as a whole."""

NOT_REPORTED = "the kernel does not report it, or an older version of Leadline took the inventory"

T = TypeVar("T")

Value = float | str | tuple[str, ...] | None


_NUMBERS: Mapping[str, Callable[[float], str]] = {
    "bytes": figures.size,
    "share": figures.percent,
    "number": lambda value: f"{value:g}",
}

USABLE = "host.memory_usable"


def _read(name: str, unit: str, of: Callable[[HostFacts], Value]) -> Read:
    def read(case: Case) -> Reading | Absent:
        host = case.inventory.host
        if host is None:
            if name == USABLE:
                return stated_memory(case)
            return Absent(why_missing(case, "host", NO_HOST))
        value = of(host)
        if value is None or value in ("", ()):
            return Absent(why_missing(case, KERNEL, NOT_REPORTED))
        if isinstance(value, tuple):
            return Reading(value, ", ".join(value))
        if isinstance(value, str):
            return Reading(value, value)
        return Reading(float(value), _NUMBERS[unit](value))

    return read


def _kernel(
    name: str,
    kind: type[T],
    unit: str,
    meaning: str,
    source: str,
    *,
    of: Callable[[HostFacts], Value],
) -> Fact[T]:
    """Make a fact of the host from a value of its inventory.

    Its unit says how it is written: a number in ``bytes``, as a ``share`` or as it stands, a
    ``word`` or ``version`` as text, ``words`` as a list.
    """
    return Fact(name, kind, unit, meaning, source, _read(name, unit, of))


HOST_MEMORY_USABLE = _kernel(
    USABLE,
    float,
    "bytes",
    "memory that a server there may use",
    "/proc/meminfo and the control group's limit, else as stated by the user",
    of=lambda host: host.usable_memory_bytes,
)
HOST_MEMORY_AVAILABLE = _kernel(
    "host.memory_available",
    float,
    "bytes",
    "memory available to new processes without swapping",
    "/proc/meminfo, MemAvailable",
    of=lambda host: host.memory_available_bytes,
)
HOST_SWAP = _kernel(
    "host.swap", float, "bytes", "swap space", "/proc/meminfo", of=lambda host: host.swap_bytes
)
HOST_SWAP_USED = _kernel(
    "host.swap_used",
    float,
    "bytes",
    "swap in use",
    "/proc/meminfo",
    of=lambda host: host.kernel_settings.swap_used_bytes,
)
HOST_SWAPPINESS = _kernel(
    "host.swappiness",
    float,
    "number",
    "how strongly the kernel prefers swapping to dropping page cache",
    "vm.swappiness",
    of=lambda host: host.swappiness,
)
HOST_TRANSPARENT_HUGEPAGES = _kernel(
    "host.transparent_hugepages",
    str,
    "word",
    "whether transparent huge pages (THP) are on",
    "/sys/kernel/mm/transparent_hugepage/enabled",
    of=lambda host: host.transparent_hugepages,
)
HOST_NUMA_NODES = _kernel(
    "host.numa_nodes",
    float,
    "number",
    "NUMA nodes of the machine",
    "/sys/devices/system/node/online",
    of=lambda host: host.cpu.numa_nodes,
)
HOST_ZONE_RECLAIM = _kernel(
    "host.zone_reclaim",
    float,
    "number",
    "whether a full NUMA node reclaims its own pages before it uses another node",
    "vm.zone_reclaim_mode",
    of=lambda host: host.kernel_settings.zone_reclaim,
)
HOST_NUMA_BALANCING = _kernel(
    "host.numa_balancing",
    float,
    "number",
    "automatic NUMA balancing",
    "kernel.numa_balancing",
    of=lambda host: host.kernel_settings.numa_balancing,
)
HOST_OVERCOMMIT = _kernel(
    "host.overcommit",
    float,
    "number",
    "memory overcommit policy",
    "vm.overcommit_memory",
    of=lambda host: host.kernel_settings.overcommit,
)
HOST_OVERCOMMIT_RATIO = _kernel(
    "host.overcommit_ratio",
    float,
    "number",
    "percentage of memory that may be committed; 0 where it is set in KiB",
    "vm.overcommit_ratio",
    of=lambda host: host.kernel_settings.overcommit_ratio,
)
HOST_COMMIT_LIMIT = _kernel(
    "host.commit_limit",
    float,
    "bytes",
    "limit on committed memory",
    "/proc/meminfo, CommitLimit",
    of=lambda host: host.kernel_settings.commit_limit_bytes,
)
HOST_COMMITTED = _kernel(
    "host.committed",
    float,
    "bytes",
    "committed memory",
    "/proc/meminfo, Committed_AS",
    of=lambda host: host.kernel_settings.committed_bytes,
)
HOST_DIRTY_BACKGROUND = _kernel(
    "host.dirty_background",
    float,
    "bytes",
    "dirty page cache at which background writeback starts",
    "vm.dirty_background_bytes, or vm.dirty_background_ratio of the memory available",
    of=lambda host: host.kernel_settings.dirty_background_bytes,
)
HOST_DIRTY_BACKGROUND_RATIO = _kernel(
    "host.dirty_background_ratio",
    float,
    "number",
    "background writeback threshold in percent of memory; 0 where it is set in bytes",
    "vm.dirty_background_ratio",
    of=lambda host: host.kernel_settings.dirty_background_ratio,
)
HOST_MEMORY_PRESSURE = _kernel(
    "host.memory_pressure",
    float,
    "share",
    "memory pressure (PSI): share of the last five minutes in which a task waited for memory",
    "/proc/pressure/memory",
    of=lambda host: host.kernel_settings.memory_pressure,
)
HOST_GOVERNOR = _kernel(
    "host.governor",
    str,
    "word",
    "CPU frequency governor",
    "cpufreq/scaling_governor of the first processor",
    of=lambda host: host.kernel_settings.governor,
)
HOST_FREQUENCY_DRIVER = _kernel(
    "host.frequency_driver",
    str,
    "word",
    "CPU frequency driver",
    "cpufreq/scaling_driver of the first processor",
    of=lambda host: host.kernel_settings.frequency_driver,
)
HOST_ENERGY_PREFERENCE = _kernel(
    "host.energy_preference",
    str,
    "word",
    "energy performance preference (EPP)",
    "cpufreq/energy_performance_preference of the first processor",
    of=lambda host: host.kernel_settings.energy_preference,
)
HOST_CLOCK_SOURCE = _kernel(
    "host.clock_source",
    str,
    "word",
    "clock source",
    "clocksource0/current_clocksource",
    of=lambda host: host.kernel_settings.clock_source,
)
HOST_CLOCK_SOURCES: Fact[tuple[str, ...]] = _kernel(
    "host.clock_sources",
    tuple,
    "words",
    "available clock sources",
    "clocksource0/available_clocksource",
    of=lambda host: host.kernel_settings.clock_sources,
)
HOST_KERNEL_BUILD = _kernel(
    "host.kernel_build",
    str,
    "version",
    "full version string of the kernel",
    "/proc/version",
    of=lambda host: host.kernel_settings.build,
)
HOST_ZFS_CACHE_MAX = _kernel(
    "host.zfs_cache_max",
    float,
    "bytes",
    "maximum size of the ZFS cache (ARC)",
    "/proc/spl/kstat/zfs/arcstats, c_max",
    of=lambda host: host.kernel_settings.zfs_cache_max_bytes,
)
HOST_AIO_MAX = _kernel(
    "host.aio_max",
    float,
    "number",
    "limit on asynchronous I/O slots",
    "fs.aio-max-nr",
    of=lambda host: host.kernel_settings.aio_max,
)
HOST_AIO_USED = _kernel(
    "host.aio_used",
    float,
    "number",
    "asynchronous I/O slots in use",
    "fs.aio-nr",
    of=lambda host: host.kernel_settings.aio_used,
)

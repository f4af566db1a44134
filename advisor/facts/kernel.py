"""Facts of how the machine's kernel is set, and of its memory."""

from __future__ import annotations

from collections.abc import Callable

from advisor.case import Case
from advisor.facts.fact import NO_HOST, AnyFact, Fact, Read, why_missing
from advisor.facts.readings import Absent, Reading
from probes import figures
from probes.inventory.facts import HostFacts

UNTOLD = "the kernel there does not tell it, or this inventory is older than the question"

Say = Callable[[float], str]


def _number(of: Callable[[HostFacts], float | None], say: Say) -> Read:
    def read(case: Case) -> Reading | Absent:
        host = case.inventory.host
        if host is None:
            return Absent(why_missing(case, "host", NO_HOST))
        value = of(host)
        return Absent(UNTOLD) if value is None else Reading(float(value), say(value))

    return read


def _word(of: Callable[[HostFacts], str | None]) -> Read:
    def read(case: Case) -> Reading | Absent:
        host = case.inventory.host
        if host is None:
            return Absent(why_missing(case, "host", NO_HOST))
        text = of(host)
        return Reading(text, text) if text else Absent(UNTOLD)

    return read


def _clock_sources(case: Case) -> Reading | Absent:
    host = case.inventory.host
    if host is None:
        return Absent(why_missing(case, "host", NO_HOST))
    sources = host.kernel_settings.clock_sources
    return Reading(sources, ", ".join(sources)) if sources else Absent(UNTOLD)


def _plain(value: float) -> str:
    return f"{value:g}"


def _bytes(name: str, meaning: str, source: str, of: Callable[[HostFacts], int | None]) -> AnyFact:
    return Fact(name, "bytes", meaning, source, _number(of, figures.size))


def _setting(
    name: str, meaning: str, source: str, of: Callable[[HostFacts], int | None]
) -> AnyFact:
    return Fact(name, "number", meaning, source, _number(of, _plain))


FACTS: tuple[AnyFact, ...] = (
    _bytes(
        "host.memory_usable",
        "the memory that a server there may use",
        "/proc/meminfo and the control group's limit",
        lambda host: host.usable_memory_bytes,
    ),
    _bytes(
        "host.memory_available",
        "the memory that could be given out without swapping",
        "/proc/meminfo, MemAvailable",
        lambda host: host.memory_available_bytes,
    ),
    _bytes("host.swap", "the room for swapping", "/proc/meminfo", lambda host: host.swap_bytes),
    _bytes(
        "host.swap_used",
        "how much of memory lies in the swap",
        "/proc/meminfo",
        lambda host: host.kernel_settings.swap_used_bytes,
    ),
    _setting(
        "host.swappiness",
        "how gladly the kernel swaps",
        "vm.swappiness",
        lambda host: host.swappiness,
    ),
    Fact(
        "host.transparent_hugepages",
        "word",
        "whether the kernel joins pages of memory into huge ones by itself",
        "/sys/kernel/mm/transparent_hugepage/enabled",
        _word(lambda host: host.transparent_hugepages),
    ),
    _setting(
        "host.numa_nodes",
        "how many NUMA nodes the machine has",
        "/sys/devices/system/node/online",
        lambda host: host.cpu.numa_nodes,
    ),
    _setting(
        "host.zone_reclaim",
        "whether a full NUMA node throws out its own pages first",
        "vm.zone_reclaim_mode",
        lambda host: host.kernel_settings.zone_reclaim,
    ),
    _setting(
        "host.numa_balancing",
        "whether the kernel moves pages between NUMA nodes by itself",
        "kernel.numa_balancing",
        lambda host: host.kernel_settings.numa_balancing,
    ),
    _setting(
        "host.overcommit",
        "whether the kernel promises more memory than there is",
        "vm.overcommit_memory",
        lambda host: host.kernel_settings.overcommit,
    ),
    _setting(
        "host.overcommit_ratio",
        "the share of the memory that may be promised, in per cent; 0 where it is set in KiB",
        "vm.overcommit_ratio",
        lambda host: host.kernel_settings.overcommit_ratio,
    ),
    _bytes(
        "host.commit_limit",
        "how much memory may be promised",
        "/proc/meminfo, CommitLimit",
        lambda host: host.kernel_settings.commit_limit_bytes,
    ),
    _bytes(
        "host.committed",
        "how much memory is promised",
        "/proc/meminfo, Committed_AS",
        lambda host: host.kernel_settings.committed_bytes,
    ),
    _bytes(
        "host.dirty_background",
        "how much the page cache may hold back before it is written",
        "vm.dirty_background_bytes, or vm.dirty_background_ratio of the memory available",
        lambda host: host.kernel_settings.dirty_background_bytes,
    ),
    _setting(
        "host.dirty_background_ratio",
        "the share of memory that the page cache may hold back, 0 where bytes are set",
        "vm.dirty_background_ratio",
        lambda host: host.kernel_settings.dirty_background_ratio,
    ),
    Fact(
        "host.memory_pressure",
        "share",
        "for how much of the last five minutes somebody waited for memory",
        "/proc/pressure/memory",
        _number(lambda host: host.kernel_settings.memory_pressure, figures.percent),
    ),
    Fact(
        "host.governor",
        "word",
        "what rules the processors' clock",
        "cpufreq/scaling_governor of the first processor",
        _word(lambda host: host.kernel_settings.governor),
    ),
    Fact(
        "host.frequency_driver",
        "word",
        "the driver of the processors' clock",
        "cpufreq/scaling_driver of the first processor",
        _word(lambda host: host.kernel_settings.frequency_driver),
    ),
    Fact(
        "host.energy_preference",
        "word",
        "what the processors are told to save",
        "cpufreq/energy_performance_preference of the first processor",
        _word(lambda host: host.kernel_settings.energy_preference),
    ),
    Fact(
        "host.clock_source",
        "word",
        "what the kernel reads the time from",
        "clocksource0/current_clocksource",
        _word(lambda host: host.kernel_settings.clock_source),
    ),
    Fact(
        "host.clock_sources",
        "words",
        "what the kernel could read the time from",
        "clocksource0/available_clocksource",
        _clock_sources,
    ),
    Fact(
        "host.kernel_build",
        "version",
        "the kernel's whole line of version",
        "/proc/version",
        _word(lambda host: host.kernel_settings.build),
    ),
    _bytes(
        "host.zfs_cache_max",
        "what ZFS' cache may grow to",
        "/proc/spl/kstat/zfs/arcstats, c_max",
        lambda host: host.kernel_settings.zfs_cache_max_bytes,
    ),
    _setting(
        "host.aio_max",
        "how many places for native asynchronous I/O the machine has",
        "fs.aio-max-nr",
        lambda host: host.kernel_settings.aio_max,
    ),
    _setting(
        "host.aio_used",
        "how many places for native asynchronous I/O are taken",
        "fs.aio-nr",
        lambda host: host.kernel_settings.aio_used,
    ),
)

"""Reads how the kernel is set from its own files."""

from __future__ import annotations

import re

from probes.inventory.kernel_facts import KernelFacts
from probes.inventory.machine.answer import MachineAnswer, whole

_FREQUENCY = "/sys/devices/system/cpu/cpu0/cpufreq/"
_CLOCK = "/sys/devices/system/clocksource/clocksource0/"


def read_kernel(answer: MachineAnswer) -> KernelFacts:
    """Read every setting that was reported; what was not stays unknown."""
    return KernelFacts(
        build=answer.text("/proc/version"),
        swap_used_bytes=_swap_used(answer),
        overcommit=answer.number("/proc/sys/vm/overcommit_memory"),
        overcommit_ratio=answer.number("/proc/sys/vm/overcommit_ratio"),
        commit_limit_bytes=meminfo(answer, "CommitLimit"),
        committed_bytes=meminfo(answer, "Committed_AS"),
        dirty_background_bytes=_dirty_background(answer),
        dirty_background_ratio=answer.number("/proc/sys/vm/dirty_background_ratio"),
        zone_reclaim=answer.number("/proc/sys/vm/zone_reclaim_mode"),
        numa_balancing=answer.number("/proc/sys/kernel/numa_balancing"),
        governor=answer.text(f"{_FREQUENCY}scaling_governor"),
        frequency_driver=answer.text(f"{_FREQUENCY}scaling_driver"),
        energy_preference=answer.text(f"{_FREQUENCY}energy_performance_preference"),
        clock_source=answer.text(f"{_CLOCK}current_clocksource"),
        clock_sources=tuple(answer.text(f"{_CLOCK}available_clocksource").split()),
        memory_pressure=_memory_pressure(answer.text("/proc/pressure/memory")),
        zfs_cache_max_bytes=_zfs_cache_max(answer.text("/proc/spl/kstat/zfs/arcstats")),
        huge_pages_free=_count(answer, "HugePages_Free"),
        aio_max=answer.number("/proc/sys/fs/aio-max-nr"),
        aio_used=answer.number("/proc/sys/fs/aio-nr"),
    )


def meminfo(answer: MachineAnswer, name: str) -> int | None:
    """One line of /proc/meminfo in bytes, None when it is not there."""
    match = re.search(rf"^{name}:\s+(\d+) kB$", answer.text("/proc/meminfo"), re.MULTILINE)
    kibibytes = whole(match[1]) if match else None
    return None if kibibytes is None else kibibytes * 1024


def _count(answer: MachineAnswer, name: str) -> int | None:
    """One line of /proc/meminfo that is a number of something, None when it is not there."""
    match = re.search(rf"^{name}:\s+(\d+)$", answer.text("/proc/meminfo"), re.MULTILINE)
    return int(match[1]) if match else None


def _swap_used(answer: MachineAnswer) -> int | None:
    total, free = meminfo(answer, "SwapTotal"), meminfo(answer, "SwapFree")
    return None if total is None or free is None else total - free


def _dirty_background(answer: MachineAnswer) -> int | None:
    """Bytes rule where they are set; else a share of what the kernel could fill with dirty pages.

    The kernel takes free pages and those of its cache for that, which MemAvailable comes near to.
    """
    fixed = answer.number("/proc/sys/vm/dirty_background_bytes")
    if fixed:
        return fixed
    ratio = answer.number("/proc/sys/vm/dirty_background_ratio")
    available = meminfo(answer, "MemAvailable")
    return None if ratio is None or available is None else available * ratio // 100


def _memory_pressure(text: str) -> float | None:
    match = re.search(r"^some .*\bavg300=([\d.]+)", text, re.MULTILINE)
    return float(match[1]) / 100 if match else None


def _zfs_cache_max(text: str) -> int | None:
    match = re.search(r"^c_max\s+\d+\s+(\d+)$", text, re.MULTILINE)
    return whole(match[1]) if match else None

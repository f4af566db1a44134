"""Facts of the server's own process: what of it lies in the swap, and what its group grants it."""

from __future__ import annotations

import math
from collections.abc import Callable

from advisor.case import Case
from advisor.facts.fact import NO_SERVER, OURS, Fact, Read, given, why_missing
from advisor.facts.machine.host import cpu_threads
from advisor.facts.readings import Absent, Reading
from probes import figures
from probes.inventory.server_process import ServerProcess

NOT_FOUND = "the server's process was not found on the machine"


def _process(case: Case) -> ServerProcess | Absent:
    if case.inventory.mysql is None:
        return Absent(why_missing(case, "mysql", NO_SERVER))
    if case.inventory.mysql.sandbox:
        return Absent(OURS)
    return case.inventory.server_process or Absent(why_missing(case, "host", NOT_FOUND))


def _bytes(of: Callable[[ServerProcess], int | None]) -> Read:
    @given(_process)
    def read(_: Case, process: ServerProcess) -> Reading | Absent:
        value = of(process)
        if value is None:
            return Absent("/proc does not show it for the server's process")
        return Reading(float(value), figures.size(value))

    return read


def _limit(case: Case) -> Reading | Absent:
    reading = _bytes(lambda process: process.memory_limit_bytes)(case)
    if isinstance(reading, Reading) and reading.value == 0:
        return Reading(0.0, "none")
    return reading


def cpu_limit(case: Case) -> float | None:
    """How many processors' time the server's control group grants, where its machine has more."""
    return None if isinstance(_process(case), Absent) else case.inventory.granted_cpus


def granted_cpus(case: Case) -> Reading | Absent:
    """Read the machine's CPU threads, or the part of their time that the server is granted."""
    threads, limit = cpu_threads(case), cpu_limit(case)
    if isinstance(threads, Absent) or limit is None:
        return threads
    cpus = math.ceil(limit)
    return Reading(float(cpus), f"{cpus} of {threads.text}, by its control group")


@given(_process)
def _share(_: Case, process: ServerProcess) -> Reading | Absent:
    if process.huge_share is None:
        return Absent("only root and the server's own account may know it")
    return Reading(process.huge_share, figures.percent(process.huge_share))


HOST_CPU_GRANTED = Fact(
    "host.cpu.granted",
    float,
    "threads",
    "how many CPU threads the server may use",
    "/proc/cpuinfo, and cpu.max of the groups in /proc/PID/cgroup",
    granted_cpus,
)
HOST_SERVER_HUGE_SHARE = Fact(
    "host.server_huge_share",
    float,
    "share",
    "how much of the server's memory lies in transparent huge pages",
    "/proc/PID/smaps_rollup",
    _share,
)
HOST_SERVER_RESIDENT = Fact(
    "host.server_resident",
    float,
    "bytes",
    "how much memory the server's process holds",
    "VmRSS in /proc/PID/status",
    _bytes(lambda process: process.resident_bytes),
)
HOST_SERVER_SWAPPED = Fact(
    "host.server_swapped",
    float,
    "bytes",
    "how much of the server's own memory lies in the swap",
    "VmSwap in /proc/PID/status",
    _bytes(lambda process: process.swapped_bytes),
)
HOST_SERVER_MEMORY_LIMIT = Fact(
    "host.server_memory_limit",
    float,
    "bytes",
    "the memory limit of the server's control groups",
    "memory.max of the groups in /proc/PID/cgroup",
    _limit,
)

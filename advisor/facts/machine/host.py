"""Facts of the machine itself."""

from __future__ import annotations

import re

from advisor.case import Case
from advisor.facts.fact import NO_HOST, Fact, Read, why_missing
from advisor.facts.machine.stated import stated_cpus, stated_memory
from advisor.facts.readings import Absent, Reading
from probes import figures
from probes.inventory.machine.firmware import UNNAMED, lender

_DAY = re.compile(r"\d{4}-(0[1-9]|1[0-2])-\d{2}")


def day_of(case: Case) -> str:
    """The day of the inventory, "2026-01-31"; "" where it has none."""
    day = _DAY.match(case.inventory.taken_at)
    return "" if day is None else day[0]


def day(case: Case) -> Reading | Absent:
    """The same as a fact."""
    taken = day_of(case)
    return (
        Reading(taken, taken) if taken else Absent("the inventory does not say when it was taken")
    )


def cpu_threads(case: Case) -> Reading | Absent:
    """Read the machine's CPU threads, else those of the class that was stated."""
    host = case.inventory.host
    threads = None if host is None else host.cpu.threads
    if threads is None:
        return stated_cpus(case)
    return Reading(float(threads), f"{threads}{figures.THIN}threads")


def _host_text(name: str) -> Read:
    def read(case: Case) -> Reading | Absent:
        text = getattr(case.inventory.host, name, "")
        if not text:
            return Absent(why_missing(case, "host", NO_HOST))
        return Reading(text, text)

    return read


def _distribution(case: Case) -> Reading | Absent:
    host = case.inventory.host
    if host is None:
        return Absent(why_missing(case, "host", NO_HOST))
    if not host.distribution:
        because = "the host has no /etc/os-release that names its distribution"
        return Absent(why_missing(case, "host.distribution", because))
    return Reading(host.distribution, host.distribution)


def _virtual(case: Case) -> Reading | Absent:
    host = case.inventory.host
    if host is None or not host.platform:
        return Absent(why_missing(case, "host", NO_HOST))
    name = lender(host.platform)
    if not name:
        return Reading("", "no virtual machine, according to its firmware")
    text = f"a {UNNAMED}" if name == UNNAMED else f"a virtual machine ({name})"
    return Reading(text, text)


def _memory(case: Case) -> Reading | Absent:
    host = case.inventory.host
    if host is None or host.memory_bytes is None:
        return stated_memory(case)
    return Reading(float(host.memory_bytes), figures.size(host.memory_bytes))


HOST_CPU_THREADS = Fact(
    "host.cpu.threads",
    float,
    "threads",
    "the host's CPU threads",
    "/proc/cpuinfo, else the class of the machine",
    cpu_threads,
)
HOST_MEMORY = Fact(
    "host.memory",
    float,
    "bytes",
    "the host's memory",
    "/proc/meminfo, else as stated by the user",
    _memory,
)
HOST_KERNEL = Fact(
    "host.kernel", str, "version", "the host's kernel", "uname -r", _host_text("kernel")
)
HOST_DISTRIBUTION = Fact(
    "host.distribution", str, "name", "the host's distribution", "/etc/os-release", _distribution
)
HOST_DAY = Fact(
    "host.day", str, "date", "the day on which the host was looked at", "the inventory", day
)
HOST_PLATFORM = Fact(
    "host.platform", str, "name", "the hypervisor or cloud", "DMI", _host_text("platform")
)
HOST_VIRTUAL = Fact(
    "host.virtual", str, "words", "what kind of virtual machine it is, if one", "DMI", _virtual
)

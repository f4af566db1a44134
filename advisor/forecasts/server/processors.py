"""The processors of a live server's machine: how many there are, and what others use of them."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from advisor.case import Case
from advisor.facts.machine.host import cpu_threads
from advisor.facts.machine.server_process import cpu_limit
from advisor.facts.readings import Reading
from advisor.model.network.closed_network import MOST_CUSTOMERS
from advisor.model.network.live_server import growing_where
from probes import figures
from probes.inventory.facts import HostFacts
from probes.statistics.ranges import Range
from probes.watch.watched import Watched, WatchedMachine

FEWEST_PAGES = 10.0
"""With fewer page writes a second the idle rounds of those threads are most of it (our choice)."""

SHOWN = 0.05
"""From this many processors on, or this part of all of them, others that use them are named (our
choice)."""

NAMED = 3
"""This many programs are named at most, each from ``SHOWN`` processors on."""


@dataclass(frozen=True, slots=True)
class Processors:
    """The ``cores`` that a server may use, and how many of them ``others`` keep busy.

    ``whole`` is the part of them that are cores of their own; 1 where nobody shows siblings.
    """

    cores: Range
    others: Range
    whole: float


def processors_for(case: Case, machine: WatchedMachine | None, cpu: Range | None) -> Processors:
    """What the server may use, which itself keeps ``cpu`` busy: its machine's, or its group's part.

    What runs outside its group takes nothing of that part while the machine has room for both.
    """
    threads, granted, host = cpu_threads(case), cpu_limit(case), case.inventory.host
    known = threads.value if isinstance(threads, Reading) else None
    there_are = known if isinstance(known, float) else None
    all_of_them, busy = _cores(there_are, machine, cpu), _others(there_are, machine, cpu)
    if granted is None or all_of_them.value - busy.value < granted:
        return Processors(all_of_them, busy, _whole(host, there_are))
    return Processors(Range.exact(granted), Range.exact(0.0), _whole(host, granted))


def _cores(processors: float | None, machine: WatchedMachine | None, cpu: Range | None) -> Range:
    """How many processors the machine has for all that runs there, without what its host takes.

    The host may go on taking as many, or as large a part of all that are asked for.
    """
    if processors is None:
        return Range.exact(float(MOST_CUSTOMERS))
    stolen, used = _stolen(processors, machine), _used(processors, machine, cpu)
    if stolen <= 0:
        return Range.exact(processors)
    as_now = max(processors - stolen, used)
    in_part = min(processors * used / (used + stolen), as_now)
    return Range(in_part, in_part, as_now)


def _whole(host: HostFacts | None, processors: float | None) -> float:
    if host is None or not host.cpu.cores or not processors:
        return 1.0
    return min(1.0, host.cpu.cores / processors)


def _others(processors: float | None, machine: WatchedMachine | None, cpu: Range | None) -> Range:
    """How many processors others than the server keep busy: its clients, the kernel, programs."""
    if processors is None or cpu is None or machine is None or machine.cpu_busy is None:
        return Range.exact(0.0)
    stolen, busy = _stolen(processors, machine), machine.cpu_busy
    # Leadline's own part ends with the watch.
    own = 0.0 if machine.others is None else machine.others.own
    ends = (busy.value, busy.low, busy.high)
    return Range(*(max(0.0, each * processors - stolen - own - cpu.value) for each in ends))


def growing(busy: Range, watched: Watched) -> Range:
    """The part of what others keep ``busy`` that grows with the server's throughput.

    What its clients took, where that was seen, and what no process did: the kernel's threads and
    its interrupts, which serve the drive and the network.
    """
    local = None if watched.clients is None else watched.clients.local_share
    machine, clients = watched.machine, watched.client_cpu
    if machine is None or machine.others is None or clients is None or not busy.value:
        return growing_where(local)
    programs = machine.others.programs - clients
    least = min(1.0, clients / busy.value)
    most = min(1.0, max(least, 1 - programs / busy.value))
    return Range(most, least, most)


def write_cpu_us(
    machine: WatchedMachine | None, written_per_s: Range | None, unknown: Range
) -> Range:
    """What a page that the server writes takes of a processor.

    That of its threads which do nothing else, where their names show them; up to all of what the
    kernel's threads took besides, which serve its files. Else ``unknown``.
    """
    flushing = None if machine is None else machine.flush_cpu
    if machine is None or flushing is None or written_per_s is None:
        return unknown
    if written_per_s.value < FEWEST_PAGES:
        return unknown
    kernel = 0.0 if machine.others is None else machine.others.kernel
    found = flushing.times(1e6 / written_per_s.value)
    return found.reaching(high=(flushing.high + kernel) / written_per_s.value * 1e6)


def others_text(busy: Range, watched: Watched, growing: Range) -> str:
    """What is taken of the processors that others keep ``busy``, and from what is known of it.

    ``growing`` is the part that grows with the server's throughput.
    """
    local = None if watched.clients is None else watched.clients.local_share
    if watched.client_cpu is not None:
        known = f"the server's clients {watched.client_cpu:.1f} of them"
    elif local is None:
        known = "where the server's clients are is not known"
    elif local.low >= 1:
        known = "the server's clients are all on the same machine"
    elif local.high <= 0:
        known = "the server's clients are all on other machines"
    else:
        exact = local.low == local.high
        share = figures.percent(local.value) if exact else local.text(figures.percent)
        known = f"{share} of the connections in use are from the same machine"
    return (
        f"Other programs keep {busy.value:.1f} processors busy{busiest(watched.machine)}, "
        f"and {known}: {growing.text(figures.percent)} of that is assumed to "
        "grow with its queries/s."
    )


def busiest(machine: WatchedMachine | None) -> str:
    """The programs that take the most processor time, as " (sysbench 1.2, java 0.3)"."""
    if machine is None or machine.others is None:
        return ""
    programs: defaultdict[str, float] = defaultdict(float)
    for each in machine.others.processes:
        programs[each.name] += each.processors
    most = sorted(programs.items(), key=lambda each: -each[1])[:NAMED]
    named = [f"{name} {taken:.1f}" for name, taken in most if taken >= SHOWN]
    return f" ({', '.join(named)})" if named else ""


def _used(processors: float, machine: WatchedMachine | None, cpu: Range | None) -> float:
    """How many processors are busy with anything but their host."""
    busy = None if machine is None else machine.cpu_busy
    all_of_it = 0.0 if busy is None else busy.value * processors - _stolen(processors, machine)
    return max(all_of_it, 0.0 if cpu is None else cpu.value)


def _stolen(processors: float, machine: WatchedMachine | None) -> float:
    steal = None if machine is None else machine.cpu_steal
    return 0.0 if steal is None else steal.value * processors

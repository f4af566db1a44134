"""What a watch saw, as rows and sentences that every form of the report shows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from advisor.forecasts.server.processors import SHOWN, busiest
from advisor.wording.watch.bursts import burst_sentence
from advisor.wording.watch.of_limit import ALL, Focus
from probes import figures
from probes.inventory.facts import Inventory, Missing
from probes.statistics.ranges import Range
from probes.watch import machine_series
from probes.watch.clients import CLIENTS
from probes.watch.file_series import BY_FILE
from probes.watch.server_series import (
    BACKGROUND_IO,
    CHECKPOINT,
    FILE_IO,
    FILES_ANSWER,
    HISTORY,
    STATUS_ANSWER,
)
from probes.watch.watched import Device, FileIO, Watched, WatchedMachine
from probes.watch.words import ROLES, calls_of

COLUMNS = (
    "files",
    "operation",
    "per second",
    "bytes",
    "each takes (mean)",
    "at a time",
    "background",
)
NOTABLE = 0.01
"""Threads inside a call on average, from which on a sentence mentions it."""

MOST_NAMED = 3
SEEN = 0.05
"""From this number of syncs in flight on, a figure with one decimal shows something."""

TELLING = 0.05
"""A sentence names what takes this share of the time of file I/O, up to ``MOST_NAMED``."""

Cells = tuple[str, ...]
"""One operation on one role's files, in the order of ``COLUMNS``."""


TRACES = ("trace", "trace.calls", "trace.blocks")
"""What the agent may name as not traced at all."""

_UNSEEN = {
    STATUS_ANSWER: "The server was not watched to the end",
    FILE_IO: "The server times no files",
    FILES_ANSWER: "Its file I/O is not known for the whole watch",
    BACKGROUND_IO: "What connections write themselves is not known",
    BY_FILE: "Which files its time goes to is not known",
    CHECKPOINT: "How old its checkpoint gets is not known",
    HISTORY: "How long its history list gets is not known",
    CLIENTS: "Where its clients are is not known",
    machine_series.ANSWER: "Its machine was not watched",
    "watch.others": "What other programs take of the processors is not known",
    machine_series.TRACE: "Nothing was traced",
    "watch.trace.calls": "The server's calls were not traced",
    "watch.trace.blocks": "The disk's requests were not traced",
    "watch.trace.calls.io_uring": "Requests by io_uring are not all known",
    "watch.trace.calls.io_submit": "Asynchronous requests are not known by file",
}


def unseen(inventory: Inventory) -> Iterator[str]:
    """What a watch could not see, and why."""
    for fact, text in _UNSEEN.items():
        because = why_missing(inventory.missing, fact)
        if because:
            yield f"{text}: {because}."


def cut_short(inventory: Inventory) -> str:
    """Why the watch ended before its time, as a sentence; "" where it came to its end."""
    because = why_missing(inventory.missing, STATUS_ANSWER)
    return f"{_UNSEEN[STATUS_ANSWER]}: {because}." if because else ""


def why_missing(missing: Iterable[Missing], fact: str) -> str:
    """Why a fact could not be had, in words that follow "because"; "" where it could."""
    return next((one.because for one in missing if one.fact == fact), "")


def by_waiting(watched: Watched) -> list[FileIO]:
    """The file I/O, what most threads wait in first; then what no thread waits for."""
    return sorted(
        watched.files, key=lambda each: (-(each.waiting or 0.0), -(each.under_way or 0.0))
    )


def rows(watched: Watched) -> list[Cells]:
    """The cells of the file I/O, in that order."""
    return [(ROLES[each.role], str(each.operation), *amounts(each)) for each in by_waiting(watched)]


def where_time_goes(watched: Watched) -> str:
    """What the time of the server's file I/O goes into; without that, what the disk does."""
    timed = sorted(watched.files, key=lambda each: -(each.waiting or 0.0))
    whole, behind = sum(each.waiting or 0.0 for each in timed), _behind(watched)
    if whole >= NOTABLE:
        named = [
            (each, each.latency_us)
            for each in timed[:MOST_NAMED]
            if each.latency_us is not None and (each.waiting or 0.0) >= TELLING * whole
        ]
        # "Each" is said once: three times, it makes a headline of three lines.
        parts = [
            f"{figures.percent((each.waiting or 0.0) / whole)} in "
            f"{calls_of(each.role, each.operation)} "
            f"({figures.duration_us(took.value)}{'' if at else ' each'})"
            for at, (each, took) in enumerate(named)
        ]
        inside = f"{_threads_at_a_time(whole, ' is', ' are')} in file I/O: {figures.listed(parts)}."
        return f"{inside} {behind}".rstrip()
    if whole or behind:
        hardly = f"The server hardly waits for its files: {_threads_at_a_time(whole)}."
        return f"{hardly} {behind}".rstrip()
    sentences = () if watched.machine is None else tuple(_machine_sentences(watched.machine))
    return (
        sentences[0]
        if sentences
        else next(work_sentences(watched), "Nothing of its file I/O is known.")
    )


def _threads_at_a_time(threads: float, one: str = "", many: str = "") -> str:
    """``1 thread at a time``, ``1.3 threads at a time``, and a verb that fits."""
    text = f"{threads:.2g}"
    return f"1 thread at a time{one}" if text == "1" else f"{text} threads at a time{many}"


def _behind(watched: Watched) -> str:
    """How many requests are under way that no thread waits for; "" for next to none."""
    requests = sum((each.under_way or 0.0) * each.queued for each in watched.files)
    if requests < NOTABLE:
        return ""
    return f"Another {requests:.2g} requests are under way in the background."


def at_work_sentence(watched: Watched) -> str:
    """How many queries were at work; "" where nobody knows."""
    running = watched.at_work
    if running is None:
        return ""
    return f"{running.value:.1f} queries were at work on average, {running.high:.0f} at most."


def work_sentences(watched: Watched, focus: Focus = ALL) -> Iterator[str]:
    """Where queries are: how many are at work, what they wait for, what misses the pool.

    Of the waits only those in ``focus`` are named, of devices those in it come first.
    """
    if at_work := at_work_sentence(watched):
        yield at_work
    if most := _longest_call(watched, focus):
        yield most
    if burst := burst_sentence(watched):
        yield burst
    if watched.machine is not None:
        yield from _machine_sentences(watched.machine, focus, _longest(watched, focus))
    own = watched.own_writes
    if own is not None and own.value >= NOTABLE:
        yield f"Connections write pages themselves: at least {own.value:.2f} at a time on average."
    missed = watched.status.per_s("Innodb_buffer_pool_reads")
    if missed is not None:
        yield f"{missed.text(figures.count)} page requests/s missed the buffer pool."


def _longest_call(watched: Watched, focus: Focus) -> str:
    """What most threads were seen in, of what is timed call by call; "" where hardly any were.

    Threads that wait for each other, for rows or for other servers are in no such call.
    """
    queue = _queue(watched) if focus.processors else 0.0
    first = _longest(watched, focus)
    inside = 0.0 if first is None or first.waiting is None else first.waiting
    if max(inside, queue) < NOTABLE:
        return ""
    if first is None or queue > inside:
        return queue_sentence(watched)
    return (
        f"Of the calls that are timed, {calls_of(first.role, first.operation)} take most: "
        f"{inside:.2f} threads on average, at {_each(first.latency_us)}."
    )


def _longest(watched: Watched, focus: Focus) -> FileIO | None:
    """The call in ``focus`` that most threads were seen in; None where none is timed."""
    calls = [each for each in watched.files if each.waiting is not None and focus.has(each)]
    return max(calls, key=lambda each: each.waiting or 0.0, default=None)


def queue_sentence(watched: Watched) -> str:
    """How many of the server's threads wait for a processor."""
    return f"{_queue(watched):.2f} threads wait for a processor on average."


def _queue(watched: Watched) -> float:
    delay = None if watched.machine is None else watched.machine.server_run_delay
    return 0.0 if delay is None else delay.value


def _machine_sentences(
    machine: WatchedMachine, focus: Focus = ALL, longest: FileIO | None = None
) -> Iterator[str]:
    """Devices in ``focus`` first, and of several the one that takes the longest call."""
    role = None if longest is None else str(longest.role)

    def rank(device: Device) -> tuple[bool, bool]:
        held = focus.holds(device)
        return not held, held and role not in device.roles

    for device in sorted(machine.devices, key=rank):
        kinds = (("read", device.reads), ("write", device.writes), ("sync", device.syncs))
        takes = [
            f"a {name} takes {figures.duration_us(done.latency_us.value)}"
            for name, done in kinds
            if done is not None and done.latency_us is not None
        ]
        yield (
            f"{device.name} is busy {figures.percent(device.busy.value)} of the time with "
            f"{_in_flight(device)} in flight"
            + ("; " + figures.listed(takes) if takes else "")
            + "."
        )
    if machine.server_cpu is not None:
        yield processors_sentence(machine, machine.server_cpu)
    if machine.io_pressure is not None and machine.io_pressure.value >= NOTABLE:
        yield (
            f"Some program waits for storage {figures.percent(machine.io_pressure.value)} of the "
            "time, as the kernel counts (PSI)."
        )


def _in_flight(device: Device) -> str:
    """How many requests of which kind are under way; syncs only where there are any."""
    flight = device.reads.in_flight.value + device.writes.in_flight.value
    syncs = 0.0 if device.syncs is None else device.syncs.in_flight.value
    text = f"{flight:.1f} reads and writes"
    return f"{syncs:.1f} syncs and {text}" if syncs >= SEEN else text


def processors_sentence(machine: WatchedMachine, server: Range) -> str:
    """Who keeps the machine's processors busy: the server, other programs, the host."""
    text = f"The server keeps {server.value:.1f} processors busy"
    programs = 0.0 if machine.others is None else machine.others.programs
    if programs >= SHOWN:
        text += f", other programs {programs:.1f}{busiest(machine)}"
    stolen = machine.cpu_steal
    if stolen is not None and stolen.value >= NOTABLE:
        text += f"; {figures.percent(stolen.value)} of processor time is stolen by the host"
    return f"{text}."


def amounts(seen: FileIO) -> Cells:
    """The cells of one kind of call behind its names."""
    return (
        figures.rate(seen.per_s.value),
        figures.throughput(seen.bytes_per_s) if seen.bytes_per_s else "",
        _each(seen.latency_us),
        *_at_a_time(seen),
    )


def _each(latency_us: Range | None) -> str:
    if latency_us is None:
        return "not timed"
    return latency_us.text(figures.duration_us)


def _at_a_time(seen: FileIO) -> tuple[str, str]:
    """How many threads are inside such a call, and how many are under way that none waits for."""
    if seen.waiting is None or seen.under_way is None:
        return "", ""
    behind = figures.under_way(seen.under_way - seen.waiting) if seen.queued else ""
    return figures.under_way(seen.waiting), behind

"""Reading what the agent saw of devices, server process and machine: pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from probes.boundary.json_text import decode_object
from probes.boundary.malformed import Malformed
from probes.boundary.numbers import LARGEST_WORD, finite, whole
from probes.boundary.text import text as text_of
from probes.statistics.ranges import Range
from probes.watch.machine_series import ANSWER, LONGEST_BYTES
from probes.watch.over_time import Amounts, BusyTime, Course, course, rates
from probes.watch.watched import Device, OtherWork, ProcessWork, Requests, WatchedMachine
from probes.watch.words import Operation, Source

_MOST_S = 1e6
_MOST_LETTERS = 1000
_MOST_PROCESSES = 1000
LEAST_TIME_MS = 10.0
"""The kernel counts requests' time in whole milliseconds: fewer of them in a window show nothing of
one request (our choice: a tenth of rounding)."""

_US_PER_MS = 1e3
_MS_PER_S = 1e3
_WRAP = 2.0**32
"""The kernel keeps milliseconds in 32 bits."""

_COUNTERS = {
    Operation.READ: ("reads", "read_bytes", "read_ms"),
    Operation.WRITE: ("writes", "written_bytes", "write_ms"),
    Operation.SYNC: ("flushes", "", "flush_ms"),
}
"""What the kernel counts of each operation: how many, their bytes, and the time they took."""

AgentAnswer = Mapping[str, Any]


def agents_answer(answers: Mapping[str, str]) -> AgentAnswer | None:
    """What the agent said of its watch, decoded; None where nobody looked. Raises Malformed."""
    text = answers.get(ANSWER)
    return None if text is None else decode_object(text, LONGEST_BYTES)


def server_hostname(answer: AgentAnswer | None) -> str:
    """What the server's process calls its machine; "" where that is not known."""
    name = None if answer is None else answer.get("hostname")
    return name if isinstance(name, str) else ""


def read_machine(answer: AgentAnswer | None) -> WatchedMachine | None:
    """What the kernel counted; None where nobody looked. Raises Malformed."""
    if answer is None:
        return None
    moments = _moments(answer.get("moments"))
    seconds = [
        after - before for before, after in pairwise(_figures(moments, ("at_s",), _MOST_S) or ())
    ]
    if not seconds or min(seconds) <= 0:
        raise Malformed("the moments of the watch are not in the order of their time")
    return WatchedMachine(
        devices=_devices(answer.get("devices"), moments, seconds),
        cpu_busy=_share(moments, "busy_s"),
        cpu_steal=_share(moments, "steal_s"),
        server_cpu=_server_cpu(moments, seconds),
        server_run_delay=_rate(moments, ("server", "run_delay_s"), seconds),
        flush_cpu=_rate(moments, ("server", "flush_cpu_s"), seconds),
        io_pressure=_rate(moments, ("pressure", "io_us"), seconds, 1e-6),
        others=_others(answer.get("others"), sum(seconds)),
    )


def _others(reported: object, seconds: float) -> OtherWork | None:
    """What other processes took; None of an agent that does not report it."""
    if reported is None:
        return None
    if not isinstance(reported, dict) or not isinstance(reported.get("processes"), list):
        raise Malformed("what other processes took is no object with processes")
    rest, kernel, own = (
        finite(reported.get(name), f"the {name} of other processes", 0.0, LARGEST_WORD) / seconds
        for name in ("rest_s", "kernel_s", "own_s")
    )
    processes = tuple(_process(each, seconds) for each in reported["processes"][:_MOST_PROCESSES])
    return OtherWork(processes, rest, kernel, own)


def _process(reported: object, seconds: float) -> ProcessWork:
    if not isinstance(reported, dict):
        raise Malformed("what a process took is no object")
    return ProcessWork(
        whole(reported.get("pid"), "the number of a process", 1),
        text_of(reported.get("name"), "the name of a process", _MOST_LETTERS),
        finite(reported.get("cpu_s"), "the time of a process", 0.0, LARGEST_WORD) / seconds,
    )


def read_device_courses(answer: AgentAnswer | None) -> tuple[Course, ...]:
    """What the devices did over time; nothing where nobody looked. Raises Malformed."""
    if answer is None:
        return ()
    moments = _moments(answer.get("moments"))
    edges_s = _figures(moments, ("at_s",), _MOST_S) or []
    found = []
    for name in _names(answer):
        for operation, counters in _COUNTERS.items():
            grown = _counted(moments, ("devices", name), counters)
            if grown is not None and any(grown[0]):
                amounts = [
                    Amounts(count, size, waited_ms * _US_PER_MS)
                    for count, size, waited_ms in zip(*grown, strict=True)
                ]
                found.append(course(name, operation, Source.KERNEL, edges_s, amounts))
    return tuple(found)


def read_busy(answer: AgentAnswer | None) -> tuple[BusyTime, ...]:
    """How busy the devices were over time; nothing where nobody looked. Raises Malformed."""
    if answer is None:
        return ()
    moments = _moments(answer.get("moments"))
    edges_s = _figures(moments, ("at_s",), _MOST_S) or []
    found = []
    for name in _names(answer):
        busy_ms = _growth(moments, ("devices", name, "busy_ms"))
        if busy_ms is not None:
            edges, per_s = rates(edges_s, busy_ms)
            shares = tuple(min(1.0, each / _MS_PER_S) for each in per_s)
            found.append(BusyTime(name, edges, shares))
    return tuple(found)


def _names(answer: AgentAnswer) -> list[str]:
    """The devices below the server's directories, each once."""
    roles = answer.get("devices")
    return list(dict.fromkeys(map(str, roles.values()))) if isinstance(roles, dict) else []


def read_missing(answer: AgentAnswer | None) -> list[tuple[str, str]]:
    """What the agent could not see and why, in words that follow "because"; raises Malformed."""
    reported = [] if answer is None else answer.get("missing", [])
    if not isinstance(reported, list) or not all(isinstance(each, dict) for each in reported):
        raise Malformed("what the watch could not see is no list of objects")
    return [
        (
            text_of(each.get("what"), "what the watch lacks", _MOST_LETTERS),
            text_of(each.get("because"), "why the watch lacks it", _MOST_LETTERS),
        )
        for each in reported
    ]


def _moments(reported: object) -> list[AgentAnswer]:
    if (
        not isinstance(reported, list)
        or len(reported) < 2
        or not all(isinstance(m, dict) for m in reported)
    ):
        raise Malformed("the watch holds fewer than two moments")
    return reported


def _devices(
    roles: object, moments: Sequence[AgentAnswer], seconds: Sequence[float]
) -> tuple[Device, ...]:
    by_name: dict[str, list[str]] = {}
    for role, name in (roles if isinstance(roles, dict) else {}).items():
        by_name.setdefault(str(name), []).append(str(role))
    found = (_device(name, tuple(its), moments, seconds) for name, its in by_name.items())
    return tuple(each for each in found if each is not None)


def _device(
    name: str, roles: tuple[str, ...], moments: Sequence[AgentAnswer], seconds: Sequence[float]
) -> Device | None:
    where = ("devices", name)
    reads, writes, syncs = (
        _requests(moments, where, counters, seconds) for counters in _COUNTERS.values()
    )
    busy = _rate(moments, (*where, "busy_ms"), seconds, 1e-3)
    if reads is None or writes is None or busy is None:
        return None
    return Device(name, roles, reads, writes, syncs, busy)


def _requests(
    moments: Sequence[AgentAnswer],
    where: tuple[str, str],
    names: tuple[str, str, str],
    seconds: Sequence[float],
) -> Requests | None:
    grown = _counted(moments, where, names)
    if grown is None:
        return None
    count, size, time_ms = grown
    per_s, in_flight = Range.ratio(count, seconds), Range.ratio(time_ms, seconds)
    if per_s is None or in_flight is None:
        return None
    latency = Range.ratio(time_ms, count) if sum(time_ms) >= LEAST_TIME_MS else None
    return Requests(
        per_s,
        sum(size) / sum(seconds),
        None if latency is None else latency.times(_US_PER_MS),
        in_flight.times(1e-3),
    )


def _counted(
    moments: Sequence[AgentAnswer], where: tuple[str, str], names: tuple[str, str, str]
) -> tuple[list[float], list[float], list[float]] | None:
    """How number, bytes and time grew; None where one of them is not known. "" counts nothing."""
    count, size, time_ms = (
        _growth(moments, (*where, each)) if each else [0.0] * (len(moments) - 1) for each in names
    )
    return None if count is None or size is None or time_ms is None else (count, size, time_ms)


def _share(moments: Sequence[AgentAnswer], name: str) -> Range | None:
    part, whole = _growth(moments, ("cpu", name)), _growth(moments, ("cpu", "total_s"))
    return None if part is None or whole is None else Range.ratio(part, whole)


def _server_cpu(moments: Sequence[AgentAnswer], seconds: Sequence[float]) -> Range | None:
    user = _growth(moments, ("server", "cpu_user_s"))
    system = _growth(moments, ("server", "cpu_system_s"))
    if user is None or system is None:
        return None
    return Range.ratio([a + b for a, b in zip(user, system, strict=True)], seconds)


def _rate(
    moments: Sequence[AgentAnswer],
    path: tuple[str, ...],
    seconds: Sequence[float],
    unit: float = 1.0,
) -> Range | None:
    grown = _growth(moments, path)
    rate = None if grown is None else Range.ratio(grown, seconds)
    return None if rate is None else rate.times(unit)


def _growth(moments: Sequence[AgentAnswer], path: tuple[str, ...]) -> list[float] | None:
    """By how much a counter grew from moment to moment; None where it was reset or not reported."""
    reported = _figures(moments, path, LARGEST_WORD)
    if reported is None:
        return None
    grown = []
    for before, after in pairwise(reported):
        wrapped = path[-1].endswith("_ms") and after < before < _WRAP
        grown.append(after - before + (_WRAP if wrapped else 0.0))
    return None if any(each < 0 for each in grown) else grown


def _figures(
    moments: Sequence[AgentAnswer], path: tuple[str, ...], most: float
) -> list[float] | None:
    """One figure of every moment; None where one of them lacks it. Raises Malformed."""
    found = []
    for moment in moments:
        value: object = moment
        for name in path:
            value = value.get(name) if isinstance(value, dict) else None
        if value is None:
            return None
        found.append(finite(value, ".".join(path), 0.0, most))
    return found

"""What the script counted every second, in the shape of the agent's answer to a watch."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from probes.boundary.malformed import Malformed
from probes.boundary.numbers import LARGEST, LARGEST_WORD, finite_from_text, whole_from_text
from probes.collection.machine import CollectedMachine
from probes.collection.sections import Section, sections
from probes.inventory.machine.mounts import find_mount

_TICKS_PER_S = 100.0
"""The unit of processor time in /proc."""

_NS_PER_S = 1e9
_SECTOR_BYTES = 512
_KERNEL_THREAD = 0x00200000
_MOST_OTHERS = 32
_Processes = Mapping[int, tuple[str, Sequence[str]]]
_FLUSHERS = ("ib_pg_flush", "ib_io_wr")
"""How the names of MySQL's threads begin that write pages."""

_FIRST_COUNTERS, _WITH_FLUSHES = 11, 17
"""How many counters a device has, from Linux 5.5 on those of flushes too."""

_LEAST_S = 0.2
"""Two moments that are closer than that are one."""


@dataclass(slots=True)
class _Moment:
    """One look: when, and its sections by title."""

    at_s: float
    parts: dict[str, Section] = field(default_factory=dict)

    def lines(self, title: str) -> Sequence[str]:
        section = self.parts.get(title)
        return () if section is None else section.lines


def watch_answer(text: str, machine: CollectedMachine, roles: Mapping[str, str]) -> str | None:
    """The agent's JSON; None where there are fewer than two moments. ``roles`` are directories."""
    moments = list(_moments(text))
    if len(moments) < 2:
        return None
    begun_s = moments[0].at_s
    counted = _Counted(machine, roles)
    server = _ServerTimes(machine.pid)
    instants = [_instant(each, begun_s, counted, server) for each in moments]
    answer: dict[str, Any] = {
        "seconds": instants[-1]["at_s"],
        "own_cpu_s": _own_cpu_s(moments),
        "devices": counted.names,
        "hostname": "" if machine.contained else _hostname(machine),
        "moments": instants,
        "missing": [{"what": what, "because": why} for what, why in counted.missing],
    }
    if machine.pid:
        answer["pid"] = machine.pid
    else:
        answer["missing"].append({"what": "server", "because": machine.because})
    if not any(each["pressure"] for each in instants):
        because = "the kernel does not report it (it does from Linux 4.20 on)"
        answer["missing"].append({"what": "pressure", "because": because})
    if (others := _others(moments[0], moments[-1], machine.pid)) is not None:
        answer["others"] = others
    return json.dumps(answer, ensure_ascii=False)


def _hostname(machine: CollectedMachine) -> str:
    return machine.server[0].first("host") if machine.pid else ""


def _moments(text: str) -> Iterator[_Moment]:
    latest: _Moment | None = None
    for section in sections(text):
        if section.kind == "@moment":
            at_s = _figure(section.about)
            if latest is not None and at_s - latest.at_s >= _LEAST_S:
                yield latest
                latest = _Moment(at_s)
            elif latest is None:
                latest = _Moment(at_s)
        elif latest is not None:
            latest.parts[section.title.partition(" ")[0]] = section
    if latest is not None:
        yield latest


class _Counted:
    """The devices below the server's directories, by role, and what each has done by a moment."""

    def __init__(self, machine: CollectedMachine, roles: Mapping[str, str]) -> None:
        self.names: dict[str, str] = {}
        self.missing: list[tuple[str, str]] = []
        self._disks: dict[str, tuple[str, ...]] = {}
        for role, path in roles.items():
            numbers = self._below(machine, path)
            blocks = [machine.disks.blocks[number] for number in numbers]
            name = "+".join(block["name"] for block in blocks)
            because = ""
            if not numbers:
                because = (
                    f"no block device is known below {path}: it may lie in memory, on a network, "
                    "on ZFS or in a container"
                )
            elif any(block["files"].get("queue/iostats") == "0" for block in blocks):
                because = f"the kernel does not count what {name} does"
            if because:
                self.missing.append((f"devices.{role}", because))
            else:
                self.names[role] = name
                self._disks[name] = numbers

    def states(self, moment: _Moment) -> dict[str, dict[str, int]]:
        """By name what each has done since it appeared; without one that is not there."""
        rows = {}
        for line in moment.lines("/proc/diskstats"):
            major, minor, _, *counters = line.split() + [""] * 3
            rows[f"{major}:{minor}"] = [_whole(each) for each in counters if each]
        states = {}
        for name, numbers in self._disks.items():
            known = [rows.get(number, []) for number in numbers]
            if all(len(each) >= _FIRST_COUNTERS for each in known):
                states[name] = _state([sum(column) for column in zip(*known, strict=False)])
        return states

    @staticmethod
    def _below(machine: CollectedMachine, path: str) -> tuple[str, ...]:
        section = machine.named.get(f"@directory {path}")
        resolved = "" if section is None or machine.contained else section.first("resolved")
        if section is not None and "denied" in section.lines and not machine.contained:
            # What lies in a closed directory lies on its file system, as far as anybody knows.
            resolved = path
        mount = find_mount(machine.mounts, resolved) if resolved else None
        lowest = (machine.disks.lowest(each) for each in machine.devices(mount))
        return tuple(dict.fromkeys(each for each in lowest if each in machine.disks.blocks))


def _state(counters: Sequence[int]) -> dict[str, int]:
    state = {
        "reads": counters[0],
        "read_bytes": counters[2] * _SECTOR_BYTES,
        "read_ms": counters[3],
        "writes": counters[4],
        "written_bytes": counters[6] * _SECTOR_BYTES,
        "write_ms": counters[7],
        "in_flight": counters[8],
        "busy_ms": counters[9],
        "queue_ms": counters[10],
    }
    if len(counters) >= _WITH_FLUSHES:
        state |= {"flushes": counters[15], "flush_ms": counters[16]}
    return state


class _ServerTimes:
    """What the server's process has done, and how long its threads waited for a processor."""

    def __init__(self, pid: int) -> None:
        self._folder = f"/proc/{pid}" if pid else ""
        self._latest: dict[str, tuple[int, int]] | None = None
        self._flushers: set[str] = set()
        self._waited = self._flushed = 0

    def state(self, moment: _Moment) -> dict[str, float] | None:
        """The state by a moment; None once the process has ended, or where none is known."""
        stat = _fields("".join(moment.lines(f"{self._folder}/stat"))) if self._folder else None
        if stat is None:
            return None
        state: dict[str, float] = {
            "cpu_user_s": _whole(stat[11]) / _TICKS_PER_S,
            "cpu_system_s": _whole(stat[12]) / _TICKS_PER_S,
            "threads": _whole(stat[17]),
        }
        moved = dict(line.partition(": ")[::2] for line in moment.lines(f"{self._folder}/io"))
        if "read_bytes" in moved and "write_bytes" in moved:
            state["read_bytes"] = _whole(moved["read_bytes"])
            state["written_bytes"] = _whole(moved["write_bytes"])
        if self._look(moment):
            state["run_delay_s"] = round(self._waited / _NS_PER_S, 3)
            if self._flushers:
                state["flush_cpu_s"] = round(self._flushed / _NS_PER_S, 3)
        return state

    def _look(self, moment: _Moment) -> bool:
        """Add up the growth of every thread; one that began since then counts in full."""
        now: dict[str, tuple[int, int]] = {}
        for line in moment.lines("@threads"):
            fields = [*line.split(), "", "", ""]
            now[fields[0]] = (_whole(fields[1]), _whole(fields[2]))
            if fields[4].startswith(_FLUSHERS):
                self._flushers.add(fields[0])
        before = now if self._latest is None else self._latest
        for thread, (ran, waited) in now.items():
            had = before.get(thread, (0, 0))
            if had[0] > ran or had[1] > waited:
                had = (0, 0)
            self._waited += waited - had[1]
            if thread in self._flushers:
                self._flushed += ran - had[0]
        self._latest = now
        return any(ran for ran, _ in now.values())


def _instant(
    moment: _Moment, begun_s: float, counted: _Counted, server: _ServerTimes
) -> dict[str, Any]:
    instant: dict[str, Any] = {
        "at_s": round(moment.at_s - begun_s, 3),
        "devices": counted.states(moment),
        "pressure": dict(_pressure(moment)),
    }
    if (state := server.state(moment)) is not None:
        instant["server"] = state
    if (cpu := _processors(moment)) is not None:
        instant["cpu"] = cpu
    return instant


def _pressure(moment: _Moment) -> Iterator[tuple[str, int]]:
    for of in ("cpu", "io", "memory"):
        for line in moment.lines(f"/proc/pressure/{of}")[:1]:
            kind, *fields = line.split()
            total = dict(each.partition("=")[::2] for each in fields).get("total", "")
            if kind == "some" and total:
                yield f"{of}_us", _whole(total)


def _processors(moment: _Moment) -> dict[str, float] | None:
    """Of all processors together: user nice system idle iowait irq softirq steal."""
    ticks = [_whole(each) for each in "".join(moment.lines("/proc/stat")).split()[1:9]]
    if len(ticks) < 8:
        return None
    user, nice, system, _, iowait, interrupts, soft, steal = ticks
    busy = user + nice + system + interrupts + soft + steal
    parts = {"busy_s": busy, "iowait_s": iowait, "steal_s": steal, "total_s": sum(ticks)}
    return {name: part / _TICKS_PER_S for name, part in parts.items()}


def _others(first: _Moment, last: _Moment, server: int) -> dict[str, Any] | None:
    """What all processes but the server's took; None where they were not looked at."""
    section = last.parts.get("@processes")
    before = dict(_processes(first.lines("@processes")))
    if section is None or not before:
        return None
    after = dict(_processes(section.lines))
    own = {int(section.about)} if section.about.isdecimal() else set()
    for pid, (_, fields) in after.items():
        if _whole(fields[1]) in own:
            own.add(pid)
    named: list[dict[str, Any]] = []
    report = {"rest_s": 0.0, "kernel_s": 0.0, "own_s": 0.0}
    known = Counter[int]()
    for pid, (_, fields) in before.items():
        known[_heir(pid, before, after)] += _ticks(fields)
    for pid, (name, fields) in after.items():
        took = _ticks(fields) - known[pid]
        if pid == server or took <= 0:
            continue
        if pid in own or _whole(fields[6]) & _KERNEL_THREAD:
            report["own_s" if pid in own else "kernel_s"] += took / _TICKS_PER_S
        else:
            named.append({"pid": pid, "name": name, "cpu_s": took / _TICKS_PER_S})
    named.sort(key=lambda each: (-each["cpu_s"], each["pid"]))
    report["rest_s"] = sum(each["cpu_s"] for each in named[_MOST_OTHERS:])
    return {"processes": named[:_MOST_OTHERS]} | {n: round(each, 3) for n, each in report.items()}


def _heir(pid: int, before: _Processes, after: _Processes) -> int:
    """The process itself where it goes on, else the nearest above it that does; 0 where none does.

    What children took that ended is their parent's.
    """
    # A number that another process got between two looks may lead in a circle.
    for _ in before:
        if pid not in before:
            break
        fields = before[pid][1]
        if pid in after and after[pid][1][19] == fields[19]:
            return pid
        pid = _whole(fields[1])
    return 0


def _processes(lines: Iterable[str]) -> Iterator[tuple[int, tuple[str, list[str]]]]:
    for line in lines:
        fields = _fields(line)
        pid, _, name = line.rpartition(")")[0].partition(" (")
        if fields is not None and pid.isdecimal():
            yield int(pid), (name, fields)


def _fields(stat: str) -> list[str] | None:
    """What stands behind the name in /proc/PID/stat: the state, then numbers."""
    fields = stat.rpartition(")")[2].split()
    return fields if len(fields) > 20 else None


def _ticks(fields: Sequence[str]) -> int:
    """The processor time of a process and of its children that ended, of user and system."""
    return sum(map(_whole, fields[11:15]))


def _own_cpu_s(moments: Sequence[_Moment]) -> float:
    """What the script and what it started took, as the shell's ``times`` has it: ``0m0.12s``."""
    parts = [each.split("m") for line in moments[-1].lines("@own") for each in line.split()]
    return round(
        sum(
            60 * _figure(part[0]) + _figure(part[1].rstrip("s")) for part in parts if len(part) == 2
        ),
        3,
    )


def _whole(text: str) -> int:
    """A counter; 0 for what is none."""
    try:
        return whole_from_text(text, "a counter", 0, LARGEST_WORD)
    except Malformed:
        return 0


def _figure(text: str) -> float:
    try:
        return finite_from_text(text, "a time", 0.0, float(LARGEST))
    except Malformed:
        return 0.0

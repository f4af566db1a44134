"""What iostat and vmstat saw, as an answer of the agent's watch: counters, moment by moment."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from probes.inventory.facts import RawInventory, Role
from probes.inventory.read import read
from probes.points import HostSample
from probes.texts.reading.cloudwatch import VOLUME
from probes.texts.reading.pieces import CountersPiece, DrivesPiece
from probes.texts.window import LONGEST_WATCH_S, one_look
from probes.watch.machine_series import ANSWER

_VIRTUAL = ("loop", "ram", "zram", "sr", "fd", "dm-", "md")
_MOST_MOMENTS = 3600


def counted_moments(
    counters: Sequence[CountersPiece], apart_s: float | None, notes: list[str]
) -> list[dict[str, Any]]:
    """The kernel's counters of two moments or more, in their order; nothing of fewer.

    ``apart_s`` is what a person said of their distance. What keeps them from being a window is said
    in ``notes``.
    """
    ordered = sorted(counters, key=_done)
    if len(ordered) < 2:
        if ordered:
            notes.append(
                "/proc/diskstats was taken once, which is since the machine's start: taken again "
                "some seconds later it shows the drives at work."
            )
        return []
    known = [each.at_s for each in ordered if each.at_s is not None]
    growing = all(later > earlier for earlier, later in pairwise(known))
    if apart_s is not None:
        times = [apart_s * at for at in range(len(ordered))]
    elif len(known) == len(ordered) and growing:
        times = [at_s - known[0] for at_s in known]
    else:
        notes.append(
            "/proc/diskstats was taken more than once, and nothing says how far apart (--apart "
            "does): left out."
        )
        return []
    timed = one_look(list(zip(times, ordered, strict=True)))[:_MOST_MOMENTS]
    if timed[-1][0] - timed[0][0] > LONGEST_WATCH_S:
        notes.append(
            "/proc/diskstats was taken at moments so far apart that they are a mean over day and "
            "night: left out."
        )
        return []
    return [
        {
            "at_s": round(at_s - timed[0][0], 3),
            "devices": {name: dict(each) for name, each in one.devices.items()},
        }
        for at_s, one in timed
    ]


def _done(piece: CountersPiece) -> float:
    """How much was done till then, by which moments are in order."""
    return sum(each["reads"] + each["writes"] for each in piece.devices.values())


def devices_answer(
    drives: Sequence[DrivesPiece],
    counted: Sequence[Mapping[str, Any]],
    answers: Mapping[str, str],
    notes: list[str],
) -> dict[str, str]:
    """Make the answer of the longest series; nothing where no series has two samples.

    ``counted`` are the kernel's own counters, which stand for it where no series is longer.

    Which device carries the server's files is known by its mounts, or where there is one device
    alone; else its figures are left out, with a sentence in ``notes``.
    """
    series = [each for each in drives if len({s.at_s for s in each.samples}) > 1]
    longest = max((len({s.at_s for s in each.samples}) for each in series), default=0)
    if counted and (len(counted) > longest or not any(map(_has_devices, series))):
        worked = {name for name, each in counted[-1]["devices"].items() if each["busy_ms"]}
        roles = _roles(worked, answers, notes, "/proc/diskstats")
        return {ANSWER: json.dumps({"moments": counted, "devices": roles})}
    if not series:
        return {}
    chosen = max(series, key=lambda each: (_has_devices(each), len(each.samples)))
    by_time: dict[float, list[HostSample]] = {}
    for sample in chosen.samples:
        if sample.host is not None:
            by_time.setdefault(sample.at_s, []).append(sample.host)
    seen = {s.host.device for s in chosen.samples if s.host is not None and s.host.device}
    roles = _roles(seen, answers, notes, "iostat")
    # What somebody left out is not 0.
    unknown = {h.device for hosts in by_time.values() for h in hosts if not _is_whole(h)}
    roles = {role: device for role, device in roles.items() if device not in unknown}
    moments = _moments(list(by_time.items())[:_MOST_MOMENTS], set(roles.values()), chosen)
    return {ANSWER: json.dumps({"moments": moments, "devices": roles})}


def _is_whole(host: HostSample) -> bool:
    """Whether rates are known, and the times of what was done."""
    pairs = ((host.reads_per_s, host.read_await_us), (host.writes_per_s, host.write_await_us))
    return all(rate == 0 or math.isfinite(rate * await_us) for rate, await_us in pairs)


def _has_devices(piece: DrivesPiece) -> bool:
    return any(sample.host is not None and sample.host.device for sample in piece.samples)


def _roles(
    seen: set[str], answers: Mapping[str, str], notes: list[str], source: str
) -> dict[str, str]:
    """The device of each role whose directory is known, or that of the data where there is one."""
    # A partition is the disk's.
    seen = {one for one in seen if not any(_is_whole_of({one}, other) for other in seen - {one})}
    if not seen:
        return {}
    inventory = read(RawInventory("", {n: a for n, a in answers.items() if n == "agent.inventory"}))
    found: dict[str, str] = {}
    for storage in inventory.storage:
        names = {storage.mount_source.rpartition("/")[2]}
        names |= {layer.device for layer in storage.layers} | {d.name for d in storage.disks}
        beneath = names & seen or {each for each in seen if _is_whole_of(names, each)}
        if len(beneath) == 1:
            found[storage.role.value] = beneath.pop()
    if found:
        return found
    disks = sorted(each for each in seen if not each.startswith(_VIRTUAL))
    if len(disks) == 1:
        if disks[0] != VOLUME:
            notes.append(f"{source} has one drive, {disks[0]}: it was taken for that of the data.")
        return {Role.DATA.value: disks[0]}
    notes.append(
        f"Nothing says which of {source}'s drives the data is on: send the output of `df -hT` or "
        "`lsblk`."
    )
    return {}


def _is_whole_of(parts: set[str], disk: str) -> bool:
    """Whether one of the names is a partition of a disk."""
    rests = (part.removeprefix(disk) for part in parts if part.startswith(disk))
    return any(rest.removeprefix("p").isdecimal() for rest in rests if rest)


def _moments(
    found: Sequence[tuple[float, Sequence[HostSample]]], devices: set[str], piece: DrivesPiece
) -> list[dict[str, object]]:
    """Rates added up over their time: what the kernel's counters grew by."""
    counters: dict[str, dict[str, float]] = {name: {} for name in devices}
    cpu = {"busy_s": 0.0, "steal_s": 0.0, "total_s": 0.0}
    steps = [later[0] - earlier[0] for earlier, later in pairwise(found)]
    usual = sorted(steps)[len(steps) // 2]
    at_s = 0.0
    moments = [_moment(at_s, counters, cpu)]
    for index, (_, hosts) in enumerate(found):
        # A report is of the time before it.
        seconds = usual if index == 0 else steps[index - 1]
        at_s += seconds
        for host in hosts:
            if host.device in devices:
                _grow(counters[host.device], host, seconds)
        _grow_cpu(cpu, hosts[0], seconds * (piece.processors or 1))
        moments.append(_moment(at_s, counters, cpu))
    return moments


_COUNTERS = ("reads", "read_bytes", "read_ms", "writes", "written_bytes", "write_ms", "busy_ms")


def _moment(
    at_s: float, counters: Mapping[str, Mapping[str, float]], cpu: Mapping[str, float]
) -> dict[str, object]:
    devices = {
        name: {each: round(counted.get(each, 0.0), 3) for each in _COUNTERS}
        for name, counted in counters.items()
    }
    return {"at_s": round(at_s, 3), "devices": devices, "cpu": dict(cpu)}


def _grow(counted: dict[str, float], host: HostSample, seconds: float) -> None:
    reads, writes = _known(host.reads_per_s), _known(host.writes_per_s)
    for name, grown in (
        ("reads", reads),
        ("read_bytes", _known(host.read_bytes_per_s)),
        ("read_ms", reads * _known(host.read_await_us) / 1e3),
        ("writes", writes),
        ("written_bytes", _known(host.written_bytes_per_s)),
        ("write_ms", writes * _known(host.write_await_us) / 1e3),
        ("busy_ms", _known(host.utilisation) * 1e3),
    ):
        counted[name] = counted.get(name, 0.0) + grown * seconds


def _grow_cpu(cpu: dict[str, float], host: HostSample, processor_s: float) -> None:
    busy = _known(host.cpu_user) + _known(host.cpu_system)
    cpu["busy_s"] += busy * processor_s
    cpu["steal_s"] += _known(host.cpu_steal) * processor_s
    cpu["total_s"] += processor_s


def _known(figure: float) -> float:
    return figure if math.isfinite(figure) else 0.0

"""What a watch saw, from a few lines of TOML: the table ``watched`` of a rule's case.

``files`` are rows of [role, operation, calls/s, mean µs] or with the low and high end of that mean;
``bytes`` are bytes/s by role and operation ("redo write"). ``running`` is how many queries were at
work, sample by sample; ``series`` are other values of the status, sample by sample, once a second.
``device`` is [reads/s, their mean µs, reads in flight] of the disk below the data. ``devices`` are
tables of disks: ``name``, ``roles``, ``busy``, and ``reads``, ``writes``, ``syncs`` as [per s, mean
µs, bytes/s], the last of which may be left out. ``pages`` are reads of pages ``again`` and for the
``first`` time, rows of [distance in pages, how many]. ``cpu`` is how many processors the server
keeps busy, and how many of its threads wait for one; ``machine`` are the shares of all processors
that are busy, and that the host took. ``others`` are rows of [process, its name, how many
processors it keeps busy], ``kernel`` and ``own`` those of the kernel and Leadline. ``clients`` are
how many connections are in use of clients on the server's machine, on others, and (may be left
out) on either; ``client_processes`` are the processes of those on the server's machine.
``applying`` is how many of a replica's appliers were at work beside what the status counts, and
``appliers`` how many were in all, where that is not the same. ``flush_cpu`` is how many processors
the server's threads that flush keep busy, ``own_writes`` how many connections write pages, with the
ends of that.
``device_courses`` are rows of [disk, operation, requests second by second, their bytes].
``courses`` are rows of [role, operation, calls/s, mean µs second by second], ``latencies`` rows of
[role, operation, pairs of class and how many ended].
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from probes.mysql.standby import LEADLINES_OWN
from probes.statistics.ranges import Range
from probes.watch.over_time import Course, LatencyCells, OverTime
from probes.watch.watched import (
    Clients,
    Device,
    FileIO,
    OtherWork,
    PageReads,
    ProcessWork,
    Requests,
    StatusSeries,
    Watched,
    WatchedMachine,
)
from probes.watch.words import FileRole, Operation, Source

WINDOW_S = 10.0


def _exact(figure: float) -> Range:
    """A figure without an error; TOML has whole numbers where a watch has none."""
    return Range.exact(float(figure))


NONE = Requests(_exact(0), 0.0, None, _exact(0))


def watched_work(seen: Mapping[str, Any] | None) -> Watched | None:
    """Make what was seen; None for nothing."""
    if seen is None:
        return None
    values = {name: tuple(map(float, told)) for name, told in seen.get("series", {}).items()}
    if "running" in seen:
        counted = LEADLINES_OWN - seen.get("applying", 0.0)
        values["Threads_running"] = tuple(float(each) + counted for each in seen["running"])
    samples = max((len(told) for told in values.values()), default=2)
    series = StatusSeries(tuple(map(float, range(samples))), values)
    sizes = seen.get("bytes", {})
    files = tuple(_file_io(row, sizes) for row in seen.get("files", ()))
    clients = _clients(seen)
    return Watched(
        series,
        files,
        _machine(seen),
        _page_reads(seen.get("pages")),
        over_time=_over_time(seen),
        clients=clients,
        own_writes=Range(*map(float, seen["own_writes"])) if "own_writes" in seen else None,
        applying=float(seen.get("applying", 0.0)),
        appliers=float(seen.get("appliers", seen.get("applying", 0.0))),
    )


def _clients(seen: Mapping[str, Any]) -> Clients | None:
    if "clients" not in seen:
        return None
    local, remote, unplaced = map(float, (*seen["clients"], 0)[:3])
    placed, pids = Clients(local, remote, unplaced), seen.get("client_processes")
    return replace(placed, processes=None if pids is None else tuple(pids))


def _over_time(seen: Mapping[str, Any]) -> OverTime | None:
    courses = tuple(_course(*row) for row in seen.get("courses", ()))
    latencies = tuple(
        LatencyCells(
            FileRole(role),
            Operation(operation),
            (0.0, WINDOW_S),
            (1.0,),
            tuple((0, index, count) for index, count in cells),
        )
        for role, operation, cells in seen.get("latencies", ())
    )
    devices = tuple(_device_course(*row) for row in seen.get("device_courses", ()))
    return OverTime(courses, devices, latencies) if courses or devices or latencies else None


def _device_course(
    name: str, operation: str, per_s: Sequence[float], bytes_per_s: Sequence[float]
) -> Course:
    seconds = len(per_s)
    return Course(
        name,
        Operation(operation),
        Source.KERNEL,
        tuple(map(float, range(seconds + 1))),
        tuple(map(float, per_s)),
        tuple(map(float, bytes_per_s)),
        (1000.0,) * seconds,
        tuple(each / 1000 for each in per_s),
    )


def _course(role: str, operation: str, per_s: float, means_us: Sequence[float]) -> Course:
    seconds = len(means_us)
    return Course(
        FileRole(role),
        Operation(operation),
        Source.SERVER,
        tuple(map(float, range(seconds + 1))),
        (per_s,) * seconds,
        (0.0,) * seconds,
        tuple(means_us),
        tuple(per_s * each / 1e6 for each in means_us),
    )


def _machine(seen: Mapping[str, Any]) -> WatchedMachine | None:
    devices = [_device(table) for table in seen.get("devices", ())]
    if "device" in seen:
        per_s, mean_us, in_flight = map(_exact, seen["device"])
        reads = Requests(per_s, 0.0, mean_us, in_flight)
        devices.append(Device("vda", ("data",), reads, NONE, None, _exact(0)))
    if not devices and "cpu" not in seen:
        return None
    if "cpu" not in seen:
        return WatchedMachine(tuple(devices))
    busy, delay = map(_exact, seen["cpu"])
    all_busy, stolen = map(_exact, seen.get("machine", (0, 0)))
    others = None
    if "others" in seen:
        processes = tuple(ProcessWork(pid, name, float(cpu)) for pid, name, cpu in seen["others"])
        kernel, own = (float(seen.get(name, 0)) for name in ("kernel", "own"))
        others = OtherWork(processes, 0.0, kernel, own)
    return WatchedMachine(
        tuple(devices),
        all_busy,
        stolen,
        server_cpu=busy,
        server_run_delay=delay,
        flush_cpu=_exact(seen["flush_cpu"]) if "flush_cpu" in seen else None,
        others=others,
    )


def _device(table: Mapping[str, Any]) -> Device:
    syncs = _requests(table["syncs"]) if "syncs" in table else None
    return Device(
        table.get("name", "vda"),
        tuple(table.get("roles", ("data", "redo"))),
        _requests(table.get("reads")),
        _requests(table.get("writes")),
        syncs,
        _exact(table.get("busy", 0)),
    )


def _requests(row: Sequence[float] | None) -> Requests:
    if row is None:
        return NONE
    per_s, mean_us, bytes_per_s = map(float, (*row, 0)[:3])
    in_flight = per_s * mean_us / 1e6
    return Requests(_exact(per_s), bytes_per_s, _exact(mean_us), _exact(in_flight))


def _page_reads(seen: Mapping[str, Any] | None) -> PageReads | None:
    if seen is None:
        return None
    again, first = (tuple((d, n) for d, n in seen.get(name, ())) for name in ("again", "first"))
    different = sum(count for _, count in first)
    reads = different + sum(count for _, count in again)
    return PageReads(16384, reads, different, 1.0, again, first)


def _file_io(row: Sequence[Any], sizes: Mapping[str, float]) -> FileIO:
    role, operation = row[:2]
    per_s, mean_us, *ends = map(float, row[2:])
    low, high = ends or (mean_us, mean_us)
    return FileIO(
        FileRole(role),
        Operation(operation),
        calls=per_s * WINDOW_S,
        per_s=_exact(per_s),
        bytes_per_s=float(sizes.get(f"{role} {operation}", 0)),
        latency_us=Range(mean_us, low, high),
    )

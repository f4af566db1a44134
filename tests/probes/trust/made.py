"""Points, samples and surroundings, made from a few figures."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from importlib import import_module
from inspect import getmembers, isfunction
from pkgutil import iter_modules
from types import ModuleType
from typing import Any

from probes.inventory.facts import Disk, Layer
from probes.points import (
    EndedBy,
    HostSample,
    LimitedBy,
    Point,
    Probe,
    Sample,
    Setting,
    Trust,
)
from probes.trust.surroundings import DirectoryPlace, Surroundings
from tests.points import doubts_of, point

DIRECTORY = "/srv/mysql"


def settled(setting: Setting, rate: float) -> Point:
    """A point of two seconds, sure within 1 %."""
    return point(setting, rate, 0.01, seconds=2.0, ended_by=EndedBy.TIME)


def read(rate: float, threads: int = 1, size: int = 16384, **options: str) -> Point:
    """A point of random reads: its latency is what ``threads`` in flight make of the rate."""
    return settled(Setting(Probe.RANDOM_READ, threads, size, 1, DIRECTORY, options), rate)


def write(rate: float, threads: int = 1, size: int = 16384) -> Point:
    return settled(Setting(Probe.RANDOM_WRITE, threads, size, 1, DIRECTORY), rate)


def redo(p50_us: float, threads: int = 1) -> Point:
    setting = Setting(Probe.REDO_SYNC, threads, 4096, 1, DIRECTORY, {"sync": "fdatasync"})
    return replace(settled(setting, threads * 1e6 / p50_us), direct=None)


def steady(rate: float = 1000.0, size: int = 1 << 20) -> Point:
    return settled(Setting(Probe.STEADY_WRITE, 4, size, 1, DIRECTORY), rate)


def select(rate: float, threads: int = 1) -> Point:
    setting = Setting(
        Probe.POINT_SELECT, threads, options={"protocol": "prepared", "working_set": "cached"}
    )
    return replace(settled(setting, rate), direct=None)


def detailed(made: Point, **details: object) -> Point:
    return replace(made, details={**made.details, **details})


def device(
    made: Point,
    *,
    did: Mapping[str, float],
    asked: Mapping[str, float],
    server: Mapping[str, float] | None = None,
    name: str = "vda",
) -> Point:
    """The same point with what the device did and what prober and server asked of it."""
    none = {"reads": 0, "writes": 0, "read_bytes": 0, "written_bytes": 0}
    told: dict[str, object] = {"device": {"name": name, **none, **did}, "issued": {**none, **asked}}
    if server is not None:
        told["server"] = {"read_bytes": 0, "written_bytes": 0, **server}
    return detailed(made, **told)


def samples(
    rates: Iterable[float], *, begin: int = 0, host: Mapping[str, float] | None = None
) -> list[Sample]:
    """A sample each 0.2 s; the first ``begin`` of them belong to the warm-up."""
    seen = host_sample(**host) if host else None
    return [
        Sample(round(0.2 * (index + 1 - begin), 3), rate, 200.0, 300.0, seen)
        for index, rate in enumerate(rates)
    ]


def host_sample(**changes: float) -> HostSample:
    made: dict[str, Any] = dict(changes)
    quiet = HostSample(
        device="vda",
        reads_per_s=0.0,
        writes_per_s=0.0,
        read_bytes_per_s=0.0,
        written_bytes_per_s=0.0,
        queue=1.0,
        utilisation=1.0,
        read_await_us=100.0,
        write_await_us=math.nan,
        cpu_user=0.05,
        cpu_system=0.05,
        cpu_iowait=0.1,
        cpu_steal=0.0,
        context_switches_per_s=1000.0,
        own_cpu=0.1,
    )
    return replace(quiet, **made)


def on(
    *disks: Disk,
    filesystem: str = "ext4",
    options: tuple[str, ...] = (),
    layers: tuple[Layer, ...] = (),
    platform: str = "",
) -> Surroundings:
    """What surrounds DIRECTORY."""
    place = DirectoryPlace(DIRECTORY, filesystem, options, layers, disks)
    return Surroundings(DIRECTORY, (place,), (("/srv", place),), platform)


NVME = Disk("nvme0n1", bus="nvme", rotational=False, write_cache="write through")
CONSUMER_NVME = Disk("nvme0n1", bus="nvme", rotational=False, write_cache="write back")
SATA = Disk("sda", bus="sata", rotational=False, write_cache="write back")
TURNING = Disk("sda", bus="sata", rotational=True, write_cache="write back")
VIRTUAL = Disk("vda", bus="virtio", rotational=True, write_cache="write back", size_bytes=1 << 38)

UNTOUCHED = (Trust.OK, (), LimitedBy.NOTHING)


def verdict(made: Point) -> tuple[Trust, tuple[str, ...], LimitedBy]:
    return made.trust, doubts_of(made), made.limited_by


def checks_in(package: ModuleType, gives: str) -> set[Callable[..., object]]:
    """The public functions of a package's modules whose result is written as ``gives``."""
    modules = [
        import_module(each.name) for each in iter_modules(package.__path__, f"{package.__name__}.")
    ]
    return {
        function
        for module in modules
        for name, function in getmembers(module, isfunction)
        if not name.startswith("_")
        and function.__module__ == module.__name__
        and function.__annotations__.get("return") == gives
    }

"""Where the server itself works on the curves of its drive: reads in flight and what they get."""

from __future__ import annotations

import math
from dataclasses import dataclass

from app.presenters.charts.axes import Along
from app.presenters.charts.curves import Picture
from app.presenters.charts.scales import Scale
from app.runtime.translation import tr
from probes.figures import duration_us, rate
from probes.inventory.facts import Inventory, Role
from probes.points import Probe
from probes.statistics.ranges import Range
from probes.watch.over_time import Course
from probes.watch.words import Operation

FEW = 30
"""Fewer reads in the window than this are no work that a point could stand for."""


@dataclass(frozen=True, slots=True)
class OperatingPoint:
    """The reads of the data's device while the server was watched.

    ``moments`` are (in flight, per second, latency in microseconds) of each stretch.
    """

    in_flight: Range
    per_s: Range
    latency_us: Range
    moments: tuple[tuple[float, float, float], ...]


@dataclass(frozen=True, slots=True)
class Spread:
    """An operating point in plot coordinates: its middle, the range of both, and its moments.

    What lies left of the axis' beginning is drawn there.
    """

    x: float
    y: float
    across: tuple[float, float]
    up: tuple[float, float]
    moments: tuple[tuple[float, float], ...]


def operating_point(inventory: Inventory | None) -> OperatingPoint | None:
    """None where it is not known, or where another drive than the server's was measured."""
    if inventory is None or inventory.watched is None or not _same_drive(inventory):
        return None
    watched = inventory.watched
    device = None if watched.machine is None else watched.machine.device(Role.DATA.value)
    if device is None or device.reads.latency_us is None:
        return None
    reads = device.reads
    if reads.per_s.value * watched.seconds < FEW or not reads.in_flight.value > 0:
        return None
    courses = () if watched.over_time is None else watched.over_time.devices
    moments = next(
        (
            _moments(one)
            for one in courses
            if (one.of, one.operation) == (device.name, Operation.READ)
        ),
        (),
    )
    return OperatingPoint(reads.in_flight, reads.per_s, device.reads.latency_us, moments)


def belongs_to(picture: Picture) -> bool:
    """Whether a picture's axes are those of an operating point."""
    return picture.probe is Probe.RANDOM_READ and picture.axis.along is Along.THREADS


def on_rates(point: OperatingPoint, across: Scale, *, log: bool) -> Spread:
    """Beside the curves of rates."""
    moments = [(busy, per_s) for busy, per_s, _ in point.moments]
    return _spread(point.in_flight, point.per_s, moments, across, log=log)


def on_latencies(point: OperatingPoint, across: Scale, *, log: bool) -> Spread:
    """Beside the curves of latencies: its mean, which lies below a p95."""
    moments = [(held, latency_us) for held, _, latency_us in point.moments]
    return _spread(point.in_flight, point.latency_us, moments, across, log=log)


def in_words(point: OperatingPoint) -> str:
    """What the diamond on both plots is, with its figures."""
    return tr(
        "◇ Server: {reads} reads in flight, {rate} of {time}",
        reads=_few(point.in_flight.value),
        rate=rate(point.per_s.value),
        time=duration_us(point.latency_us.value),
    )


def _same_drive(inventory: Inventory) -> bool:
    probed, data = inventory.role(Role.PROBE), inventory.role(Role.DATA)
    if probed is None or data is None:
        return False
    names = [{disk.name for disk in one.disks} for one in (probed, data)]
    return bool(names[0]) and names[0] == names[1]


def _moments(course: Course) -> tuple[tuple[float, float, float], ...]:
    rows = zip(course.waiting, course.per_s, course.latency_us, strict=True)
    return tuple(row for row in rows if all(value > 0 for value in row))


def _spread(
    in_flight: Range,
    height: Range,
    moments: list[tuple[float, float]],
    across: Scale,
    *,
    log: bool,
) -> Spread:
    def place(value: float) -> float:
        at = math.log2(value) if value > 0 else across.low
        return min(max(at, across.low), across.high)

    def level(value: float) -> float:
        return math.log10(max(value, height.value / 100)) if log else value

    return Spread(
        place(in_flight.value),
        level(height.value),
        (place(in_flight.low), place(in_flight.high)),
        (level(height.low), level(height.high)),
        tuple((place(held), level(value)) for held, value in moments),
    )


def _few(value: float) -> str:
    return f"{value:.2f}" if value < 1 else f"{value:.3g}"

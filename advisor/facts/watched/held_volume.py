"""A volume that is held at a figure while the server works: found from a watch alone.

A drive at its own limit does other bytes with each mixture of requests. Where one kind (bytes or
requests) stays the same from second to second while the other varies and requests queue, somebody
set a limit on the first.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median

from advisor.case import Case
from advisor.facts.watched.watch import users_watch
from probes import figures
from probes.inventory.facts import Role
from probes.trust.provisioned import ProvisionedLimit
from probes.trust.surroundings import Surroundings
from probes.trust.throttle import sold_at
from probes.watch.over_time import Course, OverTime
from probes.watch.watched import Device, Watched
from probes.watch.words import Operation

STEADY = 0.01
"""Nine of ten seconds lie within this share of the middle one (our choice)."""

VARIED = 0.05
"""What is free to vary does so by at least this share (our choice)."""

MOST = 0.9
"""The share of the seconds in which a figure has to hold (our choice)."""

QUEUED = 4.0
"""With fewer requests in flight the server asks for no more than it gets (our choice)."""

MORE = 1.1
"""A drive that gave this many times the figure is not always held to it (our choice)."""

BUSY = 0.95
LEAST_SECONDS = 10


@dataclass(frozen=True, slots=True)
class Held:
    """A device that stays at ``figure``: requests/s, or bytes/s with ``in_bytes``.

    ``seconds`` is how often it was looked at, ``in_flight`` how many requests it has on average.
    ``measured`` is what the same drive gave a probe, where that is clearly more, else 0. ``limits``
    are those that the machine's cloud sells at this figure.
    """

    figure: float
    in_bytes: bool
    device: str
    seconds: int
    in_flight: float
    measured: float = 0.0
    limits: tuple[ProvisionedLimit, ...] = ()

    @property
    def text(self) -> str:
        """It as a sentence without its full stop, with its limit."""
        free = "requests" if self.in_bytes else "bytes"
        held = figures.io_rate(self.figure, in_bytes=self.in_bytes)
        names = " or ".join(limit.name for limit in self.limits)
        whose = f"a limit that somebody set ({names})" if names else "a limit that somebody set"
        if self.measured:
            gave = figures.io_rate(self.measured, in_bytes=self.in_bytes)
            whose = f"a limit, but not always the drive's, which gave a probe {gave}"
        return (
            f"Under the server's load {self.device} stays at {held}, within "
            f"{figures.percent(STEADY)} from second to second, while its {free} vary and "
            f"{self.in_flight:.0f} requests are in flight: {whose}"
        )

    def beside(self, measured: float) -> Held:
        """It, beside what the same drive gave a probe."""
        return replace(self, measured=measured) if measured > MORE * self.figure else self


def held_volume(case: Case, *, in_bytes: bool) -> Held | None:
    """Tell whether the data's device is held at a figure of one kind; None where it is not."""
    watched = users_watch(case)
    if not isinstance(watched, Watched) or watched.machine is None or watched.over_time is None:
        return None
    device = watched.machine.device("data")
    if device is None or not _queues(device):
        return None
    courses = courses_of(watched.over_time, device)
    sums = added([one.bytes_per_s for one in courses]), added([one.per_s for one in courses])
    held, free = sums if in_bytes else sums[::-1]
    if not _steady(held) or not _varies(free):
        return None
    seen = Held(median(held), in_bytes, device.name, len(held), _in_flight(device))
    return _as_sold(case, seen)


def _as_sold(case: Case, held: Held) -> Held:
    """It at the figure that the machine's cloud sells, with the names of that; else as it was."""
    data = case.inventory.role(Role.DATA)
    path = "" if data is None else data.path
    surroundings = Surroundings.of(case.inventory, path)
    sold = list(sold_at(held.figure, surroundings, path, in_bytes=held.in_bytes))
    if not sold:
        return held
    figure = min((each for _, each in sold), key=lambda each: abs(each - held.figure))
    limits = tuple(limit for limit, each in sold if each == figure)
    return replace(held, figure=figure, limits=limits)


def _in_flight(device: Device) -> float:
    return device.reads.in_flight.value + device.writes.in_flight.value


def _queues(device: Device) -> bool:
    return device.busy.value >= BUSY and _in_flight(device) >= QUEUED


def courses_of(over_time: OverTime, device: Device) -> list[Course]:
    """A device's reads and writes over the watch, as the kernel counted them."""
    return [
        one
        for one in over_time.devices
        if one.of == device.name and one.operation in {Operation.READ, Operation.WRITE}
    ]


def added(rows: Sequence[Sequence[float]]) -> list[float]:
    """Reads and writes together, second by second; those that nobody knows are left out."""
    if len({len(row) for row in rows}) != 1:
        return []
    return [sum(each) for each in zip(*rows, strict=True) if not any(map(math.isnan, each))]


def _steady(values: Sequence[float]) -> bool:
    if len(values) < LEAST_SECONDS:
        return False
    middle = median(values)
    near = sum(abs(each - middle) <= STEADY * middle for each in values)
    return middle > 0 and near >= MOST * len(values)


def _varies(values: Sequence[float]) -> bool:
    """Whether the middle nine tenths of the seconds lie far apart."""
    ordered, out = sorted(values), round((1 - MOST) / 2 * len(values))
    kept = ordered[out : len(ordered) - out]
    return bool(kept) and kept[-1] - kept[0] >= VARIED * median(ordered)

"""Answers came faster than any drive can give them.

The fastest NVMe drive that was ever sold (Intel Optane DC P5800X) reads 4 KiB in 5 microseconds by
its data sheet, before the kernel has had a hand in it; flash needs ten times that. A median below 5
is memory's: reads of the page cache take 1 to 3. Persistent memory (pmem) is the one exception, for
it sits on the memory bus.
Source: Intel, "Optane SSD DC P5800X Series" product brief, 2020.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from probes import figures
from probes.points import Point, Probe, Trust
from probes.trust.doubt import Doubt
from probes.trust.surroundings import Place, Surroundings

LEAST_US = 5.0


def check(points: Sequence[Point], surroundings: Surroundings) -> Iterator[tuple[int, Doubt]]:
    """Reject reads whose median is below what a drive can do."""
    for index, point in enumerate(points):
        if not is_read(point) or not 0 < typical_us(point) < LEAST_US:
            continue
        if on_memory_bus(surroundings.at(point.setting.directory)):
            continue
        yield (
            index,
            Doubt(
                Trust.REJECTED,
                f"A read took {figures.duration_us(typical_us(point))}: too fast for any drive, "
                f"the fastest needs {figures.duration_us(LEAST_US)}. This is memory.",
            ),
        )


def is_read(point: Point) -> bool:
    """Whether the point reads blocks of a file, alone or within a mixture."""
    setting = point.setting
    return setting.probe is Probe.RANDOM_READ or setting.options.get("part") == "reads"


def typical_us(point: Point) -> float:
    """The median time of an operation, or the mean by Little's law where no median is known."""
    if point.latency.p50_us > 0:
        return point.latency.p50_us
    return point.setting.threads / point.rate_per_s * 1e6 if point.rate_per_s > 0 else 0.0


def on_memory_bus(place: Place) -> bool:
    """Whether the drive is persistent memory."""
    return any(disk.name.startswith("pmem") for disk in place.disks)

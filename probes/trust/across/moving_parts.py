"""A rotating disk answered faster than it can turn and seek: a cache gave it.

At 15,000 turns a minute half a turn takes 2 ms and a short seek as long again: about 250 random
reads a second, some 400 with a deep queue on a small part of the disk. Above 1,000 per disk the
blocks were not read from the disk. Only disks on SATA, SAS or USB are judged: virtual disks and
RAID volumes call themselves rotating without being so.
Source: C. Ruemmler and J. Wilkes, "An introduction to disk drive modeling", IEEE Computer, 1994.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from probes import figures
from probes.points import Point, Trust
from probes.trust.across.impossible_latency import is_read
from probes.trust.doubt import Doubt
from probes.trust.surroundings import Place, Surroundings

MOST_READS_PER_S = 1000.0
REAL_BUSES = frozenset({"sata", "sas", "usb"})


def check(points: Sequence[Point], surroundings: Surroundings) -> Iterator[tuple[int, Doubt]]:
    """Doubt random reads that rotating disks can't do."""
    for index, point in enumerate(points):
        place = surroundings.at(point.setting.directory)
        if not is_read(point) or not rotating(place):
            continue
        most = MOST_READS_PER_S * len(place.disks)
        if point.rate_per_s > most:
            yield (
                index,
                Doubt(
                    Trust.DOUBTFUL,
                    f"{figures.rate(point.rate_per_s)} random reads are more than "
                    f"{figures.counted(len(place.disks), 'rotating disk')} can do (at most "
                    f"{figures.rate(most)}): a cache gave some of them.",
                ),
            )


def rotating(place: Place) -> bool:
    """Whether all disks of a place certainly turn."""
    return bool(place.disks) and all(
        disk.rotational and disk.bus in REAL_BUSES for disk in place.disks
    )

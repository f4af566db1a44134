"""More bytes came than the bus can carry: a cache in this machine's memory gave them.

The ceilings and their sources are in ``probes.trust.buses``. Several disks below one filesystem
carry the sum of theirs; a mirror reads from all of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from probes import figures
from probes.inventory.facts import BUS_LABELS
from probes.points import SERVER_PROBES, Point, Trust
from probes.trust.buses import CEILING_BYTES_PER_S, ceiling_bytes_per_s
from probes.trust.doubt import Doubt
from probes.trust.surroundings import Place, Surroundings


def check(points: Sequence[Point], surroundings: Surroundings) -> Iterator[tuple[int, Doubt]]:
    """Reject points whose bytes exceed what the disks' buses can carry."""
    for index, point in enumerate(points):
        setting = point.setting
        if setting.probe in SERVER_PROBES:
            continue
        place = surroundings.at(setting.directory)
        moved, most = point.rate_per_s * setting.block_size_bytes, ceiling_bytes_per_s(place)
        if moved > most:
            yield (
                index,
                Doubt(
                    Trust.REJECTED,
                    f"{figures.rated_throughput(moved)} is more than {_bus(place)} can carry "
                    f"({figures.rated_throughput(most)}): a cache gave it.",
                ),
            )


def _bus(place: Place) -> str:
    known = place.buses & CEILING_BYTES_PER_S.keys()
    labels = sorted(BUS_LABELS.get(bus, bus) for bus in known)
    if not labels or known != place.buses:
        return "any drive"
    count = f"{len(place.disks)} disks on " if len(place.disks) > 1 else ""
    return f"{count}{' and '.join(labels)}"

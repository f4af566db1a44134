"""Points of a mixed load, and of one run, that do not belong together."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence

from probes.doubts import DoubtKind, doubt
from probes.points import BUFFERS, Point, Probe
from probes.trust import thresholds
from probes.trust.across.beside import without
from probes.trust.arrival.seen import Seen
from probes.trust.doubt import Remark, slowed
from probes.trust.foreign import Foreign, others
from probes.trust.surroundings import Surroundings


def mixed_io(points: Sequence[Point], _: Surroundings) -> Iterator[tuple[int, Remark]]:
    """Doubt all parts of a mixture while which others used the device.

    Somebody else used the device while a mixture was measured.

    The device's count is of all parts together, each part's own only of itself. So the parts of one
    mixture, which ended at the same time and tell the same of the device, are added up first.
    The share from which others count is that of ``probes.trust.foreign``.
    """
    for indexes, found in mixtures(points):
        if found.is_much:
            for index in indexes:
                yield index, Remark(found.doubt, most=slowed(found.share))


def mixtures(points: Sequence[Point]) -> Iterator[tuple[list[int], Foreign]]:
    """The indexes of each mixture's parts, with what others did; none where it is unknown."""
    for indexes in together(points):
        parts = [Seen(points[index], ()) for index in indexes]
        if any(part.point.direct is False for part in parts):
            continue
        issued = [part.part("issued") for part in parts]
        found = others(parts[0].part("device"), issued, parts[0].part("server"))
        if found is not None:
            yield indexes, found


def together(points: Sequence[Point]) -> list[list[int]]:
    """The indexes of each mixture's parts, which ended at the same time."""
    found: dict[tuple[object, ...], list[int]] = {}
    for index, point in enumerate(points):
        if point.setting.probe is Probe.MIXED and "part" in point.setting.options:
            found.setdefault(_moment(point), []).append(index)
    return list(found.values())


def _moment(point: Point) -> tuple[object, ...]:
    """What the parts of one mixture have in common, and no other measurement has."""
    setting = point.setting
    device = json.dumps(Seen(point, ()).part("device"), sort_keys=True, default=str)
    options = without(dict(setting.options), "part")
    return point.engine, setting.directory, setting.threads, options, device


def mixed_buffers(points: Sequence[Point], _: Surroundings) -> Iterator[tuple[int, Remark]]:
    """Doubt the points whose buffers are of the kind that fewer points of their engine have.

    Points of one run whose buffers lay otherwise than most others': they are of another curve.

    It happens where huge pages were wanted and the kernel had none left for some points. Points
    that compare both kinds on purpose say so in their setting, and are held to nothing.
    """
    for engine in {point.engine for point in points}:
        kinds = {
            index: point.buffers
            for index, point in enumerate(points)
            if point.engine == engine and point.buffers and BUFFERS not in point.setting.options
        }
        if len(set(kinds.values())) < 2:
            continue
        usual = Counter(kinds.values()).most_common(1)[0][0]
        for index, kind in kinds.items():
            if kind is not usual:
                yield (
                    index,
                    Remark(
                        doubt(DoubtKind.OTHER_PAGES, kind=kind.value, usual=usual.value),
                        least=1 / thresholds.SCATTERED,
                        most=thresholds.SCATTERED,
                    ),
                )

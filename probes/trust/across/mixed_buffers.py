"""Points of one run whose buffers lay otherwise than most others': they are of another curve.

It happens where huge pages were wanted and the kernel had none left for some points. Points that
compare both kinds on purpose say so in their setting, and are held to nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from probes.points import BUFFERS, Point, Trust
from probes.trust.doubt import Doubt
from probes.trust.surroundings import Surroundings


def check(points: Sequence[Point], _: Surroundings) -> Iterator[tuple[int, Doubt]]:
    """Doubt the points whose buffers are of the kind that fewer points of their engine have."""
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
                    Doubt(
                        Trust.DOUBTFUL,
                        f"Its blocks lay in {kind} pages of memory, those of most other points in "
                        f"{usual} ones.",
                    ),
                )

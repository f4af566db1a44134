"""Blocks that need no drive: zeros that were compressed away, holes that were never written.

A filesystem, a thin volume or a drive that compresses or leaves out zeros gives them back without
reading; a hole of a sparse file is answered by the filesystem. Tools that fill their files with
zeros measure that instead. So a set of zeros and a sparse set are read beside one of random data:
where they are half as fast again and the intervals do not overlap, they never reached the drive's
memory.
Source: fio's documentation, "zero_buffers" and "refill_buffers"; the threshold is our choice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from probes import figures
from probes.points import Point, Trust
from probes.trust.across.beside import clearly_faster, pairs
from probes.trust.doubt import Doubt
from probes.trust.surroundings import Surroundings

FACTOR = 1.5


def check(points: Sequence[Point], _: Surroundings) -> Iterator[tuple[int, Doubt]]:
    """Doubt reads of zeros, and reject reads of holes, that did not reach the drive."""
    for index, zeros, random in beside_random(points, "zeros"):
        if clearly_faster(zeros, random, FACTOR):
            yield (
                index,
                Doubt(
                    Trust.DOUBTFUL,
                    f"Zeros come at {figures.rate(zeros.rate_per_s)}, random data at "
                    f"{figures.rate(random.rate_per_s)}: something below compresses or leaves them "
                    "out.",
                ),
            )
    for index, holes, random in beside_random(points, "sparse"):
        if clearly_faster(holes, random, FACTOR):
            yield (
                index,
                Doubt(
                    Trust.REJECTED,
                    f"Blocks that were never written come at {figures.rate(holes.rate_per_s)}, "
                    f"written ones at {figures.rate(random.rate_per_s)}: holes are answered "
                    "without the drive.",
                ),
            )


def beside_random(points: Sequence[Point], name: str) -> Iterator[tuple[int, Point, Point]]:
    """Each point of a set with its counterpart of random data, by index.

    That is the small set's: like it, sets of zeros and holes may fit into a cache, which is another
    matter. Only where there is none it is the usual set's.
    """
    found = {index: (point, usual) for index, point, usual in pairs(points, name)}
    small = pairs(points, name, beside=("small", ""))
    found |= {index: (point, other) for index, point, other in small}
    for index, (point, other) in sorted(found.items()):
        yield index, point, other

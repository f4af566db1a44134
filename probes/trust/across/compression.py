"""Blocks that need no drive: zeros that were compressed away, holes that were never written.

A filesystem, a thin volume or a drive that compresses or leaves out zeros gives them back without
reading; a hole of a sparse file is answered by the filesystem. Tools that fill their files with
zeros measure that instead. So a set of zeros and a sparse set are read beside the usual, random
one: where they are half as fast again and the intervals do not overlap, they never reached the
drive's memory.
Source: fio's documentation, "zero_buffers" and "refill_buffers"; the threshold is our choice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from probes.points import Point, Trust
from probes.trust import say
from probes.trust.across.beside import clearly_faster, pairs
from probes.trust.doubt import Doubt
from probes.trust.surroundings import Surroundings

FACTOR = 1.5


def check(points: Sequence[Point], _: Surroundings) -> Iterator[tuple[int, Doubt]]:
    """Doubt reads of zeros, and reject reads of holes, that did not reach the drive."""
    for index, zeros, usual in pairs(points, "zeros"):
        if clearly_faster(zeros, usual, FACTOR):
            yield (
                index,
                Doubt(
                    Trust.DOUBTFUL,
                    f"Zeros come at {say.per_s(zeros.rate_per_s)}, random data at "
                    f"{say.per_s(usual.rate_per_s)}: something below compresses or leaves them "
                    "out.",
                ),
            )
    for index, holes, usual in pairs(points, "sparse"):
        if clearly_faster(holes, usual, FACTOR):
            yield (
                index,
                Doubt(
                    Trust.REJECTED,
                    f"Blocks that were never written come at {say.per_s(holes.rate_per_s)}, "
                    f"written ones at {say.per_s(usual.rate_per_s)}: holes are answered without "
                    "the drive.",
                ),
            )

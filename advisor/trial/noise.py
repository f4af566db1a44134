"""How far two blocks of one server lie apart, by their length: from a look without any change.

It is the Allan deviation of the logarithm of the time per statement (Allan, Proceedings of the IEEE
54, 1966), with the time that a setting takes to settle between both blocks.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from advisor.trial.mix import FEWEST, at_equal_mix, mean_us
from probes.trial.block import work_between
from probes.trial.work import Counters, StatementWork

BLOCKS_S = (2.0, 3.0, 4.0, 6.0, 8.0, 10.0)
"""Lengths that a block may have (our choice)."""

FEWEST_DIFFERENCES = 3
"""Blocks that do not overlap, in the look: with fewer their noise is not known."""

LEAST_NOISE = 0.005
"""A pair is never taken to be surer than half a per cent (our choice)."""


@dataclass(frozen=True, slots=True)
class BlockNoise:
    """Of blocks of that length: the standard deviation of the logarithm of a pair's ratio."""

    block_s: float
    deviation: float


def noise_by_length(looks: Sequence[Counters], settle_s: float) -> tuple[BlockNoise, ...]:
    """What the look shows, by the length of a block.

    A length is left out where the look is too short for it, and where one such block has statements
    and nobody was seen at work: threads that are counted are few then.
    """
    if len(looks) < 3:
        return ()
    tick_s = (looks[-1].at_s - looks[0].at_s) / (len(looks) - 1)
    found = []
    for block_s in BLOCKS_S:
        ticks, gap = max(1, round(block_s / tick_s)), round(settle_s / tick_s)
        if _unseen(looks, ticks):
            continue
        squares = list(_squares(looks, ticks, gap))
        if len(looks) - 1 < FEWEST_DIFFERENCES * ticks + gap or len(squares) < FEWEST_DIFFERENCES:
            break
        # A few heavy tails tell more of the next blocks than of their usual ones: no median here.
        deviation = math.sqrt(sum(squares) / len(squares))
        found.append(BlockNoise(block_s, max(LEAST_NOISE, deviation)))
    return tuple(found)


def _unseen(looks: Sequence[Counters], ticks: int) -> bool:
    """Whether a block has enough statements and no time of theirs."""
    blocks = (_between(looks, at, at + ticks) for at in range(len(looks) - ticks))
    return any(
        sum(each.count for each in work.values()) >= FEWEST and mean_us(work) == 0
        for work in blocks
    )


def _squares(looks: Sequence[Counters], ticks: int, gap: int) -> list[float]:
    found = []
    for at in range(len(looks) - 2 * ticks - gap):
        old = _between(looks, at, at + ticks)
        new = _between(looks, at + ticks + gap, at + 2 * ticks + gap)
        times = at_equal_mix(old, new)
        if times is not None:
            found.append(math.log(times[1] / times[0]) ** 2)
    return found


def _between(looks: Sequence[Counters], begin: int, end: int) -> Mapping[str, StatementWork]:
    return work_between(looks[begin], looks[end])

"""Pairs of blocks as a simulated server would give them."""

from __future__ import annotations

import math
import random

from advisor.trial.deciding import decided
from advisor.trial.design import first_side
from advisor.trial.record import TrialEnd, TrialPair
from probes.trial.block import TrialBlock
from probes.trial.settings import Side
from probes.trial.work import StatementWork


def block(side: Side, time_us: float, count: float = 500.0, second_us: float = 0.0) -> TrialBlock:
    """One whose statements take so long; those of its second half another time, where given."""
    first, second = (
        {"select": StatementWork(count, count * each / 1e6)}
        for each in (time_us, second_us or time_us)
    )
    return TrialBlock(side, 2.0, first, second, 100.0, 0.0, 0.0, 3 * time_us)


def pair(number: int, old_us: float, new_us: float, seed: int = 1) -> TrialPair:
    """Two blocks with these times per statement."""
    sides = (block(Side.OLD, old_us), block(Side.NEW, new_us))
    return TrialPair(number, first_side(seed, number), *sides)


def simulated(
    gain: float, deviation: float, seed: int, *, most: int = 48, tails: bool = False
) -> tuple[TrialEnd | None, int]:
    """How a trial ends, and after how many pairs; statements are by ``gain`` faster.

    The level drifts. ``deviation`` is that of a pair; ``tails``: of Student's t with 4 degrees of
    freedom.
    """
    chance = random.Random(seed)
    pairs: list[TrialPair] = []
    level = 0.0
    for number in range(most):
        times = {}
        first = first_side(seed, number)
        for side in (first, Side.OLD if first is Side.NEW else Side.NEW):
            level += chance.gauss(0, 0.01)
            noise = chance.gauss(0, 1)
            if tails:
                noise /= math.sqrt(2 * sum(chance.gauss(0, 1) ** 2 for _ in range(4)) / 4)
            effect = -math.log1p(gain) if side is Side.NEW else 0.0
            times[side] = 1000 * math.exp(level + noise * deviation / math.sqrt(2) + effect)
        pairs.append(pair(number, times[Side.OLD], times[Side.NEW], seed))
        end = decided(pairs, 6.0, (most - number - 1) * 6.0)
        if end is not None:
            return end, number + 1
    return None, most

"""Looks at a simulated server, for tests of what is made of them."""

from __future__ import annotations

import math
import random

from advisor.trial.steps.looks import STRETCHES, StepLook
from probes.trial.stretch import WorkStretch
from probes.trial.work import StatementWork


def look(
    value: str = "1",
    time_us: float = 1000.0,
    per_s: float = 500.0,
    misses: float = 0.5,
    *,
    noise: float = 0.02,
    seed: int = 1,
    slope: float = 0.0,
    swing: float = 0.02,
    kind: str = "select",
    rest_s: float | None = 0.0,
) -> StepLook:
    """Stretches of ten seconds.

    ``swing`` is how far the rate scatters, ``slope`` how the time follows it, both as logarithms.
    """
    chance = random.Random(seed)
    stretches = []
    for _ in range(STRETCHES):
        moved = chance.gauss(0, swing)
        count = round(10 * per_s * math.exp(moved))
        took_us = time_us * math.exp(slope * moved + chance.gauss(0, noise))
        kinds = {kind: StatementWork(count, count * took_us / 1e6)}
        missed = count * misses * math.exp(chance.gauss(0, noise))
        stretches.append(WorkStretch(10.0, kinds, missed, missed / 2, 0.0, 3 * took_us))
    return StepLook(value, tuple(stretches), rest_s)

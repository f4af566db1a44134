"""Turns of a lab whose truth is known."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from advisor.lab.effects.turns import Turn

BASE, TWIN = "base", "base (again)"


def turns(
    seed: int,
    effects: Mapping[str, float],
    *,
    starts: int = 4,
    rounds: int = 4,
    noise: float = 0.04,
    start_sd: float = 0.02,
    each: int = 2,
) -> list[Turn]:
    """A base of 1,000 per second, its twin, and variants that do so many times as much."""
    random = np.random.default_rng(seed)
    truth = {BASE: 1.0, TWIN: 1.0, **effects}
    found = []
    for start in range(starts):
        of_start = {name: random.normal(0, start_sd) for name in truth}
        for round_ in range(rounds):
            machine = random.normal(0, 0.1)
            for name in [*truth, *reversed(truth)][: each * len(truth)]:
                log = machine + of_start[name] + random.normal(0, noise * math.sqrt(each))
                found.append(Turn(name, start, round_, 1000 * truth[name] * math.exp(log)))
    return found

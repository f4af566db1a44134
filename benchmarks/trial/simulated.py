"""The trial's test in worlds that are made up: what is kept wrongly, what is found, when."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from statistics import median

from advisor.trial.deciding import decided, statement_times
from advisor.trial.design import designed, first_side, minutes_for
from advisor.trial.noise import BlockNoise
from advisor.trial.record import TrialEnd, TrialPair
from probes.trial.block import TrialBlock
from probes.trial.settings import Side
from probes.trial.work import StatementWork

PAIR_DEVIATION = 0.06
MOST_PAIRS = 64
LOOKED_AT = 400
STATEMENTS = 2000.0
Level = Callable[[random.Random, int], float]
"""The logarithm of a block's time, by its place in the trial, but for the effect."""


def _normal(chance: random.Random, _place: int) -> float:
    return chance.gauss(0, 1) * PAIR_DEVIATION / math.sqrt(2)


def _tails(chance: random.Random, place: int) -> float:
    squares = sum(chance.gauss(0, 1) ** 2 for _ in range(3)) / 3
    return _normal(chance, place) / math.sqrt(squares) / math.sqrt(3)


def _rhythm(chance: random.Random, place: int) -> float:
    """A job that comes and goes every nine blocks."""
    return _normal(chance, place) + 0.1 * math.sin(2 * math.pi * (place / 9 + 0.13))


def _bursts(chance: random.Random, place: int) -> float:
    return _normal(chance, place) + (0.6 if chance.random() < 0.04 else 0.0)


def _climbing(chance: random.Random, place: int) -> float:
    """The load grows by half within the trial."""
    return _normal(chance, place) + 0.4 * place / (2 * MOST_PAIRS)


WORLDS: dict[str, Level] = {
    "normal": _normal,
    "heavy tails (t, 3 degrees)": _tails,
    "slow rhythm of 10 %": _rhythm,
    "bursts": _bursts,
    "a load that grows": _climbing,
    "a mix that drifts": _normal,
}


@dataclass(frozen=True, slots=True)
class Cell:
    """What came of trials in one world with one effect."""

    world: str
    gain: float
    ends: Counter[str]
    pairs: float
    in_time: int

    @property
    def trials(self) -> int:
        """How many there were."""
        return sum(self.ends.values())

    @property
    def kept(self) -> int:
        """How many kept the new value."""
        return self.ends[TrialEnd.BETTER.value]


def cells(trials: int, gains: tuple[float, ...] = (0.0, 0.05, 0.10, -0.05)) -> Iterator[Cell]:
    """Simulate that many trials of each effect in each world."""
    for world, level in WORLDS.items():
        design = designed((BlockNoise(2.0, _deviation(world, level)),), 2.0, 3600.0, 1)
        for gain in gains:
            named = minutes_for(design, abs(gain)) if gain else None
            most = math.inf if named is None else named.high_s / design.pair_s
            found = [_trial(world, level, gain, seed) for seed in range(trials)]
            yield Cell(
                world,
                gain,
                Counter(end.value for end, _ in found),
                median(pairs for _, pairs in found),
                sum(end is TrialEnd.BETTER and pairs <= most for end, pairs in found),
            )


def _deviation(world: str, level: Level) -> float:
    """How far the two blocks of a pair lie apart there without any effect, as a look shows it."""
    chance = random.Random(world)
    squares = []
    for pair in _pairs(world, level, 0.0, chance, seed=0, most=LOOKED_AT):
        times = statement_times(pair)
        if times is not None:
            squares.append(math.log(times[1] / times[0]) ** 2)
    return math.sqrt(sum(squares) / len(squares))


def _trial(world: str, level: Level, gain: float, seed: int) -> tuple[TrialEnd, int]:
    chance = random.Random(f"{world} {gain} {seed}")
    pairs: list[TrialPair] = []
    for pair in _pairs(world, level, gain, chance, seed=seed, most=MOST_PAIRS):
        pairs.append(pair)
        end = decided(pairs, 8.0, (MOST_PAIRS - len(pairs)) * 8.0)
        if end is not None:
            return end, len(pairs)
    return TrialEnd.BUDGET, MOST_PAIRS


def _pairs(
    world: str, level: Level, gain: float, chance: random.Random, *, seed: int, most: int
) -> Iterator[TrialPair]:
    base, writes = 0.0, 0.3
    for number in range(most):
        first = first_side(seed, number)
        blocks = {}
        for turn, side in enumerate((first, Side.OLD if first is Side.NEW else Side.NEW)):
            base += chance.gauss(0, 0.01)
            if "mix" in world:
                writes = min(0.6, max(0.05, writes + chance.gauss(0, 0.03)))
            effect = -math.log1p(gain) if side is Side.NEW else 0.0
            time = math.exp(base + level(chance, 2 * number + turn) + effect)
            blocks[side] = _block(side, time, writes)
        yield TrialPair(number, first, blocks[Side.OLD], blocks[Side.NEW])


def _block(side: Side, time: float, writes: float) -> TrialBlock:
    """Reads that take 0.2 ms and writes that take 2, times the block's own factor."""
    half = {
        "select": StatementWork(STATEMENTS * (1 - writes), STATEMENTS * (1 - writes) * 2e-4 * time),
        "update": StatementWork(STATEMENTS * writes, STATEMENTS * writes * 2e-3 * time),
    }
    return TrialBlock(side, 2.0, half, half, 100.0, 0.0, 0.0)

"""What was said with which share, held against the truth: of what is said with 90 %, 90 % hold."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from advisor.judging import engine
from advisor.judging.over_draws import DRAWS
from advisor.model.curves.quantiles import score_interval
from advisor.outcomes import Judgement
from tests.advisor.judging.simulated.machine import Machine

EDGES = (0.0, 0.6, 0.8, 0.9, 0.95, 1.0)
"""The lower ends of the bins; the last one has what all draws say."""

MOST_SAID = 1 - 1 / (DRAWS // 2 + 2)
"""What all draws say is said with no more than this: half of them are asked where all of those
agree, and Laplace's rule of succession gives the next one so much."""


@dataclass(frozen=True, slots=True)
class Said:
    """One statement: the share of draws that it holds for, and whether it holds for the truth."""

    share: float
    held: bool


@dataclass(frozen=True, slots=True)
class Bin:
    """Statements of similar shares: how many, the mean of what was said, and how many held."""

    low: float
    number: int
    said: float
    held: int

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of how often such statements hold, each right or wrong by itself."""
        return score_interval(self.held / self.number, self.number)

    @property
    def chance(self) -> float:
        """How likely so few hold, or fewer, where each holds as often as is said (binomial)."""
        p = min(self.said, MOST_SAID)
        # By logarithms: of some hundred statements, the numbers of ways are no floats any more.
        terms = (
            _log_ways(self.number, k) + k * math.log(p) + (self.number - k) * math.log1p(-p)
            for k in range(self.held + 1)
        )
        return math.fsum(map(math.exp, terms))


def _log_ways(number: int, chosen: int) -> float:
    return math.lgamma(number + 1) - math.lgamma(chosen + 1) - math.lgamma(number - chosen + 1)


def kinds(judged: Judgement) -> dict[str, str]:
    """The verdict of each rule that gave one, and of each that does not apply that it does not."""
    found = {one.rule: one.verdict.value for one in judged.recommendations}
    return found | {one.rule: "not applicable" for one in judged.not_applicable}


def asked_of(on: Machine) -> dict[str, str]:
    """The true answers to what takes measuring, by rule."""
    without = kinds(engine.judge(on.case(())))
    true = kinds(engine.judge(on.truth))
    return {rule: answer for rule, answer in true.items() if without.get(rule) != answer}


def statements(judged: Judgement, asked: dict[str, str]) -> Iterator[Said]:
    """What was said on the questions ``asked``."""
    for one in judged.recommendations:
        if one.rule in asked:
            yield Said(one.share, one.verdict.value == asked[one.rule])


def binned(said: Iterable[Said]) -> list[Bin]:
    """The bins that have any statement, from the least sure one."""
    by_low: dict[float, list[Said]] = {}
    for one in said:
        by_low.setdefault(max(low for low in EDGES if low <= one.share), []).append(one)
    return [
        Bin(low, len(these), math.fsum(one.share for one in these) / len(these), held(these))
        for low, these in sorted(by_low.items())
    ]


def held(said: Iterable[Said]) -> int:
    """How many of them hold."""
    return sum(one.held for one in said)

"""What a lab can be expected to see, before and while it measures, and when it has seen enough.

What is expected is what ``interval`` says of a lab in which rounds and starts scatter exactly as
they are expected to: the same prior, the same likelihood, nothing drawn.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from advisor.lab.effects.contrasts import LEAST_ROUNDS, USUAL, Criteria, Decision, Effects
from advisor.lab.effects.interval import interval
from advisor.lab.effects.scatter import (
    LOG_PRIOR,
    NOISES,
    START_SDS,
    USUAL_NOISE,
    USUAL_START_SD,
    normalised,
)
from advisor.lab.record import LabEnd

HOPE = 0.1
"""A lab goes on for a chance of one in ten that what is open gets decided (our choice)."""

LEAST_STARTS = 3
"""Before, hardly anything is known of starts, and no hope is given up (our choice)."""

MOST_ROUNDS_PER_START = 12
"""Within minutes, more leave too few starts."""

MOST_ROUNDS = 1000
"""No lab lasts so long."""


@dataclass(frozen=True, slots=True)
class Design:
    """How a lab measures, and what it is expected to meet.

    ``variants`` counts the base; its twin, if there is one (``twin``), comes on top. A round of all
    takes ``round_s``; starting all again ``start_s``, before each ``rounds_per_start`` rounds.
    ``noise`` and ``start_sd`` are standard deviations of logarithms, see ``Effects``.
    """

    variants: int
    round_s: float
    start_s: float
    rounds_per_start: int
    noise: float = USUAL_NOISE
    start_sd: float = USUAL_START_SD
    twin: bool = True

    def seconds(self, rounds: int) -> float:
        """What that many rounds take, with their starts."""
        return rounds * self.round_s + self.starts(rounds) * self.start_s

    def starts(self, rounds: int) -> int:
        """How many starts that many rounds have."""
        return math.ceil(rounds / self.rounds_per_start)

    def rounds(self, budget_s: float) -> int:
        """How many rounds such a budget has, with their starts."""
        whole = self.start_s + self.rounds_per_start * self.round_s
        starts = int(budget_s // whole)
        rest = (budget_s - starts * whole - self.start_s) / self.round_s
        return max(0, starts * self.rounds_per_start + max(0, int(rest)))

    def met(self, found: Effects) -> Design:
        """The same with the scatter that was found."""
        if found.noise is None or found.start_sd is None:
            return self
        return replace(self, noise=found.noise, start_sd=found.start_sd)


def best_rounds_per_start(design: Design, budget_s: float, criteria: Criteria = USUAL) -> int:
    """After how many rounds starting again pays: the lab sees most within its budget.

    Starts that differ ask for many starts, and so does not knowing how far they do; dear ones and
    loud rounds for few.
    """
    tried = [replace(design, rounds_per_start=each) for each in range(1, MOST_ROUNDS_PER_START + 1)]
    seen = [expected(each, each.rounds(budget_s), criteria) for each in tried]
    return 1 + min(range(len(seen)), key=lambda at: seen[at] or math.inf)


def expected(design: Design, rounds: int, criteria: Criteria = USUAL) -> float | None:
    """The smallest difference that the lab will see after that many rounds, as a share.

    0.03 is 3 %. It is the half width of a variant's interval against the base, as
    ``Effects.resolution`` has it; None before there are ``LEAST_ROUNDS``.
    """
    half = _half_width(design, rounds, design.starts(rounds), criteria)
    return None if half is None else math.expm1(half)


def rounds_to_see(design: Design, difference: float, criteria: Criteria = USUAL) -> int | None:
    """After how many rounds a difference of that share is expected to be distinguished from none.

    It is then seen in every other lab. None where MOST_ROUNDS do not suffice.
    """
    low, high = 0, LEAST_ROUNDS
    while not _sees(design, high, difference, criteria):
        if high >= MOST_ROUNDS:
            return None
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        if _sees(design, middle, difference, criteria):
            high = middle
        else:
            low = middle
    return high


def ending(
    found: Effects, design: Design, left_s: float, criteria: Criteria = USUAL
) -> LabEnd | None:
    """Whether to end now, with ``left_s`` of the budget left; None: another round is worth it.

    For each open contrast it reckons how likely its interval decides it by the end of the budget,
    were the scatter as it was until now.
    """
    if found.contrasts and found.decided:
        return LabEnd.DECIDED
    of_this_start = -found.rounds % design.rounds_per_start
    if left_s < design.round_s + (0.0 if of_this_start else design.start_s):
        return LabEnd.BUDGET
    if found.rounds < LEAST_ROUNDS or found.starts < LEAST_STARTS:
        return None
    met = design.met(found)
    of_this_start = min(of_this_start, int(left_s // design.round_s))
    anew = met.rounds(left_s - of_this_start * design.round_s)
    rounds, starts = found.rounds + of_this_start + anew, found.starts + met.starts(anew)
    half = _half_width(met, rounds, starts, criteria)
    if half is None:
        return None
    then = _deviation(met, rounds, starts)
    hopes = [
        _hope(math.log(each.ratio), each.deviation, then, half, math.log1p(criteria.worth))
        for each in found.contrasts
        if each.decision is Decision.OPEN and each.ratio and each.deviation is not None
    ]
    return LabEnd.HOPELESS if hopes and max(hopes) < HOPE else None


def _hope(now: float, deviation: float, then: float, half: float, worth: float) -> float:
    """How likely a difference, sure to ``deviation`` now and to ``then`` later, is decided."""
    moves = math.sqrt(max(deviation**2 - then**2, 1e-12))

    def below(bound: float) -> float:
        return 0.5 * math.erfc((now - bound) / moves / math.sqrt(2))

    alike = max(0.0, below(worth - half) - below(half - worth))
    return below(-half) + 1 - below(half) + alike


def _sees(design: Design, rounds: int, difference: float, criteria: Criteria) -> bool:
    half = expected(design, rounds, criteria)
    return half is not None and half <= difference


def _units(design: Design) -> tuple[int, float]:
    """Servers, and by what the variance of one is multiplied in a contrast with the base."""
    return design.variants + design.twin, 1.5 if design.twin else 2.0


def _deviation(design: Design, rounds: int, starts: int) -> float:
    _, times = _units(design)
    return math.sqrt(times * (design.start_sd**2 / starts + design.noise**2 / rounds))


def _half_width(design: Design, rounds: int, starts: int, criteria: Criteria) -> float | None:
    """Of the ratio's logarithm."""
    if rounds < LEAST_ROUNDS:
        return None
    units, times = _units(design)
    of_start = rounds / starts
    # Two strata: servers within starts, and rounds within those (Searle et al., chapter 4).
    inner = (units - 1) * (rounds - starts)
    outer = (units - 1) * starts - (design.variants - 1)
    met = of_start * design.start_sd**2 + design.noise**2
    tried = of_start * START_SDS[:, None] ** 2 + NOISES**2
    likely = (
        LOG_PRIOR
        - 0.5 * inner * (2 * np.log(NOISES) + design.noise**2 / NOISES**2)
        - 0.5 * outer * (np.log(tried) + met / tried)
    )
    variance = (times * (START_SDS[:, None] ** 2 / starts + NOISES**2 / rounds)).ravel()
    weight = normalised(likely).ravel()
    return interval(np.zeros(len(weight)), variance, weight, criteria.error)[1]

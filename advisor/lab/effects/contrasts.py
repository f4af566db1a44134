"""What each variant is worth against another: ratios, their intervals, and what these decide."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from advisor.lab.effects.interval import ERROR, interval, moments
from advisor.lab.effects.scatter import Equations, Solved
from advisor.lab.effects.turns import Observed, Turn, observed
from probes.statistics.ranges import Range

WORTH = 0.02
"""Differences below this are worth nobody's change of a setting (our choice)."""

LEAST_ROUNDS = 3
"""One round does not show how far rounds lie apart, and of two one may have met a burst of the
machine: a server that had a third of its processors for one turn was called 60 % slower."""


class Decision(StrEnum):
    """What is known of a difference."""

    BETTER = "better"
    WORSE = "worse"
    ALIKE = "alike"
    """It is surely smaller than what is worth a change."""
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Contrast:
    """How many times the value of ``base`` that of ``variant`` is.

    ``low`` and ``high`` bound it with 95 %, however often one looked. All three are None where
    nothing can be said, the bounds alone before there are three rounds. ``deviation`` is the
    standard deviation of the ratio's logarithm. ``stalled`` counts turns of both in which nothing
    was done.
    """

    variant: str
    base: str
    ratio: float | None
    low: float | None
    high: float | None
    deviation: float | None
    decision: Decision
    stalled: int

    @property
    def range(self) -> Range | None:
        """The ratio with its interval; None where it has none."""
        if self.ratio is None or self.low is None or self.high is None:
            return None
        return Range(self.ratio, self.low, self.high)

    @property
    def half_width(self) -> float | None:
        """The smallest difference that could be seen, as a share: 0.03 is 3 %."""
        if self.low is None or self.high is None:
            return None
        return math.sqrt(self.high / self.low) - 1


@dataclass(frozen=True, slots=True)
class Effects:
    """All that was asked, of all turns until now.

    ``same`` is the contrast of the two equal variants, taken for themselves alone: it should hold
    1. ``resolution`` is the smallest difference that the lab sees, as a share: the half width of
    the widest asked contrast, or of ``same`` where none has one. ``noise`` is the standard
    deviation of the logarithm of what a variant did in a round, ``start_sd`` that of a start; None
    before there are three rounds.
    """

    contrasts: tuple[Contrast, ...]
    same: Contrast | None
    resolution: float | None
    noise: float | None
    start_sd: float | None
    starts: int
    rounds: int

    @property
    def decided(self) -> bool:
        """Whether no asked contrast is open."""
        return all(each.decision is not Decision.OPEN for each in self.contrasts)


@dataclass(frozen=True)
class Criteria:
    """Which differences matter: those above ``worth``; for a time or a cost less is better.

    An interval is ever wrong in ``error`` of all labs.
    """

    worth: float = WORTH
    more_is_better: bool = True
    error: float = ERROR

    def decision(self, low: float, high: float) -> Decision:
        """What an interval of a ratio says."""
        if 1 / (1 + self.worth) < low and high < 1 + self.worth:
            return Decision.ALIKE
        if low <= 1 <= high:
            return Decision.OPEN
        return Decision.BETTER if (low > 1) == self.more_is_better else Decision.WORSE


USUAL = Criteria()


def effects(
    turns: Sequence[Turn],
    base: str,
    *,
    same: str | None = None,
    asked: Sequence[tuple[str, str]] | None = None,
    criteria: Criteria = USUAL,
) -> Effects:
    """All asked contrasts: pairs of a variant and what it is held against.

    Without ``asked``, every variant against ``base``. ``same`` is the base's equal twin: both are
    one variant, and how far they lie apart shows how far equal servers do. Raises ValueError where
    a turn's value is below 0 or no number.
    """
    if asked is None:
        names = dict.fromkeys(turn.variant for turn in turns)
        asked = [(name, base) for name in names if name not in (base, same)]
    fit = fitted(turns, base, same)
    contrasts = tuple(contrast(fit, over, under, criteria) for over, under in asked)
    twin = contrast(fit, same, base, criteria) if same is not None else None
    widths = [each.half_width for each in contrasts if each.half_width is not None]
    if not widths and twin and twin.half_width is not None:
        widths = [twin.half_width]
    known = fit.solved if fit.seen.rounds >= LEAST_ROUNDS else None
    return Effects(
        contrasts,
        twin,
        max(
            (width for width in widths[: len(contrasts)] or widths if width is not None),
            default=None,
        ),
        known.noise if known else None,
        known.start_sd if known else None,
        len({turn.start for turn in turns}),
        len({(turn.start, turn.round) for turn in turns}),
    )


def confirmed(
    turns: Sequence[Turn],
    base: str,
    best: str,
    chosen_in: int,
    *,
    same: str | None = None,
    criteria: Criteria = USUAL,
) -> Contrast:
    """The best variant against the base, of the turns of starts after ``chosen_in`` alone.

    What is chosen as the best of several has had luck, with its start as well as its rounds; what
    comes after a new start knows nothing of it. How far equal servers lie apart, all turns tell.
    """
    return contrast(fitted(turns, base, same, after=chosen_in), best, base, criteria)


@dataclass(frozen=True)
class Fit:
    """The turns of a lab, solved: any two variants can be held against each other.

    ``solved`` is None where nothing stands beside the base.
    """

    turns: Sequence[Turn]
    base: str
    same: str | None
    seen: Observed
    groups: Mapping[str, int]
    solved: Solved | None


def fitted(
    turns: Sequence[Turn], base: str, same: str | None = None, after: int | None = None
) -> Fit:
    """Solve a lab; see ``effects`` and, for ``after``, ``confirmed``."""
    bases = (base,) if same is None else (base, same)
    seen = observed(turns).linked(*bases)
    fit = Fit(turns, base, same, seen, _groups(seen, base, same), None)
    if not len(seen.variants):
        return fit
    found = Equations(seen, _in_order(fit)).robustly_solved()
    if after is None:
        return replace(fit, solved=found)
    later = found.seen.only(found.seen.start > after).linked(*bases)
    fit = replace(
        fit,
        turns=[turn for turn in turns if turn.start > after],
        seen=later,
        groups=_groups(later, base, same),
    )
    if not len(later.variants):
        return fit
    of_later = Equations(later, _in_order(fit)).solved(later.log_value)
    return replace(fit, solved=replace(of_later, weight=found.weight))


def contrast(fit: Fit, over: str, under: str, criteria: Criteria = USUAL) -> Contrast:
    """One variant's value over another's; the base and its twin are each taken for itself alone."""
    if fit.same is not None and {over, under} == {fit.base, fit.same}:
        fit = fitted(fit.turns, fit.base)
    stalled = sum(turn.value == 0 for turn in fit.turns if turn.variant in {over, under})
    if fit.solved is None or not {over, under} <= fit.groups.keys():
        return Contrast(over, under, None, None, None, None, Decision.OPEN, stalled)
    mean, variance = fit.solved.difference(fit.groups[over], fit.groups[under])
    weight = fit.solved.weight.ravel()
    middle, deviation = moments(mean, variance, weight)
    if fit.seen.rounds < LEAST_ROUNDS:
        return Contrast(over, under, math.exp(middle), None, None, None, Decision.OPEN, stalled)
    bounds = interval(mean, variance, weight, criteria.error)
    low, high = (math.exp(each) for each in bounds)
    decision = criteria.decision(low, high)
    return Contrast(over, under, math.exp(middle), low, high, deviation, decision, stalled)


def _groups(seen: Observed, base: str, same: str | None) -> dict[str, int]:
    """Numbers from 0 by variant; base and twin have one. All of them are taken."""
    names = [base if name == same else name for name in seen.variants]
    numbers = {name: at for at, name in enumerate(dict.fromkeys(names))}
    return {name: numbers[of] for name, of in zip(seen.variants, names, strict=True)}


def _in_order(fit: Fit) -> tuple[int, ...]:
    return tuple(fit.groups[name] for name in fit.seen.variants)

"""Turns of a lab, and what is compared of them: one value of a variant in a round."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np
import numpy.typing as npt

STALLED = 0.1
"""A round without anything done counts as this share of what the variant does in the median round
(our choice): the logarithm of nothing would outweigh all that is known."""

MOST_STALLED = 0.5
"""A variant that did nothing in more of its rounds than this is not compared (our choice)."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of a variant: its rate per second, or what a transaction took; never below 0.

    ``start`` counts the times that all servers were started, ``round`` the rounds of the lab
    or of the start.
    """

    variant: str
    start: int
    round: int
    value: float


@dataclass(frozen=True)
class Observed:
    """One figure for each variant and round in which it had a turn, all arrays of that length.

    ``log_value`` is the logarithm of its turns' mean; ``weight`` is 1 for the usual number of turns
    and in proportion to it. ``variant`` and ``round`` are places, a round of another start being
    another round; ``start`` is as the turns have it.
    """

    variants: tuple[str, ...]
    variant: npt.NDArray[np.intp]
    start: npt.NDArray[np.intp]
    round: npt.NDArray[np.intp]
    log_value: npt.NDArray[np.float64]
    weight: npt.NDArray[np.float64]

    @property
    def rounds(self) -> int:
        """How many rounds there are."""
        return len(np.unique(self.round))

    def linked(self, *bases: str) -> Observed:
        """What can be held against ``bases``: rounds of several variants.

        They shared a round with one of these, or with one that did.
        """
        shared = np.zeros((int(self.round.max(initial=-1)) + 1, len(self.variants)), bool)
        shared[self.round, self.variant] = True
        reached = np.array([variant in bases for variant in self.variants], bool)
        for _ in self.variants:
            reached |= shared[(shared & reached).any(axis=1)].any(axis=0)
        several = (shared & reached).sum(axis=1) > 1
        return self.only(reached[self.variant] & several[self.round])

    def only(self, chosen: npt.NDArray[np.bool_]) -> Observed:
        """Those alone for which ``chosen`` says so."""
        kept, variant = np.unique(self.variant[chosen], return_inverse=True)
        return Observed(
            tuple(self.variants[each] for each in kept),
            variant,
            self.start[chosen],
            self.round[chosen],
            self.log_value[chosen],
            self.weight[chosen],
        )


def observed(turns: Sequence[Turn]) -> Observed:
    """What variants did in each round.

    The mean of turns is what a user gets in that time, stalls and all. Raises ValueError where a
    value is below 0 or no number.
    """
    values: dict[tuple[str, int, int], list[float]] = defaultdict(list)
    for turn in turns:
        if not (math.isfinite(turn.value) and turn.value >= 0):
            raise ValueError(f"a turn of {turn.variant} with the value {turn.value}")
        values[turn.variant, turn.start, turn.round].append(turn.value)
    means = _without_stalled(values)
    # The order of turns shall not show in the last digit of what is found.
    variants = sorted({variant for variant, _, _ in means})
    rounds = sorted({key[1:] for key in means})
    usual = median(len(values[key]) for key in means) if means else 1
    return Observed(
        tuple(variants),
        np.array([variants.index(key[0]) for key in means], np.intp),
        np.array([key[1] for key in means], np.intp),
        np.array([rounds.index(key[1:]) for key in means], np.intp),
        np.log(np.array(list(means.values()), np.float64)),
        np.array([len(values[key]) / usual for key in means], np.float64),
    )


def stalled_turns(turns: Sequence[Turn], *variants: str) -> int:
    """In how many turns of these variants nothing was done."""
    return sum(turn.value == 0 for turn in turns if turn.variant in variants)


def _without_stalled(
    values: Mapping[tuple[str, int, int], Sequence[float]],
) -> dict[tuple[str, int, int], float]:
    """Each round's mean; variants that mostly stand still are left out."""
    means = {key: math.fsum(of) / len(of) for key, of in sorted(values.items())}
    least = {}
    for variant in {key[0] for key in means}:
        own = [mean for key, mean in means.items() if key[0] == variant]
        at_work = [mean for mean in own if mean > 0]
        if at_work and len(at_work) >= (1 - MOST_STALLED) * len(own):
            least[variant] = STALLED * median(at_work)
    return {key: mean or least[key[0]] for key, mean in means.items() if key[0] in least}

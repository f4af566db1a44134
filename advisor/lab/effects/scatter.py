"""How far equal servers lie apart: within rounds, and from start to start.

The logarithm of what variant v did in round r of start s is
``variant[v] + round[r] + start[v, s] + noise[v, r]``: a mixed model with variance components
(Searle, Casella and McCulloch, Variance Components, 1992). What the machine gives in a round meets
all alike and falls out. ``start`` is a draw of its own for each server and start, ``noise`` one for
each server and round; their variances are pooled over all variants, of which two are equal. A few
starts can't tell the variance of starts, so a prior stands beside the restricted likelihood, and
what follows is averaged over both variances on a grid.

Where a round is far from what its server does (a burst of the machine), it is drawn in: Huber's
pseudo-values (Robust Statistics, 1981, chapter 7.7).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from advisor.lab.effects.turns import Observed

Floats = npt.NDArray[np.float64]

STEP: float = 10 ** (1 / 8)
NOISES: Floats = 0.003 * STEP ** np.arange(20.0)
"""Standard deviations that the logarithm of a round may have: 0.3 to 71 %."""
START_SDS: Floats = 0.0003 * STEP ** np.arange(26.0)
"""Those that a start may have: 0.03 to 40 %."""

USUAL_NOISE, NOISE_SPREAD = 0.06, 2.0
USUAL_START_SD, START_SPREAD = 0.03, 1.0
"""Both priors are log-normal: the median, and the standard deviation of the logarithm. Equal
servers were 1 to 10 % apart from start to start, and rounds by 2 to 30 %, which a few of them show
anyway."""

DRAWN_IN = 1.5
"""From how many standard deviations of the noise on a round is drawn in. With recorded turns of a
shared machine it makes a ratio a fifth surer, with normal noise hardly less sure."""

_DRAWS = 3
"""After that many times, what is drawn in no longer changes what is found."""

# tau/sigma has fewer values than there are pairs: both grids have one step.
_RATIOS: Floats = (START_SDS[0] / NOISES[-1] * STEP ** np.arange(45)) ** 2
_PAIR = np.arange(26)[:, None] - np.arange(20)[None, :] + 19
LOG_PRIOR: Floats = (
    -0.5 * (np.log(START_SDS / USUAL_START_SD) / START_SPREAD)[:, None] ** 2
    - 0.5 * (np.log(NOISES / USUAL_NOISE) / NOISE_SPREAD)[None, :] ** 2
)
"""By start's and round's standard deviation: shape (26, 20)."""


def normalised(log_weight: Floats) -> Floats:
    """Weights that sum to 1, of their logarithms."""
    weight: Floats = np.exp(log_weight - log_weight.max())
    weight /= weight.sum()
    return weight


@dataclass(frozen=True)
class Solved:
    """Least squares for each ratio of both variances: 45 of them, all figures in units of noise.

    ``effect`` has a row for each ratio and a column for each group of variants but the first;
    ``covariance`` is that of a row. ``weight`` is the posterior probability of each pair of
    standard deviations, of shape (26, 20). ``level`` is what each of ``seen`` is expected to be.
    """

    seen: Observed
    effect: Floats
    covariance: Floats
    weight: Floats
    level: Floats

    @property
    def noise(self) -> float:
        """The standard deviation of a round's logarithm, its posterior mean."""
        return float(self.weight.sum(axis=0) @ NOISES)

    @property
    def start_sd(self) -> float:
        """That of a start."""
        return float(self.weight.sum(axis=1) @ START_SDS)

    def difference(self, over: int, under: int) -> tuple[Floats, Floats]:
        """Mean and variance of the difference of two groups, for each pair, as two flat arrays."""
        across = np.zeros(self.effect.shape[1] + 1)
        across[over] += 1
        across[under] -= 1
        across = across[1:]
        mean = self.effect @ across
        variance = self.covariance @ across @ across
        return mean[_PAIR].ravel(), (variance[_PAIR] * NOISES**2).ravel()


class Equations:
    """Henderson's mixed-model equations, rounds and starts absorbed (Searle et al., chapter 7).

    ``groups`` numbers each variant's group from 0, equal ones alike. All variants of ``seen`` are
    linked by shared rounds.
    """

    def __init__(self, seen: Observed, groups: tuple[int, ...]) -> None:
        self._seen = seen
        cells, self._cell = np.unique(
            seen.start * len(seen.variants) + seen.variant, return_inverse=True
        )
        rounds, self._round = np.unique(seen.round, return_inverse=True)
        shape = (len(rounds), len(cells))
        place = self._round * shape[1] + self._cell
        self._at = np.bincount(place, seen.weight, shape[0] * shape[1]).reshape(shape)
        self._of_round = self._at.sum(axis=1)
        inner = np.diag(self._at.sum(axis=0)) - self._at.T @ (self._at / self._of_round[:, None])
        group = np.array(groups)[cells % len(seen.variants)]
        self._member = (group[:, None] == np.arange(1, max(groups) + 1)).astype(float)
        values, self._axes = np.linalg.eigh(inner)
        values = np.maximum(values, 0.0)
        self._damped = 1 / (values + 1 / _RATIOS[:, None])
        self._across = inner @ self._member
        self._turned = self._axes.T @ self._across
        count = self._member.shape[1]
        products = (self._turned[:, :, None] * self._turned[:, None, :]).reshape(
            len(values), count**2
        )
        damped = (self._damped @ products).reshape(len(_RATIOS), count, count)
        system = self._member.T @ self._across - damped
        self._covariance = np.linalg.inv(system)
        # The logarithm of the restricted likelihood, but for the squares that stay.
        volume = np.log1p(_RATIOS[:, None] * values).sum(axis=1) + np.linalg.slogdet(system)[1]
        freedom = len(self._cell) - len(rounds) - count
        self._likely = LOG_PRIOR - freedom * np.log(NOISES) - 0.5 * volume[_PAIR]

    def solved(self, log_value: Floats) -> Solved:
        """Solve for these values of ``seen``."""
        weighted = self._seen.weight * log_value
        round_mean = np.bincount(self._round, weighted) / self._of_round
        right = np.bincount(self._cell, weighted) - self._at.T @ round_mean
        turned = self._axes.T @ right
        wanted = self._member.T @ right - self._damped @ (self._turned * turned[:, None])
        effect = (self._covariance @ wanted[:, :, None])[:, :, 0]
        square = float(weighted @ log_value - self._of_round @ round_mean**2)
        rest = square - self._damped @ turned**2 - (wanted * effect).sum(axis=1)
        weight = normalised(self._likely - 0.5 * np.maximum(rest, 0.0)[_PAIR] / NOISES**2)
        best = int(_PAIR.ravel()[weight.argmax()])
        off = self._axes.T @ (right - self._across @ effect[best])
        level = self._member @ effect[best] + self._axes @ (self._damped[best] * off)
        of_each = level[self._cell] + (round_mean - self._at @ level / self._of_round)[self._round]
        seen = replace(self._seen, log_value=log_value)
        return Solved(seen, effect, self._covariance, weight, of_each)

    def robustly_solved(self) -> Solved:
        """Solve for the values of ``seen``, rounds that are far off drawn in."""
        log_value = self._seen.log_value
        found = self.solved(log_value)
        for _ in range(_DRAWS):
            off = log_value - found.level
            most = DRAWN_IN * found.noise / np.sqrt(self._seen.weight)
            kept = max(0.5, float(np.mean(np.abs(off) <= most)))
            drawn = found.level + np.clip(off, -most, most) / kept
            if np.abs(drawn - found.seen.log_value).max() < 1e-4:
                break
            found = self.solved(drawn)
        return found

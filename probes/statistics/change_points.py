"""Where the level of a series changes, for several figures at once: E-divisive.

D. Matteson and N. James, "A nonparametric approach for multiple change point analysis of
multivariate data", Journal of the American Statistical Association 109, 2014. A series is divided
where the two sides lie farthest apart (energy distance), if that is farther than in nearly all
random orders of it; then each side likewise. Libraries that have it need SciPy, which is larger
than this program.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

FEWEST = 5
"""Values on each side of a change (our choice)."""

ORDERS = 199
LEVEL = 0.01
"""Random orders that are tried, and the share of them that may lie as far apart (our choice)."""

MOST = 500
"""Values that are looked at: the last of them."""

_SEED = 1914

Floats = NDArray[np.float64]


def change_points(series: Floats) -> list[int]:
    """The first index of each new level; rows of ``series`` are moments, columns figures.

    Each column counts by its own spread. Of more than ``MOST`` rows the last are looked at.
    """
    skipped = max(0, len(series) - MOST)
    rows = _by_own_spread(series[skipped:])
    apart = np.sqrt(((rows[:, None, :] - rows[None, :, :]) ** 2).sum(axis=2))
    chance = np.random.default_rng(_SEED)
    found: list[int] = []
    open_parts = [(0, len(rows))]
    while open_parts:
        begin, end = open_parts.pop()
        at = _divided(apart[begin:end, begin:end], chance)
        if at is not None:
            found.append(skipped + begin + at)
            open_parts += [(begin, begin + at), (begin + at, end)]
    return sorted(found)


def _by_own_spread(rows: Floats) -> Floats:
    """Each column over how far a value lies from the next, so that all columns count alike."""
    steps = np.median(np.abs(np.diff(rows, axis=0)), axis=0) if len(rows) > 1 else np.ones(1)
    return np.asarray(rows / np.where(steps > 0, steps, 1.0))


def _divided(apart: Floats, chance: np.random.Generator) -> int | None:
    """Where this part changes its level; None where it does not."""
    if len(apart) < 2 * FEWEST:
        return None
    at, farthest = _farthest(apart)
    as_far = 1
    for _ in range(ORDERS):
        order = chance.permutation(len(apart))
        as_far += _farthest(apart[np.ix_(order, order)])[1] >= farthest
    return at if as_far / (ORDERS + 1) <= LEVEL else None


def _farthest(apart: Floats) -> tuple[int, float]:
    """The index at which both sides lie farthest apart, and how far that is."""
    count = len(apart)
    sums = apart.cumsum(axis=0).cumsum(axis=1)
    ends = np.arange(FEWEST, count - FEWEST + 1)
    left, right = ends, count - ends
    within_left = sums[ends - 1, ends - 1]
    across = sums[ends - 1, -1] - within_left
    within_right = sums[-1, -1] - within_left - 2 * across
    energy = (
        2 * across / (left * right)
        - within_left / (left * np.maximum(1, left - 1))
        - within_right / (right * np.maximum(1, right - 1))
    )
    weighed = energy * left * right / count
    best = int(weighed.argmax())
    return int(ends[best]), float(weighed[best])

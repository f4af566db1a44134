"""A change that was made once, in a step or by a restart: what the server did before and after."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from advisor.variables.entry import Follows
from probes.trial.stretch import WorkStretch

STRETCHES = 10
"""A look is that many stretches of time."""

FLAT = 0.05
"""Two halves of a look that lie no further apart are at rest (our choice)."""

FEW = 0.01
"""One page in a hundred statements is none (our choice)."""

STILL_FREE = 0.05
"""A pool with that much more of it empty than before may still fill (our choice)."""

_FILLS = 0.001
"""It does where at least that much of it was filled within the look."""


@dataclass(frozen=True, slots=True)
class StepLook:
    """What the server did with a value; ``value`` is what it shows of what is changed.

    ``rest_s`` is how long after the change it had come to rest; None where it had not by then.
    """

    value: str
    stretches: tuple[WorkStretch, ...]
    rest_s: float | None = 0.0


@dataclass(frozen=True, slots=True)
class Stepped:
    """The looks, the one before any change first; ``kept`` is the value that stays, "" for none.

    ``restart``: a person has changed it by a restart, and nothing was set here.
    """

    follows: Follows
    looks: tuple[StepLook, ...] = ()
    kept: str = ""
    restart: bool = False


def followed(look: WorkStretch, follows: Follows) -> float:
    """Pages a statement: those that were missed, or written."""
    pages = look.misses if follows is Follows.MISSES else look.page_writes
    return pages / max(1.0, look.statements)


def at_rest(stretches: Sequence[WorkStretch], follows: Follows, free_before: float) -> bool:
    """Whether the last look's worth of stretches has no more course than noise.

    ``free_before`` is how much of the pool was empty before the change.
    """
    last = stretches[-STRETCHES:]
    if len(last) < STRETCHES or any(not each.statements for each in last):
        return False
    filled = last[0].free_share - last[-1].free_share
    if last[-1].free_share > free_before + STILL_FREE and filled > _FILLS:
        return False
    values = [followed(each, follows) for each in last]
    older, newer = values[: STRETCHES // 2], values[STRETCHES // 2 :]
    apart = abs(fmean(newer) - fmean(older))
    return apart <= max(FEW, FLAT * fmean(values), 2 * _error(older, newer))


def _error(older: Sequence[float], newer: Sequence[float]) -> float:
    """The standard error of the difference of two means."""
    squares = sum(
        sum((each - fmean(half)) ** 2 for each in half) / (len(half) - 1) / len(half)
        for half in (older, newer)
    )
    return float(squares**0.5)

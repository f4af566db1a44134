"""Limits of the guard that were passed while a value was switched: whether the trial goes on.

A neighbour's second on the same processors or drive looks like the value's own doing, so one
passing says little; that it comes with the new value and not with the old one says more each time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from probes.trial.ended import LimitPassed

LOOK_S = 5.0
"""How long the server is looked at with the old values after a limit was passed."""

MORE_THAN_OLD = 1
"""That many times more than with the old values a limit may be passed with the new ones."""

MOST = 4
"""After that many the next one ends the trial, whatever came with the old values: what a harmful
value leaves behind looks like a neighbour's work. Both are our choice."""


@dataclass(frozen=True, slots=True)
class Passing:
    """A limit that was passed in a pair, from 0, and whether the old values passed one after it.

    ``back_ms`` is how long setting the old values took.
    """

    pair: int
    passed: LimitPassed
    back_ms: float
    old_too: bool = False


def goes_on(passings: Sequence[Passing], with_old: int) -> bool:
    """Whether a trial goes on; ``with_old`` is how often the old values passed a limit."""
    return len(passings) <= min(MOST, MORE_THAN_OLD + with_old)

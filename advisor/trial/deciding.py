"""The test of a trial: fixed before it starts, and looked at after every pair.

It is the lab's confidence sequence (``advisor/lab/effects``): each pair is a round of two, after a
start of its own, so that what is common to a pair falls out and what a block alone has is noise.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from advisor.lab.effects.contrasts import Criteria, effects
from advisor.lab.effects.ending import ending
from advisor.lab.effects.turns import Turn
from advisor.lab.record import LabEnd
from advisor.trial.design import LEAST_PAIRS, NO_WORTH, reckoned
from advisor.trial.mix import at_equal_mix
from advisor.trial.record import TrialEnd, TrialPair, TrialVerdict
from probes.statistics.ranges import Range
from probes.trial.settings import Side

SETTLED_PAIRS = 6
"""That many pairs show whether a value still moves within its blocks."""

_HOPELESS_PAIRS = 16
"""Before that many pairs no hope is given up."""

Figure = Callable[[TrialPair], tuple[float, float] | None]
"""What a pair says of something: its value with the old and with the new setting."""


def statement_times(pair: TrialPair) -> tuple[float, float] | None:
    """The time per statement at equal mix, in microseconds."""
    return at_equal_mix(pair.old.kinds, pair.new.kinds)


def late_times(pair: TrialPair) -> tuple[float, float] | None:
    """The 95th percentile of statements' times, in microseconds."""
    old, new = pair.old.p95_us, pair.new.p95_us
    return None if not old or not new else (old, new)


def commit_rates(pair: TrialPair) -> tuple[float, float] | None:
    """Commits per second."""
    old, new = (each.commits / each.seconds for each in (pair.old, pair.new))
    return (old, new) if min(old, new) > 0 else None


def times_of(pairs: Sequence[TrialPair], figure: Figure = statement_times) -> Range | None:
    """The new value's figure over the old one's, with its interval; None before there is one."""
    turns = _turns(pairs, figure)
    found = effects(turns, Side.OLD, criteria=NO_WORTH).contrasts if turns else ()
    return found[0].range if found else None


def decided(
    pairs: Sequence[TrialPair], pair_s: float, left_s: float, worth: float = 0.0
) -> TrialEnd | None:
    """Whether the trial ends now, with ``left_s`` of its budget left; None: one more pair.

    ``worth`` is the least difference that is worth keeping, as a share.
    """
    times = times_of(pairs)
    if times is not None and len(pairs) >= LEAST_PAIRS:
        # A tenth more done in the same time is a time of 1/1.1.
        if times.high < 1 / (1 + worth):
            return TrialEnd.BETTER
        if times.low > 1:
            return TrialEnd.WORSE
        if times.low > 1 / (1 + max(worth, NO_WORTH.worth)):
            return TrialEnd.NO_GAIN
    if left_s < pair_s:
        return TrialEnd.BUDGET
    if len(pairs) >= _HOPELESS_PAIRS and _hopeless(pairs, pair_s, left_s, worth):
        return TrialEnd.HOPELESS
    return None


def verdict_of(end: TrialEnd) -> TrialVerdict:
    """What becomes of the change."""
    match end:
        case TrialEnd.BETTER | TrialEnd.HELD:
            return TrialVerdict.KEPT
        case TrialEnd.WORSE | TrialEnd.NO_GAIN | TrialEnd.LEFT_BAND:
            return TrialVerdict.BACK
    return TrialVerdict.UNDECIDED


def still_moves(pairs: Sequence[TrialPair]) -> bool:
    """Whether the new value does something else in the second half of its blocks than in the first.

    That is what a setting does whose effect comes later than its blocks begin.
    """
    if len(pairs) < SETTLED_PAIRS:
        return False
    turns = []
    for number, pair in enumerate(pairs):
        first = at_equal_mix(pair.old.first, pair.new.first)
        second = at_equal_mix(pair.old.second, pair.new.second)
        if first is None or second is None:
            continue
        turns += [
            Turn("first", number, number, first[1] / first[0]),
            Turn("second", number, number, second[1] / second[0]),
        ]
    if len(turns) < 2 * SETTLED_PAIRS:
        return False
    found = effects(turns, "first", criteria=replace(NO_WORTH, error=0.01)).contrasts[0]
    return found.low is not None and found.high is not None and not found.low <= 1 <= found.high


def _turns(pairs: Sequence[TrialPair], figure: Figure) -> list[Turn]:
    turns: list[Turn] = []
    for number, pair in enumerate(pairs):
        values = figure(pair)
        if values is not None:
            turns += [
                Turn(Side.OLD, number, number, values[0]),
                Turn(Side.NEW, number, number, values[1]),
            ]
    return turns


def _hopeless(pairs: Sequence[TrialPair], pair_s: float, left_s: float, worth: float) -> bool:
    turns = _turns(pairs, statement_times)
    criteria = Criteria(
        worth=max(worth, NO_WORTH.worth), more_is_better=False, error=NO_WORTH.error
    )
    found = effects(turns, Side.OLD, criteria=criteria)
    if found.noise is None or found.start_sd is None:
        return False
    return ending(found, reckoned(0.1, pair_s), left_s, criteria) is LabEnd.HOPELESS

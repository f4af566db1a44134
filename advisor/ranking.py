"""In which order advice stands: risks to data first, then what brings most, then housekeeping."""

from __future__ import annotations

from advisor.gain import FLOOR, UNCOUNTED, Stakes
from advisor.outcomes import Confidence, Recommendation, Verdict

UNQUANTIFIED = FLOOR / 2
"""What a change counts for whose gain nobody can compute: last, before those known to be small."""

DOUBTED = 0.05
"""The share of its expected gain that a change counts for where nobody counts the wait: the middle
of a range that is ignorance stands below what was counted, and above what is small (our choice)."""

_LISTS = list(Stakes)
_VERDICTS = (Verdict.RECOMMEND, Verdict.WATCH, Verdict.FINE)
_CONFIDENCES = list(Confidence)

Rank = tuple[bool, int, float, int, bool, int, str]


def worth(one: Recommendation) -> float:
    """What the gain counts for: a share of the time of running queries (0..1).

    It is what is expected; of a wait that nobody counts, the low end, or a small part of that.
    """
    if one.gain is None:
        return UNQUANTIFIED * one.share
    expected = one.gain.value
    if any(each.wait in UNCOUNTED for each in one.relieves):
        expected = max(one.gain.low, DOUBTED * expected)
    return expected * one.share


def rank(one: Recommendation) -> Rank:
    """A key to sort by, what matters most first; what is fine is last."""
    return (
        one.verdict is Verdict.FINE,
        _LISTS.index(stakes(one)),
        -worth(one) if stakes(one) is Stakes.TIME else 0.0,
        _VERDICTS.index(one.verdict),
        not one.major,
        _CONFIDENCES.index(one.confidence),
        one.rule,
    )


def stakes(one: Recommendation) -> Stakes:
    """What it is about; the engine has set that, from the rule's where the answer had none."""
    return one.stakes or Stakes.TIME


def negligible(one: Recommendation) -> bool:
    """Whether it is known to bring too little for a line."""
    return stakes(one) is Stakes.TIME and one.gain is not None and one.gain.high < FLOOR


def tidies(one: Recommendation) -> bool:
    """Whether it takes out what no server feels, neither now nor at its next start."""
    return stakes(one) is Stakes.TIDINESS


def only_asked(one: Recommendation) -> bool:
    """Whether a plan holds it only where it is asked for: it brings too little, or only tidies."""
    return tidies(one) or negligible(one)


def goes_into_plan(one: Recommendation) -> bool:
    """Whether a plan holds it unasked: it has steps to do, and brings something."""
    asks = one.verdict is Verdict.RECOMMEND and bool(one.steps)
    return asks and not only_asked(one)

"""In which order advice stands: risks to data first, then what brings most, then housekeeping."""

from __future__ import annotations

from advisor.gain import FLOOR, Stakes
from advisor.outcomes import Confidence, Recommendation, Verdict

UNQUANTIFIED = FLOOR / 2
"""What a change counts for whose gain nobody can compute: last, before those known to be small."""

_LISTS = list(Stakes)
_VERDICTS = (Verdict.RECOMMEND, Verdict.WATCH, Verdict.FINE)
_CONFIDENCES = list(Confidence)

Rank = tuple[bool, int, float, int, bool, int, str]


def worth(one: Recommendation) -> float:
    """The expected gain: a share of the time of running queries (0..1)."""
    gain = UNQUANTIFIED if one.gain is None else one.gain.value
    return gain * one.share


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

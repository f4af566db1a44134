"""In which order advice stands: risks to data first, then what brings most, then housekeeping."""

from __future__ import annotations

from collections.abc import Collection

from advisor.gain import FLOOR, UNCOUNTED, Stakes
from advisor.outcomes import Confidence, Recommendation, Verdict
from advisor.steps import Needs
from probes.statistics.ranges import Range

UNQUANTIFIED = FLOOR / 10
"""What a change counts for whose gain nobody can compute: behind each that is known to bring
something, before those that may bring nothing (our choice)."""

DOUBTED = 0.05
"""The share of its expected gain that a change counts for where nobody counts the wait: the middle
of a range that is ignorance stands below what was counted, and above what is small (our choice)."""

KNOWN, UNKNOWN = 10.0, 0.25
"""A gain whose high end is more than this many times its low end is not known: it counts for its
low end, or for such a share of what is expected, since the wait itself was timed (our choices)."""

SURE_NEEDS = (Needs.NOTHING, Needs.DYNAMIC)
"""What a change takes that is made at once and undone at once."""

ALIKE = 0.5
"""From this part of a purchase's gain on, a change that is free is made before it (our choice)."""

FREE_NEEDS = (*SURE_NEEDS, Needs.RESTART)
"""What a change of the server alone takes."""

SMALL = 0.05
"""A gain that is less at most is known to be small, however wide its range (our choice)."""

NONE = 0.001
"""A gain whose low end is less may be none (our choice)."""

NOT_FELT = (Stakes.HOUSEKEEPING, Stakes.TIDINESS)
"""What no query feels."""

_LISTS = list(Stakes)
_VERDICTS = (Verdict.RECOMMEND, Verdict.WATCH, Verdict.FINE)
_CONFIDENCES = list(Confidence)

Rank = tuple[bool, int, bool, float, int, bool, int, str]


def worth(one: Recommendation) -> float:
    """What it counts for: a share of the time of running queries (0..1).

    It is the gain that is expected; of one that is not known, or of a wait that nobody counts, the
    low end, or a part of that; of a guess a part. What is urgent counts for so much at least.
    """
    if one.gain is None:
        return max(one.urgency, UNQUANTIFIED * one.share)
    expected = one.gain.value
    if any(each.wait in UNCOUNTED for each in one.relieves):
        expected = max(one.gain.low, DOUBTED * expected)
    elif is_guess(one):
        expected *= UNKNOWN
    elif is_wide(one.gain):
        expected = max(one.gain.low, UNKNOWN * expected)
    return max(one.urgency, expected * one.share)


def is_urgent(one: Recommendation) -> bool:
    """Whether more is at stake than it is known to bring."""
    return one.gain is not None and one.urgency > one.gain.value


def is_wide(gain: Range) -> bool:
    """Whether a gain's range is so wide that it says that nobody knows the gain."""
    return gain.high >= SMALL and gain.high > KNOWN * gain.low


def is_guess(one: Recommendation) -> bool:
    """Whether it may bring nothing: a change of low confidence, or a watched wait that may all end.

    Half of it is expected then, so that its gain looks better known than it is.
    """
    if not one.relieves or any(each.share.low for each in one.relieves):
        return False
    if one.verdict is Verdict.WATCH:
        return all(each.share.high >= 1 for each in one.relieves)
    return one.confidence is Confidence.LOW


def is_sure(one: Recommendation) -> bool:
    """Whether it is a change that is surely right, made and undone at once."""
    return one.confidence is Confidence.HIGH and _takes(one, SURE_NEEDS)


def is_free(one: Recommendation) -> bool:
    """Whether it is a change of the server alone that shortens queries and costs no money."""
    return _takes(one, FREE_NEEDS)


def is_bought(one: Recommendation) -> bool:
    """Whether it is a change that shortens queries and costs money."""
    return _takes(one, (Needs.MONEY,))


def _takes(one: Recommendation, needs: Collection[Needs]) -> bool:
    changes = one.verdict is Verdict.RECOMMEND and one.needs in needs
    return changes and stakes(one) is Stakes.TIME


def is_vague(one: Recommendation) -> bool:
    """Whether it is only to be watched, and nobody knows what it would bring."""
    if one.verdict is not Verdict.WATCH or stakes(one) is not Stakes.TIME:
        return False
    return one.gain is None or is_wide(one.gain) or is_guess(one)


def rank(one: Recommendation) -> Rank:
    """A key to sort by, what matters most first; what is fine is last."""
    return (
        one.verdict is Verdict.FINE,
        _LISTS.index(stakes(one)),
        not one.urgent,
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
    """Whether it is known to bring too little for a line, and nothing about it is urgent."""
    if one.gain is None or stakes(one) is not Stakes.TIME or one.urgency > 0:
        return False
    expected_little = one.gain.value < one.least_gain and not is_wide(one.gain)
    perhaps_none = one.gain.low < NONE and one.gain.value < FLOOR and one.gain.high < SMALL
    eyed = one.verdict is Verdict.WATCH and perhaps_none
    return one.gain.high < FLOOR or expected_little or eyed


def slight(one: Recommendation) -> bool:
    """Whether nobody counted what it brings, and no figure shows that anything gets slower."""
    return one.slight and one.gain is None and stakes(one) is Stakes.TIME


def tidies(one: Recommendation) -> bool:
    """Whether it takes out what no server feels, neither now nor at its next start."""
    return stakes(one) is Stakes.TIDINESS


def is_offered(one: Recommendation) -> bool:
    """Whether it is a risk to data that its owner may have taken on purpose.

    The change that ends it is shown with its statements, and planned only where it is asked for.
    """
    taken = one.verdict is Verdict.WATCH and stakes(one) is Stakes.DATA
    return taken and bool(one.steps) and not one.cause


def only_asked(one: Recommendation) -> bool:
    """Whether a plan holds it only where it is asked for.

    It brings too little, only tidies, or is its owner's to decide.
    """
    return tidies(one) or negligible(one) or slight(one) or is_offered(one)


def goes_into_plan(one: Recommendation) -> bool:
    """Whether a plan holds it unasked: it has steps to do, and brings something."""
    asks = one.verdict is Verdict.RECOMMEND and bool(one.steps)
    return asks and not only_asked(one)

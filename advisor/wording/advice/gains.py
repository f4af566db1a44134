"""Gains, and why something is minor, in a few words."""

from __future__ import annotations

from collections.abc import Sequence

from advisor.gain import FLOOR, MOST, UNCOUNTED, QueryTime, Stakes, Wait
from advisor.outcomes import Judgement, Recommendation, Verdict
from advisor.ranking import NOT_FELT, is_wide, slight, stakes, tidies
from advisor.wording.advice.waits import WAITS
from probes.figures import listed, percent, percents
from probes.statistics.ranges import Range

EYE = "keep an eye on"
"""What is asked of the reader where nothing is to be changed, or not now."""

NOTHING_SUFFERS = {
    Verdict.RECOMMEND: "nothing that was counted gets slower without it, planned only if asked for",
    Verdict.WATCH: "nothing that was counted gets slower by it",
}

VAGUE = 0.1
"""A second wait whose low end is less of its high end is named with that end alone (our choice)."""

NEARLY_ALL = 0.95
"""What may be nothing or so much of query time is not known at all (our choice)."""


def why_minor(one: Recommendation) -> str:
    """Why it stands among what is minor, in a few words."""
    if one.waits_for:
        return f"comes after {one.waits_for}"
    if one.cause:
        return f"a symptom of {one.cause}"
    if tidies(one):
        return "housekeeping, planned only if asked for"
    if stakes(one) in NOT_FELT:
        return "housekeeping"
    if one.gain is None:
        return NOTHING_SUFFERS[one.verdict] if slight(one) else "gain not quantified"
    return f"below {percent(max(FLOOR, one.least_gain))} of query time"


def gain_of(one: Recommendation) -> str:
    """The gain in a few words; "" for what does not aim at the time of queries.

    Of a range that is too wide to be a gain, only what a change saves at least is given, if
    anything.
    """
    if stakes(one) is not Stakes.TIME or one.verdict is Verdict.FINE:
        return ""
    if one.gain is None:
        return "gain not quantified"
    if figure := figure_of(one):
        return f"{figure} of query time"
    if any(each.wait in UNCOUNTED for each in one.relieves):
        return "gain not known: nothing counts that wait"
    return "gain not known: how much of that wait it ends shows only afterwards"


def saves(one: Recommendation) -> str:
    """The same in two words, for a row of a list; "" where ``gain_of`` has no figure."""
    figure = figure_of(one)
    return f"saves {figure}" if figure else ""


def figure_of(one: Recommendation) -> str:
    """The share of query time; of a range that is too wide to be one, at most its low end.

    The low end of what is only watched is "" as well: nothing is known to save it.
    """
    if one.gain is None:
        return ""
    if not is_wide(one.gain):
        return share_text(one.gain)
    known = one.gain.low >= FLOOR and one.verdict is Verdict.RECOMMEND
    return f"at least {percent(one.gain.low)}" if known else ""


def time_sentence(judgement: Judgement) -> str:
    """What running queries wait for, the longest first; "" where nobody knows."""
    time = judgement.time
    if time is None:
        return ""
    waits = [f"{share_text(share)} {WAITS[wait]}" for wait, share in time.longest[:2]]
    hidden = 1 - time.explained.value
    if not time.untimed and hidden >= MOST:
        waits.insert(0, f"{percent(hidden)} none of the waits that were timed")
    goes = listed(waits) or untimed(time) or "no wait stands out"
    return f"Query time: {goes}; {time.running.value:.1f} queries at work."


def untimed(time: QueryTime) -> str:
    """Which of the waits that limit most servers nobody timed; "" where all were."""
    unknown = [WAITS[wait] for wait in time.untimed]
    return f"{listed(unknown)} were not timed" if unknown else ""


def share_text(share: Range) -> str:
    """A share with its range where that says more than the figure."""
    return percents(share.low, share.high)


def is_vague(share: Range) -> bool:
    """Whether its low end says nothing."""
    return share.low < VAGUE * share.high


def of_time(share: Range) -> str:
    """``3 to 5 % of query time``; of a range that says nothing, its high end at most."""
    return f"{part_text(share)} of query time"


def part_text(share: Range) -> str:
    """The same without what it is of."""
    if not is_vague(share):
        return share_text(share)
    return "an unknown part" if share.high >= NEARLY_ALL else f"up to {percent(share.high)}"


def next_waits(waits: Sequence[tuple[Wait, Range]]) -> str:
    """The wait that comes next, after a comma; "" where there is none.

    The one after it is named as well where it may be the longer one.
    """
    if not waits:
        return ""
    (wait, share), *others = waits
    if is_vague(share):
        return f", then perhaps {WAITS[wait]} (up to {percent(share.high)})"
    more = [
        f", {WAITS[other]} with {share_text(each)}"
        for other, each in others[:1]
        if each.high > share.high and not is_vague(each)
    ]
    return f", then {WAITS[wait]} with {share_text(share)}{''.join(more)}"

"""What a judgement has to say, as lists: risks to data, changes, what to watch, what is minor."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from advisor.gain import FLOOR, UNCOUNTED, QueryTime, Stakes, Wait
from advisor.outcomes import Judgement, Recommendation, Verdict
from advisor.ranking import is_wide, negligible, slight, stakes, tidies
from probes.figures import THIN, listed, percent
from probes.ranges import Range


class Part(StrEnum):
    """The list that a judged rule stands in."""

    RISK = "risk"
    CHANGE = "change"
    WATCH = "watch"
    MINOR = "minor"
    FINE = "fine"


_MOST_OFTEN = (Wait.PAGE_READS, Wait.COMMITS, Wait.PROCESSORS)

MOST = 0.5
"""From here on it is most of query time."""

EYE = "keep an eye on"
"""What is asked of the reader where nothing is to be changed, or not now."""

PERCENT = f"{THIN}%"

NOTHING_SUFFERS = "nothing that was counted gets slower without it, planned only if asked for"

NOT_FELT = (Stakes.HOUSEKEEPING, Stakes.TIDINESS)
"""What no query feels."""


def part_of(one: Recommendation) -> Part:
    """Where it stands: a risk before all, housekeeping, symptoms and what brings little apart."""
    if one.verdict is Verdict.FINE:
        return Part.FINE
    if stakes(one) is Stakes.DATA:
        return Part.RISK
    if stakes(one) in NOT_FELT or one.cause or negligible(one) or slight(one):
        return Part.MINOR
    if one.verdict is Verdict.RECOMMEND:
        return Part.CHANGE
    counts = one.gain is not None or one.major or one.urgency >= FLOOR
    return Part.WATCH if counts else Part.MINOR


@dataclass(frozen=True, slots=True)
class Agenda:
    """A judgement's recommendations by list, each in order."""

    risks: tuple[Recommendation, ...]
    changes: tuple[Recommendation, ...]
    watch: tuple[Recommendation, ...]
    minor: tuple[Recommendation, ...]
    fine: tuple[Recommendation, ...]
    lines: tuple[Recommendation, ...]
    """Changes and what to watch in one list, what matters most first."""


def agenda(judgement: Judgement) -> Agenda:
    """Put what was judged into its lists."""
    judged = judgement.recommendations
    risks, changes, watch, minor, fine = (_in(judged, part) for part in Part)
    lines = _in(judged, Part.CHANGE, Part.WATCH)
    return Agenda(risks, changes, watch, minor, fine, lines)


def _in(judged: Iterable[Recommendation], *parts: Part) -> tuple[Recommendation, ...]:
    return tuple(each for each in judged if part_of(each) in parts)


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
        return NOTHING_SUFFERS if slight(one) else "gain not quantified"
    return f"below {percent(max(FLOOR, one.least_gain))} of query time"


def gain_of(one: Recommendation) -> str:
    """The gain in a few words; "" for what does not aim at the time of queries.

    A range that is too wide to be a gain is told as what it is known to be at least, if anything.
    """
    if stakes(one) is not Stakes.TIME or one.verdict is Verdict.FINE:
        return ""
    if one.gain is None:
        return "gain not quantified"
    if not is_wide(one.gain):
        return f"{share_said(one.gain)} of query time"
    if one.gain.low >= FLOOR:
        return f"at least {percent(one.gain.low)} of query time"
    if any(each.wait in UNCOUNTED for each in one.relieves):
        return "gain not known, because nobody counts that wait"
    return "gain not known, because how much of that wait ends is not"


def time_sentence(judgement: Judgement) -> str:
    """What running queries wait for, the longest first; "" where nobody knows."""
    time = judgement.time
    if time is None:
        return ""
    waits = [f"{share_said(share)} {wait.value}" for wait, share in time.longest[:2]]
    hidden = 1 - time.explained.value
    if not untimed(time) and hidden >= MOST:
        waits.insert(0, f"{percent(hidden)} none of the waits that were timed")
    goes = listed(waits) or untimed(time) or "no wait stands out"
    return f"Query time: {goes}; {time.running.value:.1f} queries at work."


def untimed(time: QueryTime) -> str:
    """Which of the waits that limit most servers nobody timed; "" where all were.

    While one of them is unknown, nobody can say that nothing limits a server.
    """
    unknown = [wait.value for wait in _MOST_OFTEN if wait not in time.waits]
    return f"{listed(unknown)} were not timed" if unknown else ""


def share_said(share: Range) -> str:
    """A share with its range where that says more than the figure."""
    low, high = percent(share.low), percent(share.high)
    return high if low == high else f"{low.rstrip(PERCENT)} to {high}"

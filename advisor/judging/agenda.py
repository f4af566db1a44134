"""What a judgement has to say, as lists: risks to data, changes, what to watch, what is minor."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from advisor.gain import FLOOR, Stakes
from advisor.outcomes import Judgement, Recommendation, Verdict
from advisor.ranking import NOT_FELT, goes_into_plan, is_offered, negligible, slight, stakes


class Part(StrEnum):
    """The list that a judged rule stands in."""

    RISK = "risk"
    CHANGE = "change"
    WATCH = "watch"
    MINOR = "minor"
    FINE = "fine"


def part_of(one: Recommendation) -> Part:
    """Where it stands: a risk before all, housekeeping, symptoms and what brings little apart."""
    if one.verdict is Verdict.FINE:
        return Part.FINE
    if stakes(one) is Stakes.DATA and not one.cause:
        return Part.RISK
    if stakes(one) in NOT_FELT or one.cause or negligible(one) or slight(one):
        return Part.MINOR
    if one.verdict is Verdict.RECOMMEND:
        return Part.CHANGE
    money = stakes(one) is Stakes.MONEY
    counts = money or one.gain is not None or one.major or one.urgency >= FLOOR
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


def finds(judgement: Judgement, least: Part) -> bool:
    """Whether anything was found that weighs as much as ``least``: a risk weighs more than all."""
    weighty = [*Part][: [*Part].index(least) + 1]
    return any(part_of(each) in weighty for each in judgement.recommendations)


def agenda(judgement: Judgement) -> Agenda:
    """Put what was judged into its lists."""
    judged = judgement.recommendations
    risks, changes, watch, minor, fine = (_in(judged, part) for part in Part)
    lines = _in(judged, Part.CHANGE, Part.WATCH)
    return Agenda(risks, changes, watch, minor, fine, lines)


def changes_asked(judgement: Judgement) -> list[Recommendation]:
    """All that is to be changed, risks among it, what matters most first.

    A plan holds just these unasked, and who counts changes counts these.
    """
    return [each for each in judgement.recommendations if goes_into_plan(each)]


def to_decide(judgement: Judgement) -> list[Recommendation]:
    """What a reader decides on, what matters most first: what is recommended, and offered."""
    found = judgement.recommendations
    return [each for each in found if goes_into_plan(each) or is_offered(each)]


def _in(judged: Iterable[Recommendation], *parts: Part) -> tuple[Recommendation, ...]:
    return tuple(each for each in judged if part_of(each) in parts)

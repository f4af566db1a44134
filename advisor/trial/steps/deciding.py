"""What becomes of a change in steps: fixed before it is made."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from statistics import fmean

from advisor.trial.design import NO_WORTH
from advisor.trial.mix import mean_us
from advisor.trial.record import TrialEnd
from advisor.trial.steps.like_load import LikeLoad
from advisor.trial.steps.looks import FEW, StepLook, followed
from advisor.variables.entry import Follows
from probes.trial.stretch import WorkStretch

BAND = 1.1
"""A smaller value may bring a tenth more than the highest stretch before it had (our choice)."""


class BandFigure(StrEnum):
    """What is to stay in its band."""

    PAGES = "pages"
    """Of what the setting follows, per statement."""
    P95 = "p95"
    TIME = "time"
    """Of a statement, where the server keeps no histogram."""


@dataclass(frozen=True, slots=True)
class BandLeft:
    """A figure with what was seen; pages per statement, or microseconds."""

    figure: BandFigure
    seen: float
    most: float


def end_of_step(found: LikeLoad, worth: float) -> TrialEnd:
    """Why a change that is to make statements faster ends; ``worth`` is the least that counts."""
    times = found.times
    if found.unlike is not None or times is None:
        return TrialEnd.UNLIKE
    if times.high < 1 / (1 + worth):
        return TrialEnd.BETTER
    if times.low > 1:
        return TrialEnd.WORSE
    if times.low > 1 / (1 + max(worth, NO_WORTH.worth)):
        return TrialEnd.NO_GAIN
    return TrialEnd.UNCLEAR


def band_left(before: StepLook, after: StepLook, follows: Follows) -> BandLeft | None:
    """Which figure has left the band that it had before; None where all stay in theirs."""
    pages = [[followed(each, follows) for each in look.stretches] for look in (before, after)]
    most = max(BAND * max(pages[0]), max(pages[0]) + FEW)
    if (seen := fmean(pages[1])) > most:
        return BandLeft(BandFigure.PAGES, seen, most)
    late = [[each.p95_us or 0.0 for each in look.stretches] for look in (before, after)]
    known = min(map(min, late)) > 0
    figure = BandFigure.P95 if known else BandFigure.TIME
    times = late if known else [list(map(_mean_us, look.stretches)) for look in (before, after)]
    most = BAND * max(times[0])
    return BandLeft(figure, fmean(times[1]), most) if fmean(times[1]) > most else None


def _mean_us(one: WorkStretch) -> float:
    return mean_us(one.kinds)

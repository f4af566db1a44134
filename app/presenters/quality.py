"""How good a run's measurements are: one verdict, the same above every page."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from advisor.run import RunKind
from app.runtime.translation import tr, tr_n
from probes.figures import THIN, percent
from probes.points import Trust

if TYPE_CHECKING:
    from app.controllers.run import Run

FEW, MANY = 0.1, 0.5
"""Up to this share of doubtful points a run counts as well measured; from the other on as doubtful
as a whole (our choice)."""

ICONS = {"good": "circle-check", "warn": "triangle-alert", "bad": "triangle-alert", "quiet": "info"}


def tone_of(doubted: int, number: int) -> str:
    """How well a run is measured, of whose ``number`` points so many are doubted."""
    share = doubted / number if number else 0.0
    return "good" if share <= FEW else "warn" if share < MANY else "bad"


@dataclass(frozen=True, slots=True)
class Quality:
    """A verdict in a few words, with what it means for the figures; ``tone`` is a palette's."""

    tone: str
    said: str
    meaning: str

    @property
    def icon(self) -> str:
        """What stands before the words."""
        return ICONS[self.tone]


def quality(run: Run | None) -> Quality | None:
    """The verdict on a run so far; None where nothing was measured or watched."""
    if run is None:
        return None
    if not run.points:
        return _watched(run)
    number = len(run.points)
    trusts = Counter(point.trust for point in run.points)
    doubted = number - trusts[Trust.OK]
    share, tone = doubted / number, tone_of(doubted, number)
    if tone == "good":
        return Quality(
            "good",
            _sound(number - doubted, number, run.running),
            tr("The figures can be taken as they are, with their intervals."),
        )
    said = tr_n(
        "{doubted} of 1 point doubtful or rejected",
        "{doubted} of {n} points doubtful or rejected",
        number,
        doubted=doubted,
    )
    if run.running:
        said = tr_n(
            "{doubted} of 1 point doubtful or rejected so far",
            "{doubted} of {n} points doubtful or rejected so far",
            number,
            doubted=doubted,
        )
    meaning = tr(
        "{share} of the points are uncertain: {reason} Advice is judged over all that the figures "
        "may truly be, and says how far it holds.",
        share=percent(share),
        reason=_reason(run),
    )
    return Quality(tone, said, meaning)


def _sound(sound: int, number: int, running: bool) -> str:
    """That nearly all points can be taken as they are."""
    if sound == number and running:
        return tr("Measured well so far: all {number} points are sound", number=number)
    if sound == number:
        return tr("Measured well: all {number} points are sound", number=number)
    if running:
        return tr(
            "Measured well so far: {sound} of {number} points are sound", sound=sound, number=number
        )
    return tr("Measured well: {sound} of {number} points are sound", sound=sound, number=number)


def _reason(run: Run) -> str:
    """What was said most often against points, without the figures of each."""
    reasons = Counter(
        reason.partition(":")[0].rstrip(".")
        for point in run.points
        if point.trust is not Trust.OK
        for reason in point.trust_reasons
    )
    if not reasons:
        return ""
    return tr("most often because of this: {reason}.", reason=reasons.most_common(1)[0][0])


def _watched(run: Run) -> Quality | None:
    inventory = run.inventory
    if run.kind is not RunKind.WATCH or inventory is None or inventory.watched is None:
        return None
    return Quality(
        "quiet",
        tr("Watched for {time}, nothing measured", time=f"{inventory.watched.seconds:.0f}{THIN}s"),
        tr("What the drive could give is unknown until it is probed; a watch adds no load."),
    )

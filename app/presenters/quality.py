"""How good a run's measurements are: one verdict, the same above every page."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from advisor.run import RunKind
from probes.figures import counted, percent
from probes.points import Trust

if TYPE_CHECKING:
    from app.controllers.run import Run

FEW, MANY = 0.1, 0.5
"""Up to this share of doubtful points a run counts as well measured; from the other on as doubtful
as a whole (our choice)."""

ICONS = {"good": "circle-check", "warn": "triangle-alert", "bad": "triangle-alert", "quiet": "info"}


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
    share = doubted / number
    so_far = " so far" if run.running else ""
    if share <= FEW:
        sound = f"all {number}" if not doubted else f"{number - doubted} of {number}"
        said = f"Measured well{so_far}: {sound} points are sound"
        return Quality("good", said, "The figures can be taken as they are, with their intervals.")
    said = f"{doubted} of {counted(number, 'point')} doubtful or rejected{so_far}"
    meaning = (
        f"{percent(share)} of the points are uncertain: {_reason(run)} Advice is judged over all "
        "that the figures may truly be, and says how far it holds."
    )
    return Quality("warn" if share < MANY else "bad", said, meaning)


def _reason(run: Run) -> str:
    """What was said most often against points, without the figures of each."""
    reasons = Counter(
        reason.partition(":")[0].rstrip(".")
        for point in run.points
        if point.trust is not Trust.OK
        for reason in point.trust_reasons
    )
    return f"most often because of this: {reasons.most_common(1)[0][0]}." if reasons else ""


def _watched(run: Run) -> Quality | None:
    inventory = run.inventory
    if run.kind is not RunKind.WATCH or inventory is None or inventory.watched is None:
        return None
    seen = f"Watched for {inventory.watched.seconds:.0f}\u202fs, nothing measured"
    return Quality(
        "quiet",
        seen,
        "What the drive could give is unknown until it is probed; a watch adds no load.",
    )

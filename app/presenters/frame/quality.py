"""How good a run's measurements are: one verdict, the same above every page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from advisor.run import RunKind
from advisor.wording.measured.doubts import in_general
from app.controllers.run import DoneRun
from app.presenters.texts.phrases import doubts_text
from app.runtime.translation import tr, tr_n
from probes.doubts import Doubt
from probes.figures import THIN, percent
from probes.points import Point, Trust

if TYPE_CHECKING:
    from app.controllers.run import Run

FEW, MANY = 0.1, 0.5
"""Up to this share of doubtful points a run counts as well measured; from the other on as doubtful
as a whole (our choice)."""

ICONS = {"good": "circle-check", "warn": "triangle-alert", "bad": "triangle-alert", "quiet": "info"}


def tone_of(doubted: int, number: int) -> str:
    """How well a run is measured: of its ``number`` points ``doubted`` are in doubt."""
    share = doubted / number if number else 0.0
    return "good" if share <= FEW else "warn" if share < MANY else "bad"


@dataclass(frozen=True, slots=True)
class Quality:
    """A verdict in a few words, with what it means for the figures; ``tone`` is a palette's."""

    tone: str
    text: str
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
    doubts = doubts_text(trusts[Trust.DOUBTFUL], trusts[Trust.REJECTED])
    text = tr_n("{doubts} of 1 point", "{doubts} of {n} points", number, doubts=doubts)
    if run.running:
        text = tr("{doubts} so far", doubts=text)
    meaning = tr(
        "{share} of the points are uncertain: {reason} Advice is judged over all that the figures "
        "may truly be, and says how far it holds.",
        share=percent(share),
        reason=_reason(run),
    )
    return Quality(tone, text, meaning)


def _sound(sound: int, number: int, running: bool) -> str:
    """That nearly all points can be taken as they are."""
    if sound == number and running:
        return tr_n(
            "Measured well so far: the only point is sound",
            "Measured well so far: all {n} points are sound",
            number,
        )
    if sound == number:
        return tr_n(
            "Measured well: the only point is sound",
            "Measured well: all {n} points are sound",
            number,
        )
    if running:
        return tr(
            "Measured well so far: {sound} of {number} points are sound", sound=sound, number=number
        )
    return tr("Measured well: {sound} of {number} points are sound", sound=sound, number=number)


def _reason(run: Run) -> str:
    """What was said most often against points, without the figures of each."""
    found = _most_frequent([point for point in run.points if point.trust is not Trust.OK])
    if found is None:
        return ""
    return tr("most often because of this: {reason}", reason=in_general(found[0]))


def _most_frequent(points: Sequence[Point]) -> tuple[Doubt, int] | None:
    """One doubt of the kind that most of the points share, and how many do."""
    doubts = [{each.key: each for each in point.doubts} for point in points]
    kinds = Counter(key for by_key in doubts for key in by_key).most_common(1)
    return next(((by_key[key], n) for key, n in kinds for by_key in doubts if key in by_key), None)


def together(run: Run) -> list[str]:
    """What the points of a run say together, and why most of the doubtful ones are doubted."""
    found = list(run.findings or ())
    doubtful = [point for point in run.points if point.trust is Trust.DOUBTFUL]
    shared = _most_frequent(doubtful)
    if shared is None:
        return found
    doubt, times = shared
    text = tr_n("1 point is doubtful", "{n} points are doubtful", len(doubtful))
    if times < len(doubtful):
        text = tr("{doubtful}, {times} of them for this", doubtful=text, times=times)
    return [f"{text}: {in_general(doubt)}", *found]


def _watched(run: Run) -> Quality | None:
    inventory = run.inventory
    if run.kind is not RunKind.WATCH or inventory is None or inventory.watched is None:
        return None
    time = f"{inventory.watched.seconds:.0f}{THIN}s"
    unknown = tr("What the drive could give is unknown until it is measured.")
    if isinstance(run, DoneRun) and run.summary.from_texts:
        return Quality("quiet", tr("Texts of {time}, nothing measured", time=time), unknown)
    if isinstance(run, DoneRun) and run.collected:
        return Quality("quiet", tr("Collected in {time}, nothing measured", time=time), unknown)
    return Quality(
        "quiet",
        tr("Watched for {time}, nothing measured", time=time),
        tr("{unknown} A watch adds no load.", unknown=unknown),
    )

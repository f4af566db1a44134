"""A bench as it is typed, and as it goes on: requests, lines and rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from advisor.runs.bench.progress import BenchProgress
from advisor.runs.bench.values import BenchRequest, PlacesSeen
from advisor.runs.bench.words import place_of, project_of
from app.presenters.texts.phrases import points_text
from app.runtime.translation import tr
from probes.plans.plan import PlanName
from probes.targets.address import TargetSpec

DONE = "The bench is done: the Compare page shows it."


@dataclass(frozen=True, slots=True)
class BenchTyped:
    """What the form holds; ``places`` is a directory or target on each line."""

    places: str
    plan: str
    repeats: int
    project: str


def request_of(
    typed: BenchTyped, known: Callable[[str], TargetSpec | None], now: datetime
) -> BenchRequest:
    """What is asked for; ``known`` gives a saved target by its name. Raises UsageError."""
    words = [line.strip() for line in typed.places.splitlines()]
    return BenchRequest(
        tuple(place_of(word, known) for word in words if word),
        PlanName(typed.plan),
        typed.repeats,
        project_of(typed.project, now),
    )


def plan_text(seen: PlacesSeen) -> str:
    """What will be done, before it is."""
    return "\n".join(seen.lines)


def heading(progress: BenchProgress) -> str:
    """What is done now."""
    if progress.now is None:
        return tr("Looking at the directories before anything is measured.")
    turn = progress.now
    return tr(
        "Turn {number} of {total}: {name}", number=turn.number, total=turn.total, name=turn.name
    )


def rows(progress: BenchProgress) -> list[tuple[str, str, str, str]]:
    """Each place: its name, the turns that are over, its points, and how it stands."""
    if progress.seen is None or progress.now is None:
        return []
    turns = progress.now.total // len(progress.seen.places)
    return [
        (
            place.name,
            tr("{here} of {count}", here=progress.done.get(at, 0), count=turns),
            points_text(progress.points.get(at, 0)),
            _standing(progress, at),
        )
        for at, place in enumerate(progress.seen.places)
    ]


def _standing(progress: BenchProgress, at: int) -> str:
    if at in progress.failed:
        return tr("left out: {reason}", reason=progress.failed[at].sentence)
    return tr("measured now") if progress.now is not None and progress.now.place == at else ""

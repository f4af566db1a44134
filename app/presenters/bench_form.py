"""A bench as it is typed, and as it goes on: requests, lines and rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from advisor.runs.bench_progress import BenchProgress
from advisor.runs.bench_values import BenchRequest, PlacesSeen
from advisor.runs.bench_words import place_of, project_of
from probes.figures import counted
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
        return "Looking at the directories before anything is measured."
    return f"Turn {progress.now.number} of {progress.now.total}: {progress.now.name}"


def rows(progress: BenchProgress) -> list[tuple[str, str, str, str]]:
    """Each place: its name, the turns that are over, its points, and how it stands."""
    if progress.seen is None or progress.now is None:
        return []
    turns = progress.now.total // len(progress.seen.places)
    return [
        (
            place.name,
            f"{progress.done.get(at, 0)} of {turns}",
            counted(progress.points.get(at, 0), "point"),
            _standing(progress, at),
        )
        for at, place in enumerate(progress.seen.places)
    ]


def _standing(progress: BenchProgress, at: int) -> str:
    if at in progress.failed:
        return f"left out: {progress.failed[at].sentence}"
    return "measured now" if progress.now is not None and progress.now.place == at else ""

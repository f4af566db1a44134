"""A bench as it is typed, and as it goes on: requests, lines and rows."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from advisor.runs.bench.progress import BenchProgress
from advisor.runs.bench.values import BenchRequest, PlacesSeen
from advisor.runs.bench.words import place_of, project_of
from app.runtime.translation import tr
from probes.figures import duration_us, rate
from probes.kinds.words import capital, setting_line
from probes.plans.plan import PlanName
from probes.points import PAGE_BYTES, Point, Probe
from probes.targets.address import TargetSpec

COLUMNS = ("Directory", "Turns", "Reads", "One takes", "Writes", "Log syncs", "One takes")
"""The rates are the best so far."""

_SHOWN = ((Probe.RANDOM_READ, True), (Probe.RANDOM_WRITE, False), (Probe.REDO_SYNC, True))
"""Probes with a figure in each row, and whether what one operation takes is shown, too."""

DONE = "The drives are measured: Compare shows them."


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
        return tr("Reading the directories: nothing is measured yet.")
    turn = progress.now
    return tr(
        "Turn {number} of {total}: {name}", number=turn.number, total=turn.total, name=turn.name
    )


def rows(progress: BenchProgress) -> list[tuple[str, ...]]:
    """Each place, by ``COLUMNS``: the turns that are over, and its figures so far."""
    if progress.seen is None or progress.now is None:
        return []
    turns = progress.now.total // len(progress.seen.places)
    return [
        (
            place.name,
            tr("left out")
            if at in progress.failed
            else tr("{here} of {count}", here=progress.done.get(at, 0), count=turns),
            *_figures(progress.points.get(at, ())),
        )
        for at, place in enumerate(progress.seen.places)
    ]


def standing(progress: BenchProgress) -> str:
    """What is measured now, with the second that has just gone by, and which place is left out."""
    places = () if progress.seen is None else progress.seen.places
    lines = [
        tr("{place} is left out: {reason}", place=places[at].name, reason=error.sentence)
        for at, error in progress.failed.items()
    ]
    growing = progress.growing
    if growing is not None:
        line = capital(setting_line(growing.setting))
        lines.append(tr("{line}: {rate}", line=line, rate=rate(growing.sample.rate_per_s)))
    return "\n".join(lines)


def _figures(points: Sequence[Point]) -> Iterator[str]:
    """The best rate of each kind of work so far, and what one operation alone takes."""
    for probe, alone in _SHOWN:
        of_pages = [each for each in points if _is_usual(each, probe)]
        best = max((each.rate_per_s for each in of_pages), default=math.nan)
        yield rate(best)
        if alone:
            least = min(of_pages, key=lambda each: each.setting.threads, default=None)
            yield duration_us(math.nan if least is None else least.latency.mean_us)


def _is_usual(point: Point, probe: Probe) -> bool:
    """Whether a point is of a probe's usual kind: of InnoDB's pages, in one file."""
    setting = point.setting
    usual = probe is Probe.REDO_SYNC or setting.block_size_bytes == PAGE_BYTES
    return setting.probe is probe and usual and setting.files == 1

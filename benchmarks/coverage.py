"""Whether the intervals of quick points hold what a long run finds, on a drive and in memory."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from itertools import pairwise
from math import inf
from pathlib import Path
from statistics import median
from typing import Any

import agent
from outcome import Bar, Measured, Outcome

from probes.plans.plan import PlanName
from probes.plans.shapes import SHAPES

BLOCK_BYTES = 16384
FILE_BYTES = 512 << 20
LONG_SECONDS = 1.0
ROUNDS = 100
LEAST = 0.88


@dataclass(frozen=True)
class Place:
    """Where points are repeated, by how many threads."""

    name: str
    directory: str
    threads: int

    @property
    def setting(self) -> str:
        """How its quick points are called."""
        return f"{self.name}, {self.threads} threads"


MEMORY = Place("file in memory", "/dev/shm", 2)
DRIVE = Place("file on a drive", "/var/tmp", 8)
PLACES = (MEMORY, DRIVE)


@dataclass(frozen=True)
class Quick(Measured):
    """A quick point with its interval, and how long it took."""

    low_per_s: float = 0.0
    high_per_s: float = 0.0
    ended_by: str = ""
    seconds: float = 0.0
    swing: float = 0.0

    @property
    def half_width(self) -> float:
        """Half the interval as a share of the rate; a stalled drive's is unknown, and wide."""
        half = (self.high_per_s - self.low_per_s) / 2
        return half / self.rate_per_s if self.rate_per_s else inf


def compare(rounds: int = ROUNDS, drive: str = DRIVE.directory) -> Outcome:
    """Repeat quick points in turn, each followed by a stretch of the long run."""
    places = (MEMORY, Place(DRIVE.name, drive, DRIVE.threads))
    found = _measure(rounds, places)
    rows: list[Quick] = []
    bars, notes = [], []
    for place in places:
        quick = [_quick(point, place, number) for number, point in enumerate(found[place.name])]
        long = [point["rate_per_s"] for point in found[f"long {place.name}"]]
        mean = sum(long) / len(long)
        held = sum(row.low_per_s <= mean <= row.high_per_s for row in quick) / len(quick)
        name = f"intervals that hold the long run's rate, {place.setting}"
        bars.append(Bar(name, held, LEAST, at_least=True))
        notes.append(_note(place, quick, long, mean))
        rows += quick
    precision = SHAPES[PlanName.QUICK].precision
    return Outcome(
        name="coverage",
        title="Coverage of the intervals of quick points",
        method=(
            f"{rounds} quick points of {BLOCK_BYTES >> 10} KiB random reads in each place, taken "
            f"in turn by one agent: until the 95 % interval is within {precision.within:.0%}, "
            f"{precision.least_s:g} s at the earliest and {precision.cap_s:g} s at the latest. "
            f"After each, {LONG_SECONDS:g} s of the long run on the same file; its rate is the "
            "mean of all its stretches, so that it comes from the same period."
        ),
        rows=list(rows),
        bars=bars,
        notes=notes,
    )


def _measure(rounds: int, places: tuple[Place, ...]) -> dict[str, list[dict[str, Any]]]:
    """All points by what they are: those of a place, and those of the long run in it."""
    with (
        tempfile.TemporaryDirectory(prefix="leadline-bench-", dir=places[0].directory) as first,
        tempfile.TemporaryDirectory(prefix="leadline-bench-", dir=places[1].directory) as second,
    ):
        directories = [Path(first), Path(second)]
        file_sets = [
            {
                "id": place.name,
                "directory": str(directory),
                "files": 1,
                "bytes_per_file": FILE_BYTES,
            }
            for place, directory in zip(places, directories, strict=True)
        ]
        points = [
            point for number in range(rounds) for place in places for point in _pair(place, number)
        ]
        plan: dict[str, object] = {"ignore_floor": True, "file_sets": file_sets, "points": points}
        report = agent.carry_out(plan)
    found: dict[str, list[dict[str, Any]]] = {}
    for point in report.points:
        found.setdefault(point["id"], []).append(point)
    return found


def _pair(place: Place, number: int) -> list[dict[str, object]]:
    """A quick point and a stretch of the long run."""
    common: dict[str, object] = {
        "probe": "random_read",
        "file_set": place.name,
        "block_size_bytes": BLOCK_BYTES,
        "threads": place.threads,
    }
    precision = SHAPES[PlanName.QUICK].precision
    quick = {
        "id": place.name,
        "seconds": precision.cap_s,
        "least_seconds": precision.least_s,
        "within": precision.within,
        "warmup_seconds": precision.warmup_s,
        "seed": 2 * number + 1,
    }
    long = {
        "id": f"long {place.name}",
        "seconds": LONG_SECONDS,
        "warmup_seconds": precision.warmup_s,
        "seed": 2 * number + 2,
    }
    return [common | quick, common | long]


def _quick(point: dict[str, Any], place: Place, number: int) -> Quick:
    row = agent.measured(point, setting=place.setting, number=number)
    low, high = point["ci95_per_s"]
    return Quick(
        **vars(row),
        low_per_s=low,
        high_per_s=high,
        ended_by=point["ended_by"],
        seconds=point["seconds"],
        swing=point["details"]["swing"],
    )


def _note(place: Place, rows: list[Quick], long: list[float], mean: float) -> str:
    """How hard it was: how the place swung, and what that cost."""
    sure = sum(row.ended_by == "interval" for row in rows) / len(rows)
    step = median(abs(one - next_one) / max(one, next_one, 1.0) for one, next_one in pairwise(long))
    return (
        f"{place.setting}: the long run's rate is {mean:,.0f}/s; two of its stretches one after "
        f"the other differ by {step:.0%} (median). {sure:.0%} of the quick points ended by their "
        f"interval; half of it is {median(row.half_width for row in rows):.1%} wide, a point takes "
        f"{median(row.seconds for row in rows):.2f} s, and the place swings by "
        f"{median(row.swing for row in rows):.1%} (medians)."
    )

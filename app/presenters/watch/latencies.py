"""How often each latency occurred while a server was watched: a heat map over time."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from app.presenters.charts.scales import THIN, Scale, clock, logarithmic
from app.presenters.watch.timeline import mean_over, of_course
from app.runtime.translation import tr
from probes.figures import count, duration_us, percent
from probes.kinds.words import capital
from probes.watch.over_time import Course, LatencyCells, OverTime, class_edges_us
from probes.watch.watched import Watched
from probes.watch.words import ROLES, TIMED, Operation

PERCENTILES = (("p50", 0.50), ("p99", 0.99))
GAP = 2.0
"""A line is broken where no request ended for more than this many times as long as usual: pages are
written once a second or so, and each time stands alone."""

WHOLE = 0.999
"""The share of a stretch from which on it counts as recorded."""

_NOUNS = {Operation.READ: "reads", Operation.WRITE: "writes", Operation.SYNC: "syncs"}


@dataclass(frozen=True, slots=True)
class LatencyCell:
    """How many requests of one class of latencies ended in one stretch.

    ``column`` and ``row`` number both. ``left`` to ``right`` are seconds, ``low`` to ``high`` log10
    of microseconds.
    """

    column: int
    row: int
    left: float
    right: float
    low: float
    high: float
    requests: int


@dataclass(frozen=True, slots=True)
class HeatPicture:
    """One operation on the files of a role, or of a device.

    ``lines`` are percentiles by name, or the mean alone where only that is known: (second,
    log10 of microseconds), in several parts where there is something between them. ``blind`` are
    spans in which nothing was recorded. ``note`` says where it comes from.
    """

    title: str
    across: Scale
    up: Scale
    cells: tuple[LatencyCell, ...]
    lines: tuple[tuple[str, tuple[tuple[float, float], ...]], ...]
    blind: tuple[tuple[float, float], ...]
    note: str

    @property
    def most(self) -> int:
        """The requests of the fullest cell."""
        return max((cell.requests for cell in self.cells), default=1)

    def under(self, second: float, level: float) -> LatencyCell | None:
        """The cell at a place."""
        for cell in self.cells:
            if cell.left <= second < cell.right and cell.low <= level < cell.high:
                return cell
        return None

    def when(self, cell: LatencyCell) -> str:
        """The stretch that a cell lies in."""
        return tr("{low} to {high}", low=f"{cell.left:g}", high=f"{cell.right:g}{THIN}s")

    def hover_rows(self, cell: LatencyCell) -> list[tuple[str, str]]:
        """What a hover over a cell says."""
        column = [one for one in self.cells if one.left == cell.left]
        whole = sum(one.requests for one in column)
        below = sum(one.requests for one in column if one.low <= cell.low)
        return [
            (
                tr("Latency"),
                tr(
                    "{low} to {high}",
                    low=duration_us(10**cell.low),
                    high=duration_us(10**cell.high),
                ),
            ),
            (
                tr("Requests"),
                tr("{here} of {count}", here=count(cell.requests), count=count(whole)),
            ),
            (tr("As fast or faster"), percent(below / whole)),
        ]


def choices(watched: Watched) -> list[tuple[str, str]]:
    """What can be shown, as key and title: what most time is waited in first, devices last."""
    known = watched.over_time
    if known is None:
        return []
    waited = {
        (one.of, one.operation): _waited(one, watched)
        for one in (*known.files, *known.devices)
        if _is_timed(one)
    }
    found = dict.fromkeys((one.of, one.operation) for one in known.latencies)
    found |= dict.fromkeys(waited)
    ordered = sorted(found, key=lambda each: (each[0] not in ROLES, -waited.get(each, 0.0)))
    return [(_key(*each), _title(*each)) for each in ordered]


def is_of_files(key: str) -> bool:
    """Whether a choice is of the server's files, not of a disk."""
    return key.rpartition(" ")[0] in ROLES


def heat_picture(watched: Watched, key: str, because: str, most_ticks: int) -> HeatPicture | None:
    """The picture of one of ``choices``; ``because`` says why there is no trace, where known."""
    known = watched.over_time
    if known is None:
        return None
    cells = next((one for one in known.latencies if _key(one.of, one.operation) == key), None)
    courses = (*known.files, *known.devices)
    course = next((one for one in courses if _key(one.of, one.operation) == key), None)
    if cells is not None:
        return _traced(cells, _last(known), most_ticks)
    if course is not None:
        return _mean_alone(course, _last(known), because, most_ticks)
    return None


def _traced(known: LatencyCells, last_s: float, most_ticks: int) -> HeatPicture:
    edges = known.edges_s
    cells = []
    for at, index, requests in known.cells:
        low, high = map(math.log10, class_edges_us(index))
        cells.append(LatencyCell(at, index, edges[at], edges[at + 1], low, high, requests))
    blind = tuple(
        (start, end)
        for (start, end), share in zip(pairwise(edges), known.recorded, strict=True)
        if not share
    )
    part = sum(known.recorded[:-1]) / max(1, len(known.recorded) - 1)
    note = tr("Traced in the kernel.")
    if part < WHOLE:
        note = tr(
            "Traced in the kernel, {share} of the time.",
            share=percent(part),
        )
    lines = tuple(
        (name, part)
        for name, share in PERCENTILES
        for part in _parts(tuple(_percentile(cells, share)), blind)
    )
    ends = [10**end for cell in cells for end in (cell.low, cell.high)]
    return HeatPicture(
        _title(known.of, known.operation),
        clock(0.0, max(last_s, edges[-1])),
        logarithmic(ends, "us", most_ticks),
        tuple(cells),
        lines,
        blind,
        note,
    )


def _parts(
    line: Sequence[tuple[float, float]], blind: Sequence[tuple[float, float]]
) -> Iterator[tuple[tuple[float, float], ...]]:
    """A line, broken where nothing was recorded or no request ended."""
    ends = [start for start, _ in blind]
    steps = [after - before for (before, _), (after, _) in pairwise(line)]
    longest = GAP * median(steps) if steps else 0.0
    begun = 0
    for at in range(1, len(line) + 1):
        if (
            at == len(line)
            or steps[at - 1] > longest
            or any(line[at - 1][0] < end < line[at][0] for end in ends)
        ):
            yield tuple(line[begun:at])
            begun = at


def _percentile(cells: Sequence[LatencyCell], share: float) -> Iterator[tuple[float, float]]:
    """Its place in each stretch; within a class as if requests lay evenly on the log axis."""
    columns: dict[float, list[LatencyCell]] = {}
    for cell in cells:
        columns.setdefault(cell.left, []).append(cell)
    for column in sorted(columns.values(), key=lambda its: its[0].left):
        wanted = share * sum(cell.requests for cell in column)
        for cell in sorted(column, key=lambda one: one.low):
            if wanted <= cell.requests:
                level = cell.low + (cell.high - cell.low) * wanted / cell.requests
                yield (cell.left + cell.right) / 2, level
                break
            wanted -= cell.requests


def _mean_alone(course: Course, last_s: float, because: str, most_ticks: int) -> HeatPicture:
    line = tuple(
        ((start + end) / 2, math.log10(value))
        for (start, end), value in zip(pairwise(course.edges_s), course.latency_us, strict=True)
        if value > 0
    )
    note = tr("The mean of each stretch {source}: nothing was traced.", source=TIMED[course.source])
    if because:
        note = tr(
            "The mean of each stretch {source}: nothing was traced, because {reason}.",
            source=TIMED[course.source],
            reason=because,
        )
    return HeatPicture(
        tr("{calls}: what each took on average", calls=_title(course.of, course.operation)),
        clock(0.0, last_s),
        logarithmic((10**level for _, level in line), "us", most_ticks),
        (),
        tuple(("mean", part) for part in _parts(line, ())),
        (),
        note,
    )


def _waited(course: Course, watched: Watched) -> float:
    """How many threads wait in it on average, as the headline and the table count."""
    seen = of_course(course, watched)
    if seen is None or seen.waiting is None:
        return mean_over(course.waiting, course.edges_s)
    return seen.waiting


def _is_timed(course: Course) -> bool:
    return any(value > 0 for value in course.latency_us)


def _last(known: OverTime) -> float:
    return max((one.edges_s[-1] for one in (*known.files, *known.devices)), default=0.0)


def _key(of: str, operation: Operation) -> str:
    return f"{of} {operation}"


def _title(of: str, operation: Operation) -> str:
    return f"{capital(ROLES[of]) if of in ROLES else of} {_NOUNS[operation]}"

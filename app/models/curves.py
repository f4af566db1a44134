"""Measured points sorted into pictures: what a chart draws, and what stands beside it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from advisor.wording import count, duration_us, percent, rate, seconds, size
from probes.points import Point, Probe, Setting, Trust

TITLES = {
    Probe.RANDOM_READ: "Random read",
    Probe.RANDOM_WRITE: "Random write",
    Probe.REDO_SYNC: "Redo sync",
    Probe.POINT_SELECT: "Point select",
}

UNITS = {
    Probe.RANDOM_READ: "reads",
    Probe.RANDOM_WRITE: "writes",
    Probe.REDO_SYNC: "syncs",
    Probe.POINT_SELECT: "lookups",
}

SYNCS = {"o_dsync": "O_DSYNC"}

WORKING_SETS = {
    "cached": "in memory",
    "uncached": "from the drive",
    "existing": "own table",
}


class Along(StrEnum):
    """What the horizontal axis counts."""

    THREADS = "threads"
    BLOCK_SIZE = "block size"


@dataclass(frozen=True, slots=True)
class Series:
    """One curve: ``points`` ascend along ``along``; ``index`` picks its colour, dash and marker."""

    name: str
    index: int
    along: Along
    points: tuple[Point, ...]

    @property
    def key(self) -> tuple[object, ...]:
        """What tells this curve from all others, the same from one redraw to the next."""
        return curve_key(self.points[0].setting, self.along)

    @property
    def line(self) -> tuple[Point, ...]:
        """The points that the line runs through: all but the rejected."""
        return tuple(point for point in self.points if point.trust is not Trust.REJECTED)

    def at(self, position: float) -> Point | None:
        """The point measured at ``position`` (log2), None when there is none."""
        for point in self.line:
            if abs(place(point.setting, self.along) - position) < 1e-6:
                return point
        return None


@dataclass(frozen=True, slots=True)
class Picture:
    """All curves of one probe, to be drawn into one chart.

    ``planned`` are the positions (log2) of all settings, measured or still to come.
    """

    probe: Probe
    along: Along
    series: tuple[Series, ...]
    planned: tuple[float, ...]

    @property
    def title(self) -> str:
        """What the chart is called."""
        return TITLES[self.probe]

    @property
    def unit(self) -> str:
        """What the rate counts: reads, writes, ..."""
        return UNITS[self.probe]

    @property
    def axis_title(self) -> str:
        """The horizontal axis' title."""
        if self.along is Along.BLOCK_SIZE:
            return "Block size"
        return "Connections" if self.probe is Probe.POINT_SELECT else "Threads"

    @property
    def positions(self) -> list[float]:
        """Where anything was measured, on the log2 axis, ascending."""
        found = {
            place(point.setting, self.along) for series in self.series for point in series.points
        }
        return sorted(found)

    @property
    def points(self) -> list[Point]:
        """All points, curve by curve."""
        return [point for series in self.series for point in series.points]

    def index_of(self, setting: Setting) -> int | None:
        """The index of the curve to which a setting belongs; None while it has no point yet."""
        key = curve_key(setting, self.along)
        return next((series.index for series in self.series if series.key == key), None)

    def nearest(self, position: float) -> float | None:
        """The measured position nearest to ``position``; a readout never interpolates."""
        return min(self.positions, key=lambda known: abs(known - position), default=None)


def place(setting: Setting, along: Along) -> float:
    """Where a setting lies on the log2 axis."""
    counted = setting.threads if along is Along.THREADS else setting.block_size_bytes
    return math.log2(max(counted, 1))


def tick(position: float, along: Along) -> str:
    """A tick's text: ``64``, or ``16 KiB``."""
    value = 2.0**position
    return size(value) if along is Along.BLOCK_SIZE else f"{value:.0f}"


def curve_key(setting: Setting, along: Along) -> tuple[object, ...]:
    """What all points of one curve share."""
    options = tuple(sorted(setting.options.items()))
    if along is Along.BLOCK_SIZE:
        return (setting.probe, setting.files, setting.directory, options)
    return setting.curve_key


def pictures(points: Iterable[Point], coming: Sequence[Setting] = ()) -> list[Picture]:
    """One picture for each probe, in the order of ``Probe``.

    ``coming`` are the plan's settings, measured or not: they decide early which axis a picture has
    and how far it reaches, so that nothing jumps while points arrive.
    """
    measured = list(points)
    settings = [point.setting for point in measured] + list(coming)
    made = []
    for probe in Probe:
        own = [setting for setting in settings if setting.probe is probe]
        if own:
            axis = along(own)
            planned = sorted({place(setting, axis) for setting in own})
            drawn = [point for point in measured if point.setting.probe is probe]
            made.append(Picture(probe, axis, _series(drawn, own), tuple(planned)))
    return made


def along(settings: Iterable[Setting]) -> Along:
    """Threads, unless only block sizes differ (redo appends have one writer)."""
    known = list(settings)
    one_thread = len({setting.threads for setting in known}) == 1
    sizes = len({setting.block_size_bytes for setting in known})
    return Along.BLOCK_SIZE if one_thread and sizes > 1 else Along.THREADS


def _series(points: Sequence[Point], settings: Sequence[Setting]) -> tuple[Series, ...]:
    axis = along(settings)
    groups: dict[tuple[object, ...], dict[float, Point]] = {}
    for point in points:
        group = groups.setdefault(curve_key(point.setting, axis), {})
        group[place(point.setting, axis)] = point
    names = {curve_key(setting, axis): series_name(setting, settings) for setting in settings}
    order = sorted(names, key=lambda key: _rank(key, settings, axis))
    return tuple(
        Series(
            names[key], order.index(key), axis, tuple(groups[key][at] for at in sorted(groups[key]))
        )
        for key in order
        if key in groups
    )


def _rank(key: object, settings: Sequence[Setting], axis: Along) -> tuple[int, int]:
    """Small blocks first, then in the plan's order: a curve keeps its colour through a run."""
    first = next(setting for setting in settings if curve_key(setting, axis) == key)
    size_rank = first.block_size_bytes if axis is Along.THREADS else 0
    return (size_rank, first.files)


def series_name(setting: Setting, among: Sequence[Setting]) -> str:
    """What tells this curve from the others of its picture, in words."""
    parts = []
    if setting.block_size_bytes and along(among) is Along.THREADS:
        parts.append(size(setting.block_size_bytes))
    if len({other.files for other in among}) > 1:
        parts.append("1 file" if setting.files == 1 else f"{setting.files} files")
    if len({other.directory for other in among}) > 1:
        parts.append(setting.directory)
    if "sync" in setting.options:
        sync = setting.options["sync"]
        parts.append(SYNCS.get(sync, sync))
    if "working_set" in setting.options:
        working_set = setting.options["working_set"]
        parts.append(WORKING_SETS.get(working_set, working_set))
    protocol = setting.options.get("protocol", "prepared")
    if protocol != "prepared":
        parts.append(protocol)
    return ", ".join(parts) or TITLES[setting.probe]


def setting_text(setting: Setting) -> str:
    """A setting in one line: ``Random read, 16 KiB, 64 threads``."""
    parts = [TITLES[setting.probe]]
    name = series_name(setting, (setting,))
    if name != TITLES[setting.probe]:
        parts.append(name)
    if setting.files > 1:
        parts.append(f"{setting.files} files")
    noun = "connection" if setting.probe is Probe.POINT_SELECT else "thread"
    parts.append(f"{setting.threads} {noun}{'s' if setting.threads != 1 else ''}")
    return ", ".join(parts)


def half_interval(point: Point) -> float:
    """Half of the 95 % confidence interval of the rate, per second."""
    low, high = point.ci95_per_s
    return max(0.0, (high - low) / 2)


def point_rows(point: Point) -> list[tuple[str, str]]:
    """What a hover over a point shows, label by label."""
    unit = UNITS[point.setting.probe]
    rows = [
        ("Rate", f"{rate(point.rate_per_s, unit)} ± {rate(half_interval(point))}"),
        ("p50", duration_us(point.latency.p50_us)),
        ("p95", duration_us(point.latency.p95_us)),
        ("p99", duration_us(point.latency.p99_us)),
        ("CPU per operation", duration_us(point.cpu_us_per_op)),
        ("Measured", f"{count(point.operations)} operations in {seconds(point.seconds)}"),
    ]
    if point.trust is Trust.OK:
        rows.append(("Trust", "ok"))
    else:
        rows.append(("Trust", f"{point.trust.value}: {'; '.join(point.trust_reasons)}"))
    return rows


def spread(point: Point) -> str:
    """The interval relative to the rate: ``± 2.1 %``."""
    if point.rate_per_s <= 0:
        return "–"
    return f"±\u202f{percent(half_interval(point) / point.rate_per_s)}"

"""What a measurement yields: settings, samples, points and curves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Probe(StrEnum):
    """The kinds of measurement."""

    RANDOM_READ = "random_read"
    RANDOM_WRITE = "random_write"
    REDO_SYNC = "redo_sync"
    POINT_SELECT = "point_select"


class Trust(StrEnum):
    """Whether a point may feed advice."""

    OK = "ok"
    DOUBTFUL = "doubtful"
    REJECTED = "rejected"


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting to measure.

    ``block_size_bytes`` is 0 for point_select. ``options`` holds what only some probes have:
    ``sync`` (fdatasync, fsync, o_dsync) for redo_sync; ``protocol`` (prepared, sql, handler) and
    ``working_set`` (cached, uncached, existing) for point_select.
    """

    probe: Probe
    threads: int
    block_size_bytes: int = 0
    files: int = 1
    directory: str = ""
    options: Mapping[str, str] = field(default_factory=dict)

    @property
    def curve_key(self) -> tuple[str, int, int, str, tuple[tuple[str, str], ...]]:
        """What all points of one curve have in common: everything but the threads."""
        return (
            self.probe.value,
            self.block_size_bytes,
            self.files,
            self.directory,
            tuple(sorted(self.options.items())),
        )


@dataclass(frozen=True, slots=True)
class Sample:
    """What was seen within one interval (200 ms) of a running point.

    ``at_s`` is the interval's end, counted from the start of measuring; a negative one belongs to
    the warm-up. ``p95_us`` and ``p99_us`` are those of the interval alone, 0 when nothing finished.
    """

    at_s: float
    rate_per_s: float
    p95_us: float
    p99_us: float


@dataclass(frozen=True, slots=True)
class Latency:
    """A summary of the latency histogram, in microseconds."""

    mean_us: float
    p50_us: float
    p95_us: float
    p99_us: float
    p999_us: float
    max_us: float


@dataclass(frozen=True, slots=True)
class Point:
    """One measured setting.

    ``ci95_per_s`` is the 95 % confidence interval of the rate. ``histogram`` is the whole latency
    distribution in nanoseconds: HdrHistogram V2, compressed, base64. ``direct`` tells whether the
    I/O bypassed the page cache (None for point_select).
    """

    setting: Setting
    engine: str
    seconds: float
    operations: int
    rate_per_s: float
    ci95_per_s: tuple[float, float]
    latency: Latency
    histogram: str
    cpu_user_us_per_op: float
    cpu_system_us_per_op: float
    direct: bool | None = None
    trust: Trust = Trust.OK
    trust_reasons: tuple[str, ...] = ()
    id: int | None = None

    @property
    def cpu_us_per_op(self) -> float:
        """The measuring process's own CPU per operation, user and system."""
        return self.cpu_user_us_per_op + self.cpu_system_us_per_op


@dataclass(frozen=True, slots=True)
class Curve:
    """Points of one probe over threads, ascending; at least one point."""

    points: tuple[Point, ...]

    @property
    def setting(self) -> Setting:
        """The setting of the first point: everything but ``threads`` holds for all."""
        return self.points[0].setting

    @property
    def peak(self) -> Point:
        """The point with the highest rate."""
        return max(self.points, key=lambda point: point.rate_per_s)

    def trusted(self) -> Curve | None:
        """The same curve with its ``ok`` points alone; None when there is none."""
        kept = tuple(point for point in self.points if point.trust is Trust.OK)
        return Curve(kept) if kept else None


def curves(points: Iterable[Point]) -> list[Curve]:
    """Sort ``points`` into curves, in the order in which each curve's first point arrived.

    A setting that was measured again is represented by its latest point.
    """
    groups: dict[object, dict[int, Point]] = {}
    for point in points:
        groups.setdefault(point.setting.curve_key, {})[point.setting.threads] = point
    return [
        Curve(tuple(sorted(group.values(), key=lambda point: point.setting.threads)))
        for group in groups.values()
    ]

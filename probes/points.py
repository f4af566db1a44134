"""What a measurement yields: settings, samples, points and curves."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from probes.doubts import Doubt

PAGE_BYTES = 16384
"""InnoDB's page size unless it was chosen otherwise."""


class Probe(StrEnum):
    """The kinds of measurement.

    ``page_flush`` counts pages and ``redo_sync`` commits; ``mixed`` runs three of them at once and
    gives a point for each part. ``oltp`` counts whole transactions of another load generator: it is
    only ever imported.
    """

    RANDOM_READ = "random_read"
    RANDOM_WRITE = "random_write"
    REDO_SYNC = "redo_sync"
    PAGE_FLUSH = "page_flush"
    MIXED = "mixed"
    STEADY_WRITE = "steady_write"
    POINT_SELECT = "point_select"
    PK_UPDATE = "pk_update"
    OLTP = "oltp"


SERVER_PROBES = frozenset({Probe.POINT_SELECT, Probe.PK_UPDATE, Probe.OLTP})
"""Those that ask a MySQL server; all others work on files of their own."""


HOLDING_BLOCKS = frozenset(
    {Probe.RANDOM_READ, Probe.RANDOM_WRITE, Probe.PAGE_FLUSH, Probe.MIXED, Probe.STEADY_WRITE}
)
"""Those whose blocks go past the page cache, straight from memory of the prober's own."""


class EndedBy(StrEnum):
    """What ended a point.

    ``interval``: its confidence interval became as narrow as the plan asks; ``time``: its time cap;
    ``bytes``: its byte cap, or every block was touched once; ``""``: unknown (imports).
    """

    INTERVAL = "interval"
    TIME = "time"
    BYTES = "bytes"
    UNKNOWN = ""


class Buffers(StrEnum):
    """How the memory lies that blocks are read into or written from, past the page cache.

    In huge pages a block is always one piece of the machine's memory; in ordinary ones, as most
    buffer pools have them, it is up to one piece for each 4 KiB.
    """

    ORDINARY = "ordinary"
    HUGE = "huge"


_BUFFERS = {kind.value: kind for kind in Buffers}


REACH = "reach"
"""The detail of a doubted point that says how far the true rate may lie from the measured one."""

AT_LEAST = "at_least"
"""The detail of an import whose scale of latencies ended: ``[quantile, microseconds]``, the lowest
percentile (0..1) that lies beyond, and where the scale ended."""

UNKNOWN_REACH = (0.5, 2.0)
"""Of points that are doubted without a figure: imports, an engine's own warning (our choice)."""

BUFFERS = "buffers"
"""The detail of a point, and the option of a setting, that names the buffers' kind."""


SERVER_LOAD = "server_load"
"""The detail of a point beside the advised server's own load that has that load's figures.

``share`` is the server's share of the drive's bytes (0..1), ``read_bytes_per_s`` and
``written_bytes_per_s`` are what it moved meanwhile.
"""


class LimitedBy(StrEnum):
    """What kept a point from going faster, where it was not the drive."""

    PROBER = "prober"
    CPU = "cpu"
    NOTHING = ""


class Trust(StrEnum):
    """What the eye needs of a point's range: ok, doubtful (wide, with a reason), or invalid.

    Only a rejected point feeds nothing.
    """

    OK = "ok"
    DOUBTFUL = "doubtful"
    REJECTED = "rejected"


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting to measure.

    ``block_size_bytes`` is 0 for the server's probes. ``threads`` are committers for redo_sync,
    page cleaners for page_flush, readers for mixed, connections for the server's probes.
    ``options`` holds what only some probes have, and only where it differs from the usual:
    ``probes/kinds/`` declares them, and reads them as a probe's Options.
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
class HostSample:
    """Device and host within one interval, as iostat -x and vmstat show them; nan is unknown.

    ``device`` is the block device under the directory, "" where there is none (memory, network).
    Its rates count everybody's I/O. ``queue`` is the mean number of requests in flight,
    ``utilisation`` the share of time with any (0..1), ``read_await_us`` and ``write_await_us`` the
    mean time of a request. CPU shares (0..1) are of all processors together; ``own_cpu`` and
    ``server_cpu`` are the CPUs (1.0 is one processor) that the prober and mysqld used.
    """

    device: str
    reads_per_s: float
    writes_per_s: float
    read_bytes_per_s: float
    written_bytes_per_s: float
    queue: float
    utilisation: float
    read_await_us: float
    write_await_us: float
    cpu_user: float
    cpu_system: float
    cpu_iowait: float
    cpu_steal: float
    context_switches_per_s: float
    own_cpu: float
    server_cpu: float = math.nan
    mhz: float = math.nan


@dataclass(frozen=True, slots=True)
class Sample:
    """What was seen within one interval (200 ms) of a running point.

    ``at_s`` is the interval's end, counted from the start of measuring; a negative one belongs to
    the warm-up. ``p95_us`` and ``p99_us`` are those of the interval alone, 0 when nothing finished.
    ``host`` is None where the engine did not look.
    """

    at_s: float
    rate_per_s: float
    p95_us: float
    p99_us: float
    host: HostSample | None = None


@dataclass(frozen=True, slots=True)
class Latency:
    """A summary of the latency histogram, in microseconds; nan where the source does not report it.

    Of page_flush it is the time of a whole batch.
    """

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
    distribution in nanoseconds: HdrHistogram V2, compressed, base64; "" where none is known.
    ``direct`` says whether the I/O bypassed the page cache (None where that is no question).
    ``warmup_s`` is what was cut off before ``seconds`` began. ``details`` holds what else the
    engine said, JSON values by name (see the PROTOCOL.md of the agent): ``device``, ``issued``,
    ``cpu_busy``, ``cpu_steal``, ``mhz``, ``clock_jump_s``, ``buffers`` (see Buffers), ``reach``
    (see there), ``at_least`` (see AT_LEAST), ``server_load`` (see SERVER_LOAD) and what single
    probes add.
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
    doubts: tuple[Doubt, ...] = ()
    id: int | None = None
    ended_by: EndedBy = EndedBy.UNKNOWN
    warmup_s: float = 0.0
    limited_by: LimitedBy = LimitedBy.NOTHING
    details: Mapping[str, object] = field(default_factory=dict)

    @property
    def buffers(self) -> Buffers | None:
        """How the memory of its blocks lay; None where it had none, or nobody knows.

        Agents that do not say so took huge pages.
        """
        name = self.details.get(BUFFERS)
        if isinstance(name, str) and name in _BUFFERS:
            return _BUFFERS[name]
        options = self.setting.options
        holds = self.setting.probe in HOLDING_BLOCKS and options.get("part") != "redo"
        return Buffers.HUGE if holds and self.engine == "agent" else None

    @property
    def beyond_scale(self) -> tuple[float, float] | None:
        """The lowest quantile beyond the end of the scale of its latencies, and that end in us."""
        reported = self.details.get(AT_LEAST)
        if not isinstance(reported, Sequence) or isinstance(reported, str) or len(reported) != 2:
            return None
        figures = [float(each) for each in reported if isinstance(each, int | float)]
        if len(figures) != 2 or not (0 < figures[0] < 1 and 0 < figures[1] < math.inf):
            return None
        return figures[0], figures[1]

    @property
    def usable(self) -> bool:
        """Whether it shows anything of the drive: it has a rate, and is not rejected."""
        return self.trust is not Trust.REJECTED and self.rate_per_s > 0

    @property
    def rejected_for(self) -> tuple[Doubt, ...]:
        """The doubts for which it is rejected."""
        return tuple(each for each in self.doubts if each.rejects)

    @property
    def beside_server(self) -> bool:
        """Whether the advised server's own load used the drive meanwhile: idle, it gives more."""
        return SERVER_LOAD in self.details

    @property
    def reach(self) -> tuple[float, float]:
        """The least and the most times the measured rate that the true one may be.

        That is besides its interval: below 1 where something helped (a cache), above 1 where
        something slowed it (neighbours, steal, the prober's own limit).
        """
        reported = self.details.get(REACH)
        if isinstance(reported, Sequence) and not isinstance(reported, str) and len(reported) == 2:
            low, high = (float(each) if isinstance(each, int | float) else 1.0 for each in reported)
            return min(max(low, 0.0), 1.0), max(high, 1.0)
        return UNKNOWN_REACH if self.trust is Trust.DOUBTFUL else (1.0, 1.0)

    @property
    def interval_per_s(self) -> tuple[float, float] | None:
        """The ends of the rate's 95 % interval, the rate between them; None where unknown."""
        low, high = self.ci95_per_s
        if not math.isfinite(high - low) or math.isnan(self.rate_per_s):
            return None
        return min(low, self.rate_per_s), max(high, self.rate_per_s)

    @property
    def bounds_per_s(self) -> tuple[float, float]:
        """What the true rate may be: the interval, widened by what slowed or helped it."""
        least, most = self.reach
        low, high = (self.rate_per_s if math.isnan(end) else end for end in self.ci95_per_s)
        return min(low, self.rate_per_s) * least, max(high, self.rate_per_s) * most

    @property
    def cpu_us_per_op(self) -> float:
        """The measuring process's own CPU per operation, user and system."""
        return self.cpu_user_us_per_op + self.cpu_system_us_per_op


@dataclass(frozen=True, slots=True)
class Curve:
    """Points of one probe over threads, ascending; at least one point.

    All of them were measured beside the advised server's own load, or none.
    """

    points: tuple[Point, ...]

    @property
    def setting(self) -> Setting:
        """The setting of the first point: everything but ``threads`` holds for all."""
        return self.points[0].setting

    @property
    def beside_server(self) -> bool:
        """Whether it shows what the drive gives beside the advised server's own load."""
        return self.points[0].beside_server

    @property
    def peak(self) -> Point:
        """The point with the highest rate."""
        return max(self.points, key=lambda point: point.rate_per_s)

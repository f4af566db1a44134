"""What an engine reports while it measures; values only, safe to hand to another thread."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from probes.points import Point, Sample, Setting


@dataclass(frozen=True, slots=True)
class EngineReady:
    """The engine answered: its name and version, and what one of its own operations costs."""

    engine: str
    version: str
    clock_ns: float
    overhead_ns_per_op: float


@dataclass(frozen=True, slots=True)
class Calibrated:
    """What the prober itself costs and can do on this machine, measured before the first point.

    ``wakeup_us`` is the scheduler's median delay in waking a thread, by thread count.
    ``ceiling_per_s`` is the rate of random_read on a RAM-backed file, by block size and threads
    (empty where the target has no such place); ``processors`` are those the prober may use.
    """

    clock_ns: float
    overhead_ns_per_op: float
    processors: int
    wakeup_us: Mapping[int, float]
    ceiling_per_s: Mapping[int, Mapping[int, float]]


@dataclass(frozen=True, slots=True)
class CanaryBeat:
    """How a live server fares while its drive is measured; once a second.

    ``latency_us`` is the slowest canary read of that second, ``baseline_us`` the median before the
    run, ``limit_us`` where the probe stops.
    """

    latency_us: float
    baseline_us: float
    limit_us: float
    threads_running: int
    row_lock_waits: int


@dataclass(frozen=True, slots=True)
class Preparing:
    """Files or tables are being filled."""

    what: str
    done_bytes: int
    total_bytes: int


@dataclass(frozen=True, slots=True)
class PointStarted:
    """Measuring of ``setting`` begins; ``index`` counts from 0 within the plan's ``total``."""

    setting: Setting
    index: int
    total: int


@dataclass(frozen=True, slots=True)
class SampleTaken:
    """A point grows."""

    setting: Setting
    sample: Sample


@dataclass(frozen=True, slots=True)
class PointDone:
    """A point has settled, with the samples that it was made of."""

    point: Point
    samples: tuple[Sample, ...]


@dataclass(frozen=True, slots=True)
class Warned:
    """Something to know that does not end the run; ``code`` is stable, ``message`` for people."""

    code: str
    message: str


BUDGET_SPENT = "budget"
"""The warning that a plan ended before its last step, since it may cost no more."""

STEPPED_BACK = "stepped_back"
"""The warning that a point had to end because the server got slower; the run goes on."""

EngineEvent = (
    EngineReady
    | Calibrated
    | CanaryBeat
    | Preparing
    | PointStarted
    | SampleTaken
    | PointDone
    | Warned
)

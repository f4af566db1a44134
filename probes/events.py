"""What an engine reports while it measures; values only, safe to hand to another thread."""

from __future__ import annotations

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


EngineEvent = EngineReady | Preparing | PointStarted | SampleTaken | PointDone | Warned

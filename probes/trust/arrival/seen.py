"""A point that has just arrived, and what was seen while it was measured."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from probes.events import Calibrated
from probes.points import HostSample, Point, Sample


@dataclass(frozen=True, slots=True)
class Seen:
    """What the checks of one point look at.

    ``counted`` are the samples of the part that was measured, without those of the warm-up that was
    cut; ``calibrated`` is None where the prober did not measure itself.
    """

    point: Point
    counted: tuple[Sample, ...]
    calibrated: Calibrated | None = None

    @property
    def hosts(self) -> tuple[HostSample, ...]:
        """What the host did within the counted samples; empty where nobody looked."""
        return tuple(sample.host for sample in self.counted if sample.host is not None)

    def detail(self, name: str) -> float:
        """A figure among the point's details, nan when absent or no number."""
        return as_number(self.point.details.get(name))

    def part(self, name: str) -> Mapping[str, object]:
        """An object among the point's details (``device``, ``issued``), empty when absent."""
        found = self.point.details.get(name)
        return found if isinstance(found, Mapping) else {}


def seen(point: Point, samples: Iterable[Sample], calibrated: Calibrated | None) -> Seen:
    """Put a point and its samples together.

    A point ends with its last sample, so those that lie within its ``seconds`` before that count;
    at least the ones after the planned warm-up do not begin earlier than it (``at_s`` > 0).
    """
    ordered = sorted(samples, key=lambda sample: sample.at_s)
    if not ordered or not math.isfinite(point.seconds):
        return Seen(point, tuple(s for s in ordered if s.at_s > 0), calibrated)
    begin = max(0.0, ordered[-1].at_s - point.seconds)
    return Seen(point, tuple(s for s in ordered if s.at_s > begin + 1e-3), calibrated)


def as_number(value: object) -> float:
    """A JSON number as a float, nan for everything else (a boolean is no number)."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return math.nan
    return float(value)


def mean_known(values: Iterable[float]) -> float:
    """The mean of those that are known, nan when none is."""
    known = [value for value in values if math.isfinite(value)]
    return sum(known) / len(known) if known else math.nan
